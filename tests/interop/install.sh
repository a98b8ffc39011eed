# The installation works: the program, the static and the shared library, man pages, completions.
build=$(dirname "$PERFPIPE")
for tool in cmake cc pkg-config; do
	command -v $tool > /dev/null || { echo "skipped: there is no $tool here"; exit 77; }
done

DESTDIR=$PWD/root cmake --install "$build" --prefix /usr > log || { cat log; exit 1; }
root=$PWD/root/usr
bad=0

# check WHAT COMMAND...: the command must succeed
check()
{
	what=$1
	shift
	"$@" > log 2>&1 || { echo "$what does not work:"; cat log; bad=1; }
}

# installed PATTERN: its path, or a failure
installed()
{
	found=$(find "$root" -path "$root/$1" | head -n 1)
	[ -n "$found" ] || { echo "$1 is not installed" >&2; return 1; }
	echo "$found"
}

for pattern in 'bin/perfpipe' 'lib*/libperfpipe.so' 'lib*/libperfpipe.so.[0-9]' 'lib*/libperfpipe.a' \
	'lib*/cmake/perfpipe/perfpipe-config.cmake' 'share/man/man1/perfpipe.1' \
	'share/man/man1/perfpipe-info.1'; do
	installed "$pattern" > /dev/null || bad=1
done
for header in "$SOURCE"/include/perfpipe/*.h; do
	check "${header##*/}" cmp "$header" "$root/include/perfpipe/${header##*/}"
done
gzip -dc "$SOURCE/tests/data/orders.nettrace.gz" > trace.nettrace
events=$("$root/bin/perfpipe" info --json trace.nettrace | sed -n 's/^  "events": \([0-9]*\),/\1/p')
wanted="$events events, 0 lost, complete"

# The flags of the build, since a library with sanitizers needs a program with them.
flags=$(sed -n 's/^CMAKE_C_FLAGS:STRING=//p' "$build/CMakeCache.txt")
example=$SOURCE/examples/count_events.c
LD_LIBRARY_PATH=$(dirname "$(installed 'lib*/libperfpipe.so')")
PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH

# counts WHAT PROGRAM: the example's output must agree with the program's
counts()
{
	got=$("$2" trace.nettrace 2>&1)
	[ "$got" = "$wanted" ] || { echo "$1 says \"$got\", not \"$wanted\""; bad=1; }
}

check "pkg-config" pkg-config --exists --print-errors perfpipe
check "the example by pkg-config" cc $flags -std=c17 "$example" \
	$(pkg-config --cflags --libs perfpipe) -o by_pkg_config
counts "the example by pkg-config" ./by_pkg_config

mkdir project
cat > project/CMakeLists.txt << EOF
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(perfpipe REQUIRED)
add_executable(shared $example)
target_link_libraries(shared PRIVATE perfpipe::perfpipe)
add_executable(static $example)
target_link_libraries(static PRIVATE perfpipe::perfpipe_static)
EOF
check "find_package" cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$root" \
	-DCMAKE_C_FLAGS="$flags"
check "the CMake package" cmake --build project/build
counts "the example by CMake" project/build/shared
counts "the static example by CMake" project/build/static

# The completions are those of the installed program, and the installed shells accept them.
for shell in bash:bash-completion/completions/perfpipe zsh:zsh/site-functions/_perfpipe \
	fish:fish/vendor_completions.d/perfpipe.fish; do
	name=${shell%%:*}
	file=$root/share/${shell#*:}
	"$root/bin/perfpipe" completion "$name" > printed
	check "the $name completion" cmp printed "$file"
	! command -v "$name" > /dev/null || check "the $name completion" "$name" -n "$file"
done
if command -v man > /dev/null; then
	check "the manual" sh -c 'man --warnings -l "$1" 2>&1 >/dev/null | (! grep .)' - \
		"$root/share/man/man1/perfpipe-info.1"
fi
echo "$(find "$root" -type f -o -type l | wc -l) files installed; $wanted"
exit $bad

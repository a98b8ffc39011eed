# Projects of others are built from the installed files and work: in C, C++ and Python, found by pkg-config and by
# CMake, with shared and with static libraries. What they print is what the installed program reports.
. "$SOURCE/tests/interop/installed_lib"

cp -r "$SOURCE/examples" examples
gzip -dc "$SOURCE/tests/data/orders.nettrace.gz" > trace.nettrace
libraries=$(dirname "$(installed 'lib*/libperfpipe.so')")
PKG_CONFIG_PATH=$libraries/pkgconfig
LD_LIBRARY_PATH=$libraries
export PKG_CONFIG_PATH LD_LIBRARY_PATH
compilers=
for compiler in g++ clang++ clang++-14; do
	! command -v $compiler > /dev/null || compilers="$compilers $compiler"
done
case $flags in
*-fsanitize=*) sanitized=yes ;;
*) sanitized= ;;
esac

# What programs have to print.
"$root/bin/perfpipe" report trace.nettrace cpu --json > print_report || bad=1
awk '/^      "name": / { sub(/^[^:]*: "/, ""); sub(/",$/, ""); name = $0 }
	/^      "exclusive_ns": / { printf "%10.1f ms  %s\n", $2 / 1e6, name }' print_report |
	head -n 10 > top_methods
[ "$(wc -l < top_methods)" -eq 10 ] || { echo "the report has no ten methods"; bad=1; }

# agrees WHAT EXPECTED PROGRAM ARGUMENT...
agrees()
{
	what=$1 expected=$2
	shift 2
	"$@" > printed 2> said || { echo "$what fails:"; cat said; bad=1; }
	diff -u "$expected" printed || { echo "$what prints something else"; bad=1; }
}

# Headers: each alone, and all of them, by compilers that warn of everything.
for header in "$root"/include/perfpipe/*.h; do
	echo "#include <perfpipe/${header##*/}>" | tee -a all.c > one.c
	check "${header##*/} in C" cc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
		-I"$root/include" one.c
done
for compiler in $compilers; do
	for standard in 11 20; do
		check "headers by $compiler, C++$standard" $compiler -std=c++$standard -Wall -Wextra -Wpedantic \
			-Werror -fsyntax-only -I"$root/include" -x c++ all.c
	done
done

# by_pkg_config COMPILER SOURCE PROGRAM [--static]: with the package that the example's own comment names
by_pkg_config()
{
	package=$(sed -n 's/.*pkg-config --cflags --libs \([a-z-]*\)).*/\1/p' "$2")
	check "$3 with pkg-config ${4:-} $package" $1 $flags "$2" $(pkg-config ${4:-} --cflags --libs "$package") \
		-o "$3"
}

check "pkg-config" pkg-config --exists --print-errors 'perfpipe >= 0.1' 'perfpipe-trace >= 0.1'
for source in examples/*.c; do
	by_pkg_config cc "$source" "$(basename "$source" .c)_shared"
done
check "the writer" ./write_trace_shared written.nettrace
check "what it has written" "$root/bin/perfpipe" info written.nettrace
agrees "C by pkg-config" print_report ./print_report_shared cpu json trace.nettrace
for compiler in $compilers; do
	# a library with one compiler's sanitizers cannot be linked with the other's
	[ -z "$sanitized" ] || [ "$compiler" = g++ ] || continue
	by_pkg_config "$compiler -std=c++17 -Wall -Wextra -Wpedantic -Werror" examples/top_methods.cpp ./top_methods_$compiler
	agrees "C++ by $compiler" top_methods ./top_methods_$compiler trace.nettrace
done

# Static libraries: where no others are installed, the linker takes these.
mkdir static
cp -r "$libraries" "$root/include" static
rm -f static/*/*.so static/*/*.so.*
static_pkgconfig=$(find "$PWD/static" -name pkgconfig)
PKG_CONFIG_PATH=$static_pkgconfig by_pkg_config cc examples/print_report.c print_report_static --static
PKG_CONFIG_PATH=$static_pkgconfig by_pkg_config cc examples/write_trace.c write_trace_static --static
for program in print_report_static write_trace_static; do
	! readelf -d $program | grep 'NEEDED.*perfpipe' || { echo "$program is not static"; bad=1; }
done
agrees "static C by pkg-config" print_report ./print_report_static cpu json trace.nettrace
check "the static writer" ./write_trace_static written.nettrace

# CMake
mkdir project
cat > project/CMakeLists.txt << 'EOF'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(perfpipe 0.1 REQUIRED)
foreach(form "" _static)
	add_executable(write_trace${form} ../examples/write_trace.c)
	target_link_libraries(write_trace${form} PRIVATE perfpipe::perfpipe${form})
	add_executable(print_report${form} ../examples/print_report.c)
	target_link_libraries(print_report${form} PRIVATE perfpipe::trace${form})
endforeach()
if(CXX)
	enable_language(CXX)
	add_executable(top_methods ../examples/top_methods.cpp)
	target_link_libraries(top_methods PRIVATE perfpipe::trace)
endif()
EOF
case $compilers in
*g++*) cxx=ON ;;
*) cxx=OFF ;;
esac
check "find_package" cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$root" -DCXX=$cxx \
	-DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags"
check "the CMake package" cmake --build project/build
for form in "" _static; do
	check "the writer by CMake$form" project/build/write_trace$form written.nettrace
	agrees "C by CMake$form" print_report project/build/print_report$form cpu json trace.nettrace
done
[ $cxx = OFF ] || agrees "C++ by CMake" top_methods project/build/top_methods trace.nettrace

# Python, which loads the library, has to begin with the sanitizers.
if command -v python3 > /dev/null; then
	preload=
	for runtime in asan tsan; do
		! readelf -d "$libraries/libperfpipe.so" | grep -q "NEEDED.*lib$runtime" ||
			preload=$(cc -print-file-name=lib$runtime.so)
	done
	python=$(python3 -c 'import sys; print(sys.executable)') # the program, if that is a script
	agrees "Python" top_methods env LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0 \
		"$python" examples/top_methods.py trace.nettrace "$libraries/libperfpipe-trace.so.0"
fi
exit $bad

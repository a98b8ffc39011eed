# The installation works: the program, libraries with their headers, man pages, completions.
. "$SOURCE/tests/interop/installed_lib"

for pattern in 'bin/perfpipe' 'lib*/libperfpipe.so' 'lib*/libperfpipe.so.[0-9]' 'lib*/libperfpipe.a' \
	'lib*/libperfpipe-trace.so' 'lib*/libperfpipe-trace.so.[0-9]' 'lib*/libperfpipe-trace.a' \
	'lib*/cmake/perfpipe/perfpipe-config.cmake' 'lib*/pkgconfig/perfpipe.pc' 'lib*/pkgconfig/perfpipe-trace.pc' \
	'share/man/man1/perfpipe.1' 'share/man/man1/perfpipe-info.1'; do
	installed "$pattern" > /dev/null || bad=1
done
for header in "$SOURCE"/include/perfpipe/*.h; do
	check "${header##*/}" cmp "$header" "$root/include/perfpipe/${header##*/}"
done
check "the program" "$root/bin/perfpipe" info "$SOURCE/tests/data/orders.nettrace.gz"

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
echo "$(find "$root" -type f -o -type l | wc -l) files installed"
exit $bad

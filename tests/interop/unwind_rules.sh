# Our unwind tables of real libraries and of this program say at every address what libdw says there: where the caller's
# frame is, and each register that it had.
rules=$(dirname "$PERFPIPE")/tests/unwind_rules
[ -x "$rules" ] || { echo "skipped: this build has no elfutils"; exit 77; }
bad=0

# library NAME - the path of the one that programs load
library()
{
	ldconfig -p | sed -n "s,^\t$1 .*=> ,,p" | head -n 1
}

set -- "$PERFPIPE" "$(library libc.so.6)" "$(library ld-linux-x86-64.so.2)"
for name in libm.so.6 libstdc++.so.6 libcrypto.so.3; do
	path=$(library $name)
	[ -z "$path" ] || set -- "$@" "$path"
done
# of the other machine, where a cross compiler is installed
for path in /usr/aarch64-linux-gnu/lib/libc.so.6 /usr/aarch64-linux-gnu/lib/libstdc++.so.6 /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1; do
	[ ! -e "$path" ] || set -- "$@" "$path"
done
# the runtime of .NET, and what it compiles with
runtime=$(dotnet --list-runtimes 2> /dev/null | sed -n 's,^Microsoft.NETCore.App \([^ ]*\) \[\(.*\)\]$,\2/\1,p' | tail -n 1)
[ -z "$runtime" ] || set -- "$@" "$runtime/libcoreclr.so" "$runtime/libclrjit.so"

"$rules" "$@" | tee out || bad=1
awk '{ count += $2 } END { exit count < 100000 }' out || { echo "fewer than 100,000 addresses were compared"; bad=1; }
# the test can fail: a file that is not an ELF file has no rules
! "$rules" "$SOURCE/README.md" || bad=1
exit $bad

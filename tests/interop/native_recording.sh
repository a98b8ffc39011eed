# A native program whose shares of CPU time are known is recorded by the kernel's sampler, and all outputs name them: functions,
# inlined calls, recursion, and a library without symbols.
. "$SOURCE/tests/interop/readers"
command -v gcc > /dev/null || { echo "skipped: there is no gcc"; exit 77; }
unset DEBUGINFOD_URLS
flags="-O2 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls -Wl,--build-id=sha1"
gcc $flags -fPIC -shared -s -o libquiet.so "$SOURCE/tests/interop/native/quiet.c" || exit 1
gcc $flags -o hot "$SOURCE/tests/interop/native/hot.c" -L. -lquiet '-Wl,-rpath,$ORIGIN' || exit 1
"$(dirname "$PERFPIPE")/tests/native_recording" hot.nettrace "$PWD/hot" 2000000 > log 2>&1
code=$?
cat log
[ $code -ne 77 ] || exit 77
[ $code -eq 0 ] || fail "the program could not be recorded"

"$PERFPIPE" report hot.nettrace cpu --format csv -n 1000 > cpu.csv || exit 1
"$PERFPIPE" report hot.nettrace symbols > symbols || exit 1
[ "$(awk -F, 'NR > 1 { n += $4 } END { print n }' cpu.csv)" -ge 500 ] || fail "there are few samples"

# share NAME COLUMN UNITS - of all samples this many eighths, within five standard deviations of so many samples and what
# the code around the work takes
share()
{
	awk -F, -v name="$1" -v column="$2" -v wanted="$3" '
		{ row = $1 == name ? $column : row; n += NR > 1 ? $4 : 0 }
		END {
			p = wanted / 8
			off = row / n - p
			most = 5 * sqrt(p * (1 - p) / n) + 0.02
			exit !(off <= most && off >= -most)
		}' cpu.csv || { cat cpu.csv; fail "$1 has another share than $3 of 8"; }
}
head -n 1 cpu.csv | grep -q "^name,module,exclusive_ns,exclusive,inclusive_ns,inclusive," || fail "CSV has other columns"
share hot_direct 4 3
share 'inner [inlined]' 4 2
share hot_inlined 6 2
share recurse 4 1
share recurse 6 1
share '[no symbols]' 4 2
share main 6 8

"$PERFPIPE" report hot.nettrace cpu --tree --lines | grep -q 'inner hot\.c:[0-9]* \[inlined\] \[hot\]$' || fail "the tree has no lines"
"$PERFPIPE" report hot.nettrace cpu --callers inner | grep -q 'hot_inlined \[hot\]$' || fail "inner has another caller"
grep -q ' no symbols  *libquiet\.so ' symbols || { cat symbols; fail "the stripped library is not listed"; }
"$PERFPIPE" events hot.nettrace --stacks --lines --name cpu | grep -q ' hot!inner hot\.c:[0-9]* \[inlined\]$' ||
	fail "events have no inlined call"
"$PERFPIPE" convert hot.nettrace -f folded -o - > folded || exit 1
grep -q ';hot!main;hot!recurse;hot!recurse;hot!recurse;hot!recurse;hot!recurse [0-9]*$' folded || fail "recursion is not as deep"
grep -q ';hot!main;hot!hot_inlined;hot!inner \[inlined\] [0-9]*$' folded || fail "folded stacks have no inlined call"
grep -q ';libquiet\.so \[no symbols\] [0-9]*$' folded || fail "folded stacks name the stripped library"
! grep 'in_library+\|hidden' folded || fail "the stripped library has names"

# the same on a machine that has the files elsewhere, and on one that has another build of them
mkdir elsewhere && mv hot libquiet.so elsewhere
"$PERFPIPE" convert hot.nettrace -f folded -o moved --symbols elsewhere --no-cache || exit 1
cmp folded moved || fail "names depend on where the files are"
echo 'int main(void) { return 0; }' > other.c && gcc -Wl,--build-id=sha1 -o hot other.c || exit 1
"$PERFPIPE" report hot.nettrace cpu --no-cache > other || exit 1
grep -q ' hot \[another build\]$' other || { cat other; fail "another build is not refused"; }
exit $bad

# The Firefox Profiler's own code, in its command line program, loads our files, upgrades them to its newest
# version, and finds the expected threads, functions, markers and counters.
. "$SOURCE/tests/interop/readers"
. "$SOURCE/tests/interop/firefox_lib"
cp "$SOURCE/tests/data/orders.nettrace.gz" .
cp "$SOURCE/tests/data/orders-counters.nettrace.zst" counters.nettrace.zst
cp orders.nettrace.gz again.nettrace.gz
# same WHAT WANTED HAVE
same()
{
	[ "$2" = "$3" ] && echo "$1: $2" || fail "$1: $3, wanted $2"
}

"$PERFPIPE" report orders.nettrace.gz cpu --json -n 100000 > cpu.json || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o cpu.firefox.json || exit 1
load cpu.firefox.json
cli thread list --json > threads.json
threads=$(grep -o '"threadHandle": *"t-[0-9]*"' threads.json | sort -u | grep -o 't-[0-9]*')
same threads 8 "$(echo "$threads" | wc -l)"
for thread in $threads; do
	cli thread functions --thread "$thread" --json --limit 0 --include-idle > "functions.$thread" || fail "no functions of $thread"
done
node "$SOURCE/tests/interop/js/firefox_functions.js" functions.* | "$same_totals" cpu.json || fail "the totals of cpu differ"
markers()
{
	cli profile markers --search "$1" --json --limit 0 > markers.json 2> log || cat log
	grep -c '"handle": *"m-' markers.json
}
same exceptions "$("$PERFPIPE" report orders.nettrace.gz exceptions --json | sed -n 's/^  "count": \([0-9]*\),$/\1/p')" "$(markers Exception)"
same waits "$("$PERFPIPE" report orders.nettrace.gz contention --json | sed -n 's/^  "count": \([0-9]*\),$/\1/p')" "$(markers 'waiting for a lock')"

# two processes with the same ids
"$PERFPIPE" convert orders.nettrace.gz again.nettrace.gz --view cpu -o both.firefox.json || exit 1
load both.firefox.json
cli profile info > info
grep -q '16 threads across 2 processes' info || { cat info; fail "two processes are not two"; }

# no samples at all, but counters
"$PERFPIPE" convert counters.nettrace.zst -o counters.firefox.json || exit 1
load counters.firefox.json
cli counter list > counters
grep -q 'GC heap\|gc-heap\|dotnet.gc' counters || { head -n 20 counters; fail "there is no counter of the heap"; }
same counters "$(grep -o '"graphType"' counters.firefox.json | wc -l)" "$(grep -c '^ *c-[0-9]*:' counters)"

# native code with inlined calls and lines
"$PERFPIPE" convert "$SOURCE/tests/data/native.nettrace" --symbols "$SOURCE/tests/data/native" --no-cache --lines -o native.firefox.json ||
	exit 1
load native.firefox.json
cli thread functions --thread t-0 --json --limit 0 > native.json || fail "there are no functions of native code"
grep -q 'tax \[inlined\]' native.json || { head -n 40 native.json; fail "there is no inlined call"; }
exit $bad

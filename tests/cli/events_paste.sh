# A time that `events` prints selects, pasted into --from, the event that it was printed for and what follows; pasted
# into --to, what comes before it. With the unit of its column or without, in every command.
cp "$SOURCE/tests/data/orders.nettrace.zst" orders.nettrace
bad=0
fail() { echo "failed: $*"; bad=1; }

"$PERFPIPE" events orders.nettrace > all
head -1 all | sed 's/  *Thread.*//'
sed 1d all > lines

# events of the same time are selected together, so the first of them is looked for
awk '$1 != before { print NR, $1 } { before = $1 }' lines > times
count=0
while read -r number time; do
	for pasted in "$time" "${time}s" "$time s"; do
		"$PERFPIPE" events orders.nettrace --from "$pasted" -n 1 | sed 1d > got
		sed -n "${number}p" lines | cmp -s - got || fail "--from '$pasted' begins with $(cut -c 1-60 got)"
	done
	"$PERFPIPE" events orders.nettrace --to "$time" 2> /dev/null | sed 1d | wc -l > before
	[ "$(cat before)" -eq $((number - 1)) ] || fail "--to $time ends after $(cat before) events, not $((number - 1))"
	count=$((count + 1))
done << END
$(awk 'NR % 53 == 1' times)
END
[ $count -ge 20 ] || fail "only $count times were tried"

# the columns of CSV and JSON, in nanoseconds
ns=$("$PERFPIPE" events orders.nettrace --name GC/Start --format csv -n 1 | sed -n '2s/,.*//p')
"$PERFPIPE" events orders.nettrace --from "${ns}ns" --json -n 1 | grep -q "^{\"time_ns\":$ns,.*\"GC/Start\"" ||
	fail "time_ns cannot be pasted"

# the other commands: a GC that starts there is the first, and the one before is gone
second=$("$PERFPIPE" events orders.nettrace --name GC/Start | awk 'NR == 3 { print $1 }')
"$PERFPIPE" report orders.nettrace gc --from "$second" --format csv | head -2 | cut -d , -f 1
"$PERFPIPE" convert orders.nettrace -f text -o - --from "$second" > got.convert
sed -n 2p got.convert | grep -q "^ *$second .*GC/Start" || fail "convert begins with $(sed -n 2p got.convert)"
exit $bad

# Findings in our own recordings: programs with one kind of trouble each, and a healthy one.
. "$SOURCE/tests/cli/show"
COLUMNS=80
export COLUMNS

for name in orders.nettrace.gz orders.nettrace.zst orders-runtime.nettrace.zst; do
	echo "$name: $("$PERFPIPE" report "$SOURCE/tests/data/$name" --csv | sed 1d)"
done
for kind in starve block locks garbage throw compile untiered; do
	cp "$SOURCE/tests/data/trouble-$kind.nettrace.zst" "$kind.nettrace"
	show report "$kind.nettrace" -n 2
done
show report garbage.nettrace --json -n 1
# and what they suggest to look at next
show report starve.nettrace threadpool
show report block.nettrace threadpool -n 3
show report locks.nettrace contention
show report throw.nettrace exceptions -n 3
# where work that is timed by locks waits for handles
show report locks.nettrace contention --json -n 1

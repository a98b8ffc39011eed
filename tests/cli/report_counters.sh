# Counters of our own recording: as text at two widths, as data, filtered.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders-counters.nettrace.zst" counters.nettrace
cp "$SOURCE/tests/data/orders.nettrace.gz" none.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report counters.nettrace counters
done
show report counters.nettrace counters --from 1.5s --to 3s -n 2 --json
show report counters.nettrace counters --csv -n 2
show report counters.nettrace counters --from 100000
show report counters.nettrace counters --from 100000 --json
show report none.nettrace counters

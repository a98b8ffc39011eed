# Allocations of our own recordings, ticks and samples: as text at two widths, as data, filtered.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" sampled.nettrace
cp "$SOURCE/tests/data/orders.nettrace.gz" ticks.nettrace
cp "$SOURCE/tests/data/orders.nettrace.zst" neither.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report sampled.nettrace alloc -n 4
	show report ticks.nettrace alloc -n 4
done
show report ticks.nettrace alloc --inclusive -n 3
show report ticks.nettrace alloc --group modules --from 1 -n 3
show report ticks.nettrace alloc --include PrintInvoice --json -n 1
show report sampled.nettrace alloc --json -n 1
show report ticks.nettrace alloc --csv -n 2
show report neither.nettrace alloc

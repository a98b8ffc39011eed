# GCs of our own recordings: as text at two widths, as data, filtered, and without any.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" runtime.nettrace
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report runtime.nettrace gc
	show report orders.nettrace gc -n 4
done
show report runtime.nettrace gc --over 3ms -n 2
show report runtime.nettrace gc --from 0.4 --to 0.9
show report runtime.nettrace gc --from 100000
show report runtime.nettrace gc --json -n 1
show report runtime.nettrace gc --csv -n 2
show report runtime.nettrace gc --over soon
show report cut.nettrace gc

# The summary of our own recordings: at two widths, as data, filtered, truncated, of two processes.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" runtime.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace
cp "$SOURCE/tests/data/two-processes.nettrace.zst" two.nettrace
head -c 60 cut.nettrace > header.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report orders.nettrace
done
COLUMNS=80
show report runtime.nettrace summary -n 2
show report cut.nettrace
show report header.nettrace
show report two.nettrace
show report two.nettrace --process 101 -n 2
for view in exceptions contention threadpool; do
	show report two.nettrace "$view" -n 2
done
show report two.nettrace contention --json -n 1
show report orders.nettrace --from 1 --to 1.5 -n 1
show report orders.nettrace --json -n 1
show report two.nettrace --csv
# an option of a single view asks for that view
show report orders.nettrace --tree -n 3
show report orders.nettrace --over 3ms -n 1

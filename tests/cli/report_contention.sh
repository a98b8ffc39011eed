# Lock contention in our own recordings: as text at two widths, as data, filtered, and without any.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders.nettrace.zst" unnamed.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" neither.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report orders.nettrace contention -n 4
done
COLUMNS=80
show report unnamed.nettrace contention -n 3
show report cut.nettrace contention -n 3
show report orders.nettrace contention --from 1 --raw-names -n 3
show report orders.nettrace contention --thread 1
show report orders.nettrace contention --inclusive --fold '' -n 3
show report orders.nettrace contention --json -n 1 --include Book
show report orders.nettrace contention --csv
show report neither.nettrace contention
show report neither.nettrace contention --json

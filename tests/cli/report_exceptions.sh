# Exceptions of our own recordings: as text at two widths, as data, filtered, and without any.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders.nettrace.zst" unnamed.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" neither.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report orders.nettrace exceptions -n 4
done
COLUMNS=80
show report unnamed.nettrace exceptions -n 3
show report cut.nettrace exceptions -n 3
show report orders.nettrace exceptions --from 2.1 --raw-names -n 3
show report orders.nettrace exceptions --thread 1
show report orders.nettrace exceptions --group modules -n 3
show report orders.nettrace exceptions --fold '' -n 3
show report orders.nettrace exceptions --json -n 1 --include Price
show report orders.nettrace exceptions --csv
show report neither.nettrace exceptions
show report neither.nettrace exceptions --json

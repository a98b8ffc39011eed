# Events by name of our own recordings: as text at two widths, as data, filtered, truncated and empty.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	show report orders.nettrace eventstats -n 5
done
export COLUMNS=80
show report orders.nettrace eventstats --json -n 2
show report orders.nettrace eventstats --csv -n 3
show report orders.nettrace eventstats --from 1 --to 1.1
show report orders.nettrace eventstats --from 100000
show report cut.nettrace eventstats -n 3

# Compilations of our own recordings: as text at two widths, as data, filtered, and without any.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" runtime.nettrace
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report runtime.nettrace jit -n 6
done
show report runtime.nettrace jit --raw-names -n 3
show report runtime.nettrace jit --from 1 -n 2
show report runtime.nettrace jit --json -n 1 | short_timeline
show report runtime.nettrace jit --csv -n 2
show report orders.nettrace jit
show report orders.nettrace jit --json

# Assembly loads of our own recordings: if only the loaded assemblies are known, and if nothing is.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders.nettrace.zst" small.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace
export COLUMNS=80

show report orders.nettrace loader
show report orders.nettrace loader --json -n 1
show report orders.nettrace loader --csv
show report orders.nettrace loader --from 100000
show report small.nettrace loader
show report cut.nettrace loader --json

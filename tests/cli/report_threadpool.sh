# Thread pools of our own recordings: as text, as data, filtered, and without any.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" neither.nettrace
COLUMNS=80
export COLUMNS

show report orders.nettrace threadpool
show report cut.nettrace threadpool -n 3
show report orders.nettrace threadpool --from 1 --to 1.5
show report orders.nettrace threadpool --from 100000
show report orders.nettrace threadpool --json -n 1 --to 180ms
show report orders.nettrace threadpool --csv -n 2
show report neither.nettrace threadpool
show report neither.nettrace threadpool --json

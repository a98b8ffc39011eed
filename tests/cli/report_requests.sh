# A trace without requests: what to record, as text and as data, with and without filters.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace

show report orders.nettrace requests
show report orders.nettrace requests --json
show report orders.nettrace requests --csv
show report orders.nettrace requests --json --csv
show report orders.nettrace requests --from soon
show report cut.nettrace requests --from 100000
show report orders.nettrace request

# Requests, where a trace has none: what to record, as text and as data, also of a part of it.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace

show report orders.nettrace requests
show report orders.nettrace requests --json
show report orders.nettrace requests --csv
show report orders.nettrace requests --json --csv
show report orders.nettrace requests --from soon
show report cut.nettrace requests --process 1
show report orders.nettrace request

# Trees, callers, callees and lists by module, class and thread, of views that count events at stacks.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
export COLUMNS=100

for view in alloc exceptions contention threadtime; do
	show report orders.nettrace $view --tree -n 4
	show report orders.nettrace $view --by thread -n 2
done
show report orders.nettrace alloc --by class -n 3
show report orders.nettrace contention --by module -n 3
show report orders.nettrace exceptions --callers Price -n 3
show report orders.nettrace contention --callees Work --tree -n 3
show report orders.nettrace alloc --callers PrintInvoice --json -n 1
show report orders.nettrace alloc --callers PrintInvoice --tree --csv
show report orders.nettrace exceptions --by thread --csv
show report orders.nettrace contention --tree --csv -n 2
# the filter is on methods, whatever is listed
show report orders.nettrace alloc --by module --include PrintInvoice
# wrong
show report orders.nettrace alloc --callers PrintInvoic
show report orders.nettrace exceptions --callees OrderServce.Price
show report orders.nettrace contention --callers Nobody
show report orders.nettrace exceptions --by thread --callers Price
show report orders.nettrace alloc --by thread --tree
show report orders.nettrace alloc --callers A --callees B
show report orders.nettrace alloc --by namespace

# One report of several files: sums, each file's share, and files that are not traces.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/trouble-throw.nettrace.zst" throw.nettrace
cp "$SOURCE/tests/data/trouble-garbage.nettrace.zst" garbage.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace
echo text > notes.txt
COLUMNS=120
export COLUMNS

show report orders.nettrace throw.nettrace exceptions -n 3
show report orders.nettrace throw.nettrace garbage.nettrace cpu -n 3
show report orders.nettrace throw.nettrace
show report orders.nettrace orders.nettrace threads -n 2
show report orders.nettrace throw.nettrace gc --from 100 --to 101
show report throw.nettrace garbage.nettrace eventstats --format html -n 1 | grep '<td class="number" data-value'
show report orders.nettrace throw.nettrace topN --markdown -n 1
show report throw.nettrace notes.txt exceptions -n 1
show report notes.txt missing.nettrace exceptions
show report cut.nettrace throw.nettrace exceptions -n 1
show report orders.nettrace throw.nettrace exceptionz
show report orders.nettrace gc throw.nettrace
show report - - exceptions
cp throw.nettrace gc
show report orders.nettrace ./gc exceptions -n 1
show report throw.nettrace garbage.nettrace exceptions --json -n 1 | sed -n '/"files"/,/"process_id": null/p; /"types"/,$p'

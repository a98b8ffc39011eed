# Filters that leave nothing, and patterns without a match: what is said, as text and as data.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" runtime.nettrace
export COLUMNS=100

for view in cpu topN threadtime alloc exceptions contention; do
	show report orders.nettrace $view --include Nowhere
done
show report orders.nettrace exceptions --include Orders --thread 25068 --from 1 --to 1.2
show report orders.nettrace gc --from 3
show report orders.nettrace eventstats --thread 1
show report runtime.nettrace jit --from 100
show report orders.nettrace exceptions --include Nowhere --json
show report orders.nettrace exceptions --include Nowhere --csv
show report orders.nettrace exceptions --include Nowhere --markdown
# not recorded is not the same
show report runtime.nettrace exceptions --include Nowhere
show report orders.nettrace exceptions -n 1 --exclude Nowhere --fold 'Not%Here' --group 'Neither->Nor'
show report orders.nettrace exceptions -n 1 --exclude 'Nowhere;Price' --fold EH
show diff orders.nettrace orders.nettrace exceptions --include Nowhere

# The view profile: as text at two widths, with all of its options, and as data.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" memory.nettrace
cp "$SOURCE/tests/data/orders.nettrace.zst" no-cpu.nettrace
cp "$SOURCE/tests/data/two-processes.nettrace.zst" two.nettrace
cp "$SOURCE/tests/data/orders-counters.nettrace.zst" neither.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report orders.nettrace profile
done
COLUMNS=80
show report orders.nettrace profile --cutoff 20% --no-fold
show report orders.nettrace profile --root Serve --depth 2 -n 4
COLUMNS=120
show report orders.nettrace profile --root OrderService.Work --depth 2 --timeline -n 4
show report orders.nettrace profile --include PrintInvoice --cutoff 10
show report memory.nettrace profile
show report no-cpu.nettrace profile -n 4
show report two.nettrace profile -n 3
show report neither.nettrace profile
show report orders.nettrace profile --root OrderService.Work --depth 1 -n 1 --json
show report orders.nettrace profile --depth 1 --csv
show report orders.nettrace profile --root Nope
show report orders.nettrace profile --cutoff much
show report orders.nettrace profile --cutoff 101
show report orders.nettrace profile --fold-percent 3

# sums are those of the other views, folded or not
"$PERFPIPE" report orders.nettrace profile --json | sed -n '/^  "all": {/,/^  }/p'
for fold in '' --no-fold; do
	"$PERFPIPE" report orders.nettrace profile --cutoff 0 $fold --json | sed -n '/^  "tree"/,$p' |
		sed -n 's/,$//; s/^ *"\(exclusive_[a-z_]*\)": \([0-9]*\)$/\1 \2/p' |
		awk '{ sums[$1] += $2 } END { for (key in sums) printf "%s %.0f\n", key, sums[key] }' | sort
done
for view in cpu alloc contention exceptions; do
	"$PERFPIPE" report orders.nettrace $view --json |
		sed -n "s/^  \"\(managed_ns\|bytes\|total_ns\|count\)\": \([0-9]*\),/$view \1 \2/p"
done

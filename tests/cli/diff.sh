# Differences between two recordings, in several views: text, Markdown, JSON and CSV; with itself; conditions.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" base.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" new.nettrace
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace
export COLUMNS=80

show diff base.nettrace new.nettrace gc
show diff base.nettrace new.nettrace gc --markdown
show diff base.nettrace new.nettrace gc --json -n 2
show diff base.nettrace new.nettrace alloc -n 4
show diff base.nettrace new.nettrace eventstats --csv -n 4
show diff base.nettrace new.nettrace exceptions -n 3
show diff base.nettrace cut.nettrace processes
show diff cut.nettrace cut.nettrace requests
show diff base.nettrace new.nettrace requests --json
show diff base.nettrace new.nettrace cpu --markdown -n 3

# same FILE VIEW [OPTION]: prints nothing if there is no change and the exit code is 0
same()
{
	"$PERFPIPE" diff "$1.nettrace" "$1.nettrace" "$2" ${3-} > output 2>/dev/null
	code=$?
	case ${3-} in
	--json) changes=$(grep -c '"change"\|_delta' output) ;;
	--csv) changes=$(tail -n +2 output | wc -l) ;;
	*) changes=$(grep -c '[+-][0-9]' output) ;;
	esac
	[ "$code $changes" = "0 0" ] || echo "$*: $code $changes"
}

echo "--- with itself, in every view"
for view in summary cpu topN threadtime tasks gc jit alloc exceptions contention threadpool requests loader eventstats \
	processes threads modules counters; do
	same base $view --json
	same new $view
	same cut $view --csv
done
same base cpu
same base cpu --csv
same new gc --markdown

echo "--- conditions"
show diff base.nettrace new.nettrace gc --csv -n 1 --fail-if 'gc.count > 1' --fail-if 'gc.pause_total_ns > +900%' \
	--fail-if 'alloc.System.*:bytes < 1GB'
show diff base.nettrace new.nettrace modules -n 1 --fail-if 'gc.pause_max_ns > 1s'
show diff base.nettrace base.nettrace --fail-if 'gc.pause_total_ns > +10%' --fail-if 'gc.count > 5'
show diff base.nettrace base.nettrace --fail-if 'gc.count > 5' --markdown
show diff base.nettrace base.nettrace gc --fail-if 'gc.count > 5' --json
show diff base.nettrace base.nettrace --fail-if 'gc.pause_totl_ns > 5ms'
show diff base.nettrace base.nettrace --fail-if 'gcs.count > 5'
show diff base.nettrace base.nettrace --fail-if 'requests.total > 5'
show diff base.nettrace base.nettrace --fail-if 'gc.count > 5ms'
show diff base.nettrace base.nettrace --fail-if 'gc.count'
show diff base.nettrace base.nettrace --markdown --json
show diff base.nettrace base.nettrace nothing

# a condition on another view is about the same part of the traces
cp "$SOURCE/tests/data/two-processes.nettrace.zst" two.nettrace
show diff two.nettrace two.nettrace threads --process 100 --fail-if 'threadtime.samples > 300'

echo "--- CPU that was not measured"
show diff base.nettrace base.nettrace -q --fail-if 'cpu.Orders.* > +10%'
show diff base.nettrace base.nettrace -q --fail-if 'summary.mean_processors > 5'
show diff base.nettrace base.nettrace -q --fail-if 'threadtime.blocked_ns > +10%'

echo "--- noise"
show diff base.nettrace new.nettrace -q --fail-if 'gc.pause_total_ns > +20%' --fail-if 'gc.pause_max_ns > +1%'
show diff base.nettrace new.nettrace -q --fail-if 'gc.pause_total_ns > +20%' --strict
show diff base.nettrace new.nettrace -q --fail-if 'gc.count > +20%'
show diff base.nettrace new.nettrace -q
show diff base.nettrace new.nettrace gc -n 1 --fail-if 'gc.pause_total_ns > +20%'

echo "--- lengths"
show diff base.nettrace new.nettrace gc -n 2 --totals
show diff base.nettrace base.nettrace gc --to 1s --fail-if 'gc.count > +0%'

# Several runs on each side, and operands that are wrong.
. "$SOURCE/tests/cli/show"
for run in 1 2 3; do
	cp "$SOURCE/tests/data/orders.nettrace.gz" base$run.nettrace
	cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" new$run.nettrace
done
cp "$SOURCE/tests/data/orders.nettrace.zst" other.nettrace
export COLUMNS=100

show diff --view gc base1.nettrace base2.nettrace other.nettrace -- new1.nettrace other.nettrace -n 3
show diff --view gc base1.nettrace other.nettrace -- new1.nettrace new2.nettrace --json -n 1
show diff base1.nettrace -- new1.nettrace gc.nettrace
show diff --view gc base1.nettrace other.nettrace -- base2.nettrace other.nettrace -q --fail-if 'gc.count > +0%' \
	--fail-if 'gc.pause_max_ns >= +0%'
show diff --view gc base1.nettrace other.nettrace -- new1.nettrace other.nettrace -q --fail-if 'gc.pause_mean_ns > +10%'
show diff --view gc base1.nettrace base2.nettrace -- new1.nettrace new2.nettrace -q --fail-if 'gc.pause_mean_ns > +10%'
show diff --view gc base1.nettrace new1.nettrace -n 1 --markdown
show diff base1.nettrace -- base2.nettrace base3.nettrace

echo "--- wrong operands"
show diff --view gc base1.nettrace base2.nettrace new1.nettrace
show diff base1.nettrace base2.nettrace gc new1.nettrace
show diff -- base1.nettrace new1.nettrace
show diff base1.nettrace new1.nettrace --
show diff --view gc base1.nettrace
show diff --view nothing base1.nettrace new1.nettrace
show diff --view gc base1.nettrace new1.nettrace --tree

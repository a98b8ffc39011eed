# The views of our own recording, at 80 and at 200 columns.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace

for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report orders.nettrace cpu -n 8
	show report orders.nettrace cpu --tree -n 12
	show report orders.nettrace cpu --when -n 3
	show report orders.nettrace threadtime -n 4
	show report orders.nettrace threads
	show report orders.nettrace processes
	show report orders.nettrace modules
	show report orders.nettrace tasks
done

# Views without their events, truncated files, and invalid arguments.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders.nettrace.zst" unsampled.nettrace
zcat orders.nettrace | head -c 200000 > cut.nettrace
zcat orders.nettrace | head -c 60 > header.nettrace
: > empty.nettrace

for view in cpu topN threadtime tasks processes threads modules; do
	show report unsampled.nettrace "$view"
	show report unsampled.nettrace "$view" --json
	show report cut.nettrace "$view" -n 2
	show report header.nettrace "$view"
	show report empty.nettrace "$view"
done
show report orders.nettrace cpuu
show report orders.nettrace cpu --group '{'
show report orders.nettrace cpu --fold '@('
show report orders.nettrace cpu --fold-percent x
show report orders.nettrace cpu --callers Nobody
show report orders.nettrace cpu --by nothing
show report orders.nettrace cpu --callers A --callees B
show report orders.nettrace cpu --by thread --tree
show report orders.nettrace gc --process 1
show report gc
show report gc orders.nettrace
show report unsampled.nettrace cpu --csv
show report orders.nettrace cpu --json --csv
show report orders.nettrace cpu --activity //9/9/
show report orders.nettrace gc --tree
show report orders.nettrace threads --include Price -n 1
show report missing.nettrace
show diff orders.nettrace
show diff orders.nettrace missing.nettrace
show diff orders.nettrace unsampled.nettrace gc
show diff orders.nettrace unsampled.nettrace -n 2

# Findings in our own recordings: programs with one kind of trouble each, and a healthy one.
. "$SOURCE/tests/cli/show"
COLUMNS=80
export COLUMNS

for kind in starve block grow locks deadlock stuck garbage collect throw compile tiering untiered native saturate errors slow; do
	cp "$SOURCE/tests/data/trouble-$kind.nettrace.zst" "$kind.nettrace"
	show report "$kind.nettrace" -n 2
done
show report garbage.nettrace --json -n 1
# a file name that a shell would split
cp slow.nettrace "slow one.nettrace"
show report "slow one.nettrace" --csv
# and what they suggest to look at next
show report deadlock.nettrace contention
show report starve.nettrace threadpool
show report block.nettrace threadpool -n 3
show report locks.nettrace contention
show report throw.nettrace exceptions -n 3
# where work that is timed by locks waits for handles
show report locks.nettrace contention --json -n 1

# 64 threads wrote 50,000 events each into a buffer of 1 MB. 23 of them have events in the trace, and what the others lost
# cannot be known: 1,150,000 = 74,644 + 1,075,356, at least. The same figure everywhere, also in the trace that
# this one is converted to. Needs ../shared.
. "$SOURCE/tests/cli/show"
trace=${SHARED:-$SOURCE/../shared}/traces/hostile/loss-y1.nettrace.gz
[ -f "$trace" ] || { echo "skipped: needs ../shared"; exit 77; }

cp "$trace" loss.nettrace
show info loss.nettrace
show info loss.nettrace --json | grep -E '^\$|events_lost'
show report loss.nettrace
show report loss.nettrace threads -n 1 --json | grep -E '^\$|events_lost'
show diff loss.nettrace loss.nettrace eventstats | grep -E '^\$|lost'
show events loss.nettrace --limit 1
show events loss.nettrace --id 7
show convert loss.nettrace -f nettrace -o converted.nettrace
show info converted.nettrace | grep -E '^\$|Lost'

# Lock contention has the report's totals, including waits that did not end.
zstd -dc "$SOURCE/tests/data/trouble-locks.nettrace.zst" > locks.nettrace
head -c 8000 locks.nettrace > cut.nettrace

for trace in locks cut; do
	echo "$trace, as reported"
	"$PERFPIPE" report $trace.nettrace contention --json > $trace.json
	sed -n '1,/"available"/d; /"sites"/q; s/^  \("[a-z_]*": [0-9]*\),*$/\1/p' $trace.json
	sed -n '/"wait_handles"/q; /"sites"/,$p' $trace.json
	echo "and as converted, with that view and without a word"
	"$PERFPIPE" convert $trace.nettrace --view contention -f folded -o -
	"$PERFPIPE" convert $trace.nettrace -f folded -o -
	echo "and with the frames of the runtime that reports leave away"
	"$PERFPIPE" convert $trace.nettrace --view contention --fold '' -f folded -o -
done
"$PERFPIPE" convert cut.nettrace -f chromium -o - | grep '"waiting for a lock"' | grep -c '"ph":"b"'

# a wait counts from its start, with all of its time
for part in '--to 1.3' '--from 1.2 --to 1.5'; do
	"$PERFPIPE" report locks.nettrace contention --json $part | sed -n '/"total_ns"/{p;q;}'
	"$PERFPIPE" convert locks.nettrace --view contention -f folded $part -o -
done

# The examples for traces, fields and samples print what the program says about the same recordings.
. "$SOURCE/tests/interop/readers"
need python3 python3-minimal
examples=$(dirname "$PERFPIPE")/examples
cp "$SOURCE"/tests/data/*.nettrace* "$SOURCE"/tests/data/*.zip .

# agrees PROGRAM FILE: what it prints of the file is what python makes of the program's JSON
agrees()
{
	python3 - "$@" << 'END' || { echo "$*:"; cat printed; exit 1; }
import json, sys

name, path = sys.argv[1:]
info = lambda: json.load(open('program'))
events = lambda: [json.loads(line) for line in open('program')]
expected = {
	'count_events': lambda: [f"{info()['events']} events, {info()['events_lost']} lost"],
	'custom_event': lambda: [f"order {e['payload']['id']}: {e['payload']['amount']:.2f}" for e in events()],
	'top_methods': lambda: [f"{row['exclusive_ns'] / 1e6:10.1f} ms  {row['name']}" for row in info()['methods'][:10]],
}[name]()
printed = open('printed').read().splitlines()
# methods of the same time may come in any order
assert expected and sorted(printed) == sorted(expected), expected[:3]
END
	echo "$1 agrees on $2"
}

for file in orders.nettrace.gz orders.nettrace.zst orders.zip orders-cut.nettrace two-processes.nettrace.zst; do
	"$PERFPIPE" info --json $file > program 2> said
	"$examples/count_events" $file > printed 2> said || { cat said; exit 1; }
	agrees count_events $file
done
grep -q . said && { echo "a whole trace: $(cat said)"; exit 1; }
"$examples/count_events" orders-cut.nettrace 2>&1 | grep -q '^the trace is cut short' || exit 1
"$examples/count_events" < orders.nettrace.gz > piped && "$examples/count_events" orders.nettrace.gz | cmp - piped || exit 1

"$PERFPIPE" events orders.nettrace.zst --provider Orders --name Order/Start --format json > program
"$examples/custom_event" orders.nettrace.zst > printed || exit 1
agrees custom_event orders.nettrace.zst

for file in orders.nettrace.gz trouble-native.nettrace.zst awaits.nettrace.zst; do
	"$PERFPIPE" report $file cpu --json > program
	"$examples/top_methods" $file > printed || exit 1
	agrees top_methods $file
done

# fails TEXT PROGRAM ARGUMENT...
fails()
{
	text=$1
	shift
	"$@" > printed 2>&1 && { echo "$* succeeds"; exit 1; }
	grep -q "$text" printed || { echo "$* does not say \"$text\" but:"; cat printed; exit 1; }
}

echo text > text
for example in count_events custom_event top_methods; do
	fails "there is no file nowhere" "$examples/$example" nowhere
	fails "is not a trace; it looks like text" "$examples/$example" text
	fails "the zip holds 2 traces" "$examples/$example" two-traces.zip
done
fails "there is no socket nowhere" "$examples/live_events" nowhere

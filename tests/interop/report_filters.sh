# The figures of filtered reports are those of the events that pass: counted again in what `events` prints of the same
# file with the same filter, by another program.
. "$SOURCE/tests/interop/readers"
need node nodejs
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace

# expect VIEW EVENT SUM PATTERN [OPTIONS...]: SUM is a field of the event to be added up, or -
expect()
{
	view=$1 event=$2 sum=$3 pattern=$4
	shift 4
	"$PERFPIPE" events orders.nettrace --stacks --json --name "$event" "$@" > events || exit 1
	"$PERFPIPE" report orders.nettrace "$view" --json --fold '' ${pattern:+--include "$pattern"} "$@" > with || exit 1
	"$PERFPIPE" report orders.nettrace "$view" --json --fold '' ${pattern:+--exclude "$pattern"} "$@" > without || exit 1
	node - "$view" "$sum" "$pattern" << 'END' || { echo "$view $event '$pattern' $*"; exit 1; }
const { readFileSync } = require('fs');
const assert = require('assert');
const [view, sum, pattern] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file));
const events = readFileSync('events', 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const has = (event) => (event.frames || []).some((frame) => `${frame.module}!${frame.name}`.includes(pattern));
const expected = (list) => [list.length, list.reduce((all, event) => all + (sum === '-' ? 0 : Number(event.payload[sum])), 0)];
const shown = (result) => [result.count, sum === '-' ? 0 : result.bytes];
const of = (list, keep) => list.filter((event) => keep(event));

assert(events.length > 0, 'nothing to compare');
assert.deepStrictEqual(shown(read('with')), expected(of(events, (event) => has(event) || !pattern)));
assert.deepStrictEqual(shown(read('without')), expected(of(events, (event) => !has(event) || !pattern)));
if (view === 'exceptions')
	for (const row of read('with').types)
		assert.strictEqual(row.count, of(events, (event) => has(event) && event.payload.ExceptionType === row.type).length);
END
}

thread=$("$PERFPIPE" events orders.nettrace --name GC/AllocationTick --json -n 1 | sed 's/.*"thread_id":\([0-9]*\).*/\1/')
expect alloc GC/AllocationTick AllocationAmount64 PrintInvoice
expect alloc GC/AllocationTick AllocationAmount64 Orders.
expect alloc GC/AllocationTick AllocationAmount64 Nowhere
expect alloc GC/AllocationTick AllocationAmount64 PrintInvoice --from 0.5 --to 1.5
expect alloc GC/AllocationTick AllocationAmount64 PrintInvoice --thread "$thread"
expect exceptions Exception/Start - Price
expect exceptions Exception/Start - Orders. --to 1
expect contention Contention/Start - Work
expect contention Contention/Start - PrintInvoice

# A browser opens flame graphs, alone and in a page, and uses them by keys and by clicks: what is shown first, zoom, search,
# the choice of threads and of waiting. Folded stacks and the report have the figures.
. "$SOURCE/tests/interop/readers"
need chromium chromium
need node nodejs
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
"$PERFPIPE" convert orders.nettrace.gz --flamegraph -o flames.html || exit 1
"$PERFPIPE" convert orders.nettrace.gz -o flames.svg || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o orders.folded || exit 1
"$PERFPIPE" report orders.nettrace.gz threadtime --json > threads.json || exit 1
"$PERFPIPE" report orders.nettrace.gz cpu --by thread --json > cpu.json || exit 1

figures=$(node -e '
	const fs = require("fs"), read = file => JSON.parse(fs.readFileSync(file));
	const lines = fs.readFileSync("orders.folded", "utf8").trim().split("\n").map(line => [line, +line.split(" ").pop()]);
	const sum = list => list.reduce((sum, [, weight]) => sum + weight, 0), total = sum(lines);
	const work = sum(lines.filter(([line]) => line.includes("OrderService.Work()")));
	console.log(JSON.stringify({ total, share: (100 * work / total).toFixed(2), waiting: read("threads.json").native_or_waiting_ns,
		threads: read("cpu.json").threads.map(thread => ({ id: thread.thread_id, total: thread.managed_ns })) }));')
for file in flames.html flames.svg; do
	node "$SOURCE/tests/interop/js/flames.js" $file "$figures" || bad=1
done

# frames that are folded by default
"$PERFPIPE" convert orders.nettrace.gz --no-fold -o all.svg || exit 1
! grep -q 'ThreadPoolWorkQueue.Dispatch' flames.svg || fail "plumbing is not folded"
grep -q 'ThreadPoolWorkQueue.Dispatch' all.svg || fail "--no-fold folds"
[ $bad -eq 0 ] && echo "used with keys and clicks; the figures are $figures"
exit $bad

# Every JSON output conforms to `perfpipe schema`, by a real validator: all views of all our recordings, with
# options that change their contents, all golden files, and the commands that need a live process.
. "$SOURCE/tests/interop/readers"
need_npm ajv@8.20.0
export AJV="$npm/ajv"
. "$SOURCE/tests/interop/collect_lib"

"$PERFPIPE" schema > schemas || exit 1
mkdir one
"$PERFPIPE" schema --list | while read -r name _; do
	"$PERFPIPE" schema "$name" > "one/$(echo "$name" | tr / :)" || exit 1
done && node -e 'const fs = require("fs"), read = (file) => JSON.parse(fs.readFileSync(file));
	const names = fs.readdirSync("one"), alone = names.map((name) => [name.replaceAll(":", "/"), read("one/" + name)]);
	require("assert").ok(names.length > 20);
	require("assert").deepStrictEqual(Object.fromEntries(alone), read("schemas").schemas)' ||
	fail "a schema by itself is not the one among all"

mkdir out
number=0
# output ARGUMENTS...: writes its JSON to a file; a report may fail midway and still print
output()
{
	number=$((number + 1))
	"$PERFPIPE" "$@" > out/$number 2> out.err
	[ -s out/$number ] || rm out/$number
}

views=$("$PERFPIPE" schema --list | sed -n 's|^report/\([a-zA-Z]*\) .*|\1|p')

# all_of TRACE: what every trace has
all_of()
{
	for view in $views; do
		output report "$1" "$view" --json
	done
	output info "$1" --json
	"$PERFPIPE" events "$1" --json --stacks -n 2000 > out/$number.jsonl 2> /dev/null
}

# options_of TRACE: options that change what a view has
options_of()
{
	for view in $views; do
		output report "$1" "$view" --json -n 1
	done
	for options in "cpu --tree" "cpu --by thread" "cpu --by module" "cpu --when" "cpu --callers Main" "threadtime --tree" \
		"alloc --tree" "alloc --by thread" "alloc --callers Main --tree" "exceptions --by class" "exceptions --callees Main" \
		"exceptions --by thread" "contention --tree" "contention --by module" "contention --callers Main" "threadtime --by module" \
		"gc --over 1ms" "cpu --from 100000" "gc --process 1" "topN --inclusive" "profile --timeline"; do
		# shellcheck disable=SC2086 # several words
		output report "$1" $options --json
	done
}

for trace in "$SOURCE"/tests/data/*.nettrace* "$SOURCE"/../shared/traces/dotnet10/*.nettrace.gz; do
	[ ! -e "$trace" ] || all_of "$trace"
done
for name in orders.nettrace.gz orders-runtime.nettrace.zst two-processes.nettrace.zst trouble-locks.nettrace.zst; do
	options_of "$SOURCE/tests/data/$name"
done
first=$SOURCE/tests/data/orders.nettrace.gz
for view in $views; do
	output diff "$first" "$SOURCE/tests/data/orders-counters.nettrace.zst" "$view" --json
done
output diff "$first" "$first" --fail-if 'cpu.samples > +5%' --json
output list-profiles --json
output symbolize -e "$SOURCE/tests/data/libnative.so" -i --json 1039 1055 10
output symbolize -e "$SOURCE/tests/data/libnative-stripped.so" --json 10a5
mkdir cache
output cache list --folder cache --json
output cache clear --folder cache --json

start 60
output ps --json
"$PERFPIPE" collect -p $pid --duration 1s --json -o one.nettrace --manifest > out/collect 2> collect.err || fail "$(cat collect.err)"
output info one.nettrace --json
cp one.nettrace.manifest.json out/manifest
"$PERFPIPE" collect -p $pid --json -o two.nettrace > out/stopped 2> two.err &
collector=$!
started="$started $collector"
wait_for 10 test -e two.nettrace.partial || fail "nothing is recorded"
output stop two.nettrace --json
wait $collector
node "$SOURCE/tests/interop/js/json_schemas.js" schemas out/* "$SOURCE"/tests/cli/*.stdout > log || fail "$(head -20 log)"
tail -1 log
finish

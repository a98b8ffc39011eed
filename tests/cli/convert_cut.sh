# A truncated trace becomes one that every tool reads to its end, and that is still marked as truncated.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace

# except for the end of the recording, the events are the same in both
events()
{
	"$PERFPIPE" events "$1" --json --stacks 2> /dev/null | grep -v RecordingEnd
}

show convert cut.nettrace -f nettrace -o whole.nettrace
"$PERFPIPE" info whole.nettrace | sed -n '/Duration/,/Complete/p'
"$PERFPIPE" info whole.nettrace --json | grep -e complete -e stopped_by
"$PERFPIPE" events whole.nettrace | tail -n 1
events cut.nettrace > wanted
events whole.nettrace > have
cmp wanted have && echo "the same events"
"$PERFPIPE" report whole.nettrace exceptions -n 1 | grep Complete
"$PERFPIPE" report whole.nettrace exceptions --json | grep '^  "complete"'
"$PERFPIPE" report whole.nettrace contention --json | grep -v '^  "\(file\|stopped_by\)"' > have
"$PERFPIPE" report cut.nettrace contention --json 2> /dev/null | grep -v '^  "\(file\|stopped_by\)"' |
	cmp - have && echo "the same report"

# a part of it is marked too, and so is an anonymized trace
show convert whole.nettrace -f nettrace --provider Orders --from 0.1 --to 0.2 --anonymize -o part.nettrace
"$PERFPIPE" info part.nettrace | grep Complete
"$PERFPIPE" convert cut.nettrace -f nettrace --anonymize -o hidden.nettrace 2> /dev/null
"$PERFPIPE" info hidden.nettrace | grep Complete

# without events, and with an incomplete header
for size in 400 60 12; do
	head -c $size cut.nettrace > small.nettrace
	show convert small.nettrace -f nettrace -o small$size.nettrace
done
"$PERFPIPE" info small400.nettrace | grep -e Events -e Complete
ls small*

# Where the output goes: nothing is overwritten, and a failure leaves no file.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
gzip -dc orders.nettrace.gz > plain.nettrace

# the name of the trace
show convert plain.nettrace -f nettrace -o plain.nettrace --force
show convert orders.nettrace.gz plain.nettrace -f folded -o plain.nettrace --force
ln -s plain.nettrace link.nettrace
show convert plain.nettrace -f jsonl -o link.nettrace --force
echo "\$ perfpipe convert - -f jsonl -o plain.nettrace --force < plain.nettrace"
"$PERFPIPE" convert - -f jsonl -o plain.nettrace --force < plain.nettrace 2>&1
gzip -dc orders.nettrace.gz | cmp - plain.nettrace && echo "it is as it was"

# links, directories, an empty name
ln -s nowhere leads.html
show convert orders.nettrace.gz -o leads.html
show convert orders.nettrace.gz -o leads.html --force
[ ! -L leads.html ] && [ -s leads.html ] && echo "the link is replaced"
mkdir folder
show convert orders.nettrace.gz -f html -o folder --force
show convert orders.nettrace.gz -f html -o missing/page.html
show convert missing/orders.nettrace -f html
show convert orders.nettrace.gz -f html -o ''

# a named pipe is written to directly
mkfifo pipe
cat pipe > piped.folded &
show convert orders.nettrace.gz -f folded -o pipe
wait
"$PERFPIPE" convert orders.nettrace.gz -f folded -o - | cmp - piped.folded && [ -p pipe ] && echo "the pipe had all"

# a file size limit
(ulimit -f 8 && show convert orders.nettrace.gz -f speedscope -o large.speedscope.json)
ls large* 2> /dev/null

# not to a terminal
for options in '-f pprof' '-f otlp' '-f perfetto' '-f perfview' '-f nettrace'; do
	script -qec "'$PERFPIPE' convert orders.nettrace.gz $options -o - 2>&1 | tr -d '\r'" /dev/null |
		wc -c | sed "s/^[1-9][0-9]*\$/$options into a pipe: bytes/"
	script -qec "'$PERFPIPE' convert orders.nettrace.gz $options -o -" /dev/null | tr -d '\r'
done
script -qec "'$PERFPIPE' convert orders.nettrace.gz -f otlp --json --view cpu -o - | cut -c 1-40" /dev/null | tr -d '\r'

# interrupted
for signal in TERM HUP PIPE; do
	rm -f slow
	mkfifo slow # another one each time: the feeder before may still write
	{ head -c 400000 plain.nettrace; sleep 20; } > slow &
	feeder=$!
	"$PERFPIPE" convert - -f nettrace -o stopped.nettrace < slow 2> /dev/null &
	converter=$!
	tries=0
	while [ ! -e stopped.nettrace.partial ] && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	[ -e stopped.nettrace.partial ] || echo "it has not begun"
	kill -$signal $converter
	wait $converter
	echo "$signal: exit code $?, left: $(ls stopped* 2> /dev/null)"
	kill $feeder
	wait $feeder 2> /dev/null
done
ls

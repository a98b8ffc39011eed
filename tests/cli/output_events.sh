# `events -o`: nothing is overwritten unless --force is given, the trace itself never, and a failure leaves no file.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
gzip -dc orders.nettrace.gz > plain.nettrace
short="plain.nettrace --name GC/Start --limit 1"
unchanged() { gzip -dc orders.nettrace.gz | cmp - "$1" && echo "$1 is as it was"; }

# the trace itself, by any name
ln plain.nettrace hard.nettrace
ln -s plain.nettrace soft.nettrace
for name in plain.nettrace ./plain.nettrace hard.nettrace soft.nettrace; do
	show events $short -o $name
	show events $short -o $name --force
done
show events hard.nettrace -o plain.nettrace --force
echo '$ perfpipe events - -o plain.nettrace --force < plain.nettrace'
"$PERFPIPE" events - -o plain.nettrace --force < plain.nettrace 2>&1
echo '$ perfpipe events plain.nettrace >> plain.nettrace'
"$PERFPIPE" events plain.nettrace 2>&1 >> plain.nettrace
cp plain.nettrace cut.nettrace.partial
show events cut.nettrace.partial -o cut.nettrace --force
unchanged plain.nettrace
unchanged hard.nettrace
unchanged cut.nettrace.partial
[ -L soft.nettrace ] && echo "soft.nettrace is still a link"
rm cut.nettrace.partial hard.nettrace soft.nettrace

# an existing file
echo precious > mine.txt
show events $short -o mine.txt
cat mine.txt
show events $short -o mine.txt --force
cut -c 1-40 mine.txt
stat -c '%a %n' mine.txt
rm mine.txt

# links
echo precious > target
ln -s target link.txt
show events $short -o link.txt
show events $short -o link.txt --force
[ ! -L link.txt ] && cat target
ln -s target planted.txt.partial
show events $short -o planted.txt
show events $short -o planted.txt --force
cat target
rm link.txt target planted.txt.partial
echo "by one that was killed" > left.txt.partial
show events $short -o left.txt
show events $short -o left.txt --force
ls left*
rm left.txt

# devices, pipes, descriptors
show events $short -o /dev/null
show events $short -o /dev/stdout | cut -c 1-80
show events $short -o /dev/full
mkfifo pipe
cat pipe > piped &
show events $short -o pipe
wait
cut -c 1-40 piped
show events $short -o pipe.d/file
show events $short -o .
"$PERFPIPE" events $short -o /dev/fd/5 5> fifth && cut -c 1-40 fifth
rm pipe piped fifth

# what is printed does not get into the file if descriptors are closed
head -c 200000 plain.nettrace > cut.nettrace
"$PERFPIPE" events cut.nettrace -o open.txt 2> /dev/null
"$PERFPIPE" events cut.nettrace -o closed.txt <&- 2>&-
"$PERFPIPE" events cut.nettrace -o all_closed.txt <&- >&- 2>&-
cmp open.txt closed.txt && cmp open.txt all_closed.txt && echo "the files are the same"
rm open.txt closed.txt all_closed.txt cut.nettrace

# what goes wrong half-way: of a malformed trace, the events before that; else no file
{ head -c 100000 plain.nettrace; head -c 64 /dev/zero; } > corrupt.nettrace
show events corrupt.nettrace --format json -o half.json
"$PERFPIPE" events corrupt.nettrace --format json 2> /dev/null | cmp - half.json && echo "half.json has the events before that"
rm half.json
echo text > text.nettrace
show events text.nettrace -o none.txt
echo precious > mine.json
(ulimit -f 8 && show events plain.nettrace --format json -o large.json) | cat
(ulimit -f 8 && show events plain.nettrace --format json -o mine.json --force) | cat
cat mine.json
rm mine.json

# interrupted
for signal in TERM HUP; do
	mkfifo slow # another one each time: the first feeder may still write
	{ head -c 400000 plain.nettrace; sleep 20; } > slow &
	feeder=$!
	"$PERFPIPE" events - -o stopped.txt < slow 2> /dev/null &
	lister=$!
	tries=0
	while [ ! -s stopped.txt.partial ] && [ $tries -lt 500 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
	[ -e stopped.txt.partial ] || echo "it has not begun"
	kill -$signal $lister
	wait $lister
	echo "$signal: exit code $?, left: $(ls stopped* 2> /dev/null)"
	kill $feeder
	wait $feeder 2> /dev/null
	rm slow
done
ls

# Every way in which a recording ends, on a live .NET process.
. "$SOURCE/tests/interop/collect_lib"

# signalled NAME SIGNAL: a recording that gets it
signalled()
{
	"$PERFPIPE" collect -p $pid -o $1.nettrace --json > $1.out 2> $1.err &
	collector=$!
	wait_for 60 test -s $1.nettrace.partial || fail "$1 does not record"
	sleep 0.3
	kill -$2 $collector
	wait $collector || fail "$1: exit code $?"
	stops $1 signal
	whole $1.nettrace
}

# stopped NAME WHAT [OPERAND]: a recording ended by `perfpipe stop` with TARGET, COLLECTOR or an operand
stopped()
{
	"$PERFPIPE" collect -p $pid -o $1.nettrace --json > $1.out 2> $1.err &
	collector=$!
	wait_for 60 test -s $1.nettrace.partial || fail "$1 does not record"
	case $2 in
	COLLECTOR) operand=$collector ;;
	*) operand=$2 ;;
	esac
	timeout 30 "$PERFPIPE" stop $operand > $1.stop 2>&1 || { fail "stop $operand: exit code $?"; cat $1.stop; }
	grep -q "stopping the recording of process $pid to .*/$1.nettrace" $1.stop || { fail "stop $operand says:"; cat $1.stop; }
	whole $1.nettrace # without waiting: stop has waited for it
	wait $collector || fail "$1: exit code $?"
	stops $1 stop
}

start 600 # it is killed at the end
long=$pid
later signalled int INT
later signalled term TERM
later signalled quit QUIT
later signalled hup HUP
later stopped by_collector COLLECTOR
later stopped by_file by_file.nettrace
later stopped by_partial ./by_partial.nettrace.partial
later collect event 0 --json --providers Orders --stopping-event-provider-name Orders \
	--stopping-event-event-name Order/Start --stopping-event-payload-filter 'id:"900"'
later collect raw_name 0 --json --providers Orders --stopping-event-provider-name orders \
	--stopping-event-event-name OrderStop
later collect gc_event 0 --json --clrevents gc --stopping-event-provider-name \
	Microsoft-Windows-DotNETRuntime --stopping-event-event-name GC/Start --stopping-event-payload-filter Depth:0
later collect no_field 0 --json --providers Orders --duration 1s --stopping-event-provider-name \
	Orders --stopping-event-event-name Order/Start --stopping-event-payload-filter nothing:1
await
for name in event raw_name gc_event; do
	stops $name event
	whole $name.nettrace
done
is "the order that stopped it" "$("$PERFPIPE" events event.nettrace --name Order/Start --where 'id == 900' | grep -c id=900)" 1
stops no_field duration
says no_field 'has none of the fields of its filter; it has: id amount'

# the Enter key, if standard input is a terminal; and the status line
if command -v script > /dev/null; then
	{
		wait_for 30 test -s enter.nettrace.partial
		sleep 1.2 # for a status line
		printf '\n'
		wait_for 30 test -e enter.nettrace
	} | TERM=xterm timeout 60 script -qec \
		"$PERFPIPE collect -p $long -o enter.nettrace" typescript > /dev/null
	grep -q 'stopped by enter' typescript || { fail "Enter does not stop it"; cat typescript; }
	grep -q 'events, .*/s, none lost' typescript || fail "no status line"
	whole enter.nettrace
fi

# a recording whose process exits
start 1
collect exited 0 --json
stops exited "target exit"
whole exited.nettrace

# by the target's pid; it would stop others of that process too, so it is the last
pid=$long
stopped by_target $pid

# all: in its own network namespace, so that only ours are visible
if [ "$(id -u)" -eq 0 ] && unshare -n true 2> /dev/null; then
	export pid PERFPIPE
	unshare -n sh -c '
		"$PERFPIPE" collect -p $pid -o all1.nettrace --json > all1.out & first=$!
		"$PERFPIPE" collect -p $pid -o all2.nettrace --json > all2.out & second=$!
		tries=0
		until [ -s all1.nettrace.partial ] && [ -s all2.nettrace.partial ] || [ $tries -ge 200 ]; do
			tries=$((tries + 1))
			sleep 0.1
		done
		timeout 30 "$PERFPIPE" stop all --json > all.out || echo "stop all: exit code $?"
		wait $first $second' || fail "stop all"
	is "recordings that were stopped" "$(grep -o process_id all.out | wc -l)" 2
	for name in all1 all2; do
		stops $name stop
		whole $name.nettrace
	done
fi
"$PERFPIPE" stop $pid > none 2>&1
is "stop of nothing" $? 3

# the second signal gives up the rundown, which a stopped process cannot send
"$PERFPIPE" collect -p $pid -o twice.nettrace --json > twice.out 2> twice.err &
collector=$!
wait_for 60 test -s twice.nettrace.partial
sleep 0.5
kill -STOP $pid
kill -INT $collector
sleep 0.3
kill -INT $collector
wait $collector
is "after two signals" $? 0
kill -CONT $pid
stops twice signal
cut_off twice.nettrace
finish

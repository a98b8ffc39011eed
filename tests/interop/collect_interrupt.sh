# The first Ctrl+C has an answer, and the second one ends the program: also before anything is recorded,
# and where a program waits for others. What it would otherwise wait for lasts a minute or for ever.
. "$SOURCE/tests/interop/collect_lib"
fake=$(dirname "$PERFPIPE")/tests/fake_runtime

# interrupt NAME WORDS COMMAND...: a signal once it says, or is, what the function `ready` looks for.
# The words come or it ends; a second signal ends it if the first one has not.
interrupt()
{
	name=$1 words=$2
	shift 2
	"$@" > $name.out 2> $name.err &
	interrupted=$!
	wait_for 20 ready $name || fail "$name is not ready"
	kill -INT $interrupted
	wait_for 20 answered $name || fail "$name does not answer: $(cat $name.err)"
	if kill -0 $interrupted 2> /dev/null; then
		sleep 0.3 # else it counts as the same signal
		kill -INT $interrupted 2> /dev/null
	fi
	wait_for 20 ended || { fail "$name does not end"; kill -9 $interrupted; }
	wait $interrupted
	code=$?
	says $name "$words"
}

ended() { ! kill -0 $interrupted || [ "$(sed 's/.*) //; s/ .*//' /proc/$interrupted/stat)" = Z ]; }
answered() { ended || grep -q "$words" $name.err; }

# It has more threads than one: something is being waited for. Later ones say more.
waits() { [ "$(ls /proc/$interrupted/task | wc -l)" -gt 1 ]; }

# a process that does not answer, at its own port
"$fake" ./mute mute &
started="$started $!"
wait_for 10 test -S mute
ready() { waits; }
interrupt mute 'interrupted before the process had answered' \
	"$PERFPIPE" collect --diagnostic-port ./mute,connect -o mute.nettrace
is "code of mute" $code 1

# nobody connects, or has the name
ready() { grep -q 'listening at' port.err; }
interrupt port 'listening at' "$PERFPIPE" collect --diagnostic-port ./port -o port.nettrace
ready() { grep -q 'waiting for' wait.err; }
interrupt wait 'waiting for' "$PERFPIPE" collect -n no-process-is-called-this --wait

# a program that ignores both, with and without a runtime; and one of .NET that is not resumed
ready() { test -e trapped; }
interrupt program 'waiting for sh to exit; Ctrl+C again kills it' "$PERFPIPE" collect -o program.nettrace -- \
	sh -c 'trap "" INT TERM; : > trapped; while :; do sleep 1; done'
is "code of a program that was killed" $code 137

# a named pipe that nobody reads, and one that is full
start 60
mkfifo fifo pipe
ready() { ls -l /proc/$interrupted/fd | grep -q " $PWD\$"; } # it has looked up the name
interrupt fifo 'cannot write fifo: no program reads from it' "$PERFPIPE" collect -p $pid -o fifo
is "code of fifo" $code 1
exec 9<> pipe
ready() { ls -l /proc/$interrupted/fd 2> /dev/null | grep -q 'pipe$' && sleep 1; }
interrupt full . "$PERFPIPE" collect -p $pid -o pipe
is "code of full" $code 2
ready() { sleep 2; }
interrupt events . "$PERFPIPE" events -p $pid -o pipe
exec 9<&-

# a process that is stopped while it is recorded; it cannot send its names
"$PERFPIPE" collect -p $pid -o frozen.nettrace > frozen.out 2> frozen.err &
interrupted=$!
wait_for 20 test -s frozen.nettrace.partial || fail "it does not record"
kill -STOP $pid
name=frozen words='stopping: waiting for process .* Ctrl+C again ends it without its method names'
kill -INT $interrupted
wait_for 20 answered || fail "a stopped process: no answer"
says frozen "$words"
sleep 0.3
kill -INT $interrupted
wait $interrupted
is "code after two signals" $? 0
says frozen 'without method names, which were given up'
kill -CONT $pid
rm -f fifo pipe
finish

# Failures while recording: each leaves a readable file, the reason and an exit code.
. "$SOURCE/tests/interop/collect_lib"

# the process is killed
start 600
killed()
{
	later collect killed 2 --json
	wait_for 60 test -s killed.nettrace.partial
	sleep 0.5
	kill -9 $1
	await
	stops killed "target killed"
	cut_off killed.nettrace
	says killed 'was killed or crashed'
}
killed $pid

start 600
long=$pid

# the process is stopped: we wait ten seconds, and do the rest meanwhile
stopped_process()
{
	"$PERFPIPE" collect -p $pid -o frozen.nettrace --duration 1s --json > frozen.out 2> frozen.err &
	collector=$!
	wait_for 60 test -s frozen.nettrace.partial
	sleep 0.4
	kill -STOP $pid
	sleep 0.2
	collect refused 1 --duration 1s
	says refused 'a signal has stopped it'
	wait $collector
	is "of a stopped process" $? 2
	kill -CONT $pid
	says frozen "is stopped (by a signal or a debugger) and does not answer"
	cut_off frozen.nettrace
}
start 600
later stopped_process

# we are killed: the data so far is in the .partial file
pid=$long
"$PERFPIPE" collect -p $pid -o dead.nettrace 2> dead.err &
collector=$!
"$PERFPIPE" collect -p $pid -o packed.nettrace --compress zstd 2> packed.err &
packer=$!
has_events() { [ "$(info "$1" events)" -gt 0 ]; }
for partial in dead.nettrace.partial packed.nettrace.zst.partial; do
	wait_for 30 has_events $partial || fail "$partial has no events yet"
done
end_processes $collector $packer
cut_off dead.nettrace.partial
cut_off packed.nettrace.zst.partial
collect dead 3
says dead 'dead.nettrace.partial already exists'
mv dead.nettrace.partial dead.nettrace
rm packed.nettrace.zst.partial

# the disk is full
expect full_device 2 "$PERFPIPE" collect -p $pid -o /dev/full
says full_device 'cannot write /dev/full: No space left on device'
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=128k none small 2> /dev/null; then
	expect small 2 "$PERFPIPE" collect -p $pid -o small/full.nettrace --json
	says small 'cannot write small/full.nettrace: No space left on device'
	stops small failure
	cut_off small/full.nettrace
	# the incomplete block is cut off
	[ "$(value small.out events)" -ge "$(info small/full.nettrace events)" ] || fail "events on a full disk"
	umount small
fi

# the reader has gone
"$PERFPIPE" collect -p $pid -o - 2> pipe.err | head -c 100 > /dev/null
says pipe 'cannot write the output: Broken pipe'

# processes of others, and other processes
sleep 30 &
native=$!
started="$started $native"
expect native 3 "$PERFPIPE" collect -p $native
expect none 3 "$PERFPIPE" collect -p 4194304
expect nobody 3 "$PERFPIPE" collect
says nobody "^ *$pid  *orders "
says native 'is not a .NET process'
says none 'there is no process 4194304'
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
	mkdir open && chmod 777 open && cp "$PERFPIPE" open/perfpipe && chmod 755 .
	expect other 1 setpriv --reuid 65534 --regid 65534 --clear-groups open/perfpipe collect -p $pid -o open/x.nettrace
	says other 'cannot be traced: '
fi

# another temporary directory, and another pid and mount namespace
mkdir elsewhere
(TMPDIR=$PWD/elsewhere exec "$orders" --seconds 600) > served2 2>&1 &
pid=$!
started="$started $pid"
wait_for 60 sh -c 'ls elsewhere/dotnet-diagnostic-*-socket > /dev/null'
sleep 0.3
expect two 3 "$PERFPIPE" collect -n orders
says two "'orders' matches [0-9]* processes"
collect elsewhere 0 --duration 500ms --json
whole elsewhere.nettrace
if [ "$(id -u)" -eq 0 ] && unshare -pmf true 2> /dev/null; then
	mkdir inside
	unshare -pmf --mount-proc sh -c "mount -t tmpfs none /tmp; exec '$orders' --seconds 600" > served3 2>&1 &
	outer=$!
	started="$started $outer"
	wait_for 60 sh -c "ls /proc/\$(pgrep -P $outer)/root/tmp/dotnet-diagnostic-*-socket > /dev/null"
	sleep 0.3
	pid=$(pgrep -P $outer)
	started="$started $pid"
	collect inside 0 --duration 500ms --json
	whole inside.nettrace
	is "the pid as seen here" "$(value inside.out process_id)" "$pid"
	"$PERFPIPE" report inside.nettrace cpu --json > inside.cpu # times of threads by the ids that it has inside
	grep -q '^  "cpu_ns": [1-9]' inside.cpu && grep -q '"module": "orders"' inside.cpu ||
		fail "no method has the times of its thread"
	kill -9 $pid
fi

# a process that waits for a tool at startup
DOTNET_DefaultDiagnosticPortSuspend=1 "$orders" --seconds 1 > served4 2>&1 &
pid=$!
started="$started $pid"
wait_for 60 has_socket $pid
sleep 0.3
collect suspended 0 --json
stops suspended "target exit"
whole suspended.nettrace
await
finish

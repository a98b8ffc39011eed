# Stacks of live events have names: of methods compiled before, and of those compiled meanwhile.
. "$SOURCE/tests/interop/collect_lib"

# named FILE: every event has a stack in which every frame has a name, down to the worker's loop
named()
{
	is "$1: events with named frames" "$(grep -c '"name":"Order/St[a-z]*".*"frames":\[{"name":"' "$1")" "$2"
	is "$1: events out of the loop" "$(grep -c '"name":"Orders.OrderService.Work()","module":"orders"' "$1")" "$2"
	is "$1: frames without a name" "$(grep -c '"name":null' "$1")" 0
}

# as early as it can be recorded: its methods are compiled and compiled again while we look
start_early()
{
	"$orders" --seconds 600 > served 2>&1 &
	pid=$!
	started="$started $pid"
	wait_for 60 has_socket $pid || fail "the sample does not start"
}
start_early
expect young 0 "$PERFPIPE" events -p "$pid" --providers Orders --provider Orders --stacks --json --limit 400
named young.out 400

# a program that runs already, as text
expect text 0 "$PERFPIPE" events -p "$pid" --providers Orders --name Order/Stop --stacks --limit 5
is "lines of the loop" "$(grep -c 'orders!Orders.OrderService.Work()' text.out)" 5

# the sessions that names come from show nothing, and end with the one that is shown
is "rundown and method events" "$(grep -c 'Runtime' young.out)" 0
session_threads() { cat /proc/$pid/task/*/comm | grep -c EventPipe; }
expect first 0 "$PERFPIPE" events -p "$pid" --providers Orders --limit 1
sleep 1
threads=$(session_threads)
no_sessions() { [ "$(session_threads)" -le "$threads" ]; }
expect ended 0 "$PERFPIPE" events -p "$pid" --providers Orders --stacks --json --duration 2s
[ "$(wc -l < ended.out)" -gt 10 ] || fail "there are few events in two seconds"
wait_for 30 no_sessions || fail "$(session_threads) threads of sessions are left in the process after --duration"
finish

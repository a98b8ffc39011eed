# A real .NET process answers every command of the client library, and the example.
orders=$("$SOURCE/tests/interop/dotnet_built" samples/dotnet-service)/orders || exit $?
hook=$("$SOURCE/tests/interop/dotnet_built" tests/interop/StartupHook)/StartupHook.dll || exit $?
build=$(dirname "$PERFPIPE")
. "$SOURCE/tests/interop/ending"
bad=0
pid=
trap 'end_processes $pid' EXIT

# await WHAT COMMAND... - until it succeeds, for a minute
await()
{
	what=$1
	shift
	tries=0
	until "$@" > /dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { echo "$what: not within a minute"; cat served said; exit 1; }
		sleep 0.1
	done
}

listens() { "$SOURCE/tests/interop/socket_of" $pid; }
has_thread() { grep -q "$1" /proc/$pid/task/*/comm; }
# session_threads: their ids, and that of the thread that listens
session_threads() { grep -l EventPipe /proc/$pid/task/*/comm | sort; }
has_new_session() { session_threads | comm -13 before - | grep -q .; }
is_dead() { ! grep -q " $socket\$" /proc/net/unix; }

# start SECONDS: the sample runs as $pid and listens at $socket
start()
{
	CHECK_GIVEN='Wörter 🍏' "$orders" --seconds "$1" > served 2>&1 &
	pid=$!
	await "the socket of the sample" listens
	socket=$(listens)
}

# says WHAT PATTERN FILE: a line of the file must match
says()
{
	grep -q "$2" "$3" || { echo "$1:"; cat "$3"; bad=1; }
}

start 600
await "its own code" has_thread '^worker 1' # before that it may not know its command line
"$build/tests/client_check" "$socket" $pid "$PWD" || bad=1
"$build/examples/trace_process" "$socket" 1 gc.nettrace > said || bad=1
says "the example says" "^process $pid: " said
"$PERFPIPE" info gc.nettrace > info || bad=1
says "the example recorded" '^Complete *yes$' info
says "the example recorded" DotNETRuntimeRundown info

# It dies while it is recorded: the data so far is a trace, and the next call gives the reason.
session_threads > before
"$build/examples/trace_process" "$socket" 20 killed.nettrace > said 2>&1 &
example=$!
await "the session of the example" has_new_session
kill -KILL $pid
await_end $pid
await "the end of its socket" is_dead # which a helper of the dump may hold
wait $example || { echo "the example does not survive its process:"; cat said; bad=1; }
"$PERFPIPE" info killed.nettrace > info 2> /dev/null
says "of a killed process" '^Complete *no' info
"$build/examples/trace_process" "$socket" 1 dead.nettrace 2> said && bad=1
says "of a dead socket" "no process listens on $socket" said
forget $pid

# A process suspended at startup.
export DOTNET_DefaultDiagnosticPortSuspend=1
start 1
"$build/tests/client_check" "$socket" "$hook" || bad=1
wait $pid || { echo "the sample ends with $?:"; cat served; bad=1; }
pid=
says "the hook did not run" '^hooked, from outside$' served
says "the sample did not go on" '^[0-9]* orders served' served
exit $bad

# A real .NET process answers every command of the client library, and the example.
orders=$("$SOURCE/tests/interop/dotnet_built" samples/dotnet-service)/orders || exit $?
hook=$("$SOURCE/tests/interop/dotnet_built" tests/interop/StartupHook)/StartupHook.dll || exit $?
build=$(dirname "$PERFPIPE")
unset TMPDIR # where the socket would be
bad=0
pid=
trap '[ -z "$pid" ] || kill -KILL $pid 2> /dev/null' EXIT

# start SECONDS: the sample runs as $pid and listens at $socket
start()
{
	CHECK_GIVEN='Wörter 🍏' "$orders" --seconds "$1" > served 2>&1 &
	pid=$!
	tries=0
	until socket=$("$SOURCE/tests/interop/socket_of" $pid); do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || { echo "the sample does not start:"; cat served; exit 1; }
		sleep 0.1
	done
	sleep 0.5 # it listens before its command line is set
}

# says WHAT PATTERN FILE: a line of the file must match
says()
{
	grep -q "$2" "$3" || { echo "$1:"; cat "$3"; bad=1; }
}

start 120
"$build/tests/client_check" "$socket" $pid "$PWD" || bad=1
"$build/examples/trace_process" "$socket" 1 gc.nettrace > said || bad=1
says "the example says" "^process $pid: " said
"$PERFPIPE" info gc.nettrace > info || bad=1
says "the example recorded" '^Complete *yes$' info
says "the example recorded" DotNETRuntimeRundown info

# It dies while it is recorded: the data so far is a trace, and the next call gives the reason.
"$build/examples/trace_process" "$socket" 20 killed.nettrace > said 2>&1 &
example=$!
tries=0
until [ -s killed.nettrace ] || [ $tries -eq 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
kill -KILL $pid
wait $pid 2> /dev/null # until the socket is dead
wait $example || { echo "the example does not survive its process:"; cat said; bad=1; }
"$PERFPIPE" info killed.nettrace > info 2> /dev/null
says "of a killed process" '^Complete *no' info
"$build/examples/trace_process" "$socket" 1 dead.nettrace 2> said && bad=1
says "of a dead socket" "no process listens on $socket" said
rm -f "$socket"

# A process suspended at startup.
export DOTNET_DefaultDiagnosticPortSuspend=1
start 1
"$build/tests/client_check" "$socket" "$hook" || bad=1
wait $pid || bad=1
pid=
says "the hook did not run" '^hooked, from outside$' served
says "the sample did not go on" '^[0-9]* orders served' served
exit $bad

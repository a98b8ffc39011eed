# The output of ps for live .NET processes in every state that a user can cause.
. "$SOURCE/tests/interop/targets"
cp -R "$orders" app && mkdir tmp deep || exit 1
long=$PWD/deep/$(printf 'x%.0s' $(seq 100))
mkdir "$long"
unset TMPDIR

start app/orders --seconds 100
normal=$started
start env TMPDIR="$PWD/tmp" dotnet app/orders.dll --seconds 100
elsewhere=$started
start env DOTNET_EnableDiagnostics=0 dotnet app/orders.dll --seconds 100
disabled=$started
start env DOTNET_DefaultDiagnosticPortSuspend=1 dotnet app/orders.dll --seconds 100
suspended=$started
start env TMPDIR="$long" dotnet app/orders.dll --seconds 100
too_long=$started
start dotnet app/orders.dll --seconds 100
stopped=$started
start dotnet app/orders.dll --seconds 100
killed=$started
start dotnet app/orders.dll --seconds 100
cleaned=$started

for pid in $normal $elsewhere $disabled $too_long $stopped $killed $cleaned; do
	await "process $pid" runs_managed "$pid"
done
await "the socket of $suspended" "$SOURCE/tests/interop/socket_of" $suspended
kill -STOP $stopped
kill -KILL $killed
rm /tmp/dotnet-diagnostic-$cleaned-*-socket || exit 1
await "the end of $killed" sh -c "! kill -0 $killed"
[ -S /tmp/dotnet-diagnostic-$killed-*-socket ] || { echo "the killed process left no socket"; exit 1; }
await "the stop of $stopped" grep -q '^State:.T' "/proc/$stopped/status"

# on a busy machine a process may be late with its answer
answered()
{
	"$PERFPIPE" ps --json > list && row $normal list | grep -q '"traceable": true' &&
		row $elsewhere list | grep -q '"traceable": true' && row $suspended list | grep -q '"traceable": true'
}
await "the answers of all that can be traced" answered
expect "a process like any other" $normal list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME, "socket": "/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "app/orders --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": true, "problem": null, "reason": null
EOF
expect "a process with a TMPDIR of its own" $elsewhere list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME,
"socket": "HERE/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "dotnet app/orders.dll --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": true, "problem": null, "reason": null
EOF
expect "a process without diagnostics" $disabled list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME, "socket": null,
"command_line": "dotnet app/orders.dll --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": false, "problem": "disabled",
"reason": "DOTNET_EnableDiagnostics=0 in its environment disables diagnostics; restart it without that"
EOF
expect "a process that waits at its start" $suspended list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME, "socket": "/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "dotnet app/orders.dll --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": true, "problem": "suspended", "reason": "its runtime is suspended at its start until a tool resumes it"
EOF
expect "a process with too long a TMPDIR" $too_long list << EOF
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME, "socket": null,
"command_line": "dotnet app/orders.dll --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": false, "problem": "path-length",
"reason": "its TMPDIR of ${#long} bytes is too long for a socket; restart it with a shorter one"
EOF
expect "a stopped process" $stopped list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME, "socket": "/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "dotnet app/orders.dll --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": false, "problem": "stopped", "reason": "a signal has stopped it; kill -CONT PID continues it"
EOF
expect "a process whose socket was removed" $cleaned list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME, "socket": null,
"command_line": "dotnet app/orders.dll --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": false, "problem": "no-socket",
"reason": "its socket was removed from /tmp, perhaps with other temporary files; restart it"
EOF
expect "a process that was killed" $killed list < /dev/null

# By name: the executable of one, the assembly of the others.
"$PERFPIPE" ps --json -n orders > named && "$PERFPIPE" ps --json -n dotnet > hosts || exit 1
for pid in $normal $elsewhere $stopped; do
	[ -n "$(row $pid named)" ] || { echo "$pid is not called orders"; bad=1; }
done
[ -z "$(row $normal hosts)" ] && [ -n "$(row $elsewhere hosts)" ] ||
	{ echo "-n dotnet lists the wrong processes"; bad=1; }

# For people: a table of those that can be traced, then the others.
in_table()
{
	"$PERFPIPE" ps -v > text &&
		grep -q "^ *$normal  orders  .* /tmp/dotnet-diagnostic-$normal-[0-9]*-socket *app/orders --seconds 100$" text
}
await "$normal in the table" in_table
sed '1,/^Cannot be traced$/d' text | grep -q "^ *$stopped  *orders  *a signal has stopped it" ||
	{ echo "the reasons lack $stopped:"; cat text; bad=1; }

# The same from a separate program.
in_example()
{
	"$(dirname "$PERFPIPE")/examples/list_processes" > listed &&
		grep -q "^$normal orders: /tmp/dotnet-diagnostic-$normal-" listed
}
await "$normal in the list of the example" in_example
grep -q "^$stopped orders: a signal has stopped it" listed || { echo "the example lists:"; cat listed; bad=1; }

# A resumed process can be traced again.
kill -CONT $stopped
goes_on()
{
	"$PERFPIPE" ps --json > list && row $stopped list | grep -q '"traceable": true'
}
await "the answer of $stopped" goes_on
[ $bad -ne 0 ] || echo "8 processes as expected"
exit $bad

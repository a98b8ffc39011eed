# The output of ps for processes of other users and in other namespaces: needs root.
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root may become another user"; exit 77; }
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
$nobody true 2> /dev/null || { echo "skipped: cannot become another user"; exit 77; }
unshare -pfm --mount-proc true 2> /dev/null || { echo "skipped: cannot make namespaces"; exit 77; }
. "$SOURCE/tests/interop/targets"
chmod 755 . && cp -R "$orders" app && cp "$PERFPIPE" program && chmod -R a+rX app program || exit 1
unset TMPDIR

start app/orders --seconds 100
ours=$started
start $nobody app/orders --seconds 100
theirs=$started
# a pid and a mount namespace with its own /tmp, as in a container
start unshare -pfm --mount-proc sh -c \
	'mount --bind app /mnt && mount -t tmpfs none /tmp && cd /mnt && exec dotnet orders.dll --seconds 100'
unshared=$started
for pid in $ours $theirs; do
	await "process $pid" runs_managed "$pid"
done
inside_of()
{
	inside=$(cat "/proc/$unshared/task/$unshared/children") && [ -n "$inside" ] && runs_managed $inside
}
await "the process in the namespace" inside_of
inside=$(cat "/proc/$unshared/task/$unshared/children" | tr -d ' ')
targets="$targets $inside"

"$PERFPIPE" ps --json > list || exit 1
expect "root's process" $ours list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME, "socket": "/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "app/orders --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": true, "problem": null, "reason": null
EOF
expect "nobody's process" $theirs list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "nobody", "container": null, "load": LOAD, "start_time": TIME, "socket": "/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "app/orders --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": true, "problem": null, "reason": null
EOF
expect "a process in namespaces" $inside list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": "pid:[NS]", "load": LOAD, "start_time": TIME,
"socket": "/proc/PID/root/tmp/dotnet-diagnostic-1-KEY-socket",
"command_line": "dotnet orders.dll --seconds 100", "entrypoint": "orders", "namespace_process_id": 1,
"traceable": true, "problem": null, "reason": null
EOF

# The same as seen by the user nobody.
$nobody ./program ps --json > list || exit 1
expect "root's process, seen by nobody," $ours list << 'EOF'
"process_id": PID, "name": "orders", "runtime": null, "native_aot": false, "architecture": null, "os": "Linux", "user": "USER",
"container": null, "load": LOAD, "start_time": TIME, "socket": "/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "app/orders --seconds 100", "entrypoint": null, "namespace_process_id": PID,
"traceable": false, "problem": "other-user", "reason": "it belongs to root; run perfpipe as root"
EOF
expect "nobody's own process" $theirs list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "nobody", "container": null, "load": LOAD, "start_time": TIME, "socket": "/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "app/orders --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": true, "problem": null, "reason": null
EOF
expect "a process in namespaces, seen by nobody," $inside list << 'EOF'
"process_id": PID, "name": "orders", "runtime": null, "native_aot": false, "architecture": null, "os": "Linux", "user": "USER",
"container": null, "load": LOAD, "start_time": TIME, "socket": null, "command_line": "dotnet orders.dll --seconds 100",
"entrypoint": "orders", "namespace_process_id": 1, "traceable": false, "problem": "other-user",
"reason": "it belongs to root; run perfpipe as root"
EOF

# And as seen by root of a container, who may not inspect processes with more capabilities.
setpriv --bounding-set=-sys_ptrace ./program ps --json > list || exit 1
expect "root's process, seen without SYS_PTRACE," $ours list << 'EOF'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": null, "load": LOAD, "start_time": TIME, "socket": "/tmp/dotnet-diagnostic-PID-KEY-socket",
"command_line": "app/orders --seconds 100", "entrypoint": "orders", "namespace_process_id": PID,
"traceable": true, "problem": null, "reason": null
EOF
# some kernels allow it to see the libraries, and with them the version
sed 's/"runtime": "[^"]*"/"runtime": null/' list > blurred
expect "a process in namespaces, seen without SYS_PTRACE," $inside blurred << 'EOF'
"process_id": PID, "name": "orders", "runtime": null, "native_aot": false, "architecture": null, "os": "Linux", "user": "USER",
"container": null, "load": LOAD, "start_time": TIME, "socket": null, "command_line": "dotnet orders.dll --seconds 100",
"entrypoint": "orders", "namespace_process_id": 1, "traceable": false, "problem": "unreachable",
"reason": "it runs in a container or namespace whose files are not accessible; run perfpipe in that container, or as root with the capability SYS_PTRACE"
EOF
[ $bad -ne 0 ] || echo "3 processes as expected, by root and by nobody"
exit $bad

# Processes in containers that mean harm, and one that does not, as root sees them: nothing in a container
# leads root to another process, or keeps it waiting.
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root may make a container"; exit 77; }
unshare -pfm --mount-proc true 2> /dev/null || { echo "skipped: cannot make namespaces"; exit 77; }
. "$SOURCE/tests/interop/targets"
listener=$(dirname "$PERFPIPE")/tests/listener
cp -R "$orders" app && unset TMPDIR || exit 1
fail() { echo "$*"; bad=1; }

# contain SCRIPT - runs it in a container with an empty /tmp, the program in /mnt and a directory of ours in /srv
mkdir shared || exit 1
contain()
{
	start unshare -pfm --kill-child --mount-proc sh -c \
		'mount --bind app /mnt && mount --bind "$0" /srv && mount -t tmpfs none /tmp && mkdir /tmp/real && eval "$1"' \
		"$PWD/shared" "$1"
	contained=$started
}

# found - the .NET process below $contained, once it runs managed code: $pid
found()
{
	for pid in $(ps -o pid= --ppid "$(ps -o pid= --ppid $contained | tr -d ' ')") $(ps -o pid= --ppid $contained); do
		runs_managed $pid && return
	done
	return 1
}

start app/orders --seconds 300
victim=$started
await "the victim" runs_managed $victim

# harmless: an absolute link inside
contain 'ln -s /tmp/real /tmp/link; TMPDIR=/tmp/link exec /mnt/orders --seconds 300'
await "the harmless process" found
harmless=$pid targets="$targets $pid"
"$PERFPIPE" ps --json > list || exit 1
expect "a process whose TMPDIR is an absolute link" $harmless list << 'END'
"process_id": PID, "name": "orders", "runtime": VERSION, "native_aot": false, "architecture": ARCH, "os": "Linux",
"user": "USER", "container": "pid:[NS]", "load": LOAD, "start_time": TIME,
"socket": "/proc/PID/root/tmp/link/dotnet-diagnostic-1-KEY-socket",
"command_line": "/mnt/orders --seconds 300", "entrypoint": "orders", "namespace_process_id": 1,
"traceable": true, "problem": null, "reason": null
END
"$PERFPIPE" collect -p $harmless --duration 500ms -o harmless.nettrace 2> err || { fail "harmless: $?"; cat err; }
"$PERFPIPE" info --json harmless.nettrace | grep -q '"complete": true' || fail "harmless: not complete"

# hostile: a link to /tmp, which is another one out here, and the pid of the victim
contain "ln -s /tmp /tmp/link
	echo $((victim - 1)) > /proc/sys/kernel/ns_last_pid
	TMPDIR=/tmp/link DOTNET_EnableDiagnostics=0 /mnt/orders --seconds 300 & wait"
await "the hostile process" found
hostile=$pid targets="$targets $pid"
grep -q "^NSpid:.*	$victim\$" "/proc/$hostile/status" || { echo "it does not have the pid of the victim"; exit 1; }
"$PERFPIPE" collect -p $hostile --duration 500ms -o hostile.nettrace 2> err
[ $? -eq 1 ] && [ ! -e hostile.nettrace ] || { fail "root was led to another process:"; cat err; }

# hostile: another process listens on exactly the name that the process would have
contain "DOTNET_EnableDiagnostics=0 /mnt/orders --seconds 300 &
	key=\$(sed 's/.*) //' /proc/\$!/stat | cut -d ' ' -f 20)
	exec $listener /tmp/dotnet-diagnostic-\$!-\$key-socket > /srv/impostor"
await "the impostor" grep -q ready shared/impostor
await "the process behind the impostor" found
"$PERFPIPE" ps --json > list || exit 1
row $pid list | grep -q '"problem": "other-listener"' || { fail "an impostor is not noticed:"; row $pid list; }
"$PERFPIPE" collect -p $pid --duration 500ms -o impostor.nettrace 2> err
[ $? -eq 1 ] && grep -q 'another process listens on its socket' err || { fail "an impostor:"; cat err; }
targets="$targets $pid"

# hostile: pipes in place of files, links to devices, and a directory that is full
contain 'mkfifo /tmp/fifo && mount --bind /tmp/fifo /etc/os-release && mkdir -p /run &&
	seq 1 100000 | sed "s,.*,/tmp/full/dotnet-diagnostic-1-&-socket," > /tmp/names && mkdir /tmp/full &&
	xargs touch < /tmp/names && TMPDIR=/tmp/full DOTNET_EnableDiagnostics=0 exec /mnt/orders --seconds 300'
await "the process in a full directory" found
targets="$targets $pid"
timeout -s KILL 60 "$PERFPIPE" ps --json > list || fail "ps: $?"
row $pid list | grep -q '"problem": "disabled"' || { fail "a full directory:"; row $pid list; }
contain 'mkfifo /tmp/fifo && mount --bind /tmp/fifo /etc/os-release && exec /mnt/orders --seconds 300'
await "the process with a pipe" found
targets="$targets $pid"
timeout -s KILL 60 "$PERFPIPE" collect -p $pid --duration 300ms --manifest -o pipe.nettrace 2> err || { fail "a pipe: $?"; cat err; }
grep -q '"distribution": null' pipe.nettrace.manifest.json || fail "a pipe has a distribution"
[ $bad -ne 0 ] || echo "one harmless and five hostile containers"
exit $bad

# Every profile, recorded live, delivers events of each of its providers, its characteristic events, and no
# others. All are recorded concurrently, except startup, which needs the start of a process, and database.
target=$("$SOURCE/tests/interop/dotnet_built" tests/interop/ProfileTarget)/ProfileTarget || exit $?
. "$SOURCE/tests/interop/ending"
bad=0
pid=

# kills the target, which cannot clean up after itself
end()
{
	[ -n "$pid" ] || return
	end_processes $pid
	pid=
}
trap end EXIT

listens()
{
	"$SOURCE/tests/interop/socket_of" $pid
}

fail()
{
	echo "$*"
	bad=1
}

# wait_for WHAT COMMAND...: until it succeeds, for at most a minute
wait_for()
{
	what=$1
	shift
	tries=0
	until "$@" > /dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { fail "$what: not within a minute"; cat said ./*.said; exit 1; }
		sleep 0.1
	done
}

# "PROFILE PROVIDER" for all profiles of collect
"$PERFPIPE" list-profiles --json | awk -F'"' '
	/^      "name"/ { profile = $4; collect = 0 }
	/^        "collect"/ { collect = 1 }
	/^          "name"/ && collect { print profile, $4 }' > wanted
[ "$(cut -d ' ' -f 1 wanted | sort -u | wc -l)" -eq 13 ] || fail "collect has not 13 profiles"

# A characteristic event of each profile.
cat > named << END
dotnet-common GC/Start
dotnet-sampled-thread-time Thread/Sample
gc-verbose GC/AllocationTick
gc-collect GC/HeapStats
database Activity1/Start
exceptions Exception/Start
contention Contention/Start
threadpool ThreadPoolWorkerThread/Wait
http Handshake/Start
aspnet Request/Start
loader Loader/AssemblyLoad
jit Method/LoadVerbose
startup AssemblyLoader/Start
END

collect()
{
	"$PERFPIPE" collect -p $pid --profile "$1" --duration 2m -o "$1.nettrace" --quiet > "$1.said" 2>&1
}

rounds() { sed -n 's/^round //p' said | tail -n 1; }

# came_to ROUND
came_to() { [ "$(rounds)" -ge "$1" ]; }

# stop_after_rounds RECORDING... - that have been started: a time would be too short on a busy machine
stop_after_rounds()
{
	for recording; do
		wait_for "the start of $recording" test -s "$recording.nettrace.partial"
	done
	wait_for "rounds of the target" came_to $(($(rounds) + 12))
	"$PERFPIPE" stop $pid 2> /dev/null || fail "stop gave exit code $?"
}

"$target" > said 2>&1 &
pid=$!
wait_for "the target's first round" grep -q round said
running=
together=
for profile in $(cut -d ' ' -f 1 wanted | sort -u); do
	case $profile in startup | database) continue ;; esac
	collect "$profile" &
	running="$running $!"
	together="$together $profile"
done
stop_after_rounds $together
for job in $running; do
	wait "$job" || fail "a recording gave exit code $?"
done
# what a DiagnosticSource writes is the same for all sessions: the last one decides
for profile in database aspnet,database; do
	collect $profile &
	job=$!
	stop_after_rounds $profile
	wait $job || fail "$profile gave exit code $?"
done
"$PERFPIPE" collect -p $pid --providers Microsoft.AspNetCore.Hosting,System.Threading.Tasks.TplEventSource:80:4 \
	--duration 2m -o hosting.nettrace --quiet > hosting.said 2>&1 &
job=$!
stop_after_rounds hosting
wait $job || fail "hosting gave exit code $?"
end

DOTNET_DefaultDiagnosticPortSuspend=1 "$target" > said 2>&1 &
pid=$!
wait_for "a process that waits at its start" listens
collect startup &
job=$!
wait_for "the first round of a process that waited at its start" grep -q round said
"$PERFPIPE" stop $pid 2> /dev/null || fail "stop gave exit code $?"
wait $job || fail "startup gave exit code $?"
end

# The recorded events, as "PROVIDER EVENTS"; providers without events of their own are checked below.
while read -r profile event; do
	[ -f "$profile.nettrace" ] || { fail "$profile has no file"; cat "$profile.said"; continue; }
	"$PERFPIPE" info --json "$profile.nettrace" > info || fail "$profile cannot be read"
	awk -F'[":, ]+' '/^      "name"/ { name = $3 } /^      "events"/ { print name, $3 }' info > came
	grep -q '"complete": true' info || fail "$profile is not complete"
	grep -q "\"name\": \"$event\"" info || fail "$profile has no $event"
	for provider in $(sed -n "s/^$profile //p" wanted); do
		[ $provider != System.Threading.Tasks.TplEventSource ] || continue
		grep -q "^$provider [1-9]" came || { fail "$profile: nothing of $provider"; cat came; }
	done
	while read -r provider _; do
		case $provider in
		Microsoft-Windows-DotNETRuntimeRundown | Microsoft-DotNETCore-EventPipe) continue ;;
		esac
		grep -q "^$profile $provider\$" wanted || fail "$profile has events of $provider"
	done < came
done < named

# The task library propagates activities: a request's stop has the activity of its start.
for profile in http aspnet; do
	for event in Start Stop; do
		"$PERFPIPE" events "$profile.nettrace" --json --name "Request/$event" |
			sed -n 's/.*"activity_id":"\([^"]*\)".*/\1/p' | sort -u > "$event"
	done
	[ "$(comm -12 Start Stop | wc -l)" -gt 0 ] || fail "$profile: no activity from start to stop"
done

# The statuses of answers come with aspnet and with http; aspnet and database share a provider.
statuses()
{
	"$PERFPIPE" report "$1.nettrace" requests --json | awk -F '"' -v side="$2" '
		/^  "/ { wanted = $2 == side }
		wanted && /^    "statuses"/ { inside = 1; next }
		/}/ { inside = 0 }
		inside { printf "%s ", $2 }'
}
for recording in aspnet:server http:client "aspnet,database:server"; do
	found=$(statuses "${recording%:*}" "${recording#*:}")
	case $found in
	*"200 503 ") ;; # those of requests that were already running may be unknown
	*) fail "$recording: statuses are $found" ;;
	esac
done
"$PERFPIPE" info --json aspnet,database.nettrace | grep -q '"Activity2/Start"' || fail "aspnet,database has no commands"

# Without statuses nothing is known of failures, and the report says what to record.
"$PERFPIPE" report hosting.nettrace requests > said
grep -q '^Statuses  *not recorded: .*Microsoft-Diagnostics-DiagnosticSource.*--profile aspnet' said ||
	{ fail "no word about statuses"; cat said; }
grep -q ', 0 failed\|Failed' said && { fail "unknown failures are shown"; cat said; }
"$PERFPIPE" report hosting.nettrace requests --json | grep '"failed"' | sort -u > failures
[ "$(tr -d ' ,' < failures | sort -u)" = '"failed":null' ] || { fail "failures are not unknown"; cat failures; }
"$PERFPIPE" report hosting.nettrace | grep -q 'failed' && fail "the summary knows failures"
"$PERFPIPE" report aspnet.nettrace requests | grep -q '^Statuses' && fail "aspnet misses statuses"

# Only gc-collect has no rundown.
for profile in $(cut -d ' ' -f 1 named); do
	"$PERFPIPE" info --json "$profile.nettrace" | grep -q '"Method/DCStopVerbose"'
	case $profile:$? in
	gc-collect:0) fail "gc-collect has names of methods" ;;
	gc-collect:1 | *:0) ;;
	*) fail "$profile has no names of methods" ;;
	esac
done

"$PERFPIPE" events database.nettrace --json --name Activity2/Start |
	grep -q "\"Key\":\"CommandText\",\"Value\":\"select 'a;b', count(\*) from orders\"" ||
	fail "database has no text of a command"
exit $bad

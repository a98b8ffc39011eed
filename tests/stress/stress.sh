# Repeats what goes wrong around a recording, for STRESS_SECONDS (10) and at least once each: both sides are killed, the disk
# is full, the socket of the target vanishes, it writes more than buffers hold. Every recording ends, and all counts agree:
# those of collect, of info, of the events in the file, and of the program that wrote them. STRESS_SEED repeats a run, and
# STRESS_ONLY names those of the scenarios below that are wanted.
if [ "$(id -u)" -eq 0 ] && [ -z "${STRESS_INSIDE:-}" ] && unshare -m true 2> /dev/null; then
	STRESS_INSIDE=1 exec unshare -m sh -u "$SOURCE/tests/stress/stress.sh" # for full disks
fi
. "$SOURCE/tests/interop/collect_lib"
flood=$("$SOURCE/tests/interop/dotnet_built" tests/stress/Flood)/Flood || exit $?
scenarios='floods kills_target kills_recorder vanishes interrupts series'
[ -z "${STRESS_INSIDE:-}" ] || scenarios="$scenarios fills_disk"
scenarios=${STRESS_ONLY:-$scenarios}
seed=${STRESS_SEED:-$(($(date +%s) % 100000))}
echo "seed $seed"
written=0 received=0 lost=0 round=0 floods=0
pid=

# random BELOW: a number, in $random
random()
{
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	random=$((seed / 65536 % $1))
}

# moment: a random one, of up to a second
moment()
{
	random 100
	sleep "0.$(printf %02d $random)"
}

# the target, which reads from descriptor 9
start_target()
{
	rm -f asked
	mkfifo asked
	: > said
	floods=0
	"$flood" < asked > said 2>&1 &
	pid=$!
	started=$pid # those before it have ended
	exec 9> asked
	wait_for 60 grep -q ready said || { echo "the target does not start:"; cat said; exit 1; }
}

end_target()
{
	exec 9>&-
	end_processes $pid
	started=
	pid=
}

# options: random ones of collect, in $options
options()
{
	random 4
	case $random in
	0) options='--providers Stress-Flow --rundown false' ;;
	1) options='--providers Stress-Flow --compress zstd' ;;
	2) options='--profile dotnet-common --providers Stress-Flow --early-rundown true' ;;
	3) options='--profile dotnet-sampled-thread-time --providers Stress-Flow' ;;
	esac
}

# record NAME ARGUMENTS...: in the background, as $recorder, until it has bytes
record()
{
	name=$1
	shift
	"$PERFPIPE" collect -p "$pid" -o "$folder/$name.nettrace" --json "$@" 9>&- > "$name.out" 2> "$name.err" &
	recorder=$!
	started="$pid $recorder"
}
records() { [ -n "$(find "$folder" -name "$name*.partial" -size +0)" ]; }
await_bytes() { wait_for 60 records || { fail "$name: nothing is recorded"; cat "$name.err"; }; }

# ends CODE: the recorder, within half a minute
ends()
{
	if ! wait_for 30 has_ended "$recorder"; then
		fail "$name: the recording does not end: $(tr '\0' ' ' < "/proc/$recorder/cmdline")"
		cat "$name.err"
		end_processes "$recorder"
		return 1
	fi
	wait "$recorder"
	code=$?
	is "$name: exit code" $code "$1"
	[ $code -eq "$1" ] || cat "$name.err"
}

# kept: the files that collect lists, a line each
kept() { sed -n '/^      "files": \[/,/\]/s/^        "\(.*\)",*$/\1/p' "$name.out"; }

# readable FILE: the number of events that are read, besides readings of thread times, which info counts on their own
readable()
{
	"$PERFPIPE" events "$1" --json > lines 2> "$name.read" || fail "$name: events of $1 cannot be read: $(cat "$name.read")"
	echo $(($(wc -l < lines) - $(info "$1" thread_times)))
}

# agrees: what collect says is what is on disk
agrees()
{
	kept > listed
	find "$folder" -name "$name*" ! -name '*.out' ! -name '*.err' | sed 's,^\./,,' | sort > present
	sed 's,^\./,,' listed | sort | cmp -s - present || { fail "$name: listed and present are:"; cat listed; echo; cat present; }
	events=0 gone=0 size=0 whole=true
	while read -r file; do
		in_file=$(info "$file" events)
		is "$file: events that are read" "$(readable "$file")" "$in_file"
		events=$((events + in_file)) gone=$((gone + $(info "$file" events_lost))) size=$((size + $(stat -c %s "$file")))
		[ "$(info "$file" complete)" = true ] || whole=false
	done < listed
	[ -s listed ] || whole=false
	is "$name: events" "$(value "$name.out" events)" $events
	is "$name: events_lost" "$(value "$name.out" events_lost)" $gone
	is "$name: size_bytes" "$(value "$name.out" size_bytes)" $size
	# a series may lack its last file, and those that are there be complete
	[ $whole = true ] || is "$name: complete" "$(value "$name.out" complete)" false
	! grep -E 'Sanitizer|runtime error' "$name.err" || fail "$name: a sanitizer complains"
}

# as_expected COMPLETE REASON
as_expected()
{
	stops "$name" "$2"
	is "$name: complete" "$(value "$name.out" complete)" "$1"
	agrees
}

# of PROVIDER: its events in the file of this recording
of()
{
	"$PERFPIPE" info --json "$folder/$name.nettrace" 2> /dev/null |
		awk -v name="      \"name\": \"$1\"," '$0 == name { on = 1 } on && /^      "events"/ { print $2 + 0; on = 0; n++ } END { if (!n) print 0 }'
}

# Each thread of which anything is known, received or lost, is accounted for to the last event. One that found the buffer
# full all the time is not known. The runtime has two events of its own, which may be among the lost.
floods()
{
	random 4
	threads=$(echo 1 4 16 64 | cut -d ' ' -f $((random + 1)))
	each=$((128000 / threads))
	record "$1" --providers Stress-Flood --rundown false --buffersize 1
	floods=$((floods + 1))
	echo "$threads $each" >&9
	has_written() { [ "$(grep -c wrote said)" -ge $floods ]; }
	wait_for 120 has_written || { fail "$name: the program does not write"; cat "$name.err"; }
	kill -INT $recorder
	ends 0 || return
	as_expected true signal
	got=$(of Stress-Flood) missed=$(info "$folder/$name.nettrace" events_lost)
	known=$(((got + missed) / each)) rest=$(((got + missed) % each))
	figures="$name: $threads threads wrote $each each, $known are known, $got received, $missed lost, $rest beyond"
	[ $rest -le 2 ] && [ $known -le $threads ] && [ $known -ge 1 ] || fail "$figures"
	[ $threads -gt 1 ] || [ $known -eq 1 ] || fail "$figures"
	is "$name: events_lost_at_least" "$(info "$folder/$name.nettrace" events_lost_at_least)" "$([ "$missed" -gt 0 ] && echo true || echo false)"
	written=$((written + threads * each)) received=$((received + got)) lost=$((lost + missed))
}

kills_target()
{
	options
	record "$1" $options
	await_bytes
	moment
	end_target
	ends 2 && as_expected false "target killed"
}

# The runtime ends the session by itself; what was written so far can be read under its preliminary name.
kills_recorder()
{
	record "$1" --providers Stress-Flow --rundown false
	await_bytes
	moment
	end_processes $recorder
	partial=$folder/$name.nettrace.partial
	[ -s "$partial" ] && [ "$(info "$partial" complete)" = false ] || fail "$name: $partial is missing, or complete"
	is "$name: events that are read" "$(readable "$partial")" "$(info "$partial" events)"
	rm -f "$partial"
	record "after-$1" --providers Stress-Flow --rundown false --max-events 50
	ends 0 && as_expected true events
}

# A cleaner of /tmp has removed it: the request to stop cannot be delivered.
vanishes()
{
	options
	random 2
	interrupted=$random
	[ $interrupted -eq 1 ] || options="$(echo "$options" | sed 's/Flow/&,Stress-Flood/') --stopping-event-provider-name Stress-Flood"
	record "$1" $options
	await_bytes
	moment
	forget "$pid"
	if [ $interrupted -eq 1 ]; then
		kill -INT $recorder
	else
		echo 1 1 >&9
	fi
	ends 2 && { agrees; grep -q 'stream was closed' "$name.err" || { fail "$name does not say why it ended"; cat "$name.err"; }; }
	end_target
}

# two at once
interrupts()
{
	options
	record "other-$1" --providers Stress-Flow --rundown false --duration 1s
	other=$recorder
	record "$1" $options
	started="$pid $recorder $other"
	await_bytes
	moment
	random 2
	kill -$(echo INT TERM | cut -d ' ' -f $((random + 1))) $recorder
	ends 0 && as_expected true signal
	name=other-$1 recorder=$other
	ends 0 && as_expected true duration
}

series()
{
	record "$1" --providers Stress-Flow --rundown false --roll 100ms --duration 1s
	ends 0 && as_expected true duration
}

fills_disk()
{
	random 200
	options
	mkdir -p full
	mount -t tmpfs -o size=$((random + 24))k none full || { fail "cannot mount"; return; }
	folder=full
	random 2
	[ $random -eq 0 ] || options="$options --roll 300ms"
	record "$1" $options
	ends 2 && as_expected false failure
	[ -z "$(find full -empty -type f)" ] || fail "$name left an empty file"
	folder=.
	umount full
}

exec 9> /dev/null
folder=.
until=$(($(date +%s) + ${STRESS_SECONDS:-10}))
count=$(echo "$scenarios" | wc -w)
while [ "$(date +%s)" -lt $until ] || [ $round -lt "$count" ]; do
	scenario=$(echo "$scenarios" | cut -d ' ' -f $((round % count + 1)))
	round=$((round + 1))
	[ -n "$pid" ] || start_target
	began=$(date +%s%N)
	$scenario "$scenario-$round"
	echo "$scenario-$round: $((($(date +%s%N) - began) / 1000000)) ms"
	[ ! -e failures ] || [ $round -lt "$count" ] || break
	rm -f ./*"$scenario-$round".* ./*"$scenario-$round"_*
done
end_target
echo "$round rounds; floods: $written written, $received received, $lost lost (up to 2 of each the runtime's own)"
finish

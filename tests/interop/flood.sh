# A process whose stream is well-formed, but defines new threads, events, stacks or labels with every byte:
# the recorder stays below 512 MB, as perfpipe-collect(1) says. flooding_runtime.c is that process.
flooding=$(dirname "$PERFPIPE")/tests/flooding_runtime
most=512000 # kB
! grep -q __tsan_init "$PERFPIPE" || most=$((5 * most)) # ThreadSanitizer keeps four times what is used besides
export ASAN_OPTIONS=quarantine_size_mb=1 # what is freed does not count
bad=0
runtime=
recorder=
trap 'kill $runtime $recorder 2> /dev/null' EXIT

# wait_for COMMAND... - until it is true, for at most a minute
wait_for()
{
	tries=600
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# watch PID - the most memory it has had, in kB, until it has gone
watch()
{
	while peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2> /dev/null) && [ -n "$peak" ]; do
		echo "$peak" > highest
		sleep 0.05
	done
}

for kind in threads kinds stacks labels; do
	rm -f socket flood.nettrace*
	echo 0 > highest
	"$flooding" "$PWD/socket" $kind &
	runtime=$!
	wait_for test -S socket || { echo "no socket"; exit 1; }
	"$PERFPIPE" collect --diagnostic-port "$PWD/socket,connect" --providers Flood --rundown false \
		-o flood.nettrace > log 2>&1 < /dev/null &
	recorder=$!
	watch $recorder
	wait $recorder
	code=$?
	kill $runtime
	wait $runtime 2> /dev/null
	[ "$(cat highest)" -lt $most ] || { echo "$kind: $(cat highest) kB"; bad=1; }
	[ "$(cat highest)" -gt 1000 ] || { echo "$kind: was not watched"; bad=1; }
	[ $code -eq 2 ] || { echo "$kind: exit code $code"; cat log; bad=1; }
	case $kind in
	stacks) ;; # are not kept
	*) grep -q "more definitions than fit into memory" log || { cat log; bad=1; } ;;
	esac
	echo "$kind: $(cat highest) kB"
done
exit $bad

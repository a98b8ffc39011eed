# Another user who listens, connects and leaves files where perfpipe looks: stop, ps and info are neither
# misled nor held up, and nobody else stops a recording.
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root may become another user"; exit 77; }
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
daemon='setpriv --reuid=1 --regid=1 --clear-groups'
$nobody true 2> /dev/null || { echo "skipped: cannot become another user"; exit 77; }
# in a network namespace of its own, since `stop all` means every recording of this one
[ -n "${APART:-}" ] || { unshare -n true 2> /dev/null || { echo "skipped: cannot make a namespace"; exit 77; }; }
[ -n "${APART:-}" ] || APART=1 exec unshare -n sh "$0"
. "$SOURCE/tests/interop/targets"
fail() { echo "$*"; bad=1; }
built=$(dirname "$PERFPIPE")/tests
chmod 755 . && cp "$built/listener" "$built/flood" . && cp "$PERFPIPE" program && cp -R "$orders" app &&
	mkdir -m 777 open && chmod -R a+rX app program listener flood || exit 1
unset TMPDIR

# stranger NAME ANSWERS... - a listener of nobody's that is called like a collector
strangers=
stranger()
{
	name=$1
	shift
	$nobody ./listener "@perfpipe-collect-$name" "$@" > "heard.$name" 2>&1 &
	targets="$targets $!" strangers="$strangers $!"
	await "the listener $name" grep -q ready "heard.$name"
}

# send_away - ends them
send_away()
{
	kill -KILL $strangers
	wait $strangers 2> /dev/null
	strangers=
	rm -f heard.*
}

# stops CODE PATTERN COMMAND... - its exit code and its words
stops()
{
	wanted=$1 words=$2
	shift 2
	timeout -s KILL 60 "$@" > said 2>&1
	code=$?
	[ $code -eq "$wanted" ] && grep -q "$words" said || { fail "$* gives $code:"; cat said; }
}

# they claim what is not theirs, and are not believed; others than root do not even talk to them
stranger 0-1 "1 /etc/passwd" .
stranger 1-$$ "$$ /etc/passwd" .
stops 0 'no recordings' "$PERFPIPE" stop all
! grep -q passwd said || { fail "root believed a stranger:"; cat said; }
grep -q got heard.0-1 || fail "root asks all users' collectors"
send_away
stranger 0-1 "1 /etc/passwd" .
stranger 1-1 "1 /etc/passwd" .
stops 0 'no recordings' $daemon ./program stop all
stops 3 "no recording '1'" "$PERFPIPE" stop 1
! grep got heard.* || fail "something was sent to a stranger"
send_away

# twenty that say nothing at all have one deadline together
for i in $(seq 20); do
	stranger 0-$i
done
begun=$(date +%s)
stops 0 'no recordings' "$PERFPIPE" stop all
[ $(($(date +%s) - begun)) -lt 20 ] || fail "silent strangers took $(($(date +%s) - begun)) s"
send_away

# a recording of root's: others cannot stop it, nor keep root from stopping it
start app/orders --seconds 300
ours=$started
await "the sample" runs_managed $ours
"$PERFPIPE" collect -p $ours -o ours.nettrace 2> ours.err &
collector=$!
targets="$targets $collector"
await "the recording" test -s ours.nettrace.partial
stops 0 'no recordings' $nobody ./program stop all
stops 3 'no recording' $nobody ./program stop $ours
stranger 0-1 "$ours /etc/passwd"
$nobody ./flood "perfpipe-collect-0-$collector" > flooded &
flood=$!
targets="$targets $flood"
await "a flood of requests" test -s flooded
kill -0 $collector && [ -s ours.nettrace.partial ] || fail "another user has stopped the recording"
stops 0 "stopping the recording of process $ours to $PWD/ours.nettrace" "$PERFPIPE" stop $ours
! grep -q passwd said && ! grep got heard.0-1 || { fail "a stranger was asked about our process:"; cat said; }
wait $collector || { fail "the recording failed:"; cat ours.err; }
"$PERFPIPE" info --json ours.nettrace | grep -q '"complete": true' || fail "the recording is not complete"
kill -KILL $flood
send_away

# a recording of nobody's: root stops it
$nobody app/orders --seconds 300 > /dev/null 2>&1 &
theirs=$!
targets="$targets $theirs"
await "nobody's sample" runs_managed $theirs
$nobody ./program collect -p $theirs -o open/theirs.nettrace 2> theirs.err &
collector=$!
targets="$targets $collector"
await "nobody's recording" test -s open/theirs.nettrace.partial
stops 0 "stopping the recording of process $theirs to $PWD/open/theirs.nettrace" "$PERFPIPE" stop all
wait $collector || { fail "nobody's recording failed:"; cat theirs.err; }

# a socket of nobody's with the name of a process of ours
start env DOTNET_EnableDiagnostics=0 app/orders --seconds 300
await "a process without a socket" runs_managed $started
key=$(sed 's/.*) //' /proc/$started/stat | cut -d ' ' -f 20)
squatted=/tmp/dotnet-diagnostic-$started-$key-socket
$nobody ./listener "$squatted" > heard.socket &
targets="$targets $!"
await "the listener at $squatted" grep -q ready heard.socket
"$PERFPIPE" ps --json > list || fail "ps: $?"
row $started list | grep -q '"problem": "disabled"' || { fail "a squatted socket:"; row $started list; }
rm -f "$squatted"

# a socket that is a link to that of our process half of the time
$nobody mkdir open/tmp || exit 1
TMPDIR=$PWD/open/tmp DOTNET_EnableDiagnostics=0 $nobody app/orders --seconds 300 > /dev/null 2>&1 &
swapped=$!
targets="$targets $swapped"
await "the process with a changing socket" runs_managed $swapped
key=$(sed 's/.*) //' /proc/$swapped/stat | cut -d ' ' -f 20)
(cd open/tmp && exec $nobody ../../listener own) > heard.own &
targets="$targets $!"
await "the socket that is replaced" grep -q ready heard.own
(cd open/tmp && exec $nobody sh -c 'while :; do ln -f own "$0"; ln -sf "$1" "$0"; done' \
	dotnet-diagnostic-$swapped-$key-socket "$("$SOURCE/tests/interop/socket_of" $ours)") 2> /dev/null &
targets="$targets $!"
for i in $(seq 40); do
	"$PERFPIPE" ps --json > list || fail "ps: $?"
	! row $swapped list | grep -q '"traceable": true' || { fail "run $i took another process for $swapped"; break; }
done

# pipes where a manifest or the trace is expected
mkfifo ours.nettrace.manifest.json
stops 0 'ours.nettrace.manifest.json is not a regular file' "$PERFPIPE" info ours.nettrace
(exec 9<> ours.nettrace.manifest.json && stops 0 'is not a regular file' "$PERFPIPE" info ours.nettrace && exit $bad) || bad=1
mkfifo pipe.nettrace
echo '{}' > pipe.nettrace.manifest.json
cat ours.nettrace > pipe.nettrace &
stops 0 'pipe.nettrace is not a regular file' "$PERFPIPE" info pipe.nettrace
[ $bad -ne 0 ] || echo "strangers listened, connected and left files without success"
exit $bad

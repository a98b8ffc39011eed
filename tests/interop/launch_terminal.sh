# In a real terminal: what a person sees; and of a launched program, that Ctrl+C reaches it too and
# that what is typed is its own.
command -v tmux > /dev/null || { echo "skipped: there is no tmux here"; exit 77; }
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"

terminal=perfpipe-$$
end_terminals()
{
	for window in handles dies reads shows; do
		tmux -L "$terminal-$window" kill-server 2> /dev/null
		rm -f "${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)/$terminal-$window"
	done
	end_recordings
}
trap end_terminals EXIT

# in_terminal NAME ARGUMENTS... - collect, in a terminal of its own
in_terminal()
{
	window=$1
	shift
	{
		echo 'trap : INT'
		printf "'%s' collect" "$PERFPIPE"
		printf " '%s'" "$@"
		printf ' > %s.out 2> %s.err\n' "$window" "$window"
	} > "$window.sh"
	echo "echo \$? > $window.code" >> "$window.sh"
	TERM=xterm tmux -L "$terminal-$window" -f /dev/null new-session -d -x 100 -y 30 "sh $window.sh"
}

type_in()
{
	window=$1
	shift
	tmux -L "$terminal-$window" send-keys "$@"
}

in_terminal handles -o handles.nettrace -- "$work" work 30
in_terminal dies --early-rundown -o dies.nettrace -- "$orders/orders" --seconds 30
in_terminal reads -o reads.nettrace -- "$work" echo

# what a person sees: where it goes, how to stop it, and how it goes on; Enter ends it
"$work" work 30 > /dev/null 2>&1 &
watched=$!
await "process $watched" runs_managed $watched
echo "'$PERFPIPE' collect -p $watched -o shows.nettrace; echo \$? > shows.code; sleep 1" > shows.sh
TERM=xterm tmux -L "$terminal-shows" -f /dev/null new-session -d -x 100 -y 30 "sh shows.sh"
screen() { tmux -L "$terminal-shows" capture-pane -p; }
shows() { screen | grep -q "$1"; }
await "the heading" shows "recording LaunchTarget ($watched) into shows.nettrace; Enter or Ctrl+C stops"
await "the status" shows "^LaunchTarget $watched  00:00:.* events, .*/s, none lost"
type_in shows Enter
await "its end" test -s shows.code
gave shows 0
is_whole shows.nettrace
kill $watched
rm -f /tmp/dotnet-diagnostic-$watched-*-socket

await "the first program" grep -q works handles.out
type_in handles C-c
await "the third program" test -s reads.nettrace.partial
type_in reads one Enter
await "its first line" grep -q 'read one' reads.out
type_in reads two Enter
await "its second line" grep -q 'read two' reads.out
type_in reads C-d
sleep 3 # for its names to be taken
type_in dies C-c
for window in handles dies reads; do
	await "the end of $window" test -s $window.code
done

gave handles 3
grep -q heard handles.out || fail "Ctrl+C did not reach the program"
is_whole handles.nettrace
gave reads 0
said reads 'stopped by child exit'
is_whole reads.nettrace
# .NET 10 dies of it unless the program says otherwise; then the names are those taken early
gave dies 130
"$PERFPIPE" info --json dies.nettrace > whole
grep -q '"stopped_by": "target killed"' whole || fail "a program killed by Ctrl+C is no killed one"
grep -q '"Method/DCStopVerbose"\|"Method/DCEndVerbose"' whole || fail "dies.nettrace has no names"
for partial in *.partial; do
	[ ! -e "$partial" ] || fail "$partial was left"
done
rm -f $(sed -n 's,^perfpipe: process \([0-9]*\) was killed.*,/tmp/dotnet-diagnostic-\1-*-socket,p' dies.err)
exit $bad

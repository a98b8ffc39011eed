# In a real terminal: the screen; and for a launched program, that it has the terminal, that Ctrl+C
# reaches it once the recording is complete, and that the terminal is restored afterwards.
command -v tmux > /dev/null || { echo "skipped: there is no tmux here"; exit 77; }
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"

export TMPDIR="$PWD" # where killed runtimes leave their sockets
export TMUX_TMPDIR="$PWD"
terminal=perfpipe-$$

end_terminals()
{
	for window in handles dies quits reads pipes shows job gone; do
		tmux -L "$terminal-$window" kill-server 2> /dev/null
	done
	end_recordings
}
trap end_terminals EXIT

# open_terminal NAME COMMAND
open_terminal()
{
	TERM=xterm tmux -L "$terminal-$1" -f /dev/null new-session -d -x 100 -y 30 "$2"
}

# in_terminal NAME OUTPUT ARGUMENTS... - collect, in its own terminal
in_terminal()
{
	window=$1
	output=$2
	shift 2
	{
		echo 'trap : INT QUIT'
		echo "stty -g > $window.before"
		printf "'%s' collect" "$PERFPIPE"
		printf " '%s'" "$@"
		printf ' 2> %s.err %s\n' "$window" "$output"
		echo "echo \$? > $window.code.new"
		echo "stty -g > $window.after"
		echo "mv $window.code.new $window.code"
	} > "$window.sh"
	open_terminal "$window" "sh $window.sh"
}

type_in()
{
	window=$1
	shift
	tmux -L "$terminal-$window" send-keys "$@"
}

# shows NAME PATTERN - on its screen
shows() { tmux -L "$terminal-$1" capture-pane -pJ | grep -q -e "$2"; }

# modes NAME - of its terminal
modes() { stty -F "$(tmux -L "$terminal-$1" display-message -p '#{pane_tty}')" -g; }

# has_modes NAME MODES
has_modes() { [ "$(modes "$1")" = "$2" ]; }

# same FIRST SECOND WHAT
same() { cmp -s "$1" "$2" || fail "$3: the terminal is not as before: $(cat "$2")"; }

# was_ended_by NAME SIGNAL - the program, after the recording
was_ended_by()
{
	gave "$1" $((128 + $2))
	said "$1" 'stopped by signal'
	is_whole "$1.nettrace"
	same "$1.before" "$1.after" "$1"
}

in_terminal handles '> handles.out' -o handles.nettrace -- "$work" work 30
in_terminal dies '> dies.out' -o dies.nettrace -- "$orders/orders" --seconds 30
in_terminal quits '' -o quits.nettrace -- sh -c '"$0" --seconds 30; exit $?' "$orders/orders"
in_terminal reads '> reads.out' -o reads.nettrace -- "$work" echo
in_terminal pipes '| cat > pipes.out' -o pipes.nettrace -- "$orders/orders" --seconds 30
# the process that restores the terminal after the recorder was killed has no parent to wait for it
cat > await_modes << 'END'
tries=0
until [ "$(stty -g)" = "$(cat "$1")" ] || [ $tries -ge 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
END
in_terminal gone '; sh await_modes gone.before' -o 'gone_{pid}.nettrace' -- "$work" work 30
open_terminal job "env ENV= PS1='at-the-shell ' sh -i"

# the screen: the output file, how to stop, and the progress; Enter ends it
"$work" work 30 > /dev/null 2>&1 &
watched=$!
await "process $watched" runs_managed $watched
echo "'$PERFPIPE' collect -p $watched -o shows.nettrace; echo \$? > shows.code; sleep 1" > shows.sh
open_terminal shows "sh shows.sh"
await "the heading" shows shows "recording LaunchTarget ($watched) into shows.nettrace; Enter or Ctrl+C stops"
await "the status" shows shows "^LaunchTarget $watched  00:00:.* events, .*/s, none lost"
type_in shows Enter
await "its end" test -s shows.code
gave shows 0
is_whole shows.nettrace
kill $watched


# the program has the terminal: keys, sizes, Ctrl+Z and fg; the shell has it in between and afterwards
type_in job "stty -g > job.before" Enter
type_in job "'$PERFPIPE' collect -o job.nettrace -- '$work' terminal" Enter
await "a program at the terminal" shows job '^terminal True True True 100x30'
type_in job a
await "its key" shows job '^key a'
own_modes=$(modes job)
tmux -L "$terminal-job" resize-window -x 90 -y 20
await "its new size" shows job '^resized True True True 90x20'
type_in job C-z
await "its stop" shows job 'Stopped'
type_in job "stty -g > job.stopped" Enter
type_in job "fg" Enter
await "its own modes of the terminal" has_modes job "$own_modes" # until then keys may be dropped
type_in job b
await "its second key" shows job '^key b'
type_in job q
await "the end of that program" shows job 'stopped by child exit'
type_in job 'echo $? > job.code; stty -g > job.after' Enter
await "the shell" test -s job.after
gave job 4
is_whole job.nettrace
same job.before job.stopped "after Ctrl+Z"
same job.before job.after "after the program"

# typed text goes to the program
type_in reads one Enter
await "its first line" grep -q 'read one' reads.out
type_in reads two Enter
await "its second line" grep -q 'read two' reads.out
type_in reads C-d

# Ctrl+C ends the recording, with its rundown, and then the program as usual
await "a program that handles it" grep -q works handles.out
type_in handles C-c
# this size means that the program runs and its methods have names
has_much() { [ "$(wc -c < "$1.nettrace.partial")" -gt 200000 ]; }
for window in dies pipes quits; do
	await "what $window records" has_much $window
done

type_in dies C-c
type_in pipes C-c
type_in quits 'C-\'
for window in handles dies pipes quits reads; do
	await "the end of $window" test -s $window.code
done
gave handles 3
grep -q heard handles.out || fail "Ctrl+C did not reach the program"
is_whole handles.nettrace
same handles.before handles.after handles
gave reads 0
said reads 'stopped by child exit'
is_whole reads.nettrace
was_ended_by dies 2
was_ended_by quits 3
# the exit code is that of the pipeline's last program, which Ctrl+C also ends
said pipes 'stopped by signal'
is_whole pipes.nettrace
same pipes.before pipes.after pipes

# a program whose recorder is killed loses its terminal
parent() { sed -n 's/^PPid:.//p' "/proc/$1/status"; }
is_recorded() { [ -s gone_*.nettrace.partial ]; }
await "what is recorded" is_recorded
recorded=$(echo gone_*)
recorded=${recorded#gone_}
recorded=${recorded%.nettrace.partial}
recorder=$(parent "$(parent "$recorded")")
kill -KILL "$recorder"
await "the end of its program" has_ended "$recorded"
await "the shell" test -s gone.after
same gone.before gone.after "after the recorder was killed"

rm -rf gone_* "/tmp/perfpipe-$recorder-"* "${XDG_RUNTIME_DIR:-/tmp}/perfpipe-$recorder-"*

for partial in *.partial; do
	[ ! -e "$partial" ] || fail "$partial was left"
done
exit $bad

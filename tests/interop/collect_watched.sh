# A process that watches the directory of the trace wakes at each write: a note says so, and nothing is said where it
# does not watch.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"
mkdir -p app/below elsewhere

# watches PID: it has its watches
watches() { grep -qs '^inotify wd' /proc/$1/fdinfo/*; }

notes() { grep -c 'watches the directory of .*, and wakes whenever the trace is written to' "$1.err"; }

# noted NAME COUNT
noted() { [ "$(notes "$1")" = "$2" ] || { fail "$1 notes $(notes "$1") times that it is watched, not $2:"; cat "$1.err"; }; }

start sh -c 'cd app && exec "$0" watch 250' "$work"
watching=$started
await "its watches" watches $watching
begin inside -p $watching -o app/inside.nettrace --duration 1s
begin below -p $watching -o app/below/ --duration 1s
begin quiet -p $watching -o app/quiet.nettrace --duration 1s --quiet
begin outside -p $watching -o elsewhere/outside.nettrace --duration 4s
begin piped -p $watching -o /dev/null --duration 1s
finish
for recorded in inside below quiet outside piped; do
	gave $recorded 0
done
noted inside 1
noted below 1
noted quiet 0
noted outside 0
noted piped 0
said inside "process $watching (LaunchTarget) watches the directory of app/inside.nettrace"

# a program that is launched begins to watch later
begin launched -o 'app/launched_{pid}.nettrace' -- sh -c 'cd app && exec "$0" watch 250' "$work"
is_noted() { [ "$(notes launched)" = 1 ]; }
await "the note about the program" is_noted
kill -INT "$(cat launched.pid)"
finish
noted launched 1
grep -q '^woken [1-9]' launched.out || fail "the program was not woken: $(cat launched.out)"
exit $bad

# The EXIT STATUS of every man page: each code of each command is provoked by a row of the table below, and a page
# lists exactly the codes that the table has for its command.
. "$SOURCE/tests/interop/ending"
. "$SOURCE/tests/interop/awaiting"
unset DOTNET_EnableDiagnostics DOTNET_DiagnosticPorts
man=$SOURCE/doc/man
fake=$(dirname "$PERFPIPE")/tests/fake_runtime
started=
bad=0
skipped=
tidy() { end_processes $started; }
trap tidy EXIT

fail() { echo "failed: $*"; bad=1; }

runs_managed() { grep -qs '^\.NET Finalizer' "/proc/$1/task"/*/comm; }
is_ready() { runs_managed $1 && "$PERFPIPE" ps | grep -q "^ *$1 "; }

# run COMMAND... - in the background, as $ran
run()
{
	"$@" > /dev/null 2>&1 < /dev/null &
	ran=$!
	started="$started $ran"
}

base=$SOURCE/tests/data/orders.nettrace.gz
new=$SOURCE/tests/data/orders.nettrace.zst
echo text > text
echo mine > old.txt

# a runtime that does not stop, and a recording of it that lasts
run "$fake" ./deaf.socket ignores
await "the runtime" test -S deaf.socket
run "$PERFPIPE" collect --diagnostic-port ./deaf.socket,connect -o lasting.nettrace
await "its recording" test -s lasting.nettrace.partial

if orders=$("$SOURCE/tests/interop/dotnet_built" samples/dotnet-service); then
	run "$orders/orders" --seconds 280
	live=$ran
	run "$orders/orders" --seconds 280
	killed=$ran
	run "$orders/orders" --seconds 280
	profiled=$ran
	run env DOTNET_EnableDiagnostics=0 "$orders/orders" --seconds 280
	closed=$ran
	await "the sample" is_ready $live
	await "the one that is killed" is_ready $killed
	await "the one that is profiled" is_ready $profiled
	await "the one without diagnostics" runs_managed $closed
else
	skipped="skipped: there is no dotnet here, which some exit codes need"
	live=1 killed=1 profiled=1 closed=1
fi

pp() { timeout 100 "$PERFPIPE" "$@"; }

# failed_midway NAME: records a runtime that sends what is not a trace
failed_midway()
{
	run "$fake" ./$1.socket noise
	await "the noise" test -S $1.socket
	pp collect --diagnostic-port ./$1.socket,connect -o $1.nettrace
}

# stopped NAME: stops a recording, never those of others on this machine
stopped()
{
	run "$PERFPIPE" collect -p $live -o stopped_$1.nettrace
	await "the recording" test -s stopped_$1.nettrace.partial
	pp stop stopped_$1.nettrace --json
}

# listed_and_killed: kills the process once its events come
listed_and_killed()
{
	"$PERFPIPE" events -p $killed -o killed.txt &
	lister=$!
	await "its first events" test -s killed.txt.partial
	kill -KILL $killed
	wait $lister
}

# profiled_and_killed: the same with its recording
profiled_and_killed()
{
	"$PERFPIPE" profile -p $profiled -o profiled.nettrace &
	profiler=$!
	await "its first events" test -s profiled.nettrace.partial
	kill -KILL $profiled
	wait $profiler
}

# COMMAND CODE NEEDS WORDS...: NEEDS is "dotnet" or "-"; the command itself is "perfpipe" for perfpipe(1)
cat > table << END
perfpipe 0 - pp --version
perfpipe 1 - pp collect --diagnostic-port missing/socket,connect
perfpipe 2 - failed_midway one
perfpipe 3 - pp no-such-command
perfpipe 4 - pp collect --dsrouter ios
perfpipe 5 - pp info missing.nettrace
perfpipe 6 - pp diff $base $new --fail-if 'gc.count >= 0'
cache 0 - pp cache list --folder .
cache 3 - pp cache lost
cache 5 - pp cache list --folder text
collect 0 dotnet pp collect -p $live --max-events 10 -o done.nettrace
collect 1 - pp collect --diagnostic-port missing/socket,connect
collect 1 dotnet pp collect -p $closed
collect 2 - failed_midway two
collect 3 - pp collect -p 1 -o text
collect 4 - pp collect --dsrouter ios
collect 5 - pp collect -p 1 -o missing/new.nettrace
completion 0 - pp completion bash
completion 3 - pp completion tcsh
completion 5 - pp completion bash > /dev/full
convert 0 - pp convert $base -f folded -o new.folded
convert 3 - pp convert $base -f folded -o old.txt
convert 5 - pp convert text -f folded -o other.folded
convert 5 - pp convert $base -f folded -o missing/new.folded
diff 0 - pp diff $base $new
diff 3 - pp diff $base $new --fail-if 'nothing > 1'
diff 5 - pp diff $base text
diff 6 - pp diff $base $new --fail-if 'gc.count >= 0'
events 0 - pp events $base --limit 1
events 1 dotnet pp events -p $closed
events 2 dotnet listed_and_killed
events 3 - pp events $base -o old.txt
events 5 - pp events text
events 5 - pp events $base -o missing/new.txt
events 5 - pp events -p 1 -o missing/new.txt
help 0 - pp help
help 3 - pp help no-such-command
help 5 - pp help > /dev/full
info 0 - pp info $base
info 3 - pp info --no-such-option $base
info 5 - pp info text
list-profiles 0 - pp list-profiles
list-profiles 3 - pp list-profiles --no-such-option
list-profiles 5 - pp list-profiles > /dev/full
profile 0 - pp profile $base
profile 1 - pp profile -- true
profile 2 dotnet profiled_and_killed
profile 3 - pp profile $base --cutoff much
profile 5 - pp profile text
ps 0 - pp ps
ps 3 - pp ps --sort colour
ps 5 - pp ps --json > /dev/full
report 0 - pp report $base
report 3 - pp report $base no-such-view
report 5 - pp report text
schema 0 - pp schema report/gc
schema 3 - pp schema no/such
schema 5 - pp schema > /dev/full
stop 0 dotnet stopped one
stop 2 - pp stop lasting.nettrace --timeout 100ms
stop 3 - pp stop missing.nettrace
stop 5 dotnet stopped two > /dev/full
symbolize 0 - pp symbolize -e $SOURCE/tests/data/libnative.so 1030
symbolize 3 - pp symbolize 0x1030
symbolize 5 - pp symbolize -e text 0x1030
symbolize 5 - pp symbolize -e $SOURCE/tests/data/libnative.so 1030 > /dev/full
END

while read -r command wanted needs words; do
	[ "$needs" = - ] || [ -z "$skipped" ] || continue
	eval "$words" > out 2> err < /dev/null
	code=$?
	[ $code -eq "$wanted" ] || { fail "perfpipe-$command(1): $words exits with $code, not $wanted"; cat err; }
done < table

# codes PAGE: those that its EXIT STATUS lists
codes() { sed -n '/^\.SH "*EXIT STATUS/,/^\.SH "*E[^X]\|^\.SH "*[^E]/s/^\.B \([0-9]*\)$/\1/p' "$1"; }

for page in "$man"/perfpipe.1 "$man"/perfpipe-*.1; do
	command=${page##*/perfpipe}
	command=${command#-}
	command=${command%.1}
	command=${command#.1}
	codes "$page" | sed "s/^/${command:-perfpipe} /"
done | sort -u > listed
cut -d ' ' -f 1,2 table | sort -u > provoked
comm -23 listed provoked | sed 's/^/failed: a man page lists a code that nothing provokes: /' | grep . && bad=1
comm -13 listed provoked | sed 's/^/failed: no man page lists a code that was provoked: /' | grep . && bad=1
[ "$(wc -l < listed)" -ge 40 ] || fail "the man pages list $(wc -l < listed) codes"
[ $bad -eq 0 ] || exit 1
[ -z "$skipped" ] || { echo "$skipped"; exit 77; }

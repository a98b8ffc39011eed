# Targets that are killed: their recordings have an end, names and a reason, for .NET's own reader too.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"
frames=$("$SOURCE/tests/interop/dotnet_built" tests/interop/FrameNames)/FrameNames || exit $?

# each method is compiled once, so that what runs has been compiled before the names are taken
export DOTNET_TieredCompilation=0

# killed_after SECONDS
killed_after()
{
	"$work" work 60 > /dev/null 2>&1 &
	target=$!
	await "process $target" runs_managed $target
	# what a runtime compiles when it is recorded for the first time shall be there, too
	"$PERFPIPE" collect -q -p $target --duration 1s --early-rundown true -o "warm$1.nettrace" ||
		fail "the first recording failed"
	rm -f "warm$1.nettrace"
	begin "after$1" -p $target -o "after$1.nettrace"
	await "its recording" test -s "after$1.nettrace.partial"
	sleep "$1"
	kill -KILL $target
	rm -f /tmp/dotnet-diagnostic-$target-*-socket
	finish
}

killed_after 1 &
one=$!
killed_after 5 &
wait $one $!
for file in after1 after5; do
	gave $file 2
	said $file 'was killed or crashed: the trace ends where it did, with the names that methods had'
	"$PERFPIPE" info --json $file.nettrace > info || fail "$file cannot be read"
	grep -q '"complete": false' info || fail "$file is complete"
	grep -q '"stopped_by": "target killed"' info || fail "$file does not say why it ended"
	"$PERFPIPE" report $file.nettrace cpu > report || fail "$file cannot be reported on"
	grep -q 'Spin' report || { fail "$file has no names of ours:"; cat report; }
	dotnet "$frames.dll" $file.nettrace > "$file.frames" || fail "TraceEvent cannot read $file"
	echo "$file: $(cat $file.frames)"
	awk -F'[ ,]+' '{ exit !($2 > 100 && $4 >= 0.99 * $2) }' $file.frames || fail "below 99 %"
done
nothing_left
exit $bad

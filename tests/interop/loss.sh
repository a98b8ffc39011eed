# Received and lost events are all that were written: by 1 to 64 threads, in the second and the 31st session of a process, by
# threads that ended, in sessions at the same time, and in files of a series. .NET's own reader agrees where it can.
runtime=net10
. "$SOURCE/tests/interop/runtime_lib"
referee=$("$SOURCE/tests/interop/dotnet_built" tests/interop/WriterCheck)/WriterCheck.dll || exit $?

run_flood
for threads in 1 4 16 64; do
	flood $threads $threads $((200000 / threads))
done
for number in $(seq 5 30); do
	session "session$number" 8 2000
done
flood session31 8 20000

# threads that end before the session does, which it forgets at sequence points
record ending --buffersize 2
for round in 1 2 3 4; do
	write 8 20000 end
done
ended ending "$recorder"
end=true
accounted ending 32 20000
end=false

# at the same time, with buffers of their own
record small --buffersize 1
small=$recorder
record large --buffersize 4
large=$recorder
wait_for 30 test -s small.nettrace.partial && wait_for 30 test -s large.nettrace.partial || fail "sessions do not start together"
write 16 10000
ended small "$small"
ended large "$large"
sessions=2
accounted small 16 10000
accounted large 16 10000

# what is said is the figure of all files, each of which is a session
record series --buffersize 1 --roll 100kB --manifest
write 8 50000
ended series "$recorder"
sum=0
for file in series*.nettrace; do
	sum=$((sum + $(info "$file" events_lost)))
done
[ "$(ls series*.nettrace | wc -l)" -gt 1 ] || fail "the series is one file"
is "events_lost of a series" "$(value series.out events_lost)" "$sum"
for manifest in series*.manifest.json; do
	grep -q "^  \"events_lost\": $sum,\$" "$manifest" && grep -q '^  "events_lost_at_least": true$' "$manifest" ||
		{ fail "$manifest has another figure than $sum"; cat "$manifest"; }
done

# TraceEvent does not count what a thread lost before its first event in version 4; in version 6 it does
lost() { dotnet "$referee" tail "$1" | sed 's/.* lost \([0-9]*\) .*/\1/'; }
ours=$(info 64.nettrace events_lost)
[ "$(lost 64.nettrace)" -lt "$ours" ] || fail "TraceEvent counts $(lost 64.nettrace) of $ours in version 4"
"$PERFPIPE" convert 64.nettrace -f nettrace -o new.nettrace 2> new.err || fail "it cannot be converted"
is "lost in version 6" "$(info new.nettrace events_lost)" "$ours"
is "lost in version 6, for TraceEvent" "$(lost new.nettrace)" "$ours"

# it is said to people
grep -q "warning: at least .* events were lost" new.err || fail "convert does not warn"
grep -q "warning: at least .* events were lost" 64.events || fail "events does not warn"
end_flood
finish

# We record what dotnet-trace records of the same process at the same time: the same providers and kinds of
# events, and TraceEvent reads both recordings and resolves the methods of both.
. "$SOURCE/tests/interop/collect_lib"
counts=$("$SOURCE/tests/interop/dotnet_built" tests/interop/TraceEventCounts)/TraceEventCounts.dll || exit $?
names=$("$SOURCE/tests/interop/dotnet_built" tests/interop/FrameNames)/FrameNames.dll || exit $?
tool=$TESTS_CACHE/dotnet-trace
[ -x "$tool/dotnet-trace" ] || TMPDIR=$PWD dotnet tool install --tool-path "$tool" dotnet-trace > log 2>&1 ||
	{ echo "skipped: dotnet-trace cannot be installed"; exit 77; }

start 600
later expect theirs 0 "$tool/dotnet-trace" collect -p $pid -o theirs.nettrace --duration 00:00:00:03
sleep 0.3
collect ours 0 --duration 3s --no-thread-times --json
await
whole ours.nettrace
whole theirs.nettrace

# kinds FILE: "provider id version count" as TraceEvent counts them
kinds() { dotnet "$counts" "$1" | LC_ALL=C sort; }
later kinds ours.nettrace > ours
later kinds theirs.nettrace > theirs
await
for which in ours theirs; do
	awk '{ print $1 }' $which | sort -u > $which.providers
	awk '{ print $1, $2, $3 }' $which | sort -u > $which.kinds
	awk '$4 >= 20 { print $1, $2, $3 }' $which | sort -u > $which.common # rarer kinds may be in only one of the two
done
diff theirs.providers ours.providers > difference || { fail "providers differ:"; cat difference; }
comm -23 theirs.common ours.kinds > missing
comm -23 ours.common theirs.kinds > extra
[ ! -s missing ] || { fail "kinds that we do not have:"; cat missing; }
[ ! -s extra ] || { fail "kinds that they do not have:"; cat extra; }
"$PERFPIPE" info --json ours.nettrace | awk '/^          "events":/ { n += $2 } END { print n }' > our_count
is "events as TraceEvent counts them" "$(awk '{ n += $4 } END { print n }' ours)" "$(cat our_count)"

# share FILE: resolved frames per thousand
share() { dotnet "$names" "$1" | awk '{ print int(1000 * $4 / ($2 + 0)) }'; }
ours=$(share ours.nettrace)
theirs=$(share theirs.nettrace)
echo "frames named of a thousand: $ours, in theirs $theirs; kinds of events: $(wc -l < ours.kinds) and $(wc -l < theirs.kinds)"
[ "$ours" -ge 999 ] || [ "$ours" -ge "$theirs" ] || fail "fewer frames are named"
finish

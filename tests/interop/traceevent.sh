# .NET's own reader is the referee: TraceEvent counts the same events in a recording as we do.
program=$("$SOURCE/tests/interop/dotnet_built" tests/interop/TraceEventCounts) || exit $?

# From our JSON, whose lines have a fixed order: "provider id version count". Our own readings of thread times are counted
# apart from events.
ours()
{
	"$PERFPIPE" info --json "$1" | awk '
		/^  "thread_times": [1-9]/ { print "Perfpipe 2 0", $2 + 0 }
		/^      "name"/ { sub(/^      "name": "/, ""); sub(/",$/, ""); provider = $0 }
		/^          "id"/ { id = $2 + 0 }
		/^          "version"/ { version = $2 + 0 }
		/^          "events":/ { print provider, id, version, $2 + 0 }' | LC_ALL=C sort
}

bad=0
for packed in "$SOURCE"/tests/data/*.nettrace.gz "$SOURCE"/tests/data/*.nettrace.zst; do
	case $packed in
	*.gz) gzip -dc "$packed" > trace.nettrace ;;
	*.zst) zstd -q -dc "$packed" > trace.nettrace ;;
	esac || exit 1
	dotnet "$program/TraceEventCounts.dll" trace.nettrace > counted || exit 1
	LC_ALL=C sort counted > theirs
	ours trace.nettrace > ours
	[ -s ours ] || { echo "perfpipe finds no event in ${packed##*/}"; exit 1; }
	diff -u theirs ours > difference || { echo "${packed##*/} differs:"; cat difference; bad=1; }
	echo "${packed##*/}: $(awk '{ n += $NF } END { print n }' ours) events of $(wc -l < ours) kinds"
done
exit $bad

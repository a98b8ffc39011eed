# Difficult traces that were recorded elsewhere: without rundown, with 90 % of events lost, of a killed
# program. Needs ../shared.
. "$SOURCE/tests/cli/show"
traces=${SHARED:-$SOURCE/../shared}/traces/dotnet10
[ -d "$traces" ] || { echo "skipped: needs ../shared"; exit 77; }

for name in no-events no-rundown dropped truncated target-killed; do
	cp "$traces/$name.nettrace.gz" "$name.nettrace"
	for view in cpu topN threadtime tasks processes threads modules; do
		show report "$name.nettrace" "$view" -n 3
	done
	show report "$name.nettrace" cpu --json -n 1 | short_timeline
done

# GCs, compilations and allocations of traces that were recorded elsewhere: of a server, without
# rundown, with 90 % of events lost, of a killed program, of older runtimes. Needs ../shared.
. "$SOURCE/tests/cli/show"
traces=${SHARED:-$SOURCE/../shared}/traces
[ -d "$traces" ] || { echo "skipped: needs ../shared"; exit 77; }

for name in alloc-gc-verbose alloc-server-gc alloc-sampled jit web-everything no-events dropped truncated \
	target-killed; do
	cp "$traces/dotnet10/$name.nettrace.gz" "$name.nettrace"
	for view in gc jit alloc; do
		show report "$name.nettrace" "$view" -n 3
	done
done
cp "$traces/nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace.zip" older.nettrace
cp "$traces/nettrace/eventpipe-dotnetcore2.1-win-x86-objver3.netperf.zip" oldest.nettrace
for view in gc jit alloc; do
	show report older.nettrace "$view" -n 3
	show report oldest.nettrace "$view" -n 3
done
cp "$traces/dotnet10/events.nettrace.gz" events.nettrace
show report events.nettrace counters

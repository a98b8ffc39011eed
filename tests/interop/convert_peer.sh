# Compared with dotnet-trace convert: the same time for each thread and each frame, except for the last sample of
# each thread, which it drops; doc/formats/speedscope.md lists the other differences, and why.
command -v dotnet > /dev/null || { echo "skipped: there is no dotnet here"; exit 77; }
. "$SOURCE/tests/interop/readers"
need node nodejs
traces=${SHARED:-$SOURCE/../shared}/traces/dotnet10
[ -d "$traces" ] || { echo "skipped: needs ../shared"; exit 77; }
tool=$TESTS_CACHE/dotnet-trace
[ -x "$tool/dotnet-trace" ] || TMPDIR=$PWD dotnet tool install --tool-path "$tool" dotnet-trace > log 2>&1 ||
	{ echo "skipped: dotnet-trace cannot be installed"; exit 77; }

for name in cpu-default cpu-sampled-thread-time; do
	gzip -dc "$traces/$name.nettrace.gz" > $name.nettrace || exit 1
	"$tool/dotnet-trace" convert $name.nettrace --format Speedscope -o theirs > log 2>&1 || { cat log; exit 1; }
	"$PERFPIPE" convert $name.nettrace -f speedscope --raw-names --as-sampled -o ours.speedscope.json --force || exit 1
	echo "$name"
	node "$SOURCE/tests/interop/js/compare_speedscope.js" theirs.speedscope.json ours.speedscope.json || exit 1
	rm theirs.speedscope.json
done

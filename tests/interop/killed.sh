# Killed targets: their recordings have an end, names and a reason, for .NET's own reader too.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"
frames=$("$SOURCE/tests/interop/dotnet_built" tests/interop/FrameNames)/FrameNames || exit $?

# each method is compiled once, so that all running code is compiled before the rundown
export DOTNET_TieredCompilation=0

# killed_after SECONDS NAME FILE ARGUMENTS... - of recording, after which that file grows
killed_after()
{
	seconds=$1
	name=$2
	growing=$3
	shift 3
	"$work" work 60 > /dev/null 2>&1 &
	target=$!
	await "process $target" runs_managed $target
	# methods that a runtime compiles when it is first recorded are included
	"$PERFPIPE" collect -q -p $target --duration 3s --early-rundown true -o "warm-$name.nettrace" ||
		fail "the first recording failed"
	rm -f "warm-$name.nettrace"
	begin "$name" -p $target "$@"
	await "its recording" test -s "$growing"
	sleep "$seconds"
	end_processes $target
	finish
}

killed_after 5 after5 after5.nettrace.partial -o after5.nettrace &
five=$!
killed_after 1 after1 after1.nettrace.partial -o after1.nettrace &
one=$!
killed_after 2 gzip gzip.nettrace.gz.partial --compress gzip -o gzip.nettrace &
gzip=$!
killed_after 2 zstd zstd.nettrace.zst.partial --compress zstd -o zstd.nettrace &
zstd=$!
killed_after 1 stdout stdout.out -o - &
wait $five $one $gzip $zstd $!
mv stdout.out stdout.nettrace
gzip -d gzip.nettrace.gz || fail "gzip cannot unpack it"
if command -v zstd > /dev/null; then
	zstd -dq --rm zstd.nettrace.zst || fail "zstd cannot unpack it"
fi
for file in after5 after1 gzip zstd stdout; do
	gave $file 2
	said $file 'was killed or crashed; the trace ends there, with the method names of'
	[ -e $file.nettrace ] || { echo "$file: read as it is, there is no zstd"; mv zstd.nettrace.zst zstd.nettrace; }
	"$PERFPIPE" info --json $file.nettrace > info || fail "$file cannot be read"
	grep -q '"complete": false' info || fail "$file is complete"
	grep -q '"stopped_by": "target killed"' info || fail "$file does not say why it ended"
	"$PERFPIPE" report $file.nettrace cpu > report || fail "$file cannot be reported on"
	grep -q 'Spin' report || { fail "$file has no names of ours:"; cat report; }
	[ "$(head -c 8 $file.nettrace)" = Nettrace ] || continue
	dotnet "$frames.dll" $file.nettrace > "$file.frames" || fail "TraceEvent cannot read $file"
	echo "$file: $(cat $file.frames)"
	awk -F'[ ,]+' '{ exit !($2 > 100 && $4 >= 0.99 * $2) }' $file.frames || fail "below 99 %"
done
nothing_left
exit $bad

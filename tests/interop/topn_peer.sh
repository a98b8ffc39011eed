# Compared with dotnet-trace report topN: `topN --wall` has the same rows with the same percentages, within a hundredth,
# also where there are tasks and activities. That tool shows the first 70 characters of a name.
command -v dotnet > /dev/null || { echo "skipped: there is no dotnet here"; exit 77; }
. "$SOURCE/tests/interop/targets"
tool=$TESTS_CACHE/dotnet-trace
[ -x "$tool/dotnet-trace" ] || TMPDIR=$PWD dotnet tool install --tool-path "$tool" dotnet-trace > log 2>&1 ||
	{ echo "skipped: dotnet-trace cannot be installed"; exit 77; }
command -v zstd > /dev/null || { echo "skipped: there is no zstd here"; exit 77; }
shapes=$("$SOURCE/tests/interop/dotnet_built" tests/interop/AwaitShapes)/AwaitShapes || exit $?
bad=0

# theirs, ours - beginning of the name and percentages, of rows "1. NAME INCLUSIVE% EXCLUSIVE%"; the order of equal
# rows is left open, and rows without a name are the rest of a name with a line break
theirs()
{
	sed -nE 's/^[0-9]+\. +(.*[^ ]) +([0-9.E-]+)% +([0-9.E-]+)% *$/\1\t\2\t\3/p' | beginnings
}
ours()
{
	sed -nE 's/^ *[0-9]+\. +([0-9.]+)% +([0-9.]+)% +(.*)$/\3\t\1\t\2/p' | beginnings
}
beginnings()
{
	LC_ALL=C awk -F '\t' -v OFS='\t' '{
		$1 = substr($1, 1, 60)
		sub(/ +$/, "", $1)
		print
	}' | LC_ALL=C sort -t "$(printf '\t')" -k 1,1 -k 2,2g -k 3,3g
}

# same FILE LEAST [OPTION] - with that many rows at least
same()
{
	"$tool/dotnet-trace" report "$1" topN -n 1000000 ${3-} > peer || { cat peer; exit 1; }
	COLUMNS=1000 "$PERFPIPE" report "$1" topN --wall --raw-names -n 1000000 ${3-} > mine || { cat mine; exit 1; }
	theirs < peer > wanted
	ours < mine > got
	[ "$(wc -l < wanted)" -ge "$2" ] || { echo "$1: too few rows:"; cat peer; bad=1; }
	paste wanted got | awk -F '\t' -v file="$1" '
		function apart(a, b) { return a - b > 0.0101 || b - a > 0.0101 }
		$1 != $4 || apart($2, $5) || apart($3, $6) { if (++differ <= 5) print "differs: " $0 }
		END { print file ": " NR " rows, " differ + 0 " differ"; exit differ > 0 }' ||
		{ echo "topN --wall ${3-} differs from dotnet-trace"; bad=1; }
}

# begins FILE - the first ten rows of the last list are among ours
begins()
{
	head -n 11 peer | theirs > wanted
	ours < mine > all
	LC_ALL=C comm -23 wanted all | grep . && { echo "$1: these rows of the first ten are not ours"; bad=1; }
}

zstd -dq "$SOURCE/tests/data/awaits.nettrace.zst" -o awaits.nettrace || exit 1
same awaits.nettrace 100
grep -q '^AWAIT_TIME' got || { echo "no awaits were compared"; bad=1; }
same awaits.nettrace 100 --inclusive
begins awaits.nettrace

# live, with tasks; without our own events, which may have the time of another one, and then the order is open
"$shapes" > measured 2>&1 < /dev/null &
target=$!
targets="$targets $target"
await "process $target" grep -q ready measured
"$PERFPIPE" collect -q -p "$target" -o live.nettrace --profile dotnet-sampled-thread-time --no-thread-times \
	--providers System.Threading.Tasks.TplEventSource:0x1C3:5 || exit 1
same live.nettrace 100
grep -q '^STARTING TASK' got || { echo "no tasks were compared"; bad=1; }

# with activities, their unknown time and the events of EventSources
traces=${SHARED:-$SOURCE/../shared}/traces
for name in dotnet10/web-everything dotnet10/web dotnet10/starve dotnet10/cpu-default dotnet10/alloc-gc-verbose \
	runtimes/net8-cpu runtimes/net9-cpu runtimes/net9-alloc; do
	[ -f "$traces/$name.nettrace.gz" ] || continue
	gzip -dc "$traces/$name.nettrace.gz" > "${name##*/}.nettrace" || exit 1
	same "${name##*/}.nettrace" 30
done
exit $bad

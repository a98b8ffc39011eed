# A live program with awaits of known length, recorded with the events that `report tasks` asks for,
# without samples, and without the ends of tasks: `tasks` and `threadtime` find each length within
# two percent of what the program measured itself, or 20 ms; a busy machine makes it measure a
# moment more each time, until it runs again, so that a little less may be found.
. "$SOURCE/tests/interop/targets"
shapes=$("$SOURCE/tests/interop/dotnet_built" tests/interop/AwaitShapes)/AwaitShapes || exit $?
tpl=System.Threading.Tasks.TplEventSource
recorders=

# record NAME OPTIONS... - in the background
record()
{
	name=$1
	shift
	"$shapes" > "$name.measured" 2>&1 < /dev/null &
	target=$!
	targets="$targets $target"
	await "process $target" grep -q ready "$name.measured" # or its first round would be recorded, too
	timeout 100 "$PERFPIPE" collect -q -p "$target" -o "$name.nettrace" "$@" 2> "$name.err" &
	recorders="$recorders $!"
}

record all --profile dotnet-sampled-thread-time --providers $tpl:0x1C3:5
record tasks --providers $tpl:0x1C3:5
record endless --profile dotnet-sampled-thread-time --providers $tpl:0x3:5
for recorder in $recorders; do
	wait "$recorder" || { echo "a recording failed:"; cat ./*.err; bad=1; }
done

# compare NAME MEASURED FOUND - milliseconds and nanoseconds
compare()
{
	echo "$2 $3" | awk -v what="$1" '{
		found = $2 / 1e6
		more = found - $1
		printf "%-24s measured %9.1f ms, found %9.1f ms\n", what, $1, found
		exit $2 == "" || more > 20 && more > $1 / 50 || -more > 60 && -more > $1 / 20
	}' || { bad=1; echo "$1 is wrong"; }
}

# figure NAME METHOD KEY - of the awaits of a method
figure()
{
	awk -v method="\"name\": \"Shapes.$2(" -v key="\"$3\":" '
		/^    {/ { value = ""; kind = "" }
		index($0, "\"kind\": \"await\"") { kind = "await" }
		index($0, key) { value = $2; sub(/,/, "", value) }
		index($0, method) && kind { print value }' "$1.json"
}

for name in all tasks endless; do
	"$PERFPIPE" report "$name.nettrace" tasks --json -n 100 > "$name.json" || bad=1
	for method in Row Inner Pool PoolTogether Call CallsTogether Blocks Busy; do
		compare "$name $method" "$(sed -n "s/^$method //p" "$name.measured")" \
			"$(figure "$name" $method await_ns)"
	done
	for outer in Outer Middle; do
		compare "$name $outer" 0 "$(figure "$name" $outer await_ns)"
		compare "$name $outer waited" "$(sed -n "s/^Inner //p" "$name.measured")" \
			"$(figure "$name" $outer wait_ns)"
	done
done
for name in all tasks; do
	compare "$name Busy ran" "$(sed -n 's/^Work //p' "$name.measured")" "$(figure "$name" Busy run_ns)"
done
[ "$(figure endless Busy run_ns)" = null ] || { echo "it is not known how long tasks ran"; bad=1; }

# the same in `threadtime`
for name in all endless; do
	"$PERFPIPE" report "$name.nettrace" threadtime --json > time.json || bad=1
	awaited=$(sed -n 's/^  "await_ns": \([0-9]*\),/\1/p' "$name.json")
	grep -qx "  \"await_ns\": $awaited," time.json ||
		{ echo "$name: threadtime has not awaited $awaited ns but"; grep await_ns time.json; bad=1; }
done
exit $bad

# The same program recorded for different lengths, and beside busy neighbours, does not fail a build; one that does
# more does. What is asserted holds on any machine, however busy: counts may double by chance, but not grow sixfold.
. "$SOURCE/tests/interop/collect_lib"

# record NAME SECONDS
record()
{
	"$PERFPIPE" collect -p "$pid" --profile dotnet-sampled-thread-time \
		--providers Microsoft-Windows-DotNETRuntime:0x8001:4 --duration "$2s" -o "$1.nettrace" > "$1.said" 2>&1 ||
		{ cat "$1.said"; fail "$1 was not recorded"; }
}

# gives CODE ARGUMENTS...: of diff
gives()
{
	wanted=$1
	shift
	"$PERFPIPE" diff "$@" > output 2>&1
	code=$?
	[ $code = "$wanted" ] || { cat output; fail "diff $* gives $code, not $wanted"; }
}

says() { grep -q -- "$1" output || { cat output; fail "diff does not say '$1'"; }; }

# unchanged ARGUMENTS...: nothing has grown by a multiple
unchanged()
{
	gives 0 "$@" --fail-if 'gc.count > +500%' --fail-if 'exceptions.count > +500%' \
		--fail-if 'gc.allocated_bytes > +500%' --fail-if 'summary.duration_ns > +100%'
	says '0 of 4 hold'
}

start 600
record short1 2
record long1 5
loops=
for i in 1 2; do
	sh -c 'while :; do :; done' &
	started="$started $!"
	loops="$loops $!"
done
record short2 2
record long2 5
kill $loops

unchanged short1.nettrace short2.nettrace gc
unchanged short1.nettrace long1.nettrace gc
says 'by rate'
unchanged short2.nettrace long1.nettrace gc -q
unchanged --view gc short1.nettrace short2.nettrace -- long1.nettrace long2.nettrace
says "Welch's t-test"
# strict: beside busy neighbours, any time is noise
gives 6 short1.nettrace long1.nettrace gc --totals --strict --fail-if 'summary.duration_ns > +50%'

# the same program with a sixtieth of the budget of generation 0
start 120 env DOTNET_GCgen0size=0x10000
record worse1 2
record worse2 2
gives 6 short1.nettrace worse1.nettrace gc -q --fail-if 'gc.count > +500%' --fail-if 'exceptions.count > +500%'
says '1 of 2 holds'
gives 6 --view gc short1.nettrace short2.nettrace -- worse1.nettrace worse2.nettrace -q --strict \
	--fail-if 'gc.count > +500%'

# CPU: as far as it was measured
gives 0 short1.nettrace short1.nettrace --json
if grep -q '"cpu_measured": false' output; then
	gives 5 short1.nettrace short2.nettrace --fail-if 'cpu.cpu_ns > +500%'
	says 'CPU time was not recorded in'
else
	gives 0 short1.nettrace short2.nettrace --fail-if 'cpu.cpu_ns > +500%'
fi
finish

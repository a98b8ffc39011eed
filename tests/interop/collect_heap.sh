# The runtime's provider without keywords does not touch the heap; with the costly keywords it does.
. "$SOURCE/tests/interop/collect_lib"
runtime=Microsoft-Windows-DotNETRuntime
start 600 env DOTNET_GCgen0size=0x40000

# until_event NAME EVENT OPTIONS...: records $pid up to the first such event. A forced collection comes first of all.
until_event()
{
	name=$1 event=$2
	shift 2
	collect "$name" 0 --rundown false --json --duration 60s --stopping-event-provider-name $runtime \
		--stopping-event-event-name "$event" "$@"
	stops "$name" event
}
later until_event bare GC/Stop --providers $runtime
later until_event verbose GC/Stop --providers $runtime::5
later until_event named GC/Stop --providers $runtime --profile gc-verbose,exceptions
await

# events NAME PATTERN: how many
events() { "$PERFPIPE" events "$1.nettrace" --provider $runtime --name "$2" --json | wc -l; }
# reasons NAME: the reasons of its collections, which are numbers
reasons() { "$PERFPIPE" events "$1.nettrace" --name GC/Start --json | sed 's/.*"Reason":\([0-9]*\).*/\1/' | sort -u; }

for name in bare verbose named; do
	[ -n "$(reasons $name)" ] || fail "$name has no collection"
	reasons $name | grep -q '^[179]$' && fail "$name: a collection was induced"
	is "$name: heap events" "$(events $name 'GC/Bulk*')" 0
	is "$name: ranges" "$(events $name GC/GenerationRange)" 0
	says $name "$runtime is given without keywords: all are enabled, .*, except gcheapdump, "
done
says named "^perfpipe: --providers replaces what --profile gc-verbose, --profile exceptions requests of $runtime\$"

# what is left out comes if it is written
until_event dump GC/BulkNode --providers $runtime:1900001:4
reasons dump | grep -q '^1$' || fail "gcheapcollect forces no collection"
says dump '^perfpipe: gcheapcollect (0x800000) forces a full GC when the recording starts$'
until_event added GC/BulkNode --providers $runtime --clrevents gcheapdump+gcheapcollect
reasons added | grep -q '^1$' || fail "--clrevents adds nothing"
until_event ranges GC/GenerationRange --providers $runtime:400001:4

# allocations are slowed down only in a program that is recorded from its start
launched()
{
	name=$1
	shift
	expect $name 0 "$PERFPIPE" collect -o $name.nettrace --rundown false "$@" -- "$orders" --seconds 1
}
later launched started --providers $runtime
later launched sampled --providers $runtime:200000:4
await
is "sampled allocations" "$(events started GC/SampledObjectAllocation)" 0
[ "$(events sampled GC/SampledObjectAllocation)" -gt 0 ] || fail "gcsampledobjectallocationhigh samples nothing"

# the same of events as they happen
expect live 0 "$PERFPIPE" events -p "$pid" --providers $runtime --name GC/Stop --limit 1
says live "$runtime is given without keywords"
finish

# The options of `perfpipe collect` on a live .NET process: what is recorded, and where it goes.
. "$SOURCE/tests/interop/collect_lib"
# with a unique name
cp -R "${orders%/*}" app && mv app/orders "app/orders-$$" && orders=$PWD/app/orders-$$ || exit 1
start 600

# parallel sessions, each with its own options
later collect plain 0 --duration 1s --json
later collect providers 0 --duration 1s --json --providers Orders:ffffffffffffffff:5 --rundown false
later collect clr 0 --duration 00:00:01 --json --clrevents gc+exception --clreventlevel verbose
later collect gc 0 --duration 00:00:00:01 --json --profile gc-collect
later collect stacks 0 --duration 1000ms --json --providers Orders --no-stacks --buffersize 16
later collect zstd 0 --duration 1 --json --compress zstd --resume-runtime:false --format nettrace
later collect gzip 0 --duration 1s --json --compress gzip --buffering-mode drop --rundown
later expect named 0 "$PERFPIPE" collect -n orders-$$ --duration 1s -o '{name}-{pid}.nettrace' --quiet
later expect stdout 0 "$PERFPIPE" collect -p $pid --duration 1s -o -
mkdir folder
later expect folder 0 "$PERFPIPE" collect -p $pid --duration 1s -o folder
await
mv stdout.out stdout.nettrace

for name in plain providers clr gc stacks stdout; do
	whole $name.nettrace
done
whole zstd.nettrace.zst
whole gzip.nettrace.gz
whole orders-$$-$pid.nettrace
whole "$(ls folder/orders-$$_[0-9]*_[0-9]*.nettrace)"
[ ! -s named.err ] || fail "--quiet says: $(cat named.err)"
is "lines at the end" "$(wc -l < stdout.err)" 1

# the next command to try, which works as it is
is "the next command" "$(sed -n '$s/^perfpipe: next: //p' folder.err)" "perfpipe report $(ls folder/*.nettrace)"
expect spaced 0 "$PERFPIPE" collect -p $pid --duration 100ms -o "it's here.nettrace"
perfpipe() { "$PERFPIPE" "$@"; }
eval "$(sed -n '$s/^perfpipe: next: //p' spaced.err)" | grep -q "^it's here.nettrace: what happened" || fail "$(cat spaced.err)"
! grep -q next: plain.err || fail "--json suggests a command"

for name in plain providers clr gc stacks zstd gzip; do
	file=$(ls $name.nettrace*)
	stops $name duration
	is "$name: file" "$(value $name.out file)" "$file"
	is "$name: process_id" "$(value $name.out process_id)" $pid
	is "$name: size_bytes" "$(value $name.out size_bytes)" "$(stat -c %s "$file")"
	is "$name: events" "$(value $name.out events)" "$(info "$file" events)"
	is "$name: events_lost" "$(value $name.out events_lost)" 0
	[ "$(value $name.out duration_ns)" -ge 1000000000 ] || fail "$name ended early"
done

# provider FILE: their names
provider() { "$PERFPIPE" info --json "$1" | sed -n 's/^      "name": "\(.*\)",$/\1/p' | sort | tr '\n' ' '; }
is "plain's providers" "$(provider plain.nettrace)" "Microsoft-DotNETCore-EventPipe \
Microsoft-DotNETCore-SampleProfiler Microsoft-Windows-DotNETRuntime Microsoft-Windows-DotNETRuntimeRundown "
is "providers' providers" "$(provider providers.nettrace)" "Microsoft-DotNETCore-EventPipe Orders "
is "stacks of --no-stacks" "$("$PERFPIPE" events stacks.nettrace --provider Orders --stacks --json -n 5 |
	grep -c '"stack"')" 0
[ "$("$PERFPIPE" events gc.nettrace --provider '*Rundown' | wc -l)" -lt 10 ] ||
	fail "gc-collect has a full rundown"

# no file is replaced unless requested
echo precious > taken.nettrace
collect taken 3 --duration 1s
says taken 'taken.nettrace already exists'
is "taken" "$(cat taken.nettrace)" precious
collect taken 0 --duration 100ms --force
whole taken.nettrace

collect block 0 --buffering-mode Block --duration 100ms
says block 'needs .NET 11: events may be lost'
collect events 0 --max-events 500 --json
stops events events
collect size 0 --max-size 20kB --json
stops size size

# live events through the same code
timeout 20 "$PERFPIPE" events -p $pid --providers Orders --name Order/Stop --limit 3 --json > live ||
	fail "events -p"
is "live events" "$(grep -c '"name":"Order/Stop".*"amount"' live)" 3
timeout 20 "$PERFPIPE" events --process-name rders-$$ --clrevents gc --duration 500ms --format csv > live.csv ||
	fail "events --duration"
finish

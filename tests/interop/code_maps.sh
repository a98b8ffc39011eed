# Code without a file: what a .NET program writes about what it compiles, against perf; and the kernel's own list, with and
# without the rights to see it.
orders=$("$SOURCE/tests/interop/dotnet_built" samples/dotnet-service)/orders || exit $?
names=${PERFPIPE%/*}/tests/code_names
. "$SOURCE/tests/interop/ending"
failures=0
fail() { echo "failed: $*"; failures=1; }

# Maps of both kinds. Stubs are left out: the runtime stops writing a jitdump when it cannot read all of a block of them.
recorder='perf record -q -N -k mono -o recorded'
$recorder true > /dev/null 2>&1 || recorder=
DOTNET_PerfMapEnabled=1 DOTNET_PerfMapStubGranularity=4 DOTNET_PerfMapJitDumpPath=$PWD $recorder \
	"$orders" --seconds 1 > served 2>&1 || fail "the sample: $(cat served)"
map=$(ls perf-*.map) dump=$(ls jit-*.dump)
lines=$(wc -l < "$map")
grep -qF '[orders] ' "$map" || fail "the program's methods are not in the perf map"

"$names" perf-map "$map" > counted || fail "the perf map"
[ "$(cat counted)" = "$lines functions, 0 skipped, $lines lines, 0 different" ] || fail "perf map: $(cat counted)"

# what is in both files has the same names; of code that came to the place of other code the last one counts
tac "$map" | awk '!seen[$1]++' > last
sed 's/ .*//' last | "$names" jitdump "$dump" > jitted || fail "the jitdump"
sed 's/^[^ ]* [^ ]* //' last > expected
tail -n +2 jitted | cmp expected - || fail "the jitdump has other names than the perf map"

# perf makes a file of each function of a jitdump
if [ -n "$recorder" ]; then
	perf inject --jit -i recorded -o injected 2> injecting || fail "perf inject: $(cat injecting)"
	files=$(find . -name 'jitted-*.so' | wc -l)
	[ "$(head -n 1 jitted)" = "$files functions, 0 skipped" ] || fail "jitdump: $(head -n 1 jitted); perf has $files"
else
	echo "perf cannot record: functions of the jitdump are not counted"
fi

# with stubs, whose blocks contain others
mkdir stubs
DOTNET_PerfMapEnabled=3 DOTNET_PerfMapJitDumpPath=$PWD/stubs "$orders" --seconds 1 > served 2>&1 || fail "$(cat served)"
lines=$(cat stubs/perf-*.map | wc -l)
"$names" perf-map stubs/perf-*.map > counted || fail "the perf map with stubs"
[ "$(cat counted)" = "$lines functions, 0 skipped, $lines lines, 0 different" ] || fail "with stubs: $(cat counted)"
grep -q ' stub ' stubs/perf-*.map || fail "there are no stubs"

# images of the runtime name the maps that were made with them
runtime=$(dotnet --list-runtimes | sed -n 's/^Microsoft.NETCore.App \(10[^ ]*\) \[\(.*\)\]$/\2\/\1/p' | tail -n 1)
for image in System.Private.CoreLib System.Linq; do
	"$names" r2r-image "$runtime/$image.dll" > found 2>&1
	[ "$(head -n 1 found)" = "$image.ni.r2rmap, version 1" ] || fail "$image: $(cat found)"
done
! "$names" r2r-image "${orders%/*}/orders.dll" > found 2>&1 || fail "orders.dll has no compiled code: $(cat found)"

# code of an image that is mapped has the names of its map, which is made up here, as the runtime comes without them
symbolized() { "$PERFPIPE" symbolize -p "$pid" --no-cache --no-network "$@" "0x$start" 2> /dev/null; }
mkdir maps
"$names" r2r-image "$runtime/System.Private.CoreLib.dll" | sed -n '2s/^/FFFFFFFF 00 /p' > maps/System.Private.CoreLib.ni.r2rmap
printf 'FFFFFFFE 00 1\n00001000 F00000 System.Made::Up()\n' >> maps/System.Private.CoreLib.ni.r2rmap
"$orders" --seconds 100 > served 2>&1 &
pid=$!
trap 'end_processes $pid' EXIT
start=
tries=0
until [ -n "$start" ] || [ $tries -eq 600 ]; do
	start=$(sed -n 's/^\([^-]*\)-[^ ]* r-xp .*System.Private.CoreLib.dll$/\1/p' /proc/$pid/maps | head -n 1)
	tries=$((tries + 1))
	sleep 0.1
done
# the section begins after the headers of the file, which are mapped with it
start=$(printf %x $((0x$start + 0x1000)))
case $(symbolized --symbols maps) in
"0x$start System.Made::Up()+0x"*" (System.Private.CoreLib.dll)") ;;
*) fail "with a map: $(symbolized --symbols maps)" ;;
esac
case $(symbolized) in
*'[no symbols]') ;;
*) fail "without a map: $(symbolized)" ;;
esac

# sample EVERY - addresses of functions
sample() { awk -v every="$1" '$2 ~ /^[tTwW]$/ && $1 !~ /^0+$/ && NR % every == 0 { print $1 }' /proc/kallsyms; }

if grep -qv '^0000000000000000 ' /proc/kallsyms; then
	sample 97 > addresses
	"$names" kernel < addresses > found || fail "kallsyms"
	[ "$(head -n 1 found)" = visible ] || fail "addresses of the kernel are $(head -n 1 found)"
	tail -n +2 found | paste -d ' ' addresses - | sort > pairs
	awk '{ print $1, $3 ($4 ? " " $4 : "") }' /proc/kallsyms | sort > listed
	comm -23 pairs listed > wrong
	[ -s pairs ] && [ ! -s wrong ] || fail "$(wc -l < wrong) of $(wc -l < pairs) names: $(head -n 3 wrong)"
fi

# another user
if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups true 2> /dev/null; then
	chmod 755 . && cp "$names" code_names && chmod 755 code_names || exit 1
	nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
	expected=hidden
	$nobody grep -qv '^0000000000000000 ' /proc/kallsyms && expected=visible
	found=$($nobody ./code_names kernel < /dev/null) || fail "kallsyms of another user"
	[ "$found" = $expected ] || fail "of another user they are $found, not $expected"
else
	echo "cannot become another user: what it sees of the kernel is not tested"
fi
exit $failures

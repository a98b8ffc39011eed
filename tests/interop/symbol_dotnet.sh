# Names in a live .NET process: those of the runtime's libraries, and of what it has compiled.
. "$SOURCE/tests/interop/targets"
find=$(dirname "$PERFPIPE")/tests/symbol_find
fail() { echo "$*"; bad=1; }

start env DOTNET_PerfMapEnabled=1 "$orders/orders" --seconds 300
pid=$started
map=/tmp/perf-$pid.map
trap "end_targets; rm -f $map /tmp/perfinfo-$pid.map /tmp/jit-$pid.dump" EXIT
await "the process" runs_managed $pid
await "its perf map" sh -c "[ \$(grep -c :: $map) -ge 50 ]"

# methods: the last line of a place counts, so those that are there once are asked about
grep "::" "$map" | tail -n 50 > lines
addresses=$(cut -d ' ' -f 1 lines)
"$find" $pid $addresses > got || exit 1
sed 's/^[^ ]* [^ ]* /[anon] /' lines > wanted
same=$(paste -d '\n' wanted got | awk 'NR % 2 { wanted = $0; next } $0 == wanted' | wc -l)
[ "$same" -ge 45 ] || { fail "methods: $same of 50"; diff wanted got | head; }

# the runtime: only what it exports has a name, however near others are
clr=$(grep 'r-xp.*libcoreclr\.so$' "/proc/$pid/maps" | head -n 1)
start=${clr%%-*} file=/${clr#*/}
offset=$(echo "$clr" | cut -d ' ' -f 3)
# the executable segment of the file: its offset and address, which differ
set -- $(readelf -lW "$file" | awk '$1 == "LOAD" && / R E / { print $2, $3; exit }')
at() { printf '%x' $((0x$start - 0x$offset + $1 - $address + $file_offset)); }
file_offset=$1 address=$2
exported=$(nm -D --defined-only "$file" | awk '$3 ~ /^coreclr_initialize(@|$)/ { print $1 }')
got=$("$find" $pid "$(at 0x$exported)")
[ "$got" = "libcoreclr.so coreclr_initialize" ] || fail "an exported function: $got"
first=$(printf '%x' $((0x$start + 8192)))
case $("$find" $pid $first) in
"libcoreclr.so [no symbols] "*) ;;
*) fail "a function that is not exported: $("$find" $pid $first)" ;;
esac

# without a perf map, compiled code says how to get one
start "$orders/orders" --seconds 300
await "the second process" runs_managed $started
place=$(grep 'r-x[ps].*\(doublemapper\|00:00 0 *$\)' "/proc/$started/maps" | head -n 1)
case $("$find" $started "${place%%-*}") in
"[anon] [no symbols] "*DOTNET_PerfMapEnabled=1*) ;;
*) fail "compiled code: $place: $("$find" $started "${place%%-*}")" ;;
esac

# in a container, the map is in its own /tmp, under the id that the process has there
[ "$(id -u)" -eq 0 ] && unshare -pfm --mount-proc true 2> /dev/null || exit $bad
start unshare -pfm --kill-child --mount-proc sh -c 'mount -t tmpfs none /tmp && unset TMPDIR &&
	DOTNET_PerfMapEnabled=1 exec "$0" --seconds 300' "$orders/orders"
unshared=$started
contained() { pid=$(ps -o pid= --ppid $unshared | tr -d ' ') && [ "$pid" ] && runs_managed $pid; }
await "the contained process" contained
targets="$targets $pid"
map=/proc/$pid/root/tmp/perf-1.map
await "its perf map" sh -c "[ \$(grep -c :: $map) -ge 50 ]"
line=$(grep :: "$map" | tail -n 1)
got=$("$find" $pid "${line%% *}")
case $line in
*" ${got#\[anon\] }") ;;
*) fail "in a container: $got instead of $line" ;;
esac
exit $bad

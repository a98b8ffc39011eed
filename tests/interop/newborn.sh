# A process that has just started is recorded, whatever the timing.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"
cp -R "$orders" app || exit 1
for name in id name; do
	cp app/orders "app/$name-$$" || exit 1 # unique names
done

start "app/id-$$" --seconds 600
begin id -p "$started" --duration 300ms -o id.nettrace
start "app/name-$$" --seconds 600
tries=0
until grep -qs "name-$$" "/proc/$started/cmdline"; do # before it has this name it cannot be found
	tries=$((tries + 1))
	[ $tries -lt 5000 ] || { echo "the process does not begin"; exit 1; }
done
begin name -n "name-$$" --duration 300ms -o name.nettrace

# a young process that never loads .NET is reported as such, and not recorded
start sleep 60
other=$started
begin other -p "$other" --duration 300ms -o other.nettrace
finish

for recording in id name; do
	gave $recording 0
	is_whole $recording.nettrace
done
gave other 3
said other "process $other is not a .NET process"
[ ! -e other.nettrace ] || fail "a process that is not .NET was recorded"
exit $bad

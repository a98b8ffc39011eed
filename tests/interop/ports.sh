# Runtimes that connect to us, and one that we connect to: --diagnostic-port.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"

# port_of NAME - waits until it exists
port_of()
{
	await "the port of $1" test -S "$1.port"
}

# one_that PORT COMMAND... - a runtime that connects to that port, in the background
one_that()
{
	start env DOTNET_DiagnosticPorts="$PWD/$1" sh -c '"$@"; echo $? >> ended' sh "$2" "$3" "$4"
}

# stop_it NAME - as `kill` does
stop_it()
{
	kill -TERM "$(cat "$1.pid")"
}

: > ended
begin waits --diagnostic-port waits.port -o waits.nettrace
begin goes_on --diagnostic-port "uds:$PWD/goes_on.port,listen" -o goes_on.nettrace
begin named --diagnostic-port "file://$PWD/named.port" -n orders -o '{name}.nettrace'
begin many --dport many.port --all-matching -o 'many_{pid}.nettrace'
for name in waits goes_on named many; do
	port_of $name
	[ "$(stat -c %a $name.port)" = 600 ] || fail "$name.port has mode $(stat -c %a $name.port)"
done

# in use, or not a socket
collect in_use --diagnostic-port waits.port -o in_use.nettrace
gave in_use 1
said in_use 'another program is listening at'
[ -S waits.port ] || fail "a port in use was removed"
echo keep > plain
collect plain --diagnostic-port plain -o plain.nettrace
gave plain 1
said plain 'is not a socket'
[ "$(cat plain)" = keep ] || fail "a file was replaced by a port"

one_that waits.port "$work" work 1
one_that goes_on.port,nosuspend "$work" work 5
one_that named.port "$work" exit 0 # not a match: it is resumed; the next one matches
one_that named.port "$orders/orders" --seconds 1
for i in $(seq 20); do
	one_that many.port "$work" exit 0
done
timeout 60 sh -c 'until [ "$(wc -l < ended)" = 24 ]; do sleep 0.1; done' || fail "not all runtimes end"
sleep 2
for name in waits goes_on named many; do # one that has recorded nothing would keep waiting
	stop_it $name 2> /dev/null
done
finish

[ "$(sort -u ended)" = 0 ] || fail "not all runtimes ended well"
for name in waits goes_on; do
	gave $name 0
	is_whole $name.nettrace
	said $name "DOTNET_DiagnosticPorts=$PWD/$name.port"
done
gave named 0
is_whole orders.nettrace
[ ! -e LaunchTarget.nettrace ] || fail "-n recorded another"
gave many 0
[ "$(ls many_*.nettrace | wc -l)" = 20 ] || fail "$(ls many_*.nettrace | wc -l) of 20 have a file"
for file in many_*.nettrace; do
	is_whole "$file"
done
for name in waits goes_on named many; do
	[ ! -e $name.port ] || fail "$name.port was left"
done

# a socket whose owner was killed is replaced
begin stale --diagnostic-port stale.port -o stale.nettrace
port_of stale
kill -KILL "$(cat stale.pid)"
finish
[ -S stale.port ] || fail "there is no stale socket to replace"
begin again --diagnostic-port stale.port -o again.nettrace
await "the port once more" grep -q 'listening at' again.err
one_that stale.port "$work" exit 0

# the other way round: we connect to a listening process
start "$orders/orders" --seconds 30
await "process $started" runs_managed "$started"
begin connect --diagnostic-port "$("$SOURCE/tests/interop/socket_of" "$started"),connect" --duration 1s -o connect.nettrace
collect nowhere --diagnostic-port nowhere.port,connect -o nowhere.nettrace
finish
gave again 0
is_whole again.nettrace
[ ! -e stale.port ] || fail "stale.port was left"
gave connect 0
is_whole connect.nettrace
gave nowhere 1
nothing_left
exit $bad

# Live .NET processes that cannot be asked to stop: without a socket, without a descriptor of ours, or
# stopped by a signal. Each recording ends, with the names that were taken early.
. "$SOURCE/tests/interop/collect_lib"

# named FILE: it has names of methods
named()
{
	"$PERFPIPE" events "$1" --provider Microsoft-Windows-DotNETRuntimeRundown 2> /dev/null |
		grep -q MethodNamespace || fail "$1 has no names"
}

# begin NAME [ARGUMENTS...]: records $pid as $collector, once names have been taken
begin()
{
	name=$1
	shift
	"$PERFPIPE" collect -p $pid -o $name.nettrace --json --early-rundown "$@" > $name.out 2> $name.err &
	collector=$!
	wait_for 20 has_names $collector || fail "$name takes no names"
}

# names are in a file without a name; their session has ended when two sockets are left: that of the
# recording and that for `perfpipe stop`
has_names()
{
	stat -c %N /proc/$1/fd/* > $name.links && stat -L -c %s /proc/$1/fd/* | paste $name.links - > $name.files &&
		grep -q '/#.*[[:space:]][1-9]' $name.files && [ $(grep -c "'socket:" $name.files) -eq 2 ]
}

# ended NAME CODE WORDS: exits with the code and says so
ended()
{
	wait $collector
	is "$1: exit code" $? $2
	[ -z "$3" ] || says $1 "$3"
}

socket_gone()
{
	start 60
	begin signal
	rm "$("$SOURCE/tests/interop/socket_of" $pid)"
	kill -INT $collector
	ended signal 2 'cannot be asked to stop (there is no socket .*its stream was closed, .*with the method names of'
	stops signal signal
	cut_off signal.nettrace
	named signal.nettrace
	is "events" "$(value signal.out events)" "$(info signal.nettrace events)"
	kill -0 $pid || fail "the process has not survived"
}

limits()
{
	start 60
	begin packed --duration 12s --compress zstd
	rm "$("$SOURCE/tests/interop/socket_of" $pid)"
	ended packed 2 'cannot be asked to stop'
	stops packed duration
	cut_off packed.nettrace.zst
	named packed.nettrace.zst
}

series()
{
	start 60
	begin series --roll 6s
	rm "$("$SOURCE/tests/interop/socket_of" $pid)"
	ended series 2 'cannot start the next file: there is no socket'
	last=$(ls series_*.nettrace | tail -n 1)
	cut_off $last
	named $last
}

piped()
{
	start 60
	(
		"$PERFPIPE" collect -p $pid -o - --early-rundown --duration 12s 2> piped.err
		echo $? > piped.code
	) > piped.nettrace &
	wait_for 20 test -s piped.nettrace || fail "nothing comes through the pipe"
	rm "$("$SOURCE/tests/interop/socket_of" $pid)"
	wait_for 60 test -s piped.code || fail "the pipe is not closed"
	is "piped: exit code" "$(cat piped.code)" 2
	cut_off piped.nettrace
}

# limit COUNT: leaves $collector that many of its descriptors in reserve, which are the lowest of its own
limit()
{
	lowest=0
	while [ "$(readlink /proc/$collector/fd/$lowest)" != 'anon_inode:[eventfd]' ]; do
		lowest=$((lowest + 1))
	done
	prlimit --pid $collector --nofile=$((lowest + $1))
}

# three are what a connection takes
descriptors()
{
	export ASAN_OPTIONS=detect_leaks=0 # which needs descriptors itself
	start 60
	begin reserve
	limit 3
	kill -INT $collector
	ended reserve 0 ''
	whole reserve.nettrace
	begin none
	limit 0
	kill -INT $collector
	ended none 2 'cannot be asked to stop (.*Too many open files)'
	cut_off none.nettrace
	named none.nettrace
	collect after 0 --duration 1s # the session was ended by its runtime
	whole after.nettrace
}

# two of them: one has no socket, and the other one is recorded to its end
two()
{
	start 60
	first=$pid
	start 60
	"$PERFPIPE" collect -p $first,$pid -o 'two_{pid}.nettrace' --early-rundown > two.out 2> two.err &
	collector=$!
	wait_for 20 test -s two_$first.nettrace.partial -a -s two_$pid.nettrace.partial || fail "two are not recorded"
	rm "$("$SOURCE/tests/interop/socket_of" $first)"
	kill -INT $collector
	ended two 2 "process $first cannot be asked to stop"
	cut_off two_$first.nettrace
	whole two_$pid.nettrace
}

stopped()
{
	start 60
	begin frozen --roll 200MB
	kill -STOP $pid
	kill -INT $collector
	ended frozen 2 'is stopped (by a signal or a debugger) and does not answer'
	kill -CONT $pid
	cut_off frozen_0001.nettrace
	named frozen_0001.nettrace
}

# its processes end with it
run() { trap tidy EXIT; "$@"; }

for part in socket_gone limits series piped descriptors two stopped; do
	later run $part
	[ $part != series ] || await
done
await
finish

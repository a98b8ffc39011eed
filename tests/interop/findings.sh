# Programs with one kind of trouble each, recorded as their README says: each has its findings and no others, what those
# suggest has an answer, and a healthy program has none.
trouble=$("$SOURCE/tests/interop/dotnet_built" samples/dotnet-trouble)/trouble || exit $?
. "$SOURCE/tests/interop/collect_lib"
. "$SOURCE/tests/cli/findings_lib"

# first COMMAND...: before all others on the machine, if that is allowed: what they do must not show in the recordings. A
# launched program has a session of its own, and so needs it, too.
cat > first << 'EOF'
#!/bin/sh
{ echo -20 > /proc/self/autogroup; } 2> /dev/null
exec nice -n -20 "$@" 2>&1
EOF
chmod +x first

# microseconds in which something waited for a processor, so far; 0 where the kernel does not say
pressure() { sed -n 's/^some .*total=//p' /proc/pressure/cpu 2> /dev/null | grep . || echo 0; }

# is_busy SINCE: then, for 200 ms or more
is_busy() { [ $(($(pressure) - $1)) -ge 200000 ]; }

# found FILE "IDS": the ids of its findings; on a busy machine without what that causes, unless it is among the wanted ones
found()
{
	has=$(findings "$1" | sed "1s/^[^:]*: //; 1s/ *\$//" | tr '\n' ' ')
	# native-cpu: a program that mostly waits then spends its time waking up
	for caused in cpu-saturation gc-pauses native-cpu; do
		case " $2 " in
		*" $caused "*) ;;
		*) ! is_busy "$before" || has=$(echo " $has" | sed "s/ $caused / /") ;;
		esac
	done
	echo $has
}

# expect_findings NAME "IDS" COMMAND...: records NAME.nettrace
expect_findings()
{
	name=$1 ids=$2 before=$(pressure)
	shift 2
	rm -f "$name.nettrace"
	setsid -w ./first timeout 120 "$@" > "$name.out" < /dev/null ||
		{ fail "$name: exit code $?"; cat "$name.out"; }
	has=$(found "$name.nettrace" "$ids")
	[ "$has" != "$ids" ] || return 0
	fail "$name has '$has', wanted '$ids'"
	"$PERFPIPE" report "$name.nettrace" -n 3
}

# kind KIND SECONDS "IDS" [OPTIONS]
kind()
{
	kind=$1 seconds=$2 wanted=$3
	shift 3
	expect_findings "$kind" "$wanted" "$PERFPIPE" collect -o "$kind.nettrace" "$@" -- \
		"$PWD/first" "$trouble" $kind $seconds
}

kind starve 5 threadpool-starvation --profile threadpool
kind block 2 sync-over-async
kind block 2 threadpool-growth --profile threadpool
kind locks 2 lock-convoy --profile contention
kind deadlock 3 deadlock --profile contention
kind deadlock 3 stuck-threads
kind collect 2 gc-induced --profile gc-collect
kind throw 2 exceptions-control-flow --profile exceptions
kind compile 2 jit-storm --profile jit
kind compile 3 jit-cpu
kind native 2 native-cpu
kind saturate 2 cpu-saturation
kind errors 2 failed-requests --profile aspnet,http
kind slow 3 slow-path --profile aspnet
expect_findings untiered tiering-off env DOTNET_TieredCompilation=0 \
	"$PERFPIPE" collect -o untiered.nettrace --profile jit -- "$PWD/first" "$orders" --seconds 1

kind garbage 2 "gc-pressure loh-churn gc-induced" --profile gc-verbose

# a deadlock that is already there
setsid ./first "$trouble" deadlock 120 > deadlock.out &
pid=$!
started="$started $pid"
wait_for 60 has_socket $pid && wait_for 60 runs_managed $pid || fail "the deadlock does not start"
expect_findings attached stuck-threads "$PERFPIPE" collect -p $pid -o attached.nettrace --duration 3s
expect_findings contended "" "$PERFPIPE" collect -p $pid -o contended.nettrace --duration 1s --profile contention

start 120 setsid "$PWD/first"
expect_findings healthy "" "$PERFPIPE" collect -p $pid -o healthy.nettrace --duration 3s \
	--profile dotnet-common,dotnet-sampled-thread-time,gc-verbose,contention
finish

# A live program with assemblies, classes and methods of odd names, recursion, an event with a boolean and a server's
# garbage collections: the figures are those of the program.
. "$SOURCE/tests/interop/collect_lib"
odd=$("$SOURCE/tests/interop/dotnet_built" tests/interop/OddNames)/OddNames || exit $?

DOTNET_gcServer=1 timeout 120 "$PERFPIPE" collect -o odd.nettrace --profile dotnet-sampled-thread-time,gc-verbose \
	--providers Odd-Payments:0xFFFFFFFFFFFF:4 --stopping-event-provider-name Odd-Payments --stopping-event-event-name Pay \
	--stopping-event-payload-filter card:True,number:5 -- "$odd" > collected 2>&1 || fail "collect: $(cat collected)"
forget "$(info odd.nettrace process_id)" # SIGTERM ended it, which it does not handle
grep -q 'stopped by event' collected || fail "the event did not stop it: $(cat collected)"

# booleans: only those that are true, and the last one ended the recording
"$PERFPIPE" events odd.nettrace --provider Odd-Payments --where 'card == "true"' --format csv > paid
tail -n +2 paid | grep -c . > count
[ "$(cat count)" = 3 ] || fail "$(cat count) payments by card, not 3: $(cat paid)"
! grep -qi false paid || fail "payments without a card: $(cat paid)"

report() { "$PERFPIPE" report odd.nettrace "$@" --csv -n 1000; }

report cpu --by module > modules
report cpu --by class > classes
report cpu > methods
for module in order-core user-core 'my shop' 'a+b`1'; do
	grep -qF "$module,," modules || fail "no module $module: $(cat modules)"
	grep -qF "$module!Shop.Worker,," classes || fail "no class of $module: $(cat classes)"
	grep -qF "$module!Shop.Box<T0>.Inner<int>,," classes || fail "no nested class of $module: $(cat classes)"
done
! grep -Ei '^(core|shop|b?`?1),|lambda|Local|IDisposable|\.,' modules classes || fail "parts of names"
grep -qF '"Shop.Worker.Apply(delegate*<int, int>, int)",my shop' methods || fail "no function pointer: $(grep Apply methods)"

# Walk is on the stack three times: Run called it once, and Visit twice
report cpu --callers Worker.Walk | awk -F, '
	/Run/ { run = $(NF - 2) }
	/Visit/ { visit = $(NF - 2) }
	END { if (!run || visit - 2 * run > 4 || 2 * run - visit > 4) { print "Walk: Run " run ", Visit " visit; exit 1 } }' ||
	fail "callers of a recursive method"

# a collection whose end comes before threads resume has stopped them all the time, whatever its type
report gc | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ pause = $at["pause_ns"]; whole = $at["duration_ns"]; stopped = $at["stopped_ns"]; count++ }
	stopped >= whole && pause < whole { print "GC", $1, $at["type"], pause, "of", stopped; bad = 1 }
	END { if (bad || !count) { print count, "collections"; exit 1 } }' || fail "pauses"
finish

# perfpipe profile, live: programs that are launched and that run, what is kept, exit codes, Ctrl+C, and figures
# that equal those of the other views.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"
shares=$("$SOURCE/tests/interop/dotnet_built" tests/interop/CpuShares)/CpuShares || exit $?

# run NAME ARGUMENTS... - the results are NAME.out, NAME.err and NAME.code
run()
{
	ran=$1
	shift
	timeout 120 "$PERFPIPE" "$@" > "$ran.out" 2> "$ran.err"
	echo $? > "$ran.code"
}

# printed NAME PATTERN - in its report
printed()
{
	grep -q -e "$2" "$1.out" && return
	fail "$1 does not print '$2':"
	cat "$1.out" "$1.err"
}

# launched: its exit code, the file that is kept, and none that is
run launched profile -o launched.nettrace -- "$work" exit 7
gave launched 7
said launched 'launched.nettrace: .* stopped by child exit'
printed launched 'Collected .*EventPipe'
is_whole launched.nettrace
run named profile --hide-child-io -- "$work" exit 0
gave named 0
is_whole "$(sed -n 's/^perfpipe: \(LaunchTarget_[0-9_]*\.nettrace\): .*/\1/p' named.err)"
mkdir nothing nothing/tmp
(cd nothing && TMPDIR=$PWD/tmp run ../unnamed profile --no-file --json -- "$work" exit 5)
gave unnamed 5
printed unnamed '"file": null'
said unnamed 'perfpipe: recorded: '
[ -z "$(find nothing -type f)" ] || fail "--no-file leaves $(find nothing -type f)"
TMPDIR=$PWD run killed profile -o killed.nettrace -- "$work" signal 9 # it leaves its socket
gave killed 137
printed killed 'Collected'
run native profile -- true
gave native 1
said native 'true exited with code 0 and nothing was recorded: no .NET runtime connected'
[ ! -s native.out ] || fail "a native program has a report"

# running: by pid and by name, all figures in one recording, the same as those of the other views
cp -R "$orders" copied && mv copied/orders "copied/profiled-$$" # a name that no other process has
start "./copied/profiled-$$" --seconds 300
await "process $started" runs_managed "$started"
run all profile -p "$started" --duration 3s --cpu --memory --exceptions --contention -o all.nettrace --json
gave all 0
printed all '"collection": "eventpipe"'
grep -q 'perfpipe: all.nettrace: .*stopped by duration' all.err || fail "all was not stopped by its duration"
figure() { sed -n "/^  \"all\": {/,/^  }/s/^    \"$1\": \([0-9]*\),*\$/\1/p" all.out; }
view() { "$PERFPIPE" report all.nettrace "$1" --json | sed -n "s/^  \"$2\": \([0-9]*\),\$/\1/p"; }
for pair in 'cpu_ns cpu cpu_ns' 'samples cpu samples' 'allocated_bytes alloc bytes' \
	'waited_ns contention total_ns' 'exceptions exceptions count'; do
	set -- $pair
	[ "$(figure "$1")" -gt 0 ] && [ "$(figure "$1")" = "$(view "$2" "$3")" ] ||
		fail "$1 is $(figure "$1"), and $3 of $2 is $(view "$2" "$3")"
done
tree() { "$PERFPIPE" report all.nettrace "$@" --no-fold --json | awk -F '[:,]' '
	/"depth"|"inclusive_ns"|"exclusive_ns"|"inclusive"|"exclusive"|"name"/ { sub(/^ */, ""); line[$1] = $0 }
	/^    }/ { print line["\"depth\""], line["\"name\""], line["\"inclusive_ns\""], line["\"exclusive_ns\""],
		line["\"inclusive\""], line["\"exclusive\""] }' | sort; }
tree cpu --tree | grep '"inclusive_ns": [1-9]' > of_cpu
tree profile --cutoff 0 | sed -n '/"depth"/p' | grep '"inclusive_ns": [1-9]' > of_profile
[ "$(wc -l < of_cpu)" -gt 20 ] || fail "the tree has no calls"
comm -23 of_cpu of_profile | grep . && fail "cpu --tree has other calls than the profile"
run by_name profile -n "profiled-$$" --no-file --duration 1s -q
gave by_name 0
[ ! -s by_name.err ] || fail "-q is not quiet: $(cat by_name.err)"
printed by_name 'Top methods'
printed by_name 'Call tree'
printed by_name 'Orders.OrderService'

# Ctrl+C ends it, and the report comes
sh -c 'echo $$ > interrupted.pid; exec "$@"' sh "$PERFPIPE" profile -p "$started" --duration 10m \
	-o interrupted.nettrace > interrupted.out 2> interrupted.err &
sampled() { "$PERFPIPE" report interrupted.nettrace.partial cpu --json | grep '"samples": [1-9]'; }
await "a sample" sampled
kill -INT "$(cat interrupted.pid)"
wait $!
echo $? > interrupted.code
gave interrupted 0
said interrupted 'stopped by signal'
printed interrupted 'Call tree'
is_whole interrupted.nettrace

# collect has the same at its end, of any view
run collected collect -p "$started" --duration 1s -o collected.nettrace --report gc
gave collected 0
printed collected 'collected.nettrace: garbage collections'
run again collect -p "$started" --duration 1s -o again.nettrace --report
gave again 0
printed again 'Call tree'

# methods with known shares of the time: Most has 70 of 120 units
run shares profile --no-file --root Shares.Round --csv -- "$shares" 5
gave shares 0
awk '{ line = $0; sub(/.*\)"?,/, "", line); split(line, column, ",") } # what follows the name
	/Shares.Round\(/ { round = column[2] } /Shares.Most\(/ { most = column[2] }
	END { printf "Most has %.1f %% of Round, expected 58.3 %%\n", 100 * most / round
		exit !(most / round > 0.45 && most / round < 0.72) }' shares.out || { fail "shares are wrong"; cat shares.out; }
exit $bad

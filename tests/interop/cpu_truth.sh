# CPU time is what the kernel says it is: programs that use processors in ways that are easy to
# misjudge run side by side, more threads than processors, and what is said of each agrees with
# schedstat, read by somebody else, within 2 % or 20 ms, or what was used between two of their readings; all views agree with each other exactly.
. "$SOURCE/tests/interop/targets"
truth=$("$SOURCE/tests/interop/dotnet_built" tests/interop/CpuTruth)/CpuTruth || exit $?
counts=$("$SOURCE/tests/interop/dotnet_built" tests/interop/TraceEventCounts)/TraceEventCounts.dll || exit $?
log=$(dirname "$PERFPIPE")/tests/cpu_log

fail() { echo "failed: $*"; bad=1; }

# begin SHAPE COUNT - until its input ends; its pid is $started
begin()
{
	mkfifo "$1.in"
	"$truth" "$1" "$2" < "$1.in" > "$1.out" 2>&1 &
	started=$!
	targets="$targets $started"
	exec 9> "$1.in" # held open by this shell, and by nobody else
	await "$1" grep -q ready "$1.out"
}

# number KEY - the first value of that key, of JSON with a line per value
number() { sed -n "s/^ *\"$1\": \([0-9.]*\),*$/\1/p" | head -n 1; }

# readings TRACE - the times of the first reading and of the last
readings()
{
	"$PERFPIPE" events "$1" --provider Perfpipe --name ThreadTimes --json 2> /dev/null |
		sed -n 's/.*"payload":{"time":\([0-9]*\),.*/\1/p' | sed -n '1p;$p' | tr '\n' ' '
}

# wanted SHAPE TRACE COLUMN - what the log says was used between the readings, in ns, and how far off
# that may be: a log that had to wait for a processor does not say when between two lines it was used
wanted()
{
	awk -v times="$(readings "$2")" -v column="$3" '
		BEGIN { split(times, time, " ") }
		{
			for (i in time)
				if ($1 >= time[i] && before <= time[i] && !(i in at)) {
					at[i] = had + ($column - had) * (time[i] - before) / ($1 - before)
					unsure += before ? $column - had : 0
				}
			before = $1
			had = $column
		}
		END {
			for (i = 1; i <= 2; i++)
				if (!(i in at))
					at[i] = had # a reading after the last line of the log
			printf "%.0f %.0f\n", at[2] - at[1], unsure
		}' "$1.log"
}

# check SHAPE TRACE [COLUMN] - 2: by schedstat, 3: by the clock of the process
check()
{
	wanted=$(wanted "$1" "$2" "${3:-2}")
	unsure=${wanted#* } wanted=${wanted% *}
	said=$("$PERFPIPE" report "$2" cpu --json -n 40 > "$1.json" 2> /dev/null; number cpu_ns < "$1.json")
	[ -n "$said" ] || { fail "$1: $2 has no CPU time"; return; }
	echo "$1: $((said / 1000000)) ms, the kernel says $((wanted / 1000000)) ms (within $((unsure / 1000000)))"
	off=$((said > wanted ? said - wanted : wanted - said))
	[ $off -le 20000000 ] || [ $((off * 50)) -le "$wanted" ] || [ $off -le "$unsure" ] || fail "$1: off by $((off / 1000000)) ms"
	for view in threadtime summary processes; do
		other=$("$PERFPIPE" report "$2" $view --json 2> /dev/null | number cpu_ns)
		[ "$other" = "$said" ] || fail "$1: $view says $other ns, cpu $said"
	done
	threads=$("$PERFPIPE" report "$2" threads --json 2> /dev/null |
		sed -n 's/^ *"cpu_ns": \([0-9]*\),$/\1/p' | awk '{ all += $1 } END { printf "%.0f", all }')
	[ "$threads" = "$said" ] || fail "$1: threads have $threads ns, cpu $said"
	awk -v most="$(nproc)" '/mean_processors/ { gsub(/[^0-9.]/, "", $2); exit $2 > most * 1.02 }' "$1.json" ||
		fail "$1: more processors than there are"
}

# share SHAPE NAME LEAST - percent, exclusive, of rows whose name contains it, besides the runtime's own threads
share()
{
	awk -v name="$2" -v least="$3" '
		/^  "methods"/ { rows = 1 }
		rows && /^      "name"/ { mine = index($0, name); other = /"\[t/ }
		rows && /"exclusive_ns"/ { had += mine ? $2 : 0; all += other ? 0 : $2 }
		END {
			printf "%s: %.1f %% in %s\n", FILENAME, 100 * had / all, name
			exit 100 * had < least * all
		}' "$1.json" || fail "$1: '$2' has less than $3 %"
}

# record SHAPE COUNT [OPTIONS] - of a program of its own, into SHAPE.nettrace
record()
{
	shape=$1
	begin "$shape" "$2"
	shift 2
	"$log" "$started" > "$shape.log" 9>&- &
	targets="$targets $!"
	await "the log of $shape" test -s "$shape.log"
	timeout 60 "$PERFPIPE" collect -q -p "$started" --duration 3s -o "$shape.nettrace" "$@" ||
		fail "$shape cannot be recorded"
	exec 9>&-
	wait "$started"
}

# together SHAPE,COUNT... - all at the same time
together()
{
	jobs=
	for shape in "$@"; do
		(targets=; trap end_targets EXIT; record "${shape%,*}" "${shape#*,}"; exit $bad) &
		jobs="$jobs $!"
	done
	for job in $jobs; do
		wait "$job" || bad=1
	done
}

together busy,8 waiting,60 web,1
together sha,1 brotli,1 short,2
together files,1 garbage,2 recurse,1

for shape in busy sha brotli files web waiting garbage recurse; do
	check $shape $shape.nettrace
done
check short short.nettrace 3
share busy Spin 80
share sha '[native code]' 70
share brotli '[native code]' 60
share files '[native code]' 30
share short '[ended threads]' 40
share recurse Recurse 60

# Also in a series of files, packed, through a pipe, and of a process that is killed.
begin many 1
"$log" "$started" > many.log 9>&- &
targets="$targets $!"
await "the log" test -s many.log
timeout 60 "$PERFPIPE" collect -q -p "$started" -o killed.nettrace 9>&- &
killed=$!
await "its recording" test -s killed.nettrace.partial
timeout 60 "$PERFPIPE" collect -q -p "$started" --duration 3s --roll 1s -o rolled.nettrace 9>&- &
rolled=$!
timeout 60 "$PERFPIPE" collect -q -p "$started" --duration 3s --compress gzip -o packed.nettrace 9>&- &
packed=$!
timeout 60 "$PERFPIPE" collect -q -p "$started" --duration 3s -o - > piped.nettrace 9>&- || fail "a pipe"
wait $rolled && wait $packed || fail "a series of files, or a packed one"
kill -KILL "$started"
wait $killed
for trace in rolled_000[12].nettrace packed.nettrace.gz piped.nettrace killed.nettrace; do
	[ -e "$trace" ] || { fail "there is no $trace: $(ls)"; continue; }
	check many "$trace"
done
"$PERFPIPE" info killed.nettrace | grep -q '^Thread times' || fail "a killed process has no readings"

# Without readings figures are not called CPU time.
"$PERFPIPE" collect -q --no-thread-times --hide-child-io -o without.nettrace -- "$truth" recurse 1 < /dev/null
"$PERFPIPE" report without.nettrace cpu --json | grep -q '"cpu_ns": null' || fail "CPU time without readings"

# .NET's own reader opens such a file, and sees our events as well.
told=$("$PERFPIPE" info --json busy.nettrace | number thread_times)
theirs=$(dotnet "$counts" busy.nettrace | sed -n 's/^Perfpipe 2 0 //p')
[ "${told:-0}" -gt 2 ] && [ "$told" = "$theirs" ] || fail "TraceEvent sees '$theirs' readings, info '$told'"
exit $bad

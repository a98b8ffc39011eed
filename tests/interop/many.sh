# Several processes at once, running and still to come.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"
cp -R "$orders" app || exit 1
cp -R "$(dirname "$work")" ending || exit 1
# unique names
for name in listed all; do
	cp app/orders "app/$name-$$" || exit 1
done
for name in wait every; do
	cp ending/LaunchTarget "ending/$name-$$" || exit 1
done

begin wait -n "wait-$$" --wait -o wait.nettrace
begin every -n "every-$$" --every -o 'every_{pid}.nettrace'
for i in 1 2 3; do
	start "app/listed-$$" --seconds 600
	eval "listed_$i=$started"
	start "app/all-$$" --seconds 600
	eval "all_$i=$started"

done
for target in $targets; do
	await "process $target" runs_managed "$target"
done

# a stopped process does not delay the others
kill -STOP $listed_2 $all_2
for target in $listed_2 $all_2; do
	await "the stop of $target" grep -q '^State:.T' "/proc/$target/status"
done

begin listed -p $listed_1,$listed_2,$listed_3 --duration 1s -o 'listed_{pid}.nettrace'
begin all -n "all-$$" --all-matching --duration 1s -o 'all_{pid}.nettrace'

await "who waits" grep -q "waiting for a .NET process called wait-$$" wait.err
# run_recorded NAME FILE - a process that ends by itself once it is recorded into that file
run_recorded()
{
	mkfifo "$1.lines"
	"ending/$1-$$" echo < "$1.lines" > /dev/null &
	started=$!
	targets="$targets $started"
	exec 9> "$1.lines"
	await "a recording of $1" test -s "$(echo "$2" | sed "s/PID/$started/").partial"
	exec 9>&-
	wait "$started"
	rm "$1.lines"
}

run_recorded wait wait.nettrace
for i in 1 2 3; do # the first and two restarts
	run_recorded every every_PID.nettrace
done
kill -TERM "$(cat every.pid)"
finish

gave listed 1
said listed "process $listed_2 (listed-$$) cannot be traced: a signal has stopped it"
[ "$(ls listed_*.nettrace)" = "$(printf '%s\n' listed_$listed_1.nettrace listed_$listed_3.nettrace | sort)" ] ||
	fail "of the listed there are $(ls listed_*)"
gave all 1
said all "process $all_2 (all-$$) cannot be traced: a signal has stopped it"
[ "$(ls all_*.nettrace | wc -l)" = 2 ] || fail "of two of a name that run there are $(ls all_*)"

gave wait 0
gave every 0
[ "$(ls every_*.nettrace | wc -l)" = 3 ] || fail "of three starts there are $(ls every_*)"
for file in listed_*.nettrace all_*.nettrace wait.nettrace every_*.nettrace; do
	is_whole "$file"
done

# nor does one stopped while it is recorded, when the next files of their series are due
kill -CONT $listed_2
begin rows -p $listed_1,$listed_2 --roll 500ms --rundown false -o 'rows_{pid}.nettrace'
has_rolled() { [ "$(ls rows_$1_*.nettrace | wc -l)" -ge "$2" ]; }
await "files of $listed_2" has_rolled $listed_2 2
kill -STOP $listed_2
# its next file is due first, and cannot be started
await "files of $listed_1 beside a stopped process" has_rolled $listed_1 $(($(ls rows_${listed_1}_*.nettrace | wc -l) + 4))
kill -CONT $listed_2
await "files of $listed_2" has_rolled $listed_2 $(($(ls rows_${listed_2}_*.nettrace | wc -l) + 2))
kill -TERM "$(cat rows.pid)"
finish
gave rows 0
nothing_left
exit $bad

# Several processes at once, running and still to come.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"
cp -R "$orders" app || exit 1
# unique names
for name in listed all wait every; do
	cp app/orders "app/$name-$$" || exit 1
done

begin wait -n "wait-$$" --wait -o wait.nettrace
begin every -n "every-$$" --every -o 'every_{pid}.nettrace'
for i in 1 2 3; do
	start "app/listed-$$" --seconds 60
	eval "listed_$i=$started"
	start "app/all-$$" --seconds 60
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
start "app/wait-$$" --seconds 1
for i in 1 2 3; do # the first and two restarts
	"app/every-$$" --seconds 1 > /dev/null
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
sleep 1 # now it should start the next file, and cannot
before=$(ls rows_${listed_1}_*.nettrace | wc -l)
sleep 3
after=$(ls rows_${listed_1}_*.nettrace | wc -l)
[ $((after - before)) -ge 4 ] || fail "one that is stopped held up the other: $before files became $after"
kill -CONT $listed_2
await "files of $listed_2" has_rolled $listed_2 $(($(ls rows_${listed_2}_*.nettrace | wc -l) + 2))
kill -TERM "$(cat rows.pid)"
finish
gave rows 0
nothing_left
exit $bad

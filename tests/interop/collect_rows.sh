# Series of files, and many consecutive recordings that leave nothing behind.
. "$SOURCE/tests/interop/collect_lib"
start 600
collect first 0 --duration 50ms --quiet # creates what a runtime creates only once
before=$(ls /proc/$pid/fd | wc -l)
threads=$(cat /proc/$pid/task/*/comm | grep -c EventPipe)
later collect row 0 --roll 600ms --keep 2 --duration 3200ms --json --providers Orders
later collect sized 0 --roll 30kB --duration 2s --json --rundown false --clrevents gc+exception+loader --clreventlevel 5

# fifty, four at a time
many()
{
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
		collect many-$1-$i 0 --duration 50ms --rundown false --providers Orders --quiet
	done
}
later many a
later many b
later many c
later many d
await
is "recordings" "$(ls many-*.nettrace | wc -l)" 52
for file in many-*-13.nettrace; do
	whole "$file"
done
few_descriptors() { [ "$(ls /proc/$pid/fd | wc -l)" -le "$before" ]; }
wait_for 5 few_descriptors || fail "descriptors are left in the process"
session_threads() { cat /proc/$pid/task/*/comm | grep -c EventPipe; }
no_sessions() { [ "$(session_threads)" -le "$threads" ]; }
wait_for 5 no_sessions || fail "threads of sessions are left in the process"

# a process has at most 64 sessions, so none was left behind
collect after 0 --duration 50ms --quiet

stops row duration
is "files of the row" "$(ls row_*.nettrace | wc -l)" 2
last=$(ls row_*.nettrace | tail -1)
is "file" "$(value row.out file)" "$last"
for file in row_*.nettrace; do
	whole "$file"
	[ "$("$PERFPIPE" events "$file" --provider '*Rundown' --name 'Method/*' | wc -l)" -gt 100 ] ||
		fail "$file has no names of its own"
done
# nothing is lost between two files: every order that was started is in one of them
for file in row_*.nettrace; do
	"$PERFPIPE" events "$file" --name Order/Start --json
done | sed 's/.*"payload":{"id":\([0-9]*\).*/\1/' | sort -nu > ids
is "orders without one missing" "$(($(tail -1 ids) - $(head -1 ids) + 1))" "$(wc -l < ids)"
# in one report the process is one, and its events are those of all files
"$PERFPIPE" report row_*.nettrace processes --csv > processes.csv || fail "no report of the series"
is "processes of the series" "$(($(wc -l < processes.csv) - 1))" 1
is "events of the series" "$(sed -n 2p processes.csv | cut -d, -f3)" "$(
	for file in row_*.nettrace; do
		"$PERFPIPE" report "$file" processes --csv | sed -n 2p | cut -d, -f3
	done | awk '{ sum += $1 } END { print sum }')"
[ "$(ls sized_*.nettrace | wc -l)" -ge 2 ] || fail "the file does not roll by size"
for file in sized_*.nettrace; do
	whole "$file"
done
finish

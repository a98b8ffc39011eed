# Awaits in a row, nested, together and blocked: with all events of tasks, and without their ends or samples.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/awaits.nettrace.zst" awaits.nettrace
cp "$SOURCE/tests/data/awaits-endless.nettrace.zst" endless.nettrace

COLUMNS=120
export COLUMNS
show report awaits.nettrace tasks
show report endless.nettrace tasks
show report endless.nettrace tasks --json -n 1
echo "--- awaited, in threadtime"
"$PERFPIPE" report awaits.nettrace threadtime --json -n 0 | grep '^  "await_ns"'

# as dotnet-trace shows it, where only the first of awaits that a task begins counts
show report awaits.nettrace topN --wall --raw-names -n 8
show report awaits.nettrace topN --wall --raw-names -n 12 --inclusive

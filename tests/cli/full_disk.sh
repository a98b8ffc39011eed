# Output that cannot be written is a failure of every command.
[ -c /dev/full ] || exit 77
"$PERFPIPE" --version 2>&1 > /dev/full
echo "exit code $?"
"$PERFPIPE" help completion 2>&1 > /dev/full
echo "exit code $?"
# a trace that was not read to its end because of that is not truncated
"$PERFPIPE" events "$SOURCE/tests/data/orders.nettrace.gz" 2>&1 > /dev/full
echo "exit code $?"

# A reader that closes the pipe early, as head does, ends the program silently.
cd "$SOURCE/tests/data" || exit
"$PERFPIPE" info -v orders.nettrace.gz 2>&1 | head -n 1

# Closed before the first byte: the exit code is that of a broken pipe, 128 + 13.
exec 3>&1
{
	sleep 0.2
	env --default-signal=PIPE "$PERFPIPE" info --json orders.nettrace.gz 2>&3
	echo "exit code $?" >&3
} | true

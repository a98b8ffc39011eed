# A reader that goes away, as head does, ends the program without a word.
cd "$SOURCE/tests/data" || exit
"$PERFPIPE" info -v orders.nettrace.gz 2>&1 | head -n 1

# One that has gone before the first byte comes: the code is that of a broken pipe, 128 + 13.
exec 3>&1
{
	sleep 0.2
	env --default-signal=PIPE "$PERFPIPE" info --json orders.nettrace.gz 2>&3
	echo "exit code $?" >&3
} | true

# A reader that goes away, as head does, ends the program without a word.
fifo=$PWD/fifo
mkfifo "$fifo"
cd "$SOURCE/tests/data" || exit
{ "$PERFPIPE" info -v orders.nettrace.gz 2>&1 || echo "exit code $?" >&2; } | head -n 1

# One that is gone before the first byte: the second side opens the pipe only to close it.
{ sleep 0.2; "$PERFPIPE" info --json orders.nettrace.gz; echo "exit code $?" >&3; } 2>&1 3>&1 > "$fifo" &
: < "$fifo"
wait

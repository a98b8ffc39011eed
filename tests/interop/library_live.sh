# live_events prints the garbage collections of a running process as they happen, and ends when the process does.
. "$SOURCE/tests/interop/targets"
examples=$(dirname "$PERFPIPE")/examples
start "$orders/orders" --seconds 600
pid=$started
await "the socket of the sample" "$SOURCE/tests/interop/socket_of" $pid
"$examples/live_events" "$("$SOURCE/tests/interop/socket_of" $pid)" > printed 2> said &
example=$!
targets="$targets $example"
has_three() { [ "$(grep -c '^GC [0-9]*: [A-Z]' printed)" -ge 3 ]; }
await "three collections" has_three
kill -TERM $pid
wait $example || { echo "live_events fails:"; cat said printed; exit 1; }
# threads write at their own pace, so that collections of two may come in any order
sort printed | uniq -d | grep . && { echo "printed twice"; exit 1; }
grep -v '^GC [0-9]*: \(Alloc[A-Z][A-Za-z]*\|Induced[A-Za-z]*\|OutOfSpace[A-Z]*\)$' printed && exit 1
exit 0

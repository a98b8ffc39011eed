# collect --format: the finished recording is converted, and the trace is kept; if the conversion fails, so does
# the command, and the trace is still kept.
. "$SOURCE/tests/interop/collect_lib"

start 600
"$PERFPIPE" collect -p $pid --duration 1s -o app.nettrace --format Speedscope > out 2> log ||
	{ fail "collect --format ends with $?"; cat log; }
grep -q '^perfpipe: wrote app.speedscope.json (speedscope, .*B); open it at https://www.speedscope.app$' log || fail "it does not say where to: $(cat log)"
"$PERFPIPE" convert app.nettrace -f speedscope -o again.speedscope.json || fail "convert fails"
cmp app.speedscope.json again.speedscope.json || fail "collect and convert do not write the same"
grep -q '"type":"evented"' app.speedscope.json || fail "there are no profiles"

# no samples are recorded, so the conversion fails
"$PERFPIPE" collect -p $pid --duration 1s -o none.nettrace --format speedscope --providers Orders > out 2> log
code=$?
[ $code -eq 5 ] || fail "exit code $code, wanted 5"
grep -q 'none.nettrace has no' log || fail "it does not say why: $(cat log)"
[ -s none.nettrace ] || fail "the trace is gone"
[ ! -e none.speedscope.json ] && [ ! -e none.speedscope.json.partial ] || fail "there is half a file"
finish

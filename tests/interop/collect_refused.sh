# Runtimes that do not stop when they are asked to, or send what is not a trace: each recording ends
# by itself, with a readable file, the reason and an exit code. They are played by fake_runtime.
fake=$(dirname "$PERFPIPE")/tests/fake_runtime
started=
failed=0
tidy() { for process in $started; do kill $process 2> /dev/null; done; }
trap tidy EXIT

fail() { echo "failed: $*"; failed=1; }
is() { [ "$2" = "$3" ] || fail "$1 is '$2', wanted '$3'"; }
info() { "$PERFPIPE" info --json "$1" 2> /dev/null | sed -n "s/^  \"$2\": \"*\([^\",]*\)\"*,*\$/\1/p"; }
value() { sed -n "s/^      \"$2\": \"*\([^\",]*\)\"*,*\$/\1/p" "$1"; }

# play NAME MODE: it listens at ./NAME.socket
play()
{
	"$fake" "./$1.socket" "$2" > "$1.log" &
	started="$started $!"
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ -S "$1.socket" ] || sleep 0.2
	done
}

# refused NAME MODE SAYS OUTPUT [ARGUMENTS...]: a recording that ends with exit code 2 and these words
refused()
{
	name=$1 says=$3 output=$4
	play "$1" "$2"
	shift 4
	timeout 200 "$PERFPIPE" collect --diagnostic-port "./$name.socket,connect" -o "$output" \
		--early-rundown --json "$@" > "$name.out" 2> "$name.err"
	is "$name: exit code" $? 2
	grep -q "$says" "$name.err" || { fail "$name does not say '$says'"; cat "$name.err"; }
}

# cut NAME FILE WORDS: readable, but not complete; with the name that was taken early
cut()
{
	is "$1: complete" "$(info "$2" complete)" false
	is "$1: complete in JSON" "$(value "$1.out" complete)" false
	is "$1: events" "$(value "$1.out" events)" "$(info "$2" events)"
	"$PERFPIPE" events "$2" --provider Microsoft-Windows-DotNETRuntimeRundown 2> /dev/null |
		grep -q Rundown || fail "$1 has no names"
	for i in 1 2 3 4 5 6 7 8 9 10; do # it notices with the next bytes that it sends
		grep -q closed "$1.log" || sleep 0.5
	done
	grep -q closed "$1.log" || fail "$1: the stream was not closed"
}

# below NAME FILE BYTES
below() { [ "$(stat -c %s "$2")" -lt "$3" ] || fail "$1 has $(stat -c %s "$2") bytes"; }

(
	trap tidy EXIT
	refused ignores ignores 'goes on although it was asked to stop' ignores.nettrace --duration 2s
	cut ignores ignores.nettrace
	is "what stopped it" "$(value ignores.out stopped_by)" duration
	exit $failed
) & jobs=$!
(
	trap tidy EXIT
	refused refuses refuses 'refuses to stop (' refuses.nettrace --duration 2s --compress gzip
	cut refuses refuses.nettrace.gz
	exit $failed
) & jobs="$jobs $!"
(
	trap tidy EXIT
	refused obeys obeys 'has stopped without ending the stream' obeys.nettrace --max-events 20
	cut obeys obeys.nettrace
	exit $failed
) & jobs="$jobs $!"
(
	trap tidy EXIT
	refused rolls ignores 'goes on although' rolls.nettrace --roll 2s --duration 5s
	[ -s rolls_0001.nettrace ] && [ -s rolls_0002.nettrace ] || fail "the series goes on"
	is "the first file: complete" "$(info rolls_0001.nettrace complete)" false
	exit $failed
) & jobs="$jobs $!"
for job in $jobs; do
	wait "$job" || failed=1
done

# as much as it can send: 64 MB and the names come on top of a limit
refused floods floods 'has sent [0-9]* MB since it was asked to stop' floods.nettrace --max-size 1MB
cut floods floods.nettrace
below floods floods.nettrace 90000000
rm -f floods.nettrace
refused names floods-names 'has sent [0-9]* MB since' names.nettrace --max-size 1MB --compress zstd
below names names.nettrace.zst 90000000
# while starting, it accepts no other connection; its buffer may have 1 MB then
refused deaf deaf 'has sent [0-9]* MB since' deaf.nettrace --duration 100ms --buffersize 1
sent=$(sed -n 's/.*has sent \([0-9]*\) MB since.*/\1/p' deaf.err | head -n 1)
[ "${sent:-1000}" -lt 90 ] || fail "deaf was read for $sent MB"
rm -f deaf.nettrace

# a stream that turns into something else, and one that is nothing else
refused garbage garbage 'is not NetTrace from byte [0-9]* on; its stream was closed' garbage.nettrace
cut garbage garbage.nettrace
below garbage garbage.nettrace 20000
refused packed garbage 'is not NetTrace from byte' packed.nettrace --compress gzip
cut packed packed.nettrace.gz
play piped garbage
timeout 100 "$PERFPIPE" collect --diagnostic-port ./piped.socket,connect --early-rundown -o - 2> piped.err |
	cat > piped.nettrace
is "piped: complete" "$(info piped.nettrace complete)" false
below piped piped.nettrace 20000
refused noise noise 'sent data that is not NetTrace; nothing was recorded' noise.nettrace
[ ! -e noise.nettrace ] || fail "noise was written"
is "files of noise" "$(tr -d ' \n' < noise.out | grep -c '"files":\[\]')" 1
[ -z "$(find . -name '*.partial')" ] || fail "left behind: $(find . -name '*.partial')"
exit $failed

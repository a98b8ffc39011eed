# No control character and no bidirectional mark of a trace reaches a terminal, in any command and
# format; and everything there is valid UTF-8. hostile_traces.c has the names.
"$(dirname "$PERFPIPE")/tests/hostile_traces" . 4 || exit 1
command -v script > /dev/null || { echo "skipped: there is no script"; exit 77; }
bad=0
ran=0
export TERM=xterm COLUMNS=70

# What the terminal got, without what we send ourselves: colours, and a line that is wiped.
printf '\033\\[[0-9;]*m|\r\033\\[K' > own
{
	printf '[\001-\010\013-\037\177]|\302[\200-\237]|\330\234|\342\200[\216\217\250-\256]'
	printf '|\342\201[\246-\251]'
} > forbidden

# quote WORD... - as one command line
quote()
{
	for word; do
		printf " '%s'" "$(printf '%s' "$word" | sed "s/'/'\\\\\\\\''/g")"
	done
}

# try ARGUMENT... - on a terminal of its own
try()
{
	ran=$((ran + 1))
	script -qec "$(quote "$PERFPIPE" "$@")" /dev/null < /dev/null > got
	sed 's/\r*$//' got | LC_ALL=C sed -E "s/$(cat own)//g" > shown
	if LC_ALL=C grep -aEn "$(cat forbidden)" shown > found; then
		echo "perfpipe $*: $(head -n 1 found | cut -c 1-200 | od -An -c | head -n 8)"
		bad=1
	fi
	iconv -f UTF-8 -t UTF-8 shown > /dev/null 2> why || { echo "perfpipe $*: $(cat why)"; bad=1; }
}

name=$(printf 'no\033]0;owned\007\302\233such\342\200\256')
cp 1.nettrace "$name.nettrace"
for file in 1.nettrace 2.nettrace 3.nettrace 4.nettrace "$SOURCE"/../shared/traces/hostile/*.[nz]*; do
	[ -e "$file" ] || continue
	for view in summary cpu topN threadtime threads processes modules counters eventstats exceptions; do
		try report "$file" $view
	done
	for format in csv markdown json html; do
		try report "$file" counters --format $format
		try report "$file" cpu --format $format
	done
	try report "$file" cpu --tree
	try info -v "$file"
	try info --json "$file"
	for format in text json csv; do
		try events "$file" --format $format -n 500 --stacks
	done
	try diff "$file" "$file" cpu
	try diff "$file" "$file" cpu --csv
done
for format in text jsonl csv folded perf-script speedscope chromium firefox html; do
	try convert 1.nettrace -f $format -o -
done
try convert 1.nettrace -f csv -o /dev/tty
try info "$name"
try info "$name.nettrace"
try report "$name.nettrace"
try events "$name.nettrace" -n 1 --where "$name"
try convert "$name.nettrace" -f "$name"
try convert "$name.nettrace" -f jsonl
try diff "$name.nettrace" 1.nettrace --fail-if "cpu.$name > 1ms"
try "$name"
try report 1.nettrace "$name"
try collect -n "$name" --duration 1s
echo "$ran command lines"
exit $bad

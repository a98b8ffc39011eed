# Files made to mislead: what must happen is in the README next to them. Needs ../shared; the one with
# escapes is for interop/terminal.
. "$SOURCE/tests/cli/show"
hostile=${SHARED:-$SOURCE/../shared}/traces/hostile
[ -d "$hostile" ] || { echo "skipped: needs ../shared"; exit 77; }

cp "$hostile/badcrc.nettrace.gz" "$hostile/dupkeys.nettrace.gz" "$hostile/topn-utf8.zip" \
	"$hostile/ub-sheet-109.nettrace" .
show info badcrc.nettrace.gz | grep -E "warning|Events  |Complete|exit"
"$PERFPIPE" events badcrc.nettrace.gz 2> /dev/null | wc -l

echo "fields of one name:"
show events dupkeys.nettrace.gz --json --where '"&lt;_2" != x' -n 1
show events dupkeys.nettrace.gz --fields '&lt;,&lt;_2' --where '"&lt;_2" != x' -n 1

for columns in 20 40 41 42 60 80; do
	COLUMNS=$columns "$PERFPIPE" report topn-utf8.zip topN > text || echo "exit code $?"
	iconv -f UTF-8 -t UTF-8 text > /dev/null || echo "$columns columns: not UTF-8"
done

# a sanitizer ends the program
views=$("$PERFPIPE" schema | sed -n 's/.*"title": "perfpipe.report.\([a-zA-Z]*\).*/\1/p')
for view in $views; do
	for format in text json csv markdown html; do
		"$PERFPIPE" report ub-sheet-109.nettrace "$view" --format $format > output 2> log ||
			{ echo "$view as $format: exit code $?"; cat log; }
	done
done
echo "$views" | wc -w
for format in text json csv; do
	"$PERFPIPE" events ub-sheet-109.nettrace --format $format > output || echo "$format: exit code $?"
done
for format in chromium perfetto firefox jsonl html nettrace; do
	"$PERFPIPE" convert ub-sheet-109.nettrace -f $format -o output.$format 2> log ||
		{ echo "$format: exit code $?"; cat log; }
done

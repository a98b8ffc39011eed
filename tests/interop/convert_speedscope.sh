# speedscope reads our files: by its own schema and rules, by its own importer, which finds the totals of the
# report, and, if there is a browser, in its page.
. "$SOURCE/tests/interop/readers"
need_npm ajv@8.20.0
export AJV="$npm/ajv"
need_npm speedscope@1.25.0
export SPEEDSCOPE="$npm/speedscope/dist/release"

cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
cp orders.nettrace.gz again.nettrace.gz
for view in cpu threadtime alloc contention exceptions; do
	"$PERFPIPE" convert orders.nettrace.gz --view $view -o $view.speedscope.json || exit 1
done
"$PERFPIPE" convert orders.nettrace.gz again.nettrace.gz -o both.speedscope.json || exit 1
"$PERFPIPE" convert orders.nettrace.gz --group modules --fold-percent 5 -o grouped.speedscope.json || exit 1
node "$SOURCE/tests/interop/js/speedscope.js" ./*.speedscope.json || exit 1

# it also reads some of our other formats
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o cpu.linux-perf.txt || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu -f folded -o cpu.collapsedstack.txt || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu -f chromium -o cpu.json || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o cpu.pb.gz || exit 1
import=$SOURCE/tests/interop/js/speedscope_import.js
node "$import" ./*.speedscope.json cpu.linux-perf.txt cpu.json > log || fail "its importer does not read them"
"$PERFPIPE" report orders.nettrace.gz cpu --json -n 100000 > report || exit 1
for file in cpu.speedscope.json cpu.collapsedstack.txt cpu.pb.gz; do
	node "$import" $file > rows || fail "its importer does not read $file"
	"$same_totals" report < rows || fail "the totals of $file differ"
done

command -v chromium > /dev/null || { echo "no browser: its page was not tried"; exit $bad; }
for file in both.speedscope.json cpu.json; do
	{
		printf 'speedscope.loadFileFromBase64("%s", "' $file
		base64 -w0 $file
		printf '")'
	} > profile.js
	timeout 120 chromium --headless --no-sandbox --disable-gpu --use-gl=angle --use-angle=swiftshader \
		--enable-unsafe-swiftshader --allow-file-access-from-files --user-data-dir="$PWD/browser" \
		--virtual-time-budget=20000 --dump-dom "file://$SPEEDSCOPE/index.html#localProfilePath=$PWD/profile.js" \
		2> browser.log | sed 's/<style.*<\/style>//g; s/<[^>]*>/ /g' | tr -s ' \n' > page
	grep -q 'Time Order' page && echo "its page shows $file" ||
		{ head -c 600 page; tail -3 browser.log; fail "its page does not show $file"; }
done
exit $bad

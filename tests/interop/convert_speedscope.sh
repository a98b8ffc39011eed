# speedscope reads what we write: by its own schema and rules, and, where a browser is there, in its page.
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

command -v chromium > /dev/null || { echo "no browser: its page was not tried"; exit 0; }
for file in cpu both; do
	{
		printf 'speedscope.loadFileFromBase64("%s", "' $file.speedscope.json
		base64 -w0 $file.speedscope.json
		printf '")'
	} > profile.js
	timeout 120 chromium --headless --no-sandbox --disable-gpu --use-gl=angle --use-angle=swiftshader \
		--enable-unsafe-swiftshader --allow-file-access-from-files --user-data-dir="$PWD/browser" \
		--virtual-time-budget=20000 --dump-dom "file://$SPEEDSCOPE/index.html#localProfilePath=$PWD/profile.js" \
		2> browser.log | sed 's/<style.*<\/style>//g; s/<[^>]*>/ /g' | tr -s ' \n' > page
	grep -q 'Thread (25' page || { echo "speedscope does not show $file:"; head -c 600 page; tail -3 browser.log; exit 1; }
	echo "speedscope shows $file"
done

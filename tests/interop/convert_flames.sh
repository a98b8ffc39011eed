# A browser opens the flame graph, clicks on a frame and searches: the visible frames, and the highlighted ones.
. "$SOURCE/tests/interop/readers"
need chromium chromium
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
"$PERFPIPE" convert orders.nettrace.gz --view cpu --flamegraph -o flames.html || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o flames.svg || exit 1

# ours, for the figures: inclusive time of the methods called Work, of all
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o orders.folded || exit 1
share=$(awk '{ all += $NF } /OrderService\.Work\(\)/ { work += $NF } END { printf "%.2f", 100 * work / all }' orders.folded)

cat > script << 'EOF'
var seen = window.flames.list.filter(function (f) { return f.name.indexOf('OrderService.Work()') >= 0; })[0];
var before = window.flames.list.length;
seen.g.dispatchEvent(new Event('click'));
var shown = window.flames.list.filter(function (f) { return f.g.style.display !== 'none'; });
var out = ['clicked ' + seen.g.querySelector('text').textContent, 'width ' + seen.rect.getAttribute('width'),
	'fewer ' + (shown.length < before), 'callers ' + shown.filter(function (f) { return f.g.style.opacity == 0.5; }).length];
window.flames.reset();
var box = document.getElementById('flames-search');
if (box) { box.value = 'OrderService\\.Work\\('; box.dispatchEvent(new Event('input')); } else window.flames.search('OrderService\\.Work\\(');
out.push('status ' + document.getElementById('flames-status').textContent);
EOF
# Added to the page as another script; its results are in the document that is printed.
{ sed '/<\/body>/,$d' flames.html; echo '<script>'; cat script
	echo 'document.body.insertAdjacentHTML("beforeend", "<pre>" + out.join(" / ") + "</pre>");</script></body></html>'; } > tried.html
{ sed '/<\/svg>/,$d' flames.svg; echo '<script>//<![CDATA['; cat script
	echo 'document.getElementById("flames").appendChild(document.createElementNS("http://www.w3.org/2000/svg", "desc")).textContent = out.join(" / ");'
	echo '//]]></script></svg>'; } > tried.svg

bad=0
for file in tried.html tried.svg; do
	timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --dump-dom "file://$PWD/$file" \
		> dom 2> browser.log
	for wanted in 'clicked Orders.OrderService.Work()' 'width 1200' 'fewer true' "status matched $share %"; do
		grep -qF "$wanted" dom || { echo "$file: no '$wanted'"; grep -o 'clicked.*status[^<]*' dom; bad=1; }
	done
done
[ $bad -eq 0 ] && echo "clicked, zoomed, and found $share %"
exit $bad

# A browser opens the page without a network, finds its parts, sorts and filters a table, and clicks on a frame.
. "$SOURCE/tests/interop/readers"
need chromium chromium
cp "$SOURCE/tests/data/orders.nettrace.gz" .
cp "$SOURCE/tests/data/orders-counters.nettrace.zst" counters.nettrace.zst
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o page.html || exit 1
"$PERFPIPE" convert counters.nettrace.zst -o counters.html || exit 1

# it is self-contained
! grep -oE '(src|href)="?[^" >]*|url\([^)]*|@import' page.html || fail "the page loads something"

cat > script << 'END'
function table(list) {
	return document.querySelector('table[data-list=' + list + ']');
}
function column(list, i) {
	return Array.prototype.map.call(table(list).tBodies[0].rows, function (row) { return row.cells[i]; });
}
function sorted(cells, down) {
	return cells.every(function (cell, i) {
		return !i || (down ? cells[i - 1].dataset.value - cell.dataset.value : cell.dataset.value - cells[i - 1].dataset.value) >= 0;
	});
}
var out = [];
var heads = table('methods').tHead.rows[0].cells;
out.push('methods ' + column('methods', 0).length, 'first ' + column('methods', 4)[0].textContent, 'down ' + sorted(column('methods', 0), true));
heads[2].click();
out.push('by inclusive ' + sorted(column('methods', 2), true));
heads[2].click();
out.push('turned ' + sorted(column('methods', 2), false));
var box = table('methods').previousElementSibling.querySelector('input');
box.value = 'orderservice.pri';
box.dispatchEvent(new Event('input'));
out.push('left ' + Array.prototype.filter.call(table('methods').tBodies[0].rows, function (r) { return r.style.display !== 'none'; }).length);
var work = window.flames.nodes.filter(function (n) { return n.full.indexOf('OrderService.Work()') >= 0; })[0];
work.g.dispatchEvent(new MouseEvent('click', { bubbles: true }));
out.push('alone ' + work.g.querySelector('rect').getAttribute('width'));
out.push('collections ' + column('gcs', 0).length, 'threads ' + column('threads', 0).length);
out.push('exceptions ' + column('spans', 3).filter(function (c) { return c.textContent === 'exception'; }).length);
END
# another script of the page, which its policy allows; its results are in the document that is printed
{ sed '/<\/body>/,$d' page.html; echo '<script>'; cat script
	echo 'document.body.insertAdjacentHTML("beforeend", "<pre>" + out.join(" / ") + " /</pre>");</script></body></html>'; } > tried.html

# browse FILE - the document after its scripts have run
browse()
{
	timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --dump-dom "file://$PWD/$1" \
		> dom 2> browser.log
}

figure()
{
	"$PERFPIPE" report orders.nettrace.gz "$1" --json -n 100000 > "$1.json" && grep -c "$2" "$1.json"
}

browse tried.html
for wanted in "methods $(figure cpu '^      "exclusive_ns"')" 'first [idle thread pool workers]' 'down true' 'by inclusive true' \
	'turned true' 'left 2' 'alone 1200' 'collections 14' 'threads 8' \
	"exceptions $(figure exceptions '"first_ns"')"; do
	grep -qF "$wanted /" dom && echo "$wanted" || { grep -o '<pre>.*' dom; fail "no '$wanted'"; }
done
browse counters.html
[ "$(grep -o '<td' dom | wc -l)" -gt 300 ] || fail "there are no counters"
grep -q 'data-list="counters"' dom || fail "there is no table of counters"
exit $bad

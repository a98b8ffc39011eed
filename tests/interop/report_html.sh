# A browser opens the page of a view without a network: its tables have the rows of the report, sort and filter,
# and its charts are drawn.
. "$SOURCE/tests/interop/readers"
need chromium chromium
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" runtime.nettrace
cp "$SOURCE/tests/data/orders-counters.nettrace.zst" counters.nettrace

# The contents of a page, as lines "LIST ROWS" for its tables and "chart LIST" for its charts; then each table is sorted both ways
# by each of its columns of numbers, and the largest is filtered for its last word.
cat > script << 'END'
var out = [];
function all(selector, of) { return Array.prototype.slice.call((of || document).querySelectorAll(selector)); }
function values(table, i) {
	return Array.prototype.map.call(table.tBodies[0].rows, function (row) { return Number(row.cells[i].dataset.value); });
}
function sorted(numbers, down) {
	return numbers.every(function (n, i) { return !i || (down ? numbers[i - 1] >= n : numbers[i - 1] <= n); });
}
all('table.data').forEach(function (table) {
	var heads = table.tHead.rows[0].cells;
	out.push(table.dataset.list + ' ' + table.tBodies[0].rows.length);
	Array.prototype.forEach.call(heads, function (head, i) {
		if (!table.tBodies[0].rows[0].cells[i].dataset.value)
			return;
		head.click();
		if (!sorted(values(table, i), true)) out.push(table.dataset.list + ' does not sort down by ' + head.textContent);
		head.click();
		if (!sorted(values(table, i), false)) out.push(table.dataset.list + ' does not sort up by ' + head.textContent);
	});
	var box = table.previousElementSibling && table.previousElementSibling.querySelector('input');
	if (!box)
		return;
	var rows = Array.prototype.slice.call(table.tBodies[0].rows);
	var word = rows[0].textContent.trim().split(' ').pop();
	box.value = word;
	box.dispatchEvent(new Event('input'));
	rows.forEach(function (row) {
		if ((row.textContent.indexOf(word) >= 0) !== (row.style.display !== 'none')) out.push(table.dataset.list + ' does not filter');
	});
});
all('figure').forEach(function (figure) {
	if (figure.querySelector('svg').getBoundingClientRect().width > 100) out.push('chart ' + figure.dataset.list);
});
document.body.insertAdjacentHTML('beforeend', '<pre id="found">' + out.join('\n') + '\n</pre>');
END

# found FILE VIEW - the contents of the page, as above
found()
{
	"$PERFPIPE" report "$1" "$2" --format html > page.html || fail "$2 has no page"
	! grep -oE '(src|href)="?[^" >]*|url\([^)]*|@import' page.html || fail "the page of $2 loads something"
	{ sed '/<\/body>/,$d' page.html; echo '<script>'; cat script; echo '</script></body></html>'; } > tried.html
	timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --dump-dom \
		"file://$PWD/tried.html" 2> browser.log | sed -n '/<pre id="found">/,/<\/pre>/{s/.*<pre id="found">//;/<\/pre>/d;p}'
}

# has FILE VIEW WHAT... - expects exactly this
has()
{
	found "$1" "$2" > have
	view=$2
	shift 2
	printf '%s\n' "$@" > wanted
	cmp -s wanted have && echo "$view: $(tr '\n' ',' < have)" || { diff wanted have; fail "the page of $view has something else"; }
}

# rows FILE VIEW LIST - the number of rows in JSON
rows()
{
	"$PERFPIPE" report "$1" "$2" --json | sed -n "/^  \"$3\": \[/,/^  ]/p" | grep -c '^    {'
}

has orders.nettrace gc "generations $(rows orders.nettrace gc generations)" "in_order $(rows orders.nettrace gc gcs)" \
	'chart pause_histogram' 'chart heap_timeline'
has orders.nettrace cpu "methods $(rows orders.nettrace cpu methods)" 'chart timeline'
has orders.nettrace alloc "types $(rows orders.nettrace alloc types)" "methods $(rows orders.nettrace alloc methods)"
has runtime.nettrace jit "tiers $(rows runtime.nettrace jit tiers)" "threads $(rows runtime.nettrace jit threads)" \
	"namespaces $(rows runtime.nettrace jit namespaces)" "methods $(rows runtime.nettrace jit methods)" 'chart timeline'
has counters.nettrace counters "by_provider $(rows counters.nettrace counters counters)"
exit $bad

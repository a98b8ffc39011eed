// Tables of a page: a click on a column's head sorts by it, and the box above a table leaves the rows
// that hold its words.
(function () {
	'use strict';

	function value(row, column) {
		var cell = row.cells[column];
		var number = cell.getAttribute('data-v');
		return number === null ? cell.textContent : Number(number);
	}

	function sort(table, column, head) {
		var body = table.tBodies[0];
		var rows = Array.prototype.slice.call(body.rows);
		var down = head.getAttribute('data-down') !== 'true';
		rows.sort(function (a, b) {
			var x = value(a, column), y = value(b, column);
			var order = typeof x === 'number' ? x - y : x.localeCompare(y);
			return down ? -order : order;
		});
		Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell) {
			cell.removeAttribute('data-down');
		});
		head.setAttribute('data-down', down);
		rows.forEach(function (row) {
			body.appendChild(row);
		});
	}

	function filter(table, words) {
		Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
			var shown = row.textContent.toLowerCase().indexOf(words.toLowerCase()) >= 0;
			row.style.display = shown ? '' : 'none';
		});
	}

	Array.prototype.forEach.call(document.querySelectorAll('table.data'), function (table) {
		Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
			head.addEventListener('click', function () {
				sort(table, column, head);
			});
		});
	});
	Array.prototype.forEach.call(document.querySelectorAll('input[data-for]'), function (box) {
		box.addEventListener('input', function () {
			filter(document.getElementById(box.getAttribute('data-for')), box.value);
		});
	});
})();

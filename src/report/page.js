// SPDX-License-Identifier: MIT
// Tables of a page: a click on the title of a column sorts by it, and the box above a table leaves
// the rows that contain its words.
(function () {
	'use strict';

	function each(list, action) {
		Array.prototype.forEach.call(list, action);
	}

	function value(row, column) {
		var cell = row.cells[column];
		var number = cell.getAttribute('data-value');
		return number === null ? cell.textContent : Number(number);
	}

	function sort(table, column, title) {
		var body = table.tBodies[0];
		var rows = Array.prototype.slice.call(body.rows);
		var down = title.getAttribute('data-down') !== 'true';
		rows.sort(function (a, b) {
			var x = value(a, column), y = value(b, column);
			var order = typeof x === 'number' ? x - y : x.localeCompare(y);
			return down ? -order : order;
		});
		each(table.tHead.rows[0].cells, function (cell) {
			cell.removeAttribute('data-down');
		});
		title.setAttribute('data-down', down);
		rows.forEach(function (row) {
			body.appendChild(row);
		});
	}

	function filter(table, words) {
		each(table.tBodies[0].rows, function (row) {
			var shown = row.textContent.toLowerCase().indexOf(words.toLowerCase()) >= 0;
			row.style.display = shown ? '' : 'none';
		});
	}

	each(document.querySelectorAll('table.data'), function (table) {
		var search = table.previousElementSibling && table.previousElementSibling.querySelector('input[type=search]');
		each(table.tHead.rows[0].cells, function (title, column) {
			title.addEventListener('click', function () {
				sort(table, column, title);
			});
		});
		if (search)
			search.addEventListener('input', function () {
				filter(table, search.value);
			});
	});
})();

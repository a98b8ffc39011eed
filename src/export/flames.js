// SPDX-License-Identifier: MIT
// The script in a flame graph: click to see one call alone, search to mark what matches.
(function () {
	'use strict';
	var svg = document.getElementById('flames');
	var width = +svg.getAttribute('data-width'), chars = 7.2;
	var status = svg.getElementById('flames-status');
	var list = [].slice.call(svg.querySelectorAll('g.f')).map(function (g) {
		var rect = g.querySelector('rect'), title = g.querySelector('title').textContent;
		return { g: g, rect: rect, text: g.querySelector('text'),
			name: title.slice(0, title.lastIndexOf(' (')),
			x: +rect.getAttribute('x'), w: +rect.getAttribute('width'), y: +rect.getAttribute('y') };
	});

	function place(f, x, w, above) {
		var room = Math.floor((w - 4) / chars), label = f.name.slice(f.name.indexOf('!') + 1);
		f.g.style.display = w < 0.1 ? 'none' : '';
		f.g.style.opacity = above ? 0.5 : 1;
		f.rect.setAttribute('x', x);
		f.rect.setAttribute('width', w);
		if (!f.text && room > 2) {
			f.text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
			f.text.setAttribute('y', f.y + 12);
			f.g.appendChild(f.text);
		}
		if (f.text) {
			f.text.setAttribute('x', x + 3);
			f.text.textContent = room <= 2 ? '' :
				label.length <= room ? label : label.slice(0, room - 2) + '..';
		}
	}

	function zoom(to) {
		var end = to.x + to.w, scale = width / to.w, slack = 1e-6 * width;
		list.forEach(function (f) {
			if (f.y < to.y && f.x <= to.x + slack && f.x + f.w >= end - slack)
				place(f, 0, width, true);
			else if (f.y >= to.y && f.x >= to.x - slack && f.x + f.w <= end + slack)
				place(f, (f.x - to.x) * scale, f.w * scale, false);
			else
				f.g.style.display = 'none';
		});
	}

	function reset() {
		list.forEach(function (f) { place(f, f.x, f.w, false); });
	}

	// How much of all weight has a match anywhere, in percent.
	function search(term) {
		var end = 0, sum = 0, test;
		try {
			test = term ? new RegExp(term, 'i') : null;
		} catch (e) {
			test = { test: function (name) { return name.indexOf(term) >= 0; } };
		}
		var found = list.filter(function (f) {
			var match = test ? test.test(f.name) : false;
			f.rect.setAttribute('class', match ? 'm' : '');
			return match;
		}).sort(function (a, b) { return a.x - b.x || b.w - a.w; });
		found.forEach(function (f) {
			if (f.x + f.w <= end)
				return;
			sum += f.x + f.w - Math.max(end, f.x);
			end = f.x + f.w;
		});
		sum = 100 * sum / width;
		if (status)
			status.textContent = test ? 'matched ' + sum.toFixed(2) + ' %, ' + found.length + ' frames' : '';
		return sum;
	}

	function ask() {
		var term = window.prompt('Mark frames that match (a regular expression):', '');
		if (term !== null)
			search(term);
	}

	list.forEach(function (f) {
		f.g.addEventListener('click', function () { zoom(f); });
	});
	svg.querySelectorAll('[data-do]').forEach(function (e) {
		e.addEventListener('click', e.getAttribute('data-do') === 'reset' ? reset : ask);
	});
	window.flames = { zoom: zoom, reset: reset, search: search, list: list };
	var box = document.getElementById('flames-search');
	if (box)
		box.addEventListener('input', function () { search(box.value); });
	else
		window.addEventListener('keydown', function (e) {
			if (e.key === 'f' && (e.ctrlKey || e.metaKey)) {
				e.preventDefault();
				ask();
			}
		});
	var button = document.getElementById('flames-reset');
	if (button)
		button.addEventListener('click', reset);
}());

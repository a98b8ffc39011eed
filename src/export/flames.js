// SPDX-License-Identifier: MIT
// The script in a flame graph: draws what is chosen (a thread, what threads did, a frame to zoom in on) from the data,
// in place of the picture for those without scripts. flame_data.c describes the data.
(function () {
	'use strict';
	var SVG = 'http://www.w3.org/2000/svg', HTML = 'http://www.w3.org/1999/xhtml';
	var WIDTH = 1200, ROW = 16, TOP = 24, CHARACTER = 7.2, NARROWEST = 0.25;
	var TONES = [[110, 60], [32, 60], [5, 60], [220, 15]], SHADES = 168;
	var svg = document.getElementById('flames'), boxes = document.getElementById('flames-boxes');
	var data = JSON.parse(document.getElementById('flames-data').textContent);
	var STATES = data.states.length;
	var chosen = { state: data.state, thread: 0, zoom: 0, current: 0, search: null };
	var rows = []; // of nodes that are drawn, by depth

	var nodes = data.nodes.map(function (n, i) {
		var name = i ? data.names[n[1]] : [0, 0, 'Total', '', 3 * SHADES];
		var module = data.texts[name[0]], space = data.texts[name[1]];
		return { number: i, caller: n[0], weights: n.slice(2), depth: 0, module: module, method: name[2],
			label: name[2] + name[3], name: space + name[2] + name[3], colour: name[4],
			full: (module ? module + '!' : '') + space + name[2] + name[3] };
	});
	nodes.forEach(function (n) { n.depth = n.number ? nodes[n.caller].depth + 1 : 0; });

	function isChosen(key) {
		return (chosen.state === STATES || key % STATES === chosen.state) &&
			(!chosen.thread || Math.floor(key / STATES) === chosen.thread);
	}

	// Callers come first, so sums are made from the end, and places from the start.
	function weigh() {
		var i, j, n;
		nodes.forEach(function (n) { n.self = n.total = 0; });
		for (i = nodes.length; i--;) {
			n = nodes[i];
			for (j = 0; j < n.weights.length; j += 2)
				if (isChosen(n.weights[j]))
					n.self += n.weights[j + 1];
			n.total += n.self;
			if (i)
				nodes[n.caller].total += n.total;
		}
		nodes.forEach(function (n) {
			n.x = n.number ? nodes[n.caller].end : 0;
			n.end = n.x;
			if (n.number)
				nodes[n.caller].end += n.total;
		});
	}

	function amount(weight) {
		return data.unit === 'nanoseconds' ? (weight / 1e6).toFixed(3) + ' ms' :
			data.unit === 'bytes' ? (weight / 1e6).toFixed(3) + ' MB' : String(weight);
	}

	function share(weight) {
		return (nodes[0].total ? 100 * weight / nodes[0].total : 0).toFixed(2) + ' %';
	}

	function tip(n) {
		return (n.number ? n.name + '\n' : '') + (n.module ? 'Module: ' + n.module + '\n' : '') +
			'Total: ' + amount(n.total) + ' (' + share(n.total) + ')' +
			'\nSelf: ' + amount(n.self) + ' (' + share(n.self) + ')';
	}

	// Both ends say more than the start: the type, and the method.
	function fitted(n, room) {
		var method = Array.from(n.method), start = Math.floor(room / 2);
		if (n.label.length <= room)
			return n.label;
		if (room < 3)
			return '';
		return method.length <= room ? n.method :
			method.slice(0, start).join('') + '\u2026' + method.slice(method.length - (room - start - 1)).join('');
	}

	function add(to, space, name, attributes, text) {
		var e = document.createElementNS(space, name);
		Object.keys(attributes).forEach(function (key) { e.setAttribute(key, attributes[key]); });
		if (text)
			e.textContent = text;
		return to.appendChild(e);
	}

	function colour(n) {
		var tone = TONES[Math.floor(n.colour / SHADES)], shade = n.colour % SHADES;
		return 'hsl(' + (tone[0] + shade % 14) + ',' + tone[1] + '%,' + (68 + Math.floor(shade / 14)) + '%)';
	}

	function drawBox(n, x, width, above) {
		var y = TOP + n.depth * ROW, label = fitted(n, Math.floor((width - 4) / CHARACTER));
		n.g = add(boxes, SVG, 'g', { 'class': 'f' + (n.match ? ' m' : ''), tabindex: -1, role: 'treeitem',
			'aria-level': n.depth + 1, 'aria-label': n.label + ', ' + amount(n.total) + ', ' + share(n.total) });
		n.g.flame = n;
		add(n.g, SVG, 'title', {}, tip(n));
		add(n.g, SVG, 'rect', { x: x, y: y, width: width, height: ROW - 1, fill: colour(n) });
		if (label)
			add(n.g, SVG, 'text', { x: x + 3, y: y + 12 }, label);
		if (above)
			n.g.style.opacity = 0.5;
		(rows[n.depth] = rows[n.depth] || []).push(n);
	}

	// The frame that is zoomed in on, what it calls, and its callers, which are as wide.
	function draw() {
		var zoom = nodes[chosen.zoom], scale = zoom.total ? WIDTH / zoom.total : 0, at;
		rows = [];
		boxes.textContent = '';
		nodes.forEach(function (n) {
			n.g = null;
			n.shown = n === zoom || (n.number > 0 && nodes[n.caller].shown);
		});
		for (at = zoom; at.number;) {
			at = nodes[at.caller];
			drawBox(at, 0, WIDTH, true);
		}
		nodes.forEach(function (n) {
			if (n === zoom)
				drawBox(n, 0, WIDTH, false);
			else if (n.shown && n.total * scale >= NARROWEST)
				drawBox(n, (n.x - zoom.x) * scale, n.total * scale, false);
		});
		rows.forEach(function (row) { row.sort(function (a, b) { return a.x - b.x; }); });
		if (!nodes[chosen.current].g)
			chosen.current = chosen.zoom;
		nodes[chosen.current].g.setAttribute('tabindex', 0);
	}

	function resize() {
		svg.setAttribute('viewBox', '0 0 ' + WIDTH + ' ' + (TOP + (rows.length + 1) * ROW));
	}

	function focus(n) {
		nodes[chosen.current].g.setAttribute('tabindex', -1);
		chosen.current = n.number;
		n.g.setAttribute('tabindex', 0);
		n.g.focus();
	}

	function zoom(n) {
		var focused = boxes.contains(document.activeElement);
		chosen.zoom = chosen.current = n.number;
		draw();
		if (focused)
			n.g.focus();
	}

	function reset() {
		var was = nodes[chosen.current], focused = boxes.contains(document.activeElement);
		chosen.zoom = 0;
		draw();
		if (focused)
			focus(was.g ? was : nodes[0]);
	}

	function compile(term) {
		try {
			return new RegExp(term, 'i');
		} catch (e) {
			return { test: function (name) { return name.indexOf(term) >= 0; } };
		}
	}

	// How much of all weight has a match anywhere on its stack, in percent.
	function search(term) {
		var test = term ? compile(term) : null, count = 0, sum = 0;
		chosen.search = term;
		nodes.forEach(function (n) {
			n.match = test && n.number ? test.test(n.full) : false;
			n.covered = n.match || (n.number > 0 && nodes[n.caller].covered);
			if (n.match && n.total)
				count++;
			if (n.match && !nodes[n.caller].covered)
				sum += n.total;
			if (n.g)
				n.g.setAttribute('class', n.match ? 'f m' : 'f');
		});
		status.textContent = test ? 'Matched: ' + share(sum) + ', ' + count + (count === 1 ? ' frame' : ' frames') : '';
		return nodes[0].total ? 100 * sum / nodes[0].total : 0;
	}

	function choose() {
		var title = document.getElementById('flames-title');
		if (data.states[0] || data.states[1])
			title.textContent = title.textContent.replace(/ \([^()]*\)$/, ' (' + (data.states[chosen.state] || 'All time') + ')');
		weigh();
		chosen.zoom = 0;
		draw();
		resize();
		search(chosen.search);
	}

	// The next match after the current frame, in the order of nodes.
	function nextMatch() {
		var i, n;
		for (i = 1; i <= nodes.length; i++) {
			n = nodes[(chosen.current + i) % nodes.length];
			if (n.match && n.g)
				return focus(n);
		}
	}

	function beside(n, step) {
		var row = rows[n.depth], to = row[row.indexOf(n) + step];
		if (to)
			focus(to);
	}

	function below(n) {
		var callees = (rows[n.depth + 1] || []).filter(function (to) { return nodes[to.caller] === n; });
		if (callees.length)
			focus(callees.reduce(function (a, b) { return b.total > a.total ? b : a; }));
	}

	var keys = {
		ArrowLeft: function (n) { beside(n, -1); },
		ArrowRight: function (n) { beside(n, 1); },
		ArrowUp: function (n) { focus(nodes[n.caller]); },
		ArrowDown: below,
		Home: function () { focus(nodes[0]); },
		Enter: zoom,
		' ': zoom,
		n: nextMatch
	};

	// Where there is room for controls: before the drawing in a page, else in it.
	function toolbar() {
		var place = svg;
		if (document.documentElement !== svg) {
			place = document.createElementNS(HTML, 'div');
			svg.parentNode.insertBefore(place, svg);
		} else
			place = add(svg, SVG, 'foreignObject', { x: 380, y: 0, width: WIDTH - 380, height: TOP });
		return add(place, HTML, 'div', { id: 'flames-tools', role: 'toolbar', 'aria-label': 'Flame graph',
			style: 'font:12px sans-serif;display:flex;gap:6px;align-items:center;white-space:nowrap' });
	}

	function addSelect(to, id, label, texts, all) {
		var list = add(to, HTML, 'select', { id: id, 'aria-label': label, style: 'font:inherit;max-width:13em' });
		texts.forEach(function (text, i) {
			if (text !== null)
				add(list, HTML, 'option', { value: i }, text);
		});
		if (list.options.length < 2)
			return to.removeChild(list);
		list.insertBefore(add(list, HTML, 'option', { value: all[0] }, all[1]), all[0] ? null : list.firstChild);
		return list;
	}

	function onChoice(list, key) {
		list.value = chosen[key];
		list.addEventListener('change', function () {
			chosen[key] = +list.value;
			choose();
		});
	}

	var tools = toolbar();
	var box = add(tools, HTML, 'input', { id: 'flames-search', type: 'search', placeholder: 'Search', 'aria-label': 'Search',
		title: 'A regular expression; / or Ctrl+F, then Enter for the next match', size: 20, style: 'font:inherit' });
	onChoice(addSelect(tools, 'flames-state', 'Time', data.states, [STATES, 'All time']), 'state');
	onChoice(addSelect(tools, 'flames-thread', 'Thread', data.threads, [0, 'All threads']), 'thread');
	add(tools, HTML, 'button', { id: 'flames-reset', type: 'button', title: 'Escape', style: 'font:inherit' }, 'Reset zoom')
		.addEventListener('click', reset);
	var status = add(tools, HTML, 'span', { id: 'flames-status', role: 'status' });

	box.addEventListener('input', function () { search(box.value); });
	box.addEventListener('keydown', function (e) {
		if (e.key === 'Enter')
			nextMatch();
		if (e.key === 'Escape') {
			box.value = '';
			search('');
			focus(nodes[chosen.current]);
		}
		e.stopPropagation();
	});
	boxes.addEventListener('click', function (e) {
		var g = e.target.closest('.f');
		if (g)
			zoom(g.flame);
	});
	boxes.addEventListener('keydown', function (e) {
		var g = e.target.closest('.f');
		if (g && keys[e.key] && !e.ctrlKey && !e.altKey && !e.metaKey) {
			e.preventDefault();
			keys[e.key](g.flame);
		}
	});
	document.addEventListener('keydown', function (e) {
		var typing = e.target.closest && e.target.closest('input,select,textarea');
		if ((e.key === '/' && !typing) || (e.key === 'f' && (e.ctrlKey || e.metaKey))) {
			e.preventDefault();
			box.focus();
			box.select();
		} else if (e.key === 'Escape' && !typing)
			reset();
	});
	svg.setAttribute('role', 'tree');
	window.flames = { nodes: nodes, zoom: zoom, reset: reset, search: search };
	choose();
}());

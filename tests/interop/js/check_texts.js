// SPDX-License-Identifier: MIT
// node check_texts.js FILE...: texts are valid UTF-8, and what their names promise: JSON, lines of JSON, CSV whose rows
// are all as long, collapsed stacks.
'use strict';
const fs = require('fs');

function rowsOfCsv(text) {
	const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y, rows = [];
	let row = [];
	while (cell.lastIndex < text.length) {
		const found = cell.exec(text);
		if (!found)
			throw new Error(`no cell of CSV in row ${rows.length}`);
		row.push(found[1] ?? found[2]);
		if (found[3] !== ',')
			rows.push(row), row = [];
	}
	return rows;
}

const checks = {
	json: text => JSON.parse(text),
	jsonl: text => text.split('\n').slice(0, -1).forEach(line => JSON.parse(line)),
	csv(text) {
		const rows = rowsOfCsv(text);
		for (const row of rows)
			if (row.length !== rows[0].length)
				throw new Error(`${row.length} cells: ${row}`);
	},
	folded(text) {
		for (const line of text.split(/\r\n|[\n\v\f\r\x85\u2028\u2029]/).slice(0, -1))
			if (!/^.* [0-9]+$/.test(line))
				throw new Error(`no stack: ${line}`);
	},
};

for (const file of process.argv.slice(2))
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(file));
		checks[file.split('.').pop()]?.(text);
	} catch (problem) {
		console.log(`${file}: ${problem}`);
		process.exitCode = 1;
	}

// SPDX-License-Identifier: MIT
// node speedscope_import.js FILE... (SPEEDSCOPE: its folder): speedscope's own importer reads each file, of any format
// that it knows, and tells how many profiles it found; of the last file, the exclusive and inclusive weight and the name
// of each frame, over all profiles.
// The package has nothing but the page, so its script is run without the last step, which shows the page.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');
const folder = process.env.SPEEDSCOPE;
const script = fs.readdirSync(folder).find(name => /^speedscope-.*\.js$/.test(name));
const text = fs.readFileSync(path.join(folder, script), 'utf8');

// what it calls with the bytes that it has fetched, and where it begins to draw
const importer = /await (\w+)\(\w+,await \w+\.arrayBuffer\(\)\)/.exec(text)[1];
const end = text.indexOf('console.log(`speedscope v');

const nothing = new Proxy(function () {}, { get: (_, name) => name === Symbol.toPrimitive ? () => '' : nothing,
	apply: () => nothing, construct: () => nothing });
const scope = { document: nothing, navigator: { userAgent: '' }, location: { hash: '', protocol: 'file:', href: 'file:///' },
	localStorage: nothing, matchMedia: () => nothing, addEventListener() {}, TextDecoder, TextEncoder, URL, atob, btoa,
	setTimeout, performance, Uint8Array, ArrayBuffer, DataView,
	console: { ...console, log() {}, time() {}, timeEnd() {}, assert(fine, ...words) { if (!fine) throw new Error(words.join(' ')); } } };
scope.window = scope.self = scope;
vm.runInContext(`${text.slice(0, end)}globalThis.importProfile=${importer};})();`, vm.createContext(scope));

async function read(file) {
	const bytes = new Uint8Array(fs.readFileSync(file));
	const group = await scope.importProfile(path.basename(file), bytes.buffer);
	if (!group || !group.profiles.length)
		throw new Error('it has no profile');
	return group.profiles;
}

function printFrames(profiles) {
	const rows = new Map();
	for (const profile of profiles)
		profile.forEachFrame(frame => {
			const row = rows.get(frame.name) || [0, 0];
			row[0] += frame.getSelfWeight();
			row[1] += frame.getTotalWeight();
			rows.set(frame.name, row);
		});
	for (const [name, [self, total]] of rows)
		console.log(Math.round(self), Math.round(total), name);
}

async function main(files) {
	let profiles = [];
	for (const file of files)
		try {
			profiles = await read(file);
			console.error(`speedscope finds ${profiles.length} profiles in ${file}`);
		} catch (problem) {
			console.error(`${file}: ${problem}`);
			process.exitCode = 1;
		}
	printFrames(profiles);
}
main(process.argv.slice(2));

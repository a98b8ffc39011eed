// SPDX-License-Identifier: MIT
// node compare_speedscope.js THEIRS OURS: time by thread and frame of dotnet-trace's file and of ours. They must
// agree but for the last sample of each thread, which dotnet-trace leaves away: ours may have so much more, the
// same for all frames of one stack.
'use strict';
const fs = require('fs');

// What dotnet-trace puts above the first call of a thread.
const isRoot = name => /^Process\d* |^Thread \(|^\(Non-Activities\)$|^Threads$/.test(name);

function read(file) {
	const trace = JSON.parse(fs.readFileSync(file)), threads = new Map();
	for (const profile of trace.profiles) {
		const ns = profile.unit === 'milliseconds' ? 1e6 : 1;
		const times = new Map(), open = [];
		let last = 0;
		for (const event of profile.events) {
			const name = trace.shared.frames[event.frame].name, at = event.at * ns;
			if (at > last)
				for (const n of new Set(open))
					times.set(n, (times.get(n) || 0) + at - last);
			last = at;
			if (event.type === 'C')
				open.pop();
			else
				open.push(isRoot(name) ? '' : name);
		}
		times.delete('');
		threads.set(/Thread \((\d+)\)/.exec(profile.name)[1], times);
	}
	return threads;
}

const [theirs, ours] = process.argv.slice(2).map(read);
let bad = 0, frames = 0, more = 0;
function fail(text) {
	console.log(text);
	bad = 1;
}

if ([...theirs.keys()].sort().join() !== [...ours.keys()].sort().join())
	fail(`threads ${[...theirs.keys()]} and ${[...ours.keys()]}`);
for (const [thread, times] of ours) {
	const other = theirs.get(thread) || new Map();
	let last = 0;
	for (const [name, time] of times)
		last = Math.max(last, time - (other.get(name) || 0));
	for (const name of new Set([...times.keys(), ...other.keys()])) {
		const excess = (times.get(name) || 0) - (other.get(name) || 0);
		frames++;
		if (Math.abs(excess) < 20000) // they add up numbers of single precision
			continue;
		more++;
		if (Math.abs(excess - last) > 20000)
			fail(`thread ${thread}: ${name} differs by ${excess} ns, the last sample has ${last}`);
	}
	if (last > 20e6)
		fail(`thread ${thread}: a last sample of ${last} ns`);
}
console.log(`${ours.size} threads, ${frames} frames, ${more} of them in a last sample`);
process.exit(bad);

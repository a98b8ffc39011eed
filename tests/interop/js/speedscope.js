// SPDX-License-Identifier: MIT
// node speedscope.js FILE... (SPEEDSCOPE and AJV: where those are): speedscope's own schema, and the rules that
// its importer throws at: times that never decrease, calls that close in the order they opened.
'use strict';
const fs = require('fs'), path = require('path');
const Ajv = require(process.env.AJV);
const schema = JSON.parse(fs.readFileSync(path.join(process.env.SPEEDSCOPE, 'file-format-schema.json')));
const validate = new (Ajv.default || Ajv)({ strict: false }).compile(schema);

function check(file) {
	const trace = JSON.parse(fs.readFileSync(file));
	if (!validate(trace))
		return JSON.stringify(validate.errors[0]);
	for (const profile of trace.profiles) {
		const open = [];
		let last = profile.startValue;
		for (const event of profile.events) {
			if (event.at < last)
				return `${profile.name}: time goes back at ${event.at}`;
			if (event.frame >= trace.shared.frames.length)
				return `${profile.name}: there is no frame ${event.frame}`;
			last = event.at;
			if (event.type === 'O')
				open.push(event.frame);
			else if (open.pop() !== event.frame)
				return `${profile.name}: a call is closed that is not the innermost`;
		}
		if (open.length || last > profile.endValue)
			return `${profile.name}: calls are open at its end`;
	}
	return null;
}

let bad = 0;
for (const file of process.argv.slice(2)) {
	const problem = check(file);
	console.log(`${file}: ${problem || 'ok'}`);
	bad |= problem !== null;
}
process.exit(bad);

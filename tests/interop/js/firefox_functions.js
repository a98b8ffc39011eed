// Sums up what `profiler-cli thread functions --json` says of all threads: exclusive and inclusive
// nanoseconds and the name of each function, a row each.
const fs = require('fs');
const rows = new Map();

for (const file of process.argv.slice(2))
	for (const f of JSON.parse(fs.readFileSync(file)).functions) {
		const row = rows.get(f.nameWithLibrary) || [0, 0];
		row[0] += f.selfSamples;
		row[1] += f.totalSamples;
		rows.set(f.nameWithLibrary, row);
	}
for (const [name, [self, total]] of rows)
	console.log(Math.round(self * 1e6), Math.round(total * 1e6), name);

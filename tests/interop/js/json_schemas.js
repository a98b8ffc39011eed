// json_schemas.js SCHEMAS OUTPUT... - checks outputs of perfpipe against its own schemas with ajv: files that hold one
// JSON object, files that hold JSON lines (*.jsonl), and goldens in which objects stand among other text (*.stdout).
'use strict';
const fs = require('fs');
const Ajv = require(process.env.AJV + '/dist/2020').default;

const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
const schemas = JSON.parse(fs.readFileSync(process.argv[2])).schemas;
const checks = {};

// Users' schemas allow keys that a newer program may add; here one that no schema has is an error.
function forbid_others(schema) {
	if (schema === null || typeof schema !== 'object')
		return;
	if (schema.properties && schema.type && [].concat(schema.type).includes('object'))
		schema.additionalProperties = false;
	Object.values(schema).forEach(forbid_others);
}
forbid_others(schemas);
for (const name of Object.keys(schemas))
	checks[schemas[name].title] = ajv.compile(schemas[name]);

const seen = {};
let bad = 0;

function check(where, object, name) {
	const valid = checks[name];
	if (!valid)
		console.log(where + ': no schema ' + name);
	else if (!valid(object))
		console.log(where + ': ' + name + ': ' + ajv.errorsText(valid.errors.slice(0, 3)));
	if (!valid || !valid(object))
		bad++;
	seen[name] = (seen[name] || 0) + 1;
}

function objects(text) {
	const found = text.match(/^\{\n  "schema": "perfpipe\/[^]*?\n\}$/gm) || [];
	return found.map(JSON.parse);
}

for (const file of process.argv.slice(3)) {
	const text = fs.readFileSync(file, 'utf8');
	if (file.endsWith('.jsonl'))
		text.split('\n').filter(Boolean).forEach((line) => check(file, JSON.parse(line), 'perfpipe/events/1'));
	else if (file.endsWith('.stdout'))
		objects(text).forEach((object) => check(file, object, object.schema));
	else
		check(file, JSON.parse(text), JSON.parse(text).schema);
}
for (const name of Object.keys(checks).filter((name) => !seen[name])) {
	console.log('nothing was checked against ' + name);
	bad++;
}
console.log(Object.values(seen).reduce((a, b) => a + b) + ' outputs checked against ' + Object.keys(seen).length + ' schemas');
process.exit(bad ? 1 : 0);

// SPDX-License-Identifier: MIT
// node perf_samples.js FROM TO: a copy of a trace of Perfetto whose samples are those that its trace processor knew before
// version 58: PerfSample, which refers to the same stacks, instead of StackSample. What these weigh is lost.
'use strict';
const fs = require('fs');
const PACKET = 1, INTERNED_DATA = 12, TASK_CONTEXTS = 48, STACK_SAMPLE = 135, PERF_SAMPLE = 66;

function varint(bytes, at) {
	let value = 0, factor = 1;
	for (;; factor *= 128) {
		const byte = bytes[at++];
		value += (byte & 127) * factor;
		if (byte < 128)
			return [value, at];
	}
}

// The fields of a message: number, value of a varint or bytes of others, and the field as it is.
function* fields(bytes) {
	for (let at = 0; at < bytes.length;) {
		const start = at;
		let tag, value;
		[tag, at] = varint(bytes, at);
		if ((tag & 7) === 2) {
			let size;
			[size, at] = varint(bytes, at);
			value = bytes.subarray(at, at += size);
		} else if ((tag & 7) === 1) {
			value = bytes.subarray(at, at += 8);
		} else {
			[value, at] = varint(bytes, at);
		}
		yield { number: Math.floor(tag / 8), value, whole: bytes.subarray(start, at) };
	}
}

function putVarint(value) {
	const bytes = [];
	for (; value >= 128; value = Math.floor(value / 128))
		bytes.push(value % 128 + 128);
	return Buffer.from([...bytes, value]);
}

const putBytes = (number, bytes) => Buffer.concat([putVarint(number * 8 + 2), putVarint(bytes.length), bytes]);
const putNumber = (number, value) => Buffer.concat([putVarint(number * 8), putVarint(value)]);
const numbersOf = bytes => Object.fromEntries([...fields(bytes)].map(field => [field.number, field.value]));

const contexts = new Map(), packets = [];
for (const packet of fields(fs.readFileSync(process.argv[2]))) {
	const parts = [];
	for (const field of fields(packet.value)) {
		if (field.number === INTERNED_DATA)
			for (const entry of fields(field.value))
				if (entry.number === TASK_CONTEXTS)
					contexts.set(numbersOf(entry.value)[1], numbersOf(entry.value));
		if (field.number !== STACK_SAMPLE) {
			parts.push(field.whole);
			continue;
		}
		const sample = numbersOf(field.value), context = contexts.get(sample[2]);
		parts.push(putBytes(PERF_SAMPLE, Buffer.concat([putNumber(1, 0), putNumber(2, context[2]), putNumber(3, context[3]),
			...sample[6] ? [putNumber(4, sample[6])] : []])));
	}
	packets.push(putBytes(PACKET, Buffer.concat(parts)));
}
fs.writeFileSync(process.argv[3], Buffer.concat(packets));

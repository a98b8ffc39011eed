// SPDX-License-Identifier: MIT
// node trace_processor.mjs < QUESTIONS: Perfetto's trace processor, which the folder TRACE_PROCESSOR has as
// WebAssembly, reads traces and answers. A line "< FILE" is a trace to be read, any other a query of the last one; the
// answer has a line for each row, with tabs between columns. What it says on the way is on stderr.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { pathToFileURL } from 'node:url';

const PIECE = 16 << 20;
const folder = process.env.TRACE_PROCESSOR;

// Its script asks whether there is memory of 64 bits, by a module that is nothing but such a memory; the package has
// the program for memory of 32 bits.
class Module extends WebAssembly.Module {
	constructor(bytes) {
		if (bytes[8] === 5)
			throw new TypeError('there is no memory of 64 bits');
		super(bytes);
	}
}

class FileRequest { // in place of XMLHttpRequest
	open(method, name) { this.name = path.join(folder, path.basename(name)); }
	send() {
		this.status = 200;
		this.response = new Uint8Array(fs.readFileSync(this.name)).buffer;
	}
}

// The script is made for a worker of a browser, so that is what it gets.
function startWorker(port) {
	const scope = { WorkerGlobalScope: class {}, XMLHttpRequest: FileRequest, location: { href: 'http://localhost/' },
		console: { log: console.error, warn: console.error, error: console.error }, importScripts() {},
		WebAssembly: new Proxy(WebAssembly, { get: (all, name) => name === 'Module' ? Module : all[name] }),
		performance, TextDecoder, TextEncoder, URL, setTimeout, clearTimeout, crypto, TypeError, Uint8Array };
	scope.self = scope;
	vm.runInContext(fs.readFileSync(path.join(folder, 'engine_bundle.node.js'), 'utf8'), vm.createContext(scope));
	scope.onmessage({ data: port });
}

const { EngineBase } = await import(pathToFileURL(path.join(folder, 'engine.mjs')).href);
class Engine extends EngineBase {
	mode = 'WASM';
	id = 'test';
	rpcSendRequestBytes(bytes) { queueMicrotask(() => port.onmessage({ data: bytes })); }
}
const engine = new Engine();
const port = { postMessage: bytes => engine.onRpcResponseBytes(bytes) };
startWorker(port);
await new Promise(setImmediate); // it is ready when what it put off has been done

async function read(file) {
	const bytes = fs.readFileSync(file);
	await engine.resetTraceProcessor({ cropTrackEvents: false });
	for (let at = 0; at < bytes.length; at += PIECE)
		await engine.parse(new Uint8Array(bytes.subarray(at, at + PIECE)));
	await engine.notifyEof();
}

async function answer(sql) {
	const result = await engine.query(sql);
	const columns = result.columns();
	for (const row = result.iter({}); row.valid(); row.next())
		console.log(columns.map(column => row.get(column)).join('\t'));
}

for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(line => line))
	await (line.startsWith('< ') ? read(line.slice(2)) : answer(line));

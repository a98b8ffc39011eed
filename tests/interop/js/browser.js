// SPDX-License-Identifier: MIT
// A real browser that is driven by keys and clicks, as a person would: require('./browser').open(FILE) opens it in
// chromium without a window, over a pair of pipes, so that no port is used.
'use strict';
const { spawn } = require('child_process');
const path = require('path');

const KEYS = { Enter: 13, Escape: 27, Tab: 9, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40,
	a: 65, f: 70, '/': 191 };

class Browser {
	constructor(profile) {
		this.process = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
			`--user-data-dir=${path.resolve(profile)}`, '--window-size=1300,900', 'about:blank'],
			{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
		this.asked = new Map();
		this.last = 0;
		let rest = '';
		this.process.stdio[4].on('data', data => {
			const messages = (rest + data).split('\0');
			rest = messages.pop();
			for (const text of messages) {
				const message = JSON.parse(text), asked = this.asked.get(message.id);
				this.asked.delete(message.id);
				if (asked && message.error)
					asked.reject(new Error(message.error.message));
				else if (asked)
					asked.resolve(message.result);
			}
		});
	}

	send(method, params = {}) {
		const id = ++this.last, message = { id, method, params, ...(this.session && { sessionId: this.session }) };
		this.process.stdio[3].write(JSON.stringify(message) + '\0');
		return new Promise((resolve, reject) => this.asked.set(id, { resolve, reject }));
	}

	async open(file) {
		const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
		this.session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
		await this.send('Page.navigate', { url: `file://${path.resolve(file)}` });
		for (let tries = 0; !(await this.value('document.readyState === "complete" && location.protocol === "file:"')); tries++)
			if (tries === 2000)
				throw new Error(`${file} is not loaded`);
		await this.send('Page.bringToFront');
	}

	// What an expression is in the page.
	async value(expression) {
		const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true });
		if (exceptionDetails)
			throw new Error(`${expression}: ${exceptionDetails.exception.description}`);
		return result.value;
	}

	// A key by its name, with Control or Shift before it.
	async key(name, modifiers = 0) {
		const [key, ...rest] = name.split('+').reverse();
		for (const held of rest)
			modifiers |= { Control: 2, Shift: 8 }[held];
		const text = key.length === 1 && !(modifiers & 2) ? key : key === 'Enter' ? '\r' : undefined;
		const event = { key, modifiers, windowsVirtualKeyCode: KEYS[key], text };
		await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event });
		await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
	}

	type(text) {
		return this.send('Input.insertText', { text });
	}

	// In the middle of the first element that the expression finds.
	async click(element) {
		const { x, y } = await this.value(`(r => ({ x: r.x + r.width / 2, y: r.y + r.height / 2 }))((${element}).getBoundingClientRect())`);
		for (const type of ['mousePressed', 'mouseReleased'])
			await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
	}

	async picture(file) {
		const { data } = await this.send('Page.captureScreenshot');
		require('fs').writeFileSync(file, Buffer.from(data, 'base64'));
	}

	async close() {
		const ended = new Promise(resolve => this.process.on('exit', resolve));
		this.session = undefined;
		this.send('Browser.close').catch(() => {});
		await ended;
	}
}

exports.open = async file => {
	const browser = new Browser(`${file}.browser`);
	await browser.open(file);
	return browser;
};

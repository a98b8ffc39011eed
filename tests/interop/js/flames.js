// SPDX-License-Identifier: MIT
// node flames.js FILE FIGURES: uses a flame graph as a person would, by keys and clicks, and prints what is wrong. FIGURES is
// JSON: { total, share, threads } as folded stacks have them, in nanoseconds and percent.
'use strict';
const { open } = require('./browser.js');

const CURRENT = 'document.activeElement?.flame';
const BOXES = '[...document.querySelectorAll("#flames-boxes .f")]';
const WORK = `${BOXES}.find(g => g.flame.full.endsWith("OrderService.Work()"))`;
const DRAWN = `${BOXES}.length`;
let page, bad = 0;

async function expect(what, expression, wanted) {
	const found = await page.value(expression);
	if (JSON.stringify(found) === JSON.stringify(wanted))
		return;
	console.log(`${process.argv[2]}: ${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
	bad = 1;
}

async function choose(list, text) {
	await page.value(`(list => {
		list.value = [...list.options].find(o => o.textContent.startsWith(${JSON.stringify(text)})).value;
		list.dispatchEvent(new Event('change', { bubbles: true }));
	})(document.getElementById('${list}'))`);
}

async function checkFirstSight(figures) {
	await expect('the total', 'flames.nodes[0].total', figures.total);
	await expect('the words', '[...document.querySelectorAll("#flames-tools [aria-label], #flames-reset")].map(e => e.ariaLabel || e.textContent)',
		['Search', 'Time', 'Thread', 'Reset zoom']);
	await expect('the root', `${BOXES}[0].querySelector("text").textContent`, 'Total');
	await expect('the label', `${WORK}.querySelector("text").textContent`, 'OrderService.Work()');
	await expect('the tip', `${WORK}.querySelector("title").textContent.replace(/[0-9.]+ /g, "N ")`,
		'Orders.OrderService.Work()\nModule: orders\nTotal: N ms (N %)\nSelf: N ms (N %)');
	await expect('labels that are too long', `${BOXES}.map(g => [g.querySelector("text"), g.querySelector("rect")])
		.filter(([text, rect]) => text && text.getComputedTextLength() > rect.getAttribute("width") - 2).length`, 0);
	await expect('labels cut, but not in the middle', `${BOXES}.filter(g => g.querySelector("text")?.textContent.includes("…"))
		.filter(g => { const [a, b] = g.querySelector("text").textContent.split("…"), m = g.flame.method;
			return !a || !b || !m.startsWith(a) || !m.endsWith(b); }).length`, 0);
	await expect('a label that is cut', `${BOXES}.some(g => /^[^(…]+…[^(…]+$/.test(g.querySelector("text")?.textContent))`, true);
	await expect('plumbing', `${BOXES}.filter(g => /Dispatch\\(|WorkerThreadStart|AsyncStateMachineBox/.test(g.flame.full)).length`, 0);
	await expect('names that are missing', `${BOXES}.filter(g => g.flame.full.includes("?!?")).length`, 0);
	await expect('boxes without a label for readers', `${BOXES}.filter(g => !/, .* ms, .* %$/.test(g.ariaLabel)).length`, 0);
	await expect('boxes that Tab stops at', `${BOXES}.filter(g => g.tabIndex === 0).length`, 1);
}

async function tabToBoxes() {
	for (let i = 0; i < 8 && !(await page.value(`!!${CURRENT}`)); i++)
		await page.key('Tab');
}

async function checkKeys() {
	const all = await page.value(DRAWN);
	await tabToBoxes();
	await expect('Tab', `${CURRENT}.method`, 'Total');
	await expect('the focus is visible', 'getComputedStyle(document.activeElement.querySelector("rect")).strokeWidth', '2px');
	await page.key('ArrowDown');
	await expect('down: the widest callee', `${CURRENT}.method`, 'Thread.StartCallback');
	await page.key('ArrowDown');
	await expect('down again', `${CURRENT}.method`, 'OrderService.Work');
	await page.key('ArrowUp');
	await expect('up', `${CURRENT}.method`, 'Thread.StartCallback');
	await page.key('ArrowRight');
	await expect('right', `${CURRENT}.depth === 1 && ${CURRENT}.method !== 'Thread.StartCallback'`, true);
	await page.key('ArrowLeft');
	await page.key('ArrowDown');
	await page.key('Enter');
	await expect('Enter zooms in', `[${CURRENT}.method, +document.activeElement.querySelector("rect").getAttribute("width")]`,
		['OrderService.Work', 1200]);
	await expect('callers are above', `${BOXES}.filter(g => g.style.opacity == 0.5).length`, 2);
	await page.key('Home');
	await expect('Home', `${CURRENT}.method`, 'Total');
	await page.key('Escape');
	await expect('Escape resets', DRAWN, all);
	await expect('and the focus stays', `${CURRENT}.method`, 'Total');
}

async function checkSearch(figures) {
	const first = await page.value(`${CURRENT}.number`);
	await page.key('/');
	await expect('/', 'document.activeElement.id', 'flames-search');
	await page.type('OrderService.Work(');
	await expect('a term that is not a regular expression', 'document.getElementById("flames-status").textContent.split(",")[0]',
		`Matched: ${figures.share} %`);
	await page.key('Control+a');
	await page.type('orders!Orders.OrderService.Work');
	await expect('the share', 'document.getElementById("flames-status").textContent.split(",")[0]', `Matched: ${figures.share} %`);
	await expect('marked', `${BOXES}.filter(g => g.classList.contains("m")).every(g => g.flame.method.endsWith("OrderService.Work"))`, true);
	await page.key('Enter');
	await expect('Enter goes to a match', `[${CURRENT}.method, ${CURRENT}.number !== ${first}]`, ['OrderService.Work', true]);
	await page.key('Control+f');
	await expect('Ctrl+F', 'document.activeElement.id', 'flames-search');
	await page.key('Escape');
	await expect('Escape ends the search', '[document.getElementById("flames-status").textContent, document.querySelectorAll(".m").length]', ['', 0]);
}

async function checkMouse() {
	const all = await page.value(DRAWN);
	await page.click(`${WORK}.querySelector("rect")`);
	await expect('a click zooms in', `[+${WORK}.querySelector("rect").getAttribute("width"), ${DRAWN} < ${all}]`, [1200, true]);
	await page.click('document.getElementById("flames-reset")');
	await expect('Reset zoom', DRAWN, all);
}

async function checkChoices(figures) {
	const sums = [];
	await choose('flames-state', 'Native code or waiting');
	await expect('waiting', 'flames.nodes[0].total', figures.waiting);
	await expect('the title', 'document.getElementById("flames-title").textContent', 'orders.nettrace.gz (Native code or waiting)');
	await choose('flames-state', 'All time');
	await expect('all', 'flames.nodes[0].total', figures.total + figures.waiting);
	await choose('flames-state', 'Managed code');
	for (const thread of figures.threads) {
		await choose('flames-thread', String(thread.id));
		await expect(`thread ${thread.id}`, 'flames.nodes[0].total', thread.total);
		sums.push(await page.value('flames.nodes[0].total'));
	}
	await choose('flames-thread', 'All threads');
	await expect('all threads', 'flames.nodes[0].total', sums.reduce((a, b) => a + b));
}

(async () => {
	const figures = JSON.parse(process.argv[3]);
	page = await open(process.argv[2]);
	await checkFirstSight(figures);
	await checkKeys();
	await checkSearch(figures);
	await checkMouse();
	await checkChoices(figures);
	await page.close();
	process.exit(bad);
})().catch(problem => {
	console.log(`${process.argv[2]}: ${problem.stack}`);
	process.exit(1);
});

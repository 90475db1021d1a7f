// The page in Firefox: a game by clicks, an analysis, a review, threads, and a page without any network; ends with 1 if anything
// was not as it should be. Firefox as it is speaks WebDriver BiDi, and so does Puppeteer.

import { createRequire } from 'node:module';
import { serve } from './site.mjs';

const { launch } = createRequire(`${process.env.MODULES}/`)('puppeteer-core');
const faults = [];
const check = (holds, what) => { if (!holds) faults.push(what); };
const site = process.env.SITE ? await serve(process.env.SITE) : null;
const address = site?.address ?? process.env.ADDRESS;
const browser = await launch({ browser: 'firefox', executablePath: process.env.FIREFOX, headless: true });

/** Opens the page; whatever it says on the console is a fault. */
async function open(hash = '') {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  // What is waited for comes sooner on any machine; only what never comes takes as long.
  page.setDefaultTimeout(120_000);
  page.on('console', (message) => faults.push(`console: ${message.type()} ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.stack}`));
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(address + hash);
  // The first time a page without a server comes twice.
  await page.waitForFunction(() => globalThis.crossOriginIsolated && document.querySelector('[role=tab]'));
  return page;
}

const wait = (page, what, ...args) => page.waitForFunction(what, {}, ...args);
const movesOf = (page) => page.$$eval('[role=tabpanel]:not([hidden]) .moves .move', (moves) => moves.map((move) => move.dataset.cell));
const waitForMoves = (page, number) => wait(page, (wanted) => document.querySelectorAll('[role=tabpanel]:not([hidden]) .moves .move').length >= wanted || document.querySelector('.result'), number);

/** Presses the button, or the tab, of a name. */
async function press(page, name) {
  const find = (wanted) => [...document.querySelectorAll('button')].find((one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === wanted && one.offsetParent && !one.disabled);
  const button = await wait(page, find, name);
  await button.click();
}

async function click(page, cell) {
  const box = await (await page.$('#board')).boundingBox();
  const scale = box.width / (80 + 32 * 14);
  await page.mouse.click(box.x + (40 + 32 * (cell.charCodeAt(0) - 97)) * scale, box.y + (40 + 32 * (15 - Number(cell.slice(1)))) * scale);
}

async function aGame() {
  const page = await open();
  await page.$eval('input[type=range]', (input) => { input.value = '2'; input.dispatchEvent(new Event('input')); });
  await press(page, 'Start');
  const cells = ['h8', 'h9', 'h10', 'h7', 'g8', 'i8', 'g9', 'i9', 'j10', 'f6', 'k11', 'e5', 'l4', 'd12'];
  for (let turn = 0; turn < 5 && !(await page.$('.status .result')); turn += 1) {
    const moves = await movesOf(page);
    await click(page, cells.find((cell) => !moves.includes(cell)));
    await waitForMoves(page, moves.length + 2);
  }
  check((await movesOf(page)).length >= 6, 'the game did not go on');
  if (!(await page.$('.status .result'))) {
    const before = await movesOf(page);
    await page.reload();
    await waitForMoves(page, before.length);
    check(String(await movesOf(page)) === String(before), 'a page that is loaded again has another game');
    await press(page, 'Resign');
    await press(page, 'Yes, resign');
  }
  await wait(page, () => /(wins|Draw)/.test(document.querySelector('.status')?.textContent ?? ''));
  await page.browserContext().close();
}

async function anAnalysis() {
  const page = await open('#rule=renju&size=15&moves=h8h9j9');
  await wait(page, () => document.querySelectorAll('table.lines tbody tr').length >= 3 && document.querySelectorAll('#board .candidate').length >= 3);
  await press(page, 'Move back');
  await wait(page, () => document.querySelectorAll('table.lines tbody tr').length >= 3);
  await page.browserContext().close();
}

async function twoThreads() {
  if (!site) return;
  const page = await open('#rule=renju&size=15&moves=h8h9j9');
  const hasLines = () => wait(page, () => document.querySelectorAll('table.lines tbody tr').length >= 3);
  await hasLines();
  await press(page, 'Settings');
  const slider = await page.$('dialog input[type=range]');
  const can = await page.evaluate(async () => navigator.hardwareConcurrency > 1 && (await (await fetch('files.json')).json()).files.includes('tengen-threads.wasm'));
  check((slider !== null) === can, 'threads are offered where there are none, or the other way round');
  await slider?.evaluate((input) => { input.value = '2'; input.dispatchEvent(new Event('input')); });
  await page.keyboard.press('Escape');
  await hasLines();
  await press(page, 'Play');
  await press(page, 'Start');
  await click(page, 'h8');
  await waitForMoves(page, 2);
  const helpers = page.workers().filter((worker) => worker.url().endsWith('helper-worker.js')).length;
  check(helpers === (can ? 1 : 0), `${helpers} helpers`);
  await page.browserContext().close();
}

async function aReview() {
  const page = await open('#rule=freestyle&size=15&moves=h8i9h10h9g8i8i10g10f9j7');
  await press(page, 'Review');
  await page.select('[role=tabpanel]:not([hidden]) select', '5000');
  await press(page, 'Review it');
  await press(page, 'Next mistake');
  await wait(page, () => document.querySelector('.judged .lead'));
  await page.browserContext().close();
}

async function withoutNetwork() {
  if (!site) return;
  const page = await open();
  await wait(page, () => navigator.serviceWorker.controller);
  // A network that fails in the middle of a file is another fault than none.
  await page.waitForNetworkIdle({ idleTime: 1_000 });
  await site.stop();
  await page.reload();
  await press(page, 'Start');
  await click(page, 'h8');
  await waitForMoves(page, 2);
  await site.start();
  await page.browserContext().close();
}

for (const action of [aGame, anAnalysis, aReview, twoThreads, withoutNetwork]) {
  const before = faults.length;
  try {
    await action();
  } catch (error) {
    faults.push(`${action.name}: ${error.stack}`);
  }
  console.log(`${faults.length === before ? 'well' : 'FAULT'} ${action.name}, ${await browser.version()}`);
  faults.slice(before).forEach((fault) => console.log(`  ${fault}`));
}
await browser.close();
await site?.stop();
process.exit(faults.length === 0 ? 0 : 1);

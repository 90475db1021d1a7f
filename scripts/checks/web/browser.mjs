// A browser, pages of it, and what people do with a board.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { KINDS, serve } from './site.mjs';

const require = createRequire(`${process.env.MODULES}/`);
const { chromium } = require('playwright-core');
const axe = require.resolve('axe-core/axe.min.js');

export const PHONE = { width: 390, height: 844 };
export const SMALL = { width: 320, height: 640 };
export const DESK = { width: 1280, height: 800 };

/** The page without a server of engines, if that is what is tried. */
export const site = process.env.SITE ? await serve(process.env.SITE) : null;
const address = site?.address ?? process.env.ADDRESS;
const browser = await chromium.launch({ executablePath: process.env.BROWSER, args: ['--no-sandbox'] });
/** What is waited for comes sooner on any machine; only what never comes takes as long. */
const PLENTY_MS = 120_000;
/** What no page may do. */
export const faults = [];

export async function close() {
  await browser.close();
  await site?.stop();
}

/** Lets the page of a folder be tried with the engines of a program that carries another one. */
async function serveFromFolder(context, folder) {
  await context.route((url) => !url.pathname.includes('/api/'), async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    // Where a document comes from decides what it may connect to.
    if (!name || !existsSync(`${folder}/${name}`)) return route.continue();
    return route.fulfill({ body: readFileSync(`${folder}/${name}`), contentType: KINDS[extname(name)] });
  });
}

/** Opens the page, or another one at an address; whatever it says on the console is a fault. */
export async function open(viewport, { touch = false, night = false, hash = '', at = '' } = {}) {
  const context = await browser.newContext({ viewport, hasTouch: touch, isMobile: touch, colorScheme: night ? 'dark' : 'light', serviceWorkers: process.env.PAGE ? 'block' : 'allow' });
  if (process.env.PAGE) await serveFromFolder(context, process.env.PAGE);
  context.setDefaultTimeout(PLENTY_MS);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (process.env.PAGE && /blocked by Playwright/.test(message.text())) return;
    faults.push(`console: ${message.type()} ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.stack}`));
  await page.goto(at || address + hash);
  if (at) return page;
  // The first time such a page comes twice.
  if (site) await page.waitForFunction(() => crossOriginIsolated);
  await page.getByRole('tab', { name: 'Play' }).waitFor();
  return page;
}

/** The place of a cell on the screen. */
export async function placeOf(page, cell, edge = 15) {
  const box = await page.locator('#board').boundingBox();
  const scale = box.width / (80 + 32 * (edge - 1));
  const [x, y] = [cell.charCodeAt(0) - 97, edge - Number(cell.slice(1))];
  return [box.x + (40 + 32 * x) * scale, box.y + (40 + 32 * y) * scale];
}

export async function click(page, cell, edge) {
  await page.mouse.click(...(await placeOf(page, cell, edge)));
}

export async function tap(page, cell, edge) {
  await page.touchscreen.tap(...(await placeOf(page, cell, edge)));
}

export const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
/** Waits for words on the page. */
export const say = (page, words) => page.getByText(words).first().waitFor();

/** The moves of the list, such as `['h8', 'i9']`. */
export const movesOf = (page) => page.locator('[role=tabpanel]:not([hidden]) .moves .move').evaluateAll((moves) => moves.map((move) => move.dataset.cell));

/** Waits until the list has at least a number of moves, or the game is over. */
export async function waitForMoves(page, number) {
  await page.waitForFunction((wanted) => document.querySelectorAll('[role=tabpanel]:not([hidden]) .moves .move').length >= wanted || document.querySelector('.result'), number);
}

export const isOver = (page) => page.locator('.status .result').isVisible();

/** Free cells near the middle, in a fixed order, that make no plan at all. */
export function freeCell(taken, edge = 15) {
  const middle = (edge - 1) / 2;
  const cells = Array.from({ length: edge * edge }, (_, i) => [i % edge, Math.floor(i / edge)])
    .sort(([a, b], [c, d]) => Math.max(Math.abs(a - middle), Math.abs(b - middle)) - Math.max(Math.abs(c - middle), Math.abs(d - middle)) || a - c || b - d);
  return cells.map(([x, y]) => String.fromCharCode(97 + x) + (y + 1)).find((cell) => !taken.includes(cell));
}

/** Looks for faults of accessibility. The tests of the page's contents must not be in its policy, so axe comes from outside. */
export async function checkAccess(page, where) {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: (await import('node:fs')).readFileSync(axe, 'utf8') });
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
  for (const { id, help, nodes } of violations) faults.push(`axe, ${where}: ${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.split('\n')[1] ?? ''}`).slice(0, 3).join(' | ')}`);
}

/** Whether anything is wider than the page. */
export async function checkWidth(page, where) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (over > 0) faults.push(`width, ${where}: ${over} pixels too wide`);
}

export async function shoot(page, name) {
  if (!process.env.SHOTS) return;
  mkdirSync(process.env.SHOTS, { recursive: true });
  await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

/** Kills the engines of a server. */
export function killEngines(server = process.env.SERVER) {
  const children = execFileSync('pgrep', ['-P', server], { encoding: 'utf8' }).trim().split('\n');
  children.forEach((child) => process.kill(Number(child), 'SIGKILL'));
  return children.length;
}

/** Waits until something holds, as pages draw when they get to it; it is a fault if it does not. */
export async function soon(condition, what) {
  const end = performance.now() + PLENTY_MS;
  while (!(await condition())) {
    if (performance.now() > end) {
      faults.push(what);
      return;
    }
    await new Promise((resume) => { setTimeout(resume, 50); });
  }
}

export function check(holds, what) {
  if (!holds) faults.push(what);
}

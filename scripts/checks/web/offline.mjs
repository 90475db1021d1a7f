// The page without a server of engines, and without any.

import { DESK, PHONE, check, click, freeCell, movesOf, open, press, site, soon, tap, waitForMoves } from './browser.mjs';

export async function withoutNetwork() {
  if (!site) return;
  const page = await open(DESK);
  await page.getByRole('button', { name: 'Start' }).waitFor();
  await site.stop();
  try {
    await page.reload();
    check(await page.evaluate(() => crossOriginIsolated), 'a page without a network shares no memory with its engine');
    await press(page, 'Start');
    await click(page, 'h8');
    await waitForMoves(page, 2);
    // A window that was opened on it without a network, at another address.
    const other = await page.context().newPage();
    await other.goto(`${site.address}index.html#rule=renju&size=15&moves=h8h9j9`);
    await other.locator('table.lines tbody tr').first().waitFor();
    await other.close();
    await click(page, freeCell(await movesOf(page)));
    await waitForMoves(page, 4);
    check((await movesOf(page)).length === 4, 'the game did not go on without a network');
  } finally {
    await site.start();
  }
  await page.context().close();
}

/** Where the browser shares memory and the page has the engine for it, searches have as many threads as are chosen. */
export async function twoThreads() {
  if (!site) return;
  const page = await open(DESK, { hash: '#rule=renju&size=15&moves=h8h9j9' });
  const lines = page.locator('table.lines tbody tr');
  await lines.nth(2).waitFor();
  const can = await page.evaluate(async () => navigator.hardwareConcurrency > 1 && (await (await fetch('files.json')).json()).files.includes('tengen-threads.wasm'));
  const helpers = () => page.workers().filter((worker) => worker.url().endsWith('helper-worker.js')).length;
  const choose = async (threads) => {
    await press(page, 'Settings');
    await page.getByLabel('Threads').fill(threads);
    await page.keyboard.press('Escape');
  };
  if (can) {
    await choose('2');
    await soon(() => helpers() > 0, 'no helper has come');
    check(helpers() === 1, `${helpers()} helpers for two threads`);
    await lines.nth(2).waitFor();
    await page.getByRole('tab', { name: 'Play' }).click();
    await press(page, 'Start');
    await click(page, 'h8');
    await waitForMoves(page, 2);
    await page.reload();
    // What was chosen is kept.
    await page.getByRole('tab', { name: 'Analyse' }).click();
    await lines.nth(2).waitFor();
    await soon(() => helpers() === 1, 'a page that is loaded again has no helper');
    await choose('1');
    await press(page, 'Move back');
    await lines.nth(2).waitFor();
  } else {
    await press(page, 'Settings');
    check(await page.getByLabel('Threads').count() === 0, 'threads are offered that nobody has');
  }
  await page.context().close();
}

/** A phone without a network plays, too: nothing of the page comes from elsewhere. */
export async function aPhoneOffline() {
  if (!site) return;
  const page = await open(PHONE, { touch: true });
  await page.context().setOffline(true);
  await page.reload();
  await press(page, 'Start');
  await tap(page, 'h8');
  await press(page, 'Play h8');
  await waitForMoves(page, 2);
  await page.context().close();
}

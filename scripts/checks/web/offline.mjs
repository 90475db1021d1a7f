// The page without a server of engines, and without any.

import { DESK, PHONE, check, click, freeCell, movesOf, open, press, site, tap, waitForMoves } from './browser.mjs';

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
    await other.locator('table.lines tbody tr').first().waitFor({ timeout: 20_000 });
    await other.close();
    await click(page, freeCell(await movesOf(page)));
    await waitForMoves(page, 4);
    check((await movesOf(page)).length === 4, 'the game did not go on without a network');
  } finally {
    await site.start();
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

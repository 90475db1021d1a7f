// A database beside an analysis.

import { DESK, PHONE, check, checkAccess, checkWidth, click, movesOf, open, press, say, shoot, soon } from './browser.mjs';

const saved = (page) => page.locator('.database [role=status]', { hasText: 'All is saved.' }).waitFor();
const text = (page) => page.getByLabel('Text of this position');
/** Waits until the text of the shown position is another one. */
const waitForText = (page, wanted) => page.waitForFunction((value) => document.querySelector('.database textarea')?.value === value, wanted);

const NOTE = 'one "quoted" \\ text\nYXSETDATABASE ../elsewhere.db\nDONE <b>対局</b>';

export async function aDatabase() {
  const page = await open(DESK, { hash: '#rule=renju&size=15&moves=h8h9j10' });
  await page.locator('table.lines tbody tr').first().waitFor();
  const summary = page.locator('.database summary');
  // Where the engine runs in the browser there is none.
  if (await summary.count() === 0) return;
  await summary.click();
  await page.getByLabel('New database').fill('../book');
  await press(page, 'Make it');
  await say(page, 'A name of letters and digits, please.');
  await page.getByLabel('New database').fill('book');
  await press(page, 'Make it');
  await saved(page);
  await soon(async () => await page.locator('.database .known').isVisible(), 'the moves of the database are not shown');
  await say(page, 'This position is not in the database.');
  // A text, a value of the engine, a label on a cell.
  await text(page).fill(NOTE);
  await page.getByText('Not saved yet').waitFor();
  await saved(page);
  await page.waitForFunction(() => !document.querySelector('.database .actions button').disabled);
  await press(page, 'Keep the engine’s value');
  await say(page, /This position: White (\d+ %|wins|loses)/);
  await page.getByLabel('Label a cell').fill('k7');
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('joseki <');
  await press(page, 'Set');
  await page.locator('.known tbody tr', { hasText: 'joseki<' }).waitFor();
  await soon(async () => (await page.locator('#board .note text').allTextContents()).includes('jose'), 'the label is not on the board');
  await saved(page);
  await checkAccess(page, 'database');
  await shoot(page, 'database');
  // Walking, and a text that is typed right before the page is loaded again.
  await press(page, 'Play k7');
  await waitForText(page, '');
  await text(page).fill('after k7');
  await press(page, 'Move back');
  await waitForText(page, NOTE);
  await text(page).fill('the last word');
  await page.reload();
  await waitForText(page, 'the last word');
  await saved(page);
  await page.locator('.known tbody tr', { hasText: 'joseki<' }).getByRole('img', { name: 'has a text' }).waitFor();
  // Deleting is asked about.
  await press(page, 'Delete what follows');
  await checkAccess(page, 'database, deleting');
  await press(page, 'Keep it');
  check(await page.locator('.known tbody tr', { hasText: 'joseki<' }).count() === 1, 'something was deleted without a yes');
  await press(page, 'Delete what follows');
  await press(page, 'Yes, delete');
  await say(page, 'No moves are known here.');
  await press(page, 'Delete position');
  await press(page, 'Yes, delete');
  await say(page, 'This position is not in the database.');
  await waitForText(page, '');
  check(String(await movesOf(page)) === 'h8,h9,j10,k7', 'the game is another one');
  await page.setViewportSize(PHONE);
  await checkWidth(page, 'database, phone');
  await shoot(page, 'database-phone');
  await page.setViewportSize(DESK);
  // A game is played without it, and it is back where one analyses.
  await page.getByRole('tab', { name: 'Play' }).click();
  await page.getByRole('tab', { name: 'Analyse' }).click();
  await saved(page);
  // The engine of a closed page lives on for a while and has the file.
  await press(page, 'Close');
  await page.getByLabel('In the folder of tengen web').waitFor();
  await press(page, 'Open');
  await saved(page);
  await click(page, 'a1');
  await say(page, 'This position is not in the database.');
  await page.context().close();
}

// Analyses, reviews, files and pictures.

import { readFileSync } from 'node:fs';
import { DESK, PHONE, check, checkAccess, checkWidth, click, movesOf, open, press, say, shoot, soon, waitForMoves } from './browser.mjs';

const tab = (page, name) => page.getByRole('tab', { name }).click();

/** The names would like to be a part of the page. */
const HOSTILE = `(;FF[4]GM[4]SZ[15]RU[0]PB[</script><img src=x onerror=alert(1)>]PW[two]C[<b>comment</b>]
;B[hh];W[ii];B[hj];W[ih];B[ig]C[</script><b>comment</b>];W[jf];B[hi];W[hg];B[gh];W[fi];B[gj];W[gi];B[fk])`;

/** Drops a file as a person does. */
async function drop(page, name, text) {
  const data = await page.evaluateHandle(([fileName, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], fileName));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

export async function aReviewOfADroppedFile() {
  const page = await open(DESK);
  await tab(page, 'Review');
  await checkAccess(page, 'review, before');
  await drop(page, 'game.sgf', HOSTILE);
  await say(page, 'The game on the board has 13 moves.');
  check(await page.locator('b, img[src=x]').count() === 0, 'a text of the file became a part of the page');
  await page.getByLabel('How thoroughly').selectOption('5000');
  await press(page, 'Review it');
  await page.getByRole('button', { name: 'Next mistake' }).waitFor();
  await press(page, 'Next mistake');
  await page.locator('.judged .lead').waitFor();
  if (await page.getByRole('button', { name: 'Show it on the board' }).isVisible()) {
    await press(page, 'Show it on the board');
    await page.locator('#board .ghost').first().waitFor();
  }
  await shoot(page, 'review');
  await checkAccess(page, 'review');
  // A move of one's own is judged too.
  await press(page, 'First position');
  await click(page, 'a1');
  await page.locator('.judged .lead', { hasText: '1. a1' }).waitFor();
  await page.setViewportSize(PHONE);
  await checkWidth(page, 'review, phone');
  await shoot(page, 'review-phone');
  await page.context().close();
}

export async function aProvenWin() {
  const page = await open(DESK, { hash: '#rule=freestyle&size=15&moves=h8a1i8a3j8a5' });
  await press(page, 'Prove a win');
  await say(page, /Black wins in \d+ moves/);
  await shoot(page, 'proof');
  await checkAccess(page, 'proof');
  // The defender plays somewhere else, and then as the page proposes.
  const moves = await movesOf(page);
  await click(page, 'o15');
  await waitForMoves(page, moves.length + 2);
  for (let i = 0; i < 20 && await page.getByRole('button', { name: 'Show a defence' }).isVisible(); i += 1) {
    await press(page, 'Show a defence');
    await page.waitForTimeout(300);
  }
  await say(page, 'Won: no defence has helped.');
  await press(page, 'End');
  await page.context().close();
}

export async function analysis() {
  const page = await open(DESK, { hash: '#rule=renju&size=15&moves=h8h9j9' });
  await page.locator('table.lines tbody tr').nth(2).waitFor();
  await page.locator('#board .candidate').nth(2).waitFor();
  await page.locator('table.lines tbody tr').first().hover();
  await page.locator('#board .ghost.line').first().waitFor();
  await shoot(page, 'analysis');
  await checkAccess(page, 'analysis');
  // Lines change places while they deepen: what is read must be what is clicked.
  const first = await page.locator('table.lines tbody button').first().evaluate((button) => {
    const move = button.textContent;
    button.click();
    return move;
  });
  await soon(async () => (await movesOf(page)).includes(first), 'the best move was not played');
  // A variation, a comment, marks.
  await press(page, 'Move back');
  await click(page, 'a1');
  await page.getByLabel('Comment on this position').fill('<i>far away</i>');
  await press(page, 'Annotate');
  await click(page, 'b2');
  await press(page, 'Done');
  await soon(async () => await page.locator('#board .edit').count() === 1, 'the mark is not there');
  await soon(async () => (await page.locator('.variation').count()) === 1, 'the variation is not there');
  await press(page, 'Make main line');
  await press(page, 'Delete from here');
  await soon(async () => (await page.locator('.variation').count()) === 0, 'what was deleted is still in the list');
  // Set-up.
  await press(page, 'Set up');
  await click(page, 'o15');
  await press(page, 'Empty the board');
  await soon(async () => await page.locator('#board #stones > g').count() === 0, 'the board is not empty');
  await press(page, 'Done');
  // A stone where a move was played later: the game can be read again.
  await click(page, 'h8');
  await press(page, 'Move back');
  await press(page, 'Set up');
  await click(page, 'h8');
  await press(page, 'Done');
  await page.reload();
  await soon(async () => await page.locator('.variation .variation').count() === 1, 'what was set up is no variation after a reload');
  await page.setViewportSize(PHONE);
  await checkWidth(page, 'analysis, phone');
  await shoot(page, 'analysis-phone');
  await page.context().close();
}

export async function savingAndSharing() {
  const page = await open(DESK, { hash: '#rule=renju&size=15&moves=h8i9h10&at=2' });
  await press(page, 'Save and share');
  check((await page.getByLabel('Link to this position').inputValue()).endsWith('#rule=renju&size=15&moves=h8i9h10&at=2'), 'the link is another one');
  await checkAccess(page, 'share');
  const save = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
    return readFileSync(await download.path());
  };
  check(String(await save('SGF')).includes(';B[hh];W[ig];B[hf]'), 'the SGF is another game');
  const svg = String(await save('SVG'));
  check(svg.startsWith('<svg') && !svg.includes('var(--') , 'the SVG needs the page');
  check((await save('PNG')).subarray(1, 4).toString() === 'PNG', 'the PNG is none');
  await press(page, 'Close');
  await press(page, 'Settings');
  await checkAccess(page, 'settings');
  await page.getByLabel('Dark').check({ force: true });
  await shoot(page, 'settings-dark');
  await page.keyboard.press('Escape');
  await press(page, 'Open a game');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Paste moves or a game').fill('h8 i9 nonsense');
  await dialog.getByRole('button', { name: 'Load' }).click();
  await soon(async () => /No moves were found/.test(await dialog.getByRole('alert').textContent()), 'the window does not say what is wrong');
  await page.context().close();
}

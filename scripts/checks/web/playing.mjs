// Games that are played.

import { DESK, PHONE, SMALL, check, checkAccess, checkWidth, click, freeCell, isOver, killEngines, movesOf, open, press, say, shoot, soon, tap, waitForMoves } from './browser.mjs';

const start = (page) => page.getByRole('button', { name: 'Start' }).click();

/** Plays a game to its end with moves that have no plan. */
async function playToTheEnd(page, play) {
  for (let turn = 0; turn < 120 && !(await isOver(page)); turn += 1) {
    const moves = await movesOf(page);
    await play(freeCell(moves));
    await waitForMoves(page, moves.length + 2);
  }
  await soon(async () => await isOver(page), 'the game did not end');
}

export async function aGameByTouch() {
  const page = await open(PHONE, { touch: true });
  await checkWidth(page, 'phone, new game');
  await checkAccess(page, 'phone, new game');
  await page.getByLabel('Level').fill('3');
  await start(page);
  await playToTheEnd(page, async (cell) => {
    await tap(page, cell);
    await press(page, `Play ${cell}`);
  });
  await say(page, /wins: five in a row|Draw/);
  await shoot(page, 'touch-end');
  await checkAccess(page, 'phone, end of a game');
  await page.context().close();
}

export async function aGameByKeyboard() {
  const page = await open(DESK);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await soon(async () => await page.evaluate(() => document.activeElement.id === 'board'), 'the first link does not lead to the board');
  await page.getByLabel('Level').focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Start' }).focus();
  await page.keyboard.press('Enter');
  let at = null;
  await playToTheEnd(page, async (cell) => {
    await page.locator('#board').focus();
    if (!at) {
      // The cursor begins in the middle.
      await page.keyboard.press('ArrowUp');
      at = [7, 7];
    } else {
      // It is shown again where it was.
      if (!(await page.locator('#board .cursor').count())) await page.keyboard.press('ArrowUp');
    }
    const [x, y] = [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
    for (; at[0] < x; at[0] += 1) await page.keyboard.press('ArrowRight');
    for (; at[0] > x; at[0] -= 1) await page.keyboard.press('ArrowLeft');
    for (; at[1] < y; at[1] += 1) await page.keyboard.press('ArrowUp');
    for (; at[1] > y; at[1] -= 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  });
  check(/wins|Draw/.test(await page.locator('[role=status][aria-live]').first().textContent()), 'the end is not said');
  await page.context().close();
}

export async function takingBackAndHints() {
  const page = await open(DESK);
  await start(page);
  await click(page, 'h8');
  await waitForMoves(page, 2);
  await press(page, 'Take back');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 0);
  await click(page, 'h8');
  await waitForMoves(page, 2);
  await press(page, 'Hint');
  await say(page, /Hint: [a-o]\d+, \d+ % for you/);
  await soon(async () => await page.locator('#board .hint').count() === 1, 'the hint is not on the board');
  await press(page, 'Threats');
  await press(page, 'New game');
  await press(page, 'Back to the game');
  // Another hint; the button has the focus again when it has come.
  await press(page, 'Hint');
  await say(page, /Hint: [a-o]\d+, \d+ % for you/);
  await soon(async () => await page.evaluate(() => document.activeElement.textContent) === 'Hint', 'the hint took the focus with it');
  await page.locator('.moves .move').first().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await soon(async () => await page.evaluate(() => document.activeElement.classList.contains('current')), 'the list of moves lost the focus');
  await press(page, 'Resign');
  await press(page, 'Play on');
  await press(page, 'Resign');
  await press(page, 'Yes, resign');
  await say(page, 'White wins: black resigned');
  check(await page.evaluate(() => document.querySelector('.status').contains(document.activeElement)), 'the end took the focus with it');
  await checkAccess(page, 'resigned');
  await page.context().close();
}

export async function reloadsAndDeadEngines() {
  const page = await open(DESK);
  await start(page);
  await click(page, 'h8');
  await waitForMoves(page, 2);
  await page.waitForTimeout(500);
  const before = await movesOf(page);
  await page.reload();
  await waitForMoves(page, 2);
  check(String(await movesOf(page)) === String(before), 'a page that is loaded again has another game');
  if (process.env.SERVER) {
    check(killEngines() > 0, 'there was no engine to kill');
    await page.waitForTimeout(50);
  }
  await click(page, freeCell(before));
  await waitForMoves(page, 4);
  check((await movesOf(page)).length === 4, 'the game did not go on after the engine was killed');
  await page.context().close();
}

export async function forbiddenPoints() {
  const page = await open(DESK, { hash: '#rule=renju&size=15&moves=g8a1i8c1h7e1h9a15' });
  await click(page, 'h8');
  await say(page, 'h8 is forbidden to black: double three.');
  await soon(async () => await page.locator('#board .forbidden').count() === 1, 'the forbidden point is not marked');
  await shoot(page, 'forbidden');
  await page.context().close();
}

export async function swap2() {
  const page = await open(DESK);
  await page.getByLabel('Opening').selectOption('swap2');
  await page.getByLabel('You open').check({ force: true });
  await start(page);
  for (const cell of ['h8', 'i9', 'j7']) await click(page, cell);
  await page.getByText(/tengen (plays white|takes black|has placed two)/).first().waitFor();
  if (await page.getByRole('button', { name: 'Take black' }).isVisible()) await press(page, 'Take black');
  await say(page, /Your move/);
  const moves = await movesOf(page);
  await click(page, freeCell(moves));
  await waitForMoves(page, moves.length + 2);
  await page.context().close();

  const other = await open(PHONE, { touch: true, night: true });
  await other.getByLabel('Opening').selectOption('swap2');
  await other.getByLabel('tengen opens').check({ force: true });
  await start(other);
  await say(other, 'Which side do you take?');
  await shoot(other, 'swap2');
  await press(other, 'Place two more');
  for (const cell of ['a1', 'o15']) {
    await tap(other, cell);
    await press(other, `Play ${cell}`);
  }
  await say(other, /Your move/);
  await other.context().close();
}

export async function smallScreensAndNight() {
  for (const [name, size, night] of [['320', SMALL, false], ['390', PHONE, true], ['1280', DESK, true], ['2560', { width: 2560, height: 1440 }, false]]) {
    const page = await open(size, { night });
    await checkWidth(page, name);
    await shoot(page, `new-${name}`);
    await start(page);
    await click(page, 'h8');
    await waitForMoves(page, 2);
    await checkWidth(page, `${name}, playing`);
    await checkAccess(page, `${name}, playing`);
    await shoot(page, `play-${name}`);
    await page.context().close();
  }
}

/** Does what the opening asks for until the game begins; `options` are taken first where they can be chosen. */
async function goThroughOpening(page, cells, options) {
  const status = page.locator('.status');
  for (let i = 0; i < 40; i += 1) {
    await page.waitForFunction(() => !document.querySelector('.status .busy'));
    const words = await status.innerText();
    if (/Your move/.test(words)) return;
    const choice = (await Promise.all(options.map(async (option) => ((await status.getByRole('button', { name: option, exact: true }).isVisible()) ? option : null)))).find(Boolean);
    if (choice) await status.getByRole('button', { name: choice, exact: true }).click();
    else if (/Keep one/.test(words)) await page.locator('#board .ghost.line circle').first().click({ force: true });
    else await click(page, cells.shift());
    await page.waitForTimeout(100);
  }
  check(false, 'the opening has no end');
}

export async function openingsOfRenju() {
  const choose = async (page, opening, side) => {
    await page.getByLabel('Rule').selectOption('renju');
    await page.getByLabel('Opening').selectOption(opening);
    await page.getByLabel(side).check({ force: true });
    await start(page);
  };
  const page = await open(DESK);
  await choose(page, 'rif', 'You open');
  await click(page, 'a1');
  await say(page, 'The opening wants this stone elsewhere.');
  await goThroughOpening(page, ['h8', 'h9', 'j9', 'g7', 'k11', 'k12', 'l3', 'l4'], ['Keep your colour', 'Offer these']);
  check((await movesOf(page)).length >= 5, 'RIF has ended too early');
  await choose(await again(page), 'soosyrv-8', 'tengen opens');
  await goThroughOpening(page, ['l12', 'k11', 'l3', 'd4', 'e5', 'd11', 'e12', 'k4', 'c7'], ['Keep your colour', '2', 'Offer these']);
  await choose(await again(page), 'taraguchi-10', 'You open');
  await goThroughOpening(page, ['h8', 'h9', 'g8', 'i9', 'g9', 'i8', 'j10', 'f7', 'k11', 'e8'], ['Keep your colour', 'Offer these']);
  await shoot(page, 'taraguchi');
  await page.context().close();
}

/** Goes back to the form for a new game. */
async function again(page) {
  await press(page, 'New game');
  return page;
}

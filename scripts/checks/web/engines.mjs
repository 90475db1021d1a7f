// Plays against other engines through the server. `ENGINES` has a line for each: its name, `+analyses` if it reports
// lines while it thinks, `=` and its command, such as `Rapfi+analyses=./rapfi`. Each plays both colours; one game is
// loaded again, and its engine killed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { DESK, check, click, close, faults, freeCell, isOver, killEngines, movesOf, open, press, say, shoot, soon, waitForMoves } from './browser.mjs';

const engines = process.env.ENGINES.split('\n').filter(Boolean).map((line) => {
  const [, name, analyses, command] = /^([^=+]+)(\+analyses)?=(.*)$/.exec(line);
  return { name, analyses: Boolean(analyses), command };
});

const words = engines.flatMap(({ name, command }) => ['--engine', `cmd=${command}`, `name=${name}`]);
const server = spawn(process.env.PROGRAM, ['web', '--no-open', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
const lines = createInterface(server.stdout);
const [address] = await once(lines, 'line');

/** Plays a move that has no plan, and waits for the answer. */
async function playOne(page) {
  const moves = await movesOf(page);
  await click(page, freeCell(moves));
  await waitForMoves(page, moves.length + 2);
  check((await movesOf(page)).length === moves.length + 2 || await isOver(page), `no answer after ${moves.join(' ')}`);
}

/** Begins a game at full strength, a second a move. */
async function begin(page, side) {
  await page.getByRole('radio', { name: side, exact: true }).check({ force: true });
  await page.getByLabel('Time for a move').fill('1');
  await press(page, 'Start');
}

/** Opens the page and chooses an engine, with which the page is loaded again. */
async function openWith(name) {
  const page = await open(DESK, { at: address });
  await page.getByRole('tab', { name: 'Play' }).waitFor();
  await press(page, 'Settings');
  const isThere = page.waitForEvent('load');
  await page.getByRole('combobox', { name: 'Engine', exact: true }).selectOption({ label: name });
  await isThere;
  await page.getByRole('tab', { name: 'Play' }).waitFor();
  return page;
}

async function meet({ name, analyses }) {
  const page = await openWith(name);
  await begin(page, 'Black');
  await playOne(page);
  await playOne(page);
  await press(page, 'Take back');
  await soon(async () => (await movesOf(page)).length === 2, 'the moves were not taken back');
  await playOne(page);
  await page.reload();
  await waitForMoves(page, 4);
  await playOne(page);
  check(killEngines(server.pid) > 0, 'there was no engine to kill');
  await playOne(page);
  await shoot(page, `engine-${name}`);
  await press(page, 'Hint');
  await say(page, /Hint: [a-o]\d+/);
  await say(page, name);
  await page.getByRole('tab', { name: 'Analyse' }).click();
  const line = page.locator('table.lines tbody tr').first();
  // Some say nothing before they are stopped, others answer at once with a move alone.
  const told = analyses ? line : line.or(page.getByText('This engine does not report several lines.')).first();
  await told.waitFor();
  await shoot(page, `engine-${name}-analyses`);
  await page.context().close();

  const white = await openWith(name);
  await begin(white, 'White');
  await waitForMoves(white, 1);
  await playOne(white);
  await white.context().close();
}

for (const engine of engines) {
  const before = faults.length;
  await meet(engine).catch((error) => faults.push(error.stack));
  console.log(`${faults.length === before ? 'well' : 'FAULT'} ${engine.name}`);
  faults.slice(before).forEach((fault) => console.log(`  ${fault}`));
}
server.kill();
await close();
process.exit(faults.length === 0 ? 0 : 1);

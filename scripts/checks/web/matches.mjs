// A running match on boards.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { DESK, SMALL, checkAccess, checkWidth, open, shoot, soon } from './browser.mjs';

/** The first line of a stream that has an address in it. */
async function addressIn(stream) {
  for await (const line of createInterface({ input: stream })) {
    const found = /http:\S+/.exec(line);
    if (found) return found[0];
  }
  throw new Error('no address was said');
}

export async function aRunningMatch() {
  const program = process.env.PROGRAM;
  // Where there is only the page there are no matches.
  if (!program) return;
  const words = ['match', '--engine', 'builtin=shapes', 'depth=1', 'name=A <b>', '--engine', 'builtin=greedy', '--each', 'tc=60', '--rule', 'renju', '--rounds', '1000', '--concurrency', '3', '--slow', '200ms', '--quiet', '--watch-web'];
  // No path: no browser is found that would be opened besides.
  const match = spawn(program, words, { env: { ...process.env, PATH: '' }, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const page = await open(DESK, { at: await addressIn(match.stderr) });
    await page.locator('.game').nth(2).waitFor();
    await page.locator('.ends li').first().waitFor();
    await page.locator('.game .clock').first().waitFor();
    await soon(async () => (await page.locator('.game .name').allTextContents()).includes('A <b>'), 'the name of a player is not told');
    await soon(async () => (await page.title()).includes('greedy'), 'the title does not tell the standing');
    const stones = () => page.locator('.game #stones > g').count();
    const before = await stones();
    await page.waitForFunction((number) => document.querySelectorAll('.game #stones > g').length !== number, before);
    await checkAccess(page, 'match');
    await shoot(page, 'match');
    await page.setViewportSize(SMALL);
    await checkWidth(page, 'match, small');
    match.kill('SIGINT');
    match.kill('SIGINT');
    await page.locator('.notice', { hasText: /over|has ended/ }).waitFor();
    await page.context().close();
  } finally {
    match.kill('SIGKILL');
  }
}

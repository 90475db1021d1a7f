// Tries searches of several threads, through the modules of the page: that they end with a legal move, by themselves and
// when they are told to, one after the other on the same workers, and that all workers end with the engine; and that an
// analysis that is done sleeps. The arguments are the module and the one with threads. Prints the nodes a second of one
// and of two threads, which depend on what else the machine does.

import { becomeBrowser, workers } from './browser.mjs';

const [path, withThreads] = process.argv.slice(2);
becomeBrowser({ isIsolated: true });
const { WorkerEngine } = await import('../../../web/page/worker-engine.js');

const THREADS = 2;
/** Two stones each in the middle of the board. */
const STONES = [[7, 7, 1], [8, 8, 2], [7, 9, 1], [7, 8, 2]];
const PLENTY_MS = 120_000;

const engine = new WorkerEngine({ wasm: path, threads: withThreads });
const heard = [];
let wake = () => {};
engine.online = (line) => {
  heard.push(line);
  wake();
};
const ready = new Promise((resolve) => {
  engine.onstate = ({ state, reason }) => {
    if (state === 'ready') resolve();
    else if (state === 'gone') fail(`the engine is gone: ${reason}`);
  };
});

function fail(words) {
  console.error(words);
  process.exit(1);
}

/** Waits for a line, and returns all until it. */
async function until(wanted) {
  const timer = setTimeout(() => fail(`no ${wanted} after ${heard.slice(-5).join(' | ')}`), PLENTY_MS);
  for (;;) {
    const at = heard.findIndex((line) => wanted.test(line));
    if (at >= 0) {
      clearTimeout(timer);
      return heard.splice(0, at + 1);
    }
    await new Promise((resolve) => { wake = resolve; });
  }
}

/** Searches the position with these lines before it; returns what was said, with a legal move at its end. */
async function search(before, meanwhile = async () => {}) {
  const lines = [...before, 'BOARD', ...STONES.map(String), 'DONE'];
  lines.forEach((line) => engine.send(line));
  await meanwhile();
  const said = await until(/^\d+,\d+$/);
  const [x, y] = said.at(-1).split(',').map(Number);
  if (!(x < 15 && y < 15) || STONES.some(([a, b]) => a === x && b === y)) fail(`${said.at(-1)} is not legal`);
  return said;
}

/** The nodes a second of the last report. */
const speedOf = (said) => Number(said.findLast((line) => line.startsWith('INFO SPEED ')).split(' ')[2]);

await ready;
if (engine.cores < THREADS) fail('the engine has no threads');
engine.send('START 15');
await until(/^OK$/);
['INFO show_detail 2', 'INFO timeout_match 0', 'INFO max_memory 134217728'].forEach((line) => engine.send(line));

const SECONDS = ['INFO max_node 0', 'INFO timeout_turn 3000'];
const alone = speedOf(await search([...SECONDS, 'INFO thread_num 1']));
if (workers.length !== 1) fail(`${workers.length} workers for one thread`);
const together = speedOf(await search([...SECONDS, `INFO thread_num ${THREADS}`]));
console.log(`${alone} nodes a second on one thread, ${together} on ${THREADS}`);
if (engine.helpers.table.start(0) > 0) fail('the helper has no thread of the search');

// A search without an end, which is told to stop.
let stopped = 0;
await search(['INFO timeout_turn 1000000'], async () => {
  await new Promise((resolve) => { setTimeout(resolve, 500); });
  if (heard.some((line) => /^\d/.test(line))) fail('a search without an end has ended');
  stopped = performance.now();
  engine.send('STOP');
});
console.log(`a move ${Math.round(performance.now() - stopped)} ms after STOP`);

for (let count = 0; count < 30; count += 1) {
  // Threads end and begin again between searches, and there are never more of them.
  await search(['INFO timeout_turn 5000', 'INFO max_node 3000', `INFO thread_num ${count % 3 === 2 ? 1 : THREADS}`]);
}
if (workers.length !== THREADS) fail(`${workers.length} workers after 30 searches on ${THREADS} threads`);

// An analysis that has nothing left to find sleeps until it is told to stop. What the machine does besides is not counted.
const FOUR = [[3, 7, 1], [3, 2, 2], [4, 7, 1], [5, 12, 2], [5, 7, 1], [9, 2, 2], [6, 7, 1], [12, 12, 2]];
['INFO max_node 0', 'INFO timeout_turn -1', 'YXBOARD', ...FOUR.map(String), 'DONE', 'YXNBEST 1'].forEach((line) => engine.send(line));
await until(/ ev \+M1 /);
await new Promise((resolve) => { setTimeout(resolve, 1000); });
const before = process.cpuUsage();
await new Promise((resolve) => { setTimeout(resolve, 2000); });
const used = process.cpuUsage(before);
if (heard.some((line) => /^\d+,\d+$/.test(line))) fail('an analysis without an end has ended');
engine.send('STOP');
await until(/^(2|7),7$/);
const seconds = (used.user + used.system) / 1e6;
if (seconds > 1) fail(`${seconds} s of the processors in two seconds with nothing to do`);
console.log(`${seconds} s of the processors in two seconds with nothing to do`);

const over = Promise.all(workers.map((worker) => worker.isOver));
engine.close();
setTimeout(() => fail('workers live on without their engine'), PLENTY_MS).unref();
await over;
console.log(`30 searches on the same ${THREADS} workers, which end with the engine`);

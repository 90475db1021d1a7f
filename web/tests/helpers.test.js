// The threads of the engine in WebAssembly: who waits, who is told, and what happens where some do not come.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { HelperTable, Helpers, MOST_THREADS } from '../page/helpers.js';

/** A worker that is driven by the test. */
class FakeWorker {
  constructor() {
    this.heard = [];
    this.isEnded = false;
  }

  postMessage(message) { this.heard.push(message); }

  terminate() { this.isEnded = true; }

  say(state, reason) { this.onmessage?.({ data: { state, reason } }); }
}

const tick = () => new Promise((resolve) => { setTimeout(resolve, 0); });

test('a thread goes to a helper that waits, and to nobody else', () => {
  const table = new HelperTable();
  const other = new HelperTable(table.buffer);
  assert.equal(table.start(7), -1);
  other.wait(0);
  other.wait(MOST_THREADS - 2);
  assert.deepEqual([table.start(7), table.start(8), table.start(9)], [1, 2, -1]);
  assert.deepEqual(other.next(0), { thread: 1, argument: 7 });
  assert.deepEqual(other.next(MOST_THREADS - 2), { thread: 2, argument: 8 });
  other.wait(0);
  assert.deepEqual([table.start(10), table.start(11)], [3, -1]);
  assert.deepEqual(other.next(0), { thread: 3, argument: 10 });
});

test('a helper on a thread of its own wakes up for each task', async () => {
  const table = new HelperTable();
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(${JSON.stringify(new URL('../page/helpers.js', import.meta.url).href)}).then(({ HelperTable }) => {
      const table = new HelperTable(workerData);
      for (let sum = 0, i = 0; i < 100; i++) {
        table.wait(3);
        sum += table.next(3).argument;
        if (i === 99) parentPort.postMessage(sum);
      }
    });`;
  const worker = new Worker(code, { eval: true, workerData: table.buffer });
  const sum = new Promise((resolve, reject) => { worker.on('message', resolve); worker.on('error', reject); });
  for (let i = 0; i < 100;) {
    if (table.start(i) > 0) i += 1;
    else await tick();
  }
  assert.equal(await sum, 4950);
});

test('helpers come once, those that do not are done without, and all end together', () => {
  const made = [];
  const make = () => made[made.push(new FakeWorker()) - 1];
  const helpers = new Helpers({ program: { module: 'm', memory: 'n', origin: 5 }, table: new HelperTable(), make });
  const told = [];
  helpers.onsettled = () => told.push('settled');
  helpers.onfault = (reason) => told.push(reason);
  helpers.grow(0);
  assert.equal(helpers.isComing, false);
  helpers.grow(3);
  assert.deepEqual(made.map(({ heard: [{ module, origin, place }] }) => [module, origin, place]), [['m', 5, 0], ['m', 5, 1], ['m', 5, 2]]);
  made[0].say('waits');
  made[2].say('absent');
  assert.deepEqual([helpers.isComing, told], [true, []]);
  made[1].onerror({ preventDefault() {} });
  assert.deepEqual([helpers.isComing, told], [false, ['settled']]);
  helpers.grow(2);
  assert.equal(made.length, 3);
  helpers.grow(1000);
  assert.equal(made.length, MOST_THREADS - 1);
  made[0].say('gone', 'unreachable');
  assert.deepEqual(told, ['settled', 'unreachable']);
  helpers.end();
  made[0].say('gone', 'too late');
  assert.deepEqual([told.length, made.every(({ isEnded }) => isEnded), helpers.isComing], [2, true, false]);
});

test('the engine does not wait for ever', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const helpers = new Helpers({ program: {}, table: new HelperTable(), make: () => new FakeWorker() });
  let isSettled = false;
  helpers.onsettled = () => { isSettled = true; };
  helpers.grow(2);
  context.mock.timers.tick(4999);
  assert.equal(isSettled, false);
  context.mock.timers.tick(1);
  assert.deepEqual([isSettled, helpers.isComing], [true, false]);
});

/** An engine in a browser of the test, with the workers that it has made. */
async function makeEngine({ isIsolated = true, threads = 'threads.wasm' } = {}) {
  const workers = [];
  const browser = {
    document: { baseURI: 'http://localhost/' }, window: globalThis, crossOriginIsolated: isIsolated, navigator: { hardwareConcurrency: 4 },
    Worker: class extends FakeWorker {
      constructor({ href }) {
        super();
        this.name = href.slice(href.lastIndexOf('/') + 1);
        workers.push(this);
      }
    },
  };
  for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const { WorkerEngine } = await import('../page/worker-engine.js');
  const { Mailbox } = await import('../page/mailbox.js');
  const engine = new WorkerEngine({ wasm: 'alone.wasm', threads });
  await tick();
  const take = () => {
    const mailbox = new Mailbox(workers.findLast(({ name }) => name === 'engine-worker.js').heard[0].mailbox);
    const room = new Uint8Array(1000);
    const lines = [];
    for (let length; (length = mailbox.take(room)) >= 0;) lines.push(new TextDecoder().decode(room.subarray(0, length)));
    return lines;
  };
  const ready = (program) => workers.findLast(({ name }) => name === 'engine-worker.js').onmessage({ data: { state: 'ready', program } });
  return { engine, workers, take, ready };
}

test('a question waits for the threads that it was promised, and the engine hears of no more than there can be', async () => {
  const { engine, workers, take, ready } = await makeEngine();
  assert.equal(workers[0].heard[0].threads.most, 4);
  ready({ module: 'm', memory: 'n', origin: 0 });
  assert.equal(engine.cores, 4);
  engine.send('START 15');
  assert.deepEqual(take(), ['START 15']);
  engine.send('info thread_num 9');
  engine.send('BEGIN');
  assert.deepEqual([take(), workers.length], [[], 4]);
  workers.slice(1).forEach((worker) => worker.say('waits'));
  assert.deepEqual(take(), ['INFO thread_num 4', 'BEGIN']);
  engine.send('INFO thread_num 2');
  assert.deepEqual([take(), workers.length], [['INFO thread_num 2'], 4]);
  engine.close();
  assert.ok(workers.every(({ isEnded }) => isEnded));
});

test('a thread that fails takes the engine and all helpers with it, and in the end there is one thread', async () => {
  const { engine, workers, ready, take } = await makeEngine();
  const states = [];
  engine.onstate = ({ state, reason }) => states.push(reason ?? state);
  for (const times of [1, 2]) {
    ready({ module: 'm', memory: 'n', origin: 0 });
    engine.send('INFO thread_num 2');
    workers.at(-1).say('gone', `fault ${times}`);
  }
  assert.deepEqual(states, ['ready', 'fault 1', 'connecting', 'ready', 'fault 2', 'connecting']);
  assert.equal(workers.filter(({ isEnded }) => isEnded).length, 4);
  assert.equal(workers[4].heard[0].threads, undefined);
  ready(null);
  engine.send('INFO thread_num 2');
  assert.deepEqual([engine.cores, take(), workers.length], [1, ['INFO thread_num 1'], 5]);
  engine.close();
});

test('there is one thread where memory is not shared, and where the page lacks the program', async () => {
  for (const how of [{ isIsolated: false }, { threads: '' }]) {
    const { engine, workers, ready } = await makeEngine(how);
    assert.equal(workers[0].heard[0].threads, undefined);
    ready(null);
    assert.equal(engine.cores, 1);
    engine.close();
  }
});

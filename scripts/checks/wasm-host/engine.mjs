// Speaks the protocol on standard input and output for an engine in WebAssembly, through the modules of the page: the
// arguments are the module, and `alone` if it has no memory to share with its worker, or the module with threads.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { becomeBrowser } from './browser.mjs';

const [path, manner] = process.argv.slice(2);
becomeBrowser({ isIsolated: manner !== 'alone' });

const { WorkerEngine } = await import('../../../web/page/worker-engine.js');
const engine = new WorkerEngine({ wasm: path, threads: manner === 'alone' ? undefined : manner });
const early = [];
let isReady = false;
engine.online = (line) => writeSync(1, `${line}\n`);
engine.onstate = ({ state, reason }) => {
  if (state === 'ready') {
    isReady = true;
    early.splice(0).forEach((line) => engine.send(line));
  } else if (state === 'gone') {
    if (reason !== 'over') console.error(reason);
    process.exit(reason === 'over' ? 0 : 1);
  }
};
const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
const send = (line) => (isReady ? engine.send(line) : early.push(line));
lines.on('line', send);
lines.on('close', () => send('END'));

// Speaks the protocol on standard input and output for an engine in WebAssembly, through the modules of the page: the
// arguments are the module, and `alone` if it has no memory to share with its worker.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { Worker as NodeWorker } from 'node:worker_threads';

const [path, manner] = process.argv.slice(2);

// What the page has of a browser.
globalThis.document = { baseURI: pathToFileURL(`${process.cwd()}/`).href };
globalThis.window = globalThis;
globalThis.crossOriginIsolated = manner !== 'alone';
globalThis.Worker = class {
  constructor(address) {
    this.worker = new NodeWorker(new URL('worker.mjs', import.meta.url), { workerData: address.href });
    this.worker.on('message', (data) => this.onmessage?.({ data }));
    this.worker.on('error', (error) => this.onerror?.({ message: String(error), preventDefault() {} }));
  }

  postMessage(data) {
    this.worker.postMessage(data);
  }

  terminate() {
    this.worker.terminate();
  }
};

const { WorkerEngine } = await import('../../../web/page/worker-engine.js');
const engine = new WorkerEngine({ wasm: path });
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

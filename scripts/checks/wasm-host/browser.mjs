// What the engine of the page has of a browser, under Node.

import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker as NodeWorker } from 'node:worker_threads';

/** All workers that were ever made. */
export const workers = [];

/** Gives the modules of the page a browser that shares memory, or not. @param {{isIsolated: boolean}} how */
export function becomeBrowser({ isIsolated }) {
  globalThis.document = { baseURI: pathToFileURL(`${process.cwd()}/`).href };
  globalThis.window = globalThis;
  globalThis.crossOriginIsolated = isIsolated;
  const navigator = { hardwareConcurrency: Math.max(2, availableParallelism()) };
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  globalThis.Worker = class {
    constructor(address) {
      this.worker = new NodeWorker(new URL('worker.mjs', import.meta.url), { workerData: address.href });
      this.isOver = new Promise((resolve) => { this.worker.on('exit', resolve); });
      this.worker.on('message', (data) => this.onmessage?.({ data }));
      this.worker.on('error', (error) => this.onerror?.({ message: String(error), preventDefault() {} }));
      workers.push(this);
    }

    postMessage(data) {
      this.worker.postMessage(data);
    }

    terminate() {
      this.worker.terminate();
    }
  };
}

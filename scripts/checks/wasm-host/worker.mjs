// Gives the page's worker what it has of a browser.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

globalThis.postMessage = (data) => parentPort.postMessage(data);
globalThis.onmessage = null;
globalThis.close = () => parentPort.close();
globalThis.fetch = async (address) =>
  new Response(await readFile(fileURLToPath(address)), { headers: { 'content-type': 'application/wasm' } });
await import(workerData);
parentPort.on('message', (data) => globalThis.onmessage({ data }));

// A thread of the engine in WebAssembly, as one of the workers of `helpers.js`.
//
// It is given the program that runs and its place among the helpers. It posts `{state}`: `waits` when it can begin a
// thread, `absent` if it never will, and `gone` with a `reason` if a thread has failed.

import { HelperTable } from './helpers.js';
import { instantiate } from './wasi.js';

const decoder = new TextDecoder();

/** @param {{module: WebAssembly.Module, memory: WebAssembly.Memory, origin: number, table: SharedArrayBuffer, place: number}} task */
async function work({ module, memory, origin, table: buffer, place }) {
  const table = new HelperTable(buffer);
  /** The words of a panic. */
  let complaint = '';
  const write = (/** @type {number} */ _file, /** @type {Uint8Array} */ text) => {
    complaint = (complaint + decoder.decode(text)).slice(-400);
  };
  const instance = await instantiate(module, { write, memory, origin });
  const begin = /** @type {Function} */ (instance.exports.wasi_thread_start);
  table.wait(place);
  postMessage({ state: 'waits' });
  try {
    for (;;) {
      const { thread, argument } = table.next(place);
      begin(thread, argument);
      table.wait(place);
    }
  } catch (error) {
    postMessage({ state: 'gone', reason: complaint.trim() || String(error) });
  }
}

onmessage = ({ data }) => {
  work(data).catch(() => postMessage({ state: 'absent' }));
};

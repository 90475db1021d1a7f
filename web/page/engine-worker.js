// The engine in WebAssembly, as the worker of `worker-engine.js`.
//
// It is given the address of the program and, where the page may share memory, the mailbox in which lines come while
// the engine computes. Otherwise lines are messages, which come when it has nothing to do. It posts the lines of the
// engine, and `{state}`: `ready`, `idle` when nothing is left to do, `over` after END, and `gone` with a `reason`.

import { Mailbox } from './mailbox.js';
import { instantiate } from './wasi.js';

/** What `tengen_run` returns when nothing will happen before the next line, and after END. */
const NOTHING = -1;
const OVER = -2;

/** @type {Mailbox | undefined} */
let mailbox;
/** Lines that came as messages. @type {Uint8Array[]} */
const lines = [];
/** @type {Record<string, Function> | undefined} */
let engine;
/** The lines that came as messages, all of them. */
let count = 0;
/** The words of a panic. */
let complaint = '';
let timer = 0;

const decoder = new TextDecoder();

/** @param {string} wasm the address of the program */
async function begin(wasm) {
  const module = await compile(wasm);
  /** @type {WebAssembly.Memory} */
  let memory;
  const bytes = (/** @type {number} */ at, /** @type {number} */ length) => new Uint8Array(memory.buffer, at, length);
  const tengen = {
    say: (/** @type {number} */ at, /** @type {number} */ length) => postMessage(decoder.decode(bytes(at, length))),
    /** The milliseconds that the line that was taken last had waited. A message comes when the engine can read it. */
    age: () => mailbox?.age ?? 0,
    take(/** @type {number} */ at, /** @type {number} */ most) {
      if (mailbox) return mailbox.take(bytes(at, most));
      const line = lines.shift()?.subarray(0, most);
      if (!line) return -1;
      bytes(at, line.length).set(line);
      return line.length;
    },
  };
  const write = (/** @type {number} */ _file, /** @type {Uint8Array} */ text) => {
    complaint = (complaint + decoder.decode(text)).slice(-400);
  };
  const instance = await instantiate(module, { write, more: { tengen } });
  memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  engine = /** @type {Record<string, Function>} */ (instance.exports);
  engine._initialize?.();
  engine.tengen_begin();
  postMessage({ state: 'ready' });
  run();
}

/** @param {string} address */
async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const copy = response.clone();
  try {
    return await WebAssembly.compileStreaming(response);
  } catch {
    // Some servers do not say what it is.
    return WebAssembly.compile(await copy.arrayBuffer());
  }
}

function run() {
  if (!engine) return;
  clearTimeout(timer);
  try {
    const ms = engine.tengen_run();
    if (ms === OVER) {
      postMessage({ state: 'over' });
      close();
      return;
    }
    if (ms !== NOTHING) timer = setTimeout(run, ms);
    postMessage({ state: 'idle', count });
  } catch (error) {
    fail(error);
  }
}

/** @param {unknown} error */
function fail(error) {
  engine = undefined;
  postMessage({ state: 'gone', reason: complaint.trim() || String(error) });
  close();
}

onmessage = ({ data }) => {
  if (data.wasm) {
    if (data.mailbox) mailbox = new Mailbox(data.mailbox);
    begin(data.wasm).catch(fail);
    return;
  }
  if (data.line) {
    lines.push(data.line);
    count += 1;
  }
  run();
};

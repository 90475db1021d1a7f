// The engine in WebAssembly, as the worker of `worker-engine.js`.
//
// It is given the address of the program and, where the page may share memory, the mailbox in which lines come while
// the engine computes. Otherwise lines are messages, which come when it has nothing to do. It may be given a program
// with threads, too, the most of them, and the table of the helpers. It posts the lines of the engine, and `{state}`:
// `ready`, with the `program` that helpers need if it has threads, `idle` when nothing is left to do, `over` after END,
// and `gone` with a `reason`.

import { HelperTable } from './helpers.js';
import { Mailbox } from './mailbox.js';
import { instantiate, shareMemory } from './wasi.js';

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

/** @typedef {{wasm: string, most: number, table: SharedArrayBuffer}} Threads the program with threads, the most of them, and the helpers */

/** @param {string} wasm the address of the program @param {Threads} [threads] */
async function begin(wasm, threads) {
  const program = threads ? await share(threads.wasm) : null;
  const module = program?.module ?? await compile(wasm);
  const table = threads && program ? new HelperTable(threads.table) : null;
  let memory = /** @type {WebAssembly.Memory} */ (program?.memory);
  const bytes = (/** @type {number} */ at, /** @type {number} */ length) => new Uint8Array(memory.buffer, at, length);
  const tengen = {
    // Browsers decode no memory that is shared.
    say: (/** @type {number} */ at, /** @type {number} */ length) => postMessage(decoder.decode(bytes(at, length).slice())),
    /** The most threads of a search. */
    threads: () => (table ? threads?.most : 1),
    /** The milliseconds that the line that was taken last had waited. A message comes when the engine can read it. */
    age: () => mailbox?.age ?? 0,
    wait: (/** @type {number} */ ms) => { mailbox?.wait(ms); },
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
  const wasi = { 'thread-spawn': (/** @type {number} */ argument) => table?.start(argument) ?? -1 };
  const instance = await instantiate(module, { write, memory: program?.memory, more: { tengen, wasi } });
  memory ??= /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  engine = /** @type {Record<string, Function>} */ (instance.exports);
  engine._initialize?.();
  engine.tengen_begin();
  postMessage({ state: 'ready', program });
  run();
}

/**
 * Returns a program with threads, or null: then one thread has to do.
 * @param {string} address
 */
async function share(address) {
  try {
    return { module: await compile(address), memory: shareMemory(), origin: performance.timeOrigin };
  } catch {
    return null;
  }
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
    begin(data.wasm, data.threads).catch(fail);
    return;
  }
  if (data.line) {
    lines.push(data.line);
    count += 1;
  }
  run();
};

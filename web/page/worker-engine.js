// The engine in WebAssembly, in a worker of this page, with further workers for the threads of its searches.

import { HelperTable, Helpers, MOST_THREADS } from './helpers.js';
import { Mailbox } from './mailbox.js';

/** The longest line of the protocol, and one byte more, which shows that it is too long. */
const MOST_OF_LINE = 64 * 1024 + 1;
/** Milliseconds until a line that found no room tries again. */
const PAUSE = 20;
/** Engines that may end one after the other before they said a word, and those of them that may have threads. */
const TRIES = 3;
const TRIES_WITH_THREADS = 2;
/** What says how many threads a search is to have. */
const THREADS = /^\s*info\s+thread_num\s+(\d+)\s*$/i;
/** Commands that end what the engine does. Without shared memory it cannot hear them. */
const ENDING = /^\s*(stop|yxstop|info\s+timeout_turn\s+0)\s*$/i;

/** @typedef {import('./engine/socket-engine.js').EngineState} EngineState */
/** @typedef {import('./engine/socket-engine.js').Engine} Engine */

/** @implements {Engine} */
export class WorkerEngine {
  /** @param {{wasm: string, threads?: string}} options the address of the program, and of one that can have threads */
  constructor({ wasm, threads }) {
    this.online = (/** @type {string} */ _line) => {};
    this.onstate = (/** @type {EngineState} */ _state) => {};
    this.wasm = new URL(wasm, document.baseURI).href;
    this.isShared = globalThis.crossOriginIsolated === true;
    this.threads = threads && this.isShared ? new URL(threads, document.baseURI).href : undefined;
    this.failures = 0;
    this.isClosed = false;
    this.timer = 0;
    /** Lines that found no room yet. @type {Uint8Array[]} */
    this.waiting = [];
    /** The lines that were sent as messages, and those after which the engine had nothing left to do. */
    this.sent = 0;
    this.done = 0;
    // Whoever makes it sets its functions first.
    queueMicrotask(() => this.#start());
  }

  /** The most threads of a search. */
  get cores() {
    return this.threads ? Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS) : 1;
  }

  #start() {
    if (this.isClosed) return;
    // A browser that says that it has threads may fail to give them.
    if (this.failures >= TRIES_WITH_THREADS) this.threads = undefined;
    this.onstate({ state: 'connecting' });
    this.waiting = [];
    this.sent = 0;
    this.done = 0;
    const worker = new Worker(new URL('./engine-worker.js', import.meta.url), { type: 'module' });
    this.worker = worker;
    this.mailbox = this.isShared ? new Mailbox() : undefined;
    const table = this.threads ? new HelperTable() : undefined;
    worker.onmessage = ({ data }) => {
      if (worker !== this.worker) return;
      if (typeof data === 'string') {
        this.failures = 0;
        this.online(data);
      } else if (data.state === 'idle') {
        this.done = data.count;
      } else if (data.state === 'ready') {
        if (data.program && table) this.#connect(data.program, table);
        else this.threads = undefined;
        this.onstate({ state: 'ready', name: 'tengen' });
      } else {
        this.#restart(data.reason ?? data.state);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker) this.#restart(event.message || 'the worker does not start');
    };
    const threads = table && { wasm: this.threads, most: this.cores, table: table.buffer };
    worker.postMessage({ wasm: this.wasm, mailbox: this.mailbox?.buffer, threads });
  }

  /** Lets helpers come to an engine that can have them. @param {Helpers['program']} program @param {HelperTable} table */
  #connect(program, table) {
    const make = () => new Worker(new URL('./helper-worker.js', import.meta.url), { type: 'module' });
    this.helpers = new Helpers({ program, table, make });
    this.helpers.onsettled = () => this.#flush();
    this.helpers.onfault = (reason) => this.#restart(reason);
  }

  #end() {
    this.worker?.terminate();
    this.worker = undefined;
    this.helpers?.end();
    this.helpers = undefined;
  }

  /** Begins again with a fresh engine. @param {string} reason */
  #restart(reason) {
    this.#end();
    this.failures += 1;
    const isFinal = this.failures > TRIES || this.isClosed;
    this.onstate({ state: 'gone', reason, isFinal });
    if (!isFinal) this.#start();
  }

  /** @param {string} line */
  send(line) {
    if (!this.worker) return;
    const asked = THREADS.exec(line);
    const bytes = new TextEncoder().encode(asked ? this.#bound(Number(asked[1])) : line).subarray(0, MOST_OF_LINE);
    if (this.mailbox) {
      this.waiting.push(bytes);
      this.#flush();
    } else if (this.sent > this.done && ENDING.test(line)) {
      this.failures = 0;
      this.#restart('stopped');
    } else {
      this.sent += 1;
      this.worker.postMessage({ line: bytes });
    }
  }

  /** Has helpers come for a number of threads, and says as many as there can be. @param {number} threads */
  #bound(threads) {
    const possible = this.helpers ? Math.min(threads, this.cores) : 1;
    this.helpers?.grow(possible - 1);
    return `INFO thread_num ${possible}`;
  }

  /** Puts lines into the mailbox as long as there is room, unless helpers are on their way, which a search does not wait for. */
  #flush() {
    clearTimeout(this.timer);
    if (this.helpers?.isComing) return;
    while (this.waiting[0] && this.mailbox?.put(this.waiting[0])) this.waiting.shift();
    this.worker?.postMessage({});
    if (this.waiting.length > 0) this.timer = window.setTimeout(() => this.#flush(), PAUSE);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.#end();
  }
}

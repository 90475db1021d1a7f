// The engine in WebAssembly, in a worker of this page.

import { Mailbox } from './mailbox.js';

/** The longest line of the protocol, and one byte more, which shows that it is too long. */
const MOST_OF_LINE = 64 * 1024 + 1;
/** Milliseconds until a line that found no room tries again. */
const PAUSE = 20;
/** Engines that may end one after the other before they said a word. */
const TRIES = 3;
/** Commands that end what the engine does. Without shared memory it cannot hear them. */
const ENDING = /^\s*(stop|yxstop|info\s+timeout_turn\s+0)\s*$/i;

/** @typedef {import('./engine/socket-engine.js').EngineState} EngineState */
/** @typedef {import('./engine/socket-engine.js').Engine} Engine */

/** @implements {Engine} */
export class WorkerEngine {
  /** @param {{wasm: string}} options the address of the program */
  constructor({ wasm }) {
    this.online = (/** @type {string} */ _line) => {};
    this.onstate = (/** @type {EngineState} */ _state) => {};
    this.wasm = new URL(wasm, document.baseURI).href;
    this.isShared = globalThis.crossOriginIsolated === true;
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

  #start() {
    if (this.isClosed) return;
    this.onstate({ state: 'connecting' });
    this.waiting = [];
    this.sent = 0;
    this.done = 0;
    const worker = new Worker(new URL('./engine-worker.js', import.meta.url), { type: 'module' });
    this.worker = worker;
    this.mailbox = this.isShared ? new Mailbox() : undefined;
    worker.onmessage = ({ data }) => {
      if (worker !== this.worker) return;
      if (typeof data === 'string') {
        this.failures = 0;
        this.online(data);
      } else if (data.state === 'idle') {
        this.done = data.count;
      } else if (data.state === 'ready') {
        this.onstate({ state: 'ready', name: 'tengen' });
      } else {
        this.#restart(data.reason ?? data.state);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker) this.#restart(event.message || 'the worker does not start');
    };
    worker.postMessage({ wasm: this.wasm, mailbox: this.mailbox?.buffer });
  }

  /** Begins again with a fresh engine. @param {string} reason */
  #restart(reason) {
    this.worker?.terminate();
    this.worker = undefined;
    this.failures += 1;
    const isFinal = this.failures > TRIES || this.isClosed;
    this.onstate({ state: 'gone', reason, isFinal });
    if (!isFinal) this.#start();
  }

  /** @param {string} line */
  send(line) {
    if (!this.worker) return;
    const bytes = new TextEncoder().encode(line).subarray(0, MOST_OF_LINE);
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

  /** Puts lines into the mailbox as long as there is room. */
  #flush() {
    clearTimeout(this.timer);
    while (this.waiting[0] && this.mailbox?.put(this.waiting[0])) this.waiting.shift();
    this.worker?.postMessage({});
    if (this.waiting.length > 0) this.timer = window.setTimeout(() => this.#flush(), PAUSE);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = undefined;
  }
}

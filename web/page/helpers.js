// Workers that wait to be threads of the engine. A worker that computes hears nothing, so they are there before the
// engine wants them: a table that all share says who waits, and what each is to do.

/** The most threads of a search: each worker takes memory, and further ones add little. */
export const MOST_THREADS = 16;

/** Numbers of the table: first the last thread, then for each helper its state, its thread, and what that begins with. */
const PLACE = 3;
const THREAD = 1;
const ARGUMENT = 2;
/** The states of a helper. */
const ABSENT = 0;
const WAITS = 1;
const TAKEN = 2;
const WORKS = 3;

/** Milliseconds until the engine does without helpers that have not come. */
const PATIENCE = 5000;

/** Who waits, for the engine and its helpers. */
export class HelperTable {
  /** @param {SharedArrayBuffer} [buffer] of the same table elsewhere */
  constructor(buffer = new SharedArrayBuffer(4 * (1 + PLACE * (MOST_THREADS - 1)))) {
    this.buffer = buffer;
    this.numbers = new Int32Array(buffer);
  }

  /** Has a helper that waits begin a thread; returns the number of the thread, or -1 if none waits. @param {number} argument */
  start(argument) {
    const { numbers } = this;
    for (let at = 1; at < numbers.length; at += PLACE) {
      if (Atomics.compareExchange(numbers, at, WAITS, TAKEN) !== WAITS) continue;
      const thread = Atomics.add(numbers, 0, 1) + 1;
      Atomics.store(numbers, at + THREAD, thread);
      Atomics.store(numbers, at + ARGUMENT, argument);
      Atomics.store(numbers, at, WORKS);
      Atomics.notify(numbers, at);
      return thread;
    }
    return -1;
  }

  /** Says that a helper waits, having ended its thread if it had one. @param {number} place the number of the helper, from 0 */
  wait(place) {
    Atomics.store(this.numbers, 1 + PLACE * place, WAITS);
  }

  /**
   * Returns the thread that a helper is to begin, when there is one; nothing else happens on this worker meanwhile.
   * @param {number} place @returns {{thread: number, argument: number}}
   */
  next(place) {
    const { numbers } = this;
    const at = 1 + PLACE * place;
    for (let state; (state = Atomics.load(numbers, at)) !== WORKS;) Atomics.wait(numbers, at, state);
    return { thread: Atomics.load(numbers, at + THREAD), argument: Atomics.load(numbers, at + ARGUMENT) };
  }
}

/** The helpers of an engine, for the page. */
export class Helpers {
  /**
   * @param {{program: {module: WebAssembly.Module, memory: WebAssembly.Memory, origin: number}, table: HelperTable, make: () => Worker}} parts
   *   the program that runs, and a function that makes a worker of `helper-worker.js`
   */
  constructor({ program, table, make }) {
    this.program = program;
    this.table = table;
    this.make = make;
    /** Told when those that were asked for are there, or will not come. */
    this.onsettled = () => {};
    /** Told that a thread has failed, and with it the engine. */
    this.onfault = (/** @type {string} */ _reason) => {};
    /** @type {Worker[]} */
    this.workers = [];
    /** Those that are still to come. @type {Set<Worker>} */
    this.coming = new Set();
    this.timer = 0;
  }

  /** Whether some that were asked for may still come. */
  get isComing() {
    return this.coming.size > 0;
  }

  /** Makes workers until there are so many. They stay. @param {number} number */
  grow(number) {
    while (this.workers.length < Math.min(number, MOST_THREADS - 1)) this.#add();
  }

  #add() {
    const worker = this.make();
    const place = this.workers.push(worker) - 1;
    this.coming.add(worker);
    worker.onmessage = ({ data }) => {
      if (data.state === 'gone') this.onfault(data.reason);
      else this.#settle(worker);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#settle(worker);
    };
    worker.postMessage({ ...this.program, table: this.table.buffer, place });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.coming.clear();
      this.onsettled();
    }, PATIENCE);
  }

  /** @param {Worker} worker */
  #settle(worker) {
    if (!this.coming.delete(worker) || this.coming.size > 0) return;
    clearTimeout(this.timer);
    this.onsettled();
  }

  /** Ends all of them. */
  end() {
    clearTimeout(this.timer);
    this.coming.clear();
    for (const worker of this.workers.splice(0)) {
      // What it has said meanwhile concerns nobody.
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
    }
  }
}

// The little of a system (WASI) that the engine in WebAssembly asks for: clocks, chance, threads where somebody starts
// them, and nothing else. There are no files and no environment.

const OK = 0;
const NO_SUCH_FILE = 8; // EBADF
const NOT_HERE = 52; // ENOSYS
const TRY_AGAIN = 6; // EAGAIN
const MONOTONIC = 1;

/** A program that ends itself. */
export class Exit extends Error {
  /** @param {number} code */
  constructor(code) {
    super(`the engine has ended with ${code}`);
    this.code = code;
  }
}

/** The size of the memory that threads share, and the most that it can have, in pages: that of scripts/make/wasm.sh, or less. */
const FIRST_PAGES = 256;
const MOST_PAGES = [16384, 8192, 4096];

/** Makes a memory that threads share; where addresses are short, one that can't grow as far. */
export function shareMemory() {
  const make = (/** @type {number} */ maximum) => new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
  for (const maximum of MOST_PAGES.slice(0, -1)) {
    try { return make(maximum); } catch { /* less may do */ }
  }
  return make(MOST_PAGES[MOST_PAGES.length - 1]);
}

/**
 * Makes an instance of a module.
 * @param {WebAssembly.Module} module
 * @param {{args?: string[], write?: (file: number, bytes: Uint8Array) => void, memory?: WebAssembly.Memory, origin?: number,
 *          more?: Record<string, Record<string, Function>>}} system arguments, what is done with output, the memory of a
 *   program with threads, the moment from which all of them count their time, more imports
 */
export async function instantiate(module, { args = [], write = () => {}, memory: shared, origin = performance.timeOrigin, more = {} }) {
  /** @type {WebAssembly.Memory} */
  let memory;
  const view = () => new DataView(memory.buffer);
  const bytes = (/** @type {number} */ at, /** @type {number} */ length) => new Uint8Array(memory.buffer, at, length);
  const texts = args.map((arg) => new TextEncoder().encode(`${arg}\0`));

  /** @type {Record<string, Function>} */
  const wasi = {
    args_sizes_get(/** @type {number} */ count, /** @type {number} */ size) {
      view().setUint32(count, texts.length, true);
      view().setUint32(size, texts.reduce((sum, text) => sum + text.length, 0), true);
      return OK;
    },
    args_get(/** @type {number} */ pointers, /** @type {number} */ room) {
      for (const [i, text] of texts.entries()) {
        view().setUint32(pointers + 4 * i, room, true);
        bytes(room, text.length).set(text);
        room += text.length;
      }
      return OK;
    },
    environ_sizes_get(/** @type {number} */ count, /** @type {number} */ size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return OK;
    },
    environ_get: () => OK,
    clock_time_get(/** @type {number} */ clock, /** @type {bigint} */ _precision, /** @type {number} */ at) {
      const ms = clock === MONOTONIC ? performance.timeOrigin - origin + performance.now() : Date.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return OK;
    },
    random_get(/** @type {number} */ at, /** @type {number} */ length) {
      for (let done = 0; done < length; done += 65536) {
        // Browsers do not write to memory that is shared.
        bytes(at, length).set(crypto.getRandomValues(new Uint8Array(Math.min(65536, length - done))), done);
      }
      return OK;
    },
    fd_write(/** @type {number} */ file, /** @type {number} */ parts, /** @type {number} */ count, /** @type {number} */ at) {
      let written = 0;
      for (let i = 0; i < count; i++) {
        const length = view().getUint32(parts + 8 * i + 4, true);
        write(file, bytes(view().getUint32(parts + 8 * i, true), length).slice());
        written += length;
      }
      view().setUint32(at, written, true);
      return OK;
    },
    fd_prestat_get: () => NO_SUCH_FILE,
    fd_fdstat_get: () => NO_SUCH_FILE,
    sched_yield: () => OK,
    proc_exit(/** @type {number} */ code) {
      throw new Exit(code);
    },
  };
  // No thread can be started, unless somebody else knows how: the one is of libraries that know nothing of threads.
  const none = { pthread_create: () => TRY_AGAIN };
  /** @type {Record<string, Record<string, Function>>} */
  const known = { wasi_snapshot_preview1: wasi, env: none, wasi: { 'thread-spawn': () => -TRY_AGAIN }, ...more };
  /** @type {WebAssembly.Imports} */
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const missing = from === 'env' ? () => OK : () => NOT_HERE;
    const given = kind === 'memory' ? /** @type {WebAssembly.Memory} */ (shared) : known[from]?.[name] ?? missing;
    imports[from] = { ...imports[from], [name]: given };
  }
  const instance = await WebAssembly.instantiate(module, imports);
  memory = shared ?? /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  return instance;
}

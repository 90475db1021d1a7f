// The little of a system (WASI) that the engine in WebAssembly asks for: clocks, chance, and nothing else. There are
// no files, no environment and no threads.

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

/**
 * Makes an instance of a module.
 * @param {WebAssembly.Module} module
 * @param {{args?: string[], write?: (file: number, bytes: Uint8Array) => void,
 *          more?: Record<string, Record<string, Function>>}} system arguments, what is done with output, more imports
 */
export async function instantiate(module, { args = [], write = () => {}, more = {} }) {
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
      const ms = clock === MONOTONIC ? performance.now() : Date.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return OK;
    },
    random_get(/** @type {number} */ at, /** @type {number} */ length) {
      for (let done = 0; done < length; done += 65536) {
        crypto.getRandomValues(bytes(at + done, Math.min(65536, length - done)));
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
  // Of libraries that know nothing of threads: none can be started.
  const threads = { pthread_create: () => TRY_AGAIN };
  /** @type {Record<string, Record<string, Function>>} */
  const known = { wasi_snapshot_preview1: wasi, env: threads, ...more };
  /** @type {WebAssembly.Imports} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const missing = from === 'env' ? () => OK : () => NOT_HERE;
    imports[from] = { ...imports[from], [name]: known[from]?.[name] ?? missing };
  }
  const instance = await WebAssembly.instantiate(module, imports);
  memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  return instance;
}

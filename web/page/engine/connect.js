// Finds the engine of this page: the server's, or the one in WebAssembly.

import { SocketEngine } from './socket-engine.js';
import { forTab } from '../storage.js';

/** @typedef {{version: string, engines: {id: string, name: string, levels: boolean}[], files: boolean, cores: number, memory_mb: number, max_memory_mb: number}} Info */

/** The engine in WebAssembly for pages that may have threads; some editions of the page lack it. */
const WITH_THREADS = 'tengen-threads.wasm';

/** Takes the secret out of the address, where it could be copied. @returns {string | null} */
export function takeKey() {
  const address = new URL(location.href);
  const key = address.searchParams.get('key');
  if (key) {
    try { sessionStorage.setItem('tengen-key', key); } catch { /* then it lasts as long as the page */ }
    address.searchParams.delete('key');
    history.replaceState(null, '', address);
    return key;
  }
  try { return sessionStorage.getItem('tengen-key'); } catch { return null; }
}

/** The session of this tab: 24 letters. */
function makeSession() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns the engine and what the server says about itself; no info without a server.
 * @param {string | undefined} id of the engine, the first by default
 * @returns {Promise<{engine: import('./socket-engine.js').Engine, info: Info | null, key: string | null}>}
 */
export async function connect(id) {
  const key = takeKey();
  const info = await askServer(key);
  if (info) {
    const known = info.engines.find((one) => one.id === id)?.id ?? info.engines[0]?.id;
    const session = forTab(`session-${known}`, makeSession);
    const engine = new SocketEngine({ url: new URL('api/engine', document.baseURI).href, session, key, id: known });
    return { engine, info, key };
  }
  const { WorkerEngine } = await import('../worker-engine.js');
  const threads = globalThis.crossOriginIsolated && await hasFile(WITH_THREADS) ? WITH_THREADS : undefined;
  return { engine: new WorkerEngine({ wasm: 'tengen.wasm', threads }), info: null, key };
}

/** Whether this edition of the page has a file. @param {string} name */
async function hasFile(name) {
  try {
    const { files } = await (await fetch('files.json')).json();
    return files.includes(name);
  } catch {
    return false;
  }
}

/** @param {string | null} key @returns {Promise<Info | null>} */
async function askServer(key) {
  try {
    const response = await fetch('api/info', { headers: key ? { 'X-Tengen-Key': key } : {} });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (response.status === 401 && isJson) {
      const { join } = await response.json();
      if (typeof join === 'string') location.assign(join);
      throw new Error('key');
    }
    if (!response.ok || !isJson) return null;
    const info = await response.json();
    if (!info.engines?.length) return null;
    // Servers number their engines.
    return { ...info, engines: info.engines.map((/** @type {any} */ one) => ({ ...one, id: String(one.id) })) };
  } catch (error) {
    if (error instanceof Error && error.message === 'key') throw error;
    return null;
  }
}

// An engine behind the server of `tengen web`, by a WebSocket that connects again when it breaks.

/** @typedef {{state: 'connecting' | 'ready' | 'resumed' | 'gone', name?: string, reason?: string, isFinal?: boolean}} EngineState */
/**
 * What every engine of this page is: lines to it, lines of it, and its states.
 * @typedef {object} Engine
 * @property {(line: string) => void} send
 * @property {(line: string) => void} online
 * @property {(state: EngineState) => void} onstate
 * @property {() => void} close
 * @property {number} [cores] the most threads of a search, if no server says it
 */

/** Milliseconds before the first try to connect again; each further one waits twice as long. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** Codes with which the server closes a socket for good: another page has the session, or it is over. */
const FINAL_CODES = [4001, 4002];

/** @implements {Engine} */
export class SocketEngine {
  /** @param {{url: string, session: string, key: string | null, id?: string}} options */
  constructor({ url, session, key, id }) {
    this.online = (/** @type {string} */ _line) => {};
    this.onstate = (/** @type {EngineState} */ _state) => {};
    const address = new URL(url);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.searchParams.set('session', session);
    if (id !== undefined) address.searchParams.set('engine', id);
    if (key) address.searchParams.set('key', key);
    this.address = address;
    this.wait = FIRST_WAIT;
    this.isClosed = false;
    this.timer = 0;
    /** @type {string | undefined} */
    this.lastReason = undefined;
    // Whoever makes it sets its functions first.
    queueMicrotask(() => this.#connect());
  }

  #connect() {
    if (this.isClosed) return;
    this.onstate({ state: 'connecting' });
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      this.wait = FIRST_WAIT;
      if (typeof data !== 'string') return;
      if (!data.startsWith('{')) {
        this.online(data);
        return;
      }
      const state = JSON.parse(data);
      this.lastReason = state.reason;
      this.onstate(state);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.isClosed) return;
      if (FINAL_CODES.includes(code)) {
        // The last line has said why.
        this.isClosed = true;
        this.onstate({ state: 'gone', reason: reason || this.lastReason, isFinal: true });
        return;
      }
      this.onstate({ state: 'gone', reason: reason || 'connection' });
      this.timer = window.setTimeout(() => this.#connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  /** @param {string} line */
  send(line) {
    // What is lost now is sent again when the state is `ready`.
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(line);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}

// The database beside an analysis: what it knows of the shown position, and changes of it. The engine reads and
// writes it; the page names a file of the server's folder, and tells every change until the engine has saved it.

import { databaseLines, labelLines, textLines, valueLines } from '../engine/database.js';

/** @typedef {import('../engine/database.js').KnownMove} KnownMove */
/** @typedef {import('../game/position.js').Position} Position */
/** @typedef {{key: string, moves: KnownMove[], text: string, label: string, value: number, depth: number, isKnown: boolean}} Known */
/** @typedef {{position: Position, text: string}} Draft A text that is being typed. */

/** What the engine says when all is well. */
const WELL = /^(?:depth|saved|deleting|deleted|opened|made)\b/;
const READ_ONLY = /^opened .* for reading only/;
const TYPING_MS = 600;
/** How long an engine may say nothing at all, as one without a database does. */
const SILENCE_MS = 5000;

export class Database {
  /** @param {import('../desk.js').Desk} desk @param {import('../engine/client.js').EngineClient} client */
  constructor(desk, client) {
    this.desk = desk;
    this.client = client;
    /** The file that is open, or ought to be. @type {string | null} */
    this.name = null;
    /** @type {'closed' | 'opening' | 'open'} */
    this.phase = 'closed';
    this.isReadOnly = false;
    /** Why something is not as it was wanted, in the words of the engine. */
    this.problem = '';
    /** @type {Known | null} */
    this.known = null;
    /** The key of the position that the engine is asked about. @type {string | null} */
    this.asking = null;
    /** What it has said of it so far. @type {Partial<Known>} */
    this.said = {};
    /** Changes that the engine has not saved yet, the oldest first. @type {{position: Position, lines: string[], text?: string}[]} */
    this.unsaved = [];
    /** @type {Draft | null} */
    this.draft = null;
    this.isShown = false;
    /** Whether there are changes since the engine was asked. */
    this.isChanged = false;
    this.onchange = () => {};
    client.database.onreply = (reply) => this.#take(reply);
    client.onmessage = (text) => this.#hear(text);
  }

  /** Whether all changes are in the file. */
  get isSaved() {
    return this.unsaved.length === 0 && !this.draft;
  }

  /** What is known of the shown position, if that is known. */
  get shown() {
    return this.known?.key === this.desk.position.key ? this.known : null;
  }

  /** The text of the shown position: as it was typed, even if it is not saved. */
  get text() {
    const { key } = this.desk.position;
    const told = [...this.unsaved].reverse().find(({ position, text }) => text !== undefined && position.key === key);
    return this.draft?.position.key === key ? this.draft.text : told?.text ?? this.shown?.text ?? '';
  }

  /** @param {string} name */
  open(name) {
    this.name = name;
    this.problem = '';
    this.isReadOnly = false;
    this.#open();
  }

  #open() {
    this.phase = 'opening';
    this.asking = null;
    this.known = null;
    this.onchange();
    // An engine that gets ready is told then.
    if (!this.client.isReady) return;
    const { position } = this.desk;
    // An engine tells about opening only those who have asked for texts before; searches add nothing by themselves.
    this.client.tell(position, [...databaseLines('YXQUERYDATABASETEXT', position), 'INFO database_readonly 0', `YXSETDATABASE ${this.name}`, 'INFO database_readonly 1']);
    for (const { position: of, lines } of this.unsaved) this.#send(of, lines);
    this.#ask();
  }

  /** @param {string} why */
  #fail(why) {
    clearTimeout(this.timer);
    this.problem ||= why;
    this.phase = 'closed';
    this.asking = null;
    this.known = null;
    this.onchange();
  }

  /** Closes the file; what is not saved yet is saved before. */
  close() {
    this.flush();
    this.client.tell(this.desk.position, ['INFO usedatabase 0']);
    clearTimeout(this.timer);
    Object.assign(this, { name: null, phase: 'closed', problem: '', known: null, asking: null, unsaved: [], draft: null });
    this.onchange();
  }

  /** Takes the database up where it is shown, and puts it away where games are played without it. @param {boolean} isShown */
  show(isShown) {
    if (isShown === this.isShown) return;
    this.isShown = isShown;
    if (this.name === null) return;
    if (isShown) {
      this.#open();
    } else {
      this.flush();
      this.phase = 'closed';
      this.asking = null;
      this.client.tell(this.desk.position, ['INFO usedatabase 0']);
    }
  }

  /** The engine is another one, or has lost the connection: it is told again. */
  restart() {
    if (this.isShown && this.phase !== 'closed') this.#open();
  }

  /** Another position is shown. */
  follow() {
    this.flush();
    if (this.phase === 'open') this.#ask();
  }

  #ask() {
    if (this.asking !== null || !this.client.isReady) return;
    const { position } = this.desk;
    this.asking = position.key;
    this.said = {};
    this.isChanged = false;
    this.client.tell(position, [...databaseLines('YXQUERYDATABASEALLT', position), ...databaseLines('YXQUERYDATABASEONE', position)]);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (this.client.isReady) this.#fail('silent');
    }, SILENCE_MS);
  }

  /** @param {import('../engine/database.js').DatabaseReply} reply */
  #take(reply) {
    if (reply.kind === 'saved') {
      this.unsaved.shift();
    } else if (reply.kind === 'moves' || reply.kind === 'text') {
      Object.assign(this.said, reply);
      return;
    } else if (reply.kind === 'one' && this.asking !== null && this.said.moves && this.said.text !== undefined) {
      // One that comes alone answers a change.
      clearTimeout(this.timer);
      const key = this.asking;
      this.asking = null;
      this.phase = 'open';
      const { label, value, depth, isKnown } = reply;
      this.known = { key, moves: this.said.moves, text: this.said.text, label, value, depth, isKnown };
      if (this.isChanged || key !== this.desk.position.key) this.#ask();
    } else {
      return;
    }
    this.onchange();
  }

  /** Takes what the engine says beyond answers. @param {string} text */
  #hear(text) {
    if (this.name === null || this.phase === 'closed') return;
    if (READ_ONLY.test(text)) this.isReadOnly = true;
    if (WELL.test(text)) return;
    if (this.phase === 'opening') {
      this.#fail(text);
    } else if (this.unsaved.length > 0 || this.asking !== null) {
      this.problem = text;
      this.onchange();
    }
  }

  /** @param {Position} position @param {string[]} lines */
  #send(position, lines) {
    this.client.tell(position, ['INFO database_readonly 0', ...lines, 'INFO database_readonly 1', 'YXSAVEDATABASE']);
  }

  /** @param {string[]} lines @param {string} [text] @param {Position} [position] */
  #change(lines, text, position = this.desk.position) {
    this.unsaved.push({ position, lines, text });
    this.problem = '';
    if (this.known?.key === position.key && text !== undefined) this.known.text = text;
    if (this.phase === 'open' && this.client.isReady) {
      this.#send(position, lines);
      this.isChanged = true;
      this.#ask();
    }
    this.onchange();
  }

  /** Takes a text as it is being typed. @param {string} text */
  write(text) {
    this.draft = { position: this.desk.position, text };
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.flush(), TYPING_MS);
    this.onchange();
  }

  /** Tells the engine what was typed. */
  flush() {
    clearTimeout(this.typing);
    const { draft } = this;
    this.draft = null;
    if (draft) this.#change(textLines(draft.position, draft.text), draft.text, draft.position);
  }

  /** @param {string} label @param {import('../game/points.js').Point} [point] of a cell to be labelled; the position itself otherwise */
  label(label, point) {
    this.#change(labelLines(this.desk.position, label, point));
  }

  /** @param {{value: number, depth: number}} found by a search of the shown position */
  keep(found) {
    this.#change(valueLines(this.desk.position, found));
  }

  /** Deletes the shown position, or all that follows from it. @param {boolean} following */
  remove(following) {
    this.flush();
    const { position } = this.desk;
    this.#change(databaseLines(following ? 'YXDELETEDATABASEALL' : 'YXDELETEDATABASEONE', position), following ? undefined : '');
  }
}

/** What a search has found, as databases keep it; null if it has no number. @param {import('../engine/replies.js').Variation} variation */
export function valueOf({ mate, score, depth }) {
  const value = mate === null ? Number(score) : Math.sign(mate) * (30000 - Math.abs(mate));
  return Number.isInteger(value) && (mate !== null || score !== '') ? { value, depth } : null;
}

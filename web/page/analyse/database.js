// The database beside an analysis: what it knows of the shown position, and changes of it. The engine reads and
// writes it; the page names a file of the server's folder, and tells every change until the engine has saved it.

import { databaseLines, fileOf, labelLines, textLines, valueLines } from '../engine/database.js';

/** @typedef {import('../engine/database.js').KnownMove} KnownMove */
/** @typedef {import('../game/position.js').Position} Position */
/** @typedef {{key: string, moves: KnownMove[], text: string, label: string, value: number, depth: number, isKnown: boolean}} Known */
/** @typedef {{name: string, position: Position, text: string}} Draft A text that is being typed. */
/** @typedef {{name: string, position: Position, lines: string[], text?: string, isTold: boolean}} Change A change of a file, and whether the engine was told. */

/** What the engine says when all is well. */
const WELL = /^(?:depth|saved|deleting|deleted|opened|made)\b/;
const READ_ONLY = /^opened (.*) for reading only/;
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
    /** Files that were opened and can only be read. @type {Set<string>} */
    this.readOnly = new Set();
    /** Why something is not as it was wanted, in the words of the engine. */
    this.problem = '';
    /** @type {Known | null} */
    this.known = null;
    /** The key of the position that the engine is asked about. @type {string | null} */
    this.asking = null;
    /** What it has said of it so far. @type {Partial<Known>} */
    this.said = {};
    /** Changes that the engine has not saved yet, of any file, the oldest first. @type {Change[]} */
    this.unsaved = [];
    /** @type {Draft | null} */
    this.draft = null;
    this.isShown = false;
    /** Whether the engine may have a file open. */
    this.isUsed = false;
    /** Whether there are changes since the engine was asked. */
    this.isChanged = false;
    this.onchange = () => {};
    client.database.onreply = (reply) => this.#take(reply);
    client.onmessage = (text) => this.#hear(text);
  }

  /** Whether all changes are in the file that is open. */
  get isSaved() {
    return !this.draft && this.unsaved.every(({ name }) => name !== this.name);
  }

  /** Whether the engine has heard all changes of any file, which it writes even if nobody listens any more. */
  get isHeard() {
    const { draft, unsaved, client } = this;
    return !draft && (unsaved.length === 0 || (client.isReady && client.besides.length === 0 && unsaved.every(({ isTold }) => isTold)));
  }

  get isReadOnly() {
    return this.name !== null && this.readOnly.has(this.name);
  }

  /** What is known of the shown position, if that is known. */
  get shown() {
    return this.known?.key === this.desk.position.key ? this.known : null;
  }

  /** The text of the shown position: as it was typed, even if it is not saved. */
  get text() {
    const { key } = this.desk.position;
    const isHere = (/** @type {Draft | Change | null} */ one) => one?.name === this.name && one?.text !== undefined && one.position.key === key;
    return [this.draft, ...[...this.unsaved].reverse()].find(isHere)?.text ?? this.shown?.text ?? '';
  }

  /** @param {string} name */
  open(name) {
    this.flush();
    this.name = name;
    this.problem = '';
    this.#open();
  }

  #open() {
    this.phase = 'opening';
    this.asking = null;
    this.known = null;
    this.onchange();
    // An engine that gets ready is told then.
    if (!this.client.isReady) return;
    this.#tell(/** @type {string} */ (this.name));
    this.#ask();
  }

  /** Has the engine open a file, and tells it the changes of that. @param {string} name */
  #tell(name) {
    const { position } = this.desk;
    this.isUsed = true;
    this.readOnly.delete(name);
    // Without the first line the one before stays open where this one can't be opened, and would be changed. An engine tells
    // about opening only those who have asked for texts before; searches add nothing by themselves.
    this.client.tell(position, ['INFO usedatabase 0', ...databaseLines('YXQUERYDATABASETEXT', position), 'INFO database_readonly 0', `YXSETDATABASE ${name}`, 'INFO database_readonly 1']);
    this.unsaved.filter((change) => change.name === name && !change.isTold).forEach((change) => this.#send(change));
  }

  /** Has the engine close what it has open. */
  #putAway() {
    clearTimeout(this.timer);
    // An engine that gets ready is told then.
    if (!this.client.isReady) return;
    if (this.isUsed) this.client.tell(this.desk.position, ['INFO usedatabase 0']);
    this.isUsed = false;
  }

  /** @param {string} why */
  #fail(why) {
    clearTimeout(this.timer);
    this.problem ||= why;
    this.phase = 'closed';
    this.asking = null;
    this.known = null;
    this.#untell();
    this.onchange();
  }

  /** What was told may have reached no file. */
  #untell() {
    for (const change of this.unsaved) change.isTold = false;
  }

  /** Closes the file; what is not saved yet is saved before. */
  close() {
    this.flush();
    this.#putAway();
    Object.assign(this, { name: null, phase: 'closed', problem: '', known: null, asking: null });
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
      this.#putAway();
    }
  }

  /** The engine is another one, or has lost the connection: it is told again. */
  restart() {
    this.#untell();
    // One that was there before may have a file open, also for the page before this one.
    this.isUsed = this.client.state.state === 'resumed' && (this.isUsed || this.name !== null);
    if (this.isShown && this.phase !== 'closed') {
      this.#open();
    } else {
      new Set(this.unsaved.map(({ name }) => name)).forEach((name) => this.#tell(name));
      this.#putAway();
    }
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
      this.#saved(reply.file);
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

  /** Takes it that the oldest change of a file is there, unless that can only be read. @param {string} file */
  #saved(file) {
    const change = this.unsaved.find(({ name }) => name === file);
    if (change && this.readOnly.has(file)) change.isTold = false;
    else this.unsaved = this.unsaved.filter((one) => one !== change);
  }

  /** Takes what the engine says beyond answers. @param {string} text */
  #hear(text) {
    const [, path] = READ_ONLY.exec(text) ?? [];
    if (path) this.readOnly.add(fileOf(path));
    if (WELL.test(text)) return;
    this.#untell();
    if (this.phase === 'opening') {
      this.#fail(text);
    } else if (this.phase === 'open' && (this.unsaved.length > 0 || this.asking !== null)) {
      this.problem = text;
      this.onchange();
    }
  }

  /** @param {Change} change */
  #send(change) {
    change.isTold = true;
    this.client.tell(change.position, ['INFO database_readonly 0', ...change.lines, 'INFO database_readonly 1', 'YXSAVEDATABASE']);
  }

  /** @param {string[]} lines @param {Draft} [draft] a text that the lines tell */
  #change(lines, draft) {
    const { name, position, text } = draft ?? { name: this.name, position: this.desk.position };
    if (name === null) return;
    /** @type {Change} */
    const change = { name, position, lines, text, isTold: false };
    this.unsaved.push(change);
    this.problem = '';
    if (this.known?.key === position.key && text !== undefined) this.known.text = text;
    if (this.phase !== 'closed' && this.client.isReady) {
      this.#send(change);
      this.isChanged = true;
      this.#ask();
    }
    this.onchange();
  }

  /** Takes a text as it is being typed. @param {string} text */
  write(text) {
    if (this.name === null) return;
    this.draft = { name: this.name, position: this.desk.position, text };
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.flush(), TYPING_MS);
    this.onchange();
  }

  /** Tells the engine what was typed. */
  flush() {
    clearTimeout(this.typing);
    const { draft } = this;
    this.draft = null;
    if (draft) this.#change(textLines(draft.position, draft.text), draft);
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
    const { name, desk: { position } } = this;
    const lines = databaseLines(following ? 'YXDELETEDATABASEALL' : 'YXDELETEDATABASEONE', position);
    this.#change(lines, following || name === null ? undefined : { name, position, text: '' });
  }
}

/** What a search has found, as databases keep it; null if it has no number. @param {import('../engine/replies.js').Variation} variation */
export function valueOf({ mate, score, depth }) {
  const value = mate === null ? Number(score) : Math.sign(mate) * (30000 - Math.abs(mate));
  return Number.isInteger(value) && (mate !== null || score !== '') ? { value, depth } : null;
}

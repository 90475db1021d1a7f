// Questions to an engine, one at a time. Every question brings its whole position, so an engine that died
// and was started again is asked the same once more, and nobody notices more than a pause.

import { DatabaseReader } from './database.js';
import { VariationReader, parseReply } from './replies.js';
import { RULE_NUMBERS } from '../game/position.js';

/** @typedef {import('../game/position.js').Position} Position */
/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {import('./replies.js').Variation} Variation */
/** @typedef {import('./replies.js').Reply} Reply */
/**
 * @typedef {object} Question
 * @property {Position} position
 * @property {Record<string, number>} [info] values of `INFO` that differ from the usual
 * @property {string[]} lines what asks, after the position was set
 * @property {boolean} [isBare] if the lines set the position themselves
 * @property {boolean} [isFresh] if the board has to be empty
 * @property {string} [beyond] the command that asks, if not all engines know it
 * @property {(variation: Variation) => void} [onVariation]
 * @property {(name: string, value: any) => boolean} [onJson] returns true if that was the answer
 */
/** @typedef {{kind: 'moves', points: Point[], wasStopped: boolean} | {kind: 'swap'} | {kind: 'json'} | {kind: 'dropped'} | {kind: 'unknown'} | {kind: 'error', text: string}} Answer */

/** Values of `INFO` that hold unless a question says otherwise. */
const USUAL = { show_detail: 2, strength: 100, timeout_turn: 5000, timeout_match: 0, time_left: 2147483647, pondering: 0 };

/** How long an engine may be silent about a command, beyond the time that it was given for the answer, in milliseconds. */
const PATIENCE = 5000;

class Asked {
  /** @param {Question} question */
  constructor(question) {
    this.question = question;
    this.wasStopped = false;
    this.isDone = false;
    /** Ends the patience with a silent engine. */
    this.timer = 0;
    /** @type {Promise<Answer>} */
    this.answer = new Promise((resolve) => { this.resolve = resolve; });
  }

  /** @param {Answer} answer */
  finish(answer) {
    if (this.isDone) return;
    this.isDone = true;
    /** @type {(answer: Answer) => void} */ (this.resolve)(answer);
  }
}

export class EngineClient {
  /** @param {import('./socket-engine.js').Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.state = /** @type {import('./socket-engine.js').EngineState} */ ({ state: 'connecting' });
    this.onstate = (/** @type {import('./socket-engine.js').EngineState} */ _state) => {};
    /** Told what an engine says beyond answers, and errors that answer nothing. */
    this.onmessage = (/** @type {string} */ _text) => {};
    /** `INFO` of all questions, such as threads. @type {Record<string, number>} */
    this.settings = {};
    /** @type {Asked | null} */
    this.asked = null;
    /** @type {Asked[]} */
    this.waiting = [];
    /** What the engine was told by `INFO`. @type {Record<string, number>} */
    this.told = {};
    this.size = '';
    this.owedOks = 0;
    /** Whether errors may still come for lines that were not understood. */
    this.isAstray = false;
    this.reader = new VariationReader();
    /** Commands that disturb no question, with a position whose board they need. @type {{position: Position, lines: string[]}[]} */
    this.besides = [];
    /** Commands that the engine has ignored. @type {Set<string>} */
    this.ignored = new Set();
    /** What the database of the engine says. */
    this.database = new DatabaseReader();
    engine.online = (line) => this.#take(line);
    engine.onstate = (state) => this.#change(state);
  }

  /** A fresh process knows nothing. */
  #forget() {
    this.told = {};
    this.size = '';
    this.owedOks = 0;
    this.isAstray = false;
    this.reader = new VariationReader();
    this.database.begun = null;
    this.ignored.clear();
  }

  get isReady() {
    return this.state.state === 'ready' || this.state.state === 'resumed';
  }

  /** @param {import('./socket-engine.js').EngineState} state */
  #change(state) {
    this.state = state;
    if (this.isReady) {
      // A process that was there before may still think about what an earlier page asked.
      this.#forget();
      // What was on its way when the process before ended, this one hears: errors are about that.
      this.isAstray = this.asked !== null;
      // Whoever told that tells it again when it hears of the state.
      this.besides = [];
      if (state.state === 'resumed') {
        this.engine.send('STOP');
        // It may have been told a limit that has to go.
        this.told.max_node = 1;
      }
      if (this.asked?.wasStopped) this.#finish({ kind: 'dropped' });
      else if (this.asked) this.#send(this.asked.question);
      else this.#next();
    }
    this.onstate(state);
  }

  /**
   * Asks. Unless it waits for those before it, a question ends them: their answers are `dropped`.
   * @param {Question} question @param {{waits?: boolean}} [how]
   * @returns {{answer: Promise<Answer>, stop: () => void, drop: () => void}}
   */
  ask(question, { waits = false } = {}) {
    if (!waits) {
      for (const asked of this.waiting.splice(0)) asked.finish({ kind: 'dropped' });
      if (this.asked) this.#drop(this.asked);
    }
    const asked = new Asked(question);
    this.waiting.push(asked);
    if (!this.asked) this.#next();
    return { answer: asked.answer, stop: () => this.#stop(asked), drop: () => this.#drop(asked) };
  }

  /** Ends a question without an answer. @param {Asked} asked */
  #drop(asked) {
    asked.finish({ kind: 'dropped' });
    this.#stop(asked);
  }

  /** Asks for the answer at once. @param {Asked} asked */
  #stop(asked) {
    if (this.asked !== asked) {
      this.waiting = this.waiting.filter((one) => one !== asked);
      asked.finish({ kind: 'dropped' });
    } else if (!asked.wasStopped) {
      asked.wasStopped = true;
      if (this.isReady) this.engine.send('STOP');
      else this.#finish({ kind: 'dropped' });
    }
  }

  #next() {
    if (!this.isReady) return;
    this.asked = this.waiting.shift() ?? null;
    if (this.asked) this.#send(this.asked.question);
    else this.#sendBesides();
  }

  /**
   * Says something to the database of the engine, whatever is asked meanwhile.
   * @param {Position} position whose board and rule the engine has to have @param {string[]} lines
   */
  tell(position, lines) {
    this.besides.push({ position, lines });
    this.#sendBesides();
  }

  #sendBesides() {
    while (this.isReady && this.besides.length > 0) {
      const { position, lines } = this.besides[0];
      const rule = RULE_NUMBERS[position.rule];
      // A board would end what is asked of another one.
      if (this.asked && (this.size !== position.size.join() || this.told.rule !== rule)) return;
      this.#start(position);
      if (this.told.rule !== rule) this.engine.send(`INFO rule ${rule}`);
      this.told.rule = rule;
      lines.forEach((line) => this.engine.send(line));
      this.besides.shift();
    }
  }

  /** Gives the engine a board of the size, unless it has one. @param {Position} position */
  #start({ size: [columns, rows] }, isFresh = false) {
    const size = `${columns},${rows}`;
    if (size === this.size && !isFresh) return;
    this.engine.send(columns === rows ? `START ${columns}` : `RECTSTART ${size}`);
    this.owedOks += 1;
    this.size = size;
  }

  /** @param {Answer} answer */
  #finish(answer) {
    clearTimeout(this.asked?.timer);
    this.asked?.finish(answer);
    this.asked = null;
    this.#next();
  }

  /** @param {Question} question */
  #send({ position, info = {}, lines, isBare, isFresh, beyond }) {
    if (beyond && this.ignored.has(beyond)) {
      this.#finish({ kind: 'unknown' });
      return;
    }
    this.#start(position, isFresh);
    /** @type {Record<string, number>} */
    const wanted = { ...USUAL, ...this.settings, ...info, rule: RULE_NUMBERS[position.rule] };
    // Only reviews count nodes; 0 takes the limit away again.
    if (this.told.max_node !== undefined && wanted.max_node === undefined) wanted.max_node = 0;
    for (const [key, wish] of Object.entries(wanted)) {
      // Engines read whole numbers.
      const value = Math.floor(wish);
      if (this.told[key] !== value) this.engine.send(`INFO ${key} ${value}`);
      this.told[key] = value;
    }
    if (!isBare) boardLines('YXBOARD', position).forEach((line) => this.engine.send(line));
    lines.forEach((line) => this.engine.send(line));
    this.#sendBesides();
    const { asked } = this;
    if (!beyond || !asked) return;
    clearTimeout(asked.timer);
    // Many engines say nothing to what they do not know.
    asked.timer = setTimeout(() => {
      // A process that is gone is asked again when it is back.
      if (this.asked !== asked || !this.isReady) return;
      this.ignored.add(beyond);
      this.#goAstray({ kind: 'unknown' });
    }, Math.max(0, wanted.timeout_turn) + PATIENCE);
  }

  /** What is said from now on, until there is another board, is about what was before. @param {Answer} answer */
  #goAstray(answer) {
    this.size = '';
    this.isAstray = true;
    this.#finish(answer);
  }

  /** @param {string} line */
  #take(line) {
    if (this.database.take(line)) return;
    // It has understood something, unless a board before it is meant.
    if (this.owedOks === 0) clearTimeout(this.asked?.timer);
    const reply = parseReply(line);
    if (this.owedOks > 0) {
      // Until the board is there, everything is about what was before.
      if (reply.kind === 'ok') {
        this.owedOks -= 1;
        this.isAstray = false;
      } else if (reply.kind === 'error' && !this.isAstray) {
        this.#forget();
        this.#finish(reply);
      }
      return;
    }
    const { asked } = this;
    if (reply.kind === 'info') {
      const variation = this.reader.take(reply.key, reply.value);
      if (variation && asked && !asked.isDone) asked.question.onVariation?.(variation);
    } else if (reply.kind === 'message' || reply.kind === 'other') {
      this.onmessage(reply.text);
    } else if (asked) {
      this.#answer(asked, reply);
    } else if (reply.kind === 'error' || reply.kind === 'unknown') {
      this.onmessage(reply.text);
    }
  }

  /** @param {Asked} asked @param {Reply} reply */
  #answer(asked, reply) {
    if (reply.kind === 'moves') this.#finish({ kind: 'moves', points: reply.points, wasStopped: asked.wasStopped });
    else if (reply.kind === 'swap') this.#finish({ kind: 'swap' });
    else if (reply.kind === 'json' && asked.question.onJson?.(reply.name, reply.value)) this.#finish({ kind: 'json' });
    else if (reply.kind === 'error' || reply.kind === 'unknown') {
      // The lines after it may be misunderstood too.
      const isUnknown = reply.kind === 'unknown' || /unknown|unsupported|not supported/i.test(reply.text);
      this.#goAstray(isUnknown ? { kind: 'unknown' } : { kind: 'error', text: reply.text });
    }
  }
}

/** The lines that set a position: own stones of the side to move are 1. @param {string} command @param {Position} position */
export function boardLines(command, { stones, toMove }) {
  // The first stone tells the engine which colour is black.
  const firstBlack = stones.findIndex(({ color }) => color === 0);
  const ordered = firstBlack > 0 ? [stones[firstBlack], ...stones.slice(0, firstBlack), ...stones.slice(firstBlack + 1)] : stones;
  return [command, ...ordered.map(({ point: [x, y], color }) => `${x},${y},${color === toMove ? 1 : 2}`), 'DONE'];
}

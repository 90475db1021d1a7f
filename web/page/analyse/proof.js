// A forced win, proven and played out: the page attacks, whoever reads defends as he likes.

import { isSame } from '../shared/board.js';
import { cellAt, cellsOf } from '../game/points.js';
import { threats } from '../game/threats.js';
import { bestQuestion, proofQuestion } from '../engine/questions.js';

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {import('../game/tree.js').GameNode} GameNode */
/** A node of a certificate: the attacker's move, the node after any other reply, and replies with their nodes. @typedef {(string | number)[]} ProofNode */
/** @typedef {'seeking' | 'none' | 'unknown' | 'attack' | 'won' | 'failed'} Phase */

/** The milliseconds that a proof may take. */
const TIME = 20_000;

export class Proof {
  /** @param {import('../desk.js').Desk} desk @param {import('../engine/client.js').EngineClient} client */
  constructor(desk, client) {
    this.desk = desk;
    this.client = client;
    /** @type {Phase | null} */
    this.phase = null;
    /** @type {GameNode | null} The node where the attack begins. */
    this.from = null;
    /** The node whose win is sought, and the key of its position. @type {[GameNode | null, string]} */
    this.sought = [null, ''];
    /** @type {ProofNode[] | null} */
    this.tree = null;
    this.at = 0;
    /** The main line. @type {Point[]} */
    this.line = [];
    this.plies = 0;
    this.by = '';
    /** Whether it is proven, and not only found by a search. */
    this.isProven = false;
    /** @type {{drop: () => void} | null} */
    this.asked = null;
    /** Nodes of the tree at the positions that were played, so that one may step back. @type {WeakMap<GameNode, number>} */
    this.places = new WeakMap();
    this.onchange = () => {};
  }

  get isOpen() {
    return this.phase !== null;
  }

  /** True while a win is sought in another position than the shown one. */
  get isElsewhere() {
    const { sought: [node, key], desk } = this;
    return this.phase === 'seeking' && (node !== desk.node || key !== desk.position.key);
  }

  /** Seeks a win of the side to move in the shown position. */
  async seek() {
    this.leave();
    this.from = this.desk.node;
    this.sought = [this.desk.node, this.desk.position.key];
    this.phase = 'seeking';
    this.onchange();
    await this.#ask();
    // `ask` has changed it.
    const phase = /** @type {Phase | null} */ (this.phase);
    if (phase === 'attack') this.#attack();
    this.onchange();
  }

  /** Asks for a proof in the shown position. */
  async #ask() {
    const { position, node } = this.desk;
    const { size } = position;
    this.tree = null;
    this.at = 0;
    /** @type {any} */
    let found = null;
    const asked = this.client.ask(proofQuestion(position, TIME, (value) => {
      found = value;
      return true;
    }));
    this.asked = asked;
    let answer = await asked.answer;
    if (this.asked !== asked) return;
    if (answer.kind === 'unknown') {
      await this.#search();
      return;
    }
    this.asked = null;
    if (found?.result !== 'win') {
      this.phase = found?.result === 'none' ? 'none' : this.phase === 'seeking' || !found ? 'unknown' : 'failed';
      if (answer.kind === 'dropped') this.phase = null;
      return;
    }
    this.isProven = true;
    // JSON counts rows from the top.
    this.line = cellsOf(String(found.line ?? ''), size, true);
    this.tree = Array.isArray(found.tree) ? found.tree : null;
    if (node === this.from) {
      this.plies = Number(found.plies) || this.line.length;
      this.by = String(found.by ?? '');
    }
    this.places.set(node, 0);
    this.phase = 'attack';
  }

  /** Other engines have no prover, but their search finds wins too. */
  async #search() {
    const { position } = this.desk;
    /** @type {import('../engine/replies.js').Variation | null} */
    let best = null;
    const asked = this.client.ask(bestQuestion(position, { best: 1, ms: 5000, onVariation: (variation) => { best = variation; } }));
    this.asked = asked;
    await asked.answer;
    if (this.asked !== asked) return;
    this.asked = null;
    const found = /** @type {import('../engine/replies.js').Variation | null} */ (best);
    if (found?.mate && found.mate > 0) {
      this.line = found.moves;
      if (this.desk.node === this.from) this.plies = found.mate;
      this.isProven = false;
      this.phase = 'attack';
    } else {
      this.phase = this.desk.node === this.from ? 'none' : 'failed';
    }
  }

  /** Plays the attacker's move. */
  #attack() {
    const { position } = this.desk;
    const point = this.tree ? cellAt(String(this.tree[this.at]?.[0]), position.size, true) : this.line[0];
    if (!point || !position.isEmpty(point)) {
      this.phase = 'failed';
      return;
    }
    const node = this.desk.game.play(this.desk.node, point);
    this.places.set(node, this.at);
    this.desk.goTo(node);
    if (this.desk.position.end?.winner === position.toMove) this.phase = 'won';
  }

  /** Answers a defence on a cell. @param {Point} point */
  async defend(point) {
    if (this.phase !== 'attack' || !this.from || !this.desk.position.isEmpty(point)) return;
    if (this.desk.position.violation(point)) return;
    const place = this.places.get(this.desk.node);
    if (this.tree && place === undefined) return;
    this.at = this.tree ? this.#after(place ?? 0, point) : 0;
    this.desk.goTo(this.desk.game.play(this.desk.node, point));
    if (this.desk.position.end) {
      this.phase = 'failed';
    } else if (!this.tree) {
      this.phase = 'seeking';
      this.sought = [this.desk.node, this.desk.position.key];
      this.onchange();
      await this.#ask();
    }
    if (/** @type {Phase | null} */ (this.phase) === 'attack') this.#attack();
    this.onchange();
  }

  /** The node of the tree after a reply. @param {number} place @param {Point} point */
  #after(place, point) {
    const [, otherwise, ...replies] = /** @type {ProofNode[]} */ (this.tree)[place] ?? [];
    for (let i = 0; i + 1 < replies.length; i += 2) {
      const cell = cellAt(String(replies[i]), this.desk.position.size, true);
      if (cell && isSame(cell, point)) return Number(replies[i + 1]);
    }
    return Number(otherwise);
  }

  /** The defence that a tree has an answer of its own for, or the next of the main line, or any. @returns {Point | null} */
  get suggestion() {
    const { position, node } = this.desk;
    if (this.phase !== 'attack') return null;
    const named = this.tree?.[this.places.get(node) ?? 0]?.[2];
    const cell = named === undefined ? this.#nextOfLine() : cellAt(String(named), position.size, true);
    return [cell, ...this.#blocks()].find((point) => point && position.isEmpty(point) && !position.violation(point)) ?? null;
  }

  /** Cells that stop the loudest threat of the attacker, or else any. @returns {Point[]} */
  #blocks() {
    const { position } = this.desk;
    const found = threats(position, /** @type {import('../game/points.js').Color} */ (1 - position.toMove));
    return [...['five', 'open four', 'four'].flatMap((kind) => found.filter((one) => one.kind === kind).map(({ point }) => point)), ...position.empty()];
  }

  #nextOfLine() {
    const { from, desk: { game, node } } = this;
    if (!from) return null;
    const played = node.ply - from.ply;
    const isOnLine = game.path(node).slice(-played).every(({ move }, i) => move?.point && this.line[i] && isSame(move.point, this.line[i]));
    return isOnLine ? this.line[played] ?? null : this.line[1] ?? null;
  }

  /** True if the shown position belongs to the attack and the defender is to move. */
  get isDefendersTurn() {
    const { from } = this;
    const isDefender = !!from && this.desk.game.path(this.desk.node).includes(from) && (this.desk.node.ply - from.ply) % 2 === 1;
    return this.phase === 'attack' && isDefender;
  }

  /** Takes the last defence and its answer back. */
  stepBack() {
    const { from } = this;
    if (!from || this.desk.node.ply - from.ply < 3) return;
    this.desk.step(this.phase === 'failed' ? -1 : -2);
    this.phase = 'attack';
    this.onchange();
  }

  leave() {
    const { asked } = this;
    this.asked = null;
    asked?.drop();
    this.phase = null;
    this.tree = null;
    this.from = null;
    this.places = new WeakMap();
    this.onchange();
  }
}

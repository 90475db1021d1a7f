// The review of a game, as it comes, and the judgement of moves that a reader tries.

import { judgementOf, classOf } from './judgement.js';
import { bestQuestion, reviewQuestion } from '../engine/questions.js';
import { isPlainLine } from '../game/tree.js';
import { isSame } from '../shared/board.js';

/** @typedef {import('../game/tree.js').GameNode} GameNode */
/** @typedef {import('../engine/replies.js').Variation} Variation */

export class Review {
  /** @param {import('../desk.js').Desk} desk @param {import('../engine/client.js').EngineClient} client */
  constructor(desk, client) {
    this.desk = desk;
    this.client = client;
    /** @type {'none' | 'running' | 'done'} */
    this.state = 'none';
    this.progress = [0, 0];
    /** The nodes of the game that is reviewed. @type {GameNode[]} */
    this.line = [];
    /** Black's expected points after each number of moves. @type {(number | null)[]} */
    this.black = [];
    /** @type {[number | null, number | null]} */
    this.accuracy = [null, null];
    /** @type {number | null} */
    this.turning = null;
    /** @type {string | null} */
    this.problem = null;
    /** Nodes for a position. */
    this.nodes = 20_000;
    /** @type {{drop: () => void, stop: () => void} | null} */
    this.asked = null;
    /** A tried move that is being judged. @type {GameNode | null} */
    this.judging = null;
    this.onchange = () => {};
  }

  /** Reviews the line to the shown node and on. */
  async begin() {
    this.stop();
    const { game } = this.desk;
    const line = game.mainLine;
    const moves = line.slice(1).flatMap(({ move }) => (move?.point ? [move.point] : []));
    this.problem = null;
    if (moves.length !== line.length - 1 || line.slice(1).some(({ setup }) => setup)) this.problem = 'setup';
    else if (moves.length === 0) this.problem = 'noMoves';
    if (this.problem) {
      this.onchange();
      return;
    }
    line.forEach((node) => { node.review = null; });
    Object.assign(this, { state: 'running', progress: [0, moves.length + 1], line, black: new Array(moves.length + 1).fill(null), accuracy: [null, null], turning: null });
    this.onchange();
    // What engines know as a review begins with the empty board, and black.
    if (!isPlainLine(line)) {
      await this.#search(line);
      return;
    }
    /** What was dropped still ends, but says nothing more. @type {ReturnType<import('../engine/client.js').EngineClient['ask']> | null} */
    let asked = null;
    const question = reviewQuestion(game.position(game.root), moves, this.nodes, (value) => (asked && this.asked !== asked ? !!value.done : this.#take(value)));
    asked = this.client.ask(question);
    this.asked = asked;
    const answer = await asked.answer;
    if (this.asked !== asked) return;
    if (answer.kind === 'unknown') {
      await this.#search(line);
      return;
    }
    this.asked = null;
    this.state = 'done';
    if (answer.kind === 'error') this.problem = answer.text;
    if (this.problem) this.state = 'none';
    this.onchange();
  }

  /** Takes what the engine reports; returns true if that was the end. @param {any} value */
  #take(value) {
    const { size } = this.desk.game;
    if (Array.isArray(value.progress)) {
      this.progress = [Number(value.progress[0]), Number(value.progress[1])];
      if (Number.isInteger(value.after)) this.black[value.after] = Number(value.black);
    } else if (Number.isInteger(value.ply)) {
      const node = this.line[value.ply];
      if (node?.move) {
        node.review = judgementOf(value, size);
        const share = (/** @type {number} */ chance) => (node.move?.color === 0 ? chance : 1 - chance);
        this.black[value.ply - 1] ??= share(node.review.before);
        this.black[value.ply] = share(node.review.after);
      }
    } else if (value.done) {
      if (Array.isArray(value.accuracy)) this.accuracy = [value.accuracy[0] ?? null, value.accuracy[1] ?? null];
      this.turning = Number.isInteger(value.turning_point) ? value.turning_point : null;
      return true;
    }
    this.onchange();
    return false;
  }

  /** Reviews by plain searches, for engines without reviews and games that are no list of moves of black and white in turn: backwards, as their tables know then what follows. @param {GameNode[]} line */
  async #search(line) {
    const { game } = this.desk;
    const run = { drop: () => {}, stop: () => {} };
    this.asked = run;
    /** @type {(Variation | null)[]} */
    const values = [];
    for (let ply = line.length - 1; ply >= 0; ply -= 1) {
      const next = line[ply + 1];
      const position = game.position(line[ply], next?.move?.color);
      values[ply] = position.end ? null : await this.#value(position);
      if (this.asked !== run) return;
      const share = position.end ? outcome(position.end, 0) : shareOf(values[ply], position.toMove);
      this.black[ply] = share;
      this.progress = [line.length - ply, line.length];
      if (next?.move?.point && values[ply]) {
        const mover = next.move.color;
        const after = mover === 0 ? this.black[ply + 1] ?? 0.5 : 1 - (this.black[ply + 1] ?? 0.5);
        next.review = judged(/** @type {Variation} */ (values[ply]), after, next.move.point);
      }
      this.onchange();
    }
    this.asked = null;
    this.state = 'done';
    this.onchange();
  }

  stop() {
    const { asked } = this;
    this.asked = null;
    asked?.drop();
    this.judging = null;
    if (this.state === 'running') this.state = this.line.some(({ review }) => review) ? 'done' : 'none';
    this.onchange();
  }

  /** Forgets the review of another game. */
  forget() {
    this.stop();
    Object.assign(this, { state: 'none', line: [], black: [], accuracy: [null, null], turning: null, problem: null });
    this.onchange();
  }

  /** False if moves that were reviewed have been removed from the game. */
  get isWhole() {
    return this.line.every((node, i) => (i === 0 ? node === this.desk.game.root : this.line[i - 1].children.includes(node)));
  }

  /** True if the shown game has been reviewed. @param {GameNode} node */
  covers(node) {
    return this.line.includes(node);
  }

  /** Judges a move that is not of the game. @param {GameNode} node */
  async judge(node) {
    if (node.review || !node.parent || !node.move?.point) return;
    this.judging = node;
    this.onchange();
    const { game } = this.desk;
    const before = game.position(node.parent, node.move.color);
    const after = game.position(node);
    const [had, has] = [await this.#value(before), after.end ? null : await this.#value(after)];
    if (this.judging !== node) return;
    this.judging = null;
    if (had && (has || after.end)) {
      const mover = node.move.color;
      const left = after.end ? outcome(after.end, mover) : 1 - (has?.chance ?? 0.5);
      node.review = judged(had, left, node.move.point);
    }
    this.onchange();
  }

  /** The best line of a position. @param {import('../game/position.js').Position} position @returns {Promise<Variation | null>} */
  async #value(position) {
    /** @type {Variation | null} */
    let best = null;
    // Other engines count nodes in their own ways, so time it is.
    const ms = Math.max(300, this.nodes / 40);
    // One move of an empty board is answered without a search, and so without a score.
    const onVariation = (/** @type {Variation} */ variation) => { if (variation.index === 0) best = variation; };
    await this.client.ask(bestQuestion(position, { best: 2, ms, onVariation }), { waits: true }).answer;
    return best;
  }
}

/** What the end of a game is worth for a colour. @param {import('../game/position.js').End} end @param {number} color */
const outcome = ({ winner }, color) => (winner === null ? 0.5 : winner === color ? 1 : 0);

/** Black's share. @param {Variation | null} value @param {number} toMove */
const shareOf = (value, toMove) => (toMove === 0 ? value?.chance ?? 0.5 : 1 - (value?.chance ?? 0.5));

/** The judgement of a move by the best line before it and what is left after it. @param {Variation} best @param {number} left @param {import('../game/points.js').Point} point @returns {import('./judgement.js').Judgement} */
function judged(best, left, point) {
  const isBest = isSame(best.moves[0], point);
  const before = Math.max(best.chance ?? 0.5, isBest ? left : 0);
  return { kind: classOf(before, left, isBest), best: best.moves[0], line: best.moves, before, after: left, why: [], better: [] };
}

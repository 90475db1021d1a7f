// A position: the stones on the board, whose turn it is, and what the rule says about it.

import { Cells } from '../shared/rules.js';
import { BLACK, isOn, keyOf } from './points.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./points.js').Size} Size */
/** @typedef {import('./points.js').Color} Color */
/** @typedef {'freestyle' | 'standard' | 'renju' | 'caro' | 'caro-exact'} Rule */
/** @typedef {{point: Point, color: Color, number: number | null}} Stone A stone, and the number of its move. */
/** @typedef {{winner: Color | null, reason: 'five' | 'forbidden' | 'full', line: Point[], kind?: string}} End */

/** @type {Record<Rule, number>} The numbers of `INFO rule`. */
export const RULE_NUMBERS = { freestyle: 0, standard: 1, renju: 4, caro: 8, 'caro-exact': 9 };
export const RULES = /** @type {Rule[]} */ (Object.keys(RULE_NUMBERS));

export class Position {
  /** @param {{size: Size, rule: Rule, stones: Stone[], toMove: Color, isMoved: boolean}} parts `isMoved` if the last stone was played just now. */
  constructor({ size, rule, stones, toMove, isMoved }) {
    this.size = size;
    this.rule = rule;
    this.stones = stones;
    this.toMove = toMove;
    this.cells = new Cells(size, stones);
    this.last = isMoved ? stones[stones.length - 1] : null;
    this.end = this.#end();
    /** The forbidden cells, once somebody asked. @type {{point: Point, kind: string}[] | undefined} */
    this.known = undefined;
  }

  /** @returns {End | null} */
  #end() {
    const full = { winner: null, reason: /** @type {const} */ ('full'), line: [] };
    const isFull = this.stones.length === this.size[0] * this.size[1];
    if (!this.last) return isFull ? full : null;
    const { point, color } = this.last;
    const line = this.cells.winningRun(point, color, this.rule);
    if (line) return { winner: color, reason: 'five', line };
    if (this.rule === 'renju' && color === BLACK) {
      const kind = this.cells.violationOfStone(point);
      if (kind) return { winner: 1, reason: 'forbidden', line: [], kind };
    }
    return isFull ? full : null;
  }

  /** @param {Point} point */
  isEmpty(point) {
    return isOn(point, this.size) && this.cells.get(point) === null;
  }

  /** Returns why renju forbids a cell to the side to move, or null. @param {Point} point @returns {string | null} */
  violation(point) {
    return this.rule === 'renju' && this.toMove === BLACK ? this.cells.violation(point) : null;
  }

  /** All forbidden cells with their reasons. @returns {{point: Point, kind: string}[]} */
  forbidden() {
    this.known ??= this.empty().flatMap((point) => {
      const kind = this.violation(point);
      return kind ? [{ point, kind }] : [];
    });
    return this.known;
  }

  /** @returns {Point[]} */
  empty() {
    const all = [];
    for (let y = 0; y < this.size[1]; y += 1) {
      for (let x = 0; x < this.size[0]; x += 1) {
        if (this.cells.get([x, y]) === null) all.push(/** @type {Point} */ ([x, y]));
      }
    }
    return all;
  }

  /** The position after a stone of the side to move. @param {Point} point */
  after(point) {
    const number = this.stones.reduce((most, stone) => Math.max(most, stone.number ?? 0), 0) + 1;
    const stones = [...this.stones, { point, color: this.toMove, number }];
    return new Position({ size: this.size, rule: this.rule, stones, toMove: /** @type {Color} */ (1 - this.toMove), isMoved: true });
  }

  /** What makes two positions equal. */
  get key() {
    const stones = this.stones.map(({ point, color }) => keyOf(point) * 2 + color).sort((a, b) => a - b);
    return [this.rule, this.size, this.toMove, stones].join();
  }
}

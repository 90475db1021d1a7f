// A game as a tree of moves, with comments, marks and set-up stones.

import { isSame } from '../shared/board.js';
import { BLACK, WHITE, keyOf } from './points.js';
import { Position } from './position.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./points.js').Size} Size */
/** @typedef {import('./points.js').Color} Color */
/** @typedef {import('./position.js').Rule} Rule */
/** @typedef {{point: Point | null, color: Color}} Move A pass has no point. */
/** @typedef {{black: Point[], white: Point[], empty: Point[], toMove: Color | null}} Setup */
/** @typedef {'x' | 'triangle' | 'circle' | 'square'} Shape */
/** @typedef {{shape?: Shape, text?: string}} Mark What is drawn on a cell: a shape, a text, or both. */

export class GameNode {
  /** @param {GameNode | null} parent @param {Move | null} move */
  constructor(parent, move) {
    this.parent = parent;
    this.move = move;
    /** @type {GameNode[]} */
    this.children = [];
    /** @type {Setup | null} */
    this.setup = null;
    this.comment = '';
    /** @type {Map<number, Mark>} */
    this.marks = new Map();
    /** Properties of SGF that mean nothing here, kept for the file. @type {[string, string[]][]} */
    this.other = [];
    /** The milliseconds that the move took. @type {number | null} */
    this.ms = null;
    /** What a review says about the move. @type {import('../review/judgement.js').Judgement | null} */
    this.review = null;
  }

  /** The number of moves that lead here. @returns {number} */
  get ply() {
    let ply = 0;
    for (let node = /** @type {GameNode | null} */ (this); node; node = node.parent) if (node.move) ply += 1;
    return ply;
  }
}

export class Game {
  /** @param {{size?: Size, rule?: Rule}} [settings] */
  constructor({ size = [15, 15], rule = 'freestyle' } = {}) {
    this.size = size;
    this.rule = rule;
    this.root = new GameNode(null, null);
    /** Names, date, result and the like, by their names in SGF. @type {Record<string, string>} */
    this.info = {};
  }

  /** The nodes from the root to one of them. @param {GameNode} node */
  path(node) {
    const nodes = [];
    for (let one = /** @type {GameNode | null} */ (node); one; one = one.parent) nodes.push(one);
    return nodes.reverse();
  }

  /** The node and the first children after it, to the end. @param {GameNode} node */
  lineFrom(node) {
    const nodes = [node];
    while (nodes[nodes.length - 1].children.length > 0) nodes.push(nodes[nodes.length - 1].children[0]);
    return nodes;
  }

  get mainLine() {
    return this.lineFrom(this.root);
  }

  /** @param {GameNode} node @param {Color | null} [mover] who moves next, if that is known */
  position(node, mover = null) {
    const { size, rule } = this;
    /** @type {Map<number, import('./position.js').Stone>} */
    const stones = new Map();
    /** @type {Color | null} */
    let toMove = null;
    let number = 0;
    const path = this.path(node);
    for (const { move, setup } of path) {
      if (setup) {
        for (const point of setup.empty) stones.delete(keyOf(point));
        for (const [points, color] of /** @type {[Point[], Color][]} */ ([[setup.black, BLACK], [setup.white, WHITE]])) {
          for (const point of points) stones.set(keyOf(point), { point, color, number: null });
        }
        toMove = setup.toMove;
      }
      if (move) {
        number += 1;
        if (move.point) stones.set(keyOf(move.point), { point: move.point, color: move.color, number });
        toMove = /** @type {Color} */ (1 - move.color);
      }
    }
    const all = [...stones.values()];
    toMove = mover ?? toMove ?? this.#firstToMove(all);
    const isMoved = !!node.move?.point && !node.setup;
    return new Position({ size, rule, stones: all, toMove, isMoved });
  }

  /** Who moves after stones that were set up. @param {import('./position.js').Stone[]} stones @returns {Color} */
  #firstToMove(stones) {
    const first = this.root.children[0]?.move;
    if (first) return first.color;
    const black = stones.filter(({ color }) => color === BLACK).length;
    return black > stones.length - black ? WHITE : BLACK;
  }

  /** Returns the child with a move of the side to move, a new one if there is none. @param {GameNode} node @param {Point} point */
  play(node, point) {
    return this.add(node, { point, color: this.position(node).toMove });
  }

  /** @param {GameNode} node @param {Move} move */
  add(node, move) {
    const same = node.children.find((child) => child.move && child.move.color === move.color
      && (child.move.point && move.point ? isSame(child.move.point, move.point) : child.move.point === move.point));
    if (same) return same;
    const child = new GameNode(node, move);
    node.children.push(child);
    return child;
  }

  /** Adds a node for stones that are set up after a position. @param {GameNode} node */
  addSetup(node) {
    const child = new GameNode(node, null);
    child.setup = { black: [], white: [], empty: [], toMove: this.position(node).toMove };
    node.children.push(child);
    return child;
  }

  /** Removes a node and all after it; returns its parent. @param {GameNode} node @returns {GameNode} */
  remove(node) {
    const { parent } = node;
    if (!parent) {
      node.children = [];
      return node;
    }
    parent.children = parent.children.filter((child) => child !== node);
    return parent;
  }

  /** Makes the line of a node the main one among those beside it. @param {GameNode} node */
  promote(node) {
    for (let one = node; one.parent; one = one.parent) {
      const { parent } = one;
      const at = parent.children.indexOf(one);
      if (at > 0) {
        parent.children.splice(at, 1);
        parent.children.unshift(one);
        return;
      }
    }
  }

  /** Makes the line to a node the main line of the game, if it belongs to the game. @param {GameNode} node */
  makeMain(node) {
    const path = this.path(node);
    if (path.some((one, i) => i > 0 && !path[i - 1].children.includes(one))) return;
    for (const one of path.slice(1)) {
      const { children } = /** @type {GameNode} */ (one.parent);
      children.splice(children.indexOf(one), 1);
      children.unshift(one);
    }
  }

  /** The number of nodes. */
  get length() {
    let number = 0;
    for (const waiting = [this.root]; waiting.length > 0; number += 1) /** @type {GameNode} */ (waiting.pop()).children.forEach((child) => waiting.push(child));
    return number;
  }
}

/**
 * True if a list of cells tells all of a line: black and white alternate from the empty board, without passes and
 * without stones that are set up.
 * @param {GameNode[]} line from the root
 */
export const isPlainLine = (line) => line.every(({ setup, move }, i) => !setup && (i === 0 ? !move : !!move?.point && move.color === (i - 1) % 2));

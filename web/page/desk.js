// What lies on the desk: a game, and the position of it that is shown. Everything else listens.

import { Game } from './game/tree.js';

/** @typedef {import('./game/tree.js').GameNode} GameNode */
/** @typedef {import('./game/points.js').Point} Point */
/** @typedef {'game' | 'node' | 'tree'} Change Another game, another node, or something else about the game. */

export class Desk {
  constructor() {
    this.game = new Game();
    /** @type {GameNode} */
    this.node = this.game.root;
    /** @type {((change: Change) => void)[]} */
    this.listeners = [];
    /** @type {import('./game/position.js').Position | null} */
    this.known = null;
  }

  /** @param {(change: Change) => void} listener */
  listen(listener) {
    this.listeners.push(listener);
  }

  /** @param {Change} change */
  tell(change) {
    this.known = null;
    this.listeners.forEach((listener) => listener(change));
  }

  get position() {
    this.known ??= this.game.position(this.node);
    return this.known;
  }

  /** @param {Game} game @param {GameNode} [node] */
  load(game, node = game.root) {
    this.game = game;
    this.node = node;
    this.tell('game');
  }

  /** @param {GameNode} node */
  goTo(node) {
    if (node === this.node) return;
    this.node = node;
    this.tell('node');
  }

  /** Deletes a node with all that follows it, and goes to the one before it. @param {GameNode} node */
  remove(node) {
    this.node = this.game.remove(node);
    this.tell('tree');
  }

  /** Goes forward along the main line of what comes, or back. @param {number} steps */
  step(steps) {
    let { node } = this;
    for (let i = 0; i < Math.abs(steps); i += 1) {
      const next = steps > 0 ? node.children[0] : node.parent;
      if (!next) break;
      node = next;
    }
    this.goTo(node);
  }

  toFirst() {
    this.goTo(this.game.root);
  }

  toLast() {
    const line = this.game.lineFrom(this.node);
    this.goTo(line[line.length - 1]);
  }

  /** Goes to the move beside this one, if there are variations. @param {number} step */
  toSibling(step) {
    const siblings = this.node.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.node) + step];
    if (next) this.goTo(next);
  }

  /** Plays a cell and goes there; the move must be possible. @param {Point} point */
  play(point) {
    const node = this.game.play(this.node, point);
    this.goTo(node);
    return node;
  }
}

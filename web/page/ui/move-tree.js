// The moves of a game with their variations, to walk through.

import { el } from '../shared/elements.js';
import { cellName } from '../game/points.js';
import { GLYPHS, isFault } from '../review/judgement.js';
import { t } from '../texts.js';

/** @typedef {import('../game/tree.js').GameNode} GameNode */
/** @typedef {import('../game/tree.js').Game} Game */

/** A hostile file may have more; a reader does not. */
const MOST_SHOWN = 4000;
const DEEPEST = 12;

export class MoveTree {
  /** @param {import('../desk.js').Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.element = el('div', { class: 'moves', role: 'group', 'aria-label': t.tree.label });
    /** @type {Map<GameNode, HTMLElement>} */
    this.buttons = new Map();
    /** @type {HTMLElement | null} */
    this.current = null;
  }

  /** Draws all moves again. */
  draw() {
    const { game } = this.desk;
    const hadFocus = this.element.contains(document.activeElement);
    this.buttons.clear();
    this.element.replaceChildren(...this.#line(game.root, 0));
    this.mark();
    // The one stop of the Tab key.
    if (hadFocus) /** @type {HTMLElement | null} */ (this.element.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
  }

  /** Marks the shown move. */
  mark() {
    this.current?.classList.remove('current');
    this.current?.removeAttribute('aria-current');
    const button = this.buttons.get(this.desk.node) ?? null;
    this.current = button;
    // One stop of the Tab key is enough for all moves.
    for (const other of this.buttons.values()) other.tabIndex = -1;
    const first = button ?? this.buttons.values().next().value;
    if (first) first.tabIndex = 0;
    if (!button) {
      this.element.scrollTop = 0;
      return;
    }
    button.classList.add('current');
    button.setAttribute('aria-current', 'true');
    const [top, bottom] = [button.offsetTop - this.element.offsetTop, button.offsetTop - this.element.offsetTop + button.offsetHeight];
    if (top < this.element.scrollTop || bottom > this.element.scrollTop + this.element.clientHeight) this.element.scrollTop = top - this.element.clientHeight / 2;
  }

  /** The line after a node, and the variations beside it. @param {GameNode} start @param {number} depth @returns {HTMLElement[]} */
  #line(start, depth) {
    const pieces = [];
    let node = start;
    if (start.comment && depth === 0) pieces.push(comment(start.comment));
    while (node.children.length > 0 && this.buttons.size < MOST_SHOWN) {
      const [next, ...others] = node.children;
      pieces.push(this.#move(next));
      if (next.comment) pieces.push(comment(next.comment));
      if (depth < DEEPEST) {
        for (const variation of others) {
          if (this.buttons.size >= MOST_SHOWN) break;
          const inner = [this.#move(variation), ...(variation.comment ? [comment(variation.comment)] : []), ...this.#line(variation, depth + 1)];
          pieces.push(el('div', { class: 'variation' }, inner));
        }
      }
      node = next;
    }
    return pieces;
  }

  /** @param {GameNode} node */
  #move(node) {
    const { size } = this.desk.game;
    const { move, review } = node;
    const name = move?.point ? cellName(move.point, size) : move ? t.tree.pass : t.tree.setUp;
    const glyph = review ? GLYPHS[review.kind] ?? '' : '';
    const button = el('button', {
      type: 'button', class: `move ${['black', 'white'][move?.color ?? 0]}${review && isFault(review.kind) ? ` fault ${review.kind}` : ''}`,
      'data-cell': name, click: () => this.desk.goTo(node),
    }, el('span', { class: 'number' }, node.ply), el('span', {}, name), glyph ? el('span', { class: 'glyph', 'aria-hidden': 'true' }, glyph) : null,
    review ? el('span', { class: 'unseen' }, t.review.classes[review.kind]) : null);
    this.buttons.set(node, button);
    return button;
  }
}

/** @param {string} text */
const comment = (text) => el('p', { class: 'comment', dir: 'auto' }, text);

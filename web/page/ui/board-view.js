// The board on the page: drawn by the code that reports and reviews use, with a cursor for the keyboard,
// a stone under the pointer, and whatever a mode shows on it.

import { isSame, makeBoard } from '../shared/board.js';
import { svg } from '../shared/elements.js';
import { cellName, pointOfKey } from '../game/points.js';
import { candidateMark, cursorMark, editMark, forbiddenMark, ghostStone, hintMark, noteMark, threatMark } from './overlays.js';
import { t } from '../texts.js';

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {import('../game/position.js').Position} Position */
/**
 * @typedef {object} Shown
 * @property {Position} position
 * @property {boolean} [hasNumbers]
 * @property {import('./overlays.js').Candidate[]} [candidates]
 * @property {{point: Point, label: string}[]} [notes] what a database says of moves
 * @property {import('./overlays.js').Ghost[]} [line] stones of a line that is shown
 * @property {{point: Point, kind: string, whose: 'own' | 'other'}[]} [threats]
 * @property {{point: Point, kind: string}[]} [forbidden]
 * @property {Point | null} [hint]
 * @property {Map<number, import('../game/tree.js').Mark>} [marks]
 * @property {boolean} [canPlay] whether a stone follows the pointer
 */

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FILLS = ['url(#black-stone)', 'url(#white-stone)'];

export class BoardView {
  /** @param {{onpick: (point: Point) => void, oncursor: (words: string) => void}} options */
  constructor({ onpick, oncursor }) {
    this.onpick = onpick;
    this.oncursor = oncursor;
    this.element = document.createElement('div');
    this.element.id = 'board';
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'application');
    this.element.setAttribute('aria-roledescription', t.board.role);
    this.element.setAttribute('aria-describedby', 'board-help');
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('blur', () => this.#setCursor(null));
    this.element.addEventListener('pointermove', (event) => this.#hover(event));
    this.element.addEventListener('pointerleave', () => this.#setHover(null));
    this.size = /** @type {import('../game/points.js').Size} */ ([0, 0]);
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {Point | null} */
    this.cursor = null;
    /** Where the cursor was when the board had the focus. @type {Point | null} */
    this.lastCursor = null;
    /** @type {Point | null} */
    this.hover = null;
    /** A move that waits to be confirmed. @type {Point | null} */
    this.pending = null;
  }

  /** @param {Shown} shown */
  draw(shown) {
    this.shown = shown;
    const { size } = shown.position;
    if (!isSame(size, this.size)) this.#rebuild(size);
    this.#redraw();
  }

  /** @param {import('../game/points.js').Size} size */
  #rebuild(size) {
    this.size = size;
    this.cursor = null;
    this.lastCursor = null;
    this.board = makeBoard({ size, fromBottom: true, pick: (/** @type {Point} */ point) => this.onpick(point), fills: FILLS });
    const { picture } = this.board;
    picture.removeAttribute('role');
    picture.removeAttribute('aria-label');
    picture.setAttribute('aria-hidden', 'true');
    picture.append(stoneFills());
    this.element.style.setProperty('--ratio', String(size[0] / size[1]));
    this.element.setAttribute('aria-label', t.board.name(size));
    this.element.replaceChildren(picture);
  }

  #redraw() {
    if (!this.shown || !this.board) return;
    const { position, hasNumbers, candidates = [], notes = [], line = [], threats = [], forbidden = [], hint = null, marks = new Map() } = this.shown;
    const { place } = this.board;
    const stones = position.stones.map(({ point, color, number }) => ({ point, color, number: hasNumbers ? number : null }));
    const over = [
      ...forbidden.map(({ point }) => forbiddenMark(place, point)),
      ...threats.map(({ point, kind, whose }) => threatMark(place, point, kind, whose)),
      ...candidates.map((candidate) => candidateMark(place, candidate)),
      ...notes.filter(({ point }) => !line.some((ghost) => isSame(ghost.point, point))).map((note) => noteMark(place, note, candidates.some((one) => isSame(one.point, note.point)))),
      ...line.map((ghost) => ghostStone(place, ghost)),
      ...[...marks].map(([key, mark]) => {
        const point = pointOfKey(key);
        return editMark(place, point, mark, position.cells.get(point) === 0);
      }),
    ];
    if (hint) over.push(hintMark(place, hint));
    const aimed = this.pending ?? this.hover;
    if (aimed && this.shown.canPlay && position.isEmpty(aimed)) {
      over.push(ghostStone(place, { point: aimed, color: position.toMove, number: null }, this.pending ? 'pending' : 'hover'));
    }
    if (this.cursor) over.push(cursorMark(place, this.cursor));
    this.board.show({ stones, line: position.end?.line ?? [], over, last: position.last ? stones.length - 1 : -1 });
  }

  /** @param {Point | null} point */
  setPending(point) {
    this.pending = point;
    this.#redraw();
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    // A finger has no place before it touches.
    if (event.pointerType !== 'touch' && this.board) this.#setHover(this.board.cellUnder(event));
  }

  /** @param {Point | null} point */
  #setHover(point) {
    if (point === this.hover || (point && this.hover && isSame(point, this.hover))) return;
    this.hover = point;
    this.#redraw();
  }

  /** @param {Point | null} point */
  #setCursor(point) {
    if (this.cursor) this.lastCursor = this.cursor;
    this.cursor = point;
    this.#redraw();
    if (point) this.oncursor(this.#describe(point));
  }

  /** @param {Point} point */
  #describe(point) {
    const { position, candidates = [], notes = [], forbidden = [] } = /** @type {Shown} */ (this.shown);
    const color = position.cells.get(point);
    const words = [cellName(point, position.size), color === null ? t.board.empty : t.board.stone(color)];
    if (position.last && isSame(position.last.point, point)) words.push(t.board.last);
    const reason = forbidden.find((one) => isSame(one.point, point));
    if (reason) words.push(t.board.forbidden(reason.kind));
    const candidate = candidates.find((one) => isSame(one.point, point));
    if (candidate) words.push(candidate.label);
    const note = notes.find((one) => isSame(one.point, point));
    if (note) words.push(note.label || t.board.known);
    return words.join(', ');
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [columns, rows] = this.size;
    const direction = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    if (direction) {
      const from = this.cursor ?? this.lastCursor;
      const start = from ?? this.shown?.position.last?.point ?? /** @type {Point} */ ([Math.floor(columns / 2), Math.floor(rows / 2)]);
      // The first key shows where the cursor is.
      const [dx, dy] = this.cursor ? direction : [0, 0];
      const within = (/** @type {number} */ at, /** @type {number} */ edge) => Math.max(0, Math.min(edge - 1, at));
      this.#setCursor([within(start[0] + dx, columns), within(start[1] + dy, rows)]);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor) {
      this.onpick(this.cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Stones that are a little round. */
function stoneFills() {
  const fill = (/** @type {string} */ id, /** @type {string} */ light, /** @type {string} */ dark) => svg('radialGradient', { id, cx: 0.36, cy: 0.3, r: 0.8 },
    svg('stop', { offset: 0, 'stop-color': light }), svg('stop', { offset: 1, 'stop-color': dark }));
  return svg('defs', {}, fill('black-stone', '#565b62', '#0b0c0e'), fill('white-stone', '#ffffff', '#d9d7cf'));
}

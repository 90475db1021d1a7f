// Setting stones up, and marks on cells.

import { el } from '../shared/elements.js';
import { button, segments } from './controls.js';
import { isSame } from '../shared/board.js';
import { keyOf } from '../game/points.js';
import { t } from '../texts.js';

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {'black' | 'white' | 'erase' | import('../game/tree.js').Shape | 'letter'} Tool */

export class EditTools {
  /** @param {import('../desk.js').Desk} desk @param {() => void} onchange */
  constructor(desk, onchange) {
    this.desk = desk;
    this.onchange = onchange;
    /** @type {'setup' | 'marks' | null} */
    this.mode = null;
    /** @type {Tool} */
    this.tool = 'black';
    this.setupButton = button({ label: t.analyse.setup, icon: 'edit', pressed: false, onclick: () => this.#toggle('setup') });
    this.marksButton = button({ label: t.analyse.annotate, icon: 'plus', pressed: false, onclick: () => this.#toggle('marks') });
    this.element = el('div', { class: 'edit-tools' });
    this.element.hidden = true;
  }

  /** @param {'setup' | 'marks'} mode */
  #toggle(mode) {
    this.mode = this.mode === mode ? null : mode;
    this.tool = this.mode === 'marks' ? 'triangle' : 'black';
    this.#draw();
    this.onchange();
  }

  leave() {
    this.mode = null;
    this.#draw();
  }

  #draw() {
    const words = t.analyse;
    this.setupButton.setAttribute('aria-pressed', String(this.mode === 'setup'));
    this.marksButton.setAttribute('aria-pressed', String(this.mode === 'marks'));
    this.element.hidden = !this.mode;
    const choose = (/** @type {string} */ tool) => { this.tool = /** @type {Tool} */ (tool); };
    if (this.mode === 'setup') {
      this.element.replaceChildren(
        segments({ label: words.setup, options: Object.entries(words.tools), value: this.tool, onchange: choose }),
        segments({ label: words.toMove, options: [['0', t.colors[0]], ['1', t.colors[1]]], value: String(this.desk.position.toMove), onchange: (color) => this.#setTurn(Number(color)) }),
        el('div', { class: 'actions' }, button({ label: words.clear, icon: 'trash', onclick: () => this.#clear() }), button({ label: words.done, icon: 'check', kind: 'primary', onclick: () => this.#toggle('setup') })));
    } else if (this.mode === 'marks') {
      this.element.replaceChildren(segments({ label: words.marks, options: Object.entries(words.shapes), value: this.tool, onchange: choose }),
        el('div', { class: 'actions' }, button({ label: words.done, icon: 'check', kind: 'primary', onclick: () => this.#toggle('marks') })));
    }
  }

  update() {
    const turn = /** @type {NodeListOf<HTMLInputElement>} */ (this.element.querySelectorAll('fieldset:nth-of-type(2) input'));
    turn.forEach((input) => { input.checked = input.value === String(this.desk.position.toMove); });
  }

  /** Takes a cell; returns false if no tool is in use. @param {Point} point */
  pick(point) {
    if (this.mode === 'setup') this.#place(point);
    else if (this.mode === 'marks') this.#mark(point);
    return this.mode !== null;
  }

  /** @param {Point} point */
  #mark(point) {
    const { marks } = this.desk.node;
    const key = keyOf(point);
    const used = new Set([...marks.values()].map(({ text }) => text));
    const letter = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((one) => !used.has(one)) ?? 'Z';
    const now = marks.get(key);
    const isSameKind = this.tool === 'letter' ? now?.text !== undefined : now?.shape === this.tool;
    if (isSameKind) marks.delete(key);
    else marks.set(key, this.tool === 'letter' ? { text: letter } : { shape: /** @type {import('../game/tree.js').Shape} */ (this.tool) });
    this.desk.tell('tree');
  }

  /** What is set up belongs to a node of its own: what comes after the shown one was played on the stones as they are. */
  #node() {
    const { desk } = this;
    const { node } = desk;
    if (node.move || node.children.length > 0) desk.node = desk.game.addSetup(node);
    else node.setup ??= { black: [], white: [], empty: [], toMove: null };
    return /** @type {import('../game/tree.js').Setup} */ (desk.node.setup);
  }

  /** @param {Point} point */
  #place(point) {
    const was = this.desk.position.cells.get(point);
    const setup = this.#node();
    const without = (/** @type {Point[]} */ points) => points.filter((other) => !isSame(other, point));
    Object.assign(setup, { black: without(setup.black), white: without(setup.white), empty: without(setup.empty) });
    const color = { black: 0, white: 1 }[/** @type {string} */ (this.tool)];
    if (color === undefined || was === color) setup.empty.push(point);
    else setup[color === 0 ? 'black' : 'white'].push(point);
    this.desk.tell('tree');
  }

  /** @param {number} color */
  #setTurn(color) {
    this.#node().toMove = /** @type {0 | 1} */ (color);
    this.desk.tell('tree');
  }

  #clear() {
    const { stones } = this.desk.position;
    const setup = this.#node();
    Object.assign(setup, { black: [], white: [], empty: stones.map(({ point }) => point) });
    this.desk.tell('tree');
  }
}

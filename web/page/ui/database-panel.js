// The database beside an analysis: opening one, its moves, and changes of it.

import { el } from '../shared/elements.js';
import { button, enable, fill, select } from './controls.js';
import { valueOf } from '../analyse/database.js';
import { LONGEST_LABEL } from '../engine/database.js';
import { cellAt, cellName } from '../game/points.js';
import { t } from '../texts.js';

/** @typedef {import('../engine/database.js').KnownMove} KnownMove */
/** Units of a value in a logit of the chance to win, as engines show it. */
const UNITS_OF_LOGIT = 200;
/** The value of a win whose length nobody knows. */
const WIN = 29500;
const LONGEST_TEXT = 4000;

export class DatabasePanel {
  /**
   * @param {import('../desk.js').Desk} desk @param {import('../analyse/database.js').Database} database
   * @param {import('../analyse/analysis.js').Analysis} analysis
   * @param {{hasFolder: boolean, list: () => Promise<string[] | null>}} folder
   */
  constructor(desk, database, analysis, { hasFolder, list }) {
    this.desk = desk;
    this.database = database;
    this.analysis = analysis;
    this.hasFolder = hasFolder;
    this.list = list;
    /** What is asked before it is deleted. @type {'one' | 'all' | null} */
    this.removing = null;
    this.key = '';
    this.drawn = '';
    const words = t.database;
    this.closed = el('div', {});
    this.status = el('p', { class: 'help', role: 'status' });
    this.rows = el('tbody', {});
    const { move, label, chance, depth, text } = words.head;
    this.table = el('table', { class: 'lines known', 'aria-label': words.table },
      el('thead', {}, el('tr', {}, [move, label, chance, depth, text].map((one, i) => el('th', { class: i === 0 ? 'left' : null, scope: 'col' }, one)))), this.rows);
    this.about = el('p', { class: 'facts-line' });
    this.text = el('textarea', { rows: 3, maxlength: LONGEST_TEXT, input: () => database.write(this.text.value), blur: () => database.flush() });
    this.cell = el('input', { type: 'text', maxlength: 3, placeholder: t.board.typedHelp, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
    this.label = el('input', { type: 'text', maxlength: LONGEST_LABEL, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
    this.setButton = button({ label: words.set, onclick: () => this.#setLabel() });
    this.keepButton = button({ label: words.keep, icon: 'check', onclick: () => { const found = this.#found(); if (found) database.keep(found); } });
    this.removeButton = button({ label: words.remove, icon: 'trash', onclick: () => this.#askToRemove('one') });
    this.removeAllButton = button({ label: words.removeAll, icon: 'trash', onclick: () => this.#askToRemove('all') });
    this.confirm = el('div', { class: 'really', role: 'alert' });
    this.closeButton = button({ label: words.close, icon: 'close', onclick: () => { database.close(); this.#offer(); } });
    this.opened = el('div', {},
      this.about, this.table,
      el('label', { class: 'field wide' }, el('span', {}, words.text), this.text),
      el('div', { class: 'label-row' }, el('label', { class: 'field' }, el('span', {}, words.cell), this.cell), el('label', { class: 'field' }, el('span', {}, words.label), this.label), this.setButton),
      el('div', { class: 'actions' }, this.keepButton, this.removeButton, this.removeAllButton), this.confirm,
      el('div', { class: 'actions' }, this.closeButton));
    this.element = el('details', { class: 'database', toggle: () => { if (this.element.open && database.phase === 'closed') this.#offer(); } },
      el('summary', {}, words.heading), this.status, this.closed, this.opened);
    this.element.open = database.name !== null;
  }

  /** Offers the files of the folder. */
  async #offer() {
    const words = t.database;
    if (!this.hasFolder) {
      this.closed.replaceChildren(el('p', { class: 'help' }, words.noFolder));
      return;
    }
    const files = await this.list() ?? [];
    const name = el('input', { type: 'text', placeholder: words.createHelp, maxlength: 100, autocomplete: 'off', spellcheck: 'false' });
    const problem = el('p', { class: 'problem', role: 'alert' });
    const make = () => {
      const wanted = name.value.trim();
      if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(wanted)) this.database.open(/\.db$/i.test(wanted) ? wanted : `${wanted.replace(/\.+$/, '')}.db`);
      else problem.textContent = words.badName;
    };
    const choice = select({ label: words.file, value: files[0] ?? '', options: files.map((file) => [file, file]), onchange: () => {} });
    const chosen = /** @type {HTMLSelectElement} */ (choice.querySelector('select'));
    this.closed.replaceChildren(
      ...(files.length > 0 ? [el('div', { class: 'label-row' }, choice, button({ label: words.open, icon: 'folder', kind: 'primary', onclick: () => this.database.open(chosen.value) }))] : [el('p', { class: 'help' }, words.none)]),
      el('div', { class: 'label-row' }, el('label', { class: 'field' }, el('span', {}, words.create), name), button({ label: words.make, onclick: make })), problem);
  }

  #setLabel() {
    const point = cellAt(this.cell.value, this.desk.game.size);
    if (!point || !this.desk.position.isEmpty(point)) {
      this.cell.focus();
      this.cell.select();
      return;
    }
    this.database.label(this.label.value, point);
    this.cell.value = '';
    this.label.value = '';
  }

  /** @param {'one' | 'all'} what */
  #askToRemove(what) {
    const words = t.database;
    const end = () => { this.confirm.replaceChildren(); this.removing = null; };
    const remove = () => { this.database.remove(what === 'all'); end(); };
    const yes = button({ label: words.yes, icon: 'trash', kind: 'danger', onclick: remove });
    this.removing = what;
    this.confirm.replaceChildren(el('p', { class: 'lead' }, what === 'all' ? words.reallyAll : words.reallyOne), el('div', { class: 'actions' }, yes, button({ label: words.no, onclick: end })));
    yes.focus();
  }

  /** What the engine has found of the shown position. */
  #found() {
    const { variations, position } = this.analysis;
    return variations[0] && position?.key === this.desk.position.key ? valueOf(variations[0]) : null;
  }

  update() {
    const { database, desk } = this;
    const isClosed = database.phase === 'closed';
    const { key } = desk.position;
    this.closed.hidden = !isClosed;
    this.opened.hidden = isClosed;
    if (!isClosed) this.element.open ||= this.drawn === '';
    const status = statusOf(database);
    if (this.status.textContent !== status) this.status.textContent = status;
    this.status.classList.toggle('problem', database.problem !== '');
    if (isClosed) return;
    if (key !== this.key) {
      this.key = key;
      this.confirm.replaceChildren();
    }
    const { shown, isReadOnly } = database;
    if (this.text.value !== database.text) this.text.value = database.text;
    this.text.readOnly = isReadOnly || database.phase !== 'open';
    enable(this.setButton, !isReadOnly);
    enable(this.keepButton, !isReadOnly && this.#found() !== null);
    enable(this.removeButton, !isReadOnly && !!shown?.isKnown);
    enable(this.removeAllButton, !isReadOnly && !!shown && shown.moves.length > 0);
    if (shown) this.#drawMoves(shown);
  }

  /** @param {import('../analyse/database.js').Known} shown */
  #drawMoves(shown) {
    const words = t.database;
    const drawn = JSON.stringify(shown);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const { size } = this.desk.position;
    this.about.textContent = shown.isKnown ? words.known(factsOf(shown, this.desk.position.toMove) || shown.label || words.there) : words.unknown;
    fill(this.rows, shown.moves.length === 0 ? el('tr', {}, el('td', { class: 'left', colspan: 5 }, words.noMoves)) : []);
    this.rows.append(...shown.moves.map((move) => {
      const cell = cellName(move.point, size);
      const choose = () => this.desk.play(move.point);
      const change = () => { this.cell.value = cell; this.label.value = move.note; this.label.focus(); };
      return el('tr', {}, el('td', { class: 'left' }, el('button', { type: 'button', class: 'cell', 'aria-label': words.play(cell), click: choose }, cell)),
        el('td', {}, el('button', { type: 'button', class: 'cell', 'aria-label': `${words.label} ${cell}: ${labelOf(move)}`, click: change }, labelOf(move) || '·')),
        el('td', {}, chanceOf(move)), el('td', {}, move.depth > 0 ? String(move.depth) : ''), el('td', {}, move.hasText ? el('span', { role: 'img', 'aria-label': words.hasText, title: words.hasText }, '✎') : ''));
    }));
  }
}

/** @param {import('../analyse/database.js').Database} database */
function statusOf({ name, phase, problem, isSaved, isReadOnly, client }) {
  const words = t.database;
  if (name === null) return '';
  const detail = problem === 'silent' ? words.silent : problem;
  if (phase === 'closed') return `${words.failed(name)} ${detail}`;
  if (phase === 'opening') return words.opening;
  const state = isReadOnly ? words.readOnly : isSaved ? words.saved : client.isReady ? words.saving : words.notSaved;
  return [`${name}: ${state}`, detail].filter(Boolean).join(' ');
}

/** What stands on the cell of a move. @param {KnownMove} move */
export const labelOf = ({ note, label }) => note || label;

/** The chance of the side that makes the move, or its win. @param {{value: number, depth: number}} move */
function chanceOf({ value, depth }, played = 1) {
  const words = t.database;
  if (Math.abs(value) > WIN) return value < 0 ? words.wins(30000 + value + played) : words.loses(30000 - value + played);
  return depth > 0 || value !== 0 ? `${(100 / (1 + Math.exp(value / UNITS_OF_LOGIT))).toFixed(0)} %` : '';
}

/** @param {{value: number, depth: number}} position @param {0 | 1} toMove */
function factsOf({ value, depth }, toMove) {
  const chance = chanceOf({ value: -value, depth }, 0);
  return [chance && t.analyse.chanceOf(toMove, chance), depth > 0 ? `${t.database.head.depth.toLowerCase()} ${depth}` : ''].filter(Boolean).join(' · ');
}

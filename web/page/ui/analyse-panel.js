// The panel beside the board while one analyses.

import { el, grouped } from '../shared/elements.js';
import { button, enable, fill, slider, toggle } from './controls.js';
import { EditTools } from './edit-tools.js';
import { MoveTree } from './move-tree.js';
import { proofBox } from './proof-box.js';
import { shortScore, worthOf } from '../analyse/analysis.js';
import { cellName } from '../game/points.js';
import { t } from '../texts.js';

/** @typedef {import('../engine/replies.js').Variation} Variation */

export class AnalysePanel {
  /**
   * @param {import('../desk.js').Desk} desk @param {import('../analyse/analysis.js').Analysis} analysis
   * @param {import('../analyse/proof.js').Proof} proof
   * @param {{preview: (variation: Variation | null) => void, changed: () => void, seek: () => void}} actions
   * @param {import('./database-panel.js').DatabasePanel | null} databasePanel of an engine that has one
   */
  constructor(desk, analysis, proof, actions, databasePanel) {
    this.desk = desk;
    this.analysis = analysis;
    this.proof = proof;
    this.actions = actions;
    this.databasePanel = databasePanel;
    this.tree = new MoveTree(desk);
    this.edit = new EditTools(desk, actions.changed);
    const words = t.analyse;
    this.engine = toggle({ label: words.engine, value: false, onchange: (isOn) => analysis.set(isOn) });
    this.lines = slider({ label: words.lines, min: 1, max: 10, value: analysis.best, words: String, onchange: (best) => analysis.setBest(best) });
    this.facts = el('p', { class: 'facts-line' });
    this.rows = el('tbody', {});
    this.table = el('table', { class: 'lines', 'aria-label': words.tableName },
      el('thead', {}, el('tr', {}, el('th', { class: 'left', scope: 'col' }, words.head.move), el('th', { scope: 'col' }, words.head.chance), el('th', { scope: 'col' }, words.depth), el('th', { class: 'left line', scope: 'col' }, words.head.line))),
      this.rows);
    this.proofBox = el('div', {});
    this.proveButton = button({ label: words.prove, icon: 'trophy', onclick: actions.seek });
    this.comment = el('textarea', { rows: 2, input: () => { desk.node.comment = this.comment.value; desk.tell('tree'); } });
    this.promote = button({ label: words.promote, icon: 'up', onclick: () => { desk.game.promote(desk.node); desk.tell('tree'); } });
    this.remove = button({ label: words.remove, icon: 'trash', onclick: () => desk.remove(desk.node) });
    this.empty = el('p', { class: 'help' }, words.empty);
    this.element = el('div', { class: 'analysing' },
      el('div', { class: 'engine-row' }, this.engine, this.lines), this.facts, el('div', { class: 'table-box' }, this.table), this.proofBox,
      el('div', { class: 'actions' }, this.proveButton, this.edit.setupButton, this.edit.marksButton), this.edit.element,
      this.tree.element, this.empty,
      el('div', { class: 'actions' }, this.promote, this.remove),
      el('label', { class: 'field wide' }, el('span', {}, words.comment), this.comment), databasePanel?.element ?? '');
    /** @type {string} */
    this.drawnLines = '';
  }

  /** @param {boolean} isTreeNew @param {unknown} _shown */
  update(isTreeNew, _shown) {
    const { desk, analysis } = this;
    const input = /** @type {HTMLInputElement} */ (this.engine.querySelector('input'));
    input.checked = analysis.isOn;
    this.#drawFacts();
    this.#drawTable();
    /** @type {HTMLElement} */ (this.table.parentElement).hidden = !analysis.isOn || this.proof.isOpen;
    this.facts.hidden = this.proof.isOpen;
    fill(this.proofBox, this.proof.isOpen ? proofBox(this.proof, desk) : null);
    this.proveButton.hidden = this.proof.isOpen;
    enable(this.proveButton, !desk.position.end);
    if (isTreeNew) this.tree.draw();
    else this.tree.mark();
    this.empty.hidden = desk.game.root.children.length > 0;
    const siblings = desk.game.path(desk.node).some((node) => node.parent && node.parent.children[0] !== node);
    enable(this.promote, siblings);
    enable(this.remove, !!desk.node.parent);
    if (this.comment.value !== desk.node.comment) this.comment.value = desk.node.comment;
    this.edit.update();
    this.databasePanel?.update();
  }

  #drawFacts() {
    const { analysis, desk } = this;
    const [best] = analysis.variations;
    const words = t.analyse;
    const text = analysis.problem === 'unknown' ? words.unsupported : analysis.problem ?? (desk.position.end ? words.over
      : best ? `${words.depth} ${best.depth}–${best.deepest} · ${grouped(best.nodes)} ${words.nodes.toLowerCase()} · ${grouped(Math.round(best.speed / 1000))} k/s`
        : analysis.isOn ? words.wait : words.idle);
    if (this.facts.textContent !== text) this.facts.textContent = text;
  }

  #drawTable() {
    const { analysis, desk } = this;
    const { variations } = analysis;
    const shown = JSON.stringify([variations.map(({ moves, score, chance, depth }) => [moves, score, chance, depth]), desk.position.key]);
    if (shown === this.drawnLines) return;
    this.drawnLines = shown;
    const { size } = desk.position;
    const at = /** @type {HTMLElement[]} */ ([...this.rows.querySelectorAll('button')]).indexOf(/** @type {HTMLElement} */ (document.activeElement));
    this.rows.replaceChildren(...variations.map((variation) => {
      const [first, ...rest] = variation.moves;
      const cell = cellName(first, size);
      const preview = () => this.actions.preview(variation);
      const end = () => this.actions.preview(null);
      return el('tr', { class: worthOf(variation, variations[0]), pointerenter: preview, pointerleave: end, focusin: preview, focusout: end },
        el('td', { class: 'left' }, el('button', { type: 'button', class: 'cell', 'aria-label': t.analyse.playLine(cell), click: () => { end(); desk.play(first); } }, cell)),
        el('td', {}, chanceWords(variation)), el('td', {}, `${variation.depth}`),
        el('td', { class: 'left line' }, rest.slice(0, 12).map((point) => cellName(point, size)).join(' ')));
    }));
    if (at >= 0) this.rows.querySelectorAll('button')[at]?.focus();
    this.table.hidden = variations.length === 0;
  }
}

/** @param {Variation} variation */
export function chanceWords(variation) {
  const { mate, chance } = variation;
  if (mate !== null) return mate > 0 ? t.analyse.winIn(mate) : t.analyse.lossIn(-mate);
  return chance === null ? shortScore(variation) : `${(100 * chance).toFixed(1)} %`;
}

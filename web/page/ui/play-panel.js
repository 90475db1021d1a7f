// The panel beside the board while one plays.

import { el } from '../shared/elements.js';
import { button, enable, fill } from './controls.js';
import { newGameForm } from './new-game.js';
import { MoveTree } from './move-tree.js';
import { cellName } from '../game/points.js';
import { t } from '../texts.js';

/** @typedef {import('../play/match.js').Match} Match */
/** @typedef {import('../play/match.js').Result} Result */
/** @typedef {{hint: () => void, win: () => void, review: () => void, toggleThreats: () => void, begin: (settings: import('../play/match.js').MatchSettings) => void}} Actions */

export class PlayPanel {
  /** @param {import('../desk.js').Desk} desk @param {Match} match @param {Actions} actions */
  constructor(desk, match, actions) {
    this.desk = desk;
    this.match = match;
    this.actions = actions;
    this.isAsking = false;
    this.isChoosing = !match.isOn;
    /** Whether the form leads back to a game. */
    this.hasBack = false;
    this.tree = new MoveTree(desk);
    this.status = el('div', { class: 'status', tabindex: -1 });
    this.form = el('div', {});
    const words = t.play;
    this.takeBack = button({ label: words.takeBack, icon: 'back', onclick: () => match.takeBack() });
    this.hint = button({ label: words.hint, icon: 'bulb', onclick: actions.hint });
    this.threats = button({ label: words.threats, icon: 'eye', pressed: false, onclick: actions.toggleThreats });
    this.win = button({ label: words.win, icon: 'trophy', onclick: actions.win });
    this.resign = button({ label: words.resign, icon: 'flag', onclick: () => { this.isAsking = true; this.update(); this.status.querySelector('button')?.focus(); } });
    this.again = button({ label: words.again, icon: 'plus', onclick: () => this.choose() });
    this.legend = el('p', { class: 'help' }, words.legend);
    this.actionRow = el('div', { class: 'action-grid' }, this.takeBack, this.hint, this.threats, this.win, this.resign, this.again);
    this.game = el('div', { class: 'playing' }, this.status, this.actionRow, this.legend, this.tree.element);
    this.element = el('div', {}, this.form, this.game);
  }

  /** Shows the form for a new game. */
  choose() {
    this.isChoosing = true;
    this.#drawForm();
    this.update();
    this.form.querySelector('input')?.focus();
  }

  #drawForm() {
    const begin = (/** @type {import('../play/match.js').MatchSettings} */ settings) => {
      this.isChoosing = false;
      this.isAsking = false;
      this.actions.begin(settings);
      window.scrollTo({ top: 0 });
    };
    const back = () => {
      this.isChoosing = false;
      this.update();
      this.again.focus();
    };
    this.hasBack = this.match.isOn;
    this.form.replaceChildren(newGameForm(this.match.settings, this.match.opponent, begin, this.match.isOn ? back : null));
  }

  /** @param {boolean} [isTreeNew] @param {{threats: boolean, message: string}} [shown] */
  update(isTreeNew = true, shown = { threats: this.threats.getAttribute('aria-pressed') === 'true', message: '' }) {
    const { match } = this;
    const isForm = this.isChoosing || !match.isOn;
    if (isForm && (!this.form.firstChild || this.hasBack !== match.isOn)) this.#drawForm();
    this.form.hidden = !isForm;
    document.body.dataset.choosing = String(isForm);
    this.game.hidden = isForm;
    const { result, task } = match;
    enable(this.takeBack, match.canTakeBack);
    enable(this.hint, match.isPersonsTurn && !task);
    enable(this.win, match.isOn && !task);
    enable(this.resign, match.isOn && !result && !task);
    this.resign.hidden = !!result;
    this.threats.setAttribute('aria-pressed', String(shown.threats));
    this.legend.hidden = !shown.threats;
    const hadFocus = this.status.contains(document.activeElement);
    fill(this.status, ...this.#status(shown.message));
    // What was chosen there may be gone.
    if (hadFocus && !this.status.contains(document.activeElement)) (this.status.querySelector('button') ?? this.status).focus();
    if (isTreeNew) this.tree.draw();
    else this.tree.mark();
  }

  /** @param {string} message @returns {(HTMLElement | null)[]} */
  #status(message) {
    const { match, desk } = this;
    const { result, task } = match;
    const line = (/** @type {string} */ words, kind = '') => el('p', { class: `lead ${kind}`.trim() }, words);
    if (this.isAsking && !result) {
      return [line(t.play.reallyResign), el('div', { class: 'actions' },
        button({ label: t.play.yes, kind: 'danger', onclick: () => { this.isAsking = false; match.resign(); } }),
        button({ label: t.play.no, onclick: () => { this.isAsking = false; this.update(); this.resign.focus(); } }))];
    }
    if (result) return [resultWords(result), el('div', { class: 'actions' }, button({ label: t.results.review, icon: 'chart', kind: 'primary', onclick: this.actions.review }))];
    if (desk.node !== match.tip) {
      return [line(t.play.elsewhere), el('div', { class: 'actions' }, button({ label: t.play.back, onclick: () => desk.goTo(match.tip) }))];
    }
    if (match.thinking) return [line(t.play.thinking(match.opponent.name), 'busy')];
    if (match.isStuck) {
      return [line(t.engine.silent), el('div', { class: 'actions' }, button({ label: t.engine.again, kind: 'primary', onclick: () => match.resume() }))];
    }
    const color = desk.position.toMove;
    if (task) return this.#taskStatus(task, color, line);
    return [line(message || (match.personColor === null ? t.play.turn(color) : t.play.yourTurn(color)))];
  }

  /** @param {import('../play/openings.js').Task} task @param {0 | 1} color @param {(words: string) => HTMLElement} line @returns {HTMLElement[]} */
  #taskStatus(task, color, line) {
    const { match } = this;
    const words = t.play;
    const own = match.personColor === null || match.opening.rule === 'swap2' ? [] : [el('p', { class: 'help' }, words.nowYou(match.personColor))];
    const choices = (/** @type {string[]} */ options, /** @type {Record<string, string>} */ labels) => el('div', { class: 'actions' },
      options.map((option) => button({ label: labels[option] ?? option, onclick: () => match.choose(option) })));
    switch (task.kind) {
      case 'choice': return [line(words.choose), ...own, choices(task.options, words.options)];
      case 'number': return [line(words.number), ...own, choices(Array.from({ length: task.most }, (_, i) => String(i + 1)), {})];
      case 'offer': {
        const done = button({ label: words.offerThem, icon: 'check', kind: 'primary', onclick: () => match.offer() });
        enable(done, match.draft.length === task.count);
        return [line(words.offer(match.draft.length, task.count)), el('div', { class: 'actions' }, done)];
      }
      case 'pick': return [line(words.pick), ...own];
      default: return [line(words.place(task.left, color) + zoneWords(task)), ...own];
    }
  }
}

/** Where a stone of the opening has to be. @param {{within: number | null, beyond: number | null}} zone */
const zoneWords = ({ within, beyond }) => (within !== null ? t.play.zones.within(2 * within + 1) : beyond !== null ? t.play.zones.beyond(2 * beyond + 1) : '');

/** @param {Result} result */
export function resultText({ winner, reason, kind }) {
  if (winner === null) return `${t.results.draw}: ${t.results.full}`;
  const loser = /** @type {0 | 1} */ (1 - winner);
  const why = { five: t.results.five, full: t.results.full, resigned: t.results.resigned(loser), time: t.results.time(loser), forbidden: t.results.forbidden(kind ?? '') }[reason];
  return `${t.results.wins(winner)}: ${why}`;
}

/** @param {Result} result */
const resultWords = (result) => el('p', { class: 'lead result' }, resultText(result));

/** @param {Match} match @param {import('../game/points.js').Point} point @param {import('../game/points.js').Size} size */
export const movedWords = (match, point, size) => t.play.moved(match.opponent.name, cellName(point, size));

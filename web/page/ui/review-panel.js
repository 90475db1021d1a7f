// The panel beside the board while one reviews a game.

import { el, fixed } from '../shared/elements.js';
import { button, fill, select } from './controls.js';
import { MoveTree } from './move-tree.js';
import { chart } from './chart.js';
import { cellName } from '../game/points.js';
import { CLASSES, isFault } from '../review/judgement.js';
import { t } from '../texts.js';

export class ReviewPanel {
  /**
   * @param {import('../desk.js').Desk} desk @param {import('../review/review.js').Review} review
   * @param {{open: (text: string) => void, chooseFile: () => void, preview: (shows: boolean) => void, say: (words: string) => void}} actions
   */
  constructor(desk, review, actions) {
    this.desk = desk;
    this.review = review;
    this.actions = actions;
    this.tree = new MoveTree(desk);
    /** The move whose better line is on the board. @type {import('../game/tree.js').GameNode | null} */
    this.shown = null;
    const words = t.review;
    this.paste = el('textarea', { rows: 3, placeholder: words.pasteHelp });
    const load = button({ label: words.load, onclick: () => actions.open(this.paste.value) });
    this.current = el('p', {});
    this.begin = button({ label: words.begin, icon: 'chart', kind: 'primary', onclick: () => review.begin() });
    this.problem = el('p', { class: 'problem', role: 'alert' });
    const quality = select({ label: words.quality, value: String(review.nodes), options: Object.entries(words.qualities), onchange: (nodes) => { review.nodes = Number(nodes); } });
    this.intake = el('div', { class: 'intake' }, el('h2', {}, words.heading),
      el('div', { class: 'drop' }, el('p', {}, words.drop), button({ label: words.choose, icon: 'folder', onclick: actions.chooseFile })),
      el('label', { class: 'field wide' }, el('span', {}, words.paste), this.paste), el('div', { class: 'actions' }, load),
      el('div', { class: 'card ready' }, this.current, quality, el('div', { class: 'actions' }, this.begin)), this.problem);
    this.bar = el('progress', { max: 1, value: 0, 'aria-label': words.progress });
    this.running = el('div', { class: 'running' }, el('p', { class: 'help' }), this.bar, button({ label: words.stop, icon: 'stop', onclick: () => review.stop() }));
    this.chart = el('div', { class: 'chart-box' });
    this.sides = el('div', { class: 'sides' });
    this.judged = el('div', { class: 'judged', 'aria-live': 'polite' });
    this.nextFault = button({ label: words.nextFault, icon: 'next', kind: 'primary', onclick: () => this.#toNextFault() });
    this.other = button({ label: words.other, icon: 'folder', onclick: () => review.forget() });
    this.result = el('div', { class: 'reviewed' }, this.running, this.chart, this.sides, this.judged,
      el('div', { class: 'actions' }, this.nextFault, this.other), this.tree.element);
    this.element = el('div', {}, this.intake, this.result);
  }

  /** @param {boolean} isTreeNew @param {unknown} _shown */
  update(isTreeNew, _shown) {
    const { desk, review } = this;
    if (this.shown !== desk.node) this.shown = null;
    const isIntake = review.state === 'none';
    this.intake.hidden = !isIntake;
    this.result.hidden = isIntake;
    const moves = desk.game.mainLine.length - 1;
    this.current.textContent = t.review.current(moves);
    this.begin.disabled = moves === 0;
    const { problem } = review;
    this.problem.textContent = problem === null ? '' : t.review.problems[/** @type {keyof typeof t.review.problems} */ (problem)] ?? problem;
    if (isIntake) return;
    this.running.hidden = review.state !== 'running';
    const [done, all] = review.progress;
    this.bar.max = all;
    this.bar.value = done;
    /** @type {HTMLElement} */ (this.running.firstChild).textContent = t.review.running(done, all);
    const at = desk.game.path(desk.node).filter((node) => review.covers(node)).length - 1;
    fill(this.chart, chart({ black: review.black, at, faults: review.line.map(({ review: judged }) => !!judged && isFault(judged.kind)), onpick: (ply) => desk.goTo(review.line[ply]) }));
    fill(this.sides, ...this.#sides());
    fill(this.judged, ...this.#judged());
    this.nextFault.hidden = review.state === 'running';
    if (isTreeNew) this.tree.draw();
    else this.tree.mark();
  }

  /** A table of what each side did. */
  #sides() {
    const { review, desk } = this;
    const kinds = CLASSES.filter(isFault);
    const counts = kinds.map((kind) => [0, 1].map((color) => review.line.filter((node) => node.review?.kind === kind && node.move?.color === color).length));
    const accuracy = review.accuracy.map((one) => (one === null ? '–' : `${fixed(100 * one, 0)} %`));
    const names = [desk.game.info.PB, desk.game.info.PW].map((name, color) => name || t.colors[color]);
    return [el('table', {}, el('thead', {}, el('tr', {}, el('td', {}), names.map((name, color) => el('th', { scope: 'col' }, el('span', { class: `stone ${['black', 'white'][color]}` }), el('bdi', {}, name))))),
      el('tbody', {},
        el('tr', {}, el('th', { scope: 'row', class: 'left' }, t.review.accuracy), accuracy.map((one) => el('td', {}, one))),
        kinds.map((kind, i) => el('tr', { class: kind }, el('th', { scope: 'row', class: 'left' }, t.review.classes[kind]), counts[i].map((number) => el('td', {}, number))))))];
  }

  /** What is said about the shown move. */
  #judged() {
    const { desk, review } = this;
    const { node } = desk;
    if (review.judging === node) return [el('p', { class: 'lead busy' }, t.review.judging)];
    const judged = node.review;
    if (!judged || !node.move?.point) return [el('p', { class: 'help' }, review.turning === null ? t.review.start : `${t.review.turning(review.turning)}. ${t.review.start}`)];
    const { size } = desk.game;
    const percent = (/** @type {number} */ share) => fixed(100 * share, 0);
    const isBest = !judged.best || cellName(judged.best, size) === cellName(node.move.point, size);
    const preview = button({ label: t.review.showBetter, icon: 'eye', pressed: this.shown === node, onclick: () => {
      this.shown = this.shown === node ? null : node;
      this.actions.preview(this.shown !== null);
    } });
    return [
      el('p', { class: `lead class-${judged.kind}` }, t.review.judged(`${node.ply}. ${cellName(node.move.point, size)}`, t.review.classes[judged.kind])),
      el('p', {}, t.review.chances(percent(judged.before), percent(judged.after))),
      ...judged.why.map((words) => el('p', { class: 'why' }, sentence(words))),
      ...(isBest || !judged.best ? [] : [
        el('p', {}, t.review.better(cellName(judged.best, size)), judged.better.length > 0 ? `: ${judged.better.join('; ')}` : ''),
        el('p', { class: 'help' }, judged.line.slice(0, 10).map((point) => cellName(point, size)).join(' ')),
        el('div', { class: 'actions' }, preview)]),
    ];
  }

  #toNextFault() {
    const { review, desk } = this;
    const next = review.line.find((node) => node.ply > desk.node.ply && node.review && isFault(node.review.kind));
    if (next) desk.goTo(next);
    else this.actions.say(t.review.noFault);
  }
}

/** @param {string} words */
const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;

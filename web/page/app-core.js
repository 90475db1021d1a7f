// The modes of the page and the desk between them: what is shown on the board, and who is told of what.

import { Analysis } from './analyse/analysis.js';
import { Database } from './analyse/database.js';
import { Proof } from './analyse/proof.js';
import { Desk } from './desk.js';
import { EngineClient } from './engine/client.js';
import { LEVELS, bestQuestion, moveQuestion } from './engine/questions.js';
import { bareVariation } from './engine/replies.js';
import { announce, makeFrame } from './frame.js';
import { cellAt, cellName } from './game/points.js';
import { isSame } from './shared/board.js';
import { Keeper } from './keeper.js';
import { Match } from './play/match.js';
import { Files } from './files.js';
import { keepPreferences, mustConfirm, setTheme, threadsOf } from './preferences.js';
import { Review } from './review/review.js';
import { AnalysePanel } from './ui/analyse-panel.js';
import { BoardView } from './ui/board-view.js';
import { enable, icon } from './ui/controls.js';
import { DatabasePanel } from './ui/database-panel.js';
import { gamesDialog, openDialog, settingsDialog, shareDialog } from './ui/dialogs.js';
import { PlayPanel, movedWords, resultText } from './ui/play-panel.js';
import { ReviewPanel } from './ui/review-panel.js';
import { shownOn } from './ui/shown.js';
import { drawChances, drawStrips } from './ui/strips.js';
import { t } from './texts.js';

/** @typedef {import('./game/points.js').Point} Point */
/** @typedef {import('./frame.js').Mode} Mode */
/** @typedef {import('./engine/replies.js').Variation} Variation */
/** @typedef {import('./ui/dialogs.js').Preferences} Preferences */

/** An engine for a page that has none: nothing answers. */
const SILENT = { send: () => {}, online: () => {}, onstate: () => {}, close: () => {} };
const HINT_MS = 1000;

export class App {
  /** @param {{engine: import('./engine/socket-engine.js').Engine | null, info: import('./engine/connect.js').Info | null, key: string | null, preferences: Preferences}} parts */
  constructor({ engine, info, key, preferences }) {
    this.info = info;
    this.preferences = preferences;
    /** @type {Mode} */
    this.mode = 'play';
    this.desk = new Desk();
    this.client = new EngineClient(engine ?? SILENT);
    this.match = new Match(this.desk, this.client);
    this.analysis = new Analysis(this.desk, this.client);
    this.proof = new Proof(this.desk, this.client);
    this.review = new Review(this.desk, this.client);
    this.database = new Database(this.desk, this.client);
    const chosen = info?.engines.find(({ id }) => id === preferences.engine) ?? info?.engines[0];
    if (chosen) this.match.opponent = chosen;
    // Engines of others, and those of pages without a server, have none that this page knows.
    this.hasDatabase = !!chosen?.levels;
    this.keeper = new Keeper(this);
    this.files = new Files({ key, hasFolder: !!info?.files, settings: () => this.desk.game, take: (games) => this.take(games), fail: (words) => this.notify(words) });
    /** A line that is shown on the board for a moment. @type {Variation | null} */
    this.preview = null;
    this.showsThreats = false;
    /** @type {Point | null} */
    this.hint = null;
    this.message = '';
    /** What was last said of the engine. */
    this.engineWords = '';
    this.isTreeNew = true;
    this.isDue = false;
    this.board = new BoardView({ onpick: (point) => this.pick(point), oncursor: (words) => this.say(words) });
    this.playPanel = new PlayPanel(this.desk, this.match, {
      hint: () => this.giveHint(), win: () => this.showWin(), toggleThreats: () => { this.showsThreats = !this.showsThreats; this.due(); },
      review: () => { this.setMode('review'); this.review.begin(); }, begin: (settings) => { this.review.forget(); this.match.begin(settings); this.board.element.focus({ preventScroll: true }); },
    });
    this.analysePanel = new AnalysePanel(this.desk, this.analysis, this.proof, {
      preview: (variation) => { this.preview = variation; this.due(); }, changed: () => this.due(), seek: () => this.seek(),
    }, this.hasDatabase ? new DatabasePanel(this.desk, this.database, this.analysis, { hasFolder: !!info?.files, list: () => this.files.list(/\.db$/i) }) : null);
    this.reviewPanel = new ReviewPanel(this.desk, this.review, {
      open: (text) => this.files.openText(text), chooseFile: () => this.files.choose(),
      preview: (shows) => { this.preview = shows ? this.#betterLine() : null; this.due(); }, say: (words) => this.say(words),
    });
    this.frame = makeFrame({
      board: this.board.element, panels: { play: this.playPanel.element, analyse: this.analysePanel.element, review: this.reviewPanel.element },
      onmode: (mode) => this.setMode(mode), onopen: () => this.open(), onshare: () => this.share(), onsettings: () => settingsDialog(preferences, info, this.cores, (now) => this.setPreferences(now)),
      onwalk: (where) => this.walk(where), ontyped: (cell) => this.#typed(cell), onconfirm: () => { if (this.board.pending) this.#play(this.board.pending); }, oncancel: () => this.#setPending(null),
    });
  }

  start() {
    this.desk.listen((change) => this.#changed(change));
    this.client.onstate = (state) => this.#engineState(state);
    this.match.onchange = () => { this.keeper.due(); this.due(); };
    this.match.onevent = (what, detail) => this.#matchEvent(what, detail);
    this.analysis.onchange = () => this.due();
    this.analysis.isHeld = () => this.proof.isOpen;
    this.proof.onchange = () => { this.#proofChanged(); this.due(); };
    this.database.onchange = () => this.due();
    this.review.onchange = () => { this.isTreeNew = true; this.due(); };
    this.files.listenForDrops();
    document.addEventListener('keydown', (event) => this.#key(event));
    window.addEventListener('hashchange', () => this.keeper.followLink());
    window.addEventListener('beforeunload', (event) => {
      this.database.flush();
      if (!this.database.isHeard) event.preventDefault();
    });
    window.addEventListener('pagehide', () => {
      this.keeper.keep();
      // The engine lives on for a while, and would think for nobody, and keep a file from others.
      this.analysis.stop();
      this.database.show(false);
    });
    window.addEventListener('pageshow', (event) => {
      if (!event.persisted || this.mode !== 'analyse') return;
      this.analysis.restart();
      this.database.show(true);
    });
    setInterval(() => { this.match.checkClock(); if (this.match.clock.running && this.mode === 'play') drawStrips(this); }, 200);
    this.#applySettings();
    this.keeper.restore();
    this.due();
  }

  /** @param {import('./engine/socket-engine.js').EngineState} state */
  #engineState({ state, reason, isFinal }) {
    if (state === 'gone' && reason !== 'stopped') {
      this.engineWords = isFinal ? `${t.engine.lost} ${reason ?? ''}` : t.engine.gone;
      this.notify(this.engineWords);
    }
    // What else is said there meanwhile stays.
    if (this.client.isReady) this.database.restart();
    if (this.client.isReady && this.frame.notice.textContent === this.engineWords) this.notify('');
    this.due();
  }

  /** @param {import('./desk.js').Change} change */
  #changed(change) {
    if (change !== 'node') this.isTreeNew = true;
    // A move that was played on the board may be new.
    this.isTreeNew ||= !this.#panel().tree.buttons.has(this.desk.node);
    this.hint = null;
    this.message = '';
    this.preview = null;
    this.board.pending = null;
    if (change === 'game' || (change === 'tree' && !this.review.isWhole)) this.review.forget();
    // A proof is about one position, and its attack about one game.
    if (change === 'game' || this.proof.isElsewhere) this.proof.leave();
    if (this.mode === 'analyse') this.analysis.restart();
    if (this.mode === 'analyse') this.database.follow();
    this.keeper.due();
    this.due();
  }

  #panel() {
    return { play: this.playPanel, analyse: this.analysePanel, review: this.reviewPanel }[this.mode];
  }

  /** Draws everything in the next frame. */
  due() {
    if (this.isDue) return;
    this.isDue = true;
    // A page in the background has no frames, but its texts go on.
    const draw = () => {
      if (!this.isDue) return;
      this.isDue = false;
      this.draw();
    };
    requestAnimationFrame(draw);
    setTimeout(draw, 200);
  }

  draw() {
    for (const [mode, panel] of Object.entries({ play: this.playPanel, analyse: this.analysePanel, review: this.reviewPanel })) {
      const isShown = mode === this.mode;
      panel.element.hidden = !isShown;
      const tab = this.frame.tabs[mode];
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    document.body.dataset.mode = this.mode;
    const { isTreeNew } = this;
    this.isTreeNew = false;
    this.#panel().update(isTreeNew, { threats: this.showsThreats, message: this.message });
    this.drawBoard();
    drawStrips(this);
    drawChances(this);
    const { pending } = this.board;
    this.frame.confirm.hidden = !pending;
    if (pending) this.frame.yes.replaceChildren(icon('check'), t.board.confirm(cellName(pending, this.desk.game.size)));
    const walk = document.querySelectorAll('.walk button');
    walk.forEach((one, i) => enable(/** @type {HTMLButtonElement} */ (one), i < 2 ? !!this.desk.node.parent : this.desk.node.children.length > 0));
  }

  drawBoard() {
    this.board.draw(shownOn(this));
  }

  /** The line that was better than the shown move. @returns {Variation | null} */
  #betterLine() {
    const judged = this.desk.node.review;
    return judged ? bareVariation(judged.line) : null;
  }

  /** A cell was clicked, touched, or chosen by the keyboard. @param {Point} point */
  pick(point) {
    if (this.mode === 'analyse' && this.analysePanel.edit.pick(point)) return;
    const { pending } = this.board;
    const isKeyboard = this.board.cursor !== null;
    if (mustConfirm(this.preferences.confirm) && !isKeyboard && !(pending && isSame(pending, point)) && !this.#refusal(point)) {
      this.#setPending(point);
      return;
    }
    this.#play(point);
  }

  /** @param {Point | null} point */
  #setPending(point) {
    this.board.setPending(point);
    this.due();
  }

  /** Why a cell can't be played now, in words, or null. @param {Point} point */
  #refusal(point) {
    const { position, game } = this.desk;
    if (position.end || (this.mode === 'play' && this.match.result)) return t.refusals.over;
    const refusal = this.mode === 'play' ? this.match.refusal(point)
      : !position.isEmpty(point) ? { what: 'occupied' } : position.violation(point) ? { what: 'forbidden', kind: position.violation(point) ?? '' } : null;
    if (!refusal) return null;
    const { what, kind } = /** @type {{what: string, kind?: string}} */ (refusal);
    if (what === 'forbidden') return t.refusals.forbidden(cellName(point, game.size), kind ?? '');
    return t.refusals[/** @type {'occupied' | 'notYourTurn' | 'beside' | 'agreed' | 'choose' | 'zone' | 'notOffered' | 'equivalent'} */ (what)];
  }

  /** @param {Point} point */
  #play(point) {
    this.#setPending(null);
    const refusal = this.#refusal(point);
    if (refusal) {
      this.notify(refusal, true);
      return;
    }
    if (this.mode === 'play' && this.match.isOn) {
      this.match.play(point);
    } else if (this.mode === 'analyse' && this.proof.isDefendersTurn) {
      this.proof.defend(point);
    } else if (this.mode === 'play') {
      this.notify(t.play.heading, true);
    } else {
      if (this.proof.isOpen) this.proof.leave();
      const node = this.desk.play(point);
      if (this.mode === 'review' && this.review.state !== 'none' && !this.review.covers(node)) this.review.judge(node);
    }
  }

  /** @param {string} text */
  #typed(text) {
    const point = cellAt(text, this.desk.game.size);
    if (point) this.#play(point);
    else this.notify(t.refusals.cell, true);
  }

  /** @param {Mode} mode */
  setMode(mode) {
    if (mode === this.mode) return;
    this.mode = mode;
    this.preview = null;
    this.hint = null;
    this.message = '';
    this.analysePanel.edit.leave();
    this.database.show(mode === 'analyse');
    if (mode !== 'analyse') {
      this.proof.leave();
      this.analysis.stop();
    }
    if (mode !== 'review') this.review.stop();
    if (mode !== 'play') this.match.pause();
    if (mode === 'play') {
      this.match.findTip();
      if (this.match.isOn) this.desk.goTo(this.match.tip);
      this.match.resume();
    } else if (mode === 'analyse' && this.analysis.isOn) {
      this.analysis.restart();
    }
    this.isTreeNew = true;
    this.keeper.due();
    this.due();
  }

  async giveHint() {
    const { desk, match } = this;
    const { node, position } = desk;
    if (!match.isPersonsTurn) return;
    this.message = t.play.seeking;
    this.due();
    /** @type {Variation | null} */
    let best = null;
    let answer = await this.client.ask(bestQuestion(position, { best: 1, ms: HINT_MS, onVariation: (variation) => { best = variation; } })).answer;
    // Engines that tell no chances can still move.
    if (answer.kind === 'unknown') answer = await this.client.ask(moveQuestion(position, { level: LEVELS, turnMs: HINT_MS, leftMs: null })).answer;
    if (desk.node !== node) return;
    if (answer.kind !== 'moves') {
      this.message = '';
      if (answer.kind !== 'dropped') this.notify(t.engine.failed(answer.kind === 'error' ? answer.text : answer.kind));
      this.due();
      return;
    }
    const found = /** @type {Variation | null} */ (best);
    this.hint = answer.points[0];
    const chance = found?.chance ?? null;
    this.message = t.play.hinted(cellName(this.hint, desk.game.size), chance === null ? '' : String(Math.round(100 * chance)));
    this.say(this.message);
    this.due();
  }

  showWin() {
    this.setMode('analyse');
    this.seek();
  }

  seek() {
    this.analysis.stop();
    this.proof.seek();
  }

  #proofChanged() {
    const { phase } = this.proof;
    if (phase === 'none' || phase === 'unknown' || phase === 'won') this.say(t.proof[phase]);
    if (phase === null && this.mode === 'analyse') this.analysis.restart();
  }

  /** @param {string} what @param {any} detail */
  #matchEvent(what, detail) {
    if (what === 'end') this.say(resultText(detail));
    else if (what === 'moved') this.say(movedWords(this.match, detail, this.desk.game.size));
    else if (what === 'chosen') this.notify(`${this.match.opponent.name} ${t.play.chosen[/** @type {keyof typeof t.play.chosen} */ (detail)] ?? t.play.chosenNumber(detail)}`, true);
    else if (what === 'engineFailed') this.notify(t.engine.failed(detail));
  }

  /** @param {'first' | 'previous' | 'next' | 'last'} where */
  walk(where) {
    const { desk } = this;
    ({ first: () => desk.toFirst(), previous: () => desk.step(-1), next: () => desk.step(1), last: () => desk.toLast() })[where]();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (/** @type {Element} */ (event.target).closest('input, select, textarea')) return;
    // Elsewhere these keys scroll the page.
    const isInMoves = /** @type {Element} */ (event.target).closest('.moves') !== null;
    const actions = {
      ArrowLeft: () => this.walk('previous'), ArrowRight: () => this.walk('next'), Escape: () => { this.#setPending(null); this.notify(''); },
      ...(isInMoves ? { Home: () => this.walk('first'), End: () => this.walk('last'), ArrowUp: () => this.desk.toSibling(-1), ArrowDown: () => this.desk.toSibling(1) } : {}),
    };
    const action = actions[/** @type {keyof typeof actions} */ (event.key)];
    if (!action) return;
    action();
    event.preventDefault();
    // The focus goes with the move.
    if (isInMoves) requestAnimationFrame(() => this.#panel().tree.current?.focus());
  }

  /** Games of a file or a text; of several one is chosen. @param {import('./game/tree.js').Game[]} games */
  take(games) {
    if (games.length > 1) gamesDialog(games, (game) => this.#show(game));
    else this.#show(games[0]);
  }

  /** @param {import('./game/tree.js').Game} game */
  #show(game) {
    this.match.leave();
    const line = game.mainLine;
    this.desk.load(game, this.mode === 'review' ? line[0] : line[line.length - 1]);
    if (this.mode === 'play') this.setMode('analyse');
    this.say(t.open.loaded(line.length - 1));
  }

  async open() {
    openDialog({ open: (text) => this.files.read(text), chooseFile: () => this.files.choose(), files: await this.files.list(), openFile: (name) => this.files.openOwn(name) });
  }

  share() {
    const picture = /** @type {SVGSVGElement} */ (this.board.element.querySelector('svg'));
    shareDialog({ game: this.desk.game, node: this.desk.node, picture, say: (words) => this.say(words), put: this.info?.files ? (name, text) => this.files.put(name, text) : null });
  }

  /** @param {Preferences} now */
  setPreferences(now) {
    const isOther = now.engine !== this.preferences.engine;
    Object.assign(this.preferences, now);
    keepPreferences(this.preferences);
    setTheme(now.theme);
    this.#applySettings();
    if (isOther) {
      this.keeper.keep();
      location.reload();
    }
    this.due();
  }

  /** The most threads of the engine. */
  get cores() {
    return this.info?.cores ?? this.client.engine.cores ?? 1;
  }

  #applySettings() {
    const { info, preferences, client } = this;
    /** @type {Record<string, number>} */
    const settings = { thread_num: threadsOf(preferences, this.cores, !!info) };
    // Without a server the engine keeps to the memory that it has from the first.
    if (info) settings.max_memory = Math.min(preferences.memory, info.max_memory_mb || preferences.memory) * 1024 * 1024;
    if (JSON.stringify(settings) === JSON.stringify(client.settings)) return;
    client.settings = settings;
    if (this.analysis.isRunning) this.analysis.again();
  }

  /** Says something to whoever does not see the page. @param {string} words */
  say(words) {
    announce(this.frame.live, words);
  }

  /** Shows something that matters now; for a moment, or until something else is. @param {string} words @param {boolean} [isBrief] */
  notify(words, isBrief = false) {
    const { notice } = this.frame;
    clearTimeout(this.noticeTimer);
    notice.textContent = words;
    notice.hidden = words === '';
    if (isBrief && words) this.noticeTimer = window.setTimeout(() => { notice.hidden = true; }, 5000);
  }
}

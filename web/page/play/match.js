// A game between a person and the engine, or two people at one board.

import { Clock } from './clock.js';
import { beginOpening, chosen, fifthsOf, isInZone, offered, stonePlaced, taskOf } from './openings.js';
import { Adviser } from './adviser.js';
import { areEquivalent } from './symmetry.js';
import { LEVELS, moveQuestion } from '../engine/questions.js';
import { Game } from '../game/tree.js';
import { isSame } from '../shared/board.js';

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {import('../game/points.js').Color} Color */
/** @typedef {import('../game/tree.js').GameNode} GameNode */
/** @typedef {import('./openings.js').OpeningState} OpeningState */
/** @typedef {import('./openings.js').Seat} Seat */
/**
 * @typedef {object} MatchSettings
 * @property {import('../game/position.js').Rule} rule
 * @property {import('../game/points.js').Size} size
 * @property {number} level 1 to 10
 * @property {'black' | 'white' | 'random' | 'both'} side of the person; of swap2, black opens
 * @property {import('./openings.js').OpeningRule} opening
 * @property {import('./clock.js').ClockSettings} clock
 * @property {number} seconds for a move of the full engine without a clock
 */
/** @typedef {{winner: Color | null, reason: 'five' | 'forbidden' | 'full' | 'resigned' | 'time', kind?: string}} Result */

/** @type {MatchSettings} */
export const FIRST_SETTINGS = { rule: 'freestyle', size: [15, 15], level: 3, side: 'black', opening: 'free', clock: null, seconds: 3 };

export class Match {
  /** @param {import('../desk.js').Desk} desk @param {import('../engine/client.js').EngineClient} client */
  constructor(desk, client) {
    this.desk = desk;
    this.client = client;
    this.settings = FIRST_SETTINGS;
    /** The engine, and whether it plays at levels. */
    this.opponent = { name: 'tengen', levels: true };
    /** The seat of the person, or null if both are people. @type {Seat | null} */
    this.person = 'A';
    /** @type {OpeningState} */
    this.opening = beginOpening('free');
    /** The end of the game so far. @type {GameNode} */
    this.tip = desk.node;
    /** @type {Result | null} */
    this.result = null;
    this.isOn = false;
    /** Offers for the fifth stone that are not complete. @type {Point[]} */
    this.draft = [];
    this.clock = new Clock(null);
    /** @type {{drop: () => void} | null} */
    this.thinking = null;
    /** Told after every change. */
    this.onchange = () => {};
    /** Told what has happened, as a key of the texts and what it is about. @type {(what: string, detail?: any) => void} */
    this.onevent = () => {};
  }

  /** @param {MatchSettings} settings */
  begin(settings) {
    this.#stopThinking();
    this.settings = settings;
    const side = settings.side === 'random' ? ['black', 'white'][Math.floor(Math.random() * 2)] : settings.side;
    this.person = side === 'both' ? null : side === 'black' ? 'A' : 'B';
    this.opening = beginOpening(settings.opening);
    this.result = null;
    this.draft = [];
    this.isOn = true;
    this.clock = new Clock(settings.clock);
    const game = new Game({ size: settings.size, rule: settings.rule });
    this.desk.load(game);
    this.tip = game.root;
    this.#goOn();
  }

  /** The game is over or was never begun. */
  leave() {
    this.#stopThinking();
    this.isOn = false;
    this.clock.stop();
    this.onchange();
  }

  /** The level at which the engine plays, or null at full strength. */
  get level() {
    return this.opponent.levels && this.settings.level < LEVELS ? this.settings.level : null;
  }

  /** The colour that a seat has. @param {Seat} seat @returns {Color} */
  colorOf(seat) {
    return this.opening.black === seat ? 0 : 1;
  }

  /** The colour of the person, or null if both are people. */
  get personColor() {
    return this.person === null ? null : this.colorOf(this.person);
  }

  /** What has to be done before the game begins. */
  get task() {
    return this.isOn && !this.result ? taskOf(this.opening, this.tip.ply) : null;
  }

  /** @param {Seat} seat */
  #isPerson(seat) {
    return this.person === null || this.person === seat;
  }

  /** True if a person has to move, place stones or choose. */
  get isPersonsTurn() {
    if (!this.isOn || this.result || this.thinking) return false;
    const { task } = this;
    if (task) return this.#isPerson(task.actor);
    return this.personColor === null || this.desk.game.position(this.tip).toMove === this.personColor;
  }

  /** True if it is the engine's turn and it does nothing: it failed, or was asked something else. */
  get isStuck() {
    return this.isOn && !this.result && !this.thinking && !this.isPersonsTurn;
  }

  /** Returns why a cell can't be played now, or null. @param {Point} point @returns {{what: string, kind?: string} | null} */
  refusal(point) {
    const { position } = this.desk;
    if (!position.isEmpty(point)) return { what: 'occupied' };
    if (this.isOn && !this.result) {
      if (!this.isPersonsTurn && this.desk.node === this.tip) return { what: 'notYourTurn' };
      const { task } = this;
      if (task && this.desk.node !== this.tip) return { what: 'notYourTurn' };
      if (this.#isBeside(this.desk.node)) return { what: 'beside' };
      if (this.desk.node.ply < this.fixedStones) return { what: 'agreed' };
      if (task?.kind === 'choice' || task?.kind === 'number') return { what: 'choose' };
      if (task?.kind === 'pick' && !task.among.some((cell) => isSame(cell, point))) return { what: 'notOffered' };
      if (task?.kind === 'offer' && !this.draft.some((cell) => isSame(cell, point)) && this.draft.some((cell) => areEquivalent(position.stones, cell, point))) return { what: 'equivalent' };
      if (task && !isInZone(task, point, position.size)) return { what: 'zone' };
    }
    const kind = position.violation(point);
    return kind ? { what: 'forbidden', kind } : null;
  }

  /** True for a line that was tried elsewhere, and not played in this game. @param {import('../game/tree.js').GameNode} shown */
  #isBeside(shown) {
    const { game } = this.desk;
    const played = new Set(game.path(this.tip));
    return game.path(shown).some((node) => node.move && node.ms === null && !played.has(node));
  }

  /** Plays a cell for the person, or offers it. @param {Point} point */
  play(point) {
    if (!this.isOn || this.result || this.refusal(point)) return false;
    const { task } = this;
    if (task?.kind === 'offer') {
      const kept = this.draft.filter((cell) => !isSame(cell, point));
      this.draft = kept.length < this.draft.length || kept.length >= task.count ? kept : [...kept, point];
      this.onchange();
      return true;
    }
    if (this.desk.node !== this.tip) {
      // The game goes on from an earlier position if it is the person's turn there; what was played stays as a variation.
      const color = this.desk.position.toMove;
      if (this.task || (this.personColor !== null && color !== this.personColor)) return false;
      this.#stopThinking();
      if (this.clock.running?.color !== color) this.clock.stop();
      this.tip = this.desk.node;
      this.#recount();
    }
    this.#moved(point);
    this.#goOn();
    return true;
  }

  /** @param {string} option */
  choose(option) {
    if (!this.isPersonsTurn || !['choice', 'number'].includes(this.task?.kind ?? '')) return;
    this.opening = chosen(this.opening, option);
    this.#goOn();
  }

  /** Makes the offers of the person final. */
  offer() {
    const { task } = this;
    if (task?.kind !== 'offer' || !this.isPersonsTurn || this.draft.length !== task.count) return;
    this.opening = offered(this.opening, this.draft);
    this.draft = [];
    this.#goOn();
  }

  /** @param {Point} point */
  #moved(point) {
    const { game } = this.desk;
    const node = game.play(this.tip, point);
    node.ms = Math.round(this.clock.spent);
    game.makeMain(node);
    if (this.task) this.opening = stonePlaced(this.opening, node.ply);
    const isShown = this.desk.node === this.tip;
    this.tip = node;
    this.clock.stop();
    this.#recount();
    if (isShown) this.desk.goTo(node);
    else this.desk.tell('tree');
  }

  #recount() {
    const moves = this.desk.game.path(this.tip).flatMap(({ move, ms }) => (move ? [{ color: move.color, ms: ms ?? 0 }] : []));
    this.clock.count(moves);
  }

  /** Ends the game, or lets whose turn it is move. */
  #goOn() {
    const position = this.desk.game.position(this.tip);
    if (position.end && !this.task) this.#end({ winner: position.end.winner, reason: position.end.reason, kind: position.end.kind });
    else if (this.isOn && !this.result) {
      if (!this.task) this.clock.start(position.toMove);
      if (!this.isPersonsTurn) this.#think();
    }
    this.onchange();
  }

  /** @param {Result} result */
  #end(result) {
    this.#stopThinking();
    this.result = result;
    this.clock.stop();
    const { info } = this.desk.game;
    const [letter, why] = [result.winner === null ? '0' : 'BW'[result.winner], { resigned: '+R', time: '+T' }[result.reason] ?? '+'];
    info.RE = result.winner === null ? letter : letter + why;
    this.onevent('end', result);
  }

  /** The game has no end any more. */
  #reopen() {
    this.result = null;
    delete this.desk.game.info.RE;
  }

  /** Asks the engine for what it has to do. */
  async #think() {
    const turn = { drop: () => {} };
    this.thinking = turn;
    this.onchange();
    try {
      const { task, settings } = this;
      const position = this.desk.game.position(this.tip);
      if (task) {
        const isBlack = task.actor === this.opening.black;
        const advice = await new Adviser(this.client, turn).advise({ rule: settings.opening, task, position, placed: this.#stones(), isBlack, fifths: fifthsOf(this.opening) });
        if (this.thinking !== turn || !advice) return;
        this.thinking = null;
        this.#follow(task, advice);
      } else {
        const color = position.toMove;
        const left = this.clock.left(color);
        const level = this.level ?? LEVELS;
        const turnMs = level < LEVELS ? 5000 : left ?? 1000 * settings.seconds;
        const asked = this.client.ask(moveQuestion(position, { level, turnMs, leftMs: left }));
        turn.drop = asked.drop;
        const answer = await asked.answer;
        if (this.thinking !== turn) return;
        this.thinking = null;
        if (answer.kind !== 'moves') {
          this.clock.stop();
          if (answer.kind !== 'dropped') this.onevent('engineFailed', answer.kind === 'error' ? answer.text : answer.kind);
          return;
        }
        const [point] = answer.points;
        if (!position.isEmpty(point)) {
          this.clock.stop();
          this.onevent('engineFailed', point.join());
          return;
        }
        this.#moved(point);
        this.onevent('moved', point);
      }
      this.#goOn();
    } finally {
      if (this.thinking === turn) this.thinking = null;
      this.onchange();
    }
  }

  /** Does what the engine decided in the opening. @param {import('./openings.js').Task} task @param {import('./adviser.js').Advice} advice */
  #follow(task, { points, option }) {
    if (option) {
      this.opening = chosen(this.opening, option);
      this.onevent('chosen', option);
    }
    if (task.kind === 'offer') this.opening = offered(this.opening, points);
    else points.forEach((point) => this.#moved(point));
  }

  /** The stones so far, in their order. @returns {Point[]} */
  #stones() {
    return this.desk.game.path(this.tip).flatMap(({ move }) => (move?.point ? [move.point] : []));
  }

  #stopThinking() {
    const { thinking } = this;
    this.thinking = null;
    thinking?.drop();
  }

  /** The end of the game may have been deleted meanwhile: it goes on from what is left. */
  findTip() {
    const path = this.desk.game.path(this.tip);
    if (path[0] !== this.desk.game.root) {
      this.leave();
      return;
    }
    const lost = path.findIndex((node, i) => i > 0 && !path[i - 1].children.includes(node));
    if (lost > 0) {
      this.tip = path[lost - 1];
      this.#reopen();
      this.#recount();
    }
    if (this.tip.ply < this.fixedStones) this.leave();
  }

  /** The board shows something else: the engine neither thinks nor loses time meanwhile. People's clocks run. */
  pause() {
    if (!this.thinking) return;
    this.#stopThinking();
    this.clock.stop();
    this.onchange();
  }

  /** The board shows the game again. */
  resume() {
    if (this.isOn && !this.result && !this.thinking) this.#goOn();
  }

  /** Takes back to the person's last turn. */
  takeBack() {
    if (!this.canTakeBack) return;
    this.#stopThinking();
    this.#reopen();
    const { game } = this.desk;
    /** The node before one that goes. @param {GameNode} node */
    const before = (node) => /** @type {GameNode} */ (node.parent);
    let first = this.tip;
    while (before(first).ply > this.fixedStones && this.personColor !== null && game.position(before(first)).toMove !== this.personColor) first = before(first);
    this.tip = before(first);
    this.clock.stop();
    this.#recount();
    this.desk.remove(first);
    this.#goOn();
  }

  get canTakeBack() {
    if (!this.isOn || this.task || !this.tip.parent) return false;
    // Stones of the opening were agreed on.
    const fixed = this.fixedStones;
    return this.tip.ply > fixed && (this.personColor === null || this.desk.game.path(this.tip).slice(1 + fixed).some(({ move }) => move?.color === this.personColor));
  }

  /** The stones of the opening. */
  get fixedStones() {
    return this.opening.fixed;
  }

  resign() {
    if (!this.isOn || this.result || this.task) return;
    const loser = this.personColor ?? this.desk.game.position(this.tip).toMove;
    this.#end({ winner: /** @type {Color} */ (1 - loser), reason: 'resigned' });
    this.onchange();
  }

  /** Ends the game when a flag has fallen; to be called now and then. */
  checkClock() {
    const { running } = this.clock;
    if (running && this.isOn && !this.result && (this.clock.left(running.color) ?? 1) <= 0) {
      this.#end({ winner: /** @type {Color} */ (1 - running.color), reason: 'time' });
      this.onchange();
    }
  }

  /** What has to be known to go on after the page was loaded again; the game itself is kept apart. */
  saved() {
    const { settings, person, opening, result, isOn, draft } = this;
    return { settings, person, opening, result, isOn, draft };
  }

  /** @param {ReturnType<Match['saved']>} saved @param {GameNode} tip @param {boolean} isShown or else the game waits until it is resumed */
  restore(saved, tip, isShown) {
    Object.assign(this, { settings: saved.settings, person: saved.person, opening: saved.opening, result: saved.result, isOn: saved.isOn, draft: saved.draft });
    this.clock = new Clock(this.settings.clock);
    this.tip = tip;
    this.#recount();
    if (isShown) this.resume();
    this.onchange();
  }
}

// Opening rules as tables of steps: who has to do what before the game begins. A sits down first, as black.

import { centreOf, distance } from '../game/points.js';

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {import('../game/points.js').Size} Size */
/** @typedef {'A' | 'B'} Seat */
/** @typedef {'free' | 'pro' | 'long-pro' | 'swap' | 'swap2' | 'rif' | 'yamaguchi' | 'soosyrv-8' | 'taraguchi-10'} OpeningRule */
/** @typedef {Seat | 'black' | 'white'} Who */
/** @typedef {{black?: 'actor' | 'other' | 'swap', next: string}} Option Who has black then; nothing changes without it. */
/**
 * A step: stones up to a number, each within a distance of the centre or beyond one; a choice; a number of offers;
 * offers for the next stone; or the choice of one of them.
 * @typedef {{kind: 'stones', by: Who, until: number, within?: Record<number, number>, beyond?: number, next: string}
 *   | {kind: 'choice', by: Who, options: Record<string, Option>} | {kind: 'number', by: Who, most: number, next: string}
 *   | {kind: 'offer', by: Who, count?: number, next: string} | {kind: 'pick', by: Who, next: string}} Step
 */
/** @typedef {{rule: OpeningRule, step: string, black: Seat, count: number, offers: Point[], fixed: number}} OpeningState `count` is the number of offers that was named, `fixed` the stones of the opening. */
/**
 * @typedef {{actor: Seat, kind: 'stones', left: number, within: number | null, beyond: number | null}
 *   | {actor: Seat, kind: 'choice', options: string[]} | {actor: Seat, kind: 'number', most: number}
 *   | {actor: Seat, kind: 'offer', count: number} | {actor: Seat, kind: 'pick', among: Point[]}} Task
 */

/** The first stone in the centre, the second beside it, the third near it: these are the 26 openings of renju. */
const RENJU = { 1: 0, 2: 1, 3: 2 };
/** @type {(next: string) => Step} */
const swapOrNot = (next) => ({ kind: 'choice', by: 'B', options: { keep: { next }, swap: { black: 'swap', next } } });
/** @type {(by: Who, stone: number, next: string) => Step} A stone of Taraguchi-10, in its square. */
const squared = (by, stone, next) => ({ kind: 'stones', by, until: stone, within: { [stone]: stone - 1 }, next });
/** @type {(by: Who, next: string) => Step} */
const query = (by, next) => ({ kind: 'choice', by, options: { keep: { next }, swap: { black: 'swap', next } } });
/** @type {Record<string, Step>} What follows the third stone where fifth stones are offered. */
const FIFTHS = { offer: { kind: 'offer', by: 'black', next: 'pick' }, pick: { kind: 'pick', by: 'white', next: 'play' } };

/** @type {Record<OpeningRule, Record<string, Step>>} */
const TABLES = {
  free: {},
  pro: {
    begin: { kind: 'stones', by: 'black', until: 1, within: { 1: 0 }, next: 'second' },
    second: { kind: 'stones', by: 'white', until: 2, next: 'third' }, third: { kind: 'stones', by: 'black', until: 3, beyond: 2, next: 'play' },
  },
  'long-pro': {
    begin: { kind: 'stones', by: 'black', until: 1, within: { 1: 0 }, next: 'second' },
    second: { kind: 'stones', by: 'white', until: 2, next: 'third' }, third: { kind: 'stones', by: 'black', until: 3, beyond: 3, next: 'play' },
  },
  swap: { begin: { kind: 'stones', by: 'A', until: 3, next: 'choice' }, choice: swapOrNot('play') },
  swap2: {
    begin: { kind: 'stones', by: 'A', until: 3, next: 'afterThree' },
    afterThree: { kind: 'choice', by: 'B', options: { white: { black: 'other', next: 'play' }, black: { black: 'actor', next: 'play' }, two: { next: 'two' } } },
    two: { kind: 'stones', by: 'B', until: 5, next: 'afterTwo' },
    afterTwo: { kind: 'choice', by: 'A', options: { white: { black: 'other', next: 'play' }, black: { black: 'actor', next: 'play' } } },
  },
  rif: {
    begin: { kind: 'stones', by: 'A', until: 3, within: RENJU, next: 'choice' }, choice: swapOrNot('fourth'),
    fourth: { kind: 'stones', by: 'white', until: 4, next: 'offer' }, ...FIFTHS, offer: { kind: 'offer', by: 'black', count: 2, next: 'pick' },
  },
  yamaguchi: {
    begin: { kind: 'stones', by: 'A', until: 3, within: RENJU, next: 'number' }, number: { kind: 'number', by: 'A', most: 12, next: 'choice' },
    choice: swapOrNot('fourth'), fourth: { kind: 'stones', by: 'white', until: 4, next: 'offer' }, ...FIFTHS,
  },
  'soosyrv-8': {
    begin: { kind: 'stones', by: 'A', until: 3, within: RENJU, next: 'choice' }, choice: swapOrNot('fourth'),
    fourth: { kind: 'stones', by: 'white', until: 4, next: 'number' }, number: { kind: 'number', by: 'white', most: 8, next: 'again' },
    again: query('black', 'offer'), ...FIFTHS,
  },
  'taraguchi-10': {
    begin: squared('black', 1, 'query1'), query1: query('white', 'second'), second: squared('white', 2, 'query2'), query2: query('black', 'third'),
    third: squared('black', 3, 'query3'), query3: query('white', 'fourth'), fourth: squared('white', 4, 'decision'),
    // Whoever swaps here binds black to a fifth stone in its square.
    decision: { kind: 'choice', by: 'black', options: { keep: { next: 'fifth' }, swap: { black: 'swap', next: 'fifth' }, ten: { next: 'offer' } } },
    fifth: squared('black', 5, 'query5'), query5: query('white', 'play'), ...FIFTHS, offer: { kind: 'offer', by: 'black', count: 10, next: 'pick' },
  },
};

/** The openings that can be chosen; some belong to renju. @param {string} rule @returns {OpeningRule[]} */
export const openingsOf = (rule) => (rule === 'renju' ? ['free', 'swap2', 'rif', 'yamaguchi', 'soosyrv-8', 'taraguchi-10', 'swap'] : ['free', 'swap2', 'swap', 'pro', 'long-pro']);

/** @param {Seat} seat @returns {Seat} */
export const other = (seat) => (seat === 'A' ? 'B' : 'A');

/** @param {OpeningRule} rule @returns {OpeningState} */
export const beginOpening = (rule) => ({ rule, step: rule === 'free' ? 'play' : 'begin', black: 'A', count: 0, offers: [], fixed: 0 });

/** @param {OpeningState} state @returns {Step | undefined} */
const stepOf = ({ rule, step }) => TABLES[rule]?.[step];

/** @param {OpeningState} state @param {Who} who @returns {Seat} */
const seatOf = ({ black }, who) => (who === 'black' ? black : who === 'white' ? other(black) : who);

/** Returns the task of a state, or null when the game goes on. @param {OpeningState} state @param {number} placed the stones on the board @returns {Task | null} */
export function taskOf(state, placed) {
  const step = stepOf(state);
  if (!step) return null;
  const actor = seatOf(state, step.by);
  switch (step.kind) {
    case 'stones': return { actor, kind: 'stones', left: step.until - placed, within: step.within?.[placed + 1] ?? null, beyond: step.beyond ?? null };
    case 'choice': return { actor, kind: 'choice', options: Object.keys(step.options) };
    case 'number': return { actor, kind: 'number', most: step.most };
    case 'offer': return { actor, kind: 'offer', count: step.count ?? state.count };
    default: return { actor, kind: 'pick', among: state.offers };
  }
}

/** How many fifth stones black will have to offer, as far as that is settled; 1 where there are no offers. @param {OpeningState} state */
export function fifthsOf({ rule, step, count }) {
  const named = rule === 'rif' ? 2 : count;
  return ['choice', 'fourth', 'again', 'offer'].includes(step) && TABLES[rule].offer ? Math.max(named, 1) : 1;
}

/** The state after a stone; `placed` counts it. @param {OpeningState} state @param {number} placed @returns {OpeningState} */
export function stonePlaced(state, placed) {
  const step = stepOf(state);
  const fixed = step ? placed : state.fixed;
  if (step?.kind === 'pick') return { ...state, fixed, step: step.next, offers: [] };
  return step?.kind === 'stones' && placed >= step.until ? { ...state, fixed, step: step.next } : { ...state, fixed };
}

/** The state after a choice or a number. @param {OpeningState} state @param {string} option @returns {OpeningState} */
export function chosen(state, option) {
  const step = stepOf(state);
  if (step?.kind === 'number') {
    const count = Number(option);
    if (!Number.isInteger(count) || count < 1 || count > step.most) throw new Error(`no number: ${option}`);
    return { ...state, count, step: step.next };
  }
  const found = step?.kind === 'choice' && Object.hasOwn(step.options, option) ? step.options[option] : null;
  if (!step || !found) throw new Error(`no choice: ${option}`);
  const actor = seatOf(state, step.by);
  const black = { actor, other: other(actor), swap: other(state.black) }[found.black ?? ''] ?? state.black;
  return { ...state, black, step: found.next };
}

/** The state after the offers of a task. @param {OpeningState} state @param {Point[]} offers @returns {OpeningState} */
export function offered(state, offers) {
  const step = stepOf(state);
  if (step?.kind !== 'offer' || offers.length !== (step.count ?? state.count)) throw new Error('no such offers');
  return { ...state, offers, step: step.next };
}

/** Whether a cell is where a task wants it. @param {Task} task @param {Point} point @param {Size} size */
export function isInZone(task, point, size) {
  if (task.kind !== 'stones') return true;
  const far = distance(point, centreOf(size));
  return (task.within === null || far <= task.within) && (task.beyond === null || far > task.beyond);
}

// What a review says about moves.

import { cellAt, cellsOf } from '../game/points.js';

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {'book' | 'forced' | 'lost' | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'missed_win' | 'blunder'} MoveClass */
/**
 * @typedef {object} Judgement
 * @property {MoveClass} kind
 * @property {Point | null} best @property {Point[]} line from the position before the move
 * @property {number} before @property {number} after expected points of the mover
 * @property {string[]} why @property {string[]} better
 */

/** Classes in the order of their badness; those from inaccuracy on are faults. @type {MoveClass[]} */
export const CLASSES = ['book', 'forced', 'lost', 'best', 'good', 'inaccuracy', 'mistake', 'missed_win', 'blunder'];
/** What is written behind a move. @type {Partial<Record<MoveClass, string>>} */
export const GLYPHS = { best: '!', inaccuracy: '?!', mistake: '?', missed_win: '??', blunder: '??' };

/** @param {MoveClass} kind */
export const isFault = (kind) => CLASSES.indexOf(kind) >= CLASSES.indexOf('inaccuracy');

/** Cells in remarks are named as the engine counts, from the top. @param {string} text @param {import('../game/points.js').Size} size */
const renamed = (text, [, rows]) => text.replace(/\b([a-v])(\d{1,2})\b/g, (all, column, row) => (Number(row) >= 1 && Number(row) <= rows ? `${column}${rows + 1 - Number(row)}` : all));

/**
 * Reads an object of a review.
 * @param {any} value @param {import('../game/points.js').Size} size @returns {Judgement}
 */
export function judgementOf(value, size) {
  const texts = (/** @type {any} */ list) => (Array.isArray(list) ? list.map((text) => renamed(String(text), size)) : []);
  const chance = (/** @type {any} */ number) => Math.max(0, Math.min(1, Number(number) || 0));
  return {
    kind: CLASSES.includes(value.class) ? value.class : 'good',
    best: cellAt(String(value.best ?? ''), size, true), line: cellsOf(String(value.line ?? ''), size, true),
    before: chance(value.win_before), after: chance(value.win_after), why: texts(value.why), better: texts(value.better),
  };
}

/** The class of a move by what it loses, as reviews of tengen have it. @param {number} before @param {number} after @param {boolean} isBest @returns {MoveClass} */
export function classOf(before, after, isBest) {
  const loss = before - after;
  if (isBest || loss <= 0) return 'best';
  if (before < 0.05) return 'lost';
  if (before >= 1 && after < 0.9) return 'missed_win';
  if (loss >= 0.15) return 'blunder';
  if (loss >= 0.1) return 'mistake';
  return loss >= 0.05 ? 'inaccuracy' : 'good';
}

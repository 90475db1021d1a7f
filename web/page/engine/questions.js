// What this page asks engines.

import { boardLines } from './client.js';

/** @typedef {import('../game/position.js').Position} Position */
/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {import('./client.js').Question} Question */
/** @typedef {import('./replies.js').Variation} Variation */

export const LEVELS = 10;

/** The value of `INFO strength` for a level: the middle of its part. @param {number} level */
export const strengthOf = (level) => (level >= LEVELS ? 100 : Math.floor(((level - 0.5) * 100) / (LEVELS - 1)));

/** What an engine is told of a clock: without a time for the match, what is left of it means nothing. @param {number} ms */
const clockOf = (ms) => ({ timeout_match: ms, time_left: ms });

/**
 * A move to be played.
 * @param {Position} position @param {{level: number, turnMs: number, leftMs: number | null}} limits
 * @returns {Question}
 */
export function moveQuestion(position, { level, turnMs, leftMs }) {
  // A clock that has just run out still has a limit: numbers below zero are none.
  const info = { strength: strengthOf(level), timeout_turn: Math.max(1, turnMs), ...(leftMs === null ? {} : clockOf(Math.max(1, leftMs))) };
  const isEmpty = position.stones.length === 0;
  return { position, info, isBare: true, isFresh: isEmpty, lines: isEmpty ? ['BEGIN'] : boardLines('BOARD', position) };
}

/**
 * The best moves at full strength, until it is stopped or for a time.
 * @param {Position} position @param {{best: number, ms?: number | null, onVariation: (variation: Variation) => void}} how
 * @returns {Question}
 */
export function bestQuestion(position, { best, ms = null, onVariation }) {
  return { position, info: { timeout_turn: ms ?? -1 }, lines: [`YXNBEST ${best}`], beyond: 'YXNBEST', onVariation };
}

/** A stage of swap2 after its stones so far. @param {Position} position @param {Point[]} placed @param {number} ms @returns {Question} */
export function swap2Question(position, placed, ms) {
  return { position, info: { timeout_turn: ms }, isBare: true, lines: ['SWAP2BOARD', ...placed.map(([x, y]) => `${x},${y}`), 'DONE'], beyond: 'SWAP2BOARD' };
}

/**
 * A review of a game from the empty board.
 * @param {Position} position any of the game: its size and rule count @param {Point[]} moves
 * @param {number} nodes a position @param {(value: any) => boolean} onReview @returns {Question}
 */
export function reviewQuestion(position, moves, nodes, onReview) {
  return {
    position, info: { max_node: nodes }, isBare: true, lines: ['REVIEW', ...moves.map(([x, y]) => `${x},${y}`), 'DONE'], beyond: 'REVIEW',
    onJson: (name, value) => name === 'REVIEW' && onReview(value),
  };
}

/** Whether the side to move can force a win. @param {Position} position @param {number} ms @param {(value: any) => boolean} onProof @returns {Question} */
export function proofQuestion(position, ms, onProof) {
  return { position, info: { timeout_turn: ms }, lines: ['PROVE'], beyond: 'PROVE', onJson: (name, value) => name === 'PROOF' && onProof(value) };
}

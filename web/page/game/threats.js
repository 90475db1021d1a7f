// Where a side can win at once or make a threat that no single stone stops: found by trying, as the
// definition of shapes has it.

import { DIRECTIONS } from '../shared/rules.js';
import { BLACK } from './points.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./points.js').Color} Color */
/** @typedef {{point: Point, kind: 'five' | 'open four' | 'four'}} Threat */

/** Returns true if a colour may play a cell. @param {import('./position.js').Position} position @param {Point} point @param {Color} color */
function mayPlay({ rule, cells }, point, color) {
  return rule !== 'renju' || color !== BLACK || cells.violation(point) === null;
}

/** @param {import('./position.js').Position} position @param {Point} point @param {Color} color */
const isFive = ({ cells, rule }, point, color) => cells.winningRun(point, color, rule) !== null;

/**
 * The cells where a colour would win if it were to move there.
 * @param {import('./position.js').Position} position @param {Color} color
 */
export function fives(position, color) {
  return position.empty().filter((point) => isFive(position, point, color) && mayPlay(position, point, color));
}

/**
 * The cells on which a stone makes a five, or leaves two cells to make one, or one.
 * @param {import('./position.js').Position} position @param {Color} color @returns {Threat[]}
 */
export function threats(position, color) {
  const { cells } = position;
  const found = [];
  for (const point of position.empty()) {
    if (!hasNeighbour(position, point, color) || !mayPlay(position, point, color)) continue;
    if (isFive(position, point, color)) {
      found.push({ point, kind: /** @type {const} */ ('five') });
      continue;
    }
    cells.set(point, color);
    const next = reachable(position, point).filter((cell) => isFive(position, cell, color) && mayPlay(position, cell, color));
    cells.set(point, null);
    if (next.length > 0) found.push({ point, kind: next.length > 1 ? /** @type {const} */ ('open four') : /** @type {const} */ ('four') });
  }
  return found;
}

/** @param {import('./position.js').Position} position @param {Point} point @param {Color} color */
function hasNeighbour({ cells }, point, color) {
  return DIRECTIONS.some((direction) => [-2, -1, 1, 2].some((steps) => cells.get(cells.step(point, direction, steps)) === color));
}

/** The empty cells of the four lines through a point that one stone could join to it. @param {import('./position.js').Position} position @param {Point} point @returns {Point[]} */
function reachable({ cells }, point) {
  return DIRECTIONS.flatMap((direction) => [-4, -3, -2, -1, 1, 2, 3, 4].map((steps) => cells.step(point, direction, steps)))
    .filter((cell) => cells.get(cell) === null);
}

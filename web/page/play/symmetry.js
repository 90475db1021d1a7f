// Whether two cells are the same for a position: if a turn or a mirror takes the stones to themselves and one
// cell to the other. Edges of the board do not count.

import { keyOf } from '../game/points.js';

/** @typedef {import('../game/points.js').Point} Point */

/** @type {((point: Point) => Point)[]} */
const MAPS = [([x, y]) => [x, y], ([x, y]) => [-y, x], ([x, y]) => [-x, -y], ([x, y]) => [y, -x], ([x, y]) => [-x, y], ([x, y]) => [x, -y], ([x, y]) => [y, x], ([x, y]) => [-y, -x]];

/**
 * The turns and mirrors of a position, as maps of cells; cells may lie beyond the board afterwards.
 * @param {{point: Point, color: number}[]} stones @returns {((point: Point) => Point)[]}
 */
function symmetries(stones) {
  const keys = new Set(stones.map(({ point, color }) => 2 * keyOf(point) + color));
  const [first] = stones;
  if (!first) return [];
  return MAPS.flatMap((map) => {
    const [x, y] = map(first.point);
    // The first stone goes to some stone of its colour, which fixes how far everything moves.
    return stones.filter(({ color }) => color === first.color).flatMap(({ point: [u, v] }) => {
      const moved = (/** @type {Point} */ point) => {
        const [a, b] = map(point);
        return /** @type {Point} */ ([a + u - x, b + v - y]);
      };
      const isOwn = stones.every(({ point, color }) => {
        const [a, b] = moved(point);
        return a >= 0 && b >= 0 && a < 32 && keys.has(2 * keyOf([a, b]) + color);
      });
      return isOwn ? [moved] : [];
    });
  });
}

/** @param {{point: Point, color: number}[]} stones @param {Point} one @param {Point} other */
export function areEquivalent(stones, one, other) {
  return symmetries(stones).some((map) => {
    const [x, y] = map(one);
    return x === other[0] && y === other[1];
  });
}

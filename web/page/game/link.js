// A game in the address of the page: `#rule=renju&size=15&moves=h8i9&at=1`, or the SGF of the shown line where its
// cells don't tell all: stones that were set up, passes, a colour that moves twice. `at` is the number of the shown node.

import { cellName, cellsOf, isSize } from './points.js';
import { gamesOfSgf, ruleOf, sgfOf } from './record.js';
import { Game, isPlainLine } from './tree.js';

/** @typedef {import('./points.js').Size} Size */

/** @param {Game} game @param {import('./tree.js').GameNode} node */
export function linkOf(game, node) {
  const path = game.path(node);
  const line = [...path, ...game.lineFrom(node).slice(1)];
  if (!isPlainLine(line)) return `#sgf=${encodeURIComponent(sgfOf(game, '', new Set(line)))}&at=${path.length - 1}`;
  const moves = line.flatMap(({ move }) => (move?.point ? [cellName(move.point, game.size)] : []));
  const size = game.size[0] === game.size[1] ? game.size[0] : game.size.join('x');
  return `#rule=${game.rule}&size=${size}&moves=${moves.join('')}${node.ply < moves.length ? `&at=${node.ply}` : ''}`;
}

/**
 * Returns the game of an address and the shown node, or null if it has none.
 * @param {string} hash @returns {{game: Game, node: import('./tree.js').GameNode} | null}
 */
export function gameOfLink(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const at = Number(parts.get('at') ?? Infinity);
  const sgf = parts.get('sgf');
  try {
    const game = sgf === null ? gameOfMoves(parts) : gamesOfSgf(sgf)[0];
    if (!game) return null;
    const line = game.mainLine;
    return { game, node: line[at] ?? line[line.length - 1] };
  } catch {
    return null;
  }
}

/** @param {URLSearchParams} parts */
function gameOfMoves(parts) {
  const rule = ruleOf(parts.get('rule') ?? '');
  const edges = (parts.get('size') ?? '15').split('x').map(Number);
  /** @type {Size} */
  const size = [edges[0], edges[1] ?? edges[0]];
  if (!rule || !isSize(size) || parts.get('moves') === null) return null;
  const game = new Game({ size, rule });
  let node = game.root;
  for (const point of cellsOf(/** @type {string} */ (parts.get('moves')), size)) {
    if (!game.position(node).isEmpty(point)) return null;
    node = game.play(node, point);
  }
  return game;
}

// What the engine does in an opening: where it places stones, and what it chooses.

import { swap2Question } from '../engine/questions.js';

/** @typedef {import('../game/points.js').Point} Point */

/** The milliseconds for a decision. */
const TIME = 2000;

/**
 * Returns the engine's stones and choice, or null if the question was dropped.
 * @param {{client: import('../engine/client.js').EngineClient, task: import('./openings.js').Task,
 *   position: import('../game/position.js').Position, placed: Point[]}} about
 * @param {{drop: () => void}} turn gets the way to end the question
 * @returns {Promise<{points: Point[], option: string | null} | null>}
 */
export async function advise({ client, task, position, placed }, turn) {
  const asked = client.ask(swap2Question(position, placed, TIME));
  turn.drop = asked.drop;
  const answer = await asked.answer;
  if (answer.kind === 'swap') return { points: [], option: 'black' };
  if (answer.kind === 'moves') {
    const option = task.kind !== 'choice' ? null : answer.points.length === 2 ? 'two' : 'white';
    return { points: answer.points, option };
  }
  // An engine that does not know swap2 opens as everybody does, and keeps what it has.
  if (answer.kind === 'dropped') return null;
  if (task.kind === 'choice') return { points: [], option: 'white' };
  const [x, y] = position.size.map((edge) => Math.floor(edge / 2));
  return { points: /** @type {Point[]} */ ([[x, y], [x + 1, y - 1], [x + 2, y + 2]]), option: null };
}

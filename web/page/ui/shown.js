// What is shown on the board in each mode.

import { shortScore, worthOf } from '../analyse/analysis.js';
import { threats } from '../game/threats.js';
import { labelOf } from './database-panel.js';

/** @typedef {import('../app-core.js').App} App */
/** @typedef {import('../game/position.js').Position} Position */
/** @typedef {import('../game/points.js').Color} Color */

/** The moves of a line that fit on the board without hiding it. */
const LONGEST_LINE = 12;

/** @param {App} app @returns {import('./board-view.js').Shown} */
export function shownOn(app) {
  const { desk: { game, node }, mode, preferences, preview } = app;
  // A better line begins before the move that it is better than.
  const before = mode === 'review' && preview ? node.parent : null;
  const position = before ? game.position(before) : app.desk.position;
  const first = before ? node.ply : 1;
  return {
    position, hasNumbers: preferences.numbers || mode === 'review', hint: app.hint, marks: node.marks,
    candidates: candidatesOf(app, position),
    notes: mode === 'analyse' && !before && !preview ? (app.database.shown?.moves ?? []).map((move) => ({ point: move.point, label: labelOf(move) })) : [],
    line: preview ? preview.moves.slice(0, LONGEST_LINE).map((point, i) => ({ point, color: /** @type {Color} */ ((position.toMove + i) % 2), number: first + i })) : offersOf(app),
    threats: mode === 'play' && app.showsThreats && !position.end ? threatsOf(app, position) : [],
    forbidden: preferences.forbidden && !position.end ? position.forbidden() : [],
    canPlay: !position.end && (mode !== 'play' || mayPlay(app)),
  };
}

/** The best moves, as far as they are known. @param {App} app @param {Position} position */
function candidatesOf({ mode, preview, proof, analysis, analysePanel }, position) {
  const isShown = mode === 'analyse' && analysis.isOn && !preview && !proof.isOpen && !analysePanel.edit.mode;
  if (!isShown || analysis.position?.key !== position.key) return [];
  const [best] = analysis.variations;
  return analysis.variations.map((variation) => ({ point: variation.moves[0], label: shortScore(variation), kind: worthOf(variation, best) }));
}

/** Fifth stones that are offered. @param {App} app @returns {import('./overlays.js').Ghost[]} */
function offersOf({ mode, match: { task, draft, tip }, desk }) {
  if (mode !== 'play' || desk.node !== tip || (task?.kind !== 'offer' && task?.kind !== 'pick')) return [];
  return (task.kind === 'pick' ? task.among : draft).map((point, i) => ({ point, color: 0, number: i + 1 }));
}

/** The threats of both sides, seen by the person, or by the side to move. @param {App} app @param {Position} position */
function threatsOf({ match }, position) {
  const own = match.personColor ?? position.toMove;
  const other = /** @type {Color} */ (1 - own);
  return [
    ...threats(position, other).map((threat) => ({ ...threat, whose: /** @type {const} */ ('other') })),
    ...threats(position, own).map((threat) => ({ ...threat, whose: /** @type {const} */ ('own') })),
  ];
}

/** @param {App} app */
function mayPlay({ match }) {
  return !match.isOn || (match.isPersonsTurn && !match.result && match.task?.kind !== 'choice' && match.task?.kind !== 'number');
}

// The players above and below the board with their clocks, and the chances beside it.

import { el } from '../shared/elements.js';
import { clockText } from '../play/clock.js';
import { t } from '../texts.js';

/** @typedef {import('../game/points.js').Color} Color */

/** @param {import('../app-core.js').App} app */
export function drawStrips({ match, desk, mode, frame, client }) {
  const isPlay = mode === 'play' && match.isOn;
  // Who plays sits below.
  const below = /** @type {Color} */ (isPlay ? match.personColor ?? 0 : 0);
  const { info } = desk.game;
  const turn = isPlay ? desk.game.position(match.tip).toMove : desk.position.toMove;
  for (const [strip, color] of /** @type {[HTMLElement, Color][]} */ ([[frame.strips.top, 1 - below], [frame.strips.bottom, below]])) {
    const isEngine = isPlay && match.personColor !== null && color !== match.personColor;
    const name = isPlay ? (isEngine ? (match.level === null ? match.opponent.name : t.play.atLevel(match.opponent.name, match.level)) : match.personColor === null ? t.colors[color] : t.play.you)
      : (color === 0 ? info.PB : info.PW) || t.colors[color];
    const left = isPlay ? match.clock.left(color) : null;
    const isTurn = turn === color && !(isPlay ? match.result : desk.position.end);
    const isBusy = isEngine && !!match.thinking;
    const state = isBusy ? (client.isReady ? '…' : t.engine.connecting) : '';
    const time = left === null ? '' : clockText(left);
    const key = [name, color, isTurn, state, time, left !== null && left < 10_000].join('|');
    if (strip.dataset.key === key) continue;
    strip.dataset.key = key;
    strip.className = `strip${isTurn ? ' turn' : ''}${isBusy ? ' busy' : ''}`;
    strip.replaceChildren(el('span', { class: `stone ${['black', 'white'][color]}`, role: 'img', 'aria-label': t.colors[color] }), el('bdi', { class: 'name' }, name),
      el('span', { class: 'state' }, state), time ? el('span', { class: `clock${left !== null && left < 10_000 ? ' low' : ''}`, role: 'timer' }, time) : '');
  }
}

/** @param {import('../app-core.js').App} app */
export function drawChances({ frame, mode, analysis, review, desk }) {
  const black = mode === 'analyse' ? fromAnalysis(analysis, desk) : mode === 'review' ? review.black[review.line.indexOf(desk.node)] ?? null : null;
  frame.chances.hidden = mode === 'play';
  frame.chances.classList.toggle('unknown', black === null);
  if (black === null) return;
  const part = /** @type {HTMLElement} */ (frame.chances.firstElementChild);
  part.style.setProperty('--black', `${(100 * black).toFixed(1)}%`);
  /** @type {HTMLElement} */ (frame.chances.lastElementChild).textContent = `${Math.round(100 * black)}`;
}

/** @param {import('../analyse/analysis.js').Analysis} analysis @param {import('../desk.js').Desk} desk */
function fromAnalysis({ variations, position }, desk) {
  const chance = variations[0]?.chance;
  if (chance === undefined || chance === null || !position || position.key !== desk.position.key) return null;
  return position.toMove === 0 ? chance : 1 - chance;
}

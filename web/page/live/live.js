// The games of a running match on boards, as `tengen match --watch-web` tells of them.

import { takeKey } from '../engine/connect.js';
import { loadPreferences, setTheme } from '../preferences.js';
import { makeBoard, pointsOf } from '../shared/board.js';
import { el } from '../shared/elements.js';
import { t } from '../texts.js';
import { poll } from './poll.js';

/** @typedef {{name: string, clock: string, thinks: boolean, said: string}} Player */
/** @typedef {{number: number, round: number, moves: string, line: string, players: [Player, Player], end: string | null}} Game */
/** @typedef {{event: string, rule: string, size: [number, number], from_bottom: boolean, standing: string[], notice: string, over: boolean, games: Game[], last: string[]}} Match */

/** Milliseconds between two questions. */
const BEAT = 500;
/** Milliseconds after a question that failed. */
const PATIENCE = 3000;

const key = takeKey();
const title = el('h1', {}, t.live.waiting);
const facts = el('p', { class: 'soft' });
const standing = el('p', { class: 'standing' });
const notice = el('p', { class: 'notice', role: 'status' });
const games = el('div', { class: 'games' });
const ends = el('ul', { class: 'ends' });
const endsBox = el('section', { hidden: '' }, el('h2', {}, t.live.ends), ends);

/** The cards of games by their numbers. @type {Map<number, ReturnType<typeof makeCard>>} */
const cards = new Map();

/** @param {0 | 1} color */
function makePlayer(color) {
  const [name, clock, said] = ['name', 'clock', 'said'].map((kind) => el('span', { class: kind }));
  const box = el('div', { class: 'player' }, el('span', { class: `stone ${['black', 'white'][color]}`, role: 'img', 'aria-label': t.colors[color] }), name, clock, said);
  /** @param {Player} player */
  const show = (player) => {
    [name.textContent, clock.textContent, said.textContent] = [player.name, player.clock, player.said];
    box.classList.toggle('thinks', player.thinks);
  };
  return { box, show };
}

/** @param {Match} match @param {Game} game */
function makeCard(match, game) {
  const board = makeBoard({ size: match.size, fromBottom: match.from_bottom });
  const players = [makePlayer(0), makePlayer(1)];
  const end = el('p', { class: 'end' });
  const box = el('article', { class: 'game card' },
    el('h2', {}, t.live.game(game.number, game.round)), players.map((player) => player.box), board.picture, end);
  let shown = '';
  /** @param {Game} now */
  const show = (now) => {
    players.forEach((player, color) => player.show(now.players[color]));
    end.textContent = now.end ?? '';
    if (shown === now.moves + now.line) return;
    shown = now.moves + now.line;
    const stones = pointsOf(now.moves).map((point, i) => ({ point, color: i % 2, number: i + 1 }));
    board.show({ stones, line: pointsOf(now.line) });
    board.picture.setAttribute('aria-label', t.live.board(stones.length, stones.length > 0 ? board.name(/** @type {[number, number]} */ (stones[stones.length - 1].point)) : ''));
  };
  return { box, show };
}

/** @param {Match} match */
function show(match) {
  title.textContent = match.event;
  document.title = match.standing.length > 0 ? `${match.standing[0]} – ${match.event}` : match.event;
  facts.textContent = `${t.rules[/** @type {keyof typeof t.rules} */ (match.rule)] ?? match.rule} ${match.size.join('×')}`;
  standing.replaceChildren(...match.standing.map((part) => el('span', {}, part)));
  notice.textContent = match.over ? t.live.over : match.notice;
  for (const [number, card] of cards) {
    if (match.games.every((game) => game.number !== number)) {
      card.box.remove();
      cards.delete(number);
    }
  }
  for (const game of match.games) {
    let card = cards.get(game.number);
    if (!card) {
      card = makeCard(match, game);
      cards.set(game.number, card);
      games.append(card.box);
    }
    card.show(game);
  }
  ends.replaceChildren(...match.last.map((line) => el('li', {}, line)));
  endsBox.hidden = match.last.length === 0;
}

/** Asks once. @returns {Promise<boolean>} whether there will be more */
async function ask() {
  const response = await fetch('api/match', { headers: key ? { 'X-Tengen-Key': key } : {} });
  if (response.status === 401) {
    notice.textContent = t.engine.key;
    return false;
  }
  if (!response.ok) throw new Error(response.statusText);
  const match = await response.json();
  // There is none before the first game begins.
  if (match) show(match);
  return !match?.over;
}

document.documentElement.lang = t.language;
setTheme(loadPreferences().theme);
document.body.append(el('main', {}, title, facts, standing, notice, games, endsBox));
const askNow = poll(ask, () => { notice.textContent = t.live.gone; }, { beat: BEAT, patience: PATIENCE });
// The timers of a page that nobody sees are slow.
document.addEventListener('visibilitychange', () => { if (!document.hidden) askNow(); });

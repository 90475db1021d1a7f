// The probe of the report of a match: opens the second game, goes through it with keys, slider and buttons,
// copies and saves it, sorts and filters the list.
'use strict';

/* global probe, board, data, endSentence, pointsOf, replay, sgfText */

probe.run(async () => {
  const { expect, key, slide, stonesShown, wait } = probe;
  location.hash = 'game=2';
  await wait(50);
  const moves = data.games.find((game) => game.n === 2).m.length / 2;
  expect('title', document.getElementById('replay-title').textContent.startsWith('Game 2:'), true);
  expect('stones at the end', stonesShown(), moves);
  expect('winning line', document.querySelectorAll('#line').length, data.games[1].l ? 1 : 0);
  for (let ply = moves - 1; ply >= 0; ply -= 1) {
    key('ArrowLeft');
    expect('stones after a key', stonesShown(), ply);
  }
  document.getElementById('to-next').click();
  expect('stones after a button', stonesShown(), 1);
  slide(3);
  expect('stones after the slider', stonesShown(), 3);
  document.querySelector('#moves tbody tr').click();
  expect('stones after a move of the table', stonesShown(), 1);
  // The browser's own clipboard answers when it has time, which the clock of a page does not wait for. One that
  // takes the text, one that refuses it, and none, as for a page that was opened from a file.
  const copy = document.getElementById('copy');
  const position = document.getElementById('position');
  const first = board.name(replay.game.moves[0].point);
  const [column, row] = replay.game.moves[0].point;
  expect('a cell as the console names it', first, String.fromCharCode(97 + column) + (data.bottom ? data.summary.size[1] - row : row + 1));
  const stone = document.querySelector('#board #stones circle');
  expect('the row of the first stone', Number(stone.getAttribute('cy')), board.place([0, 0])[1] + 32 * row);
  const fives = data.games.filter((game) => game.e === 'five' && game.d);
  fives.forEach((game) => {
    const [from, to] = [game.l.slice(0, 2), game.l.slice(-2)].map((cell) => board.name(pointsOf(cell)[0]));
    expect('a five as the console tells it', endSentence(game), data.bottom ? `five ${from} to ${to}` : game.d);
  });
  let copied = '';
  await copyTo({ async writeText(text) { copied = text; } });
  expect('copied', [copied, copy.textContent, position.hidden].join(), `${first},copied,true`);
  for (const clipboard of [{ async writeText() { throw new Error('not allowed'); } }, undefined]) {
    position.hidden = true;
    position.value = '';
    await copyTo(clipboard);
    expect('shown to be copied', [position.value, position.hidden].join(), `${first},false`);
  }
  let saved = '';
  HTMLAnchorElement.prototype.click = function () { saved = this.download; };
  document.getElementById('save').click();
  expect('saved', saved, 'game-2.sgf');
  expect('moves in the Smart Game Format', sgfText(replay.game).match(/;[BW]\[[a-v]{2}\]/g).length, moves);
  document.getElementById('game-next').click();
  expect('next game', location.hash, '#game=3');
  document.querySelectorAll('#list th button').forEach((button) => button.click());
  expect('games in the list', document.querySelectorAll('#list tbody tr').length, Math.min(25, data.games.length));
  const player = document.getElementById('by-player');
  player.value = '1';
  player.dispatchEvent(new Event('change'));
  expect('games of a player', document.querySelectorAll('#list tbody tr').length, Math.min(25, data.summary.players[1].all.games));
  expect('images', document.images.length, 0);
  expect('charts', document.querySelectorAll('main svg').length > 4, true);
});

async function copyTo(clipboard) {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
  document.getElementById('copy').click();
  await probe.wait(50);
}

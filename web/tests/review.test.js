// Reviews by plain searches.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../page/desk.js';
import { gamesOfSgf } from '../page/game/record.js';
import { Review } from '../page/review/review.js';

test('a game from a set-up position is reviewed by searches of its positions', async () => {
  /** @type {any[]} */
  const asked = [];
  // The side to move always has three chances in four, so each move loses half of a game.
  /** @type {any} */
  const client = {
    ask(question) {
      asked.push(question.position);
      question.onVariation({ index: 0, chance: 0.75, mate: null, score: '', moves: [[0, 0]] });
      return { drop() {}, stop() {}, answer: Promise.resolve({ kind: 'moves', points: [[0, 0]] }) };
    },
  };
  const desk = new Desk();
  desk.load(gamesOfSgf('(;GM[4]SZ[15]AB[hh][hi]AW[ii]PL[W];W[gg];B[ff])')[0]);
  const review = new Review(desk, client);
  await review.begin();
  assert.deepEqual([review.state, review.problem], ['done', null]);
  assert.deepEqual(asked.map(({ stones, toMove }) => [stones.length, toMove]), [[5, 1], [4, 0], [3, 1]]);
  assert.deepEqual(review.black, [0.25, 0.75, 0.25]);
  assert.deepEqual(desk.game.mainLine.slice(1).map((node) => node.review && [node.review.before, node.review.after]), [[0.75, 0.25], [0.75, 0.25]]);

  assert.ok(review.isWhole);
  desk.remove(desk.game.mainLine[2]);
  assert.ok(!review.isWhole, 'a move that was reviewed is gone');

  for (const text of ['(;GM[4]SZ[15];B[hh];W[];B[gg])', '(;GM[4]SZ[15];B[hh];AB[ii])']) {
    desk.load(gamesOfSgf(text)[0]);
    await review.begin();
    assert.equal(review.problem, 'setup', text);
  }
});

test('a game in which white begins, or a colour moves twice, is reviewed by searches for who moves', async () => {
  /** @type {any[]} */
  const asked = [];
  // Black has three chances in four everywhere.
  /** @type {any} */
  const client = {
    ask(question) {
      asked.push(question.position);
      question.onVariation({ index: 0, chance: question.position.toMove === 0 ? 0.75 : 0.25, mate: null, score: '', moves: [[0, 0]] });
      return { drop() {}, stop() {}, answer: Promise.resolve({ kind: 'moves', points: [[0, 0]] }) };
    },
  };
  const desk = new Desk();
  const review = new Review(desk, client);
  for (const [text, movers] of [['(;GM[4]SZ[15];W[hh];B[ii])', [1, 0, 1]], ['(;GM[4]SZ[15];B[hh];B[ii];W[jj])', [0, 1, 0, 0]]]) {
    asked.length = 0;
    desk.load(gamesOfSgf(text)[0]);
    await review.begin();
    assert.equal(review.problem, null, text);
    assert.deepEqual(asked.map(({ toMove }) => toMove), movers, text);
    assert.ok(review.black.every((share) => share === 0.75), text);
  }
});

// Opening rules: who does what, where, and what counts as the same offer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Adviser } from '../page/play/adviser.js';
import { cellAt } from '../page/game/points.js';
import { swap2Question } from '../page/engine/questions.js';
import { Game } from '../page/game/tree.js';
import { beginOpening, chosen, fifthsOf, isInZone, offered, openingsOf, stonePlaced, taskOf } from '../page/play/openings.js';
import { areEquivalent } from '../page/play/symmetry.js';

/** @typedef {import('../page/play/openings.js').OpeningRule} OpeningRule */

const SIZE = /** @type {[number, number]} */ ([15, 15]);
const OFFERS = [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [0, 6], [0, 7], [0, 8], [0, 9]];

/** Goes through an opening: a number places stones, a text chooses, `offer` and `pick` do that. Returns who acted, and the end. */
function walk(/** @type {OpeningRule} */ rule, ...steps) {
  let state = beginOpening(rule);
  let placed = 0;
  const acted = [];
  for (const step of steps) {
    const task = taskOf(state, placed);
    assert.ok(task, `${rule} has ended before ${step}`);
    acted.push(`${task.actor} ${task.kind}`);
    if (step === 'offer') state = offered(state, OFFERS.slice(0, task.count));
    else if (step === 'pick') state = stonePlaced(state, placed += 1);
    else if (typeof step === 'string') state = chosen(state, step);
    else for (let i = 0; i < step; i += 1) state = stonePlaced(state, placed += 1);
  }
  return { acted, black: state.black, task: taskOf(state, placed), placed, fixed: state.fixed };
}

test('swap2', () => {
  assert.deepEqual(walk('swap2', 3, 'black'), { acted: ['A stones', 'B choice'], black: 'B', task: null, placed: 3, fixed: 3 });
  assert.equal(walk('swap2', 3, 'white').black, 'A');
  assert.deepEqual(walk('swap2', 3, 'two', 2).task, { actor: 'A', kind: 'choice', options: ['white', 'black'] });
  assert.equal(walk('swap2', 3, 'two', 2, 'white').black, 'B');
  assert.equal(walk('swap2', 3, 'two', 2, 'black').black, 'A');
  assert.throws(() => walk('swap2', 3, 'two', 2, 'two'));
  assert.throws(() => walk('swap2', 3, 'constructor'));
});

test('RIF: an opening, a swap, two fifth stones', () => {
  const kept = walk('rif', 3, 'keep', 1, 'offer', 'pick');
  assert.deepEqual(kept, { acted: ['A stones', 'B choice', 'B stones', 'A offer', 'B pick'], black: 'A', task: null, placed: 5, fixed: 5 });
  assert.deepEqual(walk('rif', 3, 'swap', 1, 'offer', 'pick').acted, ['A stones', 'B choice', 'A stones', 'B offer', 'A pick']);
  assert.deepEqual(walk('rif', 3, 'keep', 1).task, { actor: 'A', kind: 'offer', count: 2 });
});

test('Yamaguchi and Soosõrv name the number of fifth stones', () => {
  assert.deepEqual(walk('yamaguchi', 3, '4', 'swap', 1).task, { actor: 'B', kind: 'offer', count: 4 });
  assert.deepEqual(walk('soosyrv-8', 3, 'keep', 1, '8', 'swap').task, { actor: 'B', kind: 'offer', count: 8 });
  assert.deepEqual(walk('soosyrv-8', 3, 'keep', 1, '1', 'keep', 'offer', 'pick').black, 'A');
  for (const number of ['0', '9', '1.5', 'x']) assert.throws(() => walk('soosyrv-8', 3, 'keep', 1, number), number);
});

test('Taraguchi-10 has a swap after each stone, or ten fifth stones', () => {
  const squares = walk('taraguchi-10', 1, 'keep', 1, 'swap', 1, 'keep', 1, 'keep', 1, 'keep');
  assert.deepEqual(squares, {
    acted: ['A stones', 'B choice', 'B stones', 'A choice', 'B stones', 'A choice', 'A stones', 'B choice', 'B stones', 'A choice'], black: 'B', task: null, placed: 5, fixed: 5,
  });
  const ten = walk('taraguchi-10', 1, 'keep', 1, 'keep', 1, 'keep', 1, 'ten');
  assert.deepEqual(ten.task, { actor: 'A', kind: 'offer', count: 10 });
  // Whoever swaps after the fourth stone has no offers.
  const swapped = walk('taraguchi-10', 1, 'keep', 1, 'keep', 1, 'keep', 1, 'swap').task;
  assert.deepEqual(swapped, { actor: 'B', kind: 'stones', left: 1, within: 4, beyond: null });
});

test('stones of an opening have their places', () => {
  const first = taskOf(beginOpening('rif'), 0);
  assert.ok(first && isInZone(first, [7, 7], SIZE) && !isInZone(first, [7, 8], SIZE));
  const third = taskOf(beginOpening('rif'), 2);
  assert.ok(third && isInZone(third, [9, 9], SIZE) && !isInZone(third, [10, 7], SIZE));
  const pro = walk('pro', 1, 1).task;
  assert.ok(pro && !isInZone(pro, [9, 9], SIZE) && isInZone(pro, [10, 7], SIZE));
  assert.equal(walk('long-pro', 1, 1, 1).task, null);
  for (const rule of ['renju', 'standard']) for (const opening of openingsOf(rule)) assert.ok(opening === 'free' || taskOf(beginOpening(opening), 0), opening);
});

/** An adviser whose engine thinks of positions as `chances` says: the best moves with their chances. */
function adviser(chances) {
  const ask = ({ position, lines: [line], onVariation }) => {
    const known = chances(position).slice(0, Number(line.split(' ')[1]));
    known.forEach(([point, chance], index) => onVariation({ index, chance, mate: null, score: '', moves: [point] }));
    return { drop() {}, stop() {}, answer: Promise.resolve({ kind: 'moves', points: [known[0][0]] }) };
  };
  return new Adviser(/** @type {any} */ ({ ask }), { drop() {} });
}

/** A position after moves. */
function after(...cells) {
  const game = new Game();
  return game.position(cells.reduce((node, cell) => game.play(node, cellAt(cell, SIZE)), game.root));
}

test('where no good move is allowed, the engine takes one that is near', async () => {
  // It knows of the middle only, and likes stones in the tenth column.
  const engine = adviser((position) => [[[7, 6], position.stones.some(({ point: [x] }) => x === 10) ? 0.3 : 0.6], [[6, 7], 0.2]]);
  for (const [rule, least] of [['pro', 3], ['long-pro', 4]]) {
    const { task } = walk(/** @type {OpeningRule} */ (rule), 1, 1);
    const position = after('h8', 'i9');
    for (let i = 0; i < 20; i += 1) {
      const advice = await engine.advise({ rule, task, position, placed: [], isBlack: true, fifths: 1 });
      const [point] = advice?.points ?? [];
      assert.ok(isInZone(task, point, SIZE), `${rule}: ${point}`);
      assert.ok(Math.max(...point.map((place) => Math.abs(place - 7))) <= least + 1, `${rule}: ${point}`);
    }
  }
});

test('an engine may be silent about swap2', () => {
  assert.equal(swap2Question(after('h8'), [[7, 7]], 100).beyond, 'SWAP2BOARD');
});

test('black offers fifth stones of which white keeps the worst', async () => {
  const points = [[3, 3], [3, 5], [4, 9], [5, 2], [9, 12], [11, 4], [12, 10], [13, 1]];
  const engine = adviser(({ stones }) => points.map((point, i) => [point, stones.length === 3 ? 0.4 : 0.7 - i / 20]));
  const choose = (count, isBlack, ...cells) => engine.advise({
    rule: 'soosyrv-8', task: { actor: 'A', kind: 'choice', options: ['keep', 'swap'] }, position: after(...cells), placed: [], isBlack, fifths: count,
  });
  const four = ['h8', 'i9', 'g5', 'e7'];
  for (const [count, isBlack, option] of [[1, true, 'keep'], [8, true, 'swap'], [1, false, 'swap'], [8, false, 'keep']]) {
    assert.equal((await choose(count, isBlack, ...four))?.option, option, `${count} ${isBlack}`);
  }
  // After three stones white places the fourth first.
  assert.equal((await choose(8, true, 'h8', 'i9', 'g5'))?.option, 'swap');
  assert.equal((await choose(2, true, 'h8', 'i9', 'g5'))?.option, 'keep');
  const state = (step, count = 0) => ({ ...beginOpening('yamaguchi'), step, count });
  assert.deepEqual([fifthsOf(state('choice', 5)), fifthsOf({ ...state('choice'), rule: 'rif' }), fifthsOf({ ...state('choice'), rule: 'swap' }), fifthsOf({ ...state('again', 3), rule: 'soosyrv-8' })], [5, 2, 1, 3]);
});

test('offers that are the same, turned or mirrored', () => {
  const stones = [{ point: [7, 7], color: 0 }, { point: [7, 6], color: 1 }, { point: [7, 5], color: 0 }, { point: [7, 4], color: 1 }];
  assert.ok(areEquivalent(stones, [6, 7], [8, 7]));
  assert.ok(!areEquivalent(stones, [6, 7], [6, 6]));
  // Black and white in a square: a turn by half a circle keeps them, though not about the centre of the board.
  const square = [{ point: [7, 7], color: 0 }, { point: [8, 8], color: 0 }, { point: [8, 7], color: 1 }, { point: [7, 8], color: 1 }];
  assert.ok(areEquivalent(square, [6, 6], [9, 9]));
  assert.ok(!areEquivalent(square, [6, 6], [9, 6]));
  assert.ok(areEquivalent(square, [5, 7], [10, 8]));
});

// Positions, trees, threats, clocks and openings.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cellAt, cellName } from '../page/game/points.js';
import { gamesOfSgf } from '../page/game/record.js';
import { threats } from '../page/game/threats.js';
import { Game } from '../page/game/tree.js';
import { Clock, clockText } from '../page/play/clock.js';

/** @returns {any} */
function after(rule, cells, size = [15, 15]) {
  const game = new Game({ size, rule });
  let node = game.root;
  for (const cell of cells.split(' ')) node = game.play(node, cellAt(cell, size));
  return { game, node, position: game.position(node) };
}

test('cells are named from the bottom', () => {
  assert.deepEqual(cellAt('a1', [15, 15]), [0, 14]);
  assert.equal(cellName([0, 14], [15, 15]), 'a1');
  for (const bad of ['p1', 'a0', 'a16', 'aa', '1a', 'a1b', '']) assert.equal(cellAt(bad, [15, 15]), null, bad);
});

test('each rule has its wins', () => {
  const five = 'a8 a1 b8 b1 c8 c1 d8 d1 e8';
  const six = 'a8 a1 b8 b1 c8 c1 e8 e1 f8 f1 d8';
  for (const [rule, line, winner] of [['freestyle', five, 0], ['standard', five, 0], ['renju', five, 0], ['freestyle', six, 0], ['standard', six, null], ['caro', six, 0], ['caro-exact', six, null]]) {
    assert.equal(after(rule, line).position.end?.winner ?? null, winner, `${rule} ${line}`);
  }
  assert.equal(after('renju', six).position.end?.reason, 'forbidden');
  assert.equal(after('caro', 'b8 a8 c8 g8 d8 a1 e8 c1 f8').position.end, null);
});

test('the forbidden points are those of the tests of the engine', () => {
  const lines = readFileSync(new URL('../../tests/data/renju-forbidden.tsv', import.meta.url), 'utf8').trim().split('\n').slice(1);
  assert.ok(lines.length > 10);
  const { position } = after('renju', 'h8 a1 i8 c1 h7 e1 i6 g1');
  assert.deepEqual(position.forbidden().map(({ kind }) => kind).filter((kind) => !['double three', 'double four', 'overline'].includes(kind)), []);
  const cross = after('renju', 'g8 a1 i8 c1 h7 e1 h9 a15').position;
  assert.equal(cross.violation(cellAt('h8', [15, 15])), 'double three');
});

test('a full board is a draw', () => {
  const game = new Game({ size: [5, 5], rule: 'freestyle' });
  let node = game.root;
  const rows = ['a1 b1 a2 b2 b3 a3 b4 a4 a5 b5', 'c1 d1 c2 d2 d3 c3 d4 c4 c5 d5', 'e1 e3 e2 e4 e5'].join(' ').split(' ');
  for (const cell of rows) {
    assert.equal(game.position(node).end, null, cell);
    node = game.play(node, cellAt(cell, [5, 5]));
  }
  assert.deepEqual(game.position(node).end, { winner: null, reason: 'full', line: [] });
});

test('variations are kept, promoted and removed', () => {
  const { game, node } = after('freestyle', 'h8 i9 h10');
  const first = game.root.children[0];
  const other = game.play(first, [0, 0]);
  assert.equal(game.play(first, [0, 0]), other);
  assert.equal(first.children.length, 2);
  game.promote(other);
  assert.equal(first.children[0], other);
  assert.equal(game.length, 5);
  game.makeMain(node);
  assert.equal(game.mainLine[3], node);
  assert.equal(game.remove(other), first);
  assert.equal(first.children.length, 1);
});

test('threats are found by trying', () => {
  const { position } = after('freestyle', 'h8 a1 i8 a2 j8 a3');
  const kinds = Object.fromEntries(threats(position, 0).map(({ point, kind }) => [cellName(point, position.size), kind]));
  assert.equal(kinds.g8, 'open four');
  assert.equal(kinds.k8, 'open four');
  assert.equal(kinds.f8, 'four');
  assert.deepEqual(threats(position, 1).map(({ kind }) => kind), ['four', 'four']);
  const four = after('freestyle', 'h8 a1 i8 a2 j8 a3 k8').position;
  assert.deepEqual(threats(four, 0).filter(({ kind }) => kind === 'five').map(({ point }) => cellName(point, four.size)).sort(), ['g8', 'l8']);
});

test('a clock counts what each colour has used', () => {
  let now = 0;
  const clock = new Clock({ minutes: 1, increment: 2 }, () => now);
  clock.start(0);
  now = 5000;
  assert.equal(clock.left(0), 55_000);
  assert.equal(clock.left(1), 60_000);
  clock.count([{ color: 0, ms: 5000 }]);
  clock.stop();
  assert.equal(clock.left(0), 57_000);
  assert.deepEqual([61_000, 60_000, 9_940, 3_600_000, -5].map(clockText), ['1:01', '1:00', '10.0', '1:00:00', '0.0']);
});

/** An element that takes everything and is nothing. */
const element = () => new Proxy(() => {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : element()), apply: () => false, set: () => true });

test('of a hostile tree only so many moves are shown', async () => {
  const { MoveTree } = await import('../page/ui/move-tree.js');
  Object.assign(globalThis, { document: { createElement: element, activeElement: null } });
  for (const text of ['(;B[hh])'.repeat(9000), ';B[]'.repeat(9000), '(;B[];W[])'.repeat(9000)]) {
    const [game] = gamesOfSgf(`(;SZ[15]${text})`);
    const tree = new MoveTree(/** @type {any} */ ({ game, node: game.root, goTo() {} }));
    tree.draw();
    assert.ok(tree.buttons.size >= 4000 && tree.buttons.size < 4010, String(tree.buttons.size));
  }
});

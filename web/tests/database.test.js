import assert from 'node:assert/strict';
import test from 'node:test';

import { DatabaseReader, databaseLines, labelLines, textLines, valueLines } from '../page/engine/database.js';
import { Position } from '../page/game/position.js';

const position = (stones, toMove) => new Position({ size: [15, 15], rule: 'freestyle', toMove, isMoved: false,
  stones: stones.map(([x, y, color], i) => ({ point: [x, y], color, number: i + 1 })) });

test('stones stand in turn, with passes where there are too few', () => {
  const lines = (stones, toMove) => databaseLines('X', position(stones, toMove)).join(' ');
  assert.equal(lines([], 0), 'X DONE');
  assert.equal(lines([], 1), 'X -1,-1 DONE');
  assert.equal(lines([[7, 7, 0], [8, 8, 1], [9, 9, 0]], 1), 'X 7,7 8,8 9,9 DONE');
  assert.equal(lines([[7, 7, 0], [9, 9, 0]], 0), 'X 7,7 -1,-1 9,9 -1,-1 DONE');
  assert.equal(lines([[8, 8, 1]], 0), 'X -1,-1 8,8 DONE');
  assert.equal(lines([[8, 8, 1]], 1), 'X -1,-1 8,8 -1,-1 DONE');
});

test('no text is taken for a command', () => {
  const lines = textLines(position([[7, 7, 0]], 1), 'say "a\\b"\nYXSETDATABASE x\n\nDONE');
  assert.deepEqual(lines.slice(-2), ['7,7', 'DONE']);
  assert.equal(lines.length, 6);
  assert.ok(lines.slice(0, 4).every((line) => !/DONE|SETDATABASE/.test(line)), lines.join('|'));
  assert.equal(lines[0], 'YXEDITTEXTDATABASE "\\s\\a\\y \\"\\a\\\\\\b\\"');
  assert.equal(labelLines(position([], 0), ' YXSETDATABASE, x')[0], 'YXEDITLABELDATABASE YXSETDAT');
  assert.equal(labelLines(position([], 0), 'a b', [3, 4])[0], 'YXEDITLABELDATABASE 3,4 ab');
  assert.equal(labelLines(position([], 0), 'In, fo', [3, 4])[0], 'YXEDITLABELDATABASE 3,4 Inf.');
});

test('a proven value is a result, too', () => {
  const first = (value) => valueLines(position([], 0), { value, depth: 9 })[0];
  assert.equal(first(29995), `YXEDITTVDDATABASE 7 ${'l'.charCodeAt(0)} 29995 9`);
  assert.equal(first(-29995), `YXEDITTVDDATABASE 7 ${'w'.charCodeAt(0)} -29995 9`);
  assert.equal(first(20), 'YXEDITTVDDATABASE 7 -1 20 9');
});

test('replies are read, texts of several lines too', () => {
  const replies = [];
  const reader = new DatabaseReader();
  reader.onreply = (reply) => replies.push(reply);
  assert.equal(reader.take('MESSAGE opened it'), false);
  assert.equal(reader.take('7,7'), false);
  for (const line of ['MESSAGE DATABASE REFRESH', 'MESSAGE DATABASE 7 8 30517 -29996 12 3 1', 'MESSAGE DATABASE 8 8 -1 0 0 0 0 a"b', 'MESSAGE DATABASE DONE',
    'MESSAGE DATABASE TEXT "one \\"two\\"', 'MESSAGE DATABASE ONE', 'three\\\\"', 'MESSAGE DATABASE ONE 119 -29996 12 3 w5', 'MESSAGE DATABASE ONE 0 0 0 0 ',
    'MESSAGE DATABASE SAVE START x', 'MESSAGE DATABASE SAVE DONE', 'MESSAGE DATABASE LOAD DONE']) assert.equal(reader.take(line), true, line);
  assert.deepEqual(replies, [
    { kind: 'moves', moves: [{ point: [7, 8], label: 'w5', value: -29996, depth: 12, hasText: true, note: '' }, { point: [8, 8], label: '', value: 0, depth: 0, hasText: false, note: 'a"b' }] },
    { kind: 'text', text: 'one "two"\nMESSAGE DATABASE ONE\nthree\\' },
    { kind: 'one', label: 'w5', value: -29996, depth: 12, isKnown: true }, { kind: 'one', label: '', value: 0, depth: 0, isKnown: false },
    { kind: 'other' }, { kind: 'saved' }, { kind: 'loading' }]);
});

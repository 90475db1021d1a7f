import assert from 'node:assert/strict';
import test from 'node:test';

import { Database } from '../page/analyse/database.js';
import { Desk } from '../page/desk.js';
import { EngineClient } from '../page/engine/client.js';
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
    { kind: 'other' }, { kind: 'saved', file: 'x' }, { kind: 'loading' }]);
});

/** A database beside an analysis, with an engine that is driven by the test. */
function makeDatabase() {
  Object.assign(globalThis, { window: globalThis });
  const engine = { sent: /** @type {string[]} */ ([]), online: (_line) => {}, onstate: (_state) => {}, send: (line) => engine.sent.push(line), close: () => {} };
  const client = new EngineClient(engine);
  const desk = new Desk();
  const database = new Database(desk, client);
  client.onstate = () => { if (client.isReady) database.restart(); };
  const say = (...lines) => lines.forEach((line) => engine.online(line));
  return {
    engine, desk, database, say,
    state: (state) => engine.onstate({ state }),
    /** What was sent, in short: files, texts without their escapes, and what puts files away. */
    told: () => engine.sent.splice(0).flatMap((line) => {
      const [word, ...rest] = line.replace(/\\/g, '').split(' ');
      if (word === 'YXSETDATABASE' || word === 'YXEDITTEXTDATABASE') return [rest.join(' ')];
      return line === 'INFO usedatabase 0' ? ['-'] : [];
    }),
    opens: () => say('OK', 'MESSAGE DATABASE REFRESH', 'MESSAGE DATABASE DONE', 'MESSAGE DATABASE TEXT ""', 'MESSAGE DATABASE ONE 0 0 0 0 '),
    saves: (path) => say(`MESSAGE DATABASE SAVE START ${path}`, 'MESSAGE DATABASE SAVE DONE', `MESSAGE saved ${path}: 1 position`),
    type: (text) => { database.write(text); database.flush(); },
    end: () => { clearTimeout(database.timer); clearTimeout(database.typing); },
  };
}

/** One that shows a file. */
function openDatabase(name) {
  const made = makeDatabase();
  made.state('ready');
  made.database.show(true);
  made.database.open(name);
  made.opens();
  assert.deepEqual([made.told(), made.database.phase], [['-', name], 'open']);
  return made;
}

test('a change is told to its own file only, and waits until that can be opened', () => {
  const { database, state, say, told, opens, saves, type, end } = openDatabase('A.db');
  state('gone');
  type('of A');
  assert.deepEqual([told(), database.isSaved, database.isHeard, database.text], [[], false, false, 'of A']);
  state('resumed');
  // The engine would write to what was open before.
  assert.deepEqual(told(), ['-', 'A.db', '"of A"']);
  say('OK', 'ERROR cannot open /x/A.db');
  assert.deepEqual([database.phase, database.isHeard], ['closed', false]);
  database.open('B.db');
  opens();
  assert.deepEqual([told(), database.phase, database.text, database.isSaved, database.isHeard], [['-', 'B.db'], 'open', '', true, false]);
  type('of B');
  assert.deepEqual([told(), database.isSaved], [['"of B"'], false]);
  saves('/x/AB.db');
  assert.equal(database.isSaved, false);
  saves('/x/B.db');
  assert.deepEqual([database.isSaved, database.isHeard], [true, false]);
  opens();
  database.close();
  assert.deepEqual(told(), ['-']);
  // Where nothing is shown it is tried again.
  state('gone');
  state('resumed');
  assert.deepEqual(told(), ['-', 'A.db', '"of A"', '-']);
  saves('C:\\x\\A.db');
  assert.deepEqual([database.isHeard, database.unsaved], [true, []]);
  end();
});

test('what was changed while the engine was away is told although a game is played meanwhile', () => {
  const { database, state, told, opens, saves, type, end } = openDatabase('A.db');
  state('gone');
  type('typed');
  database.show(false);
  assert.deepEqual([told(), database.isHeard], [[], false]);
  state('resumed');
  assert.deepEqual([told(), database.isHeard], [['-', 'A.db', '"typed"', '-'], true]);
  saves('/x/A.db');
  assert.ok(database.isSaved);
  database.show(true);
  assert.deepEqual(told(), ['-', 'A.db']);
  opens();
  // A file is put away although nothing was changed.
  state('gone');
  database.close();
  state('resumed');
  assert.deepEqual(told(), ['-']);
  end();
});

test('a page that comes back to play puts away what the page before it has opened', () => {
  const { database, state, told, end } = makeDatabase();
  database.name = 'A.db';
  state('ready');
  assert.deepEqual(told(), []);
  state('gone');
  state('resumed');
  assert.deepEqual(told(), ['-']);
  end();
});

test('what a file that can only be read has not taken is not saved', () => {
  const { database, state, say, told, opens, saves, type, end } = openDatabase('A.db');
  state('gone');
  type('typed');
  state('ready');
  told();
  say('OK', 'MESSAGE opened /x/A.db for reading only, as it is locked: 1 position');
  opens();
  say('ERROR the database is only read');
  saves('/x/A.db');
  assert.deepEqual([database.isReadOnly, database.isSaved, database.isHeard, database.text], [true, false, false, 'typed']);
  // Later it can be written.
  database.open('A.db');
  assert.deepEqual(told(), ['-', 'A.db', '"typed"']);
  saves('/x/A.db');
  assert.deepEqual([database.isReadOnly, database.isHeard], [false, true]);
  end();
});

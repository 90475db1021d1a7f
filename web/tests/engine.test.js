// What is said to engines and what they say.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineClient } from '../page/engine/client.js';
import { bestQuestion, moveQuestion, reviewQuestion, strengthOf } from '../page/engine/questions.js';
import { VariationReader, parseReply } from '../page/engine/replies.js';
import { Game } from '../page/game/tree.js';

/** An engine that is driven by the test. */
function makeEngine() {
  const engine = { sent: /** @type {string[]} */ ([]), online: (_line) => {}, onstate: (_state) => {}, send: (line) => engine.sent.push(line), close: () => {} };
  const take = () => engine.sent.splice(0);
  return { engine, take };
}

/** A client of such an engine that is ready. */
function makeClient() {
  const { engine, take } = makeEngine();
  const client = new EngineClient(engine);
  engine.onstate({ state: 'ready' });
  return { engine, take, client };
}

function makePosition(...points) {
  const game = new Game();
  let node = game.root;
  for (const point of points) node = game.play(node, point);
  return game.position(node);
}

const tick = () => new Promise((resolve) => { setTimeout(resolve, 0); });

test('lines of an engine are understood', () => {
  assert.deepEqual(parseReply('7,8\r'), { kind: 'moves', points: [[7, 8]] });
  assert.deepEqual(parseReply('1,2 3,4 5,6'), { kind: 'moves', points: [[1, 2], [3, 4], [5, 6]] });
  assert.deepEqual(parseReply('SWAP'), { kind: 'swap' });
  assert.deepEqual(parseReply('UNKNOWN command PROVE'), { kind: 'unknown', text: 'command PROVE' });
  assert.deepEqual(parseReply('MESSAGE REVIEW {"ply":1}'), { kind: 'json', name: 'REVIEW', value: { ply: 1 } });
  assert.equal(parseReply('MESSAGE REVIEW {broken').kind, 'message');
  assert.equal(parseReply('').kind, 'other');
  const reader = new VariationReader();
  let variation = null;
  for (const line of ['PV 1', 'NUMPV 2', 'DEPTH 11', 'SELDEPTH 21', 'NODES 100', 'TOTALTIME 50', 'SPEED 2000', 'EVAL -M6', 'WINRATE 0.0001', 'DRAWRATE 0.0', 'BESTLINE 8,7 6,7', 'PV DONE']) {
    const reply = parseReply(`INFO ${line}`);
    if (reply.kind === 'info') variation = reader.take(reply.key, reply.value);
  }
  assert.deepEqual(variation, { index: 1, depth: 11, deepest: 21, nodes: 100, ms: 50, speed: 2000, score: '-M6', mate: -6, chance: 0.0001, draw: 0, moves: [[8, 7], [6, 7]] });
});

test('levels are values of strength', () => {
  assert.deepEqual([1, 2, 9, 10].map(strengthOf), [5, 16, 94, 100]);
});

test('a question brings its position', async () => {
  const { engine, take } = makeEngine();
  const client = new EngineClient(engine);
  const asked = client.ask(moveQuestion(makePosition([7, 7], [8, 8]), { level: 3, turnMs: 5000, leftMs: null }));
  assert.deepEqual(take(), []);
  engine.onstate({ state: 'ready' });
  const lines = take();
  assert.equal(lines[0], 'START 15');
  assert.ok(lines.includes('INFO rule 0') && lines.includes('INFO strength 27'));
  assert.deepEqual(lines.slice(-4), ['BOARD', '7,7,1', '8,8,2', 'DONE']);
  engine.online('9,9');
  engine.online('OK');
  engine.online('6,6');
  assert.deepEqual(await asked.answer, { kind: 'moves', points: [[6, 6]], wasStopped: false });
});

test('values are whole numbers, and a clock that has run out is a limit', () => {
  for (const [turnMs, leftMs, told] of [[1234.567, 9876.54, '1234 9876 9876'], [0.4, 0.4, '1 1 1'], [-3.2, -3.2, '1 1 1'], [3000, null, '3000 0 2147483647']]) {
    const { take, client } = makeClient();
    client.settings = { max_memory: 1000.5 };
    client.ask(moveQuestion(makePosition([7, 7]), { level: 10, turnMs, leftMs }));
    const lines = take();
    const values = ['timeout_turn', 'timeout_match', 'time_left', 'max_memory'].map((key) => lines.find((line) => line.startsWith(`INFO ${key} `))?.split(' ')[2]);
    assert.equal(values.join(' '), `${told} 1000`);
  }
});

test('a new question ends the one before', async () => {
  const { engine, take, client } = makeClient();
  const seen = [];
  const first = client.ask(bestQuestion(makePosition([7, 7]), { best: 3, onVariation: (variation) => seen.push(variation) }));
  engine.online('OK');
  take();
  const second = client.ask(bestQuestion(makePosition([7, 7], [8, 8]), { best: 3, onVariation: () => {} }));
  assert.deepEqual(take(), ['STOP']);
  assert.deepEqual(await first.answer, { kind: 'dropped' });
  for (const line of ['INFO PV 0', 'INFO BESTLINE 1,1', 'INFO PV DONE']) engine.online(line);
  assert.deepEqual(seen, []);
  engine.online('1,1');
  assert.deepEqual(take(), ['YXBOARD', '7,7,1', '8,8,2', 'DONE', 'YXNBEST 3']);
  engine.online('2,2');
  assert.equal((await second.answer).kind, 'moves');
});

test('an engine that died is asked again', async () => {
  const { engine, take, client } = makeClient();
  const asked = client.ask(moveQuestion(makePosition(), { level: 10, turnMs: 1000, leftMs: 30_000 }));
  engine.online('OK');
  assert.equal(take().at(-1), 'BEGIN');
  engine.onstate({ state: 'gone', reason: 'died' });
  engine.onstate({ state: 'ready' });
  const again = take();
  assert.equal(again[0], 'START 15');
  assert.ok(again.includes('INFO time_left 30000'));
  engine.online('OK');
  engine.online('7,7');
  assert.equal((await asked.answer).kind, 'moves');
  engine.onstate({ state: 'gone', reason: 'died' });
  const dropped = client.ask(moveQuestion(makePosition(), { level: 1, turnMs: 1000, leftMs: null }));
  dropped.drop();
  engine.onstate({ state: 'resumed' });
  assert.deepEqual(await dropped.answer, { kind: 'dropped' });
  take();
  client.ask(moveQuestion(makePosition(), { level: 1, turnMs: 1000, leftMs: null }));
  assert.ok(take().includes('INFO max_node 0'));
});

test('a review ends with its last object, and an engine without reviews says so', async () => {
  const { engine, take, client } = makeClient();
  const seen = [];
  const question = () => reviewQuestion(makePosition(), [[7, 7]], 100, (value) => { seen.push(value); return !!value.done; });
  const asked = client.ask(question());
  engine.online('OK');
  assert.ok(take().includes('INFO max_node 100'));
  engine.online('MESSAGE REVIEW {"ply":1}');
  engine.online('MESSAGE REVIEW {"done":true}');
  assert.deepEqual(await asked.answer, { kind: 'json' });
  assert.equal(seen.length, 2);
  const other = client.ask(question());
  await tick();
  engine.online('UNKNOWN command REVIEW');
  assert.deepEqual(await other.answer, { kind: 'unknown' });
  take();
  // The lines of the review are not understood either, which must not be taken for the answer to what comes next.
  const next = client.ask(moveQuestion(makePosition([7, 7]), { level: 10, turnMs: 100, leftMs: null }));
  assert.deepEqual(take().filter((line) => /START|max_node/.test(line)), ['START 15', 'INFO max_node 0']);
  engine.online('UNKNOWN command 7,7');
  engine.online('UNKNOWN command DONE');
  engine.online('OK');
  engine.online('8,8');
  assert.deepEqual(await next.answer, { kind: 'moves', points: [[8, 8]], wasStopped: false });
});

test('an engine that is silent about a command does not know it, and goes on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { engine, take, client } = makeClient();
  const best = () => bestQuestion(makePosition([7, 7]), { best: 1, ms: 1000, onVariation: () => {} });
  const hint = client.ask(best());
  engine.online('OK');
  t.mock.timers.tick(5900);
  assert.equal(client.asked?.isDone, false);
  t.mock.timers.tick(200);
  assert.deepEqual(await hint.answer, { kind: 'unknown' });
  take();
  // What it says at last is about what was before, until there is a new board.
  const move = client.ask(moveQuestion(makePosition([7, 7]), { level: 10, turnMs: 1000, leftMs: null }));
  assert.equal(take()[0], 'START 15');
  engine.online('1,1');
  engine.online('OK');
  engine.online('8,8');
  assert.deepEqual(await move.answer, { kind: 'moves', points: [[8, 8]], wasStopped: false });
  // The next time nobody waits.
  assert.deepEqual(await client.ask(best()).answer, { kind: 'unknown' });
  assert.deepEqual(take(), []);
  // A new process may know it, and one that says anything has all the time.
  engine.onstate({ state: 'ready' });
  const again = client.ask(best());
  engine.online('OK');
  engine.online('INFO DEPTH 1');
  t.mock.timers.tick(60_000);
  assert.equal(client.asked?.isDone, false);
  engine.online('9,9');
  assert.equal((await again.answer).kind, 'moves');
});

test('a dropped question that is ignored is in nobody\u2019s way', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { engine, take, client } = makeClient();
  client.ask(bestQuestion(makePosition([7, 7]), { best: 1, ms: 1000, onVariation: () => {} }));
  engine.online('OK');
  const move = client.ask(moveQuestion(makePosition([7, 7]), { level: 10, turnMs: 1000, leftMs: null }));
  assert.equal(take().at(-1), 'STOP');
  t.mock.timers.tick(7000);
  engine.online('OK');
  engine.online('8,8');
  assert.equal((await move.answer).kind, 'moves');
});

test('a new process may hear what was meant for the one before', async () => {
  const { engine, take, client } = makeClient();
  const first = client.ask(moveQuestion(makePosition([7, 7]), { level: 10, turnMs: 1000, leftMs: null }));
  engine.online('OK');
  engine.online('8,8');
  await first.answer;
  const move = client.ask(moveQuestion(makePosition([7, 7], [8, 8], [6, 6]), { level: 10, turnMs: 1000, leftMs: null }));
  engine.onstate({ state: 'gone', reason: 'killed' });
  take();
  engine.onstate({ state: 'ready' });
  assert.equal(take()[0], 'START 15');
  for (const line of ['ERROR no game', 'UNKNOWN 7,7,2', 'OK', '5,5']) engine.online(line);
  assert.deepEqual(await move.answer, { kind: 'moves', points: [[5, 5]], wasStopped: false });
});

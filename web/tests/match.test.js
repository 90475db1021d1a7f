// Games, proofs and what the browser keeps, while something else is shown or opened.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Desk } from '../page/desk.js';
import { Analysis } from '../page/analyse/analysis.js';
import { Proof } from '../page/analyse/proof.js';
import { cellAt } from '../page/game/points.js';
import { Game } from '../page/game/tree.js';
import { Clock } from '../page/play/clock.js';
import { FIRST_SETTINGS, Match } from '../page/play/match.js';

const cell = (/** @type {string} */ name) => cellAt(name, [15, 15]);

/** An engine that answers when it is told to. */
function silent() {
  /** @type {any[]} */
  const asked = [];
  const client = {
    asked,
    ask(question) {
      const one = { question, dropped: false, answer: null, give: (_) => {} };
      one.promise = new Promise((resolve) => { one.give = resolve; });
      asked.push(one);
      const drop = () => { one.dropped = true; one.give({ kind: 'dropped' }); };
      return { drop, stop() {}, answer: one.promise };
    },
  };
  return client;
}

const rest = () => new Promise((resolve) => { setTimeout(resolve, 0); });

/** A game in which the engine thinks about its first move, and a clock that is moved by hand. */
function thinking() {
  const desk = new Desk();
  const client = silent();
  const match = new Match(desk, /** @type {any} */ (client));
  match.begin({ ...FIRST_SETTINGS, clock: { minutes: 1, increment: 0 } });
  const time = { now: 0 };
  match.clock = new Clock(match.settings.clock, () => time.now);
  match.play(cell('h8'));
  return { desk, client, match, time };
}

test('the engine loses no time while something else is shown, and thinks again afterwards', async () => {
  const { client, match, time } = thinking();
  assert.equal(client.asked.length, 1);
  match.pause();
  await rest();
  assert.ok(client.asked[0].dropped && !match.thinking);
  time.now = 120_000;
  match.checkClock();
  assert.equal(match.result, null);
  match.resume();
  assert.equal(client.asked.length, 2);
  client.asked[1].give({ kind: 'moves', points: [cell('i9')] });
  await rest();
  assert.deepEqual([match.tip.ply, match.isPersonsTurn], [2, true]);
  // The time of a person runs, whatever is shown.
  match.pause();
  time.now += 61_000;
  match.checkClock();
  assert.deepEqual(match.result, { winner: 1, reason: 'time' });
});

test('a game that is taken up beside an analysis waits until it is shown', async () => {
  const { desk, match } = thinking();
  const client = silent();
  const again = new Match(desk, /** @type {any} */ (client));
  again.restore(JSON.parse(JSON.stringify(match.saved())), match.tip, false);
  assert.deepEqual([again.isOn, client.asked.length], [true, 0]);
  again.resume();
  assert.equal(client.asked.length, 1);
});

test('the stones of an opening cannot be played anew', () => {
  const desk = new Desk();
  const match = new Match(desk, /** @type {any} */ (silent()));
  match.begin({ ...FIRST_SETTINGS, side: 'both', opening: 'pro' });
  for (const name of ['h8', 'i8', 'k11', 'l12']) assert.ok(match.play(cell(name)), name);
  const { tip } = match;
  for (const ply of [0, 1, 2]) {
    desk.goTo(desk.game.mainLine[ply]);
    assert.deepEqual([match.refusal(cell('a1')), match.play(cell('a1'))], [{ what: 'agreed' }, false]);
  }
  assert.deepEqual([match.tip, match.isOn, desk.game.length], [tip, true, 5]);
  desk.goTo(desk.game.mainLine[3]);
  assert.ok(match.play(cell('a1')), 'what came after it can');
});

test('a game whose last move was deleted has no result any more', () => {
  const desk = new Desk();
  const match = new Match(desk, /** @type {any} */ (silent()));
  match.begin({ ...FIRST_SETTINGS, side: 'both' });
  for (const name of 'a1 a2 b1 b2 c1 c2 d1 d2 e1'.split(' ')) match.play(cell(name));
  assert.deepEqual([match.result?.winner, desk.game.info.RE], [0, 'B+']);
  const { game } = desk;
  desk.remove(match.tip);
  match.findTip();
  assert.deepEqual([match.result, match.tip.ply, game.info.RE], [null, 8, undefined]);
  // The result of another game is not its matter.
  desk.remove(match.tip);
  desk.load(new Game());
  desk.game.info.RE = 'W+';
  match.findTip();
  assert.deepEqual([match.isOn, desk.game.info.RE], [false, 'W+']);
});

test('a line that was deleted is not brought back in place of another', () => {
  const game = new Game();
  const [one, other] = [game.play(game.root, cell('h8')), game.play(game.root, cell('i9'))];
  game.remove(one);
  const after = game.play(one, cell('a1'));
  game.makeMain(after);
  assert.deepEqual(game.root.children, [other]);
});

test('a line that was tried elsewhere is not taken for the game, and an earlier line of the game is', () => {
  const desk = new Desk();
  const match = new Match(desk, /** @type {any} */ (silent()));
  match.begin({ ...FIRST_SETTINGS, side: 'both', opening: 'free' });
  for (const name of ['h8', 'i9', 'g7']) assert.ok(match.play(cell(name)), name);
  const { tip } = match;
  // As by an analysis: a move beyond the end, and one beside the second.
  for (const node of [tip, tip.parent?.parent]) {
    desk.goTo(node);
    desk.play(cell('c3'));
    assert.deepEqual(match.refusal(cell('d4')), { what: 'beside' });
    assert.ok(!match.play(cell('d4')));
  }
  desk.goTo(tip.parent);
  assert.ok(match.play(cell('e5')));
  desk.goTo(tip);
  assert.ok(match.play(cell('f6')), 'what was played first');
  assert.equal(match.tip.ply, 4);
});

test('an analysis waits until a proof is over, whatever is set meanwhile', async () => {
  const desk = new Desk();
  const client = silent();
  const [analysis, proof] = [new Analysis(desk, /** @type {any} */ (client)), new Proof(desk, /** @type {any} */ (client))];
  analysis.isHeld = () => proof.isOpen;
  proof.seek();
  analysis.setBest(5);
  analysis.set(false);
  analysis.set(true);
  assert.deepEqual([client.asked.length, client.asked[0].dropped], [1, false]);
  proof.leave();
  analysis.restart();
  await rest();
  assert.equal(client.asked[1].question.lines[0], 'YXNBEST 5');
});

test('a proof is dropped when another position or another game is shown', async () => {
  const desk = new Desk();
  desk.play(cell('h8'));
  const client = silent();
  const proof = new Proof(desk, /** @type {any} */ (client));
  desk.listen((change) => { if (change === 'game' || proof.isElsewhere) proof.leave(); });
  const seeking = proof.seek();
  desk.step(-1);
  assert.ok(client.asked[0].dropped);
  // It may have answered already.
  client.asked[0].question.onVariation?.({});
  await seeking;
  assert.deepEqual([proof.phase, desk.game.length], [null, 2]);

  // Stones may be set up in the shown node.
  const other = proof.seek();
  desk.game.root.children[0].setup = { black: [cell('a1')], white: [], empty: [], toMove: null };
  desk.goTo(desk.game.root.children[0]);
  await other;
  assert.equal(proof.phase, null);
  const again = proof.seek();
  desk.node.setup?.black.push(cell('a2'));
  desk.tell('tree');
  await again;
  assert.deepEqual([proof.phase, client.asked[2].dropped], [null, true]);

  const found = proof.seek();
  client.asked[3].give({ kind: 'error', text: '' });
  await found;
  assert.equal(proof.phase, 'unknown');
  desk.load(new Game());
  assert.equal(proof.isOpen, false);
});

/** A store of the browser. */
class Store {
  constructor() { this.items = new Map(); }

  getItem(name) { return this.items.get(name) ?? null; }

  setItem(name, text) { this.items.set(name, text); }
}

/** A page as far as what it keeps is concerned, in a tab of its own. */
async function openTab({ hash = '', session = new Store() } = {}) {
  const { Keeper } = await import('../page/keeper.js');
  Object.assign(globalThis, { sessionStorage: session, location: { hash, pathname: '/', search: '' }, history: { replaceState() {} }, window: globalThis });
  const desk = new Desk();
  const app = {
    desk, match: new Match(desk, /** @type {any} */ (silent())), analysis: { isOn: true }, database: { name: null }, hasDatabase: false, mode: 'play', playPanel: {}, said: '',
    setMode(mode) { app.mode = mode; app.keeper.due(); }, notify(words) { app.said = words; }, session, keeper: /** @type {any} */ (null),
  };
  app.keeper = new Keeper(/** @type {any} */ (app));
  desk.listen(() => app.keeper.due());
  app.match.onchange = () => app.keeper.due();
  app.keeper.restore();
  return app;
}

const inTab = (app) => { Object.assign(globalThis, { sessionStorage: app.session }); };
const close = (app) => { inTab(app); app.keeper.keep(); clearTimeout(app.keeper.timer); };
const plies = ({ desk }) => desk.game.mainLine.length - 1;

beforeEach(() => { Object.assign(globalThis, { localStorage: new Store() }); });

test('a tab in which nothing happened keeps nothing, and each tab has its own game', async () => {
  const first = await openTab();
  first.desk.play(cell('h8'));
  close(first);
  const second = await openTab();
  assert.equal(plies(second), 1);
  inTab(first);
  first.desk.play(cell('i9'));
  close(first);
  close(second);
  assert.equal(plies(await openTab()), 2, 'the older game of the second tab does not win');

  const linked = await openTab({ hash: '#rule=renju&size=15&moves=a1' });
  assert.equal(linked.desk.game.rule, 'renju');
  close(linked);
  assert.equal(plies(await openTab({ session: linked.session })), 1, 'the tab of a link has its game after a reload');
  assert.equal((await openTab()).desk.game.rule, 'freestyle', 'and takes the place of none');
});

test('the end of a game and a switch are kept, too', async () => {
  const first = await openTab();
  first.match.begin({ ...FIRST_SETTINGS, side: 'both' });
  first.desk.play(cell('h8'));
  close(first);
  first.match.resign();
  close(first);
  assert.deepEqual((await openTab()).match.result, first.match.result);
  first.analysis.isOn = false;
  close(first);
  assert.equal((await openTab({ session: first.session })).analysis.isOn, false);
});

test('what cannot be read any more is put aside and told', async () => {
  localStorage.setItem('tengen-game', JSON.stringify({ version: 1, sgf: '(;SZ[15];B[hh];W[hh])', way: [], tip: [] }));
  const app = await openTab();
  assert.match(app.said, /can’t be read/);
  app.desk.play(cell('h8'));
  close(app);
  assert.match(localStorage.getItem('tengen-unread') ?? '', /W\[hh\]/);
});

test('an engine that fails is asked again when one says so, and its clock waits', async () => {
  const { client, match, time } = thinking();
  const told = [];
  match.onevent = (what, detail) => told.push([what, detail]);
  client.asked[0].give({ kind: 'error', text: 'unsupported size' });
  await rest();
  assert.deepEqual([told, match.isStuck, match.isPersonsTurn], [[['engineFailed', 'unsupported size']], true, false]);
  time.now = 120_000;
  match.checkClock();
  assert.equal(match.result, null);
  match.resume();
  assert.deepEqual([client.asked.length, match.isStuck], [2, false]);
  client.asked[1].give({ kind: 'moves', points: [cell('i9')] });
  await rest();
  assert.deepEqual([match.tip.ply, match.isStuck], [2, false]);
});

test('the full engine has its clock for a move, or else the time that was chosen', () => {
  for (const [clock, expected] of [[{ minutes: 1, increment: 0 }, 60_000], [null, 2_000]]) {
    const client = silent();
    const match = new Match(new Desk(), /** @type {any} */ (client));
    match.begin({ ...FIRST_SETTINGS, level: 10, seconds: 2, side: 'white', clock });
    const { timeout_turn: limit, timeout_match: match_limit, time_left: left } = client.asked[0].question.info;
    assert.ok(limit <= expected && limit > expected - 1000, `${limit} instead of ${expected}`);
    // The engine shares out what is left only where the match has a limit.
    assert.deepEqual([match_limit, left], clock ? [limit, limit] : [undefined, undefined]);
  }
});

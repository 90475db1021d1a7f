// Files that are opened and written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gameOfLink, linkOf } from '../page/game/link.js';
import { openGames } from '../page/game/open.js';
import { keyOf } from '../page/game/points.js';
import { RecordError, gamesOfSgf, ruleOf, sgfOf } from '../page/game/record.js';
import { SgfError, parseSgf } from '../page/game/sgf.js';
import { Game } from '../page/game/tree.js';

const settings = { size: /** @type {[number, number]} */ ([15, 15]), rule: /** @type {const} */ ('freestyle') };
const movesOf = (game) => game.mainLine.slice(1).map(({ move }) => move.point);

test('a game of SGF comes back as it was', () => {
  const text = '(;FF[4]GM[4]CA[UTF-8]AP[tengen]SZ[15]RU[4]PB[A\\]]PW[B\\\\]XX[kept];B[hh]C[one \\] two];W[ii]\n(;B[hj]LB[aa:A]TR[bb])\n(;B[ih];W[ig]))\n';
  const [game] = gamesOfSgf(text);
  assert.equal(game.rule, 'renju');
  assert.equal(game.info.PB, 'A]');
  assert.deepEqual(movesOf(game), [[7, 7], [8, 8], [7, 9]]);
  assert.equal(game.root.children[0].comment, 'one ] two');
  const fork = game.root.children[0].children[0];
  assert.equal(fork.children.length, 2);
  assert.deepEqual(fork.children[0].marks.get(keyOf([0, 0])), { text: 'A' });
  const [again] = gamesOfSgf(sgfOf(game));
  assert.equal(sgfOf(again), sgfOf(game));
  assert.match(sgfOf(game), /XX\[kept\]/);
});

test('comments on a game come back whole', () => {
  const comment = 'x'.repeat(5000);
  assert.match(sgfOf(gamesOfSgf(`(;SZ[15]GC[${comment}];B[hh])`)[0]), new RegExp(`GC\\[${comment}\\]`));
});

test('labels come back whole, whatever they are, and shapes beside them', () => {
  const text = 'LB[hh:#1][gg:12345][ff:#x][ee:x][dd:🂡♞:a][cc:]';
  const [game] = gamesOfSgf(`(;SZ[15];B[aa]${text}TR[hh]MA[bb])`);
  const written = sgfOf(game);
  for (const part of ['[hh:#1]', '[gg:12345]', '[ff:#x]', '[ee:x]', '[dd:🂡♞:a]', '[cc:]', 'TR[hh]', 'MA[bb]']) assert.ok(written.includes(part), `${part} in ${written}`);
  assert.equal(sgfOf(gamesOfSgf(written)[0]), written);
});

test('tt is a pass where the board has no such cell', () => {
  for (const [size, cell] of [['15', 'tt'], ['19', ' TT '], ['19:5', 'Tt'], ['22', '']]) assert.deepEqual(movesOf(gamesOfSgf(`(;SZ[${size}];B[${cell}])`)[0]), [null], size);
  for (const size of ['20', '22']) assert.deepEqual(movesOf(gamesOfSgf(`(;SZ[${size}];B[tt])`)[0]), [[19, 19]], size);
  assert.throws(() => gamesOfSgf('(;SZ[20:15];B[tt])'), RecordError);
});

test('stones that are set up and the side to move are respected', () => {
  const [game] = gamesOfSgf('(;GM[4]SZ[15]AB[hh:jh]AW[aa]PL[W];W[bb];B[cc])');
  const start = game.position(game.root);
  assert.equal(start.stones.length, 4);
  assert.equal(start.toMove, 1);
  const line = game.mainLine;
  assert.equal(game.position(line[line.length - 1]).stones.length, 6);
  assert.match(sgfOf(game), /AB\[hh\]\[ih\]\[jh\]AW\[aa\]PL\[W\]/);
});

test('hostile files are refused with a reason, or read as text', () => {
  const fails = (text, what) => assert.throws(() => openGames(text, settings), (error) => (error instanceof RecordError || error instanceof SgfError) && error.message === what, text.slice(0, 40));
  fails('', 'empty');
  fails('(;B[hh]', 'unfinished');
  fails('(;B[hh', 'unfinished');
  fails('(;B[zz])', 'cell');
  fails('(;SZ[3])', 'size');
  fails('(;SZ[1e9])', 'size');
  fails('(;B[hh];W[hh])', 'occupied');
  fails('(;C)', 'noValue');
  fails('{"size":1}', 'size');
  fails('{nonsense', 'json');
  fails('h8 <b>', 'noMoves');
  fails('h99', 'cell');
  fails('Piskvorky 99x99, 11:11, 0', 'size');
  fails(`(;C[${'x'.repeat(9_000_000)}])`, 'tooLarge');
  fails(`(;SZ[22]${';AE[aa:vv]'.repeat(5000)})`, 'tooLarge');
  fails(`(;SZ[22]${';MA[aa:vv]'.repeat(5000)})`, 'tooLarge');
  fails(`(;SZ[22]AB${'[aa:vv]'.repeat(5000)})`, 'tooLarge');
  fails(`(;SZ[22]AB${'[aa:vv]'.repeat(4000)})`.repeat(5), 'tooLarge');
  fails(`(;SZ[22]${`;MA${'[aa:vv]'.repeat(4000)}`.repeat(10)})`, 'tooLarge');
  const [game] = openGames('(;PB[<img src=x onerror=alert(1)>]C[</script>\u0000];B[hh])', settings);
  assert.equal(game.info.PB, '<img src=x onerror=alert(1)>');
  assert.equal(game.root.comment, '</script> ');
});

test('deep nesting needs no stack', () => {
  const deep = 20_000;
  assert.equal(parseSgf(`${'(;'.repeat(deep)}${')'.repeat(deep)}`).length, 1);
  const [game] = gamesOfSgf(`(;${'(;C[a]'.repeat(3000)}${')'.repeat(3000)})`);
  assert.equal(game.length, 3001);
  assert.ok(sgfOf(game).length > 3000);
});

test('a long game is walked once', (t) => {
  const walks = ['path', 'position'].map((name) => t.mock.method(Game.prototype, /** @type {any} */ (name)).mock);
  const [game] = gamesOfSgf(`(;SZ[5]${';AE[aa];B[aa]'.repeat(200)})`);
  assert.deepEqual([game.length, ...walks.map((walk) => walk.callCount())], [401, 0, 0]);
  assert.equal(gamesOfSgf(`(;SZ[15]${'(;B[hh])'.repeat(150_000)})`)[0].length, 150_001);
});

/** A random tree with set-up stones, and whether it has a move on a stone: each node has its own copy of the stones. */
function randomTree(seed) {
  let state = seed;
  const pick = (below) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor((state / 2147483648) * below); };
  let hasFault = false;
  const subtree = (stones, depth) => {
    const own = new Set(stones);
    const cell = `${'abcde'[pick(5)]}${'abcde'[pick(5)]}`;
    const kind = ['B', 'W', 'B', 'W', 'AB', 'AW', 'AE'][pick(7)];
    if (kind === 'AE') own.delete(cell);
    else if (kind.length === 1 && own.has(cell)) hasFault = true;
    else own.add(cell);
    const children = depth > 6 ? 0 : pick(4);
    return `;${kind}[${cell}]${Array.from({ length: children }, () => `(${subtree(own, depth + 1)})`).join('')}`;
  };
  const text = `(;SZ[5]${subtree(new Set(), 0)})`;
  return { text, hasFault };
}

test('moves on stones are found in every line of a tree', () => {
  const found = [0, 0];
  for (let seed = 1; seed <= 500; seed += 1) {
    const { text, hasFault } = randomTree(seed);
    found[Number(hasFault)] += 1;
    if (hasFault) assert.throws(() => gamesOfSgf(text), { message: 'occupied' }, text);
    else gamesOfSgf(text);
  }
  assert.ok(Math.min(...found) > 50, String(found));
});

test('files of Piskvork are read', () => {
  const text = 'Piskvorky 20x20, 11:11, 1\r\n10,10,0\r\n11,11,1500\r\npbrain-a.exe\r\npbrain-b.exe\r\n-1\r\n';
  const [game] = openGames(text, settings);
  assert.deepEqual(game.size, [20, 20]);
  assert.deepEqual(movesOf(game), [[9, 9], [10, 10]]);
  assert.equal(game.mainLine[2].ms, 1500);
  assert.equal(game.info.PB, 'pbrain-b.exe');
});

test('moves are read as they are pasted', () => {
  for (const text of ['h8 i9 h10', 'h8i9h10', '1. h8 i9 2. h10', 'H8, I9, H10', '7,7 8,6 7,5']) {
    assert.deepEqual(movesOf(openGames(text, settings)[0]), [[7, 7], [8, 6], [7, 5]], text);
  }
});

test('JSON counts rows from the top', () => {
  const [game] = openGames('{"size":[15,15],"rule":"renju","moves":"h8a1"}', settings);
  assert.deepEqual(movesOf(game), [[7, 7], [0, 0]]);
  assert.equal(game.rule, 'renju');
});

test('JSON as tengen convert writes it loses no move, stone, word or time', () => {
  const line = '{"tengen":1,"size":[15,15],"rule":"renju","black":"Ann","white":"B]b","setup":{"black":"h8i9","white":"h9","to_move":"white"},'
    + '"result":"black","reason":"time","opening":0,"moves":"h10--++h7a1","changes":[{"empty":"h8","to_move":"white"}],"colors":"wbbwb",'
    + '"times":[5,null,null,7,null],"comments":["hm","","","",""],"sgf":["TR[aa]","","","","LB[hh:(\\\\]]\\n(;B[bb]C[x])"]}';
  const games = openGames(`{"tengen_match":1}\n${line}\n\n{"size":[20,15],"moves":"t15"}\n`, settings);
  assert.equal(games.length, 2);
  assert.deepEqual([games[1].size, movesOf(games[1])], [[20, 15], [[19, 14]]]);
  assert.equal(sgfOf(games[0]), '(;FF[4]GM[4]CA[UTF-8]AP[tengen]SZ[15]RU[4]PB[Ann]PW[B\\]b]RE[B+T]AB[hh][ii]AW[hi]PL[W];W[hj]C[hm]TR[aa];B[];AE[hh]PL[W];W[hg]\n'
    + '(;B[aa]LB[hh:(\\]])\n(;B[bb]C[x]))\n');
  assert.deepEqual(games[0].mainLine.map(({ ms }) => ms), [null, 5, null, null, 7, null]);
  for (const [bad, what] of [['{"moves":"h8?"}', 'cell'], ['{"moves":"h8h8"}', 'occupied'], ['{"tengen_match":1}', 'noGame'], ['{"size":[15,15]}\n{', 'json'], ['{"moves":"h8"}\nnull', 'json'], ['{"moves":"h8","changes":5,"size":{"toString":1}}', 'size'], [`{"moves":"${'a'.repeat(1_000_000)}"}`, 'cell']]) {
    assert.throws(() => openGames(bad, settings), (error) => error.message === what, bad);
  }
});

test('a link has the game and the place in it', () => {
  const [game] = gamesOfSgf('(;SZ[15]RU[4];B[hh];W[ii];B[hj])');
  const node = game.mainLine[2];
  const link = linkOf(game, node);
  assert.equal(link, '#rule=renju&size=15&moves=h8i7h6&at=2');
  const found = gameOfLink(link);
  assert.equal(found?.node.ply, 2);
  assert.equal(found?.game.rule, 'renju');
  const [setup] = gamesOfSgf('(;SZ[15]RU[0]AB[hh]AW[ii])');
  assert.equal(gameOfLink(linkOf(setup, setup.root))?.game.position(setup.root).stones.length, 2);
  for (const bad of ['', '#', '#rule=chess&moves=', '#rule=renju&size=99&moves=h8', '#rule=renju&moves=h8h8', '#sgf=(']) assert.equal(gameOfLink(bad), null, bad);
});

test('a link tells the whole line that is shown, and the place in it', () => {
  const told = (game) => game.mainLine.slice(1).map(({ move, setup }) => [move?.color, move?.point, setup && setup.black.length]);
  for (const [text, at] of [
    ['(;SZ[15];B[hh];AB[jj];W[ii])', 2], ['(;SZ[15];B[hh];W[];B[ii])', 0], ['(;SZ[15];W[hh];B[ii])', 1], ['(;SZ[15];B[hh];B[ii])', 2],
    ['(;SZ[15]AB[aa:cc];W[hh];B[ii])', 1],
  ]) {
    const [game] = gamesOfSgf(text);
    const shown = game.mainLine[at];
    const found = gameOfLink(linkOf(game, shown));
    assert.deepEqual(told(found?.game), told(game), text);
    assert.equal(found?.game.mainLine.indexOf(found.node), at, text);
  }
  // Of a variation the link tells the variation.
  const [game] = gamesOfSgf('(;SZ[15];B[hh](;W[ii])(;W[];B[jj]))');
  const shown = game.root.children[0].children[1];
  const found = gameOfLink(linkOf(game, shown));
  assert.deepEqual(told(found?.game), [[0, [7, 7], null], [1, null, null], [0, [9, 9], null]]);
  assert.equal(found?.node.ply, 2);
});

test('stones that are set up beside a move that was played are a variation, and the file can be read', () => {
  const [game] = gamesOfSgf('(;SZ[15]AB[hh];W[ig];B[])');
  for (const node of [game.root, game.root.children[0]]) {
    const next = game.addSetup(node);
    next.setup?.black.push([8, 6]);
    const [again] = gamesOfSgf(sgfOf(game));
    assert.equal(sgfOf(again), sgfOf(game));
    assert.deepEqual([node.children.length, next.setup?.toMove], [2, node === game.root ? 1 : 0]);
  }
});

test('rules have many names', () => {
  for (const [name, rule] of [['0', 'freestyle'], ['Renju', 'renju'], ['RIF', 'renju'], ['有禁手', 'renju'], ['Standard gomoku', 'standard'], ['Caro, exactly five', 'caro-exact'], ['8', 'caro'], ['Go', null]]) {
    assert.equal(ruleOf(/** @type {string} */ (name)), rule, String(name));
  }
});

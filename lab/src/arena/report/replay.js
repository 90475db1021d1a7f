// The games: a list, and a board on which one of them is replayed.

const PAGE = 25;
// The first score that means a win; see the units of scores in the protocol.
const WIN = 29000;

// The games as they are needed; the columns of numbers are taken apart when a game is shown.
const games = data.games.map((game, place) => ({ ...game, place, length: game.m.length / 2 }));
const listed = (text, length) => {
  const values = text === '' ? [] : text.split(',').map((value) => (value === '' ? null : Number(value)));
  return Array.from({ length }, (_, i) => values[i] ?? null);
};
const winnerOf = (game) => ({ b: 0, w: 1 }[game.x] ?? null);
const resultText = (game) => ({ b: '1 : 0', w: '0 : 1', d: '½ : ½' }[game.x] ?? '?');
const scoreText = (score) => {
  if (score === null) return '';
  if (Math.abs(score) >= WIN && Math.abs(score) <= 30000) return `${score > 0 ? '+' : '\u2212'}M${30000 - Math.abs(score)}`;
  return signed(score, 0);
};

const replay = { game: null, ply: 0, timer: null };
const list = { rows: games, page: 0, key: 'n', down: false };

function unpack(game) {
  if (!game.moves) {
    const [times, scores, depths, nodes] = [game.t, game.v, game.h, game.k].map((text) => listed(text, game.length));
    game.moves = pointsOf(game.m).map((point, i) => ({
      point, color: game.c ? Number(game.c[i] === 'w') : i % 2,
      time: times[i], score: scores[i], depth: depths[i], nodes: nodes[i],
    }));
  }
  return game;
}

// The board -----------------------------------------------------------------

// As the console has it: the first row of files is at the top, and has the number that people give it.
const board = makeBoard({ size: summary.size, fromBottom: data.bottom });

function showStones() {
  const { game, ply } = replay;
  const numbered = byId('numbers').checked;
  const line = game.l && ply === game.length ? pointsOf(game.l) : [];
  const isForbidden = game.e.startsWith('forbidden') && ply === game.length && ply > 0;
  board.show({
    stones: game.moves.slice(0, ply).map(({ point, color }, i) => ({ point, color, number: numbered ? i + 1 : null })),
    line, crosses: isForbidden ? [game.moves[ply - 1].point] : [],
  });
}

// Exports --------------------------------------------------------------------

// The moves on the board as a row of cells, as `tengen solve`, gomocalc and others read them.
const positionText = () => replay.game.moves.slice(0, replay.ply).map(({ point }) => board.name(point)).join('');

// The game in the Smart Game Format, without the date, times and scores that `--sgf` writes.
const RULES = { freestyle: 0, standard: 1, renju: 4, caro: 8, 'caro-exact': 9 };
function sgfText(game) {
  const quoted = (text) => text.replace(/[\\\]:]/g, '\\$&').replace(/\s+/g, ' ');
  const [width, height] = summary.size;
  const nodes = game.moves.map(({ point: [x, y], color }) => `;${'BW'[color]}[${String.fromCharCode(97 + x, 97 + y)}]`);
  const isLate = ['late', 'silent'].includes(game.e);
  const how = isLate ? 'T' : faults.includes(game.e) || game.e.startsWith('forbidden') ? 'F' : '';
  const result = { b: `B+${how}`, w: `W+${how}`, d: '0' }[game.x] ?? '?';
  const [black, white] = game.s.map((player) => quoted(summary.players[player].name));
  return `(;FF[4]GM[4]CA[UTF-8]SZ[${width === height ? width : `${width}:${height}`}]RU[${RULES[summary.rule] ?? ''}]PB[${black}]PW[${white}]`
    + `EV[${quoted(summary.event)}]RO[${game.r}]RE[${result}]GC[${quoted(game.d ?? game.e)}]\n${nodes.join('')})\n`;
}

function copyPosition() {
  const button = byId('copy');
  const told = (words) => {
    button.textContent = words;
    setTimeout(() => { button.textContent = 'copy position'; }, 1500);
  };
  // A page opened from a file may have no clipboard; then the text is there to be selected.
  const shown = () => { byId('position').value = positionText(); byId('position').hidden = false; byId('position').select(); };
  if (!navigator.clipboard) shown();
  else navigator.clipboard.writeText(positionText()).then(() => told('copied'), shown);
}

function saveGame() {
  const address = URL.createObjectURL(new Blob([sgfText(replay.game)], { type: 'application/x-go-sgf' }));
  const link = el('a', { href: address, download: `game-${replay.game.n}.sgf` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// The scores of both sides, black at the top, and the table of moves --------

const SCORES = 150;
const scoreBox = drawn(SCORES, (width) => scoreChart(width));

function scoreChart(width) {
  const { game, ply } = replay;
  const height = SCORES;
  const [left, right, top, bottom] = [6, 6, 16, 16];
  const x = (i) => left + (width - left - right) * (game.length > 1 ? i / (game.length - 1) : 0.5);
  // Engines have units of their own: what is won is at the edge, and equal is equal.
  const y = (score) => top + (height - top - bottom) * (0.5 - Math.atan(score / 400) / Math.PI);
  const curve = (color) => {
    const moves = game.moves.map((move, i) => ({ ...move, i })).filter((move) => move.color === color && move.score !== null);
    const points = moves.map(({ i, score }) => `${x(i).toFixed(1)},${y(color ? -score : score).toFixed(1)}`);
    const paint = colorOf(game.s[color]);
    return moves.length === 0 ? [] : [
      svg('polyline', { points: points.join(' '), fill: 'none', stroke: paint, 'stroke-width': 2, 'stroke-dasharray': color ? '5 3' : null, 'stroke-linejoin': 'round' }),
      moves.filter(({ i }) => i === ply - 1).map(({ i, score }) => svg('circle', { cx: x(i), cy: y(color ? -score : score), r: 4, fill: paint }))];
  };
  const jump = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - left) / (width - left - right);
    goTo(Math.round(share * (game.length - 1)) + 1);
  };
  return svg('svg', { width, height, role: 'img', 'aria-label': 'scores of both players, seen by black', click: jump, style: 'cursor:pointer' },
    svg('rect', { width, height, fill: 'transparent' }),
    svg('path', { class: 'zero', d: `M${left},${height / 2}H${width - right}` }),
    ply > 0 ? svg('path', { class: 'axis', d: `M${x(ply - 1)},${top}V${height - bottom}`, style: 'stroke:var(--soft)' }) : null,
    curve(0), curve(1),
    svg('text', { x: left, y: 11 }, 'black is better'), svg('text', { x: left, y: height - 3 }, 'white is better'),
    svg('text', { x: width - right, y: 11, 'text-anchor': 'end' }, `${textOf(game.s[0])} ──`),
    svg('text', { x: width - right, y: height - 3, 'text-anchor': 'end' }, `${textOf(game.s[1])} ╌╌`));
}

function redrawScores() {
  if (scoreBox.clientWidth > 0) scoreBox.replaceChildren(scoreChart(Math.floor(scoreBox.clientWidth)));
}

function showMoves() {
  const { game } = replay;
  const row = (move, i) => el('tr', { class: i < game.o ? 'opening' : null, click: () => goTo(i + 1) },
    el('td', {}, i + 1), el('td', { class: 'left' }, el('span', { class: `stone ${['black', 'white'][move.color]}` }), board.name(move.point)),
    cells('td', [scoreText(move.score), move.depth ?? '', move.time === null ? '' : duration(move.time), move.nodes === null ? '' : thousands(move.nodes)]));
  byId('moves').replaceChildren(table(
    el('tr', {}, el('th', {}, '#'), el('th', { class: 'left' }, 'move'), cells('th', ['score', 'depth', 'time', 'nodes'])), game.moves.map(row)));
}

// Going through a game ------------------------------------------------------

function goTo(ply) {
  const { game } = replay;
  replay.ply = Math.max(0, Math.min(game.length, ply));
  showStones();
  redrawScores();
  byId('slider').value = replay.ply;
  byId('ply').textContent = `${replay.ply} / ${game.length}`;
  byId('position').hidden = true;
  byId('to-first').disabled = byId('to-back').disabled = replay.ply === 0;
  byId('to-next').disabled = byId('to-last').disabled = replay.ply === game.length;
  const box = byId('moves');
  box.querySelector('tr.current')?.classList.remove('current');
  const row = box.querySelectorAll('tbody tr')[replay.ply - 1];
  if (row) {
    row.classList.add('current');
    // Within its box only: the page stays where it is.
    const [above, below] = [row.offsetTop - 32, row.offsetTop + row.offsetHeight - box.clientHeight];
    if (box.scrollTop > above) box.scrollTop = above;
    else if (box.scrollTop < below) box.scrollTop = below;
  } else {
    box.scrollTop = 0;
  }
  if (replay.ply === game.length) stop();
}

function stop() {
  clearInterval(replay.timer);
  replay.timer = null;
  setIcon('to-play', 'play');
}

function playOrStop() {
  if (replay.timer !== null) {
    stop();
    return;
  }
  if (replay.ply === replay.game.length) goTo(0);
  replay.timer = setInterval(() => goTo(replay.ply + 1), 500);
  setIcon('to-play', 'pause');
}

// The sentence about an end, with the cells of this page or a word about others, as the console has it.
function endSentence(game) {
  if (!data.bottom || !game.d) return game.d;
  if (game.e === 'five' && game.l) {
    const line = pointsOf(game.l);
    return `five ${board.name(line[0])} to ${board.name(line[line.length - 1])}`;
  }
  return game.e === 'occupied' || game.e.startsWith('forbidden') ? `${game.d} (rows from the top)` : game.d;
}

function endWords(game) {
  const winner = winnerOf(game);
  const won = winner === null ? (game.x === 'd' ? 'drawn' : 'no result') : [nameOf(game.s[winner]), ' won'];
  return [won, `, ${game.e}, ${count(game.length, 'move')}, round ${game.r}`, game.d ? [': ', el('bdi', {}, endSentence(game))] : ''];
}

// Shows a game at its end, or after `ply` moves.
function open(game, ply = Infinity) {
  stop();
  replay.game = unpack(game);
  const side = (color) => [el('span', { class: `stone ${['black', 'white'][color]}` }), nameOf(game.s[color])];
  byId('replay-title').replaceChildren(`Game ${game.n}: `, ...side(0), ` ${resultText(game)} `, ...side(1));
  byId('replay-end').replaceChildren(...endWords(game).flat());
  byId('slider').max = game.length;
  showMoves();
  goTo(ply);
  markCurrent();
}

function neighbour(step) {
  const i = list.rows.indexOf(replay.game);
  const next = list.rows[i < 0 ? 0 : i + step];
  if (next) {
    open(next);
    turnTo(next);
    history.replaceState(null, '', `#game=${next.n}`);
  }
}

// The list ------------------------------------------------------------------

const columns = [
  ['n', '#', (game) => game.n],
  ['r', 'round', (game) => game.r],
  ['b', 'black', (game) => summary.players[game.s[0]].name],
  ['w', 'white', (game) => summary.players[game.s[1]].name],
  ['x', 'result', (game) => 'bdw?'.indexOf(game.x)],
  ['e', 'end', (game) => ends.indexOf(game.e)],
  ['m', 'moves', (game) => game.length],
];

function gameRow(game) {
  const winner = winnerOf(game);
  const side = (color) => el('td', { class: `left name${winner === color ? ' winner' : ''}` }, dot(game.s[color]), nameOf(game.s[color]));
  return el('tr', { 'data-game': game.n, class: game === replay.game ? 'current' : null, click: (event) => { if (!event.target.closest('a')) location.hash = `game=${game.n}`; } },
    el('td', {}, el('a', { href: `#game=${game.n}` }, game.n)), el('td', {}, game.r), side(0), side(1),
    el('td', {}, resultText(game)), el('td', { class: faults.includes(game.e) ? 'left bad' : 'left' }, game.e), el('td', {}, game.length));
}

function showList() {
  const pages = Math.max(1, Math.ceil(list.rows.length / PAGE));
  list.page = Math.max(0, Math.min(pages - 1, list.page));
  const head = columns.map(([key, title]) => el('th', {
    class: 'bwe'.includes(key) ? 'left' : null,
    'aria-sort': key === list.key ? (list.down ? 'descending' : 'ascending') : null,
  }, el('button', { type: 'button', click: () => sortBy(key) }, title)));
  byId('list').replaceChildren(el('thead', {}, el('tr', {}, head)),
    el('tbody', {}, list.rows.slice(list.page * PAGE, (list.page + 1) * PAGE).map(gameRow)));
  byId('count').textContent = list.rows.length === games.length ? count(games.length, 'game') : `${grouped(list.rows.length)} of ${count(games.length, 'game')}`;
  const turn = (step, words, possible) => el('button', { type: 'button', disabled: possible ? null : '', click: () => { list.page += step; showList(); } }, words);
  byId('pages').replaceChildren(...(pages === 1 ? [] : [
    turn(-1, '← earlier', list.page > 0), turn(1, 'later →', list.page < pages - 1), ` page ${list.page + 1} of ${pages}`]));
}

function markCurrent() {
  byId('list').querySelector('tr.current')?.classList.remove('current');
  byId('list').querySelector(`tr[data-game="${replay.game.n}"]`)?.classList.add('current');
}

// Turns to the page of the list on which a game is.
function turnTo(game) {
  const i = list.rows.indexOf(game);
  if (i >= 0 && Math.floor(i / PAGE) !== list.page) {
    list.page = Math.floor(i / PAGE);
    showList();
  }
}

function sortBy(key) {
  list.down = key === list.key && !list.down;
  list.key = key;
  arrange();
}

function arrange() {
  const [player, result, end] = ['by-player', 'by-result', 'by-end'].map((id) => byId(id).value);
  const seen = (game) => {
    if (player === '') return game.x;
    const winner = winnerOf(game);
    return winner === null ? game.x : (game.s[winner] === Number(player) ? 'won' : 'lost');
  };
  const value = columns.find(([key]) => key === list.key)[2];
  const order = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);
  list.rows = games
    .filter((game) => player === '' || game.s.includes(Number(player)))
    .filter((game) => result === '' || seen(game) === result)
    .filter((game) => end === '' || game.e === end)
    .sort((a, b) => (list.down ? -1 : 1) * order(value(a), value(b)) || a.n - b.n);
  list.page = 0;
  showList();
}

function option(value, words) {
  return el('option', { value }, words);
}

function offerResults() {
  const [all, ...results] = byId('by-player').value === ''
    ? [['', 'all'], ['b', 'black won'], ['d', 'drawn'], ['w', 'white won']]
    : [['', 'all'], ['won', 'won'], ['d', 'drawn'], ['lost', 'lost']];
  byId('by-result').replaceChildren(...[all, ...results].map(([value, words]) => option(value, words)));
}

function showFilters() {
  byId('by-player').append(option('', 'all'), ...summary.players.map((_, i) => option(i, textOf(i))));
  byId('by-end').append(option('', 'all'), ...ends.map((end) => option(end, end)));
  offerResults();
  byId('by-player').addEventListener('change', () => { offerResults(); arrange(); });
  byId('by-result').addEventListener('change', arrange);
  byId('by-end').addEventListener('change', arrange);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
}

// Reading the address, keys and buttons -------------------------------------

// Opens the game of the address; says whether there is one.
function followAddress() {
  const number = Number(/^#game=(\d+)$/.exec(location.hash)?.[1]);
  const game = games.find((candidate) => candidate.n === number);
  if (!game) return false;
  open(game);
  turnTo(game);
  byId('replay').scrollIntoView();
  byId('replay').focus({ preventScroll: true });
  return true;
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, select, textarea')) return;
  const within = event.target.closest('#replay') !== null;
  const actions = {
    ArrowLeft: () => goTo(replay.ply - 1), ArrowRight: () => goTo(replay.ply + 1),
    ...(within ? { Home: () => goTo(0), End: () => goTo(Infinity) } : {}),
  };
  if (actions[event.key]) {
    actions[event.key]();
    event.preventDefault();
  }
}

if (games.length > 0) {
  byId('board').append(board.picture);
  byId('scores').append(scoreBox);
  ['first', 'back', 'play', 'next', 'last'].forEach((icon) => setIcon(`to-${icon}`, icon));
  byId('to-first').addEventListener('click', () => goTo(0));
  byId('to-back').addEventListener('click', () => goTo(replay.ply - 1));
  byId('to-play').addEventListener('click', playOrStop);
  byId('to-next').addEventListener('click', () => goTo(replay.ply + 1));
  byId('to-last').addEventListener('click', () => goTo(Infinity));
  byId('slider').addEventListener('input', (event) => goTo(Number(event.target.value)));
  byId('numbers').addEventListener('change', showStones);
  byId('copy').addEventListener('click', copyPosition);
  byId('save').addEventListener('click', saveGame);
  byId('game-back').addEventListener('click', () => neighbour(-1));
  byId('game-next').addEventListener('click', () => neighbour(1));
  document.addEventListener('keydown', onKey);
  window.addEventListener('hashchange', followAddress);
  showFilters();
  games.sort((a, b) => a.n - b.n);
  if (!followAddress()) open(games[0]);
  arrange();
}

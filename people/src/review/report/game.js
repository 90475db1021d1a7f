// The games, and what a reader does with one of them.

const list = JSON.parse(byId('list').textContent);

// The names of the classes, the mark beside a move, and whether another move was better.
const CLASSES = {
  book: { words: 'opening move', mark: '', fault: false },
  forced: { words: 'forced move', mark: '□', fault: false },
  lost: { words: 'lost already', mark: '', fault: false },
  best: { words: 'best move', mark: '✓', fault: false },
  good: { words: 'good move', mark: '', fault: false },
  inaccuracy: { words: 'inaccuracy', mark: '?!', fault: true },
  mistake: { words: 'mistake', mark: '?', fault: true },
  missed_win: { words: 'missed win', mark: '✗', fault: true },
  blunder: { words: 'blunder', mark: '??', fault: true },
};
const FAULTS = Object.keys(CLASSES).filter((name) => CLASSES[name].fault);

// Chances are parts of ten thousand. What loses less than this is as good for a reader, and from the
// second on it is an inaccuracy. From the third on a move wins too where there is a proven win.
const AS_GOOD = 200;
const INACCURACY = 500;
const NEARLY_WON = 9000;

// `mode` is game, line, proof or find; the parts with their names belong to it.
const state = { game: null, ply: 0, mode: 'game', timer: null, line: null, proof: null, find: null };

const sideName = (color) => ['Black', 'White'][color];
// The side to move after some moves, and the number in its record of the last one.
const toMoveAfter = (ply) => (state.game.first + ply) % 2;
const numberOf = (ply) => state.game.earlier + ply;
const dot = (color) => el('span', { class: `stone ${COLORS[color]}` });
const percentOf = (value) => `${Math.round(value / 100)} %`;
const cell = (point) => board.name(point);
// A name can't change the direction of what stands around it.
const nameOf = (name, color) => el('bdi', {}, name || ['Black', 'White'][color]);
const button = (words, click, attributes = {}) => el('button', { type: 'button', click, 'data-key': typeof words === 'string' ? words : null, ...attributes }, words);

// Reads an attack: its move, what follows any reply that is not listed, and what follows the others.
function readAttack(text) {
  let at = 0;
  const point = () => {
    at += 2;
    return pointsOf(text.slice(at - 2, at))[0];
  };
  const attack = () => {
    const found = { play: point(), otherwise: null, replies: [], plies: 1 };
    at += 1;
    if (text[at - 1] === '(') {
      found.otherwise = attack();
      while (text[at] !== ')') found.replies.push({ reply: point(), next: attack() });
      at += 1;
      found.plies = 2 + Math.max(found.otherwise.plies, ...found.replies.map(({ next }) => next.plies));
    }
    return found;
  };
  return attack();
}

const games = new Map();

// Returns a game by its number, unpacked when it is needed first.
function gameOf(number) {
  if (!games.has(number)) {
    const game = JSON.parse(byId(`game-${number}`).textContent);
    game.length = game.moves.length / 2;
    game.start = game.start.flatMap((points, color) => pointsOf(points).map((point) => ({ point, color, number: null })));
    game.moves = pointsOf(game.moves).map((point, i) => ({ point, color: (game.first + i) % 2, ...game.reviews[i - game.skipped] }));
    game.positions.forEach((position) => {
      const { line, words } = position;
      // A position may be won though the move that wins is not known.
      const [value, proven] = known(position.best) ? [position.best, null] : [position.value, position.proven];
      const unpacked = (move) => ({ value: move.value, proven: move.proven ?? null, words: move.words ?? [], line: pointsOf(move.line) });
      position.moves = line ? [{ line, value, proven, words }, ...(position.others ?? [])].map(unpacked) : [];
      if (position.attack) position.attack = readAttack(position.attack);
    });
    games.set(number, game);
  }
  return games.get(number);
}

// The knowledge about the position after some moves; nothing if it was not reviewed.
const positionAt = (ply) => state.game.positions[ply - state.game.skipped] ?? null;
const faultsOf = (game) => game.moves.map((move, i) => ({ ...move, ply: i + 1 })).filter((move) => CLASSES[move.class]?.fault);

// The stones on the board now: those of the game up to some move, and those of a line from there.
function stonesNow() {
  const { game, mode } = state;
  const [base, points] = {
    game: () => [state.ply, []],
    line: () => [state.line.base, state.line.points.slice(0, state.line.at)],
    proof: () => [state.proof.base, state.proof.points],
    find: () => [state.ply, []],
  }[mode]();
  const numbered = byId('numbers').checked;
  const played = game.moves.slice(0, base).map(({ point, color }, i) => ({ point, color, number: numbered && points.length === 0 ? numberOf(i + 1) : null }));
  return [...game.start, ...played, ...points.map((point, i) => ({ point, color: toMoveAfter(base + i), number: i + 1 }))];
}

// The winning row of the last stone, or nothing.
function winningLine(stones) {
  const last = stones[stones.length - 1];
  return (last && new Cells(state.game.size, stones).winningRun(last.point, last.color, state.game.rule)) ?? [];
}

// The reason why the next stone may not go to a cell, or null.
function objection(point) {
  const stones = stonesNow();
  const cells = new Cells(state.game.size, stones);
  if (winningLine(stones).length > 0) return 'The game is over here.';
  if (cells.get(point) !== null) return `${cell(point)} is not empty.`;
  const isBlack = toMoveAfter(stones.length - state.game.start.length) === 0;
  const kind = state.game.rule === 'renju' && isBlack ? cells.violation(point) : null;
  return kind && `${cell(point)} is forbidden to black: ${kind}.`;
}

// Reads a cell that was typed, or null.
function typedCell(text) {
  const [columns, rows] = state.game.size;
  const found = /^\s*([a-z])(\d+)\s*$/i.exec(text);
  if (!found) return null;
  const x = found[1].toLowerCase().charCodeAt(0) - 97;
  const y = state.game.bottom ? rows - Number(found[2]) : Number(found[2]) - 1;
  return x < columns && y >= 0 && y < rows ? [x, y] : null;
}

function say(words) {
  byId('status').textContent = words;
}

// The text about a position of the game: the move that led to it, and the moves that were possible.

// Fills the panel. Whatever had the focus there has it again, or else the panel itself.
function tell(...content) {
  const panel = byId('told');
  const focused = panel.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset.key;
  panel.replaceChildren(...content.flat(Infinity).filter((part) => part !== null));
  if (focused) {
    const again = key && [...panel.querySelectorAll('[data-key]')].find((item) => item.dataset.key === key && !item.disabled);
    (again || panel).focus({ preventScroll: true });
  }
}

const buttons = (...items) => el('div', { class: 'buttons' }, items);
const provenWords = ([side, length, means]) => (length === 0 ? 'The game is over.' : `${sideName(side)} wins ${[means, `in ${length}`].filter(Boolean).join(' ')}, whatever ${COLORS[1 - side]} does.`);
// The value of a move for who makes it: a win with its length, or a share.
const valueWords = ({ value, proven }, color) => (proven && proven[0] === color ? `wins in ${proven[1]}` : proven ? 'loses' : percentOf(value));
const badgeWords = ({ value, proven }, color) => (proven ? (proven[0] === color ? `W${proven[1]}` : 'L') : String(Math.round(value / 100)));

function chancesBar(black) {
  return el('div', { class: 'chances', role: 'img', 'aria-label': `black ${percentOf(black)}, white ${percentOf(1e4 - black)}` },
    el('div', { style: `width:${black / 100}%` }));
}

// The class of a move with its mark.
const classWords = (name) => el('span', { class: `class ${name}` }, `${CLASSES[name].words} ${CLASSES[name].mark}`);
const remarkList = (remarks) => (remarks.length === 0 ? null : el('ul', {}, remarks.map(([words]) => el('li', {}, `${words[0].toUpperCase()}${words.slice(1)}`))));

// The effect of the best move, with the buttons that show it.
function betterWords(ply) {
  const [before, after] = [positionAt(ply - 1), positionAt(ply)];
  const move = state.game.moves[ply - 1];
  const best = before.moves[0];
  const words = move.better.map(([text]) => text).join(', ');
  return [
    el('p', {}, 'Better: ', el('strong', {}, cell(best.line[0])), ` (${valueWords(best, move.color)})`, words ? `, which ${words}` : '', '.'),
    buttons(
      button(`Show ${cell(best.line[0])}`, () => openLine(ply - 1, best.line, `Better than ${cell(move.point)}`)),
      before.attack ? button('Play the win that was there', () => openProof(ply - 1)) : null,
      after.attack ? button(`Show how ${COLORS[1 - move.color]} wins now`, () => openProof(ply)) : null),
    [before, after].some((position) => position.too_long) ? el('p', { class: 'soft' }, 'The proof is too long for this page; tengen solve --certificate writes it.') : null,
  ];
}

function moveWords(ply) {
  const { game } = state;
  const move = game.moves[ply - 1];
  const heading = el('h2', {}, el('span', {}, `Move ${numberOf(ply)}: `, dot(move.color), cell(move.point)), move.class ? classWords(move.class) : null);
  const comment = game.comments[ply - 1] ? el('p', { class: 'comment' }, el('bdi', {}, game.comments[ply - 1])) : null;
  if (!move.class) return [heading, el('p', { class: 'soft' }, 'This move was not reviewed.'), comment];
  const [before, after] = move.chances;
  const chances = Math.round(before / 100) === Math.round(after / 100)
    ? `${sideName(move.color)}’s chances: ${percentOf(after)}.`
    : `${sideName(move.color)}’s chances: ${percentOf(before)} before it, ${percentOf(after)} after it.`;
  return [heading, el('p', {}, chances), chancesBar(game.black[ply - game.skipped]), remarkList(move.why), CLASSES[move.class].fault ? betterWords(ply) : null, comment];
}

function candidateRow(ply, move, color, isBest) {
  const next = state.game.moves[ply]?.point;
  const point = move.line[0];
  const isPlayed = next && isSame(point, next);
  const words = move.words.map(([text]) => text).join(', ');
  return el('tr', {},
    el('td', {}, button(cell(point), () => openLine(ply, move.line, isBest ? 'The best line' : `The line of ${cell(point)}`), { class: 'cell', title: 'Show the line' })),
    el('td', { class: `left value${isBest ? ' best' : ''}` }, valueWords(move, color)),
    el('td', { class: 'left' }, [words, isPlayed ? 'played' : ''].filter(Boolean).join('; ')));
}

function nextWords(ply) {
  const position = positionAt(ply);
  if (!position) return null;
  const color = toMoveAfter(ply);
  if (position.moves.length === 0) return endWords();
  const shown = byId('candidates').checked ? position.moves.slice(0, 6) : [];
  return [
    el('h3', {}, dot(color), `${sideName(color)} to move`),
    position.proven ? el('p', {}, provenWords(position.proven)) : null,
    shown.length === 0 ? null : el('table', { class: 'candidates' }, el('tbody', {}, shown.map((move, i) => candidateRow(ply, move, color, i === 0)))),
    position.attack ? buttons(button(`Play ${COLORS[color]}’s win against any defence`, () => openProof(ply))) : null,
  ];
}

const RESULTS = { b: 'Black won', w: 'White won', d: 'A draw', '?': 'The result is not known' };
function endWords() {
  const { result, reason } = state.game;
  return el('p', {}, el('strong', {}, RESULTS[result]), reason ? [' (', el('bdi', {}, reason), ')'] : '', '.');
}

function tellGame() {
  const { game, ply } = state;
  const start = () => [
    el('h2', {}, 'The beginning'),
    game.comment ? el('p', { class: 'comment' }, el('bdi', {}, game.comment)) : null,
    el('p', { class: 'soft' }, 'Arrow keys go through the game. Click an empty cell to try a move, a candidate to see its line.'),
  ];
  tell(ply === 0 ? start() : moveWords(ply), nextWords(ply), ply === game.length && positionAt(ply)?.moves.length > 0 ? endWords() : null);
}

// The marks over the board: candidates with their values, and cells that remarks name.
function marksOfGame() {
  const { game, ply } = state;
  const position = positionAt(ply);
  const empty = new Cells(game.size, stonesNow());
  const shown = byId('candidates').checked && position ? position.moves.slice(0, 6) : [];
  const next = game.moves[ply]?.point;
  const named = (game.moves[ply - 1]?.why ?? []).map(([, text]) => pointsOf(text)[0]).filter((point) => point && empty.get(point) === null);
  return [
    // From the last to the first, so that the best is on top.
    shown.map((move, i) => badge(move, toMoveAfter(ply), i === 0, next && isSame(move.line[0], next))).reverse(),
    named.map(board.place).map(([x, y]) => svg('rect', { class: 'named', x: x - 15.5, y: y - 15.5, width: 31, height: 31, rx: 6 })),
  ].flat();
}

function badge(move, color, isBest, isPlayed) {
  const [x, y] = board.place(move.line[0]);
  const words = badgeWords(move, color);
  // Badges of neighbouring cells do not touch.
  const [width, size] = words.length < 3 ? [24, ''] : [29, ' long'];
  return svg('g', { class: `badge${isBest ? ' top' : ''}${isPlayed ? ' played' : ''}` },
    svg('rect', { x: x - width / 2, y: y - 10, width, height: 20, rx: 5 }), svg('text', { x, y: y + 0.5, class: `badge${size}` }, words),
    svg('title', {}, `${cell(move.line[0])}: ${valueWords(move, color)}`));
}

// The printed part: every mistake with its reason.
function showPrinted() {
  byId('printed').replaceChildren(...faultsOf(state.game).map((move) => {
    const best = positionAt(move.ply - 1).moves[0];
    const words = [...move.why.map(([text]) => text)].join(', ');
    return el('article', {},
      el('h3', {}, `${numberOf(move.ply)}. ${sideName(move.color)} ${cell(move.point)}: ${CLASSES[move.class].words}`),
      el('p', {}, `${percentOf(move.chances[0])} → ${percentOf(move.chances[1])}${words ? `; ${words}` : ''}.`),
      el('p', {}, `Better: ${best.line.slice(0, 12).map(cell).join(' ')} (${valueWords(best, move.color)}).`));
  }));
}

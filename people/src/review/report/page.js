// The page as a whole: its head, its modes, keys and buttons, and the address.

let board = null;

// Shows what belongs to the present mode.
function show() {
  const { game, mode, ply } = state;
  const stones = stonesNow();
  const over = { game: marksOfGame, line: () => [], proof: marksOfProof, find: marksOfFind }[mode]();
  board.show({ stones, line: winningLine(stones), over });
  ({ game: tellGame, line: tellLine, proof: tellProof, find: tellFind })[mode]();
  redrawCourse();
  markMove(ply);
  byId('slider').value = ply;
  byId('ply').textContent = `${numberOf(ply)} / ${numberOf(game.length)}`;
  byId('to-find').setAttribute('aria-pressed', String(state.find !== null));
  // While a reader looks for the better moves, they are hidden.
  byId('course').hidden = byId('moves').hidden = byId('sides').hidden = mode === 'find' && !!state.find.tasks[state.find.at];
  byId('page').dataset.mode = mode;
  keepAddress(`#game=${game.number}&move=${ply}`);
}

// Browsers refuse when the address changes too often, so it waits until the reader does.
let addressTimer = null;
function keepAddress(address) {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, '', address), 300);
}

function goTo(ply) {
  Object.assign(state, { mode: 'game', line: null, proof: null, find: null, ply: Math.max(0, Math.min(state.game.length, ply)) });
  if (state.ply === state.game.length) stop();
  show();
}

function stepForward() {
  if (state.mode === 'line') stepLine(1);
  else if (state.mode === 'proof') defendLongest();
  else if (state.mode === 'game') goTo(state.ply + 1);
}

function stepBack() {
  if (state.mode === 'line') stepLine(-1);
  else if (state.mode === 'proof') takeBackAnswer();
  else if (state.mode === 'game') goTo(state.ply - 1);
}

function goToFault(step) {
  const found = faultsOf(state.game).map(({ ply }) => ply).filter((ply) => (ply - state.ply) * step > 0);
  if (found.length === 0) say('There is no further mistake.');
  else goTo(step > 0 ? found[0] : found[found.length - 1]);
}

function leave() {
  if (state.mode === 'proof') leaveProof();
  else if (state.mode === 'line') backToGame();
  else if (state.mode === 'find') leaveFind();
}

function stop() {
  clearInterval(state.timer);
  state.timer = null;
  setIcon('to-play', 'play');
}

function playOrStop() {
  if (state.timer !== null) {
    stop();
    return;
  }
  goTo(state.mode === 'game' && state.ply === state.game.length ? 0 : state.ply);
  state.timer = setInterval(() => goTo(state.ply + 1), 900);
  setIcon('to-play', 'pause');
}

function pick(point) {
  if (state.mode === 'proof') answer(point);
  else if (state.mode === 'find') tryToFind(point);
  else tryMove(point);
}

function showHead() {
  const { game } = state;
  const side = (color) => el('span', {}, dot(color), nameOf(game.names[color], color));
  byId('title').replaceChildren(side(0), ' – ', side(1));
  const facts = [game.event, game.round && `round ${game.round}`, game.date, `${game.rule}, ${game.size.join(' × ')}`, game.opening, count(game.length, 'move'),
    RESULTS[game.result] + (game.reason ? ` (${game.reason})` : ''), `${game.file}${game.place ? `, game ${game.place}` : ''}`,
    game.bottom ? 'rows from the bottom' : null, numberOf(game.skipped) > 0 ? `moves 1 to ${numberOf(game.skipped)} not reviewed` : null];
  byId('facts').replaceChildren(...facts.filter(Boolean).map((fact) => el('bdi', {}, fact)));
}

function open(number, ply) {
  stop();
  Object.assign(state, { game: gameOf(number), mode: 'game', line: null, proof: null, find: null });
  const { game } = state;
  board = makeBoard({ size: game.size, fromBottom: game.bottom, pick });
  byId('board').replaceChildren(board.picture);
  byId('slider').max = game.length;
  byId('game-choice').value = number;
  const place = list.findIndex((entry) => entry.number === number);
  byId('game-back').disabled = place === 0;
  byId('game-next').disabled = place === list.length - 1;
  showHead();
  showCourse();
  showSides();
  showMoves();
  showPrinted();
  goTo(ply);
}

function openNeighbour(step) {
  const entry = list[list.findIndex(({ number }) => number === state.game.number) + step];
  if (entry) open(entry.number, 0);
}

// Opens the move of the address, or else the first game at its first position.
function followAddress() {
  clearTimeout(addressTimer);
  const asked = new URLSearchParams(location.hash.slice(1));
  const entry = list.find(({ number }) => String(number) === asked.get('game')) ?? list[0];
  const ply = Number(asked.get('move') ?? 0);
  if (state.game?.number !== entry.number || state.ply !== ply) open(entry.number, Number.isInteger(ply) ? ply : 0);
}

// Day and night --------------------------------------------------------------

const THEMES = ['auto', 'light', 'dark'];

function setTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = { auto: '◐ auto', light: '○ light', dark: '● dark' }[theme];
  byId('theme').setAttribute('aria-label', `Colours: ${theme}`);
}

function nextTheme() {
  const theme = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? 'auto') + 1) % THEMES.length];
  setTheme(theme);
  // A page opened from a file may have no storage.
  try { localStorage.setItem('tengen-theme', theme); } catch { /* it is as it was when the page is opened again */ }
}

function savedTheme() {
  try { return localStorage.getItem('tengen-theme'); } catch { return null; }
}

// Keys and buttons -----------------------------------------------------------

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input[type=text], input[type=range], select')) {
    if (event.key === 'Escape') leave();
    return;
  }
  const onButton = event.target.closest('button, input, a') !== null;
  const actions = {
    ArrowLeft: stepBack, ArrowRight: stepForward, Escape: leave,
    Home: () => goTo(0), End: () => goTo(state.game.length),
    n: () => goToFault(1), p: () => goToFault(-1), f: () => (state.find ? leaveFind() : openFind()),
    ...(onButton ? {} : { ' ': playOrStop }),
  };
  if (Object.hasOwn(actions, event.key)) {
    actions[event.key]();
    event.preventDefault();
  }
}

function start() {
  byId('page').hidden = false;
  setTheme(THEMES.includes(savedTheme()) ? savedTheme() : 'auto');
  byId('theme').addEventListener('click', nextTheme);
  if (list.length === 0) {
    byId('title').textContent = 'No game was reviewed';
    document.querySelectorAll('.review, #chooser').forEach((part) => part.remove());
    return;
  }
  byId('chooser').hidden = list.length === 1;
  const results = { b: '1 : 0', w: '0 : 1', d: '½ : ½', '?': '' };
  byId('game-choice').append(...list.map(({ number, names: [black, white], result, moves }) => el('option', { value: number }, `${number}. \u2068${black || 'Black'}\u2069 – \u2068${white || 'White'}\u2069 ${results[result]}, ${count(moves, 'move')}`)));
  byId('game-choice').addEventListener('change', (event) => open(Number(event.target.value), 0));
  byId('game-back').addEventListener('click', () => openNeighbour(-1));
  byId('game-next').addEventListener('click', () => openNeighbour(1));
  ['first', 'back', 'play', 'next', 'last'].forEach((icon) => setIcon(`to-${icon}`, icon));
  byId('to-first').addEventListener('click', () => goTo(0));
  byId('to-back').addEventListener('click', stepBack);
  byId('to-play').addEventListener('click', playOrStop);
  byId('to-next').addEventListener('click', stepForward);
  byId('to-last').addEventListener('click', () => goTo(state.game.length));
  byId('to-fault-back').addEventListener('click', () => goToFault(-1));
  byId('to-fault-next').addEventListener('click', () => goToFault(1));
  byId('to-find').addEventListener('click', () => (state.find ? leaveFind() : openFind()));
  byId('slider').addEventListener('input', (event) => goTo(Number(event.target.value)));
  ['candidates', 'numbers'].forEach((id) => byId(id).addEventListener('change', show));
  document.addEventListener('keydown', onKey);
  window.addEventListener('hashchange', followAddress);
  // On paper the board shows the whole game.
  let shown = 0;
  window.addEventListener('beforeprint', () => { shown = state.ply; goTo(state.game.length); });
  window.addEventListener('afterprint', () => goTo(shown));
  followAddress();
}

start();

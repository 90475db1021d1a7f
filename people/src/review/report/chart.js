// The chances in the course of the game, and what both sides did.

const HEIGHT = 150;
let courseBox = null;

function chart(width) {
  const { game } = state;
  const [left, right, top, bottom] = [6, 6, 6, 6];
  const last = Math.max(1, game.length);
  const x = (ply) => left + (width - left - right) * (ply / last);
  const y = (value) => top + (HEIGHT - top - bottom) * (1 - value / 1e4);
  const points = game.black.map((value, i) => `${x(game.skipped + i).toFixed(1)},${y(value).toFixed(1)}`);
  const [from, to] = [x(game.skipped), x(game.skipped + game.black.length - 1)];
  const click = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    goTo(Math.round((event.clientX - box.left - left) / (width - left - right) * last));
  };
  const here = state.mode === 'game' || state.mode === 'find' ? state.ply : (state.line ?? state.proof).base;
  const circles = faultsOf(game).map((move) => svg('g', { class: move.class },
    svg('circle', { class: 'fault', cx: x(move.ply), cy: y(game.black[move.ply - game.skipped]), r: 5 }),
    svg('title', {}, `${numberOf(move.ply)} ${cell(move.point)}: ${CLASSES[move.class].words}`)));
  return svg('svg', { width, height: HEIGHT, role: 'img', 'aria-label': 'Chances of black in the course of the game; the slider goes to a move', click },
    svg('rect', { class: 'above', x: from, y: top, width: Math.max(0, to - from), height: HEIGHT - top - bottom }),
    points.length > 0 ? svg('polygon', { class: 'below', points: [`${from},${HEIGHT - bottom}`, ...points, `${to},${HEIGHT - bottom}`].join(' ') }) : null,
    svg('path', { class: 'middle', d: `M${left},${HEIGHT / 2}H${width - right}` }),
    svg('path', { class: 'here', d: `M${x(here)},0V${HEIGHT}` }),
    circles);
}

function showCourse() {
  courseBox = drawn(HEIGHT, chart);
  byId('course').replaceChildren(
    el('div', { class: 'legend' }, el('span', {}, dot(1), 'white’s chances'), el('span', { class: 'screen' }, 'click to go to a move')),
    courseBox,
    el('div', { class: 'legend' }, el('span', {}, dot(0), 'black’s chances'), el('span', {}, `${count(state.game.length, 'move')}`)));
}

function redrawCourse() {
  if (courseBox && courseBox.clientWidth > 0) courseBox.replaceChildren(chart(Math.floor(courseBox.clientWidth)));
}

// The next move of a side and class after the present one; after the last comes the first.
function goToNext(color, name) {
  const found = faultsOf(state.game).filter((move) => move.color === color && move.class === name);
  goTo((found.find((move) => move.ply > state.ply) ?? found[0]).ply);
}

function showSides() {
  const { game } = state;
  const faults = faultsOf(game);
  const number = (color, name) => faults.filter((move) => move.color === color && move.class === name).length;
  const counted = (color, name) => {
    const found = number(color, name);
    return el('td', { class: name }, found === 0 ? '–' : button(String(found), () => goToNext(color, name), {
      title: `Next ${CLASSES[name].words} of ${COLORS[color]}`, 'aria-label': `${count(found, CLASSES[name].words)} of ${COLORS[color]}: next` }));
  };
  const accuracy = (color) => el('td', {}, known(game.accuracy[color]) ? percent(game.accuracy[color]) : '–');
  const row = (words, cell_) => el('tr', {}, el('th', { class: 'left', scope: 'row' }, words), [0, 1].map(cell_));
  const plural = { inaccuracy: 'inaccuracies', mistake: 'mistakes', missed_win: 'missed wins', blunder: 'blunders' };
  const moveLink = (ply) => button(`move ${numberOf(ply)}, ${COLORS[toMoveAfter(ply - 1)]} ${cell(game.moves[ply - 1].point)}`, () => goTo(ply), { class: 'link' });
  const [loser, after] = game.lost ?? [];
  byId('sides').replaceChildren(
    table(el('tr', {}, el('td'), [0, 1].map((color) => el('th', { class: 'name', scope: 'col' }, dot(color), nameOf(game.names[color], color)))),
      [row('accuracy', accuracy), FAULTS.map((name) => row(plural[name], (color) => counted(color, name)))].flat()),
    el('div', { class: 'facts' },
      game.turning === null ? null : el('span', {}, 'Turning point: ', moveLink(game.skipped + game.turning + 1)),
      !game.lost ? null : el('span', {}, `Lost for good: ${COLORS[loser]}, `, after > game.skipped ? ['by ', moveLink(after)] : 'before the first move reviewed')));
}

function showMoves() {
  const { game } = state;
  const move = ({ point, color, class: name, chances }, i) => el('li', {}, el('button', { type: 'button', class: 'move', 'data-ply': i + 1, click: () => goTo(i + 1) },
    el('span', { class: 'number' }, numberOf(i + 1)), dot(color),
    el('span', {}, `${cell(point)} `, name ? el('span', { class: `class ${name}`, title: CLASSES[name].words, 'aria-label': CLASSES[name].words, role: 'img' }, CLASSES[name].mark) : null),
    el('span', { class: 'value' }, chances && CLASSES[name].fault ? `−${percentOf(chances[0] - chances[1])}` : '')));
  byId('moves').replaceChildren(el('h3', {}, 'Moves'), el('ol', {}, game.moves.map(move)));
}

function markMove(ply) {
  const box = byId('moves').querySelector('ol');
  box.querySelector('[aria-current]')?.removeAttribute('aria-current');
  const item = box.querySelector(`[data-ply="${ply}"]`);
  item?.setAttribute('aria-current', 'true');
  // Within its box only: the page stays where it is.
  if (item && box.scrollHeight > box.clientHeight) {
    const [above, below] = [item.offsetTop - box.offsetTop - 8, item.offsetTop - box.offsetTop + item.offsetHeight + 8 - box.clientHeight];
    if (box.scrollTop > above) box.scrollTop = above;
    else if (box.scrollTop < below) box.scrollTop = below;
  }
}

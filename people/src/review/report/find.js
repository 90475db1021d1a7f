// Finding the better moves oneself: the positions before the mistakes, one after another. What was
// played is told, what is better only when it was found or asked for.

function openFind(side = null) {
  stop();
  const tasks = faultsOf(state.game).filter(({ color }) => side === null || color === side);
  Object.assign(state, { mode: 'find', line: null, proof: null, find: { side, tasks, at: 0, results: tasks.map(() => null), tries: [], verdict: null } });
  showTask();
}

// Shows the present task, or what came of all.
function showTask() {
  const { find } = state;
  const task = find.tasks[find.at];
  if (task) state.ply = task.ply - 1;
  Object.assign(find, { tries: [], verdict: null });
  show();
}

const isSolved = () => ['found', 'shown'].includes(state.find.results[state.find.at]);

// Says what a move is worth that was tried instead of the one that was played.
function judge(point, task) {
  const { moves } = positionAt(task.ply - 1);
  const [best] = moves;
  const move = moves.find(({ line }) => isSame(line[0], point));
  const isWin = ({ proven }) => proven && proven[0] === task.color;
  if (isSame(point, task.point)) return { isGood: false, words: `${cell(point)} is what was played.` };
  if (!move) {
    const last = moves[moves.length - 1];
    return { isGood: false, words: `${cell(point)} is not among the ${moves.length} moves that the review thought best${isWin(last) ? '' : `, which are worth ${percentOf(last.value)} or more`}.` };
  }
  const lost = best.value - move.value;
  if (move === best) return { isGood: true, words: `${cell(point)} is the best move: ${valueWords(move, task.color)}.` };
  if (isWin(best) && !isWin(move) && move.value >= NEARLY_WON) return { isGood: true, words: `${cell(point)} wins too: ${valueWords(move, task.color)}; and there is a proven win in ${best.proven[1]}.` };
  if (isWin(best) && !isWin(move)) return { isGood: false, words: `${cell(point)} keeps ${valueWords(move, task.color)}, but there is a proven win.` };
  if (lost <= AS_GOOD) return { isGood: true, words: `${cell(point)} is as good as the best move: ${valueWords(move, task.color)}.` };
  if (lost < INACCURACY) return { isGood: true, words: `${cell(point)} is good: ${valueWords(move, task.color)}, and the best move ${percentOf(best.value)}.` };
  return { isGood: false, words: `${cell(point)} is not as good: ${valueWords(move, task.color)}; the best move is worth ${percentOf(lost)} more.` };
}

function tryToFind(point) {
  const { find } = state;
  const task = find.tasks[find.at];
  if (!task || isSolved()) {
    tryMove(point);
    return;
  }
  const fault = objection(point);
  if (fault) find.verdict = { isGood: false, words: fault };
  else {
    find.verdict = judge(point, task);
    find.tries.push(point);
    if (find.verdict.isGood) find.results[find.at] = 'found';
  }
  if (find.verdict.isGood && find.tries.length === 1) find.first = (find.first ?? 0) + 1;
  show();
  say(find.verdict.words);
}

function showAnswer() {
  state.find.results[state.find.at] = 'shown';
  show();
}

function moveTask(step) {
  state.find.at += step;
  showTask();
}

function leaveFind() {
  Object.assign(state, { mode: 'game', find: null });
  show();
}

function sideChoice() {
  const { find } = state;
  const choice = [[null, 'both sides'], [0, 'black'], [1, 'white']];
  return buttons(choice.map(([side, words]) => button(words, () => openFind(side), { 'aria-pressed': find.side === side ? 'true' : 'false' })));
}

function tellFind() {
  const { find } = state;
  const task = find.tasks[find.at];
  if (!task) {
    const found = find.results.filter((result) => result === 'found').length;
    tell(el('h2', {}, 'Find better moves'),
      el('p', {}, find.tasks.length === 0 ? 'There is no mistake to improve on.' : `Better moves found: ${found} of ${find.tasks.length}, ${find.first ?? 0} at the first try.`),
      sideChoice(), buttons(find.tasks.length > 0 ? button('Once more', () => openFind(find.side)) : null, button('Back to the game (Esc)', leaveFind)));
    return;
  }
  const solved = isSolved();
  tell(
    el('h2', {}, el('span', {}, `Mistake ${find.at + 1} of ${find.tasks.length}: `, dot(task.color), `${sideName(task.color)} to move`)),
    sideChoice(),
    el('p', { style: 'margin-top:.6rem' }, `Here ${COLORS[task.color]} played ${cell(task.point)}, `, classWords(task.class),
      `: ${percentOf(task.chances[0])} before it, ${percentOf(task.chances[1])} after it. Which move is better?`),
    find.verdict ? el('p', { class: `verdict ${find.verdict.isGood ? 'best' : 'blunder'}` }, find.verdict.words) : null,
    solved ? [remarkList(task.why), betterWords(task.ply)] : null,
    buttons(
      button('Previous', () => moveTask(-1), { disabled: find.at === 0 ? '' : null }),
      solved ? null : button('Show the answer', showAnswer),
      button(find.at + 1 === find.tasks.length ? 'Finish' : 'Next', () => moveTask(1)),
      button('Back to the game (Esc)', leaveFind)),
    solved ? null : cellField('Try it', tryToFind));
}

// The moves that were tried, and once it is solved the candidates.
function marksOfFind() {
  const { find } = state;
  const task = find.tasks[find.at];
  if (!task) return [];
  if (isSolved()) return marksOfGame();
  return find.tries.map(board.place).map(([x, y]) => svg('path', { d: `M${x - 8},${y - 8}l16,16m0,-16l-16,16`, stroke: 'var(--mark)', 'stroke-width': 3, 'stroke-linecap': 'round' }));
}

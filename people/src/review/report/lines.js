// Lines that were not played, moves that a reader tries, and wins played out against any defence.

function openLine(base, points, title, at = 1) {
  stop();
  Object.assign(state, { mode: 'line', ply: base, line: { base, points, title, at, from: state.mode === 'find' ? 'find' : 'game' } });
  show();
}

function stepLine(step) {
  const { line } = state;
  if (line.at + step < 1) backToGame();
  else {
    line.at = Math.min(line.points.length, line.at + step);
    show();
  }
}

function backToGame() {
  const isFinding = state.line?.from === 'find' && state.find;
  Object.assign(state, { mode: isFinding ? 'find' : 'game', line: null, proof: null });
  show();
}

// A reader's own move: the next of the game or the line, a candidate with its line, or any other.
function tryMove(point) {
  const { game, ply, line } = state;
  const next = state.mode === 'line' ? line.points[line.at] : game.moves[ply]?.point;
  // A task to find better moves does not go on with the game.
  if (state.mode !== 'find' && next && isSame(next, point)) {
    stepForward();
    return;
  }
  const fault = objection(point);
  if (fault) {
    say(fault);
    return;
  }
  if (state.mode === 'line') {
    openLineFrom(line.base, [...line.points.slice(0, line.at), point]);
    return;
  }
  const known_ = positionAt(ply)?.moves.find((move) => isSame(move.line[0], point));
  if (known_) openLine(ply, known_.line, `The line of ${cell(point)}`);
  else openLineFrom(ply, [point]);
}

function openLineFrom(base, points) {
  const from = state.line?.from ?? 'game';
  openLine(base, points, 'Your own moves', points.length);
  state.line.from = from;
}

function tellLine() {
  const { base, points, title, at } = state.line;
  const chip = (point, i) => el('li', {}, el('button', {
    type: 'button', 'data-key': `line-${i}`, 'aria-current': i === at - 1 ? 'true' : null, click: () => { state.line.at = i + 1; show(); },
  }, `${i + 1} `, dot(toMoveAfter(base + i)), cell(point)));
  const first = positionAt(base)?.moves.find((move) => isSame(move.line[0], points[0]));
  const won = winningLine(stonesNow()).length > 0;
  tell(
    el('h2', {}, title),
    el('p', { class: 'soft' }, base === 0 ? 'From the beginning.' : `After move ${numberOf(base)} of the game.`),
    first ? el('p', {}, `${cell(points[0])}: ${first.proven ? provenWords(first.proven) : `${sideName(toMoveAfter(base))}’s chances are ${percentOf(first.value)}.`}`)
      : el('p', {}, `The review has not looked at ${cell(points[0])}.`),
    el('ol', { class: 'line' }, points.map(chip)),
    won ? el('p', {}, el('strong', {}, `${sideName(toMoveAfter(base + at - 1))} has won.`)) : null,
    buttons(button('Back', () => stepLine(-1)), button('Forward', () => stepLine(1), { disabled: at === points.length ? '' : null }),
      button(state.line.from === 'find' ? 'Back to the task' : 'Back to the game (Esc)', backToGame)),
    cellField('Try a move', tryMove));
}

// A field for those who type cells instead of clicking them.
function cellField(words, act) {
  const field = el('input', { type: 'text', 'aria-label': 'A cell such as h8', placeholder: 'h8', 'data-key': 'cell', maxlength: 3, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
  const submit = (event) => {
    event.preventDefault();
    const point = typedCell(field.value);
    if (point) act(point);
    else say('That is not a cell of the board.');
  };
  return el('form', { class: 'buttons', submit }, field, el('button', { type: 'submit' }, words));
}

// Proofs --------------------------------------------------------------------

function openProof(base) {
  const { attack } = positionAt(base);
  const from = state.mode === 'find' ? 'find' : 'game';
  stop();
  Object.assign(state, { mode: 'proof', ply: base, line: null, proof: { base, from, attacks: [attack], points: [attack.play] } });
  show();
}

// The attacks so far: after each reply there is one more, and the points are theirs and the replies.
const attackNow = () => state.proof.attacks[state.proof.attacks.length - 1];

function answer(reply) {
  const attack = attackNow();
  const fault = attack.otherwise ? objection(reply) : 'The game is over here.';
  if (fault) {
    say(fault);
    return;
  }
  const next = attack.replies.find((listed) => isSame(listed.reply, reply))?.next ?? attack.otherwise;
  state.proof.attacks.push(next);
  state.proof.points.push(reply, next.play);
  show();
  const attacker = sideName(toMoveAfter(state.proof.base));
  say(next.otherwise ? `${attacker} answers ${cell(next.play)}.` : `${attacker} answers ${cell(next.play)} and has won.`);
}

function takeBackAnswer() {
  const { proof } = state;
  if (proof.attacks.length === 1) {
    leaveProof();
    return;
  }
  proof.attacks.pop();
  proof.points.splice(-2);
  show();
}

function leaveProof() {
  state.line = { from: state.proof.from };
  backToGame();
}

// The reply that resists longest; if nothing needs an answer of its own, one that is out of the way.
function longestReply(attack) {
  const listed = attack.replies.filter(({ reply }) => objection(reply) === null);
  const best = listed.sort((a, b) => b.next.plies - a.next.plies)[0];
  if (best && best.next.plies >= attack.otherwise.plies) return best.reply;
  const used = new Set();
  const note = (part) => {
    used.add(String(part.play));
    part.replies.forEach(({ reply, next }) => { used.add(String(reply)); note(next); });
    if (part.otherwise) note(part.otherwise);
  };
  note(attack.otherwise);
  const [columns, rows] = state.game.size;
  const all = Array.from({ length: columns * rows }, (_, i) => [i % columns, Math.floor(i / columns)]);
  const free = all.filter((point) => !attack.replies.some(({ reply }) => isSame(reply, point)) && objection(point) === null);
  return free.find((point) => !used.has(String(point))) ?? free[0] ?? best?.reply ?? null;
}

function defendLongest() {
  const attack = attackNow();
  const reply = attack.otherwise && longestReply(attack);
  if (reply) answer(reply);
}

function tellProof() {
  const { base, points } = state.proof;
  const attack = attackNow();
  const [attacker, defender] = [toMoveAfter(base), toMoveAfter(base + 1)];
  const chip = (point, i) => el('li', {}, el('span', {}, `${i + 1} `, dot(toMoveAfter(base + i)), cell(point)));
  const replies = [...attack.replies].sort((a, b) => b.next.plies - a.next.plies).slice(0, 12);
  tell(
    el('h2', {}, dot(attacker), `${sideName(attacker)} wins by force`),
    el('p', { class: 'soft' }, `From ${base === 0 ? 'the beginning' : `the position after move ${numberOf(base)}`}; ${COLORS[attacker]} has an answer to every legal reply, and wins in ${state.proof.attacks[0].plies} at most, the moves of both sides counted.`),
    el('ol', { class: 'line' }, points.map(chip)),
    attack.otherwise ? [
      el('h3', {}, dot(defender), `${sideName(defender)} to move: try any defence`),
      el('p', {}, `${sideName(attacker)} wins in ${attack.plies - 1} at most from here. Click a cell${replies.length > 0 ? ', or one of these' : ''}:`),
      buttons(replies.map(({ reply, next }) => button(cell(reply), () => answer(reply), { class: 'cell', title: `wins in ${next.plies} then` })),
        button('The longest defence', defendLongest)),
    ] : el('p', {}, el('strong', {}, `${sideName(attacker)} has won.`)),
    buttons(button('Take back', takeBackAnswer, { disabled: points.length === 1 ? '' : null }),
      button(state.proof.from === 'find' ? 'Back to the task' : 'Back to the game (Esc)', leaveProof)),
    attack.otherwise ? cellField('Defend', answer) : null);
}

// Where the defender has an answer of its own to look for.
function marksOfProof() {
  const { replies } = attackNow();
  return replies.map(({ reply }) => board.place(reply)).map(([x, y]) => svg('rect', { class: 'reply', x: x - 7, y: y - 7, width: 14, height: 14, rx: 4 }));
}

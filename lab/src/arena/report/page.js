// The match as a whole.

const { summary } = data;
const ends = summary.ends.map((count) => count.end);
// Two stay in the order in which they were given.
const order = summary.duel ? [0, 1] : summary.ranking;
const faults = ['start', 'late', 'silent', 'garbage', 'flood', 'crash', 'exit', 'occupied',
  'outside', 'swap2', 'memory'];

// From the first date to the last, the day only once if it is the same.
function dateWords(first, last) {
  if (first === last) return first;
  const [day, time] = last.split(' ');
  return `${first} – ${time && first.startsWith(`${day} `) ? time : last}`;
}

function showHead() {
  const { players } = summary;
  const versus = players.length === 2
    ? [nameOf(0), ' against ', nameOf(1)]
    : [{ 'gauntlet': 'Gauntlet', 'round-robin': 'Round robin' }[summary.pairing] ?? 'Match', ` of ${players.length} players`];
  const title = summary.event ? [el('bdi', {}, summary.event), ': ', versus] : versus;
  const facts = [
    `${summary.rule}, ${summary.size[0]} × ${summary.size[1]}`,
    data.bottom ? 'rows from the bottom' : null,
    `${grouped(summary.games)} of ${count(summary.scheduled, 'game')}`,
    summary.pairing === 'best-of' ? 'best of' : null,
    summary.dates && dateWords(...summary.dates),
    `${duration(summary.thinking_ms)} of thinking`,
    ...summary.settings.filter(([, value]) => !['none', 'off', 'sequential', ''].includes(value)).map(([name, value]) => `${name}: ${value}`),
  ];
  const player = (info, i) => el('div', { class: 'card' },
    el('div', { class: 'name' }, dot(i), nameOf(i)), el('code', {}, info.command), el('code', {}, info.options));
  byId('head').append(
    el('h1', {}, title),
    el('div', { class: 'facts' }, facts.filter(Boolean).map((fact) => el('span', {}, el('bdi', {}, fact)))),
    el('div', { class: 'who' }, players.map(player)),
  );
}

// A horizontal bar from lower to upper with a point at the value, on a scale from low to high.
function errorBar(width, height, [low, high], interval, color) {
  const x = (elo) => 8 + (width - 16) * Math.min(1, Math.max(0, (elo - low) / (high - low)));
  const y = height / 2;
  const [from, to] = [interval.lower ?? low, interval.upper ?? high];
  const cap = (elo, open, side) => (open
    ? svg('path', { d: `M${x(elo) - 5 * side},${y - 4}l${5 * side},4l${-5 * side},4`, stroke: color, fill: 'none', 'stroke-width': 2 })
    : svg('path', { d: `M${x(elo)},${y - 4}v8`, stroke: color, 'stroke-width': 2 }));
  return svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'interval' },
    svg('path', { class: 'zero', d: `M${x(0)},2V${height - 2}` }),
    svg('path', { d: `M${x(from)},${y}H${x(to)}`, stroke: color, 'stroke-width': 2 }),
    cap(from, !known(interval.lower), -1), cap(to, !known(interval.upper), 1),
    known(interval.value) ? svg('circle', { cx: x(interval.value), cy: y, r: 4.5, fill: color }) : null);
}

// The limits of a picture of intervals: all that is finite, and 0.
function limits(intervals) {
  const values = intervals.flatMap((i) => [i.value, i.lower, i.upper]).filter((v) => known(v));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = Math.max(20, (high - low) * 0.08);
  return [low - room, high + room];
}

function tile(title, value, ...more) {
  return el('div', { class: 'card tile' },
    el('div', { class: 'title' }, title), el('div', { class: 'value' }, value),
    more.filter(known).map((line) => el('div', { class: 'more' }, line)));
}

function showDuel(duel) {
  const [one, two] = summary.players;
  const share = (games, part, label) => (part
    ? el('div', { class: label.class, style: `flex:${part} 0 0;${label.style ?? ''}`, title: `${part} ${label.words}` }, `${grouped(part)} ${label.words}`)
    : null);
  const { wins, draws, losses, games, score } = one.all;
  const board = el('div', { class: 'card' },
    el('div', { class: 'versus' },
      el('div', { class: 'name' }, dot(0), nameOf(0)),
      el('div', { class: 'points' }, `${half(one.all.points)} : ${half(two.all.points)}`),
      el('div', { class: 'name' }, dot(1), nameOf(1))),
    el('div', { class: 'share' },
      share(games, wins, { words: 'won', style: `background:${colorOf(0)}` }),
      share(games, draws, { words: 'drawn', class: 'draws' }),
      share(games, losses, { words: 'lost', style: `background:${colorOf(1)}` })),
    el('div', { class: 'scroll' }, table(
      el('tr', {}, el('th', { class: 'left' }, ''), cells('th', ['games', 'won', 'drawn', 'lost', 'points', 'score', 'with black', 'with white'])),
      summary.players.map((player, i) => el('tr', {}, el('td', { class: 'left name' }, dot(i), nameOf(i)),
        cells('td', [player.all.games, player.all.wins, player.all.draws, player.all.losses].map(grouped)),
        cells('td', [half(player.all.points), percent(player.all.score), percent(player.black.score), percent(player.white.score)]))))));
  const tiles = [];
  if (duel.elo) {
    const scale = limits([duel.elo]);
    tiles.push(el('div', { class: 'card tile wide' }, el('div', { class: 'title' }, 'Elo difference'),
      el('div', { class: 'value' }, eloText(duel.elo, score), ' ', el('span', { class: 'more' }, eloMargin(duel.elo))),
      drawn(22, (width) => errorBar(width, 22, scale, duel.elo, colorOf(0))),
      el('div', { class: 'more' }, `95 %, from ${duel.from_pairs ? 'pairs of' : 'single'} games${duel.nelo || !known(duel.elo.error) ? '' : ', all alike so far'}`)));
    tiles.push(tile('Normalised Elo', duel.nelo ? signed(duel.nelo.value) : '–', duel.nelo ? eloMargin(duel.nelo) : 'all results alike'));
    tiles.push(tile('Likelihood of superiority', likelihood(duel.los), known(duel.los) ? ['that ', nameOf(0), ' is stronger'] : 'all results alike'));
    tiles.push(tile('Draws', percent(duel.draw_ratio), known(duel.pair_draw_ratio) ? `${percent(duel.pair_draw_ratio)} of pairs even` : null));
    tiles.push(tile('Black', percent(summary.black.score), `${grouped(summary.black.wins)} won, ${grouped(summary.black.draws)} drawn, ${grouped(summary.black.losses)} lost`));
  }
  if (duel.sprt) tiles.splice(1, 0, sprtTile(duel.sprt));
  byId('result').append(el('h2', {}, 'Result'), board, el('div', { class: tiles.length === 5 ? 'tiles five' : 'tiles' }, tiles));
}

function sprtTile(test) {
  const words = { H0: `H0 accepted: ${test.elo0} rather than ${test.elo1}`, H1: `H1 accepted: ${test.elo1} rather than ${test.elo0}` };
  const gauge = (width) => {
    const x = (llr) => 4 + (width - 8) * Math.min(1, Math.max(0, (llr - test.lower) / (test.upper - test.lower)));
    const [from, to] = [Math.min(0, test.llr), Math.max(0, test.llr)];
    return svg('svg', { width, height: 22, role: 'img', 'aria-label': 'log likelihood ratio between its bounds' },
      svg('rect', { x: 4, y: 8, width: width - 8, height: 6, rx: 3, fill: 'var(--line)' }),
      svg('rect', { x: x(from), y: 8, width: Math.max(1, x(to) - x(from)), height: 6, fill: 'var(--accent)' }),
      svg('path', { d: `M${x(0)},4v14`, stroke: 'var(--soft)' }),
      svg('circle', { cx: x(test.llr), cy: 11, r: 5, fill: 'var(--accent)' }));
  };
  const kind = test.model === 'normalized' ? 'normalised Elo' : 'Elo';
  return el('div', { class: 'card tile wide' },
    el('div', { class: 'title' }, `SPRT, ${test.elo0} or ${test.elo1} ${kind} (α ${test.alpha}, β ${test.beta})`),
    el('div', { class: 'value' }, `LLR ${signed(test.llr, 2)} `, el('span', { class: 'more' }, `of ${fixed(test.lower, 2)} to ${signed(test.upper, 2)}`)),
    drawn(22, gauge), el('div', { class: 'more' }, words[test.accepted] ?? 'undecided'));
}

function showStandings() {
  const { players, ranking, crosstable } = summary;
  const rated = ranking.map((i) => players[i].rating).filter(known);
  const interval = ({ elo, error }) => ({ value: elo, lower: known(error) ? elo - error : null, upper: known(error) ? elo + error : null });
  const scale = limits(rated.map(interval));
  const row = (player, place) => {
    const { all, black, white, rating } = players[player];
    return el('tr', {}, el('td', {}, place + 1), el('td', { class: 'left name' }, dot(player), nameOf(player)),
      el('td', {}, rating ? signed(rating.elo) : '–'), el('td', {}, rating && known(rating.error) ? `± ${fixed(rating.error)}` : ''),
      el('td', { class: 'elo' }, rating ? errorBar(120, 24, scale, interval(rating), colorOf(player)) : ''),
      cells('td', [all.games, all.wins, all.draws, all.losses].map(grouped)),
      cells('td', [half(all.points), percent(all.score), percent(black.score), percent(white.score), rating ? likelihood(rating.los_next) : '–']));
  };
  const cell = (player, opponent) => {
    const results = crosstable[player][opponent];
    if (!results) return el('td', { class: 'self' });
    if (!results.games) return el('td', {}, '');
    const { wins, draws, losses, points, games } = results;
    return el('td', { title: `+${wins} =${draws} −${losses}`, style: `background:color-mix(in srgb, ${colorOf(player)} ${Math.round(30 * results.score)}%, transparent)` },
      half(points), el('span', { class: 'more' }, ` / ${grouped(games)}`));
  };
  byId('result').append(el('h2', {}, 'Result'),
    el('div', { class: 'card scroll' }, table(
      el('tr', {}, el('th', {}, '#'), el('th', { class: 'left' }, 'player'), cells('th', ['Elo', '', '', 'games', 'won', 'drawn', 'lost', 'points', 'score', 'black', 'white', 'LOS next'])),
      ranking.map(row))),
    el('div', { class: 'card scroll', style: 'margin-top:.75rem' }, el('h3', {}, 'Points of the row against the column'), table(
      el('tr', {}, el('th', {}, '#'), el('th', { class: 'left' }, 'player'), cells('th', ranking.map((_, place) => place + 1))),
      ranking.map((player, place) => el('tr', {}, el('td', {}, place + 1), el('td', { class: 'left name' }, dot(player), nameOf(player)),
        ranking.map((opponent) => cell(player, opponent)))))),
    el('p', { class: 'soft', style: 'margin-top:.75rem' }, ratingWords()));
}

function ratingWords() {
  const { black, rating_model: model } = summary;
  const words = [`Black scored ${percent(black.score)}.`];
  if (model) {
    const part = (name, { value, error }) => `${name} ${signed(value)}${known(error) ? ` ± ${fixed(error)}` : ''}`;
    words.push(`Ratings are the most likely ones, with the mean 0; in the model ${part('the first move is worth', model.first_move)}, ${part('the draw Elo is', model.draw_elo)}.`);
  }
  return words.join(' ');
}

// The limits of scores that all curves have in common.
function courseLimits(players) {
  const values = players.flatMap((player) => {
    const { games: played, lower, upper } = data.courses[player];
    // The first few games say nothing and would take all the room.
    const settled = (_, i) => played[i] >= Math.min(20, played[played.length - 1]);
    return [...lower.filter(settled), ...upper.filter(settled)];
  });
  return [Math.max(0, Math.min(0.45, ...values) - 0.02), Math.min(1, Math.max(0.55, ...values) + 0.02)];
}

// The score of a player in the course of the match with its 95 % band.
function courseChart(player, height, [low, high]) {
  const course = data.courses[player];
  return drawn(height, (width) => {
    const [left, right, top, bottom] = [44, 50, 8, 24];
    const last = course.games[course.games.length - 1];
    const x = (games) => left + (width - left - right) * (games / last);
    const y = (share) => top + (height - top - bottom) * (1 - (Math.min(high, Math.max(low, share)) - low) / (high - low));
    const points = (values) => values.map((value, i) => `${x(course.games[i]).toFixed(1)},${y(value).toFixed(1)}`);
    const band = [...points(course.upper), ...points(course.lower).reverse()].join(' ');
    const elo = (share) => (share <= 0 || share >= 1 ? null : -400 * Math.log10(1 / share - 1));
    const rows = ticks(low, high, height / 36).map((share) => [
      svg('path', { class: share > 0.499 && share < 0.501 ? 'zero' : 'axis', d: `M${left},${y(share)}H${width - right}` }),
      svg('text', { x: left - 6, y: y(share) + 4, 'text-anchor': 'end' }, `${Math.round(100 * share)} %`),
      elo(share) === null ? null : svg('text', { x: width - right + 6, y: y(share) + 4 }, signed(elo(share), 0))]);
    return svg('svg', { width, height, role: 'img', 'aria-label': `score of ${textOf(player)}` },
      rows,
      ticks(0, last, width / 110).filter(Number.isInteger).map((games) => svg('text', { x: x(games), y: height - 6, 'text-anchor': 'middle' }, grouped(games))),
      svg('polygon', { points: band, fill: colorOf(player), opacity: 0.18 }),
      svg('polyline', { points: points(course.score).join(' '), fill: 'none', stroke: colorOf(player), 'stroke-width': 2, 'stroke-linejoin': 'round' }),
      svg('circle', { cx: x(last), cy: y(course.score[course.score.length - 1]), r: 3.5, fill: colorOf(player) }));
  });
}

function showCourse() {
  const players = summary.players.length === 2 ? [0] : summary.ranking;
  const shown = players.filter((player) => data.courses[player].games.length > 1);
  if (shown.length === 0) {
    byId('course').remove();
    return;
  }
  const height = shown.length === 1 ? 260 : 170;
  const common = courseLimits(shown);
  byId('course').querySelector('.charts').append(...shown.map((player) => el('div', { class: 'card' },
    el('h3', {}, dot(player), nameOf(player), el('span', { class: 'soft', style: 'font-weight:400' }, ' score, and Elo at the right; 95 % band')),
    courseChart(player, height, common))));
}

function bars(values, labels, titles, color, height) {
  return drawn(height, (width) => {
    const [top, bottom] = [18, 22];
    const step = Math.min(72, width / values.length);
    const most = Math.max(1, ...values);
    const every = Math.ceil(Math.max(...labels.map((label) => label.length)) * 7.5 / step);
    return svg('svg', { width, height, role: 'img' }, values.map((value, i) => {
      const tall = (height - top - bottom) * value / most;
      return svg('g', {}, svg('title', {}, titles[i]),
        svg('rect', { x: i * step + step * 0.08, y: height - bottom - tall, width: step * 0.84, height: tall, rx: 2, fill: color }),
        value && step > 18 ? svg('text', { x: (i + 0.5) * step, y: height - bottom - tall - 5, 'text-anchor': 'middle' }, grouped(value)) : null,
        i % every === 0 ? svg('text', { x: (i + 0.5) * step, y: height - 6, 'text-anchor': 'middle' }, labels[i]) : null);
    }), svg('path', { class: 'axis', d: `M0,${height - bottom + 0.5}H${width}` }));
  });
}

function endTable() {
  const counts = (list, words) => ends.map((end) => {
    const found = list.find((count) => count.end === end);
    return el('td', { class: found && words === 'lost' && faults.includes(end) ? 'bad' : null }, found ? grouped(found.games) : '');
  });
  const rows = order.flatMap((player) => {
    const { won_by: won, drawn_by: drew, lost_by: lost } = summary.players[player];
    const some = [[won, 'won'], [drew, 'drawn'], [lost, 'lost']].filter(([list]) => list.length > 0);
    return some.map(([list, words], i) => el('tr', { class: i === 0 ? 'group' : null },
      el('td', { class: 'left name' }, i === 0 ? [dot(player), nameOf(player)] : ''), el('td', { class: 'left' }, words), counts(list, words)));
  });
  return el('div', { class: 'scroll' }, table(el('tr', {}, el('th', { class: 'left' }, 'player'), el('th'), cells('th', ends)),
    [...rows, el('tr', { class: 'group' }, el('th', { class: 'left' }, 'all'), el('td'), counts(summary.ends))]));
}

function showStatistics() {
  const { lengths, duel } = summary;
  const section = byId('statistics');
  const card = (title, ...content) => el('div', { class: 'card' }, el('h3', {}, title), content);
  const charts = [card('Lengths of games', bars(lengths.histogram.map((bin) => bin.games), lengths.histogram.map((bin) => String(bin.from)),
    lengths.histogram.map((bin) => `${bin.from} to ${bin.to} moves: ${count(bin.games, 'game')}`), 'var(--accent)', 170),
  el('p', { class: 'soft' }, `${lengths.min} to ${lengths.max} moves, mean ${fixed(lengths.mean)}, median ${lengths.median}`))];
  if (duel && duel.from_pairs) {
    const labels = ['0', '½', '1', '1½', '2'];
    const { won, lost, even, even_by_black: black, even_by_white: white } = duel.pairs;
    const ratio = `${count(won, 'pair')} won, ${grouped(lost)} lost, ${grouped(even)} even${black + white ? ` (black won ${grouped(black)}, white ${grouped(white)})` : ''}`;
    charts.push(card(['Pairs by points of ', nameOf(0)], bars(duel.pentanomial, labels, labels.map((label, i) => `${label}: ${count(duel.pentanomial[i], 'pair')}`), colorOf(0), 170),
      el('p', { class: 'soft' }, `${ratio}${summary.unpaired ? `; ${count(summary.unpaired, 'game')} without the other one` : ''}`)));
  }
  section.append(el('h2', {}, 'How games went'), el('div', { class: 'pair' }, charts),
    el('div', { class: 'card', style: 'margin-top:.75rem' }, el('h3', {}, 'How games ended'), endTable()));
}

function showEngines() {
  const row = (i) => {
    const player = summary.players[i];
    return el('tr', {}, el('td', { class: 'left name' }, dot(i), nameOf(i)),
      cells('td', [grouped(player.moves), duration(player.mean_move_ms), player.moves ? duration(player.slowest_move_ms) : '–', duration(player.time_ms),
        known(player.mean_depth) ? fixed(player.mean_depth) : '–', thousands(player.mean_nodes), thousands(player.nodes_per_second), memory(player.peak_memory)]),
      el('td', { class: player.faults ? 'bad' : null }, grouped(player.faults)));
  };
  byId('engines').append(el('h2', {}, 'What the engines used'), el('div', { class: 'card scroll' }, table(
    el('tr', {}, el('th', { class: 'left' }, 'player'), cells('th', ['moves', 'per move', 'slowest', 'in all', 'depth', 'nodes', 'nodes/s', 'memory', 'faults'])),
    order.map(row))));
}

byId('page').hidden = false;
showHead();
if (data.games.length === 0) {
  byId('result').append(el('p', {}, 'No game is finished.'));
  ['course', 'replay', 'games', 'statistics', 'engines'].forEach((id) => byId(id).remove());
} else {
  if (summary.duel) showDuel(summary.duel);
  else showStandings();
  showCourse();
  showStatistics();
  showEngines();
}

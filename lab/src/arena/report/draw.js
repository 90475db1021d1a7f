// The players, and words for their numbers.

const data = JSON.parse(byId('data').textContent);

const colorOf = (player) => `var(--p${player % 8})`;
// A name can't change the direction of what stands around it.
const nameOf = (player) => el('bdi', {}, data.summary.players[player].name || '?');
const textOf = (player) => `\u2068${data.summary.players[player].name || '?'}\u2069`;
const dot = (player) => el('span', { class: 'dot', style: `background:${colorOf(player)}` });

const likelihood = (share) => {
  if (!known(share)) return '–';
  if (share > 0.99995) return '> 99.99 %';
  if (share < 0.00005) return '< 0.01 %';
  return share > 0.99 || share < 0.01 ? `${fixed(100 * share, 2)} %` : percent(share);
};
const half = (points) => {
  const whole = Math.floor(points);
  return points === whole ? grouped(whole) : (whole ? grouped(whole) : '') + '½';
};
const thousands = (value) => {
  if (!known(value)) return '–';
  const unit = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']].find(([size]) => value >= size);
  if (!unit) return fixed(value, 0);
  return `${fixed(value / unit[0], value < 10 * unit[0] ? 1 : 0)}\u202f${unit[1]}`;
};
const duration = (ms) => {
  if (!known(ms)) return '–';
  if (ms < 10 && !Number.isInteger(ms)) return `${fixed(ms, 2)} ms`;
  if (ms < 1000) return `${fixed(ms, 0)} ms`;
  if (ms < 1e5) return `${fixed(ms / 1000)} s`;
  if (ms < 6e6) return `${fixed(ms / 6e4, 0)} min`;
  const minutes = Math.round(ms / 6e4);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
};
const memory = (bytes) => (known(bytes) ? `${grouped(Math.ceil(bytes / 2 ** 20))} MiB` : '–');

// Elo with its interval. Null stands for an infinite end: which one the other end tells.
const eloText = (elo, score) => {
  if (known(elo.value)) return signed(elo.value);
  const isHigh = known(elo.lower) === known(elo.upper) ? score > 0.5 : known(elo.lower);
  return isHigh ? '+∞' : '\u2212∞';
};
const eloMargin = (elo) => {
  if (known(elo.error)) return `± ${fixed(elo.error)}`;
  if (!known(elo.upper) && known(elo.lower)) return `at least ${signed(elo.lower)}`;
  return known(elo.upper) ? `at most ${signed(elo.upper)}` : '';
};

// Round numbers from low to high, about as many as asked for.
const ticks = (low, high, about) => {
  const rough = (high - low) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => size >= rough);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + step / 1e6; i += 1) found.push(i * step);
  return found;
};

// Building elements, and words for numbers. Whatever comes from the data becomes text, never HTML.

const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);

const build = (make) => (tag, attributes = {}, ...children) => {
  const element = make(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null));
  return element;
};
const el = build((tag) => document.createElement(tag));
const svg = build((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag));

const colorOf = (player) => `var(--p${player % 8})`;
// A name can't change the direction of what stands around it.
const nameOf = (player) => el('bdi', {}, data.summary.players[player].name || '?');
const textOf = (player) => `\u2068${data.summary.players[player].name || '?'}\u2069`;
const dot = (player) => el('span', { class: 'dot', style: `background:${colorOf(player)}` });

const known = (value) => value !== null && value !== undefined;
const minus = (text) => text.replace('-', '\u2212');
const fixed = (value, digits = 1) => minus(value.toFixed(digits));
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const signed = (value, digits = 1) => {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : (value > 0 ? '+' : '') + minus(text);
};
const percent = (share) => (known(share) ? `${fixed(100 * share)} %` : '–');
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
const count = (number, one) => `${grouped(number)} ${one}${number === 1 ? '' : 's'}`;
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
const infiniteElo = (score) => (score > 0.5 ? '+∞' : '\u2212∞');
const eloText = (elo, score) => (known(elo.value) ? signed(elo.value) : infiniteElo(score));
const eloMargin = (elo) => {
  if (known(elo.error)) return `± ${fixed(elo.error)}`;
  if (!known(elo.upper) && known(elo.lower)) return `at least ${signed(elo.lower)}`;
  return known(elo.upper) ? `at most ${signed(elo.upper)}` : '';
};

const table = (head, rows) => el('table', {}, el('thead', {}, head), el('tbody', {}, rows));
const cells = (kind, values) => values.map((value) => el(kind, {}, value));

// A picture of a fixed height that is drawn again whenever there is more or less room beside it.
const drawn = (height, draw) => {
  const box = el('div', { style: `height:${height}px` });
  let width = 0;
  new ResizeObserver(() => requestAnimationFrame(() => {
    const now = Math.floor(box.clientWidth);
    if (now > 0 && now !== width) {
      width = now;
      box.replaceChildren(draw(width));
    }
  })).observe(box);
  return box;
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

// Building elements, and words for numbers. Whatever comes from the data becomes text, never HTML.

/** @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

/** @type {(make: (tag: string) => any) => (tag: string, attributes?: Record<string, any>, ...children: any[]) => any} */
const build = (make) => (tag, attributes = {}, ...children) => {
  const element = make(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null));
  return element;
};
export const el = build((tag) => document.createElement(tag));
export const svg = build((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag));

export const known = (value) => value !== null && value !== undefined;
export const minus = (text) => text.replace('-', '\u2212');
export const fixed = (value, digits = 1) => minus(value.toFixed(digits));
export const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
export const signed = (value, digits = 1) => {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : (value > 0 ? '+' : '') + minus(text);
};
export const percent = (share) => (known(share) ? `${fixed(100 * share)} %` : '–');
export const count = (number, one) => `${grouped(number)} ${one}${number === 1 ? '' : 's'}`;
export const table = (head, rows) => el('table', {}, el('thead', {}, head), el('tbody', {}, rows));
export const cells = (kind, values) => values.map((value) => el(kind, {}, value));

// A picture of a fixed height that is drawn again whenever there is more or less room beside it.
export const drawn = (height, draw) => {
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

// Not every system has letters for these.
export const icons = {
  first: 'M3,3v10M13,3L6,8l7,5z', back: 'M11,3L4,8l7,5z', play: 'M3,3l5,5l-5,5zM8,3l5,5l-5,5z',
  pause: 'M5,3v10M11,3v10', next: 'M5,3l7,5l-7,5z', last: 'M13,3v10M3,3l7,5l-7,5z',
};

export function setIcon(id, icon) {
  byId(id).replaceChildren(svg('svg', { width: 16, height: 16, 'aria-hidden': 'true' },
    svg('path', { d: icons[icon], fill: 'currentColor', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linejoin': 'round' })));
}

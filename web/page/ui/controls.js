// Buttons, choices and icons, all with names that a screen reader can say.

import { el, svg } from '../shared/elements.js';

/** Outlines of 24 by 24. */
const ICONS = {
  back: 'M9 5 3 10l6 5M3 10h11a6 6 0 0 1 0 12h-3', bulb: 'M9 18h6M10 21h4M8.5 15a6 6 0 1 1 7 0l-.5 2h-6z',
  flag: 'M5 21V4h13l-3 4.5 3 4.5H5', plus: 'M12 5v14M5 12h14', folder: 'M3 6h6l2 2h10v11H3z',
  share: 'M12 15V3m0 0L8 7m4-4 4 4M5 12v8h14v-8', gear: 'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 2.5v3m0 13v3M2.5 12h3m13 0h3M5.3 5.3l2.1 2.1m9.2 9.2 2.1 2.1m0-13.4-2.1 2.1m-9.2 9.2-2.1 2.1',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  trophy: 'M7 4h10v5a5 5 0 0 1-10 0zm0 1H4c0 3 1 5 3.5 5M17 5h3c0 3-1 5-3.5 5M12 14v4m-4 2h8', play: 'M7 4l13 8-13 8z',
  stop: 'M6 6h12v12H6z', search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zm4.7-1.8L21 21', edit: 'M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.500 10.500z', check: 'M4 13l5 5L20 6', close: 'M5 5l14 14M19 5L5 19',
  up: 'M12 20V4m0 0-6 6m6-6 6 6', trash: 'M4 7h16M9 7V4h6v3m3 0-1 13H7L6 7', copy: 'M9 9h11v12H9zM5 15H4V3h11v2',
  first: 'M6 5v14M19 5 9 12l10 7z', previous: 'M16 5 6 12l10 7z', next: 'M8 5l10 7-10 7z', last: 'M18 5v14M5 5l10 7-10 7z',
  chart: 'M3 20h18M4 16l5-6 4 4 7-9',
};
/** @typedef {keyof typeof ICONS} Icon */

/** @param {Icon} name */
export const icon = (name) => svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' },
  svg('path', { d: ICONS[name], fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }));

/**
 * A button with words, an icon, or both.
 * @param {{label: string, onclick: () => void, icon?: Icon, isIconOnly?: boolean, kind?: string, pressed?: boolean, hint?: string}} options
 * @returns {HTMLButtonElement}
 */
export function button({ label, onclick, icon: name, isIconOnly = false, kind = '', pressed, hint }) {
  return el('button', {
    type: 'button', class: `${kind}${isIconOnly ? ' round' : ''}`.trim() || null, click: onclick,
    'aria-label': isIconOnly ? label : null, title: hint ?? (isIconOnly ? label : null),
    'aria-pressed': pressed === undefined ? null : String(pressed),
  }, name ? icon(name) : null, isIconOnly ? null : el('span', {}, label));
}

/** The button that was disabled while it had the focus. @type {HTMLButtonElement | null} */
let unfocused = null;

/** Enables a button or not; it gets its focus back if nothing else has it meanwhile. @param {HTMLButtonElement} element @param {boolean} can */
export function enable(element, can) {
  if (element.disabled === !can) return;
  if (!can && document.activeElement === element) unfocused = element;
  element.disabled = !can;
  if (can && element === unfocused) {
    unfocused = null;
    if (document.activeElement === document.body) element.focus();
  }
}

let lastId = 0;
/** An id that nothing else has. @param {string} name */
export const freshId = (name) => `${name}-${lastId += 1}`;

/**
 * A row of choices of which one holds.
 * @param {{label: string, options: [string, string][], value: string, onchange: (value: string) => void}} options
 */
export function segments({ label, options, value, onchange }) {
  const name = freshId('choice');
  return el('fieldset', { class: 'segments' }, el('legend', {}, label), el('div', { class: 'row' },
    options.map(([one, words]) => {
      const input = el('input', { type: 'radio', name, value: one, change: () => onchange(one) });
      input.checked = one === value;
      return el('label', {}, input, el('span', {}, words));
    })));
}

/**
 * @param {{label: string, options: [string, string][], value: string, onchange: (value: string) => void}} options
 */
export function select({ label, options, value, onchange }) {
  const list = el('select', { change: () => onchange(list.value) }, options.map(([one, words]) => el('option', { value: one }, words)));
  list.value = value;
  return el('label', { class: 'field' }, el('span', {}, label), list);
}

/**
 * @param {{label: string, value: boolean, onchange: (value: boolean) => void}} options
 */
export function toggle({ label, value, onchange }) {
  const input = el('input', { type: 'checkbox', role: 'switch', change: () => onchange(input.checked) });
  input.checked = value;
  return el('label', { class: 'toggle' }, input, el('span', {}, label));
}

/**
 * A number that is moved between two ends.
 * @param {{label: string, min: number, max: number, step?: number, value: number, words: (value: number) => string, onchange: (value: number) => void}} options
 */
export function slider({ label, min, max, step = 1, value, words, onchange }) {
  const id = freshId('slider');
  const told = el('output', { for: id }, words(value));
  const input = el('input', {
    type: 'range', id, min, max, step, value, 'aria-valuetext': words(value),
    input: () => {
      const now = Number(input.value);
      told.textContent = words(now);
      input.setAttribute('aria-valuetext', words(now));
      onchange(now);
    },
  });
  // Without `for` the label would belong to the output.
  return el('label', { class: 'field slider', for: id }, el('span', {}, label), told, input);
}

/**
 * Replaces what an element contains unless it is the same already, so that the focus stays and nothing is said twice.
 * @param {Element} element @param {...any} children
 */
export function fill(element, ...children) {
  const next = element.cloneNode(false);
  /** @type {Element} */ (next).replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  if (/** @type {Element} */ (next).innerHTML !== element.innerHTML) element.replaceChildren(...next.childNodes);
}

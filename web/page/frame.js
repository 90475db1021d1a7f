// The elements of the page around the panels: the bar at the top, the board with the players above and
// below it, and the buttons to walk through the game.

import { el } from './shared/elements.js';
import { button, icon } from './ui/controls.js';
import { t } from './texts.js';

/** @typedef {'play' | 'analyse' | 'review'} Mode */
/** @type {Mode[]} */
export const MODES = ['play', 'analyse', 'review'];
const ICONS = /** @type {const} */ ({ play: 'play', analyse: 'search', review: 'chart' });

/**
 * @param {{board: HTMLElement, panels: Record<Mode, HTMLElement>, onmode: (mode: Mode) => void, onopen: () => void, onshare: () => void,
 *   onsettings: () => void, onwalk: (where: 'first' | 'previous' | 'next' | 'last') => void, ontyped: (cell: string) => void,
 *   onconfirm: () => void, oncancel: () => void}} parts
 */
export function makeFrame({ board, panels, onmode, onopen, onshare, onsettings, onwalk, ontyped, onconfirm, oncancel }) {
  const tabs = Object.fromEntries(MODES.map((mode) => [mode, el('button', {
    type: 'button', role: 'tab', id: `tab-${mode}`, 'aria-controls': `panel-${mode}`, click: () => onmode(mode),
  }, icon(ICONS[mode]), el('span', {}, t.tabs[mode]))]));
  const list = el('div', { class: 'tabs', role: 'tablist', 'aria-label': t.tabs.label }, Object.values(tabs));
  list.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const at = MODES.findIndex((mode) => tabs[mode] === document.activeElement);
    const next = MODES[(at + step + MODES.length) % MODES.length];
    onmode(next);
    tabs[next].focus();
    event.preventDefault();
    event.stopPropagation();
  });
  const tools = el('div', { class: 'tools', role: 'group', 'aria-label': t.tools.label },
    button({ label: t.tools.open, icon: 'folder', isIconOnly: true, onclick: onopen }),
    button({ label: t.tools.share, icon: 'share', isIconOnly: true, onclick: onshare }),
    button({ label: t.tools.settings, icon: 'gear', isIconOnly: true, onclick: onsettings }));
  const header = el('header', { class: 'bar' }, el('h1', { class: 'brand' }, el('img', { src: 'icon.svg', alt: '', width: 28, height: 28 }), el('span', {}, t.brand)), list, tools);

  const strips = { top: el('div', { class: 'strip' }), bottom: el('div', { class: 'strip' }) };
  const typed = el('input', { type: 'text', 'aria-label': t.board.typed, placeholder: t.board.typedHelp, maxlength: 3, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'go' });
  const typing = el('form', { class: 'typing', submit: (/** @type {Event} */ event) => { event.preventDefault(); ontyped(typed.value); typed.value = ''; } }, typed);
  const walk = el('div', { class: 'walk', role: 'group', 'aria-label': t.walk.label },
    /** @type {const} */ (['first', 'previous', 'next', 'last']).map((where) => button({ label: t.walk[where], icon: where, isIconOnly: true, onclick: () => onwalk(where) })), typing);
  const yes = button({ label: '', icon: 'check', kind: 'primary', onclick: onconfirm });
  const confirm = el('div', { class: 'confirm' }, yes, button({ label: t.board.cancel, onclick: oncancel }));
  confirm.hidden = true;
  const chances = el('div', { class: 'chances', 'aria-hidden': 'true' }, el('div', { class: 'black-part' }), el('span', { class: 'chance-words' }));
  const boardSide = el('section', { class: 'board-side', 'aria-label': t.board.section }, strips.top, el('div', { class: 'board-box' }, board, chances), strips.bottom, confirm, walk,
    el('p', { id: 'board-help', class: 'unseen' }, t.board.help));

  const side = el('div', { class: 'panel' }, MODES.map((mode) => {
    const panel = panels[mode];
    panel.id = `panel-${mode}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${mode}`);
    return panel;
  }));
  const live = el('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  const notice = el('div', { class: 'notice', role: 'alert' });
  notice.hidden = true;
  document.body.append(el('a', { class: 'skip', href: '#board', click: (/** @type {Event} */ event) => { event.preventDefault(); board.focus(); } }, t.skip),
    header, el('main', { class: 'desk' }, boardSide, side), notice, live);
  return { tabs, strips, confirm, yes, chances, live, notice, typed };
}

/** What happens for whoever can't see it. @param {HTMLElement} live @param {string} words */
export function announce(live, words) {
  // The same words twice would not be said again.
  live.textContent = live.textContent === words ? `${words}\u00a0` : words;
}

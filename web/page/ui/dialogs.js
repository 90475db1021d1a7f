// The windows over the page: opening, sharing, settings.

import { el } from '../shared/elements.js';
import { button, freshId, segments, select, slider, toggle } from './controls.js';
import { download, pngBlob, svgText } from './picture.js';
import { cellName } from '../game/points.js';
import { linkOf } from '../game/link.js';
import { sgfOf } from '../game/record.js';
import { threadsOf } from '../preferences.js';
import { t } from '../texts.js';

/** Shows a window until it is closed; the focus goes back where it was. @param {string} heading @param {(Node | null)[]} content @returns {HTMLDialogElement} */
function show(heading, content) {
  const id = freshId('heading');
  const dialog = el('dialog', { class: 'window', 'aria-labelledby': id });
  dialog.append(el('div', { class: 'window-head' }, el('h2', { id }, heading), button({ label: t.tools.close, icon: 'close', isIconOnly: true, onclick: () => dialog.close() })),
    ...content.flatMap((one) => (one ? [one] : [])));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (/** @type {MouseEvent} */ event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * @param {{open: (text: string) => string, chooseFile: () => void, files: string[] | null, openFile: (name: string) => void}} actions
 */
export function openDialog({ open, chooseFile, files, openFile }) {
  const text = el('textarea', { rows: 5, placeholder: t.review.pasteHelp });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const dialog = show(t.open.heading, [
    el('div', { class: 'drop' }, el('p', {}, t.review.drop), button({ label: t.review.choose, icon: 'folder', kind: 'primary', onclick: () => { dialog.close(); chooseFile(); } })),
    el('label', { class: 'field wide' }, el('span', {}, t.review.paste), text),
    el('div', { class: 'actions' }, button({ label: t.review.load, onclick: () => {
      // What the page says stands behind this window.
      problem.textContent = open(text.value);
      if (problem.textContent === '') dialog.close();
    } })),
    files ? el('div', {}, el('h3', {}, t.open.server), el('ul', { class: 'files' }, files.map((name) => el('li', {}, button({ label: name, onclick: () => { dialog.close(); openFile(name); } }))))) : null,
    problem,
  ]);
}

/** The games that are listed of a file. */
const MOST_GAMES = 500;

/** @param {import('../game/tree.js').Game[]} games @param {(game: import('../game/tree.js').Game) => void} onchoose */
export function gamesDialog(games, onchoose) {
  const nameOf = (/** @type {import('../game/tree.js').Game} */ game, /** @type {number} */ i) => {
    const names = [game.info.PB, game.info.PW].map((name, color) => name || t.colors[color]).join(' – ');
    return `${i + 1}. ${names}, ${t.count(game.mainLine.length - 1, 'move')}${game.info.RE ? `, ${game.info.RE}` : ''}`;
  };
  const dialog = show(t.review.games, [el('ul', { class: 'files' }, games.slice(0, MOST_GAMES).map((game, i) => el('li', {},
    button({ label: nameOf(game, i), onclick: () => { dialog.close(); onchoose(game); } }))))]);
}

/**
 * @param {{game: import('../game/tree.js').Game, node: import('../game/tree.js').GameNode, picture: SVGSVGElement, say: (words: string) => void,
 *   put: ((name: string, text: string) => Promise<string>) | null}} shared `put` keeps a file in the server's folder and says what became of it.
 */
export function shareDialog({ game, node, picture, say, put }) {
  const address = new URL(linkOf(game, node), location.href).href;
  const link = el('input', { type: 'text', readonly: '', value: address, focus: () => link.select() });
  const told = el('p', { class: 'help', role: 'status' });
  const tell = (/** @type {string} */ words) => { told.textContent = words; };
  const copy = async (/** @type {() => Promise<void>} */ write) => {
    try {
      await write();
      tell(t.share.copied);
    } catch {
      tell(t.share.notCopied);
    }
  };
  const text = (/** @type {string} */ content, kind = 'text/plain') => new Blob([content], { type: `${kind};charset=utf-8` });
  const name = t.share.file;
  const moves = () => game.mainLine.flatMap(({ move }) => (move?.point ? [cellName(move.point, game.size)] : [])).join(' ');
  const json = () => JSON.stringify({ size: game.size, rule: game.rule, sgf: sgfOf(game) });
  /** The list of files knows them by their ending. */
  const sgfName = () => {
    const typed = fileName.value.trim();
    return typed === '' || /\.sgf$/i.test(typed) ? typed : `${typed}.sgf`;
  };
  const fileName = el('input', { type: 'text', value: 'game.sgf' });
  const canCopyPng = typeof ClipboardItem !== 'undefined';
  show(t.share.heading, [
    el('label', { class: 'field wide' }, el('span', {}, t.share.link), link),
    el('div', { class: 'actions' }, button({ label: t.share.copy, icon: 'copy', kind: 'primary', onclick: () => copy(() => navigator.clipboard.writeText(address)) })),
    el('h3', {}, t.share.save),
    el('div', { class: 'actions' },
      button({ label: t.share.sgf, onclick: () => download(`${name}.sgf`, text(sgfOf(game), 'application/x-go-sgf')) }),
      button({ label: t.share.json, onclick: () => download(`${name}.json`, text(json(), 'application/json')) }),
      button({ label: t.share.moves, onclick: () => download(`${name}.txt`, text(`${moves()}\n`)) })),
    put ? el('div', {}, el('label', { class: 'field wide' }, el('span', {}, t.share.server), fileName),
      el('div', { class: 'actions' }, button({ label: t.share.put, onclick: async () => tell(await put(sgfName(), sgfOf(game))) }))) : null,
    el('h3', {}, t.share.picture),
    el('div', { class: 'actions' },
      button({ label: t.share.svg, onclick: () => download(`${name}.svg`, text(svgText(picture), 'image/svg+xml')) }),
      button({ label: t.share.png, onclick: async () => download(`${name}.png`, await pngBlob(picture)) }),
      canCopyPng ? button({ label: t.share.copyPng, icon: 'copy', onclick: () => copy(() => navigator.clipboard.write([new ClipboardItem({ 'image/png': pngBlob(picture) })])) }) : null),
    told,
  ]);
  say('');
}

/** @typedef {{theme: string, numbers: boolean, forbidden: boolean, confirm: string, threads: number, memory: number, engine: string}} Preferences */

/**
 * @param {Preferences} preferences @param {import('../engine/connect.js').Info | null} info
 * @param {number} cores the most threads of the engine @param {(preferences: Preferences) => void} onchange
 */
export function settingsDialog(preferences, info, cores, onchange) {
  const now = { ...preferences };
  const set = (/** @type {Partial<Preferences>} */ part) => onchange(Object.assign(now, part));
  const words = t.settings;
  show(words.heading, [
    segments({ label: words.theme, value: now.theme, options: Object.entries(words.themes), onchange: (theme) => set({ theme }) }),
    toggle({ label: words.numbers, value: now.numbers, onchange: (numbers) => set({ numbers }) }),
    toggle({ label: words.forbidden, value: now.forbidden, onchange: (forbidden) => set({ forbidden }) }),
    select({ label: words.confirm, value: now.confirm, options: Object.entries(words.confirms), onchange: (confirm) => set({ confirm }) }),
    info || cores > 1 ? el('h3', {}, words.engineHeading) : null,
    info && info.engines.length > 1 ? select({ label: words.which, value: now.engine || info.engines[0].id, options: info.engines.map(({ id, name }) => [id, name]), onchange: (engine) => set({ engine }) }) : null,
    cores > 1 ? slider({ label: words.threads, min: 1, max: cores, value: threadsOf(now, cores, !!info), words: String, onchange: (threads) => set({ threads }) }) : null,
    info && info.max_memory_mb > 64 ? slider({ label: words.memory, min: 64, max: info.max_memory_mb, step: 32, value: Math.min(now.memory, info.max_memory_mb), words: words.memoryWords, onchange: (memory) => set({ memory }) }) : null,
    info ? el('p', { class: 'help' }, `tengen ${info.version}`) : null,
  ]);
}

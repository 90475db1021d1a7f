// Games from JSON as `tengen convert` writes them, an object a line (docs/reference/formats.md), and as this page does.
// They become SGF, which has a place for all that they say.

import { cellAt, isSize } from './points.js';
import { RecordError, gamesOfSgf, letters } from './record.js';
import { escaped } from './sgf.js';

/** @typedef {import('./points.js').Size} Size */
/** @typedef {import('./position.js').Rule} Rule */

/** Where texts of a record stand in SGF. */
const TEXTS = { black: 'PB', white: 'PW', event: 'EV', round: 'RO', date: 'DT', comment: 'C' };
/** What SGF says of a win for some reasons. @type {[RegExp, string][]} */
const REASONS = [[/^resignation$/, 'R'], [/^time$/, 'T'], [/^(forfeit|illegal|crash|forbidden.*)$/, 'F']];

/** Reads the games of a text. @param {string} text @param {Rule} fallback for those without a rule */
export function gamesOfJson(text, fallback) {
  // The head of a journal is none.
  const found = objectsOf(text).filter((data) => data.tengen_match === undefined);
  if (found.length === 0) throw new RecordError('noGame');
  const spent = { cells: 0 };
  return found.flatMap((data) => {
    const games = gamesOfSgf(typeof data.sgf === 'string' ? data.sgf : sgfText(data), fallback, spent);
    if (Array.isArray(data.times)) games[0].mainLine.slice(1).forEach((node, i) => { node.ms = Number(data.times[i]) || null; });
    return games;
  });
}

/** @param {string} text @returns {any[]} */
function objectsOf(text) {
  const read = (/** @type {string} */ one) => {
    try {
      return JSON.parse(one);
    } catch {
      return null;
    }
  };
  // One alone may have several lines.
  const alone = read(text);
  const all = alone ? [alone] : text.split('\n').filter((line) => line.trim()).map(read);
  if (!all.every((data) => data && typeof data === 'object' && !Array.isArray(data))) throw new RecordError('json');
  return all;
}

/** A property with a text; none without one. @param {string} name @param {unknown} text */
const property = (name, text) => (text ? `${name}[${escaped(String(text))}]` : '');

/** @param {any} data */
function sgfText(data) {
  const size = /** @type {Size} */ (Array.isArray(data.size) ? data.size.map(Number) : [data.size ?? 15, data.size ?? 15]);
  if (!isSize(size)) throw new RecordError('size', JSON.stringify(data.size).slice(0, 20));
  const cells = Array.isArray(data.moves) ? data.moves.map((/** @type {any} */ move) => String(move?.move ?? move)) : rowOf(data.moves);
  const changes = Array.isArray(data.changes) ? [...data.changes] : [];
  const isWhite = colorsOf(data, cells.length);
  let text = '';
  for (let i = cells.length - 1; i >= 0; i -= 1) {
    const color = isWhite[i] ? 'W' : 'B';
    const isChange = cells[i] === '++';
    // Where the position is changed, the colour says whose turn it is not then.
    const own = isChange ? arranged({ to_move: isWhite[i] ? 'black' : 'white', ...changes.pop() }, size) : `${color}[${lettersOf(cells[i], size)}]`;
    const [notes, variations] = divided(String(data.sgf?.[i] ?? ''));
    const line = `;${own}${property('C', data.comments?.[i])}${notes}${text}`;
    text = variations ? `(${line})${variations}` : line;
  }
  const head = `FF[4]GM[4]SZ[${size.join(':')}]${property('RU', data.rule)}${property('RE', resultOf(data))}`;
  const texts = Object.entries(TEXTS).map(([name, short]) => property(short, data[name])).join('');
  return `(;${head}${texts}${data.setup ? arranged(data.setup, size) : ''}${data.notes ?? ''}${text})`;
}

/** The cells, passes and changes of a row. @param {unknown} row @returns {string[]} */
function rowOf(row) {
  const text = String(row ?? '').replace(/\s+/g, '');
  const cells = text.match(/--|\+\+|[a-z]\d{1,2}/gi) ?? [];
  if (cells.join('') !== text) throw new RecordError('cell', text.slice(0, 20));
  return cells;
}

/** A cell, whose row counts from the top, in SGF. @param {string} name @param {Size} size */
function lettersOf(name, size) {
  if (name === '--') return '';
  const point = cellAt(name, size, true);
  if (!point) throw new RecordError('cell', name.slice(0, 20));
  return letters(point);
}

/** For each move whether it is white's. @param {any} data @param {number} count @returns {boolean[]} */
function colorsOf(data, count) {
  const first = data.setup?.to_move === 'white' ? 1 : 0;
  return Array.from({ length: count }, (_, i) => (data.colors ? data.colors[i] === 'w' : (first + i) % 2 === 1));
}

/** Stones that are set up or taken away, and the side to move. @param {any} setting @param {Size} size */
function arranged(setting, size) {
  const list = (/** @type {string} */ name, /** @type {unknown} */ row) => {
    const cells = rowOf(row);
    return cells.length > 0 ? name + cells.map((cell) => `[${lettersOf(cell, size)}]`).join('') : '';
  };
  const turn = setting.to_move ? `PL[${setting.to_move === 'white' ? 'W' : 'B'}]` : '';
  return list('AB', setting.black) + list('AW', setting.white) + list('AE', setting.empty) + turn;
}

/** @param {any} data */
function resultOf(data) {
  if (data.result === 'draw') return '0';
  const how = REASONS.find(([reason]) => reason.test(data.reason ?? ''))?.[1] ?? '';
  return data.result === 'black' || data.result === 'white' ? `${data.result === 'black' ? 'B' : 'W'}+${how}` : '';
}

/** What stands beside a move: its properties, and its variations. @param {string} text */
function divided(text) {
  const [properties] = /** @type {RegExpExecArray} */ (/^(?:[^[(]|\[(?:[^\\\]]|\\[^])*\])*/.exec(text));
  return [properties, text.slice(properties.length)];
}

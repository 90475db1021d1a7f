// The database of an engine in the words of Yixin-Board: what is asked of it, and what it says.

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {import('../game/position.js').Position} Position */
/**
 * A move that leads to a known position, or a cell with a text.
 * @typedef {object} KnownMove
 * @property {Point} point
 * @property {string} label at most four letters, such as `w5` if the move wins in five
 * @property {number} value of the position after it, for the side to move there
 * @property {number} depth plies that were searched
 * @property {boolean} hasText whether the position after it has a text
 * @property {string} note the text on the cell
 */
/**
 * @typedef {{kind: 'moves', moves: KnownMove[]} | {kind: 'text', text: string} | {kind: 'one', label: string, value: number, depth: number, isKnown: boolean}
 *   | {kind: 'loading'} | {kind: 'saved', file: string} | {kind: 'other'}} DatabaseReply
 */

/** The most letters of a label: none of the protocol's words for files fits in. */
export const LONGEST_LABEL = 8;

/**
 * The lines of a command about a position: black and white in turn, with passes where one has fewer stones.
 * @param {string} command @param {Position} position
 */
export function databaseLines(command, { stones, toMove }) {
  const own = [0, 1].map((color) => stones.filter((stone) => stone.color === color).map(({ point }) => point.join()));
  const cells = [];
  while (own[0].length + own[1].length > 0 || cells.length % 2 !== toMove) cells.push(own[cells.length % 2].shift() ?? '-1,-1');
  return [command, ...cells, 'DONE'];
}

/** The command that gives a position a text. @param {Position} position @param {string} text */
export function textLines(position, text) {
  // A backslash before each letter keeps a text from being taken for anything else.
  const quoted = text.replace(/\r/g, '').replace(/\S/gu, '\\$&');
  const [, ...rest] = databaseLines('', position);
  return [...`YXEDITTEXTDATABASE "${quoted}"`.split('\n'), ...rest];
}

/** The command that labels a position, or puts a text on a cell of it. @param {Position} position @param {string} label @param {Point} [point] */
export function labelLines(position, label, point) {
  const plain = [...label.replace(/[\s,]/g, '')].slice(0, LONGEST_LABEL).join('');
  return databaseLines(`YXEDITLABELDATABASE ${point ? `${point.join()} ` : ''}${plain}`, position);
}

/** The command that gives a position what a search has found. @param {Position} position @param {{value: number, depth: number}} found */
export function valueLines(position, { value, depth }) {
  // Labels speak of the side that has moved.
  const tag = value > 29500 ? 'l' : value < -29500 ? 'w' : '';
  return databaseLines(`YXEDITTVDDATABASE 7 ${tag ? tag.charCodeAt(0) : -1} ${value} ${depth}`, position);
}

/** The name of a file in the server's folder. @param {string} path */
export const fileOf = (path) => /** @type {string} */ (path.split(/[\\/]/).pop());

/** Reads what an engine says about its database. */
export class DatabaseReader {
  constructor() {
    this.onreply = (/** @type {DatabaseReply} */ _reply) => {};
    /** @type {KnownMove[]} */
    this.moves = [];
    /** The beginning of a text that goes on in the next line. @type {string | null} */
    this.begun = null;
    /** The file that is being saved. */
    this.file = '';
  }

  /** Takes a line; returns whether it was about a database. @param {string} line */
  take(line) {
    if (this.begun !== null) {
      this.#takeText(`${this.begun}\n${line}`);
      return true;
    }
    const found = /^MESSAGE DATABASE (\S+) ?([^]*)$/.exec(line);
    if (!found) return false;
    const [, word, rest] = found;
    if (word === 'TEXT') this.#takeText(rest);
    else if (word === 'REFRESH') this.moves = [];
    else if (word === 'DONE') this.onreply({ kind: 'moves', moves: this.moves });
    else if (word === 'ONE') this.onreply(oneOf(rest.split(' ')));
    else if (/^\d+$/.test(word)) this.moves.push(moveOf([word, ...rest.split(' ')]));
    else if (word === 'SAVE' && rest === 'DONE') this.onreply({ kind: 'saved', file: this.file });
    else this.onreply({ kind: word === 'LOAD' ? 'loading' : 'other' });
    if (word === 'SAVE' && rest.startsWith('START ')) this.file = fileOf(rest.slice(6));
    return true;
  }

  /** @param {string} quoted */
  #takeText(quoted) {
    const whole = /^"((?:[^"\\]|\\[^])*)"/.exec(quoted);
    this.begun = whole ? null : quoted;
    if (whole) this.onreply({ kind: 'text', text: whole[1].replace(/\\([^])/g, '$1') });
  }
}

/** @param {string[]} parts @returns {KnownMove} */
function moveOf([x, y, tag, value, depth, , hasText, ...note]) {
  return { point: [Number(x), Number(y)], label: lettersOf(Number(tag)), value: Number(value), depth: Number(depth), hasText: hasText === '1', note: note.join(' ') };
}

/** @param {string[]} parts @returns {DatabaseReply} */
function oneOf([label, value, depth, , shown = '']) {
  return { kind: 'one', label: shown, value: Number(value), depth: Number(depth), isKnown: label !== '0' || depth !== '0' };
}

/** Letters that are packed into a number, the first one highest. @param {number} tag */
function lettersOf(tag) {
  const bytes = tag > 0 ? [24, 16, 8, 0].map((shift) => (tag >>> shift) & 255).filter(Boolean) : [];
  return new TextDecoder().decode(new Uint8Array(bytes)).replace(/\ufffd/g, '');
}

// The text of SGF as nodes of properties, and back. What it means is record.js's matter.

/** @typedef {{properties: [string, string[]][], children: SgfNode[]}} SgfNode */

/** The largest file that is read, in characters: a million moves. */
export const MOST_CHARACTERS = 8_000_000;

export class SgfError extends Error {
  /** @param {string} what @param {number} at */
  constructor(what, at) {
    super(what);
    this.name = 'SgfError';
    this.at = at;
  }
}

/**
 * Reads the games of a file. Hostile files may nest as deeply as they like: nothing here is recursive.
 * @param {string} text @returns {SgfNode[]} the roots
 */
export function parseSgf(text) {
  if (text.length > MOST_CHARACTERS) throw new SgfError('tooLarge', MOST_CHARACTERS);
  /** @type {SgfNode[]} */
  const roots = [];
  /** Where each open bracket began. @type {(SgfNode | null)[]} */
  const open = [];
  /** @type {SgfNode | null} */
  let node = null;
  let at = text.indexOf('(');
  if (at < 0) throw new SgfError('noGame', 0);
  while (at < text.length) {
    const letter = text[at];
    if (letter === '(') {
      open.push(node);
      at += 1;
    } else if (letter === ')') {
      if (open.length === 0) throw new SgfError('bracket', at);
      node = /** @type {SgfNode | null} */ (open.pop());
      at += 1;
    } else if (letter === ';') {
      if (open.length === 0) throw new SgfError('outside', at);
      /** @type {SgfNode} */
      const next = { properties: [], children: [] };
      if (node) node.children.push(next);
      else roots.push(next);
      node = next;
      at += 1;
    } else if (/[A-Za-z]/.test(letter)) {
      if (!node) throw new SgfError('outside', at);
      at = readProperty(text, at, node);
    } else if (open.length === 0) {
      // Between games there may be anything.
      const next = text.indexOf('(', at);
      at = next < 0 ? text.length : next;
    } else if (/\s/.test(letter) || letter === '\uFEFF') {
      at += 1;
    } else {
      throw new SgfError('unexpected', at);
    }
  }
  if (open.length > 0) throw new SgfError('unfinished', text.length);
  if (roots.length === 0) throw new SgfError('noGame', 0);
  return roots;
}

/** @param {string} text @param {number} start @param {SgfNode} node @returns {number} */
function readProperty(text, start, node) {
  let at = start;
  while (at < text.length && /[A-Za-z]/.test(text[at])) at += 1;
  // Old files write names in full: the capitals count.
  const name = text.slice(start, at).replace(/[a-z]/g, '') || text.slice(start, at).toUpperCase();
  const values = [];
  for (;;) {
    while (at < text.length && /\s/.test(text[at])) at += 1;
    if (text[at] !== '[') break;
    const from = at + 1;
    at = from;
    while (at < text.length && text[at] !== ']') at += text[at] === '\\' ? 2 : 1;
    if (at >= text.length) throw new SgfError('unfinished', from);
    values.push(unescaped(text.slice(from, at)));
    at += 1;
  }
  if (values.length === 0) throw new SgfError('noValue', start);
  node.properties.push([name, values]);
  return at;
}

/** @param {string} text */
const unescaped = (text) => text.replace(/\\(\r\n|\n\r|\n|\r|[^])/g, (_, letter) => (/[\r\n]/.test(letter) ? '' : letter))
  .replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000B-\u001F\u007F]/g, ' ');

/** @param {string} text */
export const escaped = (text) => text.replace(/[\\\]]/g, '\\$&');

/** @param {SgfNode} root @returns {string} */
export function writeSgf(root) {
  const pieces = ['('];
  /** @type {(SgfNode | string)[]} */
  const waiting = [root];
  while (waiting.length > 0) {
    const next = /** @type {SgfNode | string} */ (waiting.pop());
    if (typeof next === 'string') {
      pieces.push(next);
      continue;
    }
    pieces.push(`;${next.properties.map(([name, values]) => name + values.map((value) => `[${escaped(value)}]`).join('')).join('')}`);
    const isFork = next.children.length > 1;
    for (const child of [...next.children].reverse()) waiting.push(...(isFork ? [')', child, '\n('] : [child]));
  }
  return `${pieces.join('')})\n`;
}

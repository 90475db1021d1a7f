// Games from SGF and to it.

import { BLACK, WHITE, isOn, isSize, keyOf, pointOfKey } from './points.js';
import { RULES, RULE_NUMBERS } from './position.js';
import { parseSgf, writeSgf } from './sgf.js';
import { Game, GameNode } from './tree.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./points.js').Size} Size */
/** @typedef {import('./points.js').Color} Color */
/** @typedef {import('./position.js').Rule} Rule */
/** @typedef {import('./sgf.js').SgfNode} SgfNode */

export class RecordError extends Error {
  /** @param {string} what the key of a text @param {string} [detail] */
  constructor(what, detail = '') {
    super(what);
    this.name = 'RecordError';
    this.detail = detail;
  }
}

/** @type {Record<string, import('./tree.js').Shape>} */
const SHAPES = { MA: 'x', TR: 'triangle', CR: 'circle', SQ: 'square' };
/** The largest edge of boards on which `tt` is no cell: programs for go write a pass so. */
const LARGEST_WITH_TT = 19;
/** The most cells that are set up or marked in a file: a few letters of a hostile one name a whole board. */
const MOST_CELLS = 2_000_000;
/** Facts of the root that have a meaning here. */
const INFO = ['PB', 'PW', 'EV', 'RO', 'DT', 'PC', 'RE', 'GN', 'ON', 'AN', 'US', 'GC', 'SO'];
/** Those of them that the page shows: a hostile file may have more letters than a browser can. */
const SHOWN = ['PB', 'PW', 'RE'];
const LONGEST_SHOWN = 2000;
/** Written anew. */
const OWN = ['FF', 'GM', 'SZ', 'RU', 'CA', 'AP', 'B', 'W', 'AB', 'AW', 'AE', 'PL', 'C', 'LB', ...Object.keys(SHAPES)];

/** @param {string} text @returns {Rule | null} */
export function ruleOf(text) {
  const name = text.trim().toLowerCase();
  const number = /^\d+$/.test(name) ? Number(name) : null;
  for (const rule of RULES) if (name === rule || number === RULE_NUMBERS[rule]) return rule;
  if (/caro/.test(name)) return /exact|standard/.test(name) ? 'caro-exact' : 'caro';
  if (/free|no restriction|无禁手/.test(name)) return 'freestyle';
  if (/standard|exactly five/.test(name)) return 'standard';
  if (/renju|rif|sakata|yamaguchi|taraguchi|soos|連珠|有禁手|рендзю/.test(name)) return 'renju';
  if (/^(gomoku|gobang|five in a row|五子棋|гомоку)$/.test(name)) return 'freestyle';
  return null;
}

/** @param {SgfNode} node @param {string} name */
const valuesOf = (node, name) => node.properties.filter(([one]) => one === name).flatMap(([, values]) => values);
/** @param {SgfNode} node @param {string} name @returns {string | undefined} */
const valueOf = (node, name) => valuesOf(node, name)[0];

/** @param {string} text @param {Size} size @returns {Point} */
function pointOf(text, size) {
  const name = text.trim();
  /** @type {Point | null} */
  let point = null;
  if (/^[a-v]{2}$/i.test(name)) {
    const [x, y] = [...name.toLowerCase()].map((letter) => letter.charCodeAt(0) - 97);
    point = [x, y];
  }
  if (!point || !isOn(point, size)) throw new RecordError('cell', text.slice(0, 20));
  return point;
}

/** The cell of a move; null is a pass. @param {string} text @param {Size} size */
function moveOf(text, size) {
  const name = text.trim();
  const isPass = name === '' || (/^tt$/i.test(name) && Math.max(...size) <= LARGEST_WITH_TT);
  return isPass ? null : pointOf(name, size);
}

/** The cells that a file has named. @typedef {{ cells: number }} Spent */

/** The points of a list, which may have rectangles. @param {string[]} values @param {Size} size @param {Spent} spent @returns {Point[]} */
function pointsOf(values, size, spent) {
  /** @type {Point[]} */
  const points = [];
  for (const value of values) {
    const [from, to = from] = value.split(':').map((corner) => pointOf(corner, size));
    spent.cells += (Math.abs(to[0] - from[0]) + 1) * (Math.abs(to[1] - from[1]) + 1);
    if (spent.cells > MOST_CELLS) throw new RecordError('tooLarge');
    for (let y = Math.min(from[1], to[1]); y <= Math.max(from[1], to[1]); y += 1) {
      for (let x = Math.min(from[0], to[0]); x <= Math.max(from[0], to[0]); x += 1) points.push([x, y]);
    }
  }
  return points;
}

/** @param {SgfNode} root @returns {Size} */
function sizeOf(root) {
  const [columns, rows = columns] = (valueOf(root, 'SZ') ?? '15').split(':').map(Number);
  if (!isSize([columns, rows])) throw new RecordError('size', valueOf(root, 'SZ'));
  return [columns, rows];
}

/** @param {string} text @param {Rule} fallback @param {Spent} spent @returns {Game[]} */
export function gamesOfSgf(text, fallback = 'freestyle', spent = { cells: 0 }) {
  return parseSgf(text).map((root) => gameOf(root, fallback, spent));
}

/** @param {SgfNode} root @param {Rule} fallback @param {Spent} spent */
function gameOf(root, fallback, spent) {
  const game = new Game({ size: sizeOf(root), rule: ruleOf(valueOf(root, 'RU') ?? '') ?? fallback });
  for (const name of INFO) {
    const value = valueOf(root, name);
    if (value) game.info[name] = SHOWN.includes(name) ? value.slice(0, LONGEST_SHOWN) : value;
  }
  /** @type {[SgfNode, GameNode][]} */
  const waiting = [[root, game.root]];
  while (waiting.length > 0) {
    const [source, parent] = /** @type {[SgfNode, GameNode]} */ (waiting.pop());
    const node = fill(source, parent, game, source === root, spent);
    for (const child of source.children) {
      const next = new GameNode(node, null);
      node.children.push(next);
      waiting.push([child, next]);
    }
  }
  tidy(game);
  return game;
}

/** Fills a node from one of SGF; returns the last one, as stones and a move in one node become two. @param {SgfNode} source @param {GameNode} into @param {Game} game @param {boolean} isRoot @param {Spent} spent */
function fill(source, into, game, isRoot, spent) {
  const { size } = game;
  let node = into;
  const [black, white, empty] = ['AB', 'AW', 'AE'].map((name) => pointsOf(valuesOf(source, name), size, spent));
  const turn = valueOf(source, 'PL');
  if (black.length + white.length + empty.length > 0 || turn) {
    const toMove = turn ? /** @type {Color} */ (/^\s*(w|2)/i.test(turn) ? WHITE : BLACK) : null;
    node.setup = { black, white, empty, toMove };
  }
  for (const [name, color] of /** @type {[string, Color][]} */ ([['B', BLACK], ['W', WHITE]])) {
    for (const value of valuesOf(source, name)) {
      if (node.setup || node.move || isRoot) {
        const next = new GameNode(node, null);
        node.children.push(next);
        node = next;
      }
      node.move = { point: moveOf(value, size), color };
    }
  }
  node.comment = valuesOf(source, 'C').join('\n');
  for (const [name, shape] of Object.entries(SHAPES)) pointsOf(valuesOf(source, name), size, spent).forEach((point) => node.marks.set(keyOf(point), { shape }));
  for (const label of valuesOf(source, 'LB')) {
    const [cell, ...rest] = label.split(':');
    const key = keyOf(pointOf(cell, size));
    node.marks.set(key, { ...node.marks.get(key), text: rest.join(':') });
  }
  node.other = source.properties.filter(([name]) => !OWN.includes(name) && !(isRoot && INFO.includes(name)));
  return node;
}

/** Moves on stones make no game. @param {Game} game */
function tidy(game) {
  /** The cells with stones on the way to a node. @type {Set<number>} */
  const occupied = new Set();
  /** Nodes, and what is taken back after all that follow one. @type {(GameNode | (() => void))[]} */
  const waiting = [game.root];
  while (waiting.length > 0) {
    const next = /** @type {GameNode | (() => void)} */ (waiting.pop());
    if (typeof next === 'function') next();
    else enter(next, occupied, waiting);
  }
}

/** @param {GameNode} node @param {Set<number>} occupied @param {(GameNode | (() => void))[]} waiting */
function enter(node, occupied, waiting) {
  const { move, setup } = node;
  if (move?.point && node.parent && occupied.has(keyOf(move.point))) throw new RecordError('occupied', String(node.ply));
  /** @type {number[]} */
  const changed = [];
  const turn = (/** @type {number} */ key) => { if (!occupied.delete(key)) occupied.add(key); };
  const set = (/** @type {Point[]} */ points, /** @type {boolean} */ hasStone) => {
    for (const key of points.map(keyOf)) {
      if (occupied.has(key) === hasStone) continue;
      turn(key);
      changed.push(key);
    }
  };
  if (setup) {
    set(setup.empty, false);
    set([...setup.black, ...setup.white], true);
  }
  if (move?.point) set([move.point], true);
  waiting.push(() => changed.forEach(turn));
  node.children.forEach((child) => waiting.push(child));
}

/** A cell as SGF has it. @param {Point} point */
export const letters = ([x, y]) => String.fromCharCode(97 + x, 97 + y);

/** @param {Game} game @param {string} version @param {Set<GameNode> | null} [only] these nodes, not all */
export function sgfOf(game, version = '', only = null) {
  /** @type {[string, string[]][]} */
  const head = [
    ['FF', ['4']], ['GM', ['4']], ['CA', ['UTF-8']], ['AP', [`tengen${version ? `:${version}` : ''}`]],
    ['SZ', [game.size[0] === game.size[1] ? String(game.size[0]) : game.size.join(':')]],
    ['RU', [String(RULE_NUMBERS[game.rule])]],
    ...Object.entries(game.info).map(([name, value]) => /** @type {[string, string[]]} */ ([name, [value]])),
  ];
  const root = { properties: [...head, ...propertiesOf(game.root)], children: /** @type {SgfNode[]} */ ([]) };
  /** @type {[GameNode, SgfNode][]} */
  const waiting = [[game.root, root]];
  while (waiting.length > 0) {
    const [node, target] = /** @type {[GameNode, SgfNode]} */ (waiting.pop());
    for (const child of node.children.filter((one) => !only || only.has(one))) {
      /** @type {SgfNode} */
      const next = { properties: propertiesOf(child), children: [] };
      target.children.push(next);
      waiting.push([child, next]);
    }
  }
  return writeSgf(root);
}

/** @param {GameNode} node @returns {[string, string[]][]} */
function propertiesOf(node) {
  /** @type {[string, string[]][]} */
  const list = [];
  const { move, setup } = node;
  if (move) list.push([move.color === BLACK ? 'B' : 'W', [move.point ? letters(move.point) : '']]);
  if (setup) {
    for (const [name, points] of /** @type {[string, Point[]][]} */ ([['AB', setup.black], ['AW', setup.white], ['AE', setup.empty]])) {
      if (points.length > 0) list.push([name, points.map(letters)]);
    }
    if (setup.toMove !== null) list.push(['PL', [setup.toMove === BLACK ? 'B' : 'W']]);
  }
  if (node.comment) list.push(['C', [node.comment]]);
  for (const [name, shape] of Object.entries(SHAPES)) {
    const points = [...node.marks].filter(([, mark]) => mark.shape === shape).map(([key]) => letters(pointOfKey(key)));
    if (points.length > 0) list.push([name, points]);
  }
  const labels = [...node.marks].flatMap(([key, { text }]) => (text === undefined ? [] : [`${letters(pointOfKey(key))}:${text}`]));
  if (labels.length > 0) list.push(['LB', labels]);
  return [...list, ...node.other];
}

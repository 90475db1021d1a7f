// Games from texts of any kind that this page reads itself: SGF, PSQ, JSON, and moves as they are typed or pasted.

import { gamesOfJson } from './json.js';
import { cellAt, isOn, isSize } from './points.js';
import { RecordError, gamesOfSgf } from './record.js';
import { Game } from './tree.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./points.js').Size} Size */
/** @typedef {import('./position.js').Rule} Rule */

/**
 * Reads the games of a text. Where it names no rule and no size, those of the page are taken.
 * @param {string} text @param {{size: Size, rule: Rule}} settings @returns {Game[]}
 */
export function openGames(text, settings) {
  const start = text.trimStart().replace(/^\uFEFF/, '');
  if (start === '') throw new RecordError('empty');
  if (start.startsWith('Piskvorky')) return [gameOfPsq(start, settings.rule)];
  if (start.startsWith('{')) return gamesOfJson(start, settings.rule);
  if (/^\s*\(\s*;/.test(start)) return gamesOfSgf(start, settings.rule);
  return [gameOfMoves(start, settings)];
}

/** @param {Game} game @param {Point[]} points */
function playAll(game, points) {
  let node = game.root;
  for (const point of points) {
    if (!game.position(node).isEmpty(point)) throw new RecordError('occupied', String(node.ply + 1));
    node = game.play(node, point);
  }
  return game;
}

/** Reads a file of Piskvork: a size, then a move a line as column and row from 1. @param {string} text @param {Rule} rule */
export function gameOfPsq(text, rule) {
  const [title, ...lines] = text.split(/\r\n|\n|\r/);
  const found = /^Piskvorky\s+(\d+)\s*[xX]\s*(\d+)/.exec(title);
  /** @type {Size} */
  const size = found ? [Number(found[1]), Number(found[2])] : [0, 0];
  if (!isSize(size)) throw new RecordError('size', title.slice(0, 40));
  const points = [];
  const times = [];
  let end = 0;
  for (; end < lines.length; end += 1) {
    const move = /^\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+)\s*)?$/.exec(lines[end]);
    if (!move) break;
    /** @type {Point} */
    const point = [Number(move[1]) - 1, Number(move[2]) - 1];
    if (!isOn(point, size)) throw new RecordError('cell', lines[end].slice(0, 20));
    points.push(point);
    times.push(Number(move[3] ?? 0));
  }
  const game = playAll(new Game({ size, rule }), points);
  game.mainLine.slice(1).forEach((node, i) => { node.ms = times[i] || null; });
  const isSecondFirst = /,\s*1\s*$/.test(title);
  const names = lines.slice(end, end + 2).map((name) => name.trim().slice(0, 200)).filter((name) => name && !/^-?\d+$/.test(name));
  if (names.length === 2) [game.info.PB, game.info.PW] = isSecondFirst ? [names[1], names[0]] : names;
  return game;
}

/** @param {string} name @param {Size} size */
function cellOf(name, size) {
  const point = cellAt(name, size, false);
  if (!point) throw new RecordError('cell', name.slice(0, 20));
  return point;
}

/** Reads moves such as `h8 i9 h10` or `7,7 8,8`. @param {string} text @param {{size: Size, rule: Rule}} settings */
function gameOfMoves(text, { size, rule }) {
  // Numbers of moves and results may stand between them.
  const plain = text.replace(/\b\d+\.+\s*/g, ' ');
  const names = plain.match(/[a-z]\d{1,2}(?!\d)/gi) ?? [];
  const pairs = [...plain.matchAll(/(?<![\d.])(\d{1,2})\s*,\s*(\d{1,2})(?![\d.])/g)];
  if (names.length === 0 && pairs.length === 0) throw new RecordError('noMoves', text.slice(0, 40));
  if (plain.replace(/[a-z]\d{1,2}|\d{1,2}\s*,\s*\d{1,2}|[\s,;|/()[\]-]/gi, '').length > 0) throw new RecordError('noMoves', text.slice(0, 40));
  if (names.length > 0) return playAll(new Game({ size, rule }), names.map((name) => cellOf(name, size)));
  return playAll(new Game({ size, rule }), pairs.map(([all, x, y]) => {
    /** @type {Point} */
    const point = [Number(x), Number(y)];
    if (!isOn(point, size)) throw new RecordError('cell', all);
    return point;
  }));
}

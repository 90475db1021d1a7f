// What an engine says, line by line.

/** @typedef {import('../game/points.js').Point} Point */
/**
 * A line of play with its score for the side to move.
 * @typedef {object} Variation
 * @property {number} index from 0, the best first
 * @property {number} depth @property {number} deepest
 * @property {number} nodes @property {number} ms @property {number} speed nodes a second
 * @property {string} score as the engine writes it
 * @property {number | null} mate plies to a proven win, negative for a loss
 * @property {number | null} chance expected points of the side to move, 0 to 1
 * @property {number | null} draw
 * @property {Point[]} moves
 */
/**
 * @typedef {{kind: 'moves', points: Point[]} | {kind: 'swap'} | {kind: 'ok'} | {kind: 'error', text: string}
 *   | {kind: 'unknown', text: string} | {kind: 'info', key: string, value: string}
 *   | {kind: 'json', name: string, value: any} | {kind: 'message', text: string} | {kind: 'other', text: string}} Reply
 */

/** @param {string} text @returns {Point[]} */
export const pointsOfLine = (text) => [...text.matchAll(/(\d{1,2}),(\d{1,2})/g)].map(([, x, y]) => [Number(x), Number(y)]);

/** @param {string} line @returns {Reply} */
export function parseReply(line) {
  const text = line.trim();
  if (/^\d{1,2},\d{1,2}(\s+\d{1,2},\d{1,2})*$/.test(text)) return { kind: 'moves', points: pointsOfLine(text) };
  const [, word, rest] = /** @type {RegExpExecArray} */ (/^(\S*)\s*([^]*)$/.exec(text));
  switch (word.toUpperCase()) {
    case 'OK': return { kind: 'ok' };
    case 'SWAP': return { kind: 'swap' };
    case 'ERROR': return { kind: 'error', text: rest };
    case 'UNKNOWN': return { kind: 'unknown', text: rest };
    case 'INFO': {
      const [, key, value] = /** @type {RegExpExecArray} */ (/^(\S*)\s*([^]*)$/.exec(rest));
      return { kind: 'info', key: key.toUpperCase(), value };
    }
    case 'MESSAGE': {
      const json = /^([A-Z]+)\s+(\{[^]*\})$/.exec(rest);
      if (json) {
        try {
          return { kind: 'json', name: json[1], value: JSON.parse(json[2]) };
        } catch { /* some other text */ }
      }
      return { kind: 'message', text: rest };
    }
    default: return { kind: 'other', text };
  }
}

/** Puts the `INFO` lines of a variation together. */
export class VariationReader {
  constructor() {
    /** @type {Record<string, string>} */
    this.fields = {};
  }

  /** Takes a line; returns the variation that it completes, or null. @param {string} key @param {string} value @returns {Variation | null} */
  take(key, value) {
    if (key === 'PV' && value === 'DONE') return variationOf(this.fields);
    if (key === 'PV') this.fields = {};
    this.fields[key] = value;
    return null;
  }
}

/** @param {Record<string, string>} fields @returns {Variation | null} */
function variationOf(fields) {
  const number = (/** @type {string} */ key) => (Number.isFinite(Number(fields[key])) && fields[key] !== undefined ? Number(fields[key]) : null);
  const moves = pointsOfLine(fields.BESTLINE ?? '');
  if (moves.length === 0) return null;
  const score = (fields.EVAL ?? '').trim();
  const mate = /^([+-]?)M(\d+)$/.exec(score);
  const win = number('WINRATE');
  return {
    index: number('PV') ?? 0,
    depth: number('DEPTH') ?? 0, deepest: number('SELDEPTH') ?? 0,
    nodes: number('TOTALNODES') ?? number('NODES') ?? 0, ms: number('TOTALTIME') ?? 0, speed: number('SPEED') ?? 0,
    score, mate: mate ? Number(mate[2]) * (mate[1] === '-' ? -1 : 1) : null,
    chance: win, draw: number('DRAWRATE'), moves,
  };
}

/** What is known of a move without a search. @param {Point[]} moves @returns {Variation} */
export const bareVariation = (moves) => ({ index: 0, depth: 0, deepest: 0, nodes: 0, ms: 0, speed: 0, score: '', mate: null, chance: null, draw: null, moves });

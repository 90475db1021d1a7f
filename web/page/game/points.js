// Cells by their names. A point is [column, row] from 0, rows from the top, as the protocol counts; a name
// is a letter and a number, rows from the bottom, as players read a board.

/** @typedef {[number, number]} Point */
/** @typedef {[number, number]} Size */
/** @typedef {0 | 1} Color Black is 0, white 1. */

export const SMALLEST = 5;
export const LARGEST = 22;
export const BLACK = 0;
export const WHITE = 1;

/** A number for each cell of all boards, to be the key of a map. @param {Point} point */
export const keyOf = ([x, y]) => y * 32 + x;

/** @param {number} key @returns {Point} */
export const pointOfKey = (key) => [key % 32, Math.floor(key / 32)];

/** The steps from one cell to another, as a king of chess makes them. @param {Point} one @param {Point} other */
export const distance = ([a, b], [x, y]) => Math.max(Math.abs(a - x), Math.abs(b - y));

/** @param {Size} size @returns {Point} */
export const centreOf = ([columns, rows]) => [Math.floor(columns / 2), Math.floor(rows / 2)];

/** @param {Point} point @param {Size} size */
export const isOn = ([x, y], [columns, rows]) => x >= 0 && y >= 0 && x < columns && y < rows;

/** @param {Size} size */
export const isSize = ([columns, rows]) => [columns, rows].every((edge) => Number.isInteger(edge) && edge >= SMALLEST && edge <= LARGEST);

/** @param {Point} point @param {Size} size */
export const cellName = ([x, y], [, rows]) => String.fromCharCode(97 + x) + (rows - y);

/**
 * Returns the cell of a name, or null if the board has none of this name.
 * @param {string} name @param {Size} size @param {boolean} [fromTop] @returns {Point | null}
 */
export function cellAt(name, size, fromTop = false) {
  const found = /^\s*([a-v])\s*(\d{1,2})\s*$/i.exec(name);
  if (!found) return null;
  const row = Number(found[2]);
  /** @type {Point} */
  const point = [found[1].toLowerCase().charCodeAt(0) - 97, fromTop ? row - 1 : size[1] - row];
  return isOn(point, size) ? point : null;
}

/**
 * Returns the cells of a row of names such as `h8i9j10`, with anything but letters and digits between them.
 * @param {string} text @param {Size} size @param {boolean} [fromTop] @returns {Point[]}
 */
export function cellsOf(text, size, fromTop = false) {
  const points = [];
  for (const [name] of text.matchAll(/[a-v]\d{1,2}/gi)) {
    const point = cellAt(name, size, fromTop);
    if (point) points.push(point);
  }
  return points;
}

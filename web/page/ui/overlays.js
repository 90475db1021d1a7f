// What is drawn on the board over its stones and under them.

import { svg } from '../shared/elements.js';

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {(point: Point) => [number, number]} Place */
/** @typedef {{point: Point, label: string, kind: 'best' | 'good' | 'fair' | 'poor'}} Candidate */
/** @typedef {{point: Point, color: 0 | 1, number: number | null}} Ghost */

/** The letters of a label that fit on a cell. */
const MOST_LETTERS = 4;
const cut = (/** @type {string} */ label) => [...label].slice(0, MOST_LETTERS).join('');

/** A candidate of an analysis: a disc in the colour of its worth, and its chances. @param {Place} place @param {Candidate} candidate */
export function candidateMark(place, { point, label, kind }) {
  const [x, y] = place(point);
  return svg('g', { class: `candidate ${kind}` }, svg('circle', { cx: x, cy: y, r: 14 }), svg('text', { x, y: y + 0.5 }, label));
}

/** What a database says of a move: on the cell, or beside what an analysis shows there. @param {Place} place @param {{point: Point, label: string}} note @param {boolean} isBeside */
export function noteMark(place, { point, label }, isBeside) {
  const [x, y] = isBeside ? [place(point)[0] + 11, place(point)[1] - 11] : place(point);
  const width = (isBeside ? 6 : 8) * Math.max(2, [...cut(label)].length);
  const height = isBeside ? 12 : 18;
  return svg('g', { class: `note${isBeside ? ' beside' : ''}` }, svg('rect', { x: x - width / 2, y: y - height / 2, width, height, rx: 4 }), svg('text', { x, y: y + 0.5 }, cut(label) || '·'));
}

/** A stone that is not on the board. @param {Place} place @param {Ghost} ghost @param {string} [kind] */
export function ghostStone(place, { point, color, number }, kind = 'line') {
  const [x, y] = place(point);
  return svg('g', { class: `ghost ${kind} ${['black', 'white'][color]}` }, svg('circle', { cx: x, cy: y, r: 14.5 }),
    number === null ? null : svg('text', { x, y: y + 0.5 }, number));
}

/** A forbidden cell. @param {Place} place @param {Point} point */
export function forbiddenMark(place, point) {
  const [x, y] = place(point);
  return svg('path', { class: 'forbidden', d: `M${x - 6},${y - 6}l12,12m0,-12l-12,12` });
}

/** A cell where somebody could win or threaten to. @param {Place} place @param {Point} point @param {string} kind @param {'own' | 'other'} whose */
export function threatMark(place, point, kind, whose) {
  const [x, y] = place(point);
  return svg('g', { class: `threat ${whose} ${kind.replace(' ', '-')}` },
    svg('circle', { cx: x, cy: y, r: kind === 'four' ? 5 : 10 }),
    kind === 'four' ? null : svg('text', { x, y: y + 0.5 }, kind === 'five' ? '5' : '4'));
}

/** @param {Place} place @param {Point} point */
export function hintMark(place, point) {
  const [x, y] = place(point);
  return svg('circle', { class: 'hint', cx: x, cy: y, r: 12 });
}

/** @param {Place} place @param {Point} point */
export function cursorMark(place, point) {
  const [x, y] = place(point);
  return svg('rect', { class: 'cursor', x: x - 16, y: y - 16, width: 32, height: 32, rx: 5 });
}

/** A mark of an editor. @param {Place} place @param {Point} point @param {import('../game/tree.js').Mark} mark @param {boolean} isOnBlack */
export function editMark(place, point, { shape, text }, isOnBlack) {
  const [x, y] = place(point);
  const onBlack = isOnBlack ? ' on-black' : '';
  const shapeClass = `edit${onBlack}`;
  const drawn = {
    x: () => svg('path', { class: shapeClass, d: `M${x - 7},${y - 7}l14,14m0,-14l-14,14` }),
    triangle: () => svg('path', { class: shapeClass, d: `M${x},${y - 9}l8,14h-16z` }),
    circle: () => svg('circle', { class: shapeClass, cx: x, cy: y, r: 7.5 }),
    square: () => svg('rect', { class: shapeClass, x: x - 7, y: y - 7, width: 14, height: 14 }),
  };
  return svg('g', {},
    text === undefined ? null : svg('g', { class: `label${onBlack}` }, svg('circle', { cx: x, cy: y, r: 11 }), svg('text', { x, y: y + 0.5 }, cut(text))),
    shape ? drawn[shape]() : null);
}

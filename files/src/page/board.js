// The board as a picture. The page of `tengen web` loads this module, reports and reviews contain it.

import { svg } from './elements.js';

const CELL = 32;
const MARGIN = 40;
const COLORS = ['black', 'white'];

// A point is [column, row], a row of points two letters for each.
export const pointsOf = (text) => Array.from({ length: text.length / 2 }, (_, i) => [text.charCodeAt(2 * i) - 97, text.charCodeAt(2 * i + 1) - 97]);
export const isSame = ([x, y], [u, v]) => x === u && y === v;

// Makes an empty board. Row 0 is at the top; rows are named from 1 at the top, or at the bottom
// (`fromBottom`). `pick` receives the cell that is clicked; `fills` are what stones are filled with.
/** @param { {size: [number, number], fromBottom?: boolean, pick?: ((point: any) => void) | null, fills?: string[]} } options */
export function makeBoard({ size: [columns, rows], fromBottom = false, pick = null, fills = ['#16181a', '#fdfdfb'] }) {
  const across = (x) => MARGIN + CELL * x;
  const down = (y) => MARGIN + CELL * y;
  /** @type {(point: [number, number]) => [number, number]} */
  const place = ([x, y]) => [across(x), down(y)];
  const rowName = (y) => (fromBottom ? rows - y : y + 1);
  const name = ([x, y]) => String.fromCharCode(97 + x) + rowName(y);
  const [width, height] = [columns, rows].map((edge) => 2 * MARGIN + CELL * (edge - 1));
  // Grounds lie under the stones, marks over them.
  const [grounds, stones, marks] = ['grounds', 'stones', 'marks'].map((id) => svg('g', { id }));

  function lines() {
    let path = '';
    for (let x = 0; x < columns; x += 1) path += `M${across(x)},${down(0)}V${down(rows - 1)}`;
    for (let y = 0; y < rows; y += 1) path += `M${MARGIN},${down(y)}H${across(columns - 1)}`;
    const stars = [];
    if (columns % 2 && rows % 2) stars.push([(columns - 1) / 2, (rows - 1) / 2]);
    if (columns >= 13 && rows >= 13) [3, columns - 4].forEach((x) => [3, rows - 4].forEach((y) => stars.push([x, y])));
    const numbers = (length) => Array.from({ length }, (_, i) => i);
    return [
      svg('path', { d: path, stroke: 'var(--grid)', fill: 'none' }),
      stars.map(place).map(([cx, cy]) => svg('circle', { cx, cy, r: 3.5, fill: 'var(--grid)' })),
      numbers(columns).map((x) => svg('text', { x: across(x), y: MARGIN / 3 }, String.fromCharCode(97 + x))),
      numbers(rows).map((y) => svg('text', { x: MARGIN / 3, y: down(y) }, rowName(y))),
    ];
  }

  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'board' },
    svg('rect', { width, height, rx: 8, fill: 'var(--wood)' }), lines(), grounds, stones, marks);
  // The cell under a pointer, or null.
  /** @param {MouseEvent} event @returns {[number, number] | null} */
  function cellUnder(event) {
    const box = picture.getBoundingClientRect();
    const x = Math.round(((event.clientX - box.left) * (width / box.width) - MARGIN) / CELL);
    const y = Math.round(((event.clientY - box.top) * (height / box.height) - MARGIN) / CELL);
    return x >= 0 && x < columns && y >= 0 && y < rows ? [x, y] : null;
  }
  if (pick) {
    picture.addEventListener('click', (event) => {
      const cell = cellUnder(event);
      if (cell) pick(cell);
    });
  }

  // The last stone is marked, and those of the line: by a red rim, or a dot where it has no number.
  function stone({ point, color, number = null, isGuess = false }, isLast, isInLine) {
    const [cx, cy] = place(point);
    const marked = isLast || isInLine;
    const kind = COLORS[color];
    return svg('g', { opacity: isGuess ? 0.82 : null },
      svg('circle', { cx, cy, r: 14.5, fill: fills[color], stroke: marked ? 'var(--mark)' : '#16181a', 'stroke-width': marked ? 3 : 0.8 }),
      number === null ? null : svg('text', { x: cx, y: cy + 0.5, class: isLast ? `${kind} last` : kind }, number),
      isLast && number === null ? svg('circle', { cx, cy, r: 4, fill: 'var(--mark)' }) : null);
  }

  // Shows stones in their order, a line through some of them, crosses, and whatever else is over them. `last` is
  // the index of the stone that was played last.
  /** @param { {stones: any[], line?: any[], crosses?: any[], over?: any[], under?: any[], last?: number} } shown */
  function show({ stones: shown, line = [], crosses = [], over = [], under = [], last = shown.length - 1 }) {
    const isInLine = (point) => line.some((other) => isSame(other, point));
    const [from, to] = [line[0], line[line.length - 1]].map((point) => point && place(point).join());
    grounds.replaceChildren(...under);
    stones.replaceChildren(
      // Under the stones, so that it crosses no number.
      ...(line.length > 0 ? [svg('path', { id: 'line', d: `M${from}L${to}`, stroke: 'var(--mark)', 'stroke-width': 6, 'stroke-linecap': 'round' })] : []),
      ...shown.map((one, i) => stone(one, i === last, isInLine(one.point))),
      ...crosses.map(place).map(([x, y]) => svg('path', { d: `M${x - 9},${y - 9}l18,18m0,-18l-18,18`, stroke: 'var(--mark)', 'stroke-width': 4, 'stroke-linecap': 'round' })));
    marks.replaceChildren(...over);
  }

  return { picture, place, name, show, cellUnder };
}

// Black's chances through a game.

import { svg } from '../shared/elements.js';
import { t } from '../texts.js';

const WIDTH = 400;
const HEIGHT = 110;

/**
 * @param {{black: (number | null)[], at: number, faults: boolean[], onpick: (ply: number) => void}} shown
 */
export function chart({ black, at, faults, onpick }) {
  const last = Math.max(1, black.length - 1);
  const across = (/** @type {number} */ ply) => (WIDTH * ply) / last;
  const down = (/** @type {number} */ share) => 3 + (HEIGHT - 6) * (1 - share);
  const known = black.flatMap((share, ply) => (share === null ? [] : [/** @type {const} */ ([ply, share])]));
  const line = known.map(([ply, share]) => `${across(ply).toFixed(1)},${down(share).toFixed(1)}`).join('L');
  const area = known.length > 1 ? `M${across(known[0][0]).toFixed(1)},${HEIGHT}L${line}L${across(known[known.length - 1][0]).toFixed(1)},${HEIGHT}z` : '';
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', class: 'chart', role: 'img', 'aria-label': t.review.chart },
    svg('rect', { class: 'white-side', width: WIDTH, height: HEIGHT }),
    area ? svg('path', { class: 'black-side', d: area }) : null,
    svg('path', { class: 'middle', d: `M0,${HEIGHT / 2}H${WIDTH}` }),
    known.filter(([ply]) => faults[ply]).map(([ply, share]) => svg('ellipse', { class: 'fault', cx: across(ply), cy: down(share), rx: 4, ry: 4 })),
    svg('path', { class: 'now', d: `M${across(Math.max(0, at))},0V${HEIGHT}` }));
  picture.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const box = picture.getBoundingClientRect();
    onpick(Math.max(0, Math.min(black.length - 1, Math.round(((event.clientX - box.left) / box.width) * last))));
  });
  return picture;
}

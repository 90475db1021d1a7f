// The rules that a reader's own moves have to keep.

import { isSame } from './board.js';

export const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

// The stones of a position, by cell: 0 black, 1 white, null empty, undefined beyond the edge.
export class Cells {
  constructor([columns, rows], stones) {
    this.columns = columns;
    this.rows = rows;
    this.all = new Array(columns * rows).fill(null);
    stones.forEach(({ point, color }) => this.set(point, color));
  }

  /** @param {number[]} point @returns {any} */
  get([x, y]) {
    return x >= 0 && x < this.columns && y >= 0 && y < this.rows ? this.all[y * this.columns + x] : undefined;
  }

  set([x, y], color) {
    this.all[y * this.columns + x] = color;
  }

  /** @param {number[]} point @param {number[]} direction @param {number} steps @returns {[number, number]} */
  step([x, y], [dx, dy], steps) {
    return [x + dx * steps, y + dy * steps];
  }

  // The run of a colour through a point, which counts as a stone of it.
  /** @param {number[]} point @param {any} color @param {number[]} direction @returns {[number, number][]} */
  run(point, color, direction) {
    let [first, last] = [point, point];
    while (this.get(this.step(first, direction, -1)) === color) first = this.step(first, direction, -1);
    while (this.get(this.step(last, direction, 1)) === color) last = this.step(last, direction, 1);
    const length = 1 + Math.max(Math.abs(last[0] - first[0]), Math.abs(last[1] - first[1]));
    return Array.from({ length }, (_, i) => this.step(first, direction, i));
  }

  // The row that a stone wins with, or null.
  /** @returns {[number, number][] | null} */
  winningRun(point, color, rule) {
    const isEnclosed = (run, direction) => [this.step(run[0], direction, -1), this.step(run[run.length - 1], direction, 1)]
      .every((end) => this.get(end) === 1 - color);
    const wins = (run, direction) => {
      if (rule === 'standard' || (rule === 'renju' && color === 0)) return run.length === 5;
      if (rule === 'caro') return run.length >= 6 || (run.length === 5 && !isEnclosed(run, direction));
      if (rule === 'caro-exact') return run.length === 5 && !isEnclosed(run, direction);
      return run.length >= 5;
    };
    for (const direction of DIRECTIONS) {
      const run = this.run(point, color, direction);
      if (wins(run, direction)) return run;
    }
    return null;
  }

  // The reason why renju forbids a point to black, or null; as core/src/rules/forbidden.rs has it.
  violation(point) {
    if (this.get(point) !== null) return null;
    this.set(point, 0);
    const kind = this.violationOfStone(point);
    this.set(point, null);
    return kind;
  }

  violationOfStone(stone) {
    if (this.winningRun(stone, 0, 'renju')) return null;
    if (DIRECTIONS.some((direction) => this.run(stone, 0, direction).length >= 6)) return 'overline';
    const fours = DIRECTIONS.map((direction) => this.sets(stone, direction, 4, 5).length);
    if (fours.reduce((sum, number) => sum + number) >= 2) return 'double four';
    // Looking ahead is dear, and one three alone is allowed whatever it is.
    const threes = DIRECTIONS.flatMap((direction) => this.threes(stone, direction));
    if (threes.length < 2) return null;
    return threes.filter((extensions) => extensions.some((cell) => this.violation(cell) === null)).length >= 2 ? 'double three' : null;
  }

  // The sets of stones with `stone` that one more makes a run of a length, each with the cells that do.
  /** @param {(gap: any, run: any) => boolean} [accepts] */
  sets(stone, direction, reach, length, accepts = () => true) {
    const found = new Map();
    for (let i = -reach; i <= reach; i += 1) {
      const gap = this.step(stone, direction, i);
      if (i !== 0 && this.get(gap) === null) {
        const run = this.run(gap, 0, direction);
        if (run.length === length && run.some((point) => isSame(point, stone)) && accepts(gap, run)) {
          const key = run.filter((point) => !isSame(point, gap)).join(';');
          found.set(key, [...(found.get(key) ?? []), gap]);
        }
      }
    }
    return [...found.values()];
  }

  // The threes with `stone` along a direction, each as the cells that make it a straight four.
  threes(stone, direction) {
    return this.sets(stone, direction, 3, 4, (gap, run) => {
      this.set(gap, 0);
      const ends = [this.step(run[0], direction, -1), this.step(run[3], direction, 1)];
      const straight = ends.every((end) => this.get(end) === null && this.run(end, 0, direction).length === 5);
      const isThree = straight && !this.winningRun(gap, 0, 'renju');
      this.set(gap, null);
      return isThree;
    });
  }
}

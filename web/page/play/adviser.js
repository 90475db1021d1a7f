// What the engine does in an opening: where it places stones, what it chooses, offers and keeps. Only swap2 is a
// matter of the protocol; everything else follows from what the engine thinks of positions.

import { centreOf, distance } from '../game/points.js';
import { areEquivalent } from './symmetry.js';
import { isInZone } from './openings.js';
import { bestQuestion, swap2Question } from '../engine/questions.js';
import { isSame } from '../shared/board.js';

/** @typedef {import('../game/points.js').Point} Point */
/** @typedef {import('../game/position.js').Position} Position */
/** @typedef {import('../engine/replies.js').Variation} Variation */
/** @typedef {import('./openings.js').Task} Task */
/** @typedef {{points: Point[], option: string | null}} Advice Stones or offers, and a choice. */

/** The milliseconds for a decision, and for one of several positions. */
const TIME = 2000;
const SHORT = 400;
/** How many openings the engine compares before it names one. */
const COMPARED = 5;

class Dropped extends Error {}

export class Adviser {
  /**
   * @param {import('../engine/client.js').EngineClient} client
   * @param {{drop: () => void}} turn gets the way to end the question
   */
  constructor(client, turn) {
    this.client = client;
    this.turn = turn;
  }

  /**
   * Returns what the engine does, or null if the question was dropped.
   * @param {{rule: string, task: Task, position: Position, placed: Point[], isBlack: boolean, fifths: number}} about
   * @returns {Promise<Advice | null>}
   */
  async advise({ rule, task, position, placed, isBlack, fifths }) {
    try {
      if (rule === 'swap2') return await this.#swap2(task, position, placed);
      switch (task.kind) {
        case 'stones': return { points: await this.#stones(task, position), option: null };
        case 'choice': return { points: [], option: await this.#choice(task.options, position, isBlack, fifths) };
        // Half of what is allowed: few offers are good for white, and who has which colour is open.
        case 'number': return { points: [], option: String(Math.ceil(task.most / 2)) };
        case 'offer': return { points: (await this.#offers(position, task.count)).map(({ point }) => point), option: null };
        default: return { points: [await this.#pick(position, task.among)], option: null };
      }
    } catch (error) {
      if (error instanceof Dropped) return null;
      throw error;
    }
  }

  /** @param {import('../engine/client.js').Question} question */
  async #ask(question) {
    const asked = this.client.ask(question);
    this.turn.drop = asked.drop;
    const answer = await asked.answer;
    if (answer.kind === 'dropped') throw new Dropped();
    return answer;
  }

  /** The best moves with their chances for the side to move. @param {Position} position @param {number} best @param {number} ms */
  async #best(position, best, ms) {
    /** @type {Variation[]} */
    const found = [];
    const onVariation = (/** @type {Variation} */ variation) => { found[variation.index] = variation; };
    const answer = await this.#ask(bestQuestion(position, { best: Math.min(best, position.empty().length), ms, onVariation }));
    const known = found.filter(Boolean).map(({ moves, chance }) => ({ point: moves[0], chance: chance ?? 0.5 }));
    return known.length > 0 || answer.kind !== 'moves' ? known : [{ point: answer.points[0], chance: 0.5 }];
  }

  /** What the side to move may expect. @param {Position} position @param {number} ms */
  async #chance(position, ms) {
    return (await this.#best(position, 2, ms))[0]?.chance ?? 0.5;
  }

  /** @param {Task} task @param {Position} position @param {Point[]} placed @returns {Promise<Advice>} */
  async #swap2(task, position, placed) {
    const answer = await this.#ask(swap2Question(position, placed, TIME));
    if (answer.kind === 'swap') return { points: [], option: 'black' };
    if (answer.kind === 'moves') return { points: answer.points, option: task.kind !== 'choice' ? null : answer.points.length === 2 ? 'two' : 'white' };
    // An engine that does not know swap2 opens as others do, and keeps what it has.
    return task.kind === 'choice' ? { points: [], option: 'white' } : { points: await this.#stones(task, position), option: null };
  }

  /** Stones of a task. Where the other side may swap then, the fairest is the best. @param {Task} task @param {Position} position @returns {Promise<Point[]>} */
  async #stones(task, position) {
    if (task.kind !== 'stones') return [];
    if (task.left > 1) return this.#fairOpening(task.left, position);
    const { size } = position;
    const inZone = position.empty().filter((point) => isInZone(task, point, size) && !position.violation(point));
    if (position.stones.length < 2) return [any(inZone.filter((point) => near(point, size) <= 1)) ?? any(inZone)];
    let known = (await this.#best(position, 12, TIME)).filter(({ point }) => inZone.some((cell) => isSame(cell, point)));
    if (known.length === 0) known = await this.#judged(position, nearest(inZone, position));
    // A zone means that a swap may follow, so nothing too good.
    if (task.within !== null) known.sort((a, b) => Math.abs(a.chance - 0.5) - Math.abs(b.chance - 0.5));
    return [known[0].point];
  }

  /** Some of the points, from the best one on, with their chances for the side to move. @param {Position} position @param {Point[]} points */
  async #judged(position, points) {
    const left = [...points];
    const judged = [];
    while (judged.length < COMPARED && left.length > 0) {
      const [point] = left.splice(Math.floor(Math.random() * left.length), 1);
      judged.push({ point, chance: 1 - (await this.#chance(position.after(point), SHORT)) });
    }
    return judged.sort((a, b) => b.chance - a.chance);
  }

  /** Three stones near the centre after which neither side is better. @param {number} left @param {Position} position */
  async #fairOpening(left, position) {
    const { size } = position;
    const cells = position.empty().filter((point) => near(point, size) <= 2 && near(point, size) > 0);
    /** @type {{points: Point[], unfairness: number} | null} */
    let fairest = null;
    for (let i = 0; i < COMPARED; i += 1) {
      const second = any(cells.filter((point) => near(point, size) === 1));
      const third = any(cells.filter((point) => !isSame(point, second)));
      const points = /** @type {Point[]} */ ([centreOf(size), second, third]).slice(0, left);
      const after = points.reduce((now, point) => now.after(point), position);
      const unfairness = Math.abs((await this.#chance(after, SHORT)) - 0.5);
      if (!fairest || unfairness < fairest.unfairness) fairest = { points, unfairness };
    }
    return fairest?.points ?? [];
  }

  /** @param {string[]} options @param {Position} position @param {boolean} isBlack @param {number} fifths */
  async #choice(options, position, isBlack, fifths) {
    const black = fifths > 1 ? await this.#blackOffering(position, fifths) : forBlack(await this.#chance(position, TIME), position);
    return options.includes('swap') && (isBlack ? black : 1 - black) < 0.5 ? 'swap' : options[0];
  }

  /** What black may expect who offers some fifth stones: white keeps the worst. @param {Position} position @param {number} count */
  async #blackOffering(position, count) {
    const [fourth] = position.stones.length < 4 ? await this.#best(position, 1, TIME) : [];
    return (await this.#offers(fourth ? position.after(fourth.point) : position, count))[count - 1]?.chance ?? 0.5;
  }

  /** The best fifth stones of which no two are the same, with their chances. @param {Position} position @param {number} count */
  async #offers(position, count) {
    const known = await this.#best(position, 2 * count + 2, TIME);
    // Of the others nothing is known but that they are no better.
    const chance = known[known.length - 1]?.chance ?? 0.5;
    const others = position.empty().map((point) => ({ point, chance }));
    /** @type {{point: Point, chance: number}[]} */
    const offers = [];
    for (const offer of [...known, ...others]) {
      const isKnown = offers.some(({ point }) => isSame(point, offer.point) || areEquivalent(position.stones, point, offer.point));
      if (offers.length < count && !isKnown) offers.push(offer);
    }
    return offers;
  }

  /** The offer that is best for white. @param {Position} position @param {Point[]} among */
  async #pick(position, among) {
    let best = { point: among[0], chance: -1 };
    for (const point of among) {
      const chance = await this.#chance(position.after(point), SHORT);
      if (chance > best.chance) best = { point, chance };
    }
    return best.point;
  }
}

/** @template T @param {T[]} list @returns {T} */
const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Some of the points that are nearest to the centre and to a stone. @param {Point[]} points @param {Position} position */
function nearest(points, { stones, size }) {
  const away = (/** @type {Point} */ point) => near(point, size) + Math.min(...stones.map((stone) => distance(point, stone.point)));
  return points.map((point) => ({ point, far: away(point) })).sort((a, b) => a.far - b.far).slice(0, 2 * COMPARED).map(({ point }) => point);
}

/** @param {number} chance of the side to move @param {Position} position */
const forBlack = (chance, { toMove }) => (toMove === 0 ? chance : 1 - chance);

/** The distance from the centre. @param {Point} point @param {import('../game/points.js').Size} size */
const near = (point, size) => distance(point, centreOf(size));

// The search that runs beside the shown position: its best lines, as they become known.

import { bareVariation } from '../engine/replies.js';
import { bestQuestion } from '../engine/questions.js';

/** @typedef {import('../engine/replies.js').Variation} Variation */

export class Analysis {
  /** @param {import('../desk.js').Desk} desk @param {import('../engine/client.js').EngineClient} client */
  constructor(desk, client) {
    this.desk = desk;
    this.client = client;
    this.isOn = true;
    /** How many best moves are wanted. */
    this.best = 3;
    /** @type {Variation[]} */
    this.variations = [];
    /** @type {import('../game/position.js').Position | null} */
    this.position = null;
    this.isRunning = false;
    /** True while the engine is asked something else here. */
    this.isHeld = () => false;
    /** @type {string | null} */
    this.problem = null;
    /** @type {{drop: () => void} | null} */
    this.asked = null;
    this.onchange = () => {};
    /** Positions that were searched before, so that walking back shows at once what is known. @type {Map<string, Variation[]>} */
    this.known = new Map();
  }

  /** @param {boolean} isOn */
  set(isOn) {
    this.isOn = isOn;
    if (isOn) this.restart();
    else this.stop();
  }

  stop() {
    this.asked?.drop();
    this.asked = null;
    this.isRunning = false;
    this.onchange();
  }

  /** Searches the shown position. */
  async restart() {
    if (!this.isOn || this.isHeld()) return;
    const { position } = this.desk;
    if (this.isRunning && this.position?.key === position.key) return;
    this.asked?.drop();
    this.position = position;
    this.problem = null;
    this.variations = this.known.get(position.key) ?? [];
    if (position.end) {
      this.asked = null;
      this.isRunning = false;
      this.variations = [];
      this.onchange();
      return;
    }
    const best = Math.min(this.best, position.empty().length);
    /** @type {Variation[]} */
    const fresh = [];
    const asked = this.client.ask(bestQuestion(position, {
      best,
      onVariation: (variation) => {
        fresh[variation.index] = variation;
        // What was known is better than the first depths.
        if (variation.depth < (this.variations[0]?.depth ?? 0) && this.variations.length >= best && variation.mate === null) return;
        this.variations = fresh.filter(Boolean);
        this.#remember(position.key);
        this.onchange();
      },
    }));
    this.asked = asked;
    this.isRunning = true;
    this.onchange();
    const answer = await asked.answer;
    if (this.asked !== asked) return;
    this.asked = null;
    this.isRunning = false;
    if (answer.kind === 'error') this.problem = answer.text;
    else if (answer.kind === 'unknown') this.problem = 'unknown';
    else if (answer.kind === 'moves' && this.variations.length === 0) this.variations = [bareVariation(answer.points)];
    this.onchange();
  }

  /** @param {string} key */
  #remember(key) {
    this.known.delete(key);
    this.known.set(key, this.variations);
    if (this.known.size > 500) this.known.delete(/** @type {string} */ (this.known.keys().next().value));
  }

  /** Searches again with another number of lines. @param {number} best */
  setBest(best) {
    this.best = best;
    this.again();
  }

  /** Searches again although the position is the same. */
  again() {
    this.known.clear();
    this.isRunning = false;
    this.restart();
  }
}

/** How a move compares with the best, to be shown by a colour. @param {Variation} variation @param {Variation} best @returns {'best' | 'good' | 'fair' | 'poor'} */
export function worthOf(variation, best) {
  if (variation === best) return 'best';
  const loss = (best.chance ?? 0.5) - (variation.chance ?? 0.5);
  return loss < 0.03 ? 'good' : loss < 0.1 ? 'fair' : 'poor';
}

/** A score in few letters: a percentage, or plies to the end. @param {Variation} variation */
export function shortScore({ mate, chance, score }) {
  if (mate !== null) return mate > 0 ? `M${mate}` : `−M${-mate}`;
  return chance === null ? score || '·' : String(Math.round(100 * chance));
}

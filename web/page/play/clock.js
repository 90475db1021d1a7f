// The time of two players. What a move took is kept with the move, so that a move that is taken back gives
// its time back.

/** @typedef {{minutes: number, increment: number} | null} ClockSettings Minutes for a game, seconds for each move; null for no clock. */

export class Clock {
  /** @param {ClockSettings} settings @param {() => number} [now] milliseconds */
  constructor(settings, now = () => performance.now()) {
    this.settings = settings;
    this.now = now;
    /** What each colour has used and got, in milliseconds. */
    this.used = [0, 0];
    this.moves = [0, 0];
    /** @type {{color: 0 | 1, since: number} | null} */
    this.running = null;
  }

  /** Sets what was used from the moves of a game. @param {{color: 0 | 1, ms: number}[]} moves */
  count(moves) {
    this.used = [0, 0];
    this.moves = [0, 0];
    for (const { color, ms } of moves) {
      this.used[color] += ms;
      this.moves[color] += 1;
    }
  }

  /** @param {0 | 1} color */
  start(color) {
    if (this.running?.color !== color) this.running = { color, since: this.now() };
  }

  stop() {
    this.running = null;
  }

  /** The milliseconds of the running move. */
  get spent() {
    return this.running ? this.now() - this.running.since : 0;
  }

  /** The milliseconds left, or null without a clock. @param {0 | 1} color @returns {number | null} */
  left(color) {
    if (!this.settings) return null;
    const total = this.settings.minutes * 60_000 + this.moves[color] * this.settings.increment * 1000;
    return total - this.used[color] - (this.running?.color === color ? this.spent : 0);
  }
}

/** Writes milliseconds as a clock does: tenths at the end. @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.ceil(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

// Asks again and again, also after questions that failed.

/**
 * Asks at once, and again until an answer says that there will be no more.
 *
 * @param {() => Promise<boolean>} ask whether there will be more; it may fail
 * @param {() => void} failed is called after each question that failed
 * @param {{beat: number, patience: number}} pauses milliseconds after an answer, and after a failure
 * @param {Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>} [timers] the clock
 * @returns {() => Promise<void>} asks now instead of later, unless a question is on its way or there is no more
 */
export function poll(ask, failed, { beat, patience }, timers = globalThis) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isAsking = false;
  let isOver = false;
  async function now() {
    if (isAsking || isOver) return;
    isAsking = true;
    timers.clearTimeout(timer);
    let pause = beat;
    try {
      isOver = !await ask();
    } catch {
      pause = patience;
      failed();
    }
    isAsking = false;
    if (!isOver) timer = timers.setTimeout(now, pause);
  }
  now();
  return now;
}

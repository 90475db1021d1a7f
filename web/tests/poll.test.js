import { test } from 'node:test';
import assert from 'node:assert/strict';

import { poll } from '../page/live/poll.js';

const PAUSES = { beat: 500, patience: 3000 };
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

/** A clock on which nothing happens by itself. */
function makeTimers() {
  const timers = {
    pending: null,
    setTimeout: (act, pause) => { timers.pending = { act, pause }; return timers.pending; },
    clearTimeout: (timer) => { if (timer && timer === timers.pending) timers.pending = null; },
    async run() {
      const { act, pause } = timers.pending;
      timers.pending = null;
      act();
      await settled();
      return pause;
    },
  };
  return timers;
}

test('a question that failed is asked again, until there is no more to be told', async () => {
  const answers = [true, 'lost', 'lost', true, false];
  let failures = 0;
  const timers = makeTimers();
  const ask = async () => {
    const answer = answers.shift();
    if (answer === 'lost') throw new Error(answer);
    return answer;
  };
  poll(ask, () => { failures += 1; }, PAUSES, timers);
  await settled();
  const pauses = [];
  while (timers.pending) pauses.push(await timers.run());
  assert.deepEqual([pauses, failures, answers.length], [[500, 3000, 3000, 500], 2, 0]);
});

test('one can ask at once, but not twice at the same time nor after the end', async () => {
  const timers = makeTimers();
  const waiting = [];
  const now = poll(() => new Promise((resolve) => { waiting.push(resolve); }), assert.fail, PAUSES, timers);
  now();
  assert.equal(waiting.length, 1);
  waiting[0](true);
  await settled();
  now();
  assert.deepEqual([waiting.length, timers.pending], [2, null], 'the next beat is for nothing');
  waiting[1](false);
  await settled();
  now();
  assert.deepEqual([waiting.length, timers.pending], [2, null]);
});

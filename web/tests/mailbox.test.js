import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';

import { Mailbox } from '../page/mailbox.js';

const bytes = (text) => new TextEncoder().encode(text);
const room = new Uint8Array(65537);
const take = (mailbox) => {
  const length = mailbox.take(room);
  return length < 0 ? null : new TextDecoder().decode(room.subarray(0, length));
};

test('lines come out as they went in, however often the ring is full', () => {
  const mailbox = new Mailbox();
  const other = new Mailbox(mailbox.buffer);
  assert.equal(take(other), null);
  for (let i = 0; i < 3000; i++) {
    const lines = [`TURN ${i},7`, '', 'x'.repeat((i * 97) % 3000), 'å五'];
    lines.forEach((line) => assert.ok(mailbox.put(bytes(line))));
    assert.deepEqual(lines.map(() => take(other)), lines);
  }
  assert.equal(take(other), null);
});

test('what has no room is refused, and nothing is lost', () => {
  const mailbox = new Mailbox();
  const line = bytes('y'.repeat(60000));
  let count = 0;
  while (mailbox.put(line)) count++;
  assert.equal(count, 4);
  assert.equal(take(mailbox).length, 60000);
  assert.ok(mailbox.put(line));
  for (; count > 0; count--) assert.equal(take(mailbox).length, 60000);
  assert.equal(take(mailbox), null);
});

test('a line is cut where the reader has no room', () => {
  const mailbox = new Mailbox();
  mailbox.put(bytes('a long line'));
  mailbox.put(bytes('next'));
  assert.equal(mailbox.take(new Uint8Array(3)), 3);
  assert.equal(take(mailbox), 'next');
});

test('who waits for a line has it when it comes, and sleeps until then', async () => {
  const mailbox = new Mailbox();
  const reader = new Worker(`
    const { workerData, parentPort } = require('node:worker_threads');
    import(workerData.module).then(({ Mailbox }) => {
      const mailbox = new Mailbox(workerData.buffer);
      parentPort.postMessage('waits');
      const room = new Uint8Array(100);
      let tries = 0;
      let length = -1;
      for (; length < 0; tries += 1) {
        mailbox.wait(100_000);
        length = mailbox.take(room);
      }
      // What is there is not waited for.
      mailbox.put(new Uint8Array(3));
      mailbox.wait(100_000);
      parentPort.postMessage([tries, length]);
    });
  `, { eval: true, workerData: { buffer: mailbox.buffer, module: new URL('../page/mailbox.js', import.meta.url).href } });
  const next = () => new Promise((resolve) => { reader.once('message', resolve); });
  assert.equal(await next(), 'waits');
  const result = next();
  mailbox.put(bytes('STOP'));
  assert.deepEqual(await result, [1, 4]);
  await reader.terminate();
});

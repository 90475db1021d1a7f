// The list of files that the service worker keeps is complete.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const page = new URL('../page/', import.meta.url);

/** @returns {string[]} */
function filesIn(folder) {
  return readdirSync(new URL(folder, page), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]));
}

test('files.json names all files of the page', () => {
  const { files } = JSON.parse(readFileSync(new URL('files.json', page), 'utf8'));
  const shared = ['board.js', 'elements.js', 'look.css', 'rules.js'].map((name) => `shared/${name}`);
  const own = filesIn('').filter((name) => !['files.json', 'service-worker.js'].includes(name) && /\.(js|css|svg|html|webmanifest)$/.test(name));
  assert.deepEqual([...files].sort(), [...own, ...shared].sort());
});

// Does all that people do with the page; ends with 1 if anything was not as it should be.

import { close, faults } from './browser.mjs';
import * as databases from './databases.mjs';
import * as matches from './matches.mjs';
import * as offline from './offline.mjs';
import * as playing from './playing.mjs';
import * as studying from './studying.mjs';

const wanted = (process.env.ONLY ?? '').split(' ').filter(Boolean);
const all = Object.entries({ ...playing, ...studying, ...databases, ...matches, ...offline }).filter(([name]) => wanted.length === 0 || wanted.includes(name));
for (const [name, action] of all) {
  const before = faults.length;
  const start = performance.now();
  try {
    await action();
  } catch (error) {
    faults.push(`${name}: ${error.stack}`);
  }
  console.log(`${faults.length === before ? 'well' : 'FAULT'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  faults.slice(before).forEach((fault) => console.log(`  ${fault}`));
}
await close();
process.exit(faults.length === 0 ? 0 : 1);

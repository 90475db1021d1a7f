// Writes the page of a server to a folder as `tengen web --export` does, without the engine. Use: export.mjs ADDRESS FOLDER

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const [, , address, folder] = process.argv;

async function fetched(name) {
  const response = await fetch(new URL(name, address));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

const list = await fetched('files.json');
for (const name of ['files.json', 'service-worker.js', ...JSON.parse(list).files]) {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), name === 'files.json' ? list : await fetched(name));
}
await writeFile(join(folder, 'api/info'), '{"engines":[]}\n');

// Writes the page of a server, or of the folder PAGE, to a folder as `tengen web --export` does, with engines.
// Use: export.mjs ADDRESS FOLDER NAME=ENGINE...

import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const [, , address, folder, ...engines] = process.argv;

async function fetched(name) {
  const response = await fetch(new URL(name, address));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

const { files } = JSON.parse(await fetched('files.json'));
for (const name of ['files.json', 'service-worker.js', ...files]) {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), await fetched(name));
}
if (process.env.PAGE) await cp(process.env.PAGE, folder, { recursive: true });
const list = new Set(JSON.parse(await readFile(join(folder, 'files.json'))).files);
for (const [name, path] of engines.map((engine) => engine.split('='))) {
  await copyFile(path, join(folder, name));
  list.add(name);
}
await writeFile(join(folder, 'files.json'), JSON.stringify({ files: [...list] }));
await writeFile(join(folder, 'api/info'), '{"engines":[]}\n');

// Runs a program for WebAssembly (WASI) with its arguments: output goes to standard output and error, and its exit code
// is the one of this process. There are no files, and one thread.

import { readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';

import { Exit, instantiate, shareMemory } from '../../../web/page/wasi.js';

const [path, ...args] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
const write = (file, bytes) => {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
};
const isShared = WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
const memory = isShared ? shareMemory() : undefined;
const instance = await instantiate(module, { args: [basename(path), ...args], write, memory });
try {
  instance.exports._start();
} catch (error) {
  if (!(error instanceof Exit)) throw error;
  process.exitCode = error.code;
}

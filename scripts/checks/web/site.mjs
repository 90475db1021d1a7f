// A web server for a folder, as any is: it knows nothing of engines.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

export const KINDS = {
  '': 'application/json', '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html', '.svg': 'image/svg+xml', '.json': 'application/json',
  '.webmanifest': 'application/manifest+json', '.wasm': 'application/wasm',
};

/** Serves a folder below a path of its own, as sites of projects are; returns the address, and functions that stop and start it. */
export async function serve(folder) {
  const path = '/project/';
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = pathname === path ? 'index.html' : pathname.slice(path.length);
    try {
      if (!pathname.startsWith(path)) throw new Error('elsewhere');
      const content = await readFile(join(folder, normalize(`/${name}`)));
      response.writeHead(200, { 'Content-Type': KINDS[extname(name)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  const start = (port) => new Promise((resolve) => { server.listen(port, '127.0.0.1', resolve); });
  await start(0);
  const { port } = server.address();
  const stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${port}${path}`, start: () => start(port), stop };
}

// Lets Node load the page as a browser does: what the server puts into `shared/` lies in files/src/page, and
// every file is a module. Use: node --import ./web/tests/shared.mjs --test web/tests/

import { register } from 'node:module';

const hooks = `
const shared = new URL('../../files/src/page/', ${JSON.stringify(import.meta.url)}).href;
export async function resolve(specifier, context, next) {
  const found = /^\\.\\.?\\/(?:.*\\/)?shared\\/([a-z]+\\.js)$/.exec(specifier);
  if (found) return { url: shared + found[1], format: 'module', shortCircuit: true };
  const known = await next(specifier, context);
  return known.url.startsWith('file:') && known.url.endsWith('.js') ? { ...known, format: 'module' } : known;
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

// The page without a network: what was loaded once is kept, and served where the network fails. While there
// is one it is asked first, so that nobody sees an old page.

/** A new name throws the old files away. */
const CACHE = 'tengen-page-3';
/** What a page asks for first, and what it hears where no server answers. */
const NO_SERVER = ['/api/info', '{"engines":[]}'];

const worker = /** @type {any} */ (self);

async function install() {
  const cache = await caches.open(CACHE);
  const { files } = await (await fetch('files.json')).json();
  await cache.addAll(['./', 'files.json', ...files]);
  await worker.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('tengen-page-') && name !== CACHE).map((name) => caches.delete(name)));
  // Nobody waits for it: Firefox asks the worker of an engine, too, which answers only when it has thought enough.
  worker.clients.claim();
}

/**
 * A page that shares its process with no other may share memory with its worker: the engine hears what is sent to it
 * while it thinks. Of servers that say so themselves nothing changes.
 * @param {Response} response
 */
function alone(response) {
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** Whether there is a server with engines. @param {Request} request */
async function askServer(request) {
  try {
    return await fetch(request);
  } catch {
    return alone(new Response(NO_SERVER[1], { headers: { 'Content-Type': 'application/json' } }));
  }
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (!response.ok || response.type !== 'basic') return response;
    const isolated = alone(response);
    // A browser without room keeps less, and shows what it has got.
    await cache.put(request, isolated.clone()).catch(() => {});
    return isolated;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: request.mode === 'navigate' }) ?? (request.mode === 'navigate' ? await cache.match('./') : undefined);
    if (kept) return alone(kept);
    throw error;
  }
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isOwn = url.origin === location.origin && url.pathname.startsWith(new URL('./', location.href).pathname);
  // Engines and files of a server are never kept, and neither is an address with a secret.
  if (request.method !== 'GET' || !isOwn) return;
  if (url.pathname.endsWith(NO_SERVER[0])) event.respondWith(askServer(request));
  else if (!url.pathname.includes('/api/') && !url.searchParams.has('key')) event.respondWith(answer(request));
});

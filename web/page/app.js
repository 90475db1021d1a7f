// The page: what belongs together is put together here.

import { App } from './app-core.js';
import { connect } from './engine/connect.js';
import { loadPreferences, setTheme } from './preferences.js';
import { t } from './texts.js';

document.documentElement.lang = t.language;
document.title = t.title;
const preferences = loadPreferences();
setTheme(preferences.theme);

if ('serviceWorker' in navigator && isSecureContext) {
  navigator.serviceWorker.register('service-worker.js').catch(() => { /* the page works without it, while it is online */ });
  // A page that came without the worker shares no memory with its engine, which hears nothing while it thinks then:
  // it comes once more, unless somebody is at work already.
  let isTouched = false;
  for (const kind of ['pointerdown', 'keydown', 'input']) addEventListener(kind, () => { isTouched = true; }, { once: true, capture: true });
  navigator.serviceWorker.addEventListener('controllerchange', () => { if (!isTouched && !crossOriginIsolated) location.reload(); });
}

try {
  const { engine, info, key } = await connect(preferences.engine);
  new App({ engine, info, key, preferences }).start();
} catch (error) {
  const app = new App({ engine: null, info: null, key: null, preferences });
  app.start();
  app.notify(error instanceof Error && error.message === 'key' ? t.engine.key : t.engine.none);
}

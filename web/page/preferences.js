// What whoever uses the page has chosen, kept in the browser.

import { load, save } from './storage.js';

/** @typedef {import('./ui/dialogs.js').Preferences} Preferences */

/** @type {Preferences} */
const FIRST = { theme: 'auto', numbers: false, forbidden: true, confirm: 'auto', threads: 0, memory: 350, engine: '' };

/** @returns {Preferences} */
export function loadPreferences() {
  const known = load('settings');
  const taken = Object.entries(FIRST).map(([name, value]) => [name, typeof known?.[name] === typeof value ? known[name] : value]);
  return Object.fromEntries(taken);
}

/** @param {Preferences} preferences */
export function keepPreferences(preferences) {
  save('settings', preferences);
}

/** @param {string} theme */
export function setTheme(theme) {
  const { dataset } = document.documentElement;
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  else delete dataset.theme;
}

/** Whether a move has to be confirmed: a finger on a small board misses. @param {string} confirm */
export function mustConfirm(confirm) {
  return confirm === 'on' || (confirm === 'auto' && matchMedia('(pointer: coarse) and (max-width: 640px)').matches);
}

/**
 * The threads of the engine: as many as were chosen, else all that a server gives. In a browser it is half of them, as
 * that also counts cores that share their work, and a phone gets warm.
 * @param {Preferences} preferences @param {number} cores the most @param {boolean} isServer
 */
export function threadsOf({ threads }, cores, isServer) {
  return Math.min(threads || (isServer ? cores : Math.ceil(cores / 2)), cores);
}

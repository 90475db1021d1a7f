// What the browser keeps. A page without storage works too, and forgets.

/** @param {string} name @returns {any} */
export function load(name) {
  try {
    const text = localStorage.getItem(`tengen-${name}`);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} name @param {any} value */
export function save(name, value) {
  try {
    localStorage.setItem(`tengen-${name}`, JSON.stringify(value));
  } catch { /* it is as it was when the page is opened again */ }
}

/** What was kept by this tab or, if it has kept nothing, by any. @param {string} name @returns {any} */
export function loadForTab(name) {
  try {
    const text = sessionStorage.getItem(`tengen-${name}`);
    if (text !== null) return JSON.parse(text);
  } catch { /* as if there were none */ }
  return load(name);
}

/** Keeps something for this tab alone. @param {string} name @param {any} value */
export function saveForTab(name, value) {
  try {
    sessionStorage.setItem(`tengen-${name}`, JSON.stringify(value));
  } catch { /* the tab forgets it when it is loaded again */ }
}

/** What belongs to one tab of the browser. @param {string} name @param {() => string} make */
export function forTab(name, make) {
  try {
    const known = sessionStorage.getItem(`tengen-${name}`);
    if (known !== null) return known;
    const made = make();
    sessionStorage.setItem(`tengen-${name}`, made);
    return made;
  } catch {
    return make();
  }
}

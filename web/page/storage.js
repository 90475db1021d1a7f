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

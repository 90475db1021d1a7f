// The board as a picture in a file: the colours and sizes that the page gives it are written into it.

/** What the style of the page decides. */
const STYLED = ['fill', 'stroke', 'stroke-width', 'opacity', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'stroke-dasharray'];

/** @param {SVGSVGElement} picture @returns {string} */
export function svgText(picture) {
  const copy = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
  const [from, to] = [picture, copy].map((root) => [...root.querySelectorAll('*')]);
  const isPassing = (/** @type {Element} */ element) => element.closest('.cursor, .hover') !== null;
  from.forEach((element, i) => {
    if (element.closest('defs')) return;
    const style = getComputedStyle(element);
    for (const name of STYLED) {
      const value = style.getPropertyValue(name);
      // The page's own address stands before the names of gradients.
      if (value) to[i].setAttribute(name, value.replace(/url\("[^"#]*#([^"]+)"\)/, 'url(#$1)'));
    }
    to[i].removeAttribute('class');
  });
  from.forEach((element, i) => { if (isPassing(element)) to[i].remove(); });
  const { width, height } = picture.viewBox.baseVal;
  copy.removeAttribute('aria-hidden');
  copy.removeAttribute('class');
  for (const [name, value] of Object.entries({ xmlns: 'http://www.w3.org/2000/svg', width, height, 'font-family': 'system-ui, sans-serif' })) copy.setAttribute(name, String(value));
  return new XMLSerializer().serializeToString(copy);
}

/** @param {SVGSVGElement} picture @param {number} [scale] pixels for each unit @returns {Promise<Blob>} */
export async function pngBlob(picture, scale = 2) {
  const { width, height } = picture.viewBox.baseVal;
  const address = URL.createObjectURL(new Blob([svgText(picture)], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width * scale, height * scale);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * scale, height * scale];
    /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => { canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'); });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Gives a file to the browser to be saved. @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Files that are opened: chosen, dropped, pasted, or from the folder of the server.

import { openGames } from './game/open.js';
import { RecordError } from './game/record.js';
import { MOST_CHARACTERS, SgfError } from './game/sgf.js';
import { t } from './texts.js';

/** @typedef {import('./game/tree.js').Game} Game */

export class Files {
  /** @param {{key: string | null, hasFolder: boolean, settings: () => Game, take: (games: Game[]) => void, fail: (words: string) => void}} parts */
  constructor({ key, hasFolder, settings, take, fail }) {
    this.headers = /** @type {Record<string, string>} */ (key ? { 'X-Tengen-Key': key } : {});
    this.hasFolder = hasFolder;
    this.settings = settings;
    this.take = take;
    this.fail = fail;
  }

  /** Opens the games of a text; returns why there are none, or nothing. @param {string} text */
  read(text) {
    try {
      const { size, rule } = this.settings();
      const games = openGames(text, { size, rule });
      this.fail('');
      this.take(games);
      return '';
    } catch (error) {
      return errorWords(error);
    }
  }

  /** The same, for those who look at the page. @param {string} text */
  openText(text) {
    const problem = this.read(text);
    if (problem) this.fail(problem);
  }

  choose() {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.sgf,.psq,.json,.txt';
    input.addEventListener('change', () => { if (input.files?.[0]) this.openFile(input.files[0]); });
    input.click();
  }

  /** @param {File} file */
  async openFile(file) {
    if (file.size > 2 * MOST_CHARACTERS) {
      this.fail(t.open.errors.tooLarge);
      return;
    }
    try {
      this.openText(await file.text());
    } catch {
      this.fail(t.open.errors.read);
    }
  }

  listenForDrops() {
    document.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.some((type) => type === 'Files' || type === 'text/plain')) return;
      event.preventDefault();
      document.body.classList.add('dragging');
    });
    const end = () => document.body.classList.remove('dragging');
    document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) end(); });
    document.addEventListener('drop', (event) => {
      end();
      const { dataTransfer } = event;
      if (!dataTransfer) return;
      const [file] = dataTransfer.files;
      const isText = /** @type {Element} */ (event.target).closest('input, textarea');
      if (!file && isText) return;
      event.preventDefault();
      if (file) this.openFile(file);
      else if (dataTransfer.getData('text/plain')) this.openText(dataTransfer.getData('text/plain'));
    });
  }

  /** Files of the server's folder, games by default, or null if it has none. @returns {Promise<string[] | null>} */
  async list(kind = /\.(sgf|psq|json|txt)$/i) {
    if (!this.hasFolder) return null;
    try {
      const response = await fetch('api/files', { headers: this.headers });
      const { files } = await response.json();
      return files.map((/** @type {any} */ file) => String(file.name)).filter((/** @type {string} */ name) => kind.test(name));
    } catch {
      return null;
    }
  }

  /** @param {string} name */
  async openOwn(name) {
    try {
      const response = await fetch(`api/files/${encodeURIComponent(name)}`, { headers: this.headers });
      if (!response.ok) throw new Error(String(response.status));
      this.openText(await response.text());
    } catch {
      this.fail(t.open.errors.read);
    }
  }

  /** Keeps a new file in the server's folder; returns what became of it. @param {string} name @param {string} text @returns {Promise<string>} */
  async put(name, text) {
    try {
      const response = await fetch(`api/files/${encodeURIComponent(name)}`, { method: 'PUT', body: text, headers: { ...this.headers, 'If-None-Match': '*' } });
      return response.status === 412 ? t.share.exists : response.ok ? t.share.saved(name) : t.share.failed;
    } catch {
      return t.share.failed;
    }
  }
}

/** @param {unknown} error */
function errorWords(error) {
  if (!(error instanceof RecordError || error instanceof SgfError)) return t.open.errors.read;
  const words = t.open.errors[/** @type {keyof typeof t.open.errors} */ (error.message)] ?? t.open.errors.read;
  const detail = error instanceof RecordError ? error.detail : '';
  return detail ? `${words}: ${detail}` : words;
}

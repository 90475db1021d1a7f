// The game survives a reload of the page: it is kept in the browser, with the mode and what is at stake.

import { gameOfLink } from './game/link.js';
import { gamesOfSgf, sgfOf } from './game/record.js';
import { load, save } from './storage.js';
import { MODES } from './frame.js';

export class Keeper {
  /** @param {import('./app-core.js').App} app */
  constructor(app) {
    this.app = app;
    this.timer = 0;
  }

  /** Keeps everything soon. */
  due() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keep(), 300);
  }

  keep() {
    clearTimeout(this.timer);
    const { desk, mode, match } = this.app;
    const times = desk.game.mainLine.map(({ ms }) => ms);
    save('game', { version: 1, sgf: sgfOf(desk.game), way: this.#way(), mode, match: match.saved(), times, analyses: this.app.analysis.isOn });
  }

  /** The shown node as the number of the child at each step. */
  #way() {
    const path = this.app.desk.game.path(this.app.desk.node);
    return path.slice(1).map((node, i) => path[i].children.indexOf(node));
  }

  /** Takes up what was kept, or the game of the address. */
  restore() {
    if (this.followLink()) return;
    const kept = load('game');
    if (kept?.version !== 1) return;
    const { desk, match, analysis } = this.app;
    try {
      const [game] = gamesOfSgf(kept.sgf);
      let node = game.root;
      for (const at of kept.way) node = node.children[at] ?? node;
      game.mainLine.forEach((one, i) => { one.ms = kept.times?.[i] ?? null; });
      desk.load(game, node);
      analysis.isOn = kept.analyses !== false;
      if (MODES.includes(kept.mode) && kept.mode !== 'play') this.app.setMode(kept.mode);
      if (kept.match) match.restore(kept.match);
      this.app.playPanel.isChoosing = !match.isOn;
    } catch { /* what an earlier version kept is no loss */ }
  }

  /** Opens the game of the address; returns false if it has none. */
  followLink() {
    const found = gameOfLink(location.hash);
    if (!found) return false;
    const { desk, match } = this.app;
    match.leave();
    desk.load(found.game, found.node);
    // The game goes on from here, so the address would soon be wrong.
    history.replaceState(null, '', location.pathname + location.search);
    this.app.setMode('analyse');
    return true;
  }
}

// The game survives a reload of the page: it is kept in the browser, with the mode and what is at stake. Each tab has
// its own; a new one begins with what was last changed in any.

import { gameOfLink } from './game/link.js';
import { gamesOfSgf, sgfOf } from './game/record.js';
import { loadForTab, save, saveForTab } from './storage.js';
import { t } from './texts.js';
import { MODES } from './frame.js';

export class Keeper {
  /** @param {import('./app-core.js').App} app */
  constructor(app) {
    this.app = app;
    this.timer = 0;
    /** Whether something has changed since everything was kept or taken up. */
    this.isDirty = false;
  }

  /** Keeps everything soon. */
  due() {
    this.isDirty = true;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keep(), 300);
  }

  /** Keeps everything for this tab, and for new ones if anything has changed: what was taken up is not newer than what another tab keeps. */
  keep() {
    const { isDirty } = this;
    const kept = this.#keepForTab();
    if (isDirty) save('game', kept);
  }

  #keepForTab() {
    clearTimeout(this.timer);
    this.isDirty = false;
    const { desk, mode, match } = this.app;
    const { game, node } = desk;
    const times = allNodes(game).map(({ ms }) => ms);
    const kept = { version: 1, sgf: sgfOf(game), way: wayTo(game, node), tip: wayTo(game, match.tip), mode, match: match.saved(), times, analyses: this.app.analysis.isOn, database: this.app.database.name };
    saveForTab('game', kept);
    return kept;
  }

  /** Takes up what was kept, or the game of the address. */
  restore() {
    const kept = loadForTab('game');
    if (this.app.hasDatabase && typeof kept?.database === 'string') this.app.database.name = kept.database;
    if (this.followLink()) return;
    if (kept?.version !== 1) return;
    const { desk, match, analysis } = this.app;
    try {
      const [game] = gamesOfSgf(kept.sgf);
      const tip = follow(game, kept.tip);
      const all = allNodes(game);
      if (kept.times?.length === all.length) all.forEach((one, i) => { one.ms = kept.times[i]; });
      desk.load(game, follow(game, kept.way));
      analysis.isOn = kept.analyses !== false;
      if (MODES.includes(kept.mode) && kept.mode !== 'play') this.app.setMode(kept.mode);
      if (kept.match) match.restore(kept.match, tip, this.app.mode === 'play');
      this.app.playPanel.isChoosing = !match.isOn;
      clearTimeout(this.timer);
      this.isDirty = false;
    } catch {
      // The next change takes its place.
      save('unread', kept);
      this.app.notify(t.open.unread);
    }
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
    this.#keepForTab();
    return true;
  }
}

/** All nodes, in an order that a file keeps. @param {import('./game/tree.js').Game} game */
function allNodes(game) {
  const all = [game.root];
  for (const node of all) for (const child of node.children) all.push(child);
  return all;
}

/** A node as the number of the child at each step. @param {import('./game/tree.js').Game} game @param {import('./game/tree.js').GameNode} node */
function wayTo(game, node) {
  const path = game.path(node);
  return path.slice(1).map((one, i) => path[i].children.indexOf(one));
}

/** @param {import('./game/tree.js').Game} game @param {number[]} way */
function follow(game, way) {
  let node = game.root;
  for (const at of way) node = node.children[at] ?? node;
  return node;
}

// What is said about a forced win while it is played out.

import { el } from '../shared/elements.js';
import { button } from './controls.js';
import { t } from '../texts.js';

/** @param {import('../analyse/proof.js').Proof} proof @param {import('../desk.js').Desk} desk */
export function proofBox(proof, desk) {
  const words = t.proof;
  const { phase } = proof;
  const attacker = proof.from ? desk.game.position(proof.from).toMove : 0;
  const found = words.found(attacker, proof.plies, proof.isProven);
  const text = { seeking: [words.seeking], none: [words.none], unknown: [words.unknown], failed: [words.failed], attack: [found, words.defend], won: [found, words.won] }[phase ?? 'none'];
  const suggest = () => {
    const point = proof.suggestion;
    if (point) proof.defend(point);
  };
  const canStepBack = proof.from && desk.node.ply - proof.from.ply >= 3;
  return el('section', { class: `proof ${phase}`, 'aria-label': words.heading },
    text.map((one, i) => el('p', { class: i === 0 ? `lead${phase === 'seeking' ? ' busy' : ''}` : null }, one)),
    el('div', { class: 'actions' },
      proof.isDefendersTurn ? button({ label: words.suggest, icon: 'next', kind: 'primary', onclick: suggest }) : null,
      canStepBack ? button({ label: words.back, icon: 'back', onclick: () => proof.stepBack() }) : null,
      button({ label: phase === 'seeking' ? words.stop : words.leave, icon: 'close', onclick: () => proof.leave() })));
}

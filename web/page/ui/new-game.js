// The form for a new game.

import { el } from '../shared/elements.js';
import { button, segments, select, slider } from './controls.js';
import { openingsOf } from '../play/openings.js';
import { RULES } from '../game/position.js';
import { t } from '../texts.js';

/** @typedef {import('../play/match.js').MatchSettings} MatchSettings */

const SIZES = [9, 11, 13, 15, 17, 19, 20, 22];

/**
 * @param {MatchSettings} settings @param {{name: string, levels: boolean}} opponent @param {(settings: MatchSettings) => void} onstart
 * @param {(() => void) | null} onback to the game that goes on, if there is one
 */
export function newGameForm(settings, { name, levels }, onstart, onback) {
  const chosen = { ...settings };
  const form = el('form', { class: 'new-game', submit: (/** @type {Event} */ event) => { event.preventDefault(); onstart({ ...chosen }); } });

  /** Draws the form again where one choice changes others. */
  function draw() {
    const help = (/** @type {string} */ words) => el('p', { class: 'help' }, words);
    const words = t.play;
    const isColorOpen = !['free', 'pro', 'long-pro'].includes(chosen.opening);
    const sides = isColorOpen ? { ...words.swap2Sides, white: words.swap2Sides.white(name) } : words.sides;
    const clock = chosen.clock ? `${chosen.clock.minutes}+${chosen.clock.increment}` : 'none';
    form.replaceChildren(
      el('h2', {}, words.heading),
      segments({
        label: words.side, value: chosen.side,
        options: /** @type {[string, string][]} */ (['black', 'random', 'white', 'both'].map((side) => [side, sides[/** @type {keyof typeof sides} */ (side)]])),
        onchange: (value) => { chosen.side = /** @type {MatchSettings['side']} */ (value); draw(); },
      }),
      ...(chosen.side === 'both' ? [] : [
        ...(levels ? [slider({ label: words.level, min: 1, max: 10, value: chosen.level, words: (level) => `${level} · ${words.levels[level - 1]}`, onchange: (level) => { const was = chosen.level; chosen.level = level; if ((was === 10) !== (level === 10)) drawKeepingFocus(); } })] : []),
        ...((chosen.level === 10 || !levels) && !chosen.clock ? [slider({ label: words.seconds, min: 1, max: 60, value: chosen.seconds, words: words.secondsWords, onchange: (seconds) => { chosen.seconds = seconds; } })] : []),
      ]),
      select({ label: words.rule, value: chosen.rule, options: RULES.map((rule) => [rule, t.rules[rule]]), onchange: (rule) => { chosen.rule = /** @type {MatchSettings['rule']} */ (rule);
        if (!openingsOf(rule).includes(chosen.opening)) chosen.opening = 'free';
        drawKeepingFocus(); } }),
      help(t.rulesHelp[chosen.rule]),
      el('div', { class: 'pair' },
        select({ label: words.size, value: String(chosen.size[0]), options: SIZES.map((size) => [String(size), `${size} × ${size}`]), onchange: (size) => { chosen.size = [Number(size), Number(size)]; } }),
        select({
          label: words.clock, value: clock, options: Object.entries(words.clocks),
          onchange: (value) => {
            const [minutes, increment] = value.split('+').map(Number);
            chosen.clock = value === 'none' ? null : { minutes, increment };
            drawKeepingFocus();
          },
        })),
      select({ label: words.opening, value: chosen.opening, options: openingsOf(chosen.rule).map((rule) => [rule, words.openings[rule]]), onchange: (rule) => { chosen.opening = /** @type {MatchSettings['opening']} */ (rule); drawKeepingFocus(); } }),
      help(words.openingsHelp[chosen.opening]),
      el('div', { class: 'actions' }, submit(), onback ? button({ label: words.back, onclick: onback }) : null));
  }

  function submit() {
    const start = button({ label: t.play.start, icon: 'play', kind: 'primary wide', onclick: () => {} });
    start.type = 'submit';
    return start;
  }

  /** The same control has the focus afterwards. */
  function drawKeepingFocus() {
    const fields = () => [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('select, input, button'))];
    const labelOf = (/** @type {Element | null | undefined} */ field) => field?.closest('label')?.querySelector('span')?.textContent;
    const label = labelOf(document.activeElement);
    const at = fields().includes(/** @type {HTMLElement} */ (document.activeElement));
    draw();
    if (at) fields().find((field) => labelOf(field) === label)?.focus();
  }

  draw();
  return form;
}

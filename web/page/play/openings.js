// Opening rules as a sequence of tasks: who has to do what before the game begins. A moves first.

/** @typedef {'A' | 'B'} Seat */
/** @typedef {'free' | 'swap2'} OpeningRule */
/**
 * What has to be done: place stones, or choose.
 * @typedef {{actor: Seat, kind: 'stones', count: number} | {actor: Seat, kind: 'choice', options: string[]}} Task
 */
/** @typedef {{rule: OpeningRule, step: string, black: Seat}} OpeningState The player who has black now, and will unless somebody swaps. */

/** @type {OpeningRule[]} */
export const OPENING_RULES = ['free', 'swap2'];

/** @param {Seat} seat @returns {Seat} */
export const other = (seat) => (seat === 'A' ? 'B' : 'A');

/** @param {OpeningRule} rule @returns {OpeningState} */
export const beginOpening = (rule) => ({ rule, step: rule === 'swap2' ? 'three' : 'play', black: 'A' });

/** @type {Record<string, Task>} */
const SWAP2 = {
  three: { actor: 'A', kind: 'stones', count: 3 },
  afterThree: { actor: 'B', kind: 'choice', options: ['white', 'black', 'two'] },
  two: { actor: 'B', kind: 'stones', count: 2 },
  afterTwo: { actor: 'A', kind: 'choice', options: ['white', 'black'] },
};

/** Returns the task of a state, or null when the game goes on. @param {OpeningState} state @returns {Task | null} */
export const taskOf = ({ step }) => SWAP2[step] ?? null;

/** The state after all stones of a task. @param {OpeningState} state @returns {OpeningState} */
export const stonesPlaced = (state) => ({ ...state, step: state.step === 'three' ? 'afterThree' : 'afterTwo' });

/** The state after a choice. @param {OpeningState} state @param {string} option @returns {OpeningState} */
export function chosen(state, option) {
  const task = taskOf(state);
  if (task?.kind !== 'choice' || !task.options.includes(option)) throw new Error(`no choice: ${option}`);
  if (option === 'two') return { ...state, step: 'two' };
  return { ...state, step: 'play', black: option === 'black' ? task.actor : other(task.actor) };
}

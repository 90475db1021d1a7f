// The words of the page, in the language of whoever reads it: so far there is one.

export { en as t } from './texts/en.js';

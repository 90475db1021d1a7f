// Brings the page of a review into the state that its text `state` names, for a picture of it.
'use strict';

/* global byId, defendLongest, goTo, moveTask, openFind, openLine, openProof, positionAt, setTheme, stepLine, tryToFind */

window.addEventListener('load', () => {
  goTo(10);
  const show = {
    line() {
      openLine(9, positionAt(9).moves[0].line, 'Better than f9');
      stepLine(5);
    },
    proof() {
      openProof(12);
      defendLongest();
    },
    find() {
      openFind();
      moveTask(2);
      tryToFind([0, 0]);
    },
    night() { setTheme('dark'); },
  };
  show[byId('state').textContent.trim()]?.();
});

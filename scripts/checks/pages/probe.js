// The common part of the probes of pages. A probe is a script behind the page that does what a reader
// does; the parent of the page's frame hears what came of it.
'use strict';

const probe = {
  faults: [],

  expect(words, found, wanted = true) {
    if (found !== wanted) probe.faults.push(`${words}: ${found} instead of ${wanted}`);
  },

  stonesShown() {
    return document.querySelectorAll('#stones circle[r="14.5"]').length;
  },

  key(name) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  },

  slide(value) {
    const slider = document.getElementById('slider');
    slider.value = value;
    slider.dispatchEvent(new Event('input'));
  },

  wait(ms) {
    return new Promise((done) => { setTimeout(done, ms); });
  },

  // Runs the probe once the page is there, and what is drawn when its width is known.
  run(go) {
    window.addEventListener('load', async () => {
      await probe.wait(200);
      try {
        await go();
      } catch (error) {
        probe.faults.push(String(error.stack ?? error));
      }
      parent.postMessage(probe.faults.length === 0 ? 'well' : probe.faults.slice(0, 5).join('; '), '*');
    });
  },
};

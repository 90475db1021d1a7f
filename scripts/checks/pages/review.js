// The probe of the page of a review: replay, the chart, lines, own moves, proofs against many defences, the
// search for better moves, keys. The texts `forbidden` and `random` are rows of tests/data/renju-*.tsv, with
// which the page's own rules are compared.
'use strict';

/* global probe, CLASSES, Cells, attackNow, board, byId, cell, faultsOf, goTo, isSame, list, objection, positionAt, sideName, state, stonesNow, winningLine */

{
  const { expect, key, slide, stonesShown, wait } = probe;
  const press = (start) => {
    const found = [...document.querySelectorAll('#told button')].find((item) => item.textContent.startsWith(start));
    if (found) found.click();
    return found !== undefined;
  };
  const clickCell = (point) => {
    const box = board.picture.getBoundingClientRect();
    const view = board.picture.viewBox.baseVal;
    const [x, y] = board.place(point);
    board.picture.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.left + x * box.width / view.width, clientY: box.top + y * box.height / view.height }));
  };
  const cellOf = (text, edge) => [text.charCodeAt(0) - 97, Number(text.slice(1)) - 1];
  const cellsOf = (text) => text.match(/[a-z]\d+/g)?.map(cellOf) ?? [];
  const words = { overline: 'overline', 44: 'double four', 33: 'double three' };
  const told = () => byId('told').textContent;
  let seed = 1;
  const lot = (number) => { seed = (seed * 48271) % 2147483647; return seed % number; };

  function checkRules() {
    const stones = (black, white) => [...cellsOf(black).map((point) => ({ point, color: 0 })), ...cellsOf(white).map((point) => ({ point, color: 1 }))];
    let checked = 0;
    for (const line of byId('forbidden').textContent.trim().split('\n')) {
      const [size, position, point, verdict] = line.split('\t');
      const edge = Number(size);
      const found = new Cells([edge, edge], stones(...position.split('/'))).violation(cellOf(point));
      expect(`forbidden ${line}`, found, words[verdict.split(':')[1]] ?? null);
      checked += 1;
    }
    for (const line of byId('random').textContent.trim().split('\n')) {
      const [size, black, white, forbidden] = line.split('\t');
      const edge = Number(size);
      const there = new Cells([edge, edge], stones(black, white));
      const wanted = new Map((forbidden === '-' ? [] : forbidden.split(' ')).map((item) => item.split(/[:+]/)));
      for (let i = 0; i < edge * edge; i += 1) {
        const point = [i % edge, Math.floor(i / edge)];
        const name = String.fromCharCode(97 + point[0]) + (point[1] + 1);
        expect(`forbidden ${name} in ${line}`, there.violation(point), words[wanted.get(name)] ?? null);
      }
      checked += 1;
    }
    expect('positions of renju', checked > 200);
  }

  async function checkReplay() {
    const { length } = state.game;
    expect('stones at first', stonesShown(), 0);
    for (let ply = 1; ply <= length; ply += 1) {
      key('ArrowRight');
      expect('stones after a key', stonesShown(), ply);
      expect('heading', told().startsWith(`Move ${ply}: `));
    }
    key('ArrowLeft');
    expect('stones after back', stonesShown(), length - 1);
    key('Home');
    expect('stones at home', stonesShown(), 0);
    byId('to-last').click();
    expect('stones at the end', stonesShown(), length);
    byId('to-back').click();
    byId('to-first').click();
    byId('to-next').click();
    expect('stones after buttons', stonesShown(), 1);
    slide(3);
    expect('stones after the slider', stonesShown(), 3);
    await wait(400);
    expect('address', location.hash, `#game=${state.game.number}&move=3`);
    document.querySelector('#moves [data-ply="2"]').click();
    expect('stones after a move of the list', stonesShown(), 2);
    key('n');
    expect('a mistake', CLASSES[state.game.moves[state.ply - 1].class].fault);
    const count = document.querySelector('#sides td button');
    count.click();
    expect('a counted mistake', CLASSES[state.game.moves[state.ply - 1].class].fault);
  }

  function checkChart() {
    const picture = document.querySelector('#course svg');
    const box = picture.getBoundingClientRect();
    const at = (share) => picture.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.left + 6 + share * (box.width - 12), clientY: box.top + 40 }));
    at(6 / state.game.length);
    expect('ply after the chart', state.ply, 6);
    expect('stones after the chart', stonesShown(), state.ply);
    expect('mistakes on the chart', document.querySelectorAll('#course .fault').length, faultsOf(state.game).length);
  }

  function checkLines() {
    const fault = faultsOf(state.game)[0];
    goTo(fault.ply);
    expect('what is better', told().includes('Better: '));
    expect('a line', press('Show '));
    expect('mode', state.mode, 'line');
    const { length } = state.line.points;
    expect('stones of a line', stonesShown(), fault.ply);
    key('ArrowRight');
    expect('stones of a line after a key', stonesShown(), fault.ply + Math.min(1, length - 1));
    key('Escape');
    expect('mode after escape', [state.mode, stonesShown()].join(), `game,${fault.ply - 1}`);
    clickCell([0, 0]);
    expect('an own move', [state.mode, stonesShown()].join(), `line,${fault.ply}`);
    clickCell([0, 0]);
    expect('a stone on a stone', stonesShown(), fault.ply);
    clickCell([0, 1]);
    expect('a second own move', stonesShown(), fault.ply + 1);
    const form = document.querySelector('#told form');
    form.querySelector('input').value = 'c1';
    form.querySelector('button').click();
    expect('a typed move', stonesShown(), fault.ply + 2);
    key('ArrowLeft'); key('ArrowLeft'); key('ArrowLeft');
    expect('back by keys', [state.mode, stonesShown()].join(), `game,${fault.ply - 1}`);
    const best = positionAt(state.ply).moves[0].line[0];
    clickCell(best);
    expect('a candidate by a click', state.mode, 'line');
    key('Escape');
    expect('badges', document.querySelectorAll('#marks .badge rect').length > 2);
    byId('candidates').click();
    expect('no badges', document.querySelectorAll('#marks .badge rect').length, 0);
    byId('candidates').click();
    byId('numbers').click();
    expect('no numbers', document.querySelectorAll('#stones text').length, 0);
    byId('numbers').click();
  }

  function checkProofs() {
    const { game } = state;
    let proofs = 0;
    for (let ply = game.skipped; ply <= game.length; ply += 1) {
      if (!positionAt(ply)?.attack) continue;
      proofs += 1;
      goTo(ply);
      expect('a button of a proof', press('Play '));
      for (let attempt = 0; attempt < 30; attempt += 1) {
        while (attackNow().otherwise) {
          const before = stonesShown();
          const [columns, rows] = game.size;
          const free = Array.from({ length: columns * rows }, (_, i) => [i % columns, Math.floor(i / columns)]).filter((point) => objection(point) === null);
          const { replies } = attackNow();
          const reply = replies.length > 0 && lot(2) === 0 ? replies[lot(replies.length)].reply : free[lot(free.length)];
          if (objection(reply) !== null) continue;
          if (attempt === 0) key('ArrowRight');
          else clickCell(reply);
          expect(`stones after ${cell(reply)} and its answer`, stonesShown(), before + 2);
          if (stonesShown() !== before + 2) return;
        }
        expect('a win', winningLine(stonesNow()).length >= 5);
        expect('who has won', told().includes(`${sideName(ply % 2)} has won.`));
        while (state.proof.points.length > 1) key('ArrowLeft');
      }
      key('ArrowLeft');
      expect('back from a proof', [state.mode, stonesShown()].join(), `game,${ply}`);
    }
    return proofs;
  }

  function checkFinding() {
    const tasks = faultsOf(state.game);
    byId('to-find').click();
    expect('tasks', state.find.tasks.length, tasks.length);
    tasks.forEach((task, i) => {
      const { moves } = positionAt(task.ply - 1);
      const best = moves[0].line[0];
      expect('stones of a task', stonesShown(), task.ply - 1);
      const answers = () => told().includes(`Better: ${cell(best)}`);
      expect('nothing is spoilt', answers() || document.querySelectorAll('#marks *').length > 0, false);
      expect('nothing else is shown', ['course', 'moves', 'sides'].every((id) => byId(id).hidden));
      clickCell(task.point);
      expect('the played move', told().includes('is what was played'));
      if (i % 2 === 0) {
        clickCell(best);
        expect('found', told().includes(`${cell(best)} is the best move`));
      } else {
        const corner = [[0, 0], [14, 14], [0, 14]].find((point) => objection(point) === null && !moves.some(({ line }) => isSame(line[0], point)));
        clickCell(corner);
        expect('not found', told().includes('is not among the'));
        expect('the answer', press('Show the answer'));
      }
      expect('the answer is told', answers());
      press('Show ');
      expect('the line of the answer', state.mode, 'line');
      key('Escape');
      expect('back to the task', [state.mode, stonesShown()].join(), `find,${task.ply - 1}`);
      clickCell(task.point);
      expect('the played move after the solution', [state.mode, stonesShown()].join(), `line,${task.ply}`);
      key('Escape');
      expect('back to the task again', [state.mode, stonesShown()].join(), `find,${task.ply - 1}`);
      expect('on', press(i + 1 === tasks.length ? 'Finish' : 'Next'));
    });
    expect('the end', told().includes(`${Math.ceil(tasks.length / 2)} of ${tasks.length}`));
    press('white');
    expect('one side', state.find.tasks.every(({ color }) => color === 1));
    key('Escape');
    expect('the end of finding', state.mode, 'game');
  }

  function checkPage() {
    expect('nothing beyond the edge', document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    expect('images', document.images.length, 0);
    document.querySelectorAll('button, select, input').forEach((item) => {
      expect(`reached by keys: ${item.outerHTML}`, item.tabIndex >= 0);
      const name = item.getAttribute('aria-label') || item.textContent.trim() || item.closest('label')?.textContent.trim();
      expect(`named: ${item.outerHTML}`, Boolean(name));
    });
    const themes = [1, 2, 3].map(() => { byId('theme').click(); return document.documentElement.dataset.theme ?? 'auto'; });
    expect('themes', themes.join(), 'light,dark,auto');
    expect('printed mistakes', byId('printed').children.length, faultsOf(state.game).length);
  }

  probe.run(async () => {
    let proofs = 0;
    if (document.documentElement.clientWidth > 1000) checkRules();
    for (const { number } of list) {
      expect('game', state.game.number, number);
      await checkReplay();
      checkChart();
      checkLines();
      proofs += checkProofs();
      checkFinding();
      checkPage();
      goTo(0);
      byId('game-next').click();
    }
    expect('proofs', proofs > 2);
    location.hash = 'game=1&move=4';
    await wait(50);
    expect('move of the address', [state.game.number, stonesShown()].join(), '1,4');
  });
}

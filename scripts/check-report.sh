#!/usr/bin/env bash
# Opens the HTML report of a short match in a headless Chromium: nothing may appear on the console,
# and going through a game must change the board as its moves say.
#
# EXE       the program, default tengen of the release build
# CHROMIUM  the browser, default the first that is installed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/page-checks.sh

# Two and four players; the second name would like to be a part of the page.
greedy=(builtin=greedy turn=10)
hostile="</script><img src=x onerror=alert(1)> \"'&"
"$exe" match --engine "${greedy[@]}" name=one --engine "${greedy[@]}" name="$hostile" \
    --rounds 3 --quiet --html "$dir/two.html" >/dev/null
"$exe" match --engine "${greedy[@]}" name=one --engine "${greedy[@]}" name="$hostile" \
    --engine "${greedy[@]}" name=three --engine "${greedy[@]}" name=four \
    --rounds 1 --quiet --html "$dir/four.html" >/dev/null

# What a reader does, put behind the page: opens the second game, goes through it with keys, slider
# and buttons, sorts and filters. The attribute tells what came of it.
cat >"$dir/probe.html" <<'PROBE'
<script>
'use strict';
window.addEventListener('load', () => {
  const faults = [];
  const expect = (words, found, wanted) => {
    if (found !== wanted) faults.push(`${words}: ${found} instead of ${wanted}`);
  };
  const stonesShown = () => document.querySelectorAll('#stones circle[r="14.5"]').length;
  const key = (name) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  const wait = () => new Promise((done) => { setTimeout(done, 50); });
  const go = async () => {
    location.hash = 'game=2';
    await wait();
    const moves = data.games.find((game) => game.n === 2).m.length / 2;
    expect('title', document.getElementById('replay-title').textContent.startsWith('Game 2:'), true);
    expect('stones at the end', stonesShown(), moves);
    expect('winning line', document.querySelectorAll('#line').length, data.games[1].l ? 1 : 0);
    for (let ply = moves - 1; ply >= 0; ply -= 1) {
      key('ArrowLeft');
      expect('stones after a key', stonesShown(), ply);
    }
    document.getElementById('to-next').click();
    expect('stones after a button', stonesShown(), 1);
    const slider = document.getElementById('slider');
    slider.value = 3;
    slider.dispatchEvent(new Event('input'));
    expect('stones after the slider', stonesShown(), 3);
    document.querySelector('#moves tbody tr').click();
    expect('stones after a move of the table', stonesShown(), 1);
    // A page opened from a file may have no clipboard; then the text is shown.
    document.getElementById('copy').click();
    await wait();
    const position = document.getElementById('position');
    expect('copied', position.hidden ? document.getElementById('copy').textContent : position.value,
      position.hidden ? 'copied' : board.name(replay.game.moves[0].point));
    let saved = '';
    HTMLAnchorElement.prototype.click = function () { saved = this.download; };
    document.getElementById('save').click();
    expect('saved', saved, 'game-2.sgf');
    expect('moves in the Smart Game Format', sgfText(replay.game).match(/;[BW]\[[a-v]{2}\]/g).length, moves);
    document.getElementById('game-next').click();
    expect('next game', location.hash, '#game=3');
    document.querySelectorAll('#list th button').forEach((button) => button.click());
    expect('games in the list', document.querySelectorAll('#list tbody tr').length, Math.min(25, data.games.length));
    const player = document.getElementById('by-player');
    player.value = '1';
    player.dispatchEvent(new Event('change'));
    expect('games of a player', document.querySelectorAll('#list tbody tr').length, Math.min(25, data.summary.players[1].all.games));
    expect('images', document.images.length, 0);
    expect('charts', document.querySelectorAll('main svg').length > 4, true);
  };
  go().catch((error) => faults.push(String(error))).then(() => {
    document.documentElement.dataset.probe = faults.length === 0 ? 'well' : faults.slice(0, 5).join('; ');
  });
});
</script>
PROBE

failed=0
for name in two four; do
    cat "$dir/$name.html" "$dir/probe.html" >"$dir/page.html"
    timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --window-size=1280,1000 \
        --user-data-dir="$dir/profile" --enable-logging=stderr --v=0 --virtual-time-budget=10000 \
        --dump-dom "file://$dir/page.html" >"$dir/dom" 2>"$dir/log" || failed=1
    if grep -a 'CONSOLE' "$dir/log"; then
        echo "$name: something is on the console"
        failed=1
    fi
    probe=$(grep -ao 'data-probe="[^"]*"' "$dir/dom" | head -n 1 || true)
    echo "$name: $(wc -c <"$dir/$name.html") bytes, ${probe:-the probe did not end}"
    [[ $probe == 'data-probe="well"' ]] || failed=1
done
exit "$failed"

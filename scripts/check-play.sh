#!/usr/bin/env bash
# Plays on the screen of `tengen play` in tmux, by keys and by the mouse: games to their ends, also
# against the engine at level 3, moves taken back, a hint, a file, and a process that is killed and goes
# on. Screens of three sizes are those of tests/data/screens/terminal-*.txt. Then a game by lines.
#
# EXE     the program, default tengen of the release build
# KEEP    a folder in which the screens are left, as text
# UPDATE  if it is 1, the screens of tests/data are written instead of compared
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v tmux >/dev/null; then
    echo "skipped: tmux is not installed"
    exit 77
fi
exe=$(realpath "${EXE:-${CARGO_TARGET_DIR:-target}/release/tengen}")
dir=$(mktemp -d)
keep=${KEEP:-$dir/screens}
mkdir -p "$keep"
socket=$dir/tmux
screens=tests/data/screens
mux() { tmux -f /dev/null -S "$socket" "$@"; }
trap 'mux kill-server 2>/dev/null || true; rm -rf "$dir"' EXIT

# A session that stays: without one the server would end between two others.
mux new-session -d -s stays "sleep 3600"

fail() {
    echo "failed: $1" >&2
    mux capture-pane -p -t play >&2 || true
    exit 1
}

# Starts the program on a screen of this many columns and rows.
start() {
    local columns=$1 rows=$2
    shift 2
    mux kill-session -t play 2>/dev/null || true
    mux new-session -d -s play -x "$columns" -y "$rows" -c "$dir" \
        "env LC_ALL=C.UTF-8 TERM=tmux-256color '$exe' play --autosave '$dir/game.json' $*; echo ended: \$?; sleep 60"
}

screen() { mux capture-pane -p -t play; }

# Waits until the screen shows a text.
until_shown() {
    local i
    for ((i = 0; i < 300; i++)); do
        screen | grep -qF -- "$1" && return
        sleep 0.1
    done
    fail "\"$1\" does not appear"
}

keys() { mux send-keys -t play "$@"; }

# Types a command after a colon.
typed() {
    mux send-keys -t play -l ":$1"
    keys Enter
}

# Against the engine, which answers within 300 nodes.
start 80 24 --nodes 300
until_shown "Black to move"
keys Enter
until_shown "Move 2: white"
screen >"$keep/80x24.txt"
keys u
typed moves
until_shown "Taken back: h8"
keys r
until_shown "Black to move after move 2."
keys H
until_shown "Hint: "
keys v t m
until_shown "after move 2, depth"
keys m t v

# A click on a1, as the terminal reports it.
mux send-keys -t play -l $'\e[<0;5;2M'
mux send-keys -t play -l $'\e[<0;5;2m'
until_shown "Move 3: black a1."
until_shown "Move 4: white"

# A file, and a process that is killed.
typed "save game.sgf"
until_shown "Saved to game.sgf."
grep -q ';B\[' "$dir/game.sgf" || fail "game.sgf holds no moves"
pid=$(mux list-panes -t play -F '#{pane_pid}')
kill -9 "$(pgrep -P "$pid" -f "$dir/game.json" || echo "$pid")"
sleep 0.2
for size in "120 40" "50 20" "80 24"; do
    start ${size% *} ${size#* } --resume
    until_shown "Black to move after move 4."
    screen >"$keep/${size/ /x}.txt"
    keys q
    [[ $size == "80 24" ]] || until_shown "The game is saved"
done
until_shown "The game is saved: tengen play --resume goes on"
until_shown "ended: 0"

# The same game on screens of three sizes, line by line.
start 80 24 --black person --white person
until_shown "Black to move"
typed "h8 i9 h9 h7 g8 i8 i10"
until_shown "Move 7: black i10."
keys q
until_shown "The game is saved"
for size in "80 24" "120 40" "50 20"; do
    start ${size% *} ${size#* } --resume
    until_shown "White to move after move 7."
    name=terminal-${size/ /x}.txt
    screen >"$keep/$name"
    if [[ ${UPDATE:-} == 1 ]]; then
        cp "$keep/$name" "$screens/$name"
    elif ! diff "$screens/$name" "$keep/$name"; then
        fail "the screen of ${size/ /x} is not $screens/$name"
    fi
    keys q
    until_shown "ended: 0"
done

# Against level 3 to the end, by keys: each move is the one that a hint names.
start 80 24 --level 3 --seed 1 --nodes 5000
until_shown "Black to move"
over=no
last="Black to move."
for ((move = 1; move < 113; move += 2)); do
    keys H
    hint=
    for ((i = 0; i < 600; i++)); do
        # Above the answer there may be earlier hints, and below a game that is over.
        shown=$(screen | awk -v last="$last" 'index($0, last) { seen = 1; next } seen')
        if [[ -z $hint && $shown =~ "Hint: "([a-o][0-9]+) ]]; then
            hint=${BASH_REMATCH[1]}
            last="Move $((move + 1)): white"
            typed "$hint"
        elif [[ -n $hint && $(screen) == *"Game over: "* ]]; then
            [[ $(screen) == *"Game over: black wins"* ]] && over=yes
            break 2
        elif [[ -n $hint && $(screen) == *"$last"* ]]; then
            break
        fi
        sleep 0.05
    done
done
[[ $over == yes ]] || fail "level 3 was not beaten"
keys q
until_shown "ended: 0"

# The same by lines.
coproc LINES_PLAY { "$exe" play --line --no-autosave --level 3 --seed 1 --nodes 5000; }
over=no
for ((move = 1; move < 113; move += 2)); do
    echo hint >&"${LINES_PLAY[1]}"
    while read -r -t 60 line <&"${LINES_PLAY[0]}"; do
        case $line in
        "Hint: "*)
            hint=${line#Hint: }
            echo "${hint%%[^a-z0-9]*}" >&"${LINES_PLAY[1]}"
            ;;
        "Move $((move + 1)): white"*) break ;;
        "Game over: "*)
            [[ $line == "Game over: black wins"* ]] && over=yes
            break 2
            ;;
        esac
    done
done
[[ $over == yes ]] || fail "level 3 was not beaten by lines"
echo quit >&"${LINES_PLAY[1]}"
wait "$LINES_PLAY_PID"

# A game to its end, by keys alone: white resists nowhere.
start 80 24 --black person --white person
until_shown "Black to move"
for i in 1 2 3 4; do
    keys Enter Up Up Enter Right Down Down
done
keys Enter
until_shown "Game over: black wins, 5 in a row"
keys q
until_shown "ended: 0"

echo "games by keys, clicks and lines, taken back, saved, killed, resumed, and won against level 3: screens of three sizes"

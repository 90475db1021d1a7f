#!/usr/bin/env bash
# Plays levels of play against each other, pair by pair, and prints by how much the higher one is
# stronger. Searches are limited by nodes, so that it does not matter how busy the machine is.
#
# TENGEN    the program, default tengen of the release build
# PAIRS     the levels of each match, default every level and the next one
# ROUNDS    pairs of games from the openings that the program carries, default 50
# NODES     the nodes of a move of the full level, which has no limit of its own, default 20000
# RULE      default freestyle
# JOURNALS  a directory for the games, from which an interrupted run goes on, default none
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tengen=${TENGEN:-${CARGO_TARGET_DIR:-target}/release/tengen}
rule=${RULE:-freestyle}

for pair in ${PAIRS:-1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10}; do
    lower=${pair%-*} higher=${pair#*-}
    options=(--engine "level=$higher")
    [[ $higher != 10 ]] || options+=("nodes=${NODES:-20000}")
    options+=(--engine "level=$lower" --rule "$rule" --rounds "${ROUNDS:-50}")
    if [[ -n ${JOURNALS:-} ]]; then
        mkdir -p "$JOURNALS"
        options+=(--journal "$JOURNALS/$rule-$pair.jsonl")
    fi
    "$tengen" match "${options[@]}" --openings builtin --symmetries --quiet |
        sed -n "s/^Elo */$rule, $higher over $lower: /p"
done

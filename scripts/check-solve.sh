#!/usr/bin/env bash
# Checks that known forced wins are found within a number of nodes, and that every proof holds by the
# plain rules.
#
# TENGEN  the program, default tengen of the release build
# NODES   how many positions each search may look at, default 50000
# SHARE   the percentage that must be found, default 80
# STEP    takes every so many positions of each file, default 6; 1 takes all, which takes minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tengen=${TENGEN:-${CARGO_TARGET_DIR:-target}/release/tengen}
nodes=${NODES:-50000}
share=${SHARE:-80}
step=${STEP:-6}
unknown=3 # the exit status if a verdict is missing
failed=0

for file in tests/data/forced-wins-*.tsv; do
    # The columns are id, rule, size, moves, plies, move; all rows of a file have one rule and size.
    IFS=$'\t' read -r _ rule size _ < <(sed -n 2p "$file")
    status=0
    words=$(sed 1d "$file" | awk "NR % $step == 0" | cut -f 4 | "$tengen" solve --rule "$rule" --size "$size" \
        --nodes "$nodes" --time 0 --hash 16 --threads 2 --verify --quiet -) || status=$?
    printf '%s\n%s\n' "$file" "$words"
    if ((status != 0 && status != unknown)); then
        failed=1
    elif [[ $words =~ ^([0-9]+)\ wins?\ in\ ([0-9]+)\  ]]; then
        ((BASH_REMATCH[1] * 100 >= share * BASH_REMATCH[2])) || failed=1
    else
        failed=1
    fi
done
((failed == 0)) || echo "an error, or fewer than $share % of a file were found"
exit "$failed"

#!/usr/bin/env bash
# Two shards of a match, played at the same time by GNU parallel and merged, are the whole match:
# the same games, move by move, as one run plays them.
#
# Skipped (exit 77) where GNU parallel is not installed.
#
# TENGEN  the program, default tengen of the release build
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    echo "skipped: GNU parallel is not installed"
    exit 77
fi
TENGEN=${TENGEN:-${CARGO_TARGET_DIR:-target}/release/tengen}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

printf '%s\n' h8i9h9 a1h8 g7h8i8 c3d4e5 h8h9h10i9 > "$dir/openings.pos"
play=(
    "$TENGEN" match --engine builtin=patterns depth=3 --engine builtin=shapes nodes=500
    --engine builtin=greedy --rounds 6 --openings "$dir/openings.pos" --order random --seed 7
    --symmetries --quiet
)

"${play[@]}" --journal "$dir/whole.jsonl" > "$dir/whole.txt"
parallel --will-cite --jobs 2 --halt now,fail=1 --quote \
    "${play[@]}" --shard {}/2 --journal "$dir/part-{}.jsonl" ::: 1 2 > /dev/null
"$TENGEN" match merge --output "$dir/merged.jsonl" "$dir"/part-*.jsonl > /dev/null

# How long a move took is never the same.
timeless() {
    sed -E 's/"date":"[^"]*",//; s/"times":\[[^]]*\],//; s/"(time_ns|slowest_ns|memory)":[0-9]+,//g' "$1"
}
games=$(($(wc -l < "$dir/merged.jsonl") - 1))
if ((games != 36)); then
    echo "the merged journal has $games games, not 36"
    exit 1
fi
for part in "$dir"/part-*.jsonl; do
    if (($(wc -l < "$part") < 2)); then
        echo "a shard has no games"
        exit 1
    fi
done
if ! diff <(timeless "$dir/whole.jsonl") <(timeless "$dir/merged.jsonl") > "$dir/diff"; then
    echo "the shards are not the match:"
    head -c 2000 "$dir/diff"
    exit 1
fi
echo "two shards are the whole match of $games games"

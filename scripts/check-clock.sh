#!/usr/bin/env bash
# Checks on a machine without other work what others only check without a clock: that the release
# build answers within the deadlines of managers, and STOP at once.
# Skipped (exit 77) where the processors are busy with something else, as every answer is late there.
#
# EXE    the engine, default pbrain-tengen of the release build
# SLACK  what deadlines are multiplied by, default 2
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
export EXE=${EXE:-$target/release/pbrain-tengen}

# Prints how much of two seconds the processors had nothing to do, in percent.
idle_percent() {
    [[ -r /proc/stat ]] || { echo 100; return; }
    local before after
    before=$(sed -n 1p /proc/stat)
    sleep 2
    after=$(sed -n 1p /proc/stat)
    # The fourth and fifth number are what was idle; the first eight are all there is.
    awk '{ idle[NR] = $5 + $6; for (i = 2; i <= 9; i++) all[NR] += $i }
         END { printf "%d", 100 * (idle[2] - idle[1]) / (all[2] - all[1] + 1) }' <<<"$before"$'\n'"$after"
}

idle=$(idle_percent)
if ((idle < 70)); then
    echo "skipped: the processors are busy ($idle % idle)"
    exit 77
fi
scripts/check-protocol.sh
TENGEN_ENGINE=$(realpath "$EXE") cargo test --test suite stop:: -- --ignored --nocapture

#!/usr/bin/env bash
# Plays games of the engine against itself with the `checked` build, which has every assertion on.
# Every thirty games bring each rule together with each size of board; tests/soak.rs tells what else
# the environment can set.
#
# TENGEN_SOAK_GAMES  the number of games, default 60
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export TENGEN_SOAK_GAMES=${TENGEN_SOAK_GAMES:-60}
cargo test --profile checked --test soak

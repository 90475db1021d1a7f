#!/usr/bin/env bash
# Plays games of the engine against itself with the `checked` build, which has every assertion on.
# Thirty games bring every rule together with every size of board; tests/soak.rs tells what else
# the environment can set.
#
# TENGEN_SOAK_GAMES  the number of games, default 30
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export TENGEN_SOAK_GAMES=${TENGEN_SOAK_GAMES:-30}
cargo test --profile checked --test soak

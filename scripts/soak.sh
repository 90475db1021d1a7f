#!/usr/bin/env bash
# Plays games of the engine against itself with every assertion on: with the engine that is built for
# the tests, or with another one, such as that of `cargo build --profile checked`, which is faster.
# Every thirty games bring each rule together with each size of board; tests/suite/soak.rs tells what
# else the environment can set.
#
# TENGEN_SOAK_GAMES  the number of games, default 60
# TENGEN_ENGINE      the engine, default that of the tests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export TENGEN_SOAK_GAMES=${TENGEN_SOAK_GAMES:-60}
cargo test --test suite soak::

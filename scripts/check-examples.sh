#!/usr/bin/env bash
# Runs the examples of README.md and docs/ with the release build: they must print what the documents
# show. tests/suite/examples.rs tells how a document says that figures vary or that one is not run.
#
# TENGEN_PROGRAMS  the directory of the programs, default that of the release build
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

TENGEN_PROGRAMS=$(realpath "${TENGEN_PROGRAMS:-${CARGO_TARGET_DIR:-target}/release}")
export TENGEN_PROGRAMS
cargo test --test suite examples:: -- --ignored

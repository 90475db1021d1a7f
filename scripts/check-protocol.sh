#!/usr/bin/env bash
# Plays the transcripts of protocol-tests/ against the release build of the engine.
#
# EXE    the engine, default pbrain-tengen of the release build
# SLACK  what deadlines are multiplied by, default 2: machines that run checks are often busy
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

release=${CARGO_TARGET_DIR:-target}/release
"$release/tengen" conformance --profile all --strict --engine "${EXE:-$release/pbrain-tengen}" --slack "${SLACK:-2}"

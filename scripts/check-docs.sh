#!/usr/bin/env bash
# Checks that the documentation of both packages builds without a warning, links included.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps

#!/usr/bin/env bash
# Checks that clippy has nothing to say about any target of both packages; warnings are errors.
# Skipped (exit 77) where clippy is not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! cargo clippy --version >/dev/null 2>&1; then
    echo "skipped: clippy is not installed"
    exit 77
fi
cargo clippy --workspace --all-targets -- -D warnings

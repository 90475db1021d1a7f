#!/usr/bin/env bash
# Checks that every source file is formatted as rustfmt does it.
# Skipped (exit 77) where rustfmt is not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! cargo fmt --version >/dev/null 2>&1; then
    echo "skipped: rustfmt is not installed"
    exit 77
fi
cargo fmt --all --check

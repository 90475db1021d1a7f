#!/usr/bin/env bash
# Plays games against itself with the `checked` build, which has every assertion on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo test --profile checked --test soak

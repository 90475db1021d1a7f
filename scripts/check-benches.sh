#!/usr/bin/env bash
# Runs every bench once, without measuring and with every assertion on: they compile, and their answers
# hold.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo test --bench hot_path --bench database

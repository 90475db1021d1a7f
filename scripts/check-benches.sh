#!/usr/bin/env bash
# Runs every criterion bench once, without measuring: they compile, and their answers hold.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo bench -- --test

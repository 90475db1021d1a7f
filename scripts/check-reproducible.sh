#!/usr/bin/env bash
# Checks that two runs of the same program search the same tree.
#
# EXE    the program, default tengen of the release build
# DEPTH  the depth, default that of the program
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

first=$(scripts/signature.sh)
second=$(scripts/signature.sh)
echo "first run $first, second run $second"
[[ $first == "$second" ]]

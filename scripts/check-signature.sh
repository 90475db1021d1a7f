#!/usr/bin/env bash
# Checks that the release build and the `checked` build, which has every assertion on, search the
# same tree: optimisation changes nothing, and no assertion fails on the way.
#
# DEPTH  the depth of both, default 8: assertions take time
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
export DEPTH=${DEPTH:-8}
release=$(EXE=$target/release/tengen scripts/signature.sh)
checked=$(EXE=$target/checked/tengen scripts/signature.sh)
echo "depth $DEPTH: release $release, checked $checked"
[[ $release == "$checked" ]]

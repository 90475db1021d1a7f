#!/usr/bin/env bash
# Checks that the release build and the build for tests, which has every assertion on, search the same
# tree: optimisation changes nothing, and no assertion fails on the way.
#
# DEPTH     the depth of both, default 6: assertions take time
# ASSERTED  the build with assertions, default tengen of the build for tests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
export DEPTH=${DEPTH:-6}
release=$(EXE=$target/release/tengen scripts/signature.sh)
asserted=$(EXE=${ASSERTED:-$target/debug/tengen} scripts/signature.sh)
echo "depth $DEPTH: release $release, with assertions $asserted"
[[ $release == "$asserted" ]]

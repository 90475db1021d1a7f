#!/usr/bin/env bash
# Checks the trainer of the network: its tests, and one small generation from games to a network that
# judges games that were held out better than the tables do, and that the engine plays with.
#
# TENGEN  the program, default tengen of the release build
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tengen=${TENGEN:-${CARGO_TARGET_DIR:-target}/release/tengen}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
    echo "Python with venv is needed"
    exit 77
fi
if ! scripts/train/train --help >"$dir/help" 2>&1; then
    tail -n 1 "$dir/help"
    echo "the packages of the trainer cannot be installed"
    exit 77
fi

scripts/train/train test
"$tengen" tune games --network none --nodes 400 --leaves 3 --leaf-nodes 400 -n 1000 -q -o "$dir/games"
"$tengen" tune samples "$dir/games" -q -o "$dir/samples"
scripts/train/train fit "$dir/samples" -o "$dir/run" --config small --most-steps 500
python3 - "$dir/run/report.json" <<'PYTHON'
import json
import sys

losses = json.load(open(sys.argv[1]))["held_out"]["all"]
print(f"loss on games held out: {losses['network']:.4f}, tables {losses['tables']:.4f}")
sys.exit(losses["network"] >= losses["tables"])
PYTHON
"$tengen" bench --network "$dir/run/freestyle.net" --rule freestyle --depth 6

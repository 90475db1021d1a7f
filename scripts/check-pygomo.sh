#!/usr/bin/env bash
# Lets a client that others wrote, pygomo-lib from PyPI, play with the release build, analyze with
# it, stop it and take moves back; scripts/pygomo_client.py says what must hold.
# Skipped (exit 77) where Python, its venv module or the package cannot be had.
#
# TENGEN  the engine, default pbrain-tengen of the release build
# SLACK   what deadlines are multiplied by, default 2: machines that run checks are often busy
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
engine=${TENGEN:-$target/release/pbrain-tengen}
if [[ ! -x $engine ]]; then
    echo "error: there is no engine $engine: build it with 'cargo build --release'"
    exit 1
fi

# The version is pinned, and so is what its file contains.
package="pygomo-lib==0.1.1"
sha256=6567c2a360c5699f9e07c564ec1446e487fdc63dd27a19c081431163f85b0856
environment=$target/pygomo-0.1.1
python=$environment/bin/python

skip() {
    echo "skipped: $1"
    exit 77
}

# Unless an earlier run left everything in place.
if ! "$python" -c "import pygomo" >/dev/null 2>&1; then
    command -v python3 >/dev/null || skip "python3 is not installed"
    rm -rf "$environment"
    python3 -m venv "$environment" >/dev/null 2>&1 || skip "python3 makes no virtual environments"
    printf '%s --hash=sha256:%s\n' "$package" "$sha256" >"$environment/requirements.txt"
    "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
        --only-binary :all: --requirement "$environment/requirements.txt" >/dev/null 2>&1 \
        || skip "$package cannot be installed from PyPI"
fi

"$python" scripts/pygomo_client.py "$engine" --slack "${SLACK:-2}"

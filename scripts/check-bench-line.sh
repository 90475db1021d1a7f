#!/usr/bin/env bash
# Checks that the signature is the one in the newest commit message with a `Bench:` line.
# Skipped (exit 77) where there is no such commit, as in an archive or a shallow clone.
#
# EXE  the program, default tengen of the release build
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

message=$(git log -1 --format=%B --grep='^Bench: [[:alnum:]]' 2>/dev/null || true)
expected=$(sed -n 's/^Bench: \([[:alnum:]]*\)[[:space:]]*$/\1/p' <<<"$message" | tail -n 1)
if [[ -z $expected ]]; then
    echo "skipped: no commit with a Bench: line is known here"
    exit 77
fi
unset DEPTH
scripts/signature.sh "$expected"

#!/usr/bin/env bash
# Prints the signature of the search: what `tengen bench` gets from a fixed set of positions, one
# thread and a fixed depth. It changes exactly if the search or the evaluation does.
#
# Usage: scripts/signature.sh [EXPECTED]
#   With EXPECTED, compares and exits with 1 if the signature is another.
#
# EXE         the program, default tengen of the release build
# DEPTH       the depth, default that of the program, which is the one of `Bench:` lines
# RUN_PREFIX  what to put in front, such as an emulator or valgrind
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

exe=${EXE:-${CARGO_TARGET_DIR:-target}/release/tengen}
read -r -a prefix <<<"${RUN_PREFIX:-}"
arguments=(bench --json)
if [[ -n ${DEPTH:-} ]]; then
    arguments+=(--depth "$DEPTH")
fi

# Without the expansion guard, bash before 4.4 takes an empty array for an unset variable.
output=$(${prefix[@]+"${prefix[@]}"} "$exe" "${arguments[@]}")
signature=$(sed -n 's/.*"signature"[[:space:]]*:[[:space:]]*"\{0,1\}\([[:alnum:]]*\).*/\1/p' <<<"$output")
if [[ -z $signature || $signature == null ]]; then
    echo "$exe bench printed no signature" >&2
    exit 1
fi
echo "$signature"
if [[ $# -gt 0 && $signature != "$1" ]]; then
    echo "the signature should be $1" >&2
    exit 1
fi

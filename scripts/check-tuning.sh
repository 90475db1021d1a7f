#!/usr/bin/env bash
# Checks that tuning gives the same bytes however it is done: with one thread in one go, and with two
# threads and a process that is killed again and again.
#
# TENGEN  the program, default tengen of the release build
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tengen=${TENGEN:-${CARGO_TARGET_DIR:-target}/release/tengen}
killed=137 # the exit status of what SIGKILL ended
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if ! timeout 5 true 2>/dev/null; then
    echo "timeout of GNU coreutils is needed"
    exit 77
fi

"$tengen" tune all --config small --dir "$dir/whole" --threads 1 --quiet

# Every try gets twice the time of the one before, so that one gets to the end.
for seconds in 0.1 0.2 0.4 0.8 1.6 3.2 6.4 12.8 25.6 51.2 102.4; do
    status=0
    timeout --signal=KILL "$seconds" \
        "$tengen" tune all --config small --dir "$dir/killed" --threads 2 --quiet \
        >"$dir/words" || status=$?
    ((status == killed)) || break
    echo "killed after $seconds s and $(wc -l <"$dir/words") lines"
done
cat "$dir/words"
((status == 0)) || exit 1
if [[ $seconds == 0.1 ]]; then
    echo "it was done before it could be killed"
    exit 1
fi

# What else a killed process leaves are files that were not whole yet, under other names.
names=$(cd "$dir/whole" && ls)
for name in $names; do
    cmp "$dir/whole/$name" "$dir/killed/$name"
done
echo "$(wc -w <<<"$names") files are the same"

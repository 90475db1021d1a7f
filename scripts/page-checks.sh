# What the checks of pages in a headless Chromium begin with; to be sourced at the root of the repository.
# Sets browser, exe and dir, a directory that is removed at the end. Without a browser the check ends
# as skipped.
#
# EXE       the program, default tengen of the release build
# CHROMIUM  the browser, default the first that is installed
for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome chrome; do
    [[ -n $browser ]] && command -v "$browser" >/dev/null && break
    browser=
done
if [[ -z $browser ]]; then
    echo "skipped: no Chromium is installed"
    exit 77
fi
exe=${EXE:-${CARGO_TARGET_DIR:-target}/release/tengen}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

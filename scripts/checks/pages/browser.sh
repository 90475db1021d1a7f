# The common part of the checks of pages in a headless Chromium; to be sourced at the root of the
# repository. Sets exe and dir, a directory that is removed at the end. Without a browser the check ends as
# skipped.
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

# scripts FILE...: prints the files, of scripts/checks/pages, as scripts of a page.
scripts() {
    local file
    for file; do
        echo '<script>'
        cat "scripts/checks/pages/$file"
        echo '</script>'
    done
}

# text ID: prints the input as a text that scripts of the page find.
text() {
    printf '<script type="text/plain" id="%s">' "$1"
    cat
    echo '</script>'
}

# in_frame PAGE WIDTH HEIGHT ARGUMENT...: opens a page of the directory in a frame, which, unlike a window, is
# as narrow as it is told to be, by the browser with these arguments. What the page says to its parent becomes
# an attribute of the document. The log of the browser is in the directory.
in_frame() {
    cat >"$dir/frame.html" <<HTML
<!doctype html><body style="margin:0"><iframe src="$1" style="border:0;display:block;width:$2px;height:$3px"></iframe>
<script>window.addEventListener('message', (event) => { document.documentElement.dataset.probe = event.data; });</script>
HTML
    browse --window-size="$(($2 > 1280 ? $2 : 1280)),$3" "${@:4}" "file://$dir/frame.html"
}

# browse ARGUMENT...: runs the browser.
browse() {
    timeout --foreground 300 "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$dir/profile" --enable-logging=stderr --v=0 "$@" 2>"$dir/log"
}

# probe PAGE WIDTH: runs the scripts of a page of the directory, which end with probe.run(). Fails if they
# found a fault, did not end, or anything is on the console.
probe() {
    local found failed=0
    in_frame "$1" "$2" 900 --virtual-time-budget=20000 --dump-dom >"$dir/dom" || failed=1
    if grep -a 'CONSOLE' "$dir/log"; then
        echo "something is on the console"
        failed=1
    fi
    found=$(sed -n '/data-probe="/{s/.*\(data-probe="[^"]*"\).*/\1/p;q;}' "$dir/dom")
    echo "$1, $2 pixels: $(wc -c <"$dir/$1") bytes, ${found:-the probe did not end}"
    [[ $found == 'data-probe="well"' ]] || failed=1
    return "$failed"
}

# What the checks of packages have in common; sourced in the root of the repository.

version=$(sed -n '/^version = "\(.*\)"/{s//\1/p;q;}' Cargo.toml)

fail() {
    echo "failed: $1" >&2
    exit 1
}

# Has programs of a folder play: five stones in a row against one who plays in the corners. A command may stand before.
try_programs() {
    local bin=$1 moves=(0,0 14,0 0,14 14,14 0,7 14,7 7,0 7,14) cells
    shift
    [[ $("$@" "$bin/tengen" --version) == "tengen $version" ]] || fail "$bin/tengen does not tell its version"
    cells=$({
        printf '%s\n' 'START 15' 'INFO max_node 2000' BEGIN
        printf 'TURN %s\n' "${moves[@]}"
        echo END
    } | "$@" "$bin/pbrain-tengen" | grep '^[0-9]*,[0-9]*$')
    awk -F , '
        { at[$1, $2] }
        END {
            for (dx = 0; dx <= 1; dx++) for (dy = -1; dy <= 1; dy++) if (dx || dy == 1) for (x = 0; x < 15; x++)
                for (y = 0; y < 15; y++) {
                    for (n = 0; ((x + n * dx, y + n * dy) in at); n++);
                    most = n > most ? n : most
                }
            exit most < 5
        }' <<<"$cells" || fail "$bin/pbrain-tengen does not make five of $(xargs <<<"$cells")"
}

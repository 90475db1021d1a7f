# What the makers of packages have in common; sourced in the root of the repository.

# The version of the programs, and the time that files of packages bear: that of the newest commit, or of the licence
# outside a repository.
version=$(sed -n '/^version = "\(.*\)"/{s//\1/p;q;}' Cargo.toml)
stamp=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y LICENSE 2>/dev/null || stat -f %m LICENSE)

# Flags for the compiler: those of RUSTFLAGS, and such that paths of this machine stay out of the programs.
read -r -a flags <<<"${RUSTFLAGS:-}"
unset RUSTFLAGS
flags+=("--remap-path-prefix=$PWD=tengen" "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo")

# Says what to install, and gives up.
lacks() {
    echo "skipped: no $1; $2"
    exit 77
}

# find_toolchain TARGET [ready]: prints the directory of the first rustc on the path that can build for a target: its library
# is ready or, unless it has to be, the source of that is there.
find_toolchain() {
    local target=$1 must=${2:-} rustc dir library
    while read -r rustc; do
        dir=$(dirname "$rustc")
        [[ -x $dir/cargo ]] && grep -qx "$target" <<<"$("$rustc" --print target-list)" || continue
        library=$("$rustc" --print sysroot)/lib/rustlib
        if [[ -d $library/$target/lib || $must != ready && -f $library/src/rust/library/std/Cargo.toml ]]; then
            echo "$dir"
            return
        fi
    done < <(type -aP rustc)
}

# Fills a folder with what the programs for a system come with, besides licences.
fill() {
    cargo run --quiet --locked --example assets -- "$1" "$(TZ=UTC date -d "@$stamp" +%F)"
    cp README.md CHANGELOG.md "$1"
    cp -r docs "$1"
    scripts/make/sbom "$2" >"$1/tengen.cdx.json"
}

# Gives all files of a tree the time of the newest commit and the rights that they are to have.
settle() {
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -type f -perm -u+x -exec chmod 755 {} +
    find "$1" -type f ! -perm -u+x -exec chmod 644 {} +
    find "$1" -exec touch -h -d "@$stamp" {} +
}

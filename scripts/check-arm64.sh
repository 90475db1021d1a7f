#!/usr/bin/env bash
# Runs the tests that depend on the processor, those of kernels and networks, on an emulated 64-bit ARM
# processor.
#
# Needs a Rust toolchain with the standard library for ARM64, a linker for it and qemu; the toolchain is
# the first on the path that will do. On Debian, after dpkg --add-architecture arm64: apt-get install
# rustc-web cargo-web libstd-rust-web-dev:arm64 gcc-aarch64-linux-gnu qemu-user-static. Skipped (exit
# 77) if something lacks, and on ARM64, where the tests themselves do it.
#
# SIGNATURE  1 builds the whole program too, and compares the signature of its search with that of this machine
# TENGEN     the program of this machine for that, default tengen of the release build
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=aarch64-unknown-linux-gnu
out=${CARGO_TARGET_DIR:-target}

skip() {
    echo "skipped: $1"
    exit 77
}

[[ $(uname -m) != aarch64 ]] || skip "this is an ARM64 machine"
bin=
while read -r rustc; do
    [[ -z $bin && -x $(dirname "$rustc")/cargo ]] || continue
    [[ -d $("$rustc" --print sysroot)/lib/rustlib/$target/lib ]] && bin=$(dirname "$rustc")
done < <(type -aP rustc)
[[ -n $bin ]] || skip "no Rust toolchain has the standard library for $target"
type -P aarch64-linux-gnu-gcc >/dev/null || skip "no linker aarch64-linux-gnu-gcc"
qemu=$(type -P qemu-aarch64-static || type -P qemu-aarch64) || skip "no qemu-aarch64"

export PATH=$bin:$PATH RUSTC=$bin/rustc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
# The libraries of a foreign architecture if they are installed, else those of the linker.
[[ -e /lib/ld-linux-aarch64.so.1 ]] || qemu+=" -L /usr/aarch64-linux-gnu"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$qemu
# What links quickly is fast enough here.
options=(--target "$target" --release --locked
    --config profile.release.lto=false --config profile.release.codegen-units=16)
"$bin/cargo" test "${options[@]}" --package tengen-core --lib -- simd eval::network

if [[ ${SIGNATURE:-} == 1 ]]; then
    "$bin/cargo" build "${options[@]}" --bin tengen
    here=$("${TENGEN:-$out/release/tengen}" bench | awk '/^Signature/ { print $2 }')
    there=$($CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER "$out/$target/release/tengen" bench |
        awk '/^Signature/ { print $2 }')
    echo "signature $here here, $there on ARM64"
    [[ -n $here && $here == "$there" ]]
fi

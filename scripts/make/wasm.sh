# Toolchains for WebAssembly; sourced in the root of the repository, after release.sh.
#
# There are two targets. The library of wasm32-wasip1 has clocks, and threads and files that are refused; the threads
# of wasm32-wasip1-threads share a memory, which whoever runs the program makes. A toolchain is the first on the path
# that will do: that of rustup with the target or, for the former, one with the source of the library, which is built
# too: on Debian rustc-web cargo-web rust-web-src lld wasi-libc.

# use_wasm TARGET: has wasm_cargo build for a target; returns 1 if there is no toolchain for it.
use_wasm() {
    wasm_target=$1
    local must=
    # The library with threads needs a C library with threads, which rustup has and Debian has not.
    [[ $wasm_target != *-threads ]] || must=ready
    wasm_bin=$(find_toolchain "$wasm_target" "$must")
    [[ -n $wasm_bin ]] || return 1
    local library
    library=$("$wasm_bin/rustc" --print sysroot)/lib/rustlib
    # Four megabytes of stack: proofs are recursive to the length of a game.
    wasm_flags=("${flags[@]}" -Ctarget-feature=+simd128,+bulk-memory -Clink-arg=-zstack-size=4194304)
    wasm_settings=("PATH=$wasm_bin:$PATH" "RUSTC=$wasm_bin/rustc" CARGO_PROFILE_DEV_DEBUG=0)
    wasm_options=(--locked --target "$wasm_target")
    if [[ -d $library/$wasm_target/lib ]]; then
        wasm_start=$library/$wasm_target/lib/self-contained/crt1-reactor.o
    else
        type -P wasm-ld >/dev/null || lacks "linker for WebAssembly" "on Debian install lld"
        local libc=/usr/lib/wasm32-wasi
        [[ -e $libc/libc.a ]] || lacks "C library for WebAssembly" "on Debian install wasi-libc"
        wasm_start=$libc/crt1-reactor.o
        # The library is newer than Debian's C library, which knows nothing of threads: whoever runs it refuses them.
        wasm_flags+=("-Lnative=$libc" -Clink-arg=--import-undefined "--remap-path-prefix=$library/src/rust=rust")
        wasm_settings+=(RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_WASIP1_LINKER=wasm-ld)
        wasm_options+=(-Zbuild-std=std,panic_abort)
    fi
    wasm_settings+=("CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${wasm_flags[*]}")")
}

# Calls cargo with all that: the command, then its options.
wasm_cargo() {
    local command=$1
    shift
    env "${wasm_settings[@]}" "$wasm_bin/cargo" "$command" "${wasm_options[@]}" "$@"
}

wasm_alone=wasm32-wasip1
wasm_threads=wasm32-wasip1-threads
use_wasm "$wasm_alone" || lacks "Rust toolchain for WebAssembly" \
    "on Debian install rustc-web cargo-web rust-web-src lld wasi-libc"

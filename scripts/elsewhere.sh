#!/usr/bin/env bash
# The containers' tests on machines that this one is not: scripts/elsewhere.sh [TARGET...], all of them unless told.
# Other processors are emulated by QEMU, Windows by Wine, and Node runs WebAssembly. On Debian:
#   apt-get install qemu-user gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf gcc-s390x-linux-gnu \
#       gcc-i686-linux-gnu gcc-mingw-w64-x86-64 wine nodejs
# What is missing is said loudly, and the next one is run. The golden keys are compared on each. On i686, what stands beside,
# finds, keeps and tracks is tested, too. `TESTS` chooses the tests, as arguments of `cargo test`.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
    set -- wasm32-wasip1 aarch64-unknown-linux-gnu armv7-unknown-linux-gnueabihf s390x-unknown-linux-gnu \
        i686-unknown-linux-gnu x86_64-pc-windows-gnu
fi
# (Emulators are slow: what is checked is compiled well, and random histories are fewer.)
export CARGO_PROFILE_TEST_OPT_LEVEL=${OPT_LEVEL:-1} CARGO_PROFILE_TEST_DEBUG=0
export LARDER_CASES=${LARDER_CASES:-20} RUST_BACKTRACE=0
read -ra tests <<<"${TESTS:---test containers --test histories}"
# Where a word has 32 bits, other bits of a hash are kept, and sums of bytes overflow sooner.
# (A program that a loader runs cannot start itself: `killed` does.)
thirty_two=(--lib --test indices --test maps --test trees --test pools --test snapshot --test track -- --skip killed::)
failed=()

skip() { printf '\n!! LEFT OUT: %s\n' "$1" >&2; }

# What links and runs programs of a target, as Cargo is told.
with() {
    local name=${1//-/_}
    name=${name^^}
    command -v "$2" >/dev/null || { skip "$1: $2 is not installed"; return 1; }
    export "CARGO_TARGET_${name}_LINKER=$2"
    if [ -n "${3:-}" ]; then
        command -v "${3%% *}" >/dev/null || { skip "$1: ${3%% *} is not installed"; return 1; }
        export "CARGO_TARGET_${name}_RUNNER=$3"
    fi
}

# Runs tests of a target; notes what fails.
run() {
    local target=$1 began=$SECONDS
    shift
    printf '\n== %s: %s\n' "$target" "$*"
    if cargo test -p larder --target "$target" --target-dir target/elsewhere --no-fail-fast "$@"; then
        printf -- '-- %s: %s seconds\n' "$target" "$((SECONDS - began))"
    else
        failed+=("$target")
    fi
}

for target; do
    rustup target add "$target" >/dev/null 2>&1 || { skip "$target: its standard library is not to be had"; continue; }
    case $target in
        wasm32-wasip1)
            command -v node >/dev/null || { skip "$target: node is not installed"; continue; }
            export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/scripts/wasi.mjs"
            # A panic is the end there, so tests that catch one are left out: among them random histories.
            run "$target" --test containers -- keys::golden
            run "$target" --test histories -- short:: longer_ large:: saved::
            continue
            ;;
        aarch64-unknown-linux-gnu)
            with "$target" aarch64-linux-gnu-gcc "qemu-aarch64 -L /usr/aarch64-linux-gnu" || continue ;;
        armv7-unknown-linux-gnueabihf)
            with "$target" arm-linux-gnueabihf-gcc "qemu-arm -L /usr/arm-linux-gnueabihf" || continue ;;
        s390x-unknown-linux-gnu)
            with "$target" s390x-linux-gnu-gcc "qemu-s390x -L /usr/s390x-linux-gnu" || continue ;;
        i686-unknown-linux-gnu)
            # (Most kernels of 64 bits on x86 run it: so does this one, if it runs the loader.)
            libraries=/usr/i686-linux-gnu/lib
            loader=$libraries/ld-linux.so.2
            if "$loader" --version >/dev/null 2>&1; then
                with "$target" i686-linux-gnu-gcc "$loader --library-path $libraries" || continue
            else
                with "$target" i686-linux-gnu-gcc "qemu-i386 -L /usr/i686-linux-gnu" || continue
            fi
            ;;
        x86_64-pc-windows-gnu)
            export WINEDEBUG=${WINEDEBUG:--all}
            with "$target" x86_64-w64-mingw32-gcc wine || continue
            # Wine 8 has no `bcryptprimitives.dll`, of which Rust's library needs one function. (Where Wine has it, that
            # is found first.)
            mkdir -p target/elsewhere/wine
            export WINEPATH="Z:$PWD/target/elsewhere/wine"
            x86_64-w64-mingw32-gcc -shared -o target/elsewhere/wine/bcryptprimitives.dll -x c - -ladvapi32 <<'C'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return RtlGenRandom(data, length); }
C
            ;;
        *)
            skip "$target: how its programs are run is not known here"
            continue
            ;;
    esac
    run "$target" "${tests[@]}"
    [ "$target" != i686-unknown-linux-gnu ] || [ -n "${TESTS:-}" ] || run "$target" "${thirty_two[@]}"
done
[ ${#failed[@]} -eq 0 ] || { echo "failed: ${failed[*]}" >&2; exit 1; }

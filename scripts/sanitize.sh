#!/usr/bin/env bash
# The tests under a tool that watches memory or threads: scripts/sanitize.sh TOOL [ARGUMENTS OF CARGO TEST].
#   address   what is read, written and freed, and what is not freed in the end; over the whole suite
#   thread    what threads share: inserters, rayon, keys and symbols that cross threads
#   miri      undefined behaviour on a big-endian machine (s390x) and on one with 32 bits (i686)
#   valgrind  reserved and mapped memory, in programs that no sanitizer has changed
# `THOROUGH=1` runs all random histories, not a quarter of them. A nightly compiler is needed, but for valgrind. Each
# tool has a directory of its own in target/, which can be deleted. records/proof.md says what was run, when, and how
# long it took.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=${1:?"address, thread, miri or valgrind"}
shift
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=target/$tool CARGO_PROFILE_TEST_OPT_LEVEL=${OPT_LEVEL:-0} CARGO_PROFILE_DEV_DEBUG=line-tables-only \
    RUST_BACKTRACE=0
missing() { printf '\n!! LEFT OUT: %s\n' "$1" >&2; exit 0; }
cargo +nightly --version >/dev/null 2>&1 || [ "$tool" = valgrind ] || missing "no nightly toolchain is installed"

source scripts/suite.sh
# (Left out are tests that end processes on purpose, limit addresses, or count pages, some of which are the tool's. Of what
# leaks on purpose it is not asked whether it leaks.)
watched() {
    local run=(cargo +nightly test -p larder -p larder-core -p larder-indices -p larder-pools -p larder-trees --all-features --target "$host" --no-fail-fast "$@") failed=0
    "${run[@]}" -- --skip killed:: --skip limited:: --skip pages_that_are_touched_ahead --skip memory_goes_back_on_shrink \
        --skip leaked --skip forgotten || failed=1
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 "${run[@]}" -- leaked forgotten || failed=1
    return $failed
}

began=$SECONDS
case $tool in
    address)
        # (Refused memory is asked for on purpose. As in a fuzz target, histories leak nothing on purpose.)
        export RUSTFLAGS="-Zsanitizer=address --cfg fuzzing" ASAN_OPTIONS=allocator_may_return_null=1
        if [ $# -gt 0 ]; then watched "$@"; else suite watched; fi
        ;;
    thread)
        # (Only a standard library that is watched, too, tells how its locks and channels order accesses.)
        export RUSTFLAGS="-Zsanitizer=thread" TSAN_OPTIONS=halt_on_error=1
        watched() { cargo +nightly test -Zbuild-std -p larder --all-features --target "$host" "$@"; }
        if [ $# -gt 0 ]; then
            watched "$@"
        else
            watched --test rayon
            watched --test memory --test containers --test pools -- thread inserter strings
        fi
        ;;
    miri)
        rustup component add miri rust-src --toolchain nightly >/dev/null 2>&1 || missing "Miri is not installed"
        export MIRIFLAGS="-Zmiri-strict-provenance -Zmiri-symbolic-alignment-check -Zmiri-disable-isolation"
        for target in ${MIRI_TARGETS:-s390x-unknown-linux-gnu i686-unknown-linux-gnu}; do
            printf '\n-- %s\n' "$target"
            interpreted() { cargo +nightly miri test -p larder --target "$target" "$@"; }
            if [ $# -gt 0 ]; then
                interpreted "$@"
                continue
            fi
            interpreted --test containers -- keys::golden
            interpreted --test histories -- random::arena_handle random::dense_of_strings random::columns_handle \
                random::inline_two_bits random::paged_of_strings pool_histories
            interpreted --test trees --test pools -- functions_that_lead forged_lists hostile
            interpreted --test track -- deltas encoded
            interpreted --test snapshot -- what_is_wrong values_are_checked keys_in_values other_byte_order
        done
        ;;
    valgrind)
        command -v valgrind >/dev/null || missing "valgrind is not installed"
        mapfile -t programs < <(cargo test -p larder --all-features --no-run --test memory --test snapshot \
            --message-format json | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
        watched() {
            valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
                --errors-for-leak-kinds=definite "$@"
        }
        for program in "${programs[@]}"; do
            # (It has fewer addresses than there are, and faults of its own; and it runs one thread at a time, so that a helper
            # that keeps away from another waits for long. Of reserved gigabytes it knows the pages that are used.)
            case $program in
                *memory-*) watched "$program" --test-threads 1 reserved --skip leaked --skip helper \
                    --skip thousand_million --skip touched_ahead --skip huge_pages_are_what ;;
                *keeping-*) watched "$program" --test-threads 1 map --skip killed:: ;;
            esac
        done
        ;;
    *)
        echo "address, thread, miri or valgrind, not $tool" >&2
        exit 2
        ;;
esac
printf '\n-- %s: %s seconds\n' "$tool" "$((SECONDS - began))"

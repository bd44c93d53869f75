#!/usr/bin/env bash
# Runs every fuzz target for so many seconds each (60 unless told), with a nightly compiler and the address
# sanitizer: scripts/fuzz.sh [SECONDS [TARGET...]]. New inputs are put into fuzz/corpus/, which `--small` reduces to
# few and short ones: scripts/fuzz.sh --small [TARGET...]. An input that takes longer than TIMEOUT seconds (20 unless
# told, which is too short on a busy machine) is a failure. Without nightly or cargo-fuzz, replays the committed inputs
# and random ones with the stable compiler, and says so.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${1:-60}
shift || true
if [ $# -gt 0 ]; then targets=("$@"); else mapfile -t targets < <(sed -n 's/^    ("\(.*\)", .*::run.*),/\1/p' src/lib.rs); fi
if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "!! LEFT OUT: cargo +nightly fuzz is not installed (cargo install cargo-fuzz); replaying instead" >&2
    exec cargo test --test replay
fi

# Of the inputs that reach everything 80, from short ones to long ones, and no more than 64 KiB.
small() {
    local kept=0 size=0 number=0 bytes file count
    cargo +nightly fuzz cmin "$1" >/dev/null 2>&1
    count=$(find "corpus/$1" -type f | wc -l)
    while read -r bytes file; do
        number=$((number + 1))
        if [ $((number * 80 / count)) -gt "$kept" ] && [ $((size + bytes)) -le 65536 ]; then
            kept=$((kept + 1)) size=$((size + bytes))
        else
            rm "$file"
        fi
    done < <(find "corpus/$1" -type f -printf '%s %p\n' | sort -n)
    echo "$1: $kept inputs, $size bytes"
}

# A key of a far slot asks for much memory, most of which is never touched: that is refused, or given.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}
log=$(mktemp)
for target in "${targets[@]}"; do
    if [ "$seconds" = --small ]; then
        small "$target"
        continue
    fi
    mkdir -p "corpus/$target"
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=4096 -len_control=0 \
        -timeout="${TIMEOUT:-20}" -malloc_limit_mb=131072 >"$log" 2>&1 || { cat "$log"; exit 1; }
    # What it took, and what is covered.
    echo "$target: $(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) second.*/\2 s, \1 executions/p' "$log")," \
        "$(grep -oE 'cov: [0-9]+ ft: [0-9]+ corp: [^ ]+' "$log" | tail -1)"
done

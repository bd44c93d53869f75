#!/usr/bin/env bash
# Runs every fuzz target for so many seconds each (60 unless told), with a nightly compiler and the address
# sanitizer: scripts/fuzz.sh [SECONDS [TARGET...]]. Without nightly or cargo-fuzz, replays the committed inputs
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
for target in "${targets[@]}"; do
    printf '\n== %s, %s seconds\n' "$target" "$seconds"
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=8192 -print_final_stats=1
done

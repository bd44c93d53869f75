#!/usr/bin/env bash
# Tries every order in which threads can claim rows of a shared inserter, by loom (models/). Seconds.
set -euo pipefail
cd "$(dirname "$0")/../models"
if ! cargo fetch --locked >/dev/null 2>&1; then
    printf '\n!! LEFT OUT: loom is not to be had here: the orders of threads were not tried\n' >&2
    exit 0
fi
cargo fmt --check
CARGO_TARGET_DIR=../target/models cargo test --locked --release

#!/usr/bin/env bash
# Queries a live arena with SQL, by DataFusion and by Ballista's processes (sql/). Both take minutes to build: no other
# command does so. `scripts/sql.sh local` leaves Ballista out.
set -euo pipefail
cd "$(dirname "$0")/../sql"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-../target/sql} CARGO_INCREMENTAL=0
if ! cargo fetch --locked >/dev/null 2>&1; then
    printf '\n!! LEFT OUT: the crates of DataFusion are not to be had here: no SQL was run\n' >&2
    exit 0
fi
if [ "${1:-}" = local ]; then
    cargo run --locked -p larder-sql
else
    # (One build of all: by themselves they would choose other features of the same crates.)
    cargo build --locked --workspace
    "$CARGO_TARGET_DIR/debug/larder-sql"
    timeout 300 "$CARGO_TARGET_DIR/debug/larder-ballista"
fi

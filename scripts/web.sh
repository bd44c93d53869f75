#!/usr/bin/env bash
# Builds the page of web/ into target/web/: a folder that any static host serves. With `--serve`, serves it here.
# With `--test`, uses every control of it in headless Chromium (`apt-get install chromium`, Node).
set -euo pipefail
cd "$(dirname "$0")/../web"
out=../target/web
rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || true
cargo build --release --target wasm32-unknown-unknown --target-dir ../target/web-build
mkdir -p "$out"
cp page/* ../target/web-build/wasm32-unknown-unknown/release/larder_web.wasm "$out"
echo "built: target/web/ ($(du -sh "$out" | cut -f1))"
case ${1:-} in
    --serve) exec python3 -m http.server --directory "$out" 8080 ;;
    --test)
        npm ci --silent --no-audit --no-fund
        exec node test.mjs "$(cd "$out" && pwd)"
        ;;
esac

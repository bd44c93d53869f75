#!/usr/bin/env bash
# The public interface: is it what was committed, and what it should be? Each step that needs a tool that is
# not installed is left out, and says so.
#
#   scripts/api.sh             compares, and checks the features, the dependencies and the packages
#   scripts/api.sh --renew     writes the listing of today
#   BASELINE=v0.1.0 scripts/api.sh
#                              and compares with that revision by cargo-semver-checks. (Once a version is
#                              published, the tool finds it by itself: until then there is nothing to break.)
#
# Tools: cargo install --locked cargo-public-api cargo-semver-checks cargo-hack cargo-deny; Rust nightly.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$1"; }
skip() { printf '\n!! LEFT OUT: %s\n' "$1"; }
has() { command -v "$1" >/dev/null; }

mode=${1:-}
case $mode in
    "" | --renew) ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac

listing=crates/larder/public-api.txt
step "the listing of the public interface"
# Left out are blanket implementations, auto traits (a test compares them: every_type.rs), what is derived, the
# functions of implemented traits, and what was listed under another path.
if has cargo-public-api && rustup toolchain list | grep -q nightly; then
    list() {
        for crate in larder larder-core larder-indices larder-pools larder-trees; do
            cargo +nightly public-api -p $crate --all-features -sss --color never --target-dir target/api
        done | awk '
            {
                path = $2 == "const" && $3 == "fn" ? $4 : $3
                sub(/[<(].*/, "", path)
                names = split(path, name, "::")
                of_type = name[names] ~ /^[A-Z][a-z0-9]/ && />::/ || name[names - 1] ~ /^[A-Z]/
            }
            /^(unsafe )?impl/ { of_trait = / for / }
            !/^pub (const |unsafe )*(fn|type|const) / && !/^(unsafe )?impl/ { of_trait = 0 }
            !(of_trait && /^pub/ && of_type) && !seen[$0]++'
    }
    mkdir -p target/api
    list >target/api/today.txt
    if [ "$mode" = --renew ]; then
        cp target/api/today.txt "$listing"
    else
        diff -u "$listing" target/api/today.txt ||
            { echo "the interface is another than $listing says: scripts/api.sh --renew" >&2; exit 1; }
    fi
else
    skip "cargo-public-api or the nightly toolchain is not installed: the listing was not compared"
fi
[ "$mode" != --renew ] || exit 0

step "what only tests call"
# A user names it in vain, whatever public features are on.
user=target/api/user
mkdir -p $user/src
public=$(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
larder = next(p for p in json.load(sys.stdin)["packages"] if p["name"] == "larder")
print(",".join(sorted("\"%s\"" % f for f in larder["features"] if not f.startswith("__"))))')
for features in "" "$public"; do
    printf '[workspace]\n[package]\nname = "user"\nedition = "2024"\n[dependencies]\nlarder = { path = "%s", features = [%s] }\n' \
        "$PWD/crates/larder" "$features" >$user/Cargo.toml
    cp Cargo.lock $user/
    echo 'fn main() { let _ = larder::Arena::<u8>::new(); }' >$user/src/main.rs
    cargo check -q --manifest-path $user/Cargo.toml --target-dir target/api
    echo 'fn main() { larder::Arena::<u8>::new().set_generation_for_test(0, 0); }' >$user/src/main.rs
    ! cargo check -q --manifest-path $user/Cargo.toml --target-dir target/api 2>$user/said.txt &&
        grep -q 'no method named `set_generation_for_test`' $user/said.txt ||
        { cat $user/said.txt; echo "users can compile what only tests call" >&2; exit 1; }
done

step "what semantic versions promise"
if [ -z "${BASELINE:-}" ]; then
    skip "no BASELINE is named, and no version is published: nothing was compared by cargo-semver-checks"
elif has cargo-semver-checks; then
    cargo semver-checks -p larder -p larder-core -p larder-indices -p larder-pools -p larder-trees --all-features --baseline-rev "$BASELINE"
else
    skip "cargo-semver-checks is not installed"
fi

step "every pair of features"
# The names of dependencies are no features of their own, and `derive` adds names alone.
if has cargo-hack; then
    cargo hack check -p larder --feature-powerset --depth 2 --exclude-features derive,default,__test \
        --target-dir target/api
else
    skip "cargo-hack is not installed: combinations of features were not checked"
fi

step "dependencies: licences, sources, advisories"
if has cargo-deny; then
    cargo deny --all-features check bans licenses sources
    # The database of advisories is fetched.
    cargo deny --all-features check advisories || skip "the database of advisories is not to be had here, or names a crate: see above"
else
    skip "cargo-deny is not installed"
fi

step "packages"
# (larder-arrow is a workspace of its own, which needs larder from a registry: it is packed, not built.)
for package in larder-derive larder-core larder-indices larder-pools larder-trees larder larder-arrow; do
    manifest=crates/$package/Cargo.toml
    cargo package --list --allow-dirty --manifest-path "$manifest" --target-dir target/api >target/package-$package.txt
    for file in Cargo.toml README.md LICENSE-APACHE LICENSE-MIT src/lib.rs; do
        grep -qx "$file" target/package-$package.txt || { echo "$package: no $file in the package" >&2; exit 1; }
    done
    # A link of a page in the package leads to a file in the package. (Links to items are checked by rustdoc.)
    grep '\.md$' target/package-$package.txt | while read -r page; do
        { grep -oE '\]\([^)#]+' "crates/$package/$page" | grep -vE '^..https?:|::' || true; } | cut -c3- | sort -u |
            while read -r link; do
                path=$(realpath -sm --relative-to . "$(dirname "$page")/$link")
                grep -qE "^$path(/|$)" target/package-$package.txt ||
                    { echo "$package: $page leads to $link, which is not in the package" >&2; exit 1; }
            done
    done
    printf '%s: %s files\n' "$package" "$(wc -l <target/package-$package.txt)"
done
# They are packed, and built from what was packed, as if those before were published already.
cargo publish --dry-run --allow-dirty -p larder-derive -p larder-core -p larder-indices -p larder-pools -p larder-trees -p larder --target-dir target/api ||
    skip "the packages were not built: is the registry to be had?"

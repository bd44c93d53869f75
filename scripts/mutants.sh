#!/usr/bin/env bash
# Mutation testing of raw/ and key/: does a test fail where a line says something else? Needs cargo-mutants.
#
#   scripts/mutants.sh 0/40               the first of 40 shards of all mutants
#   scripts/mutants.sh 0/1 raw/marks.rs   all mutants of these files, by their paths below src
#   TESTS="--lib" scripts/mutants.sh …    with these tests, instead of those that see most
#
# A shard of 40 has some 120 mutants; each is a build of the library and of the tests (ten seconds at least).
# Survivors are in target/mutants/mutants.out/missed.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

shard=${1:?a shard, such as 0/40}
[ $# -gt 1 ] || set -- "$shard" 'raw/**/*.rs' 'key/*.rs' key.rs
files=()
for path in "${@:2}"; do files+=(--file "crates/larder/src/$path"); done
read -ra tests <<<"${TESTS:---lib --test histories --test containers}"

mkdir -p target/mutants
# (Messages of panics name files and lines; nothing else of a debugger is needed.)
status=0
CARGO_PROFILE_DEV_DEBUG=0 nice -n 19 cargo mutants -p larder --test-workspace=false --baseline skip --timeout 300 \
    --shard "$shard" --output target/mutants "${files[@]}" -- "${tests[@]}" || status=$?
# 2: mutants were missed; 3: some took too long. Anything else went wrong.
[ "$status" -le 3 ] && [ "$status" -ne 1 ] || exit "$status"

# The score by file: what was caught (or never ended) of what compiled.
out=target/mutants/mutants.out
for outcome in caught timeout missed; do sed "s/:.*//; s/^/$outcome /" "$out/$outcome.txt"; done | awk '
    { all[$2]++; if ($1 != "missed") caught[$2]++ }
    END {
        for (file in all) { printf "%4d of %4d  %s\n", caught[file], all[file], file; sum += all[file]; got += caught[file] }
        if (sum) printf "%4d of %4d  together, %.1f %%\n", got, sum, 100 * got / sum
    }' | sort -k5

#!/usr/bin/env bash
# How large the project is, beside what it should be. Needs Rust, awk and binutils (`size`).
#
#   scripts/size.sh            the table
#   scripts/size.sh --times    and the time of a build, beside slotmap's (three minutes on an idle machine)
#   scripts/size.sh --check    fails where a figure is more than 2 % above its ceiling in scripts/size.txt
#   scripts/size.sh --renew    writes the figures of today into scripts/size.txt
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

mode=${1:-}
case $mode in
    "" | --times | --check | --renew) ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac

ceilings=scripts/size.txt
work=$PWD/target/size
figures=$work/figures.txt
mkdir -p "$work"
: >"$figures"

# A figure by name; what it should be, or `-` where that is not said.
figure() { printf '%s %s %s\n' "$1" "$2" "$3" >>"$figures"; }

# Source text.

sources() { find "$@" -name '*.rs' -type f; }
lines() { sources "$@" | xargs cat | wc -l; }
src=(crates/larder/src crates/larder-core/src crates/larder-indices/src crates/larder-pools/src crates/larder-trees/src)

figure src-lines "$(lines "${src[@]}")" 30000
figure src-files "$(sources "${src[@]}" | wc -l)" 120
figure raw-lines "$(lines crates/larder-core/src/raw)" 11000
# Of these, lines that are code, documentation, and unit tests.
kinds() {
    sources "$@" | xargs awk '
        FNR == 1 { tests = FILENAME ~ /tests\.rs$/; after = 0 }
        /^#\[cfg\(test\)\]/ { after = 1; next }
        after && /^mod .* \{$/ { tests = 1 }
        { after = after && /^#\[/ }
        tests { unit++ }
        !tests && /^ *\/\/[\/!]/ { documentation++ }
        !tests && /[^ ]/ && !/^ *\/\// { code++ }
        /^}$/ && FILENAME !~ /tests\.rs$/ { tests = 0 }
        END { print code, documentation, unit }'
}
read -r code documentation unit <<<"$(kinds "${src[@]}")"
figure src-lines-of-code "$code" -
figure src-lines-of-documentation "$documentation" -
read -r core _ <<<"$(kinds crates/larder-core/src)"
figure largest-crate-lines-of-code "$core" 13000
figure tests-beside-src "$unit" -
figure lab-lines "$(lines crates/larder-lab/src)" 11000
figure tests-lines "$(($(lines crates/larder/tests) + $(lines crates/larder-testing/src)))" -
figure unsafe-blocks \
    "$(sources "${src[@]}" | xargs grep -hE 'unsafe \{' | grep -vcE '^ *//')" 400

# Lines inside `macro_rules!`, which readers have to expand in their heads.
macros() {
    sources "${src[@]}" | xargs awk '
        FNR == 1 { inside = 0 }
        { match($0, /^ */) }
        !inside && /^ *macro_rules! / { inside = 1; indent = RLENGTH; count++; next }
        inside { count++ }
        inside && RLENGTH == indent && /^ *\}/ { inside = 0 }
        END { print count }'
}
figure lines-in-macros "$(macros)" 1500

# Functions that the compiler sees: expanded, with some features.
functions() {
    RUSTC_BOOTSTRAP=1 cargo rustc -q -p larder-core --lib --profile check --no-default-features --features "$1" \
        --target-dir target/size/expanded -- -Zunpretty=expanded |
        grep -cE '^ *((pub(\([a-z ]*\))?|const|unsafe|extern "C") )*fn '
}
figure functions "$(functions std)" 2300
figure functions-with-columns-and-tracking "$(functions std,columns,track)" 3100

# Pages, in bytes. Records are no pages, and grow.

pages() {
    find . \( -name target -o -name .git -o -name records -o -name node_modules \) -prune -o -name '*.md' -type f -print |
        xargs wc -c | awk '$2 != "total" { sub("^\\./", "", $2); print $1, $2 }' | sort -rn
}
figure architecture-bytes "$(wc -c <ARCHITECTURE.md)" 12000
figure largest-page-bytes "$(pages | awk 'NR == 1 { print $1 }')" -
figure documentation-bytes "$(cat README.md docs/*.md docs/decisions/*.md | wc -c)" 150000

# What users see: the pages that rustdoc writes.

# Only pages of today: rustdoc leaves those of items that are gone.
rm -rf target/doc/larder target/doc/larder_core target/doc/larder_indices target/doc/larder_pools target/doc/larder_trees
cargo doc -q -p larder -p larder-core -p larder-indices -p larder-pools -p larder-trees --no-deps --all-features

# The names in the root: what it has by itself or again from a module, but not the modules.
names() {
    sed 's/<dt/\n<dt/g; s/<h2/\n<h2/g' target/doc/larder/index.html | awk '
        /^<h2 id="/ { split($0, part, "\""); section = part[2] }
        /^<dt/ && section == "reexports" {
            split($0, part, "\""); sub("^reexport\\.", "", part[2]); sub("-[0-9]+$", "", part[2])
            print part[2]
        }
        /^<dt/ && section ~ /^(structs|enums|unions|traits|functions|macros|derives|attributes|types|constants|statics)$/ {
            match($0, /href="[a-z]+\.[A-Za-z0-9_]+\.html"/)
            split(substr($0, RSTART, RLENGTH), part, "."); print part[2]
        }' | sort -u
}
figure root-names "$(names | wc -l)" 20

# The methods on each page that are not those of a trait it implements: number and type. (`larder` has some pages twice.)
methods() {
    find target/doc/larder_core target/doc/larder_indices target/doc/larder_pools target/doc/larder_trees \( -name 'struct.*.html' -o -name 'enum.*.html' -o -name 'trait.*.html' \
        -o -name 'union.*.html' \) -exec grep -oHE '<section id="(ty)?method\.[^"]*" class="method"' {} + |
        cut -d : -f 1 | uniq -c | sed -E 's/^ *([0-9]+) .*\/[a-z]+\./\1 /; s/\.html$//' | sort -k1,1rn -k2
}
methods >"$work/methods.txt"
figure methods "$(awk '{ sum += $1 } END { print sum }' "$work/methods.txt")" 600

# Machine code that another element type costs: that of a program with three, less that of a program
# with one, halved.

program=$work/program
mkdir -p "$program/src/bin"
cat >"$program/Cargo.toml" <<EOF
[package]
name = "program"
version = "0.0.0"
edition = "2024"

[dependencies]
larder = { path = "$PWD/crates/larder" }
slotmap = "1"

[profile.release]
codegen-units = 1
debug = false

[workspace]
EOF
cp Cargo.lock "$program/Cargo.lock"
cat >"$program/src/work.rs" <<'EOF'
/// An element that owns something, of a size of its own.
#[derive(Clone)]
struct Element<const N: usize>(Box<u32>, [u32; N]);

fn work<const N: usize>() -> u32 {
    let mut first = container();
    let keys = [1, 2, 3].map(|number| first.insert(Element(Box::new(number), [number; N])));
    let mut second = std::hint::black_box(first.clone());
    let removed = second.remove(keys[1]).map_or(0, |element| *element.0);
    let found = second.get(keys[2]).map_or(0, |element| element.1[0]);
    removed + found + second.values().map(|element| *element.0).sum::<u32>()
}
EOF
for library in larder slotmap; do
    for elements in one three; do
        {
            case $library in
                larder) echo 'fn container<T>() -> larder::Arena<T> { larder::Arena::new() }' ;;
                slotmap) echo 'fn container<T>() -> slotmap::SlotMap<slotmap::DefaultKey, T> { slotmap::SlotMap::new() }' ;;
            esac
            case $elements in
                one) echo 'fn main() { println!("{}", work::<4>()); }' ;;
                three) echo 'fn main() { println!("{}", work::<4>() + work::<5>() + work::<9>()); }' ;;
            esac
            echo 'include!("../work.rs");'
        } >"$program/src/bin/${library}_$elements.rs"
    done
done
code() { size -A "$program/target/release/$1" | awk '$1 == ".text" { print $2 }'; }
if command -v size >/dev/null; then
    (cd "$program" && CARGO_TARGET_DIR=target cargo build -q --release)
    for library in larder slotmap; do
        bytes=$((($(code ${library}_three) - $(code ${library}_one)) / 2))
        case $library in
            larder) figure code-of-another-type "$bytes" 4000 ;;
            slotmap) figure code-of-another-type-in-slotmap "$bytes" - ;;
        esac
    done
else
    echo '!! LEFT OUT: machine code, since there is no `size` (binutils)' >&2
fi

# Seconds of processors in user code that a build or a check takes, dependencies too: the median of three. All are built
# with Cargo's own profile, since the workspace's has debug information, and the program's above one unit of code.

seconds() {
    local folder=$1
    shift
    for _ in 1 2 3; do
        rm -rf "$work/times"
        (cd "$folder" && export CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 &&
            TIMEFORMAT=%U && time cargo "$@" -q --target-dir "$work/times") 2>&1 >/dev/null | tail -n 1
    done | sort -n | sed -n 2p
    rm -rf "$work/times"
}
if [ "$mode" = --times ]; then
    for what in build check; do
        optimized=()
        [ "$what" = check ] || optimized=(--release)
        slotmap=$(seconds "$program" "$what" "${optimized[@]}" -p slotmap)
        figure "$what-seconds-slotmap" "$slotmap" -
        for features in default full; do
            larder=$(seconds . "$what" "${optimized[@]}" -p larder --features "$features")
            limit=5
            [ "$features" = default ] || limit=15
            figure "$what-seconds-$features" "$larder" -
            figure "$what-of-slotmaps-$features" "$(awk "BEGIN { printf \"%.1f\", $larder / $slotmap }")" "$limit"
        done
    done
fi

# The table.

awk -v ceilings="$ceilings" '
    BEGIN {
        while ((getline line < ceilings) > 0) { split(line, part, " "); ceiling[part[1]] = part[2] }
        printf "%-40s %10s %10s %10s\n", "", "now", "ceiling", "should be"
    }
    {
        met = $3 == "-" ? "" : ($2 <= $3 ? "met" : "not met")
        printf "%-40s %10s %10s %10s  %s\n", $1, $2, ($1 in ceiling) ? ceiling[$1] : "-",
            $3 == "-" ? "-" : "<= " $3, met
    }' "$figures"
# The first of some lines `number name`, in a paragraph.
paragraph() {
    printf '\n%s:' "$1"
    awk -v most="$2" 'NR <= most { printf "%s %s %s", NR == 1 ? "" : ",", $2, $1 }
        NR == most + 1 { printf ", and so on" } END { print "" }' | fold -sw 100
}
paragraph "methods on a type's page" 25 <"$work/methods.txt"
pages | paragraph "the largest pages, in bytes" 8

case $mode in
    --renew)
        # Times are of a machine; tests may grow, and so may others' code.
        awk '$1 !~ /^(build-|check-|tests-|code-of-another-type-in-)/ { print $1, $2 }' "$figures" >"$ceilings"
        ;;
    --check)
        awk -v ceilings="$ceilings" '
            BEGIN { while ((getline line < ceilings) > 0) { split(line, part, " "); ceiling[part[1]] = part[2] } }
            $1 in ceiling && $2 > ceiling[$1] * 1.02 {
                printf "!! %s grew from %s to %s; if that is well, say scripts/size.sh --renew\n",
                    $1, ceiling[$1], $2
                grown = 1
            }
            END { exit grown }' "$figures"
        ;;
esac

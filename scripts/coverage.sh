#!/usr/bin/env bash
# What of memory/, key/ and modules raw does no test reach? Lines by file, with the share that is reached: scripts/coverage.sh.
# Needs cargo-llvm-cov (cargo install --locked cargo-llvm-cov) and llvm-tools. All of it is in target/coverage, which
# can be deleted. records/proof.md says what is not reached, and why.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo llvm-cov --version >/dev/null 2>&1 || { echo "!! LEFT OUT: cargo-llvm-cov is not installed" >&2; exit 0; }
rustup component add llvm-tools >/dev/null 2>&1 || true
source scripts/suite.sh
export CARGO_TARGET_DIR=target/coverage RUST_BACKTRACE=0

watched() { cargo llvm-cov test -p larder -p larder-core -p larder-indices -p larder-pools -p larder-trees --all-features --no-report --no-fail-fast "$@" -- --skip killed::; }
suite watched
cargo llvm-cov report --lcov --output-path target/coverage/lines.txt
python3 - target/coverage/lines.txt <<'PYTHON'
import re
import sys

files, lines = {}, None
for record in open(sys.argv[1]):
    kind, _, rest = record.strip().partition(":")
    if kind == "SF":
        # (A path begins with the subject, whatever crate it is in.)
        crate, _, name = rest.partition("/crates/larder-")[2].partition("/src/")
        name = name if crate == "core" else f"{crate}/{name}"
        # Those on which unsafe code depends, too, as in scripts/mutants.py.
        others = "past.rs", "pools/lives.rs", "pools/list_handle.rs", "maps/side_layout.rs", "indices/hashing.rs", "containers/pinned.rs"
        wanted = name.startswith(("key", "memory")) or "raw" in re.split("[/.]", name) or name in others
        lines = files.setdefault(name, {}) if wanted and not name.endswith("tests.rs") else None
    elif kind == "DA" and lines is not None:
        line, count = map(int, rest.split(",")[:2])
        lines[line] = lines.get(line, 0) + count

def ranges(numbers):
    """Numbers that follow one another, as 3-5."""
    spans = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)

reached = total = 0
for name, lines in sorted(files.items()):
    missed = [line for line, count in lines.items() if count == 0]
    reached, total = reached + len(lines) - len(missed), total + len(lines)
    if missed:
        print(f"{len(lines) - len(missed):4} of {len(lines):4}  {name}: {ranges(missed)}")
print(f"{reached} of {total} lines reached, {100 * reached / max(total, 1):.1f} %")
PYTHON

#!/usr/bin/env python3
"""Mutation testing of what unsafe code depends on, maps, past, track, and other crates: does a test fail where a line
says something else?

    scripts/mutants.py                        all mutants, some 12,000; several hours on two cores
    scripts/mutants.py --files side walk      those of files whose path has one of these in it
    scripts/mutants.py --again --untried      goes on where a run was ended, with what it built
    scripts/mutants.py --left --slowest 5     those that are left, under tests of at most so many seconds
    scripts/mutants.py --alone --names target/mutants/alone.txt --programs memory
                                              what cannot be told in one program, each built by itself
    scripts/mutants.py --report               what the runs until now have shown

What to change is cargo-mutants' list (cargo install --locked cargo-mutants). That tool builds the library and its
tests once a mutant, 40 hours in all; here all mutants are built into one program, each behind a question which of them
is on. One run of each test by itself notes which mutants it reaches; then each mutant is turned on under the tests that
reach it, the quickest first, until one fails. What no test reaches while a program runs, constants among it, is built
and tested one by one.

Needs a nightly compiler, and Python's tree-sitter (pip install tree_sitter tree_sitter_rust). Survivors that are as
they should be are explained in scripts/mutants.txt, by their names without line numbers (where several have one name: by
which of them, in the order of the file). docs/unsafe.md has the score.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target" / "mutants"
TREE = TARGET / "tree"
# The crates with mutants; the first has the switch, which the others use.
CRATES = ["larder-core", "larder-indices", "larder-pools", "larder-trees"]
PACKAGES = [argument for crate in CRATES for argument in ("-p", crate)]
FILES = [
    *(f"crates/larder-core/src/{folder}/**/*.rs" for folder in ("memory", "key", "maps", "past", "track")),
    *(f"crates/larder-core/src/{file}.rs" for file in ("key", "past", "containers/pinned")),
    *(f"crates/larder-core/src/**/raw{files}.rs" for files in ("", "/**/*")),
    *(f"crates/{crate}/src/**/*.rs" for crate in CRATES[1:]),
]
# The test programs that compile, run others, or count instructions, say nothing of a mutant.
CANNOT = {"codegen", "instructions", "ui", "debugger", "examples"}
DATA = 6 << 30  # bytes that a test may have, at most
SLOWEST = 20  # seconds that a test may take when no mutant is on; slower ones are left out

SWITCH = """
//! Which mutant is on. (Made by scripts/mutants.py.)
extern crate std;
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

static ON: AtomicU32 = AtomicU32::new(0);
const ALL: usize = %d;
static REACHED: [AtomicU8; ALL] = [const { AtomicU8::new(0) }; ALL];

const fn never(_: u32) -> bool { false }

fn now(mutant: u32) -> bool {
    let on = ON.load(Relaxed);
    if on == u32::MAX { REACHED[mutant as usize].store(1, Relaxed); }
    on == mutant
}

#[inline(always)]
pub const fn on(mutant: u32) -> bool {
    core::intrinsics::const_eval_select((mutant,), never, now)
}

#[used]
#[unsafe(link_section = ".init_array")]
static BEGIN: extern "C" fn() = begin;

unsafe extern "C" { fn atexit(end: extern "C" fn()) -> i32; }

extern "C" fn begin() {
    let Ok(on) = std::env::var("LARDER_MUTANT") else { return };
    if on == "reached" { unsafe { atexit(end); } }
    ON.store(on.parse().unwrap_or(u32::MAX), Relaxed);
}

extern "C" fn end() {
    use std::io::Write;
    let path = std::env::var("LARDER_REACHED").unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
    let bytes: std::vec::Vec<u8> = REACHED.iter().map(|reached| reached.load(Relaxed)).collect();
    file.write_all(&bytes).unwrap();
}
"""


def listed():
    """What cargo-mutants would change, numbered from 1."""
    files = [argument for path in FILES for argument in ("--file", path)]
    text = subprocess.run(["cargo", "mutants", *PACKAGES, "--list", "--json", *files],
                          cwd=ROOT, check=True, capture_output=True, text=True).stdout
    mutants = json.loads(text)
    for number, mutant in enumerate(mutants, 1):
        mutant["number"] = number
        mutant["short"] = re.sub(r":\d+:\d+:", ":", mutant["name"], count=1)
    same, seen = collections.Counter(m["short"] for m in mutants), collections.Counter()
    for mutant in mutants:
        short = mutant["short"]
        seen[short] += 1
        if same[short] > 1:
            mutant["short"] = f"{short} ({seen[short]} of {same[short]})"
    return mutants


class File:
    """A source file with its mutants woven in."""

    def __init__(self, path, mutants):
        import tree_sitter, tree_sitter_rust
        self.source = (ROOT / path).read_text()
        self.lines = self.source.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line.encode()) + 1)
        self.bytes = self.source.encode()
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
        self.root = parser.parse(self.bytes).root_node
        self.before, self.nodes, self.lost = collections.defaultdict(list), collections.defaultdict(list), []
        for mutant in mutants:
            self.place(mutant)

    def at(self, place):
        line = self.lines[place["line"] - 1]
        return self.starts[place["line"] - 1] + len(line[:place["column"] - 1].encode())

    def place(self, mutant):
        begin, end = self.at(mutant["span"]["start"]), self.at(mutant["span"]["end"])
        genre = mutant["genre"]
        if genre == "FnValue":
            self.before[begin].append(mutant)
            return
        node = self.root.descendant_for_byte_range(begin, end - 1 if end > begin else end)
        wanted = {
            "BinaryOperator": ("binary_expression", "compound_assignment_expr"),
            "UnaryOperator": ("unary_expression",),
            "MatchArm": ("match_arm",), "MatchArmGuard": ("match_arm",),
            "StructField": ("field_initializer", "shorthand_field_initializer"),
        }[genre]
        while node is not None and node.type not in wanted:
            node = node.parent
        if node is None or genre == "BinaryOperator" and node.child_by_field_name("operator").start_byte != begin:
            self.lost.append(mutant)
            return
        self.nodes[node.id].append(mutant)

    def text(self, node):
        return self.bytes[node.start_byte:node.end_byte].decode()

    def woven(self, left_out):
        self.left_out = left_out
        return self.render(self.root, self.root.start_byte, self.root.end_byte)

    def wanted(self, node):
        return [m for m in self.nodes.get(node.id, ()) if m["number"] not in self.left_out]

    def inner(self, node, begin, end):
        """What lies between, with the mutants of the children."""
        parts, at = [], begin
        for child in node.children:
            if child.start_byte < begin or child.end_byte > end:
                continue
            parts.append(self.plain(node, at, child.start_byte))
            parts.append(self.render(child, child.start_byte, child.end_byte))
            at = child.end_byte
        parts.append(self.plain(node, at, end))
        return "".join(parts)

    def plain(self, node, begin, end):
        return self.bytes[begin:end].decode()

    def render(self, node, begin, end):
        text = self.inner(node, begin, end)
        mutants = self.wanted(node)
        if mutants:
            text = self.with_mutants(node, mutants, text)
        # (A function's value comes before its first statement: the outermost node that begins there.)
        if begin in self.before and node.parent is not None and node.parent.type == "block":
            values = [m for m in self.before[begin] if m["number"] not in self.left_out]
            if self.first_in(node):
                text = "".join(f"{marked(m, 'if ' + on(m) + ' { return ' + m['replacement'] + '; }')} " for m in values) + text
        return text

    def first_in(self, node):
        """Whether it is the first statement of its block, or an attribute or the documentation of that."""
        def says_something(child):
            return child.type not in ("{", "line_comment", "block_comment") or self.text(child).startswith("///")
        return node.id == next(c for c in node.parent.children if says_something(c)).id

    def with_mutants(self, node, mutants, text):
        kind = node.type
        if kind in ("binary_expression", "compound_assignment_expr"):
            left, right = (self.text(node.child_by_field_name(side)) for side in ("left", "right"))
            arms = "".join(f"if {on(m)} {{ {marked(m, f'({left}) ' + m['replacement'] + f' ({right})')} }} else " for m in mutants)
            open_, close = ("(", ")") if kind == "binary_expression" else ("{", "}")
            return f"{open_}{arms}{{ ({text}) }}{close}"
        if kind == "unary_expression":
            value = self.text(node.children[1])
            arms = "".join(f"if {on(m)} {{ {marked(m, value)} }} else " for m in mutants)
            return f"({arms}{{ ({text}) }})"
        if kind == "match_arm":
            pattern = node.child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition")
            before = self.bytes[node.start_byte:guard.start_byte].decode() if guard else self.text(pattern) + " if "
            condition = self.render(guard, guard.start_byte, guard.end_byte) if guard else "true"
            arms = "".join(f"if {on(m)} {{ {marked(m, m['replacement'] or 'false')} }} else " for m in mutants)
            rest = self.inner(node, pattern.end_byte, node.end_byte)
            return f"{before} ({arms}{{ {condition} }}) {rest}"
        base = next(c for c in node.parent.children if c.type == "base_field_initializer")
        base = self.text(base.children[1])
        name, value = (self.text(node),) * 2
        if kind == "field_initializer":
            name = self.text(node.child_by_field_name("field"))
            inner = node.child_by_field_name("value")
            value = self.render(inner, inner.start_byte, inner.end_byte)
        arms = "".join(f"if {on(m)} {{ {marked(m, f'({base}).{name}')} }} else " for m in mutants)
        return f"{name}: {arms}{{ {value} }}"


def on(mutant):
    return f"crate::mutant::on({mutant['number']})"


def marked(mutant, text):
    return f"/*<{mutant['number']}*/ {text} /*{mutant['number']}>*/"


def copy(tree):
    """Brings the project there, as it is now."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    for name in filter(None, names):
        if (ROOT / name).exists():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).unlink(missing_ok=True)
            shutil.copyfile(ROOT / name, tree / name, follow_symlinks=False)


def weave(mutants):
    """Makes the tree with all mutants that compile together; returns the numbers of those that do not, and why."""
    copy(TREE)
    by_file = collections.defaultdict(list)
    for mutant in mutants:
        by_file[mutant["file"]].append(mutant)
    files = {path: File(path, some) for path, some in by_file.items()}
    left_out = {m["number"]: "not found" for file in files.values() for m in file.lost}
    known = TARGET / "left-out.json"  # (by names without line numbers: what did not compile the last time, will not)
    before = json.loads(known.read_text()) if known.exists() else {}
    left_out.update((m["number"], before[m["short"]]) for m in mutants if m["short"] in before)
    # (The compiler says that it did not find out whether this can be, and not where.)
    left_out.update((m["number"], "no end") for m in mutants if m["name"].endswith("-> Self::IntoIter with Default::default()"))
    switch = SWITCH % (max(m["number"] for m in mutants) + 1)
    for crate in CRATES:
        is_first = crate == CRATES[0]
        (TREE / "crates" / crate / "src/mutant.rs").write_text(switch if is_first else "pub(crate) use larder_core::mutant::on;\n")
    # (Tests that have a file of the library in them find the switch in it.)
    for test in (TREE / "crates/larder/tests").rglob("*.rs"):
        if re.search(r'#\[path = "[./]+src/|#\[path = "[^"]*/larder-[a-z]+/src/', test.read_text()):
            main = test.parent / "main.rs"
            main.write_text(main.read_text() + "\nuse larder::mutant;\n")
    write(files, left_out)
    for attempt in range(40):
        wrong = check(mutants, files)
        known.write_text(json.dumps(before | {m["short"]: left_out[m["number"]] for m in mutants if m["number"] in left_out}))
        if wrong is None:
            return left_out
        print(f"   {len(wrong)} mutants do not compile", flush=True)
        left_out.update(wrong)
        write(files, left_out)
    sys.exit("it does not come to an end")


def write(files, left_out):
    """Writes the files with their mutants, and the switch into the crates (into lines that there are)."""
    for path, file in files.items():
        (TREE / path).write_text(file.woven(left_out))
    for crate in CRATES:
        path = TREE / "crates" / crate / "src/lib.rs"
        file = files.get(str(path.relative_to(TREE)))
        lib = file.woven(left_out) if file else (ROOT / path.relative_to(TREE)).read_text()
        begin = "#![feature(core_intrinsics, const_eval_select)] " * (crate == CRATES[0]) + "#![allow(internal_features, warnings)] "
        path.write_text(begin + re.sub(r"^(pub )?mod ", r"pub mod mutant; \g<0>", lib, count=1, flags=re.M))


ENV = dict(os.environ, CARGO_TARGET_DIR=str(TARGET / "build"), RUSTFLAGS="--cap-lints allow", CARGO_PROFILE_DEV_OPT_LEVEL=os.environ.get("OPT_LEVEL", "1"),
           CARGO_PROFILE_DEV_DEBUG="0", CARGO_INCREMENTAL="0", RUST_BACKTRACE="0")


def check(mutants, files):
    """None if the library compiles; otherwise what does not."""
    # (As tests: functions that these have for themselves are listed, too.)
    run = subprocess.run(["cargo", "+nightly", "check", *PACKAGES, "--lib", "--profile", "test", "--all-features", "--message-format", "json"],
                         cwd=TREE, env=ENV, capture_output=True, text=True)
    if run.returncode == 0:
        return None
    wrong, unknown = {}, []
    numbers = {path: ranges((TREE / path).read_bytes()) for path in files}
    for line in run.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") != "compiler-message" or message["message"]["level"] != "error":
            continue
        message = message["message"]
        found = None
        for span in sorted(spans(message), key=lambda s: not s["is_primary"]):
            inside = [(end - begin, number) for begin, end, number in numbers.get(span["file_name"], ())
                      if begin <= span["byte_start"] < end]
            if inside:
                found = min(inside)[1]
                break
        if found:
            wrong[found] = message["message"].split("\n")[0]
        elif message["spans"]:
            unknown.append(message)
    # An error elsewhere in a function (of a value that cannot be dropped there, say) is one of an early return, or of
    # arms that ask which mutant is on, so that they do not cover all there is.
    for message in unknown if not wrong else ():
        genre = "MatchArm" if (message["code"] or {}).get("code") == "E0004" else "FnValue"
        for span in message["spans"]:
            for mutant in mutants:
                lines = mutant["function"] and mutant["function"]["span"]
                if (mutant["file"] == span["file_name"] and mutant["genre"] == genre and lines
                        and lines["start"]["line"] <= span["line_start"] <= lines["end"]["line"]
                        and any(n == mutant["number"] for _, _, n in numbers[mutant["file"]])):
                    wrong[mutant["number"]] = message["message"].split("\n")[0]
    if not wrong:
        sys.exit("".join(message["rendered"] for message in unknown) or run.stderr)
    return wrong


def spans(message):
    for span in message["spans"]:
        while span:
            yield span
            span = (span.get("expansion") or {}).get("span")
    for child in message["children"]:
        yield from (dict(span, is_primary=False) for span in child["spans"])


def ranges(text):
    return [(m.start(), m.end(), int(m[1])) for m in re.finditer(rb"/\*<(\d+)\*/.*?/\*\1>\*/", text, re.S)]


def limits(cpu):
    def set_them():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 2))
        resource.setrlimit(resource.RLIMIT_DATA, (DATA, DATA))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.setpgid(0, 0)
    return set_them


def run(program, names, mutant, seconds, reached=None):
    """How tests end: True if all pass; what it took; and what they print."""
    env = dict(ENV, LARDER_MUTANT=str(mutant), CARGO_MANIFEST_DIR=str(TREE / "crates/larder"))
    if reached:
        env["LARDER_REACHED"] = str(reached)
    began = time.time()
    child = subprocess.Popen([program, "-Zunstable-options", "--fail-fast", "--test-threads", "1", "--exact", *names],
                             cwd=TREE / "crates/larder", env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, preexec_fn=limits(int(seconds) + 1))
    try:
        text = child.communicate(timeout=4 * seconds + 10)[0]
    except subprocess.TimeoutExpired:
        text = b"(too long)"
    try:
        os.killpg(child.pid, 9)
    except ProcessLookupError:
        pass
    child.wait()
    return child.returncode == 0, time.time() - began, text.decode(errors="replace")


def programs(wanted):
    metadata = json.loads(subprocess.run(["cargo", "metadata", "--no-deps", "--format-version", "1"], cwd=TREE, check=True, capture_output=True).stdout)
    larder = next(p for p in metadata["packages"] if p["name"] == "larder")
    names = [t["name"] for t in larder["targets"] if "test" in t["kind"] and t["name"] not in CANNOT]
    names = [name for name in names if not wanted or name in wanted]
    unit = ["--lib"] if not wanted or "lib" in wanted else []
    arguments = [a for name in names for a in ("--test", name)]
    built = subprocess.run(["cargo", "+nightly", "test", "-p", "larder", *PACKAGES, "--all-features", "--no-run", *unit, *arguments, "--message-format", "json"],
                           cwd=TREE, env=ENV, stdout=subprocess.PIPE, text=True)
    if built.returncode:
        sys.exit("".join(json.loads(l)["message"]["rendered"] for l in built.stdout.splitlines() if json.loads(l).get("reason") == "compiler-message" and json.loads(l)["message"]["level"] == "error"))
    lines = map(json.loads, built.stdout.splitlines())
    return [line["executable"] for line in lines if line.get("executable") and line["profile"]["test"]]


def reach(pool, all_programs, count):
    """The tests, and which mutants each of them reaches."""
    tests = []
    for program in all_programs:
        text = subprocess.run([program, "--list", "--format", "terse"], env=ENV, check=True, capture_output=True, text=True).stdout
        tests += [(program, line.rpartition(":")[0]) for line in text.splitlines() if line.endswith(": test")]

    def one(numbered):
        number, test = numbered
        path = TARGET / f"reached-{number}"
        path.unlink(missing_ok=True)
        passed, seconds, text = run(test[0], [test[1]], "reached", SLOWEST, path)
        marks = path.read_bytes() if path.exists() else b""
        path.unlink(missing_ok=True)
        here = {n for n in range(1, count + 1) if any(marks[at + n] for at in range(0, len(marks), count + 1))}
        return test, passed, seconds, here, text

    kept, left = [], []
    for test, passed, seconds, here, text in pool.map(one, enumerate(tests)):
        (kept if passed and "1 passed" in text else left).append((seconds, test, here))
    print(f"   {len(kept)} tests; left out, since they fail as they are or take too long: {[Path(t[0]).name.rpartition('-')[0] + ' ' + t[1] for _, t, _ in left]}")
    return sorted(kept, key=lambda k: k[0])


class Judge:
    """Finds the test that fails when a mutant is on: its name, or None. What caught others of the file comes first."""

    def __init__(self, tests, options):
        self.tests = [t for t in tests if t[0] <= options.slowest]
        self.options = options
        self.caught_by = collections.defaultdict(collections.Counter)

    def __call__(self, mutant):
        number, counts = mutant["number"], self.caught_by[mutant["file"]]
        tests = sorted((t for t in self.tests if number in t[2]), key=lambda t: t[0] / (1 + counts[t[1]]))
        first, rest = tests[:8], collections.defaultdict(list)
        for test in tests[8:]:
            rest[test[1][0]].append(test)
        for some in [[test] for test in first] + sorted(rest.values(), key=len):
            program, seconds = some[0][1][0], sum(t[0] for t in some)
            passed, _, text = run(program, [t[1][1] for t in some], number, 3 * seconds + 3)
            if self.options.verbose:
                print(program, "passed" if passed else text)
            if not passed:
                failed = re.findall(r"^test (\S+) .*FAILED$", text, re.M) or re.findall(r"^test (\S+)", text, re.M)
                counts[program, failed[-1] if failed else ""] += 1
                return failed[-1] if failed else "some test"
        return None


def alone(mutant, tree, options):
    """Builds and tests a mutant by itself, in a tree of its own: how that ends."""
    arguments = [a for name in options.programs or ["lib"] for a in (["--lib"] if name == "lib" else ["--test", name])]
    env = dict(ENV, CARGO_TARGET_DIR=str(TARGET / "alone-build"), CARGO_PROFILE_DEV_OPT_LEVEL="0", CARGO_INCREMENTAL="1")
    file, path = File(mutant["file"], []), tree / mutant["file"]
    begin, end = (file.at(mutant["span"][side]) for side in ("start", "end"))
    path.write_bytes(file.bytes[:begin] + b" " + mutant["replacement"].encode() + b" " + file.bytes[end:])
    try:
        for outcome, more, seconds in ((UNVIABLE, ["--no-run"], None), (" ".join(options.programs or ["lib"]), [], 300)):
            command = ["cargo", "test", "-q", "-p", "larder", *PACKAGES, "--all-features", *arguments, *more]
            if subprocess.run(command, cwd=tree, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds).returncode:
                return outcome
        return MISSED
    except subprocess.TimeoutExpired:
        return "some test"
    finally:
        path.write_bytes(file.bytes)


# How a mutant ends, unless with the name of what caught it.
MISSED, UNVIABLE, NOT_RUN, NOT_REACHED = "missed", "does not compile", "cannot be woven in", "is not reached"


class Outcomes:
    """What became of each mutant, by name, kept from run to run."""

    def __init__(self):
        self.path = TARGET / "outcomes.json"
        self.all = json.loads(self.path.read_text()) if self.path.exists() else {}

    def note(self, mutant, outcome):
        # Of what was caught once, a run with fewer tests says nothing new.
        if self.all.get(mutant["short"]) in (None, MISSED, NOT_RUN, NOT_REACHED) or outcome not in (MISSED, NOT_REACHED, NOT_RUN):
            self.all[mutant["short"]] = outcome

    def keep(self):
        self.path.write_text(json.dumps(self.all, indent=0))


def explained():
    path = ROOT / "scripts/mutants.txt"
    return {line.rstrip() for line in path.read_text().splitlines() if line and line[0] not in "# "} if path.exists() else set()


def table(mutants, outcomes):
    return "".join(f"{m['number']}\t{m['name']}\t{m['short']}\n" for m in mutants)


def report(mutants, outcomes):
    """The score by file; what is left in target/mutants/missed.txt and alone.txt."""
    known, total, caught, excused = explained(), collections.Counter(), collections.Counter(), 0
    left = {MISSED: [], NOT_REACHED: [], NOT_RUN: []}
    for mutant in mutants:
        outcome = outcomes.all.get(mutant["short"], NOT_RUN)
        if outcome == UNVIABLE:
            continue
        total[mutant["file"]] += 1
        if outcome not in left:
            caught[mutant["file"]] += 1
        elif mutant["short"] in known:
            excused += 1
        else:
            left[outcome].append(mutant)
    (TARGET / "missed.txt").write_text(table(left[MISSED], outcomes))
    (TARGET / "alone.txt").write_text(table(left[NOT_REACHED] + left[NOT_RUN], outcomes))
    for file, count in sorted(total.items()):
        print(f"{caught[file]:4} of {count:4}  {file}")
    for short in sorted(known - {m["short"] for m in mutants}):
        print(f"!! scripts/mutants.txt explains what is no mutant: {short}")
    for mutant in mutants:
        if mutant["short"] in known and outcomes.all.get(mutant["short"], MISSED) not in left:
            print(f"!! scripts/mutants.txt explains what is caught: {mutant['short']}")
    all_, got = sum(total.values()), sum(caught.values())
    print(f"{got} of {all_} that compile are caught, {100 * got / max(1, all_):.1f} %; {excused} are explained, {100 * (got + excused) / max(1, all_):.1f} % in all; "
          f"left are {len(left[MISSED])} (target/mutants/missed.txt) and {len(left[NOT_REACHED] + left[NOT_RUN])} to be built alone (alone.txt)")


def built(mutants, options):
    """What does not compile, and the tests of a program that has all the rest in it (or of these files, if so told)."""
    if options.only:
        mutants = [m for m in mutants if any(part in m["file"] for part in options.files)]
    kept = TARGET / "kept.json"
    if options.again:
        left_out, tests = json.loads(kept.read_text())
        return ({int(number): why for number, why in left_out.items()},
                [(seconds, tuple(test), set(here)) for seconds, test, here in tests])
    print(f"-- {len(mutants)} mutants are woven into one program", flush=True)
    left_out = weave(mutants)
    print(f"-- {len(left_out)} left out; building the tests", flush=True)
    all_programs = programs(options.programs)
    print("-- which test reaches which", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = reach(pool, all_programs, max(m["number"] for m in mutants))
    kept.write_text(json.dumps((left_out, [(seconds, test, sorted(here)) for seconds, test, here in tests])))
    return left_out, tests


def try_all(mutants, chosen, outcomes, options):
    """Turns on one mutant after the other."""
    left_out, tests = built(mutants, options)
    reached = set().union(*(here for _, _, here in tests))
    for mutant in chosen:
        number = mutant["number"]
        if number in left_out:
            # The value of a function is what cargo-mutants would build, too; what else does not compile may be our weaving.
            outcomes.note(mutant, UNVIABLE if mutant["genre"] == "FnValue" else NOT_RUN)
        elif number not in reached:
            outcomes.note(mutant, NOT_REACHED)
    chosen = [m for m in chosen if m["number"] not in left_out and m["number"] in reached]
    print(f"-- {len(chosen)} mutants under {len(tests)} tests", flush=True)
    judge, began, survive = Judge(tests, options), time.time(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(judge, m): m for m in chosen}
        for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
            killer = future.result()
            survive += not killer
            outcomes.note(futures[future], killer or MISSED)
            if done % 20 == 0 or done == len(chosen):
                outcomes.keep()
                print(f"   {done} of {len(chosen)}, {survive} survive, {time.time() - began:.0f} s", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--files", nargs="+", default=[""], help="parts of paths: mutants of these files")
    options.add_argument("--names", help="a file of names, such as target/mutants/missed.txt: these mutants")
    options.add_argument("--left", action="store_true", help="mutants that no run has caught yet and no page explains")
    options.add_argument("--untried", action="store_true", help="mutants that no run has tried yet: a run that ended is resumed")
    options.add_argument("--only", action="store_true", help="no others than those of --files are built in: sooner ready")
    options.add_argument("--alone", action="store_true", help="each is built by itself")
    options.add_argument("--programs", nargs="+", help="test programs, or lib for unit tests; all unless told (alone: lib)")
    options.add_argument("--slowest", type=float, default=SLOWEST, help="seconds that a test may take by itself")
    options.add_argument("--again", action="store_true", help="what was woven and built is used again")
    options.add_argument("--verbose", action="store_true", help="what the tests say")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--report", action="store_true", help="what is known by now, and no more")
    options = options.parse_args()
    TARGET.mkdir(parents=True, exist_ok=True)
    mutants, outcomes, known = listed(), Outcomes(), explained()
    chosen = [m for m in mutants if any(part in m["file"] for part in options.files)]
    if options.names:
        names = {line.rstrip("\n").split("\t")[-1] for line in open(options.names)}
        chosen = [m for m in chosen if m["short"] in names]
    if options.left:
        open_ = (MISSED, NOT_REACHED, NOT_RUN)
        chosen = [m for m in chosen if outcomes.all.get(m["short"], NOT_RUN) in open_ and m["short"] not in known]
    if options.untried:
        chosen = [m for m in chosen if m["short"] not in outcomes.all]
    # In the order of the files as they are named, so that the first are done where a run is ended.
    chosen.sort(key=lambda m: next(at for at, part in enumerate(options.files) if part in m["file"]))
    if options.alone:
        tree = TARGET / "alone"
        copy(tree)
        for mutant in chosen:
            outcomes.note(mutant, alone(mutant, tree, options))
            outcomes.keep()
    elif not options.report:
        try_all(mutants, chosen, outcomes, options)
    outcomes.keep()
    report(mutants, outcomes)


if __name__ == "__main__":
    main()

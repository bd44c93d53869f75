//! How many instructions the daily work of an arena, and of what stands beside it, takes, as it was
//! when it was last reviewed.
//!
//! Times on shared machines differ by a tenth from run to run; this differs by nothing, and so shows what
//! a change costs. It does not show what memory costs: `larder-lab` does.
//!
//! `BLESS=1 cargo test -p larder --test instructions` writes the file in `tests/instructions/` anew.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
#![expect(clippy::print_stderr, reason = "says what was left out")]

use core::sync::atomic::{AtomicUsize, Ordering};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use larder_testing::compiled;

/// What the example `instructions` can do.
///
/// A path with a number behind its name is the same work on so many times as much.
const PATHS: &[&str] = &[
    "get",
    "insert",
    "insert_reserved",
    "remove_random",
    "remove_order",
    "refill_order",
    "refill_scattered",
    "churn_100",
    "churn_90",
    "batch_churn",
    "for_50",
    "first",
    "lent_columns",
    "sorted_add",
    "sorted_find",
    "sorted_walk",
    "sorted_pop_first",
    "sorted_remove",
    "names_intern_new",
    "names_intern",
    "names_find",
    "names_resolve",
    "names_release",
    "names_release_2",
    "names_release_4",
    "lists_compact",
    "lists_compact_2",
    "lists_compact_4",
    "lists_make",
    "lists_push",
    "lists_churn",
    "lists_replace",
    "grid_insert",
    "grid_insert_2",
    "grid_insert_4",
    "grid_within",
    "grid_within_2",
    "grid_within_4",
    "grid_nearest",
    "grid_nearest_2",
    "grid_nearest_4",
    "grid_move",
    "grid_move_2",
    "grid_move_4",
    "grid_remove",
    "grid_remove_2",
    "grid_remove_4",
    "grid_thinned",
    "grid_thinned_2",
    "grid_thinned_4",
    "multi_add",
    "multi_add_2",
    "multi_add_4",
    "multi_add_one",
    "multi_add_one_2",
    "multi_add_one_4",
    "multi_find",
    "multi_find_2",
    "multi_find_4",
    "multi_loop",
    "multi_move",
    "multi_move_2",
    "multi_move_4",
    "multi_remove",
    "multi_remove_2",
    "multi_remove_4",
    "multi_remove_one",
    "multi_remove_one_2",
    "multi_remove_one_4",
    "unique_add",
    "unique_add_2",
    "unique_add_4",
    "unique_find",
    "unique_find_2",
    "unique_find_4",
    "unique_move",
    "unique_move_2",
    "unique_move_4",
    "unique_remove",
    "unique_remove_2",
    "unique_remove_4",
    "tree_descendants",
    "links_descendants",
    "tree_children",
    "links_children",
    "tree_ancestors",
    "links_ancestors",
    "tree_append",
    "tree_remove",
    "links_remove",
    "links_mend",
    "links_mend_2",
    "links_mend_4",
    "secondary_insert",
    "secondary_insert_2",
    "secondary_insert_4",
    "secondary_get",
    "sparse_insert",
    "sparse_insert_2",
    "sparse_insert_4",
    "sparse_get",
    "bucket_walk",
    "bucket_walk_holes",
    "tree_take",
    "tree_take_2",
    "tree_take_4",
    "links_take",
    "links_take_2",
    "links_take_4",
    "key_list_take",
    "key_list_take_2",
    "key_list_take_4",
    "list_in_take",
    "list_in_take_2",
    "list_in_take_4",
    "bucket_take",
    "bucket_take_2",
    "bucket_take_4",
    "undo_one",
    "undo_one_2",
    "undo_one_4",
    "ordered_add",
    "ordered_add_2",
    "ordered_add_4",
    "ordered_add_one",
    "ordered_add_one_2",
    "ordered_add_one_4",
    "ordered_find",
    "ordered_find_2",
    "ordered_find_4",
    "ordered_find_one",
    "ordered_find_one_2",
    "ordered_find_one_4",
    "ordered_remove",
    "ordered_remove_2",
    "ordered_remove_4",
    "ordered_remove_one",
    "ordered_remove_one_2",
    "ordered_remove_one_4",
    "ordered_first",
    "ordered_first_2",
    "ordered_first_4",
    "ordered_first_one",
    "ordered_first_one_2",
    "ordered_first_one_4",
    "texts_intern",
    "texts_intern_2",
    "texts_intern_4",
    "texts_find",
    "texts_find_2",
    "texts_find_4",
    "texts_resolve",
    "texts_resolve_2",
    "texts_resolve_4",
    "values_push",
    "values_push_2",
    "values_push_4",
    "values_pop",
    "values_pop_2",
    "values_pop_4",
    "values_swap_remove",
    "values_swap_remove_2",
    "values_swap_remove_4",
    "values_free",
    "values_free_2",
    "values_free_4",
    "values_free_long",
    "values_free_long_2",
    "values_free_long_4",
    "beside_get",
    "beside_get_2",
    "beside_get_4",
    "beside_remove",
    "beside_remove_2",
    "beside_remove_4",
    "beside_sparse_get",
    "beside_sparse_get_2",
    "beside_sparse_get_4",
    "beside_sparse_remove",
    "beside_sparse_remove_2",
    "beside_sparse_remove_4",
    "beside_tree_append",
    "beside_tree_append_2",
    "beside_tree_append_4",
    "beside_tree_again",
    "beside_tree_again_2",
    "beside_tree_again_4",
    "beside_links_append",
    "beside_links_append_2",
    "beside_links_append_4",
    "beside_bucket_set",
    "beside_bucket_set_2",
    "beside_bucket_set_4",
    "beside_bucket_move",
    "beside_bucket_move_2",
    "beside_bucket_move_4",
    "beside_key_list_push",
    "beside_key_list_push_2",
    "beside_key_list_push_4",
    "beside_key_list_again",
    "beside_key_list_again_2",
    "beside_key_list_again_4",
    "beside_list_in_push",
    "beside_list_in_push_2",
    "beside_list_in_push_4",
    "ends_first",
    "ends_first_2",
    "ends_first_4",
    "ends_last",
    "ends_last_2",
    "ends_last_4",
    "ends_pop_last",
    "ends_pop_last_2",
    "ends_pop_last_4",
    "near_tree_prepend",
    "near_tree_prepend_2",
    "near_tree_prepend_4",
    "near_tree_before",
    "near_tree_before_2",
    "near_tree_before_4",
    "near_tree_after",
    "near_tree_after_2",
    "near_tree_after_4",
    "near_links_prepend",
    "near_links_prepend_2",
    "near_links_prepend_4",
    "near_links_before",
    "near_links_before_2",
    "near_links_before_4",
    "near_links_after",
    "near_links_after_2",
    "near_links_after_4",
    "near_key_list_push",
    "near_key_list_push_2",
    "near_key_list_push_4",
    "near_key_list_pop",
    "near_key_list_pop_2",
    "near_key_list_pop_4",
    "near_list_in_push",
    "near_list_in_push_2",
    "near_list_in_push_4",
    "near_list_in_pop",
    "near_list_in_pop_2",
    "near_list_in_pop_4",
    "near_list_in_mend",
    "near_list_in_mend_2",
    "near_list_in_mend_4",
    "shared_more",
    "shared_more_2",
    "shared_more_4",
    "shared_acquire",
    "shared_acquire_2",
    "shared_acquire_4",
    "some_gone_back",
    "some_gone_back_2",
    "some_gone_back_4",
    "some_polled",
    "some_polled_2",
    "some_polled_4",
    "some_sent",
    "some_sent_2",
    "some_sent_4",
    "some_applied",
    "some_applied_2",
    "some_applied_4",
    "some_joined",
    "some_joined_2",
    "some_joined_4",
    "later_add",
    "later_add_2",
    "later_add_4",
];

/// Numbers that differ by no more than this share are the same: the allocator's own instructions are
/// among them where an arena grows, and those are not ours.
const TOLERANCE: f64 = 0.02;

/// The paths whose work for one does not depend on how many there are, but for the allocator's.
const CONSTANT: &[&str] = &[
    "names_release",
    "lists_compact",
    "links_mend",
    "multi_add",
    "multi_add_one",
    "multi_find",
    "multi_move",
    "multi_remove",
    "multi_remove_one",
    "unique_add",
    "unique_find",
    "unique_move",
    "unique_remove",
    "grid_within",
    "grid_nearest",
    "grid_move",
    "tree_take",
    "links_take",
    "key_list_take",
    "list_in_take",
    "bucket_take",
    "grid_remove",
    "undo_one",
    "ordered_add_one",
    "ordered_find_one",
    "ordered_remove",
    "ordered_remove_one",
    "ordered_first",
    "ordered_first_one",
    "texts_find",
    "texts_resolve",
    "values_pop",
    "values_swap_remove",
    "values_free",
    "values_free_long",
    "beside_get",
    "beside_remove",
    "beside_sparse_get",
    "beside_sparse_remove",
    "beside_links_append",
    "beside_bucket_move",
    "beside_list_in_push",
    "beside_tree_again",
    "beside_key_list_again",
    "ends_first",
    "ends_last",
    "ends_pop_last",
    "near_tree_prepend",
    "near_tree_before",
    "near_tree_after",
    "near_links_prepend",
    "near_links_before",
    "near_links_after",
    "near_key_list_push",
    "near_key_list_pop",
    "near_list_in_push",
    "near_list_in_pop",
    "near_list_in_mend",
    "shared_more",
    "shared_acquire",
    "some_gone_back",
    "some_polled",
    "some_sent",
    "some_applied",
    "some_joined",
];

/// Those from nothing on: what the allocator has to copy for one is limited, and depends on what lies beside.
const AMORTISED: &[&str] = &[
    "texts_intern",
    "values_push",
    "beside_tree_append",
    "beside_bucket_set",
    "beside_key_list_push",
    "later_add",
];

/// How much more that may be at four times as many.
const AMORTISED_GROWTH: f64 = 1.5;

/// The paths whose work for one grows with the logarithm.
const LOGARITHMIC: &[&str] = &["ordered_add", "ordered_find"];

/// So many instructions more it may be among twice as many: a comparison of eight properties is about as many.
const A_DOUBLING: f64 = 40.0;

/// How much more it may be at four times as many.
const GROWTH: f64 = 1.1;

/// At most so many, whatever is kept in the file; without those of a path that does the same but for the operation.
///
/// These decide whether an index by hash is worth having beside a map of vectors: an addition has one more place to
/// write, and may take that much; a search has nothing more to do than the map's.
const BOUNDS: &[(&str, Option<&str>, f64)] =
    &[("multi_add", None, 140.0), ("multi_find", Some("multi_loop"), 36.0)];

/// The command that accepts what is new.
const RENEW: &str = "BLESS=1 cargo test -p larder --test instructions";

fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Instructions per operation of these paths, which one process follows one after the other: starting it takes longer
/// than most paths.
fn count(program: &Path, paths: &[&'static str]) -> Vec<(&'static str, f64)> {
    let file = format!("{}/counts.{}", env!("CARGO_TARGET_TMPDIR"), paths[0]);
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=counted", "--dump-after=counted"])
        .arg(format!("--callgrind-out-file={file}"))
        .arg(program)
        .args(paths)
        .output()
        .expect("valgrind runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{paths:?}: {complaint}");
    let operations = String::from_utf8_lossy(&output.stdout);
    let operations = operations.lines().map(|line| line.parse().expect("a number"));
    let operations: Vec<f64> = operations.collect();
    assert_eq!(operations.len(), paths.len(), "the example says how many they are");
    let per_operation = |(at, operations): (usize, &f64)| {
        let counted = format!("{file}.{}", at + 1);
        let text = fs::read_to_string(&counted).expect("the count is written");
        fs::remove_file(&counted).expect("it is there");
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
        let total: f64 = total.expect("the count has a sum").parse().expect("it is a number");
        assert!(total > *operations, "{}: nothing was counted", paths[at]);
        (paths[at], total / operations)
    };
    let counts = operations.iter().enumerate().map(per_operation).collect();
    // What was done after the last count.
    fs::remove_file(&file).expect("it is written at the end");
    counts
}

/// Those of all paths, counted side by side.
fn count_all(program: &Path) -> Vec<(&'static str, f64)> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // What is counted depends on what the allocator has done before: paths of one
    // word stay together.
    let word = |path: &'static str| path.split('_').next();
    let groups: Vec<_> = PATHS.chunk_by(|a, b| word(a) == word(b)).collect();
    let next = AtomicUsize::new(0);
    let groups_left = || groups.get(next.fetch_add(1, Ordering::Relaxed));
    let counted = || -> Vec<_> {
        core::iter::from_fn(groups_left).flat_map(|paths| count(program, paths)).collect()
    };
    let mut counts: Vec<_> = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|_| scope.spawn(counted)).collect();
        parts.into_iter().flat_map(|part| part.join().expect("each path is counted")).collect()
    });
    counts.sort_by_key(|&(path, _)| PATHS.iter().position(|&known| known == path));
    counts
}

/// The kept number of this path.
fn kept(file: &str, path: &str) -> Option<f64> {
    let mut lines = file.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == path)?.1.trim().parse().ok()
}

/// A line for a path that takes more instructions than it did, or fewer, or is not kept.
fn difference(path: &str, kept: Option<f64>, counted: f64) -> Option<String> {
    let Some(kept) = kept else {
        return Some(format!("{path:18} {:>8} {counted:8.1}", "-"));
    };
    let change = counted / kept - 1.0;
    (change.abs() > TOLERANCE)
        .then(|| format!("{path:18} {kept:8.1} {counted:8.1} {:+7.1} %", change * 100.0))
}

#[test]
fn daily_work_takes_as_many_instructions_as_it_did() {
    if !has_valgrind() {
        eprintln!("LEFT OUT: without valgrind, instructions cannot be counted");
        return;
    }
    if !compiled::same_compiler() {
        let version = compiled::version();
        eprintln!("LEFT OUT: the kept numbers are of another compiler than {version}");
        return;
    }
    let program = compiled::compile("instructions", &[], Path::new(env!("CARGO_TARGET_TMPDIR")))
        .join("release/examples/instructions");
    let counts = count_all(&program);
    let of = |path: String| counts.iter().find(|(name, _)| *name == path).map(|&(_, count)| count);
    let by_size = |path: &str| {
        ["", "_2", "_4"].map(|times| of(format!("{path}{times}")).expect("it is counted"))
    };
    for (paths, growth) in [(CONSTANT, GROWTH), (AMORTISED, AMORTISED_GROWTH)] {
        for &path in paths {
            let [once, twice, four] = by_size(path);
            assert!(twice.max(four) <= once * growth, "{path}: {once}, {twice}, {four}");
        }
    }
    for &path in LOGARITHMIC {
        let [once, twice, four] = by_size(path);
        let grown = (twice - once).max(four - twice);
        assert!(grown <= A_DOUBLING, "{path}: {once}, {twice}, {four}");
    }
    for &(path, around, most) in BOUNDS {
        let all = of(path.to_owned()).expect("it is counted");
        let around = around.map_or(0.0, |path| of(path.to_owned()).expect("it is counted"));
        assert!(all - around <= most, "{path}: {all} without {around}, at most {most}");
    }
    // (Of these, the smallest blocks are grown by the allocator in place; and how long ago a grid
    // was put in order differs.)
    for path in ["secondary_insert", "sparse_insert", "grid_insert", "grid_thinned"] {
        let [twice, four] = ["_2", "_4"].map(|times| of(format!("{path}{times}")));
        let grows = four > twice.map(|count| count * GROWTH);
        assert!(twice.is_some() && !grows, "{path}: {twice:?}, {four:?}");
    }
    let file = compiled::kept("instructions/x86-64.txt");
    if compiled::bless() {
        let lines: Vec<_> =
            counts.iter().map(|(path, count)| format!("{path:18} {count:8.1}\n")).collect();
        fs::write(&file, lines.concat()).expect("the numbers are written");
    }
    let text = fs::read_to_string(&file).unwrap_or_default();
    let differences: Vec<String> = counts
        .iter()
        .filter_map(|&(path, count)| difference(path, kept(&text, path), count))
        .collect();
    assert!(
        differences.is_empty(),
        "instructions an operation:\n{:18} {:>8} {:>8}\n{}\nif that is well, renew: {RENEW}",
        "",
        "kept",
        "now",
        differences.join("\n"),
    );
}

#[test]
fn what_differs_is_said() {
    let file = "get          14.0\nfirst       150.0\n";
    assert_eq!(kept(file, "first"), Some(150.0));
    assert_eq!(kept(file, "fir"), None);
    assert_eq!(difference("first", Some(150.0), 152.9), None);
    let line = difference("first", Some(150.0), 165.0).expect("it differs");
    assert!(line.ends_with("150.0    165.0   +10.0 %"), "{line}");
    assert!(difference("first", Some(150.0), 100.0).is_some(), "less is a difference, too");
    assert!(difference("first", None, 100.0).is_some());
}

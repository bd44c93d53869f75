//! The number of instructions of the daily work of an arena, and of the structures beside it, compared with the number
//! when it was last reviewed.
//!
//! Times on shared machines differ by a tenth from run to run; this differs by nothing, and so shows what
//! a change costs. It does not show what memory costs: `larder-lab` does.
//!
//! `BLESS=1 cargo test -p larder --test instructions` writes the file in `tests/instructions/` anew.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]

use core::sync::atomic::{AtomicUsize, Ordering};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use larder_testing::compiled;

/// The paths of the program `instructions`.
///
/// A number behind a path's name is the same work on so many times as much: see [`GROWING`].
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
    "loop_append_reserved",
    "loop_append_fresh",
    "loop_remove_order",
    "loop_remove_random",
    "loop_refill_order",
    "loop_refill_random",
    "loop_refill_scattered",
    "loop_pair_100",
    "loop_pair_50",
    "loop_pair_10",
    "loop_batch",
    "stack_append_reserved",
    "stack_append_fresh",
    "stack_remove_order",
    "stack_remove_random",
    "stack_refill_order",
    "stack_refill_random",
    "stack_refill_scattered",
    "stack_pair_100",
    "stack_pair_50",
    "stack_pair_10",
    "stack_batch",
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
    "lists_compact",
    "lists_make",
    "lists_push",
    "lists_churn",
    "lists_replace",
    "grid_insert",
    "grid_within",
    "grid_nearest",
    "grid_move",
    "grid_remove",
    "grid_thinned",
    "multi_add",
    "multi_add_one",
    "multi_find",
    "multi_loop",
    "multi_move",
    "multi_remove",
    "multi_remove_one",
    "unique_add",
    "unique_find",
    "unique_move",
    "unique_remove",
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
    "secondary_insert",
    "secondary_get",
    "secondary_entry",
    "sparse_insert",
    "sparse_get",
    "bucket_walk",
    "bucket_walk_holes",
    "tree_take",
    "links_take",
    "key_list_take",
    "list_in_take",
    "bucket_take",
    "undo_one",
    "tracked_insert",
    "tracked_get_mut",
    "tracked_iter_mut",
    "tracked_remove",
    "tracked_retain",
    "tracked_clear",
    "tracked_detach",
    "tracked_poll",
    "step_checkpoint",
    "step_forget",
    "step_undo",
    "step_redo",
    "step_rollback",
    "step_insert",
    "step_remove",
    "step_detach",
    "step_none",
    "step_none_told",
    "step_none_back",
    "step_held_back",
    "step_beside",
    "reverse_lists",
    "reverse_names",
    "reverse_tree",
    "reverse_key_list",
    "reverse_buckets",
    "ordered_add",
    "ordered_add_one",
    "ordered_find",
    "ordered_find_one",
    "ordered_remove",
    "ordered_remove_one",
    "ordered_first",
    "ordered_first_one",
    "texts_intern",
    "texts_find",
    "texts_resolve",
    "values_push",
    "values_pop",
    "values_swap_remove",
    "values_free",
    "values_free_long",
    "beside_get",
    "beside_remove",
    "beside_sparse_get",
    "beside_sparse_remove",
    "beside_tree_append",
    "beside_tree_again",
    "beside_links_append",
    "beside_bucket_set",
    "beside_bucket_move",
    "beside_key_list_push",
    "beside_key_list_again",
    "beside_list_in_push",
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
    "later_add",
    "owned_text_acquire",
    "owned_text_share",
    "owned_text_release",
    "owned_list_get",
    "owned_list_edit",
    "owned_list_splice",
    "owned_list_clone",
    "owned_list_make",
    "table_bare_insert",
    "table_alone_insert",
    "table_linked_insert",
    "table_filed_insert",
    "table_bare_write",
    "table_alone_write",
    "table_filed_write",
    "table_filed_modify",
    "table_bare_remove",
    "table_alone_remove",
    "table_linked_remove",
    "table_filed_remove",
];

/// The paths whose growth is looked at: those of these lists.
const GROWING: [&[&str]; 4] = [CONSTANT, AMORTISED, LOGARITHMIC, GROWN];

/// Each path, followed by the same of twice and four times as many objects, where its growth is looked at.
fn paths() -> Vec<&'static str> {
    let times = |path: &'static str| {
        let grows = GROWING.iter().any(|paths| paths.contains(&path));
        let more = ["_2", "_4"].iter().filter(move |_| grows);
        [path].into_iter().chain(more.map(move |times| &*format!("{path}{times}").leak()))
    };
    PATHS.iter().copied().flat_map(times).collect()
}

/// Numbers that differ by no more than this share are the same: the allocator's own instructions are
/// among them where an arena grows, and those are not ours.
const TOLERANCE: f64 = 0.02;

/// The paths whose work for one does not depend on how many there are, but for the allocator's.
const CONSTANT: &[&str] = &[
    "names_intern",
    "names_find",
    "names_resolve",
    "names_release",
    "lists_compact",
    "lists_make",
    "lists_push",
    "lists_churn",
    "lists_replace",
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
    "tracked_insert",
    "tracked_get_mut",
    "tracked_iter_mut",
    "tracked_remove",
    "tracked_retain",
    "tracked_clear",
    "tracked_detach",
    "tracked_poll",
    "step_checkpoint",
    "step_forget",
    "step_undo",
    "step_redo",
    "step_rollback",
    "step_insert",
    "step_remove",
    "step_detach",
    "step_none",
    "step_none_told",
    "step_none_back",
    "step_beside",
    "reverse_lists",
    "reverse_names",
    "reverse_tree",
    "reverse_key_list",
    "reverse_buckets",
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
    "owned_text_acquire",
    "owned_text_share",
    "owned_text_release",
    "owned_list_get",
    "owned_list_edit",
    "owned_list_clone",
];

/// Those from nothing on: what the allocator has to copy for one is limited, and depends on what lies beside.
const AMORTISED: &[&str] = &[
    "names_intern_new",
    "texts_intern",
    "values_push",
    "beside_tree_append",
    "beside_bucket_set",
    "beside_key_list_push",
    "later_add",
    "owned_list_make",
    "owned_list_splice",
];

/// Those of which four times as many are compared with twice as many: from nothing on, where the first blocks are grown by
/// the allocator in place; those of a grid, which are put in order now and then; and where up to so many free slots are
/// at hand as there are not yet in the fewest.
const GROWN: &[&str] =
    &["secondary_insert", "sparse_insert", "grid_insert", "grid_thinned", "step_held_back"];

/// The factor by which that may be more at four times as many.
const AMORTISED_GROWTH: f64 = 1.5;

/// The paths whose work for one grows with the logarithm.
const LOGARITHMIC: &[&str] = &["ordered_add", "ordered_find"];

/// So many instructions more it may be among twice as many: a comparison of eight properties is about as many.
const A_DOUBLING: f64 = 40.0;

/// The factor by which it may be more at four times as many.
const GROWTH: f64 = 1.1;

/// At most so many, whatever is kept in the file; without those of a path that does the same but for the operation.
///
/// These decide whether an index by hash is worth having beside a map of vectors: an addition has one more place to
/// write, and may take that much; a search has nothing more to do than the map's.
const BOUNDS: &[(&str, Option<&str>, f64)] =
    &[("multi_add", None, 140.0), ("multi_find", Some("multi_loop"), 36.0)];

/// The work that takes about as long where free slots are a stack (`stack_`) as in the default order (`loop_`).
const ORDERS: [&str; 11] = [
    "append_reserved",
    "append_fresh",
    "remove_order",
    "remove_random",
    "refill_order",
    "refill_random",
    "refill_scattered",
    "pair_100",
    "pair_50",
    "pair_10",
    "batch",
];

/// The factor by which it may be more.
const OF_THE_DEFAULT: f64 = 1.2;

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
    assert_eq!(operations.len(), paths.len(), "the program says how many they are");
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
    // The rest is what was done after the last count.
    fs::remove_file(&file).expect("it is written at the end");
    counts
}

/// Those of all paths, counted side by side.
fn count_all(program: &Path) -> Vec<(&'static str, f64)> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // A count depends on the earlier work of the allocator: paths of one word stay together.
    let word = |path: &'static str| path.split('_').next();
    let all = paths();
    let groups: Vec<_> = all.chunk_by(|a, b| word(a) == word(b)).collect();
    let next = AtomicUsize::new(0);
    let groups_left = || groups.get(next.fetch_add(1, Ordering::Relaxed));
    let counted = || -> Vec<_> {
        core::iter::from_fn(groups_left).flat_map(|paths| count(program, paths)).collect()
    };
    let mut counts: Vec<_> = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|_| scope.spawn(counted)).collect();
        parts.into_iter().flat_map(|part| part.join().expect("each path is counted")).collect()
    });
    counts.sort_by_key(|&(path, _)| all.iter().position(|&known| known == path));
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
        return compiled::left_out("without valgrind, instructions cannot be counted: install it");
    }
    if !compiled::same_compiler() {
        return compiled::left_out(&compiled::of_another_compiler(
            "the kept number of instructions",
        ));
    }
    let program = compiled::compile("instructions", &[], Path::new(env!("CARGO_TARGET_TMPDIR")));
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
    for &path in GROWN {
        let [_, twice, four] = by_size(path);
        assert!(four <= twice * GROWTH, "{path}: {twice}, {four}");
    }
    for work in ORDERS {
        let [by_default, stack] =
            ["loop", "stack"].map(|order| of(format!("{order}_{work}")).expect("it is counted"));
        assert!(stack <= by_default * OF_THE_DEFAULT, "{work}: {by_default}, as a stack {stack}");
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

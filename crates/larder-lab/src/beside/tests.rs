//! Every workload on every subject, at counts small enough for a debug build.

use indicatif::ProgressBar;

use super::{bars, hierarchy, kinds, lists, side};
use crate::study::bars::all_are_about;
use crate::study::{Contest, Part, Row};

fn rows_of(parts: impl Iterator<Item = Part>) -> Vec<Row> {
    let progress = ProgressBar::hidden();
    let small = parts.filter(|part| part.count <= 1_000);
    let rows = small.map(|part| part.measure(&Contest::once(part.study, part.count, &progress)));
    rows.flat_map(|rows| rows.expect("they agree")).collect()
}

#[test]
fn all_subjects_agree_and_every_bar_is_judged() {
    let mut rows = rows_of(side::parts());
    assert_eq!(rows.len(), side::PERCENT.len() * 7 * 5);
    rows.extend(rows_of(hierarchy::parts()));
    rows.extend(rows_of(kinds::parts()));
    let progress = ProgressBar::hidden();
    let contest = Contest::once(lists::NAME, 340, &progress);
    rows.extend(lists::measure(&contest).expect("they agree"));
    assert!(rows.iter().all(|row| row.ns > 0.0));
    all_are_about(bars::BARS, &rows);
}

/// Only what a rival cannot do is left out.
#[test]
fn all_hierarchies_do_what_they_can() {
    let rows = rows_of(hierarchy::parts());
    let done = |subject: &str| rows.iter().filter(|row| row.subject == subject).count();
    assert_eq!(["indextree", "Arena and Tree", "Arena of Links"].map(done), [10; 3]);
    assert_eq!(["ego-tree", "Vec<Box>"].map(done), [6, 2]);
}

//! Every workload on every store, at counts small enough for a debug build.

use indicatif::ProgressBar;

use super::stores::STUDIES;
use super::{bars, denormals, holes, temporary};
use crate::study::bars::all_are_about;
use crate::study::{Contest, Row};

#[test]
fn all_stores_agree_at_every_workload_of_every_study() {
    let progress = ProgressBar::hidden();
    for study in STUDIES {
        for count in [1, 100, 1_030] {
            let contest = Contest::once(study.name, count, &progress);
            let rows = study.measure(&contest).expect("they agree");
            assert_eq!(rows.len(), study.jobs.len() * (study.lineup)().len(), "{}", study.name);
            assert!(rows.iter().all(|row| row.ns > 0.0 && row.count == count));
        }
    }
}

#[test]
fn temporary_columns_compute_what_rows_and_columns_do() {
    let progress = ProgressBar::hidden();
    for operations in temporary::OPERATIONS {
        let contest = Contest::once(temporary::NAME, 1_000, &progress);
        let rows = temporary::measure(&contest, operations);
        assert_eq!(rows.expect("they agree").len(), 3);
    }
}

#[test]
fn what_holes_hold_changes_no_value() {
    let progress = ProgressBar::hidden();
    let rows = denormals::measure(&Contest::once(denormals::NAME, 300, &progress));
    assert_eq!(rows.expect("they agree").len(), 2);
}

/// What all densities of `holes` give at one count.
fn rows_of_holes(count: usize) -> Vec<Row> {
    let progress = ProgressBar::hidden();
    let contest = Contest::once(holes::NAME, count, &progress);
    let measure = |&percent| holes::measure(&contest, percent).expect("they agree");
    holes::PERCENT.iter().flat_map(measure).collect()
}

#[test]
fn all_passes_over_holes_leave_the_same_numbers() {
    assert_eq!(rows_of_holes(300).len(), holes::PERCENT.len() * 8);
}

#[test]
fn every_bar_is_judged_by_what_is_measured() {
    let progress = ProgressBar::hidden();
    let measure = |study: &super::stores::Study| {
        study.measure(&Contest::once(study.name, 100, &progress)).expect("they agree")
    };
    let mut rows: Vec<Row> = STUDIES.iter().flat_map(measure).collect();
    rows.extend(rows_of_holes(100));
    all_are_about(bars::BARS, &rows);
}

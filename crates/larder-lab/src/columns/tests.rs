//! Every workload on every store, at counts small enough for a debug build.

use indicatif::ProgressBar;

use super::studies::STUDIES;
use super::{bars, denormals, holes, temporary};
use crate::study::Row;
use crate::study::bars::all_are_about;
use crate::study::tests::ONCE;

#[test]
fn all_stores_agree_at_every_workload_of_every_study() {
    for study in STUDIES {
        for count in [1, 100, 1_030] {
            let rows = study.measure(count, ONCE, &ProgressBar::hidden()).expect("they agree");
            assert_eq!(rows.len(), study.jobs.len() * (study.lineup)().len(), "{}", study.name);
            assert!(rows.iter().all(|row| row.ns > 0.0 && row.count == count));
        }
    }
}

#[test]
fn temporary_columns_compute_what_rows_and_columns_do() {
    for operations in temporary::OPERATIONS {
        let rows = temporary::measure(1_000, operations, ONCE);
        assert_eq!(rows.expect("they agree").len(), 3);
    }
}

#[test]
fn what_holes_hold_changes_no_value() {
    let rows = denormals::measure(300, ONCE).expect("they agree");
    assert_eq!(rows.len(), 2);
}

#[test]
fn all_passes_over_holes_leave_the_same_numbers() {
    for percent in holes::PERCENT {
        let rows = holes::measure(300, *percent, ONCE).expect("they agree");
        assert_eq!(rows.len(), 8);
    }
}

#[test]
fn every_bar_is_judged_by_what_is_measured() {
    let mut rows: Vec<Row> = Vec::new();
    for study in STUDIES {
        rows.extend(study.measure(100, ONCE, &ProgressBar::hidden()).expect("they agree"));
    }
    for percent in holes::PERCENT {
        rows.extend(holes::measure(100, *percent, ONCE).expect("they agree"));
    }
    all_are_about(bars::BARS, &rows);
}

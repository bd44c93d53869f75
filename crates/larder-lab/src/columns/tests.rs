//! Every workload on every store, at counts small enough for a debug build.

use indicatif::ProgressBar;

use super::studies::STUDIES;
use super::turns::Method;
use super::{bars, chosen, command, holes, parts, temporary};
use crate::cli::ColumnsOptions;

/// One turn each.
const ONCE: Method = Method { rounds: 1, enough: 1.0 };

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
        let rows = temporary::measure(1_000, operations, ONCE, &ProgressBar::hidden());
        assert_eq!(rows.expect("they agree").len(), 3);
    }
}

#[test]
fn all_passes_over_holes_leave_the_same_numbers() {
    for percent in holes::PERCENT {
        let rows = holes::measure(300, *percent, ONCE, &ProgressBar::hidden()).expect("they agree");
        assert_eq!(rows.len(), 8);
    }
}

#[test]
fn every_bar_is_judged_by_what_is_measured() {
    let mut rows = Vec::new();
    for study in STUDIES {
        rows.extend(study.measure(100, ONCE, &ProgressBar::hidden()).expect("they agree"));
    }
    for percent in holes::PERCENT {
        rows.extend(
            holes::measure(100, *percent, ONCE, &ProgressBar::hidden()).expect("they agree"),
        );
    }
    assert_eq!(bars::verdicts(&rows).len(), bars::count());
}

#[test]
fn names_and_counts_choose() {
    let options = ColumnsOptions {
        quick: true,
        studies: vec!["tick".to_owned()],
        ..ColumnsOptions::default()
    };
    let some = chosen(&options).expect("there is such a study");
    assert_eq!(some.len(), 4);
    let quick = ColumnsOptions { quick: true, ..ColumnsOptions::default() };
    assert_eq!(chosen(&quick).expect("all").len(), parts().len() - 1);
    let none = ColumnsOptions { studies: vec!["tock".to_owned()], ..ColumnsOptions::default() };
    let error = chosen(&none).err().expect("no such study").to_string();
    assert_eq!(error, "there is no study `tock`; there are tick, assoc, keys, holes, temporary");
    let none = ColumnsOptions { counts: vec![7], ..ColumnsOptions::default() };
    assert!(chosen(&none).is_err());
}

#[test]
fn the_command_does_the_same_again() {
    let options = ColumnsOptions {
        quick: true,
        studies: vec!["holes".to_owned()],
        counts: vec![100_000],
        json: None,
    };
    assert!(command(&options).ends_with("-- columns --quick --study holes --count 100000"));
}

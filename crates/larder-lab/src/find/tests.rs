//! Every workload on every subject, at counts small enough for a debug build.

use indicatif::ProgressBar;

use super::{bars, children, names};
use crate::study::bars::all_are_about;
use crate::study::tests::ONCE;

#[test]
fn all_subjects_agree_and_every_bar_is_about_them() {
    let progress = ProgressBar::hidden();
    let mut rows = children::measure(400, ONCE, &progress).expect("they agree");
    assert_eq!(rows.len(), children::JOBS.len() * 7);
    rows.extend(names::measure(3_000, ONCE, &progress).expect("they agree"));
    assert_eq!(rows.len(), children::JOBS.len() * 7 + 5 * 7 + 2 * 2);
    assert!(rows.iter().all(|row| row.ns > 0.0));
    all_are_about(bars::BARS, &rows);
}

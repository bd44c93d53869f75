//! Every workload on every subject, at a count small enough for a debug build.

use indicatif::ProgressBar;

use super::{bars, saving, walking};
use crate::study::Contest;
use crate::study::bars::all_are_about;

#[test]
fn all_subjects_agree_and_every_bar_is_judged() {
    let progress = ProgressBar::hidden();
    let rows = saving::measure(&Contest::once(saving::NAME, 1_000, &progress));
    let mut rows = rows.expect("they agree");
    let walks = walking::measure(&Contest::once(walking::NAME, 1_000, &progress));
    rows.extend(walks.expect("they agree"));
    assert!(rows.iter().all(|row| row.ns > 0.0));
    all_are_about(bars::BARS, &rows);
}

//! Every workload on every subject, at counts small enough for a debug build.

use indicatif::ProgressBar;

use super::{bars, side};
use crate::study::Row;
use crate::study::bars::all_are_about;
use crate::study::tests::ONCE;

fn rows_of(parts: impl Iterator<Item = crate::study::Part>) -> Vec<Row> {
    let measure = |part: crate::study::Part| part.measure(ONCE, &ProgressBar::hidden());
    parts.flat_map(|part| measure(part).expect("they agree")).collect()
}

#[test]
fn all_maps_agree_and_every_bar_is_about_them() {
    let rows = rows_of(side::parts().filter(|part| part.count == 1_000));
    assert_eq!(rows.len(), side::PERCENT.len() * 7 * 5);
    assert!(rows.iter().all(|row| row.ns > 0.0));
    all_are_about(bars::BARS, &rows);
}

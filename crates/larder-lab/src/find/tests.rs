//! Every workload on every subject, at counts small enough for a debug build.

use indicatif::ProgressBar;

use super::children::lengths;
use super::{bars, children, grid, names, observers, ordered, unique, views};
use crate::study::Part;
use crate::study::bars::all_are_about;
use crate::study::tests::ONCE;

#[test]
fn all_subjects_agree_and_every_bar_is_about_them() {
    let progress = ProgressBar::hidden();
    let mut rows = children::measure(400, ONCE, &progress).expect("they agree");
    assert_eq!(rows.len(), children::JOBS.len() * 7);
    rows.extend(names::measure(3_000, ONCE, &progress).expect("they agree"));
    assert_eq!(rows.len(), children::JOBS.len() * 7 + 5 * 7 + 4 * 2);
    for mean in lengths::MEANS {
        rows.extend(lengths::measure(1_000, mean, ONCE, &progress).expect("they agree"));
    }
    for spread in observers::SPREADS {
        rows.extend(observers::measure(300, spread, ONCE, &progress).expect("they agree"));
    }
    rows.extend(grid::measure::<2>(500, ONCE, &progress).expect("they agree"));
    rows.extend(grid::measure::<3>(500, ONCE, &progress).expect("they agree"));
    let parts = unique::parts().chain(ordered::parts()).chain(views::parts());
    let small = parts.filter(|part| part.count <= 1_000);
    let measure = |part: Part| part.measure(ONCE, &progress).expect("they agree");
    rows.extend(small.flat_map(measure));
    assert!(rows.iter().all(|row| row.ns > 0.0));
    all_are_about(bars::BARS, &rows);
}

//! Every workload on every subject, at counts small enough for a debug build.

use indicatif::ProgressBar;

use super::children::lengths;
use super::{bars, changes, children, grid, names, observers, ordered, unique, views};
use crate::study::bars::all_are_about;
use crate::study::{Contest, Part, Workload};

#[test]
fn all_subjects_agree_and_every_bar_is_judged() {
    let progress = ProgressBar::hidden();
    let once = |study, count| Contest::once(study, count, &progress);
    let mut rows = children::measure(&once(children::NAME, 400)).expect("they agree");
    assert_eq!(rows.len(), children::Job::ALL.len() * 7);
    rows.extend(names::measure(&once(names::NAME, 3_000)).expect("they agree"));
    assert_eq!(rows.len(), children::Job::ALL.len() * 7 + 5 * 7 + 5 * 2);
    for mean in lengths::MEANS {
        rows.extend(lengths::measure(&once(lengths::NAME, 1_000), mean).expect("they agree"));
    }
    for spread in observers::SPREADS {
        rows.extend(observers::measure(&once(observers::NAME, 300), spread).expect("they agree"));
    }
    rows.extend(grid::measure::<2>(&once(grid::NAME, 500)).expect("they agree"));
    rows.extend(grid::measure::<3>(&once(grid::NAME, 500)).expect("they agree"));
    let parts =
        unique::parts().chain(ordered::parts()).chain(views::parts()).chain(changes::parts());
    let small = parts.filter(|part| {
        part.count <= 10_000 && (part.count <= 1_000 || part.study == changes::NAME)
    });
    let measure = |part: Part| part.measure(&once(part.study, part.count)).expect("they agree");
    rows.extend(small.flat_map(measure));
    assert!(rows.iter().all(|row| row.ns > 0.0));
    all_are_about(bars::BARS, &rows);
}

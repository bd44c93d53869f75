//! Walking on all threads against walking on one: the same container, the same sum.

use larder::{Arena, Handle, SecondaryMap, SoaArena, join};
use rayon::prelude::*;

use crate::study::prelude::*;

/// A sum over so many values.
fn turn<'a>(subject: &'static str, count: usize, sum: impl Fn() -> u64 + 'a) -> Turn<'a> {
    Turn::of(subject, move |repeats| reading(&(), count, repeats, |()| sum()))
}

pub(super) fn parts() -> Vec<Part> {
    study::parts("threads", &[100_000, 10_000_000], NEVER_SLOW, measure)
}

/// Every tenth slot is a hole.
fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let mut rows: Arena<[u64; 8]> = (0..contest.count as u64).map(|number| [number; 8]).collect();
    rows.retain(|_, value| value[0] % 10 != 3);
    let mut columns: SoaArena<(u64, u64)> = (0..contest.count as u64).map(|n| (n, n)).collect();
    columns.retain(|_, (number, _)| *number % 10 != 3);
    let side: SecondaryMap<Handle<[u64; 8]>, u64> = rows.keys().map(|key| (key, 1)).collect();
    let live = rows.len();
    let numbers: Vec<u64> = columns.values().map(|(number, _)| *number).collect();
    contest.take_all_turns([
        (
            "rows",
            "the sum of a field of 64 bytes each, with a tenth of holes",
            vec![
                turn("one thread", live, || rows.iter().map(|(_, value)| value[0]).sum()),
                turn("rayon", live, || rows.par_iter().map(|(_, value)| value[0]).sum()),
            ],
        ),
        (
            "columns",
            "the sum of a column run by run, with a tenth of holes",
            vec![
                turn("one thread", live, || {
                    columns.runs().map(|run| run.0.iter().sum::<u64>()).sum()
                }),
                turn("rayon", live, || {
                    columns.runs().into_par_iter().map(|run| run.0.iter().sum::<u64>()).sum()
                }),
                // The same numbers side by side: what the memory of two cores allows.
                turn("slice, one thread", live, || numbers.iter().sum()),
                turn("slice, rayon", live, || {
                    numbers.par_chunks(4096).map(|run| run.iter().sum::<u64>()).sum()
                }),
            ],
        ),
        (
            "join",
            "rows and side data of each",
            vec![
                turn("one thread", live, || {
                    join((&rows, &side)).map(|(_, (value, side))| value[0] * side).sum()
                }),
                turn("rayon", live, || {
                    let both = join((&rows, &side)).into_par_iter();
                    both.map(|(_, (value, side))| value[0] * side).sum()
                }),
            ],
        ),
    ])
}

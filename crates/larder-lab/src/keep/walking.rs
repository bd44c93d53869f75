//! Walking on all threads against walking on one: the same container, the same sum.

use larder::{Arena, Handle, SecondaryMap, SoaArena, join};
use rayon::prelude::*;

use crate::study::prelude::*;

/// The name of the study.
pub(crate) const NAME: &str = "threads";
pub(crate) const COUNTS: &[usize] = &[100_000, 10_000_000];

pub(crate) const ONE: &str = "one thread";
pub(crate) const ALL: &str = "rayon";
/// The same numbers side by side: what the memory of two cores allows.
const SLICE: [&str; 2] = ["slice, one thread", "slice, rayon"];

/// A sum over so many values, timed.
fn turn<'a>(subject: &'static str, count: usize, sum: impl Fn() -> u64 + 'a) -> Turn<'a> {
    Turn::of(subject, move |repeats| {
        let (nanos, answer) = timed(&mut || (0..repeats).fold(0, |all, _| sum().wrapping_add(all)));
        Sample { nanos, operations: count as f64 * f64::from(repeats), answer }
    })
}

/// Every tenth slot is a hole.
pub(crate) fn measure(contest: &Contest<'_>) -> Result<Vec<Row>> {
    let mut rows: Arena<[u64; 8]> = (0..contest.count as u64).map(|number| [number; 8]).collect();
    rows.retain(|_, value| value[0] % 10 != 3);
    let mut columns: SoaArena<(u64, u64)> = (0..contest.count as u64).map(|n| (n, n)).collect();
    columns.retain(|_, (number, _)| *number % 10 != 3);
    let side: SecondaryMap<Handle<[u64; 8]>, u64> = rows.keys().map(|key| (key, 1)).collect();
    let live = rows.len();
    let numbers: Vec<u64> = columns.values().map(|(number, _)| *number).collect();
    let walks: [(&str, &str, Vec<Turn<'_>>); 3] = [
        (
            "rows",
            "the sum of a field of 64 bytes each, with a tenth of holes",
            vec![
                turn(ONE, live, || rows.iter().map(|(_, value)| value[0]).sum()),
                turn(ALL, live, || rows.par_iter().map(|(_, value)| value[0]).sum()),
            ],
        ),
        (
            "columns",
            "the sum of a column run by run, with a tenth of holes",
            vec![
                turn(ONE, live, || columns.runs().map(|run| run.0.iter().sum::<u64>()).sum()),
                turn(ALL, live, || {
                    columns.runs().into_par_iter().map(|run| run.0.iter().sum::<u64>()).sum()
                }),
                turn(SLICE[0], live, || numbers.iter().sum()),
                turn(SLICE[1], live, || {
                    numbers.par_chunks(4096).map(|run| run.iter().sum::<u64>()).sum()
                }),
            ],
        ),
        (
            "join",
            "rows and side data of each",
            vec![
                turn(ONE, live, || {
                    join((&rows, &side)).map(|(_, (value, side))| value[0] * side).sum()
                }),
                turn(ALL, live, || {
                    join((&rows, &side))
                        .into_par_iter()
                        .map(|(_, (value, side))| value[0] * side)
                        .sum()
                }),
            ],
        ),
    ];
    let mut all = Vec::new();
    for (workload, about, turns) in walks {
        all.extend(contest.take_turns(workload, about, turns)?);
    }
    Ok(all)
}

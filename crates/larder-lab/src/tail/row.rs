//! A line of the table and of the file.

use serde::{Deserialize, Serialize};

use super::stores::{Entrant, Measured, NOTHING};
use crate::measure::stats::significant;

/// What one store reached, as the JSON file has it: the best round of every number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The store's name.
    pub(crate) store: String,
    /// The number of values of 8 bytes inserted.
    pub(crate) inserts: usize,
    /// The number of processes.
    pub(crate) rounds: usize,
    /// The mean nanoseconds of an insertion.
    pub(crate) mean_ns: f64,
    /// The time that one in 2, 1,000, 10,000 and 100,000 exceeds.
    pub(crate) p50_ns: f64,
    pub(crate) p99_9_ns: f64,
    pub(crate) p99_99_ns: f64,
    pub(crate) p99_999_ns: f64,
    /// The longest of them.
    pub(crate) worst_ns: f64,
    /// The most memory that the process had, if the system says so.
    pub(crate) peak_bytes: Option<u64>,
    /// How long its processes waited for a processor; not counted in the other numbers.
    pub(crate) waited_ms: f64,
    /// The time that one in so many exceeds, from one in two to one in all.
    pub(crate) curve_ns: Vec<(f64, f64)>,
}

impl Row {
    /// The best of all rounds.
    pub(super) fn of(entrant: &Entrant, inserts: usize, rounds: &[Measured]) -> Self {
        let least = |number: &dyn Fn(&Measured) -> f64| {
            significant(rounds.iter().map(number).fold(f64::INFINITY, f64::min), 4)
        };
        let curve_ns: Vec<(f64, f64)> = (0..rounds[0].curve.len())
            .map(|at| (rounds[0].curve[at].0, least(&|round| round.curve[at].1)))
            .collect();
        // With fewer insertions there is no such percentile, only the worst.
        let worst_ns = least(&|round| round.worst_ns);
        let one_in = |rarity| {
            let point = curve_ns.iter().find(|point| point.0 == rarity);
            point.map_or(worst_ns, |point| point.1)
        };
        Self {
            store: entrant.name.to_owned(),
            inserts,
            rounds: rounds.len(),
            mean_ns: least(&|round| round.mean_ns),
            p50_ns: one_in(2.0),
            p99_9_ns: one_in(1e3),
            p99_99_ns: one_in(1e4),
            p99_999_ns: one_in(1e5),
            worst_ns,
            peak_bytes: rounds.iter().filter_map(|round| round.peak_bytes).min(),
            waited_ms: significant(
                rounds.iter().map(|round| round.waited_ns).sum::<f64>() / 1e6,
                4,
            ),
            curve_ns,
        }
    }

    /// Whether it is the store that does nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.store == NOTHING
    }
}

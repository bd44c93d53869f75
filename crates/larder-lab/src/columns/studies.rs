//! What is measured: studies of particles, each some workloads on some stores at some counts.

use anyhow::Result;
use indicatif::ProgressBar;

use super::contestant::{Bench, Contestant, Job};
use super::flocks::{
    Aligned, Arena, DenseArena, DenseLanes8, DenseLanes16, DenseLanesBlock, DenseSoaArena,
    KeyedSoaRs, Lanes8, Rows, SoaArena, SoaDerive, SoaRs,
};
use crate::study::{Method, Row, measure_all};

/// Stores that take turns, the one that all are compared with first.
type Lineup = fn() -> Vec<Box<dyn Contestant>>;

/// Some workloads on some stores.
pub(crate) struct Study {
    pub(crate) name: &'static str,
    pub(crate) jobs: &'static [Job],
    pub(crate) counts: &'static [usize],
    pub(crate) lineup: Lineup,
}

/// Makes a list of contestants.
macro_rules! lineup {
    ($($flock:ty),* $(,)?) => {
        vec![$(Box::new(Bench::<$flock>::new()) as Box<dyn Contestant>),*]
    };
}

/// A count that fits no cache.
pub(crate) const LARGEST: usize = 10_000_000;

/// The studies of whole stores.
pub(crate) const STUDIES: &[Study] = &[
    Study {
        name: "tick",
        jobs: &[Job::Tick, Job::Simulate, Job::All, Job::Whole],
        counts: &[1_000, 10_000, 100_000, 1_000_000, LARGEST],
        lineup: everybody,
    },
    Study {
        name: "assoc",
        jobs: &[Job::All, Job::Whole],
        // Powers of two, whole pages, and neither; all fit a core's own cache of 2 MiB.
        counts: &[4_096, 5_000, 6_144, 8_192, 10_000, 16_384, 20_000, 24_576, 32_768, 40_000],
        lineup: || lineup![Rows, SoaArena, DenseSoaArena, Aligned, SoaRs, SoaDerive],
    },
    Study {
        name: "keys",
        // Particles are asked for before others take their place.
        jobs: &[Job::Insert, Job::InsertReserved, Job::Whole, Job::Churn, Job::RemoveAll],
        counts: &[1_000, 100_000, 1_000_000],
        lineup: with_keys,
    },
];

fn everybody() -> Vec<Box<dyn Contestant>> {
    let mut all = lineup![
        Rows,
        Arena,
        DenseArena,
        SoaArena,
        DenseSoaArena,
        Lanes8,
        DenseLanes8,
        DenseLanes16,
        DenseLanesBlock,
        SoaRs,
        SoaDerive,
    ];
    all.extend(systems());
    all
}

fn with_keys() -> Vec<Box<dyn Contestant>> {
    let mut all = lineup![KeyedSoaRs, Arena, DenseArena, SoaArena, DenseSoaArena, DenseLanes8];
    all.extend(systems());
    all
}

/// Entity component systems.
fn systems() -> Vec<Box<dyn Contestant>> {
    #[cfg(feature = "ecs")]
    return lineup![super::flocks::Hecs, super::flocks::Bevy];
    #[cfg(not(feature = "ecs"))]
    Vec::new()
}

/// Memory that stores of one group may take together, with their lists of keys.
const MEMORY: usize = 4 << 30;
/// Of one particle: itself, its place in a list of keys, and bookkeeping.
const EACH: usize = 40 + 8 + 16;

impl Study {
    /// Measures it at one count.
    pub(crate) fn measure(
        &self,
        count: usize,
        method: Method,
        progress: &ProgressBar,
    ) -> Result<Vec<Row>> {
        let mut rest = (self.lineup)();
        let others = (MEMORY / (count * EACH)).clamp(2, rest.len()) - 1;
        let mut yardstick = rest.remove(0);
        let mut rows: Vec<Row> = Vec::new();
        while !rest.is_empty() {
            let others = rest.drain(..others.min(rest.len()));
            let mut group: Vec<_> = [yardstick].into_iter().chain(others).collect();
            group.iter_mut().for_each(|contestant| contestant.fill(count));
            let measured = measure_all(self.name, count, self.jobs, &mut group, method, progress)?;
            let known = |new: &Row| {
                rows.iter().any(|old| old.workload == new.workload && old.subject == new.subject)
            };
            let new: Vec<Row> = measured.into_iter().filter(|row| !known(row)).collect();
            rows.extend(new);
            yardstick = group.swap_remove(0);
        }
        Ok(rows)
    }
}

//! The workloads by name: in which state of the container each runs, and what it does there.

use super::clusters::DENSITIES;
use super::scope::{
    BLIND, CHURNING, FEW, FILL, FROM_THOUSANDS, GENERAL, OWNING, READING, READING_HALF,
    READING_MUCH, SMALL_ONES, Scope, WITH_COLUMNS, YARDSTICK,
};

/// One workload: a row of the tables.
#[derive(Debug, PartialEq)]
pub(crate) struct Workload {
    /// The name in tables, in JSON and after `--workload`.
    pub(crate) name: &'static str,
    /// The state of the container in which it runs.
    pub(crate) stage: Stage,
    /// What it does there.
    pub(crate) job: Job,
    /// The subjects and sizes, unless subjects are asked for by name.
    pub(crate) scopes: &'static [Scope],
}

impl Workload {
    /// Whether it is measured at this size.
    pub(crate) fn has_size(&self, element_bytes: usize, count: usize) -> bool {
        self.scopes.iter().any(|scope| scope.has_size(element_bytes, count))
    }

    /// Whether this subject takes part without being asked for. The yardstick always does.
    pub(crate) fn invites(&self, subject: &str, element_bytes: usize, count: usize) -> bool {
        subject == YARDSTICK
            || self.scopes.iter().any(|scope| {
                scope.has_size(element_bytes, count) && scope.subjects.contains(&subject)
            })
    }
}

/// A state of the container, made once for all workloads that run in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    /// No container; the workload makes its own.
    Nothing,
    /// Full to its capacity.
    Full,
    /// This percentage live, holes at random.
    Scattered(usize),
    /// This percentage live, the live and the dead in runs.
    Clustered(usize),
    /// Half full, after twice as many random pairs of removal and insertion as it has room for.
    Churned,
    /// Full, after everything was removed and replaced.
    Replaced,
    /// Full, after random pairs of removal and insertion.
    Steady,
    /// This percentage live: thinned out at random, then random pairs of removal and insertion.
    Holes(usize),
    /// Full; where holes hold values, half of the values are removed.
    Blind,
}

/// The order in which all values of a full container are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// At random.
    Random,
    /// As they were inserted.
    Inserted,
}

/// What a workload does: what the functions of these names in `build` and `access` say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Insert,
    InsertReserved,
    Fill,
    Small,
    Extend,
    InsertSmall(usize),
    RemoveAll(Order),
    RefillAll,
    Retain,
    Clear,
    Bytes,
    Allocations(usize),
    Walk,
    For,
    First,
    Lookup,
    LookupChain,
    Clone,
    Update,
    Stale,
    Churn,
    /// With so many of a thousand at a time.
    BatchChurn(usize),
    Refill,
    Game,
    Recycle,
    BlindPass,
}

/// The stages in the order in which a container goes through them.
pub(crate) const STAGES: [Stage; 17] = [
    Stage::Nothing,
    Stage::Full,
    Stage::Scattered(DENSITIES[0]),
    Stage::Scattered(DENSITIES[1]),
    Stage::Scattered(DENSITIES[2]),
    Stage::Scattered(DENSITIES[3]),
    Stage::Clustered(DENSITIES[0]),
    Stage::Clustered(DENSITIES[1]),
    Stage::Clustered(DENSITIES[2]),
    Stage::Clustered(DENSITIES[3]),
    Stage::Churned,
    Stage::Replaced,
    Stage::Steady,
    Stage::Holes(99),
    Stage::Holes(90),
    Stage::Holes(50),
    Stage::Blind,
];

/// Every workload, in the order of the tables and, within a stage, of the measurements.
pub(crate) const WORKLOADS: &[Workload] = &[
    workload("insert", Stage::Nothing, Job::Insert, WITH_COLUMNS),
    workload("insert_reserved", Stage::Nothing, Job::InsertReserved, WITH_COLUMNS),
    // From nothing to so many values; to 1,000 it is `insert`.
    workload("insert_small_10", Stage::Nothing, Job::InsertSmall(10), SMALL_ONES),
    workload("insert_small_100", Stage::Nothing, Job::InsertSmall(100), SMALL_ONES),
    workload("fill", Stage::Nothing, Job::Fill, FILL),
    workload("small", Stage::Nothing, Job::Small, FEW),
    workload("extend", Stage::Nothing, Job::Extend, WITH_COLUMNS),
    workload("remove_all", Stage::Nothing, Job::RemoveAll(Order::Random), WITH_COLUMNS),
    workload("remove_order", Stage::Nothing, Job::RemoveAll(Order::Inserted), WITH_COLUMNS),
    workload("refill_order", Stage::Nothing, Job::RefillAll, WITH_COLUMNS),
    // In a full container: the only hole is the one that the pair's own removal left. First in its
    // stage, because subjects that do not take part in the next ones must have the same values here.
    workload("churn", Stage::Steady, Job::Churn, CHURNING),
    workload("churn_99", Stage::Holes(99), Job::Churn, CHURNING),
    workload("churn_90", Stage::Holes(90), Job::Churn, CHURNING),
    workload("churn_50", Stage::Holes(50), Job::Churn, CHURNING),
    workload("refill", Stage::Steady, Job::Refill, WITH_COLUMNS),
    workload("batch_churn_0_1", Stage::Steady, Job::BatchChurn(1), FROM_THOUSANDS),
    workload("batch_churn", Stage::Steady, Job::BatchChurn(10), GENERAL),
    workload("batch_churn_5", Stage::Steady, Job::BatchChurn(50), GENERAL),
    workload("lookup", Stage::Full, Job::Lookup, READING_MUCH),
    workload("lookup_chain", Stage::Full, Job::LookupChain, READING),
    workload("stale", Stage::Replaced, Job::Stale, GENERAL),
    workload("walk_100", Stage::Full, Job::Walk, READING_MUCH),
    workload("walk_90", Stage::Scattered(90), Job::Walk, READING),
    workload("walk_50", Stage::Scattered(50), Job::Walk, READING_HALF),
    workload("walk_10", Stage::Scattered(10), Job::Walk, READING),
    workload("walk_1", Stage::Scattered(1), Job::Walk, READING),
    workload("walk_clustered_90", Stage::Clustered(90), Job::Walk, READING),
    workload("walk_clustered_50", Stage::Clustered(50), Job::Walk, READING),
    workload("walk_clustered_10", Stage::Clustered(10), Job::Walk, READING),
    workload("walk_clustered_1", Stage::Clustered(1), Job::Walk, READING),
    workload("walk_after_churn", Stage::Churned, Job::Walk, READING),
    workload("for_100", Stage::Full, Job::For, READING),
    workload("for_50", Stage::Scattered(50), Job::For, READING),
    workload("first", Stage::Full, Job::First, WITH_COLUMNS),
    workload("blind_pass", Stage::Blind, Job::BlindPass, BLIND),
    workload("update", Stage::Full, Job::Update, WITH_COLUMNS),
    workload("game", Stage::Steady, Job::Game, GENERAL),
    workload("recycle", Stage::Steady, Job::Recycle, OWNING),
    workload("retain", Stage::Nothing, Job::Retain, WITH_COLUMNS),
    workload("clone", Stage::Full, Job::Clone, WITH_COLUMNS),
    workload("clear", Stage::Nothing, Job::Clear, WITH_COLUMNS),
    workload("bytes", Stage::Nothing, Job::Bytes, WITH_COLUMNS),
    workload("allocations_10", Stage::Nothing, Job::Allocations(10), SMALL_ONES),
    workload("allocations_100", Stage::Nothing, Job::Allocations(100), SMALL_ONES),
    workload("allocations_1000", Stage::Nothing, Job::Allocations(1_000), SMALL_ONES),
];

const fn workload(
    name: &'static str,
    stage: Stage,
    job: Job,
    scopes: &'static [Scope],
) -> Workload {
    Workload { name, stage, job, scopes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_has_a_name_of_its_own_and_a_stage_that_is_gone_through() {
        for (index, workload) in WORKLOADS.iter().enumerate() {
            assert!(STAGES.contains(&workload.stage), "{}", workload.name);
            let others = &WORKLOADS[index + 1..];
            assert!(others.iter().all(|other| other.name != workload.name));
        }
    }
}

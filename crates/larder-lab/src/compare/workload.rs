//! The workloads by name: in which state of the container each runs, and what it does there.

use super::clusters::DENSITIES;

/// One workload: a row of the tables.
#[derive(Debug, PartialEq)]
pub(crate) struct Workload {
    /// The name in tables, in JSON and after `--workload`.
    pub(crate) name: &'static str,
    /// The state of the container in which it runs.
    pub(crate) stage: Stage,
    /// What it does there.
    pub(crate) job: Job,
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
}

/// What a workload does: what the functions of these names in `build`, `read` and `steady` say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Insert,
    InsertReserved,
    Extend,
    RemoveAll,
    Retain,
    Clear,
    Bytes,
    Walk,
    For,
    Lookup,
    LookupChain,
    Clone,
    Update,
    Stale,
    Churn,
    BatchChurn,
    Refill,
    Game,
}

/// The stages in the order in which a container goes through them.
pub(crate) const STAGES: [Stage; 13] = [
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
];

/// Every workload, in the order of the tables and, within a stage, of the measurements.
pub(crate) const WORKLOADS: &[Workload] = &[
    workload("insert", Stage::Nothing, Job::Insert),
    workload("insert_reserved", Stage::Nothing, Job::InsertReserved),
    workload("extend", Stage::Nothing, Job::Extend),
    workload("remove_all", Stage::Nothing, Job::RemoveAll),
    workload("refill", Stage::Steady, Job::Refill),
    workload("churn", Stage::Steady, Job::Churn),
    workload("batch_churn", Stage::Steady, Job::BatchChurn),
    workload("lookup", Stage::Full, Job::Lookup),
    workload("lookup_chain", Stage::Full, Job::LookupChain),
    workload("stale", Stage::Replaced, Job::Stale),
    workload("walk_100", Stage::Full, Job::Walk),
    workload("walk_90", Stage::Scattered(90), Job::Walk),
    workload("walk_50", Stage::Scattered(50), Job::Walk),
    workload("walk_10", Stage::Scattered(10), Job::Walk),
    workload("walk_1", Stage::Scattered(1), Job::Walk),
    workload("walk_clustered_90", Stage::Clustered(90), Job::Walk),
    workload("walk_clustered_50", Stage::Clustered(50), Job::Walk),
    workload("walk_clustered_10", Stage::Clustered(10), Job::Walk),
    workload("walk_clustered_1", Stage::Clustered(1), Job::Walk),
    workload("walk_after_churn", Stage::Churned, Job::Walk),
    workload("for_100", Stage::Full, Job::For),
    workload("for_50", Stage::Scattered(50), Job::For),
    workload("update", Stage::Full, Job::Update),
    workload("game", Stage::Steady, Job::Game),
    workload("retain", Stage::Nothing, Job::Retain),
    workload("clone", Stage::Full, Job::Clone),
    workload("clear", Stage::Nothing, Job::Clear),
    workload("bytes", Stage::Nothing, Job::Bytes),
];

const fn workload(name: &'static str, stage: Stage, job: Job) -> Workload {
    Workload { name, stage, job }
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

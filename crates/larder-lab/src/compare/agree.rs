//! Every workload on every subject, at counts small enough for a debug build: nothing is measured, and answers are
//! compared.

use anyhow::{Result, ensure};

use super::bench::{Bench, ClusterPlan, Effort};
use super::lineup::{SUBJECTS, sizes, subject};
use super::workload::{ELEMENT_BYTES, Job, STAGES, Stage, WORKLOADS};
use crate::cli::AgreeOptions;
use crate::stores::{ArenaHuge, Store};

/// Leads all subjects through all workloads and compares their answers.
pub(crate) fn agree(options: &AgreeOptions) -> Result<()> {
    ensure!(ELEMENT_BYTES.contains(&options.bytes), "no workload has that size");
    [64, 300].into_iter().try_for_each(|count| all_agree(options.bytes, count))
}

fn all_agree(element_bytes: usize, count: usize) -> Result<()> {
    let plans = [0, 1, 2].map(|seed| ClusterPlan::new(count, seed));
    let effort = Effort { enough: 1.0, repeats: 2, warm_up: count < 100 };
    let here = SUBJECTS.iter().filter(|name| sizes(name).contains(&element_bytes));
    let bench = |name| Bench::new(subject(name, element_bytes), element_bytes, count, &plans);
    let mut benches: Vec<Bench<'_>> = here.clone().map(|name| bench(name)).collect();
    ensure!(benches.iter().map(Bench::name).eq(here.copied()), "a subject has the name of another");
    // The system clears 2 MiB for each container of this one: it is not one of those that are
    // made by the hundred.
    let is_slow = |bench: &Bench<'_>, stage| {
        stage == Stage::Nothing && bench.name() == <ArenaHuge<u32> as Store<u32>>::NAME
    };
    for stage in STAGES {
        for bench in &mut benches {
            bench.enter(stage);
        }
        for workload in WORKLOADS.iter().filter(|workload| workload.stage == stage) {
            let mut answers = Vec::new();
            for bench in benches.iter_mut().filter(|bench| !is_slow(bench, stage)) {
                let sample = bench.sample(workload.job, &effort);
                // An inline container asks for no block.
                let free = matches!(workload.job, Job::Allocations(_));
                ensure!(sample.operations > 0.0 && (sample.nanos > 0.0 || free), "{workload:?}");
                answers.push((bench.name(), sample.answer));
            }
            let name = workload.name;
            let agree = answers.iter().all(|(_, answer)| *answer == answers[0].1);
            ensure!(agree, "{name} {element_bytes} {count}: {answers:x?}");
        }
    }
    Ok(())
}

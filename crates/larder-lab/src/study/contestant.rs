//! Subjects that take turns at several workloads.

use anyhow::Result;
use indicatif::ProgressBar;

use super::Row;
use super::turns::{Method, Title, Turn, take_turns};
use crate::compare::clock::Sample;

/// What is done with a subject.
pub(crate) trait Workload: Copy {
    /// The name in tables and in JSON, and what it does, for a reader of the tables.
    fn describe(self) -> (String, &'static str);
}

/// A subject that takes turns with others at workloads `W`.
pub(crate) trait Contestant<W> {
    fn name(&self) -> &'static str;

    /// Whether it can do this at all.
    fn can(&self, _workload: W) -> bool {
        true
    }

    /// Does the work so many times over.
    fn sample(&mut self, workload: W, repeats: u32) -> Sample;
}

/// Lets those who can take turns at each of the workloads; the first of them is what the others are
/// compared with.
pub(crate) fn measure_all<W: Workload, C: Contestant<W> + ?Sized>(
    study: &'static str,
    count: usize,
    workloads: &[W],
    contestants: &mut [Box<C>],
    method: Method,
    progress: &ProgressBar,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &workload in workloads {
        let (name, about) = workload.describe();
        progress.set_message(format!("{study}: {name} of {count}"));
        let title = Title { study, workload: name, about, count };
        let mut turns: Vec<Turn<'_>> = Vec::new();
        for contestant in contestants.iter_mut().filter(|contestant| contestant.can(workload)) {
            let name = contestant.name();
            turns.push(Turn::new(name, |repeats| contestant.sample(workload, repeats)));
        }
        rows.extend(take_turns(&title, &mut turns, method)?);
    }
    Ok(rows)
}

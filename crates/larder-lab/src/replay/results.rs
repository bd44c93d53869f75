//! The results of all rounds, and the check of their answers.

use super::plan::{Plan, Window};
use super::shelves::{Run, Subject};
use crate::measure::stats::{Summary, at_even_pace};
use crate::trace::Trace;

/// Everything that was measured on one recording.
pub(super) struct Results {
    pub(super) trace: Trace,
    pub(super) plan: Plan,
    /// By container, in the order of the line-up, and round.
    pub(super) runs: Vec<Vec<Run>>,
}

/// A time, for every container.
pub(super) struct Measure {
    /// What it is the time of.
    pub(super) name: &'static str,
    /// What was timed, in a sentence.
    pub(super) about: &'static str,
    /// Nanoseconds over all rounds, [at an even pace](at_even_pace), one entry per container; empty if
    /// nothing was timed.
    pub(super) ns: Vec<Summary>,
}

impl Results {
    pub(super) fn rounds(&self) -> usize {
        self.runs.iter().map(Vec::len).min().unwrap_or(0)
    }

    /// The first run of each container: counts and bytes are the same in every round.
    pub(super) fn firsts(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter_map(|runs| runs.first())
    }

    /// The windows after which there is a walk.
    pub(super) fn whole(&self) -> impl Iterator<Item = &Window> {
        self.plan.windows.iter().filter(|window| window.whole)
    }

    /// The number of objects in all walks.
    pub(super) fn walked(&self) -> usize {
        self.whole().map(|window| window.live).sum()
    }

    /// The bytes of the live values alone, each as large as its class, on average over all walks.
    pub(super) fn value_bytes(&self) -> f64 {
        self.whole().map(|window| window.live_bytes).sum::<u64>() as f64 / self.walked() as f64
    }

    /// The bytes of each container per live object, on average over all walks; empty where there was none.
    pub(super) fn bytes_per_object(&self) -> Vec<f64> {
        let walked = self.walked();
        let runs = self.firsts().filter(|_| walked > 0);
        runs.map(|run| run.bytes_at_walks as f64 / walked as f64).collect()
    }

    /// The three times, each per operation, at the rounds' even pace.
    pub(super) fn times(&self) -> [Measure; 3] {
        let per = |count: usize, nanoseconds: fn(&Run) -> f64| -> Vec<Summary> {
            if count == 0 {
                return Vec::new();
            }
            let each =
                |runs: &Vec<Run>| runs.iter().map(|run| nanoseconds(run) / count as f64).collect();
            let measured: Vec<Vec<f64>> = self.runs.iter().map(each).collect();
            at_even_pace(&measured).iter().map(|times| Summary::of(times)).collect()
        };
        [
            Measure {
                name: "event",
                about: "An insert, or a remove and one look-up of the handle that just died.",
                ns: per(self.plan.steps.len(), |run| run.events.as_nanos() as f64),
            },
            Measure {
                name: "lookup",
                about: "Live objects by handle, in the order in which the program freed them.",
                ns: per(self.plan.lookups.len(), |run| run.lookups.as_nanos() as f64),
            },
            Measure {
                name: "object walked",
                about: "All live objects, in the container's own order.",
                ns: per(self.walked(), |run| run.walks.as_nanos() as f64),
            },
        ]
    }
}

/// Fails if a container did not answer as the recording implies.
pub(super) fn check(trace: &Trace, plan: &Plan, runs: &[(&Subject, &Run)]) -> anyhow::Result<()> {
    let (mut wrong, mut agreeing) = (String::new(), 0);
    for (subject, Run { sums, .. }) in runs {
        let expected = plan.expected;
        agreeing += usize::from(*sums == expected);
        for (what, sum, expected) in [
            ("removed values", sums.removed, expected.removed),
            ("walked values", sums.walked, expected.walked),
            ("looked-up values", sums.found, expected.found),
            ("lengths", sums.live, expected.live),
        ] {
            if sum != expected {
                let name = subject.name;
                wrong += &format!("\n  {name}: {what} sum to {sum:#x} instead of {expected:#x}");
            }
        }
    }
    anyhow::ensure!(
        wrong.is_empty(),
        "on {}, containers did not give back what was put in, so no time of this run means \
         anything:{wrong}\n  ({agreeing} of {} agree with the recording)",
        trace.name,
        runs.len()
    );
    Ok(())
}

//! The results of all rounds, and the check of their answers.

use core::fmt::Write;

use super::lineup::{LINEUP, Label, Subject};
use super::plan::{Plan, Sums};
use super::shelves::Run;
use crate::measure::stats::{Summary, at_even_pace};
use crate::trace::Trace;

/// Everything that was measured on one recording.
#[derive(Clone, Debug)]
pub(crate) struct TraceResults {
    /// The recording's name.
    pub(crate) name: String,
    /// What the recorded program did; may be empty.
    pub(crate) about: String,
    /// How many times every container replayed it.
    pub(crate) rounds: usize,
    /// The number of events.
    pub(crate) events: usize,
    /// The number of objects allocated.
    pub(crate) objects: usize,
    /// The most objects live at once.
    pub(crate) peak_live: usize,
    /// The number of live objects after each window.
    pub(crate) live: Vec<usize>,
    /// The number of walks over all live objects.
    pub(crate) walks: usize,
    /// The number of look-ups of live objects.
    pub(crate) lookups: usize,
    /// The number of stale handles; each is looked up twice.
    pub(crate) dead_handles: usize,
    /// The measurements, each for every container.
    pub(crate) times: [Measure; 3],
    /// The containers' bytes.
    pub(crate) bytes: Bytes,
    /// Wrong answers, one entry per container.
    pub(crate) wrong: Vec<WrongAnswers>,
    /// The containers, in the order of all the lists here.
    pub(crate) labels: Vec<Label>,
}

/// A time, for every container.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// What it is the time of.
    pub(crate) name: &'static str,
    /// What was timed, in a sentence.
    pub(crate) about: &'static str,
    /// Nanoseconds over all rounds, [at an even pace](at_even_pace), one entry per container; empty if
    /// nothing was timed.
    pub(crate) ns: Vec<Summary>,
}

/// The bytes of the containers. They are the same in every round.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    /// Of the live values alone, each as large as its class, on average over all walks.
    pub(crate) value: f64,
    /// Per live object, on average over all walks; empty where there was none.
    pub(crate) per_object: Vec<f64>,
    /// The most at once.
    pub(crate) peak: Vec<u64>,
}

/// How often a stale handle found a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrongAnswers {
    /// Right after its object was removed.
    pub(crate) at_once: u64,
    /// At the end of the window in which its object was removed.
    pub(crate) later: u64,
}

impl WrongAnswers {
    /// All of them.
    pub(crate) fn all(self) -> u64 {
        self.at_once + self.later
    }
}

impl TraceResults {
    /// Summarizes the runs of every container, in the order of the line-up.
    pub(super) fn new(trace: Trace, plan: &Plan, runs: &[Vec<Run>]) -> Self {
        let whole = || plan.windows.iter().filter(|window| window.whole);
        let walked: usize = whole().map(|window| window.live).sum();
        let walked_bytes: u64 = whole().map(|window| window.live_bytes).sum();
        let frees = plan.steps.iter().filter(|step| step.is_free()).count();
        // Counts and bytes are the same in every round.
        let firsts = || runs.iter().filter_map(|runs| runs.first());
        let per_walked = |bytes: u64| bytes as f64 / walked as f64;
        Self {
            live: plan.windows.iter().map(|window| window.live).collect(),
            walks: whole().count(),
            lookups: plan.lookups.len(),
            dead_handles: frees,
            times: times(plan, walked, runs),
            bytes: Bytes {
                value: per_walked(walked_bytes),
                per_object: firsts()
                    .filter(|_| walked > 0)
                    .map(|run| per_walked(run.bytes_at_walks))
                    .collect(),
                peak: firsts().map(|run| run.peak_bytes).collect(),
            },
            wrong: firsts().map(wrong_answers).collect(),
            labels: LINEUP.iter().map(|subject| subject.label).collect(),
            rounds: runs.iter().map(Vec::len).min().unwrap_or(0),
            name: trace.name,
            about: trace.about,
            events: trace.events.len(),
            objects: trace.objects,
            peak_live: trace.peak_live,
        }
    }
}

fn wrong_answers(run: &Run) -> WrongAnswers {
    WrongAnswers { at_once: run.wrong_at_once, later: run.wrong_later }
}

/// The three times, each per operation, at the rounds' even pace.
fn times(plan: &Plan, walked: usize, runs: &[Vec<Run>]) -> [Measure; 3] {
    let per = |count: usize, nanoseconds: fn(&Run) -> f64| -> Vec<Summary> {
        if count == 0 {
            return Vec::new();
        }
        let each =
            |runs: &Vec<Run>| runs.iter().map(|run| nanoseconds(run) / count as f64).collect();
        let measured: Vec<Vec<f64>> = runs.iter().map(each).collect();
        at_even_pace(&measured).iter().map(|times| Summary::of(times)).collect()
    };
    [
        Measure {
            name: "event",
            about: "An insert, or a remove and one look-up of the handle that just died.",
            ns: per(plan.steps.len(), |run| run.events.as_nanos() as f64),
        },
        Measure {
            name: "lookup",
            about: "Live objects by handle, in the order in which the program freed them.",
            ns: per(plan.lookups.len(), |run| run.lookups.as_nanos() as f64),
        },
        Measure {
            name: "object walked",
            about: "All live objects, in the container's own order.",
            ns: per(walked, |run| run.walks.as_nanos() as f64),
        },
    ]
}

/// Fails if a container did not answer as the recording implies.
pub(super) fn check(trace: &Trace, plan: &Plan, runs: &[(&Subject, &Run)]) -> anyhow::Result<()> {
    let mut wrong = String::new();
    for (subject, run) in runs {
        for what in differences(run.sums, plan.expected) {
            let _ = write!(wrong, "\n  {}: {what}", subject.label.name);
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let rest = runs.iter().filter(|(_, run)| run.sums == plan.expected);
    let agreeing = rest.count();
    anyhow::bail!(
        "on {}, containers did not give back what was put in, so no time of this run means \
         anything:{wrong}\n  ({agreeing} of {} agree with the recording)",
        trace.name,
        runs.len()
    )
}

/// Where the sums differ, in words.
fn differences(sums: Sums, expected: Sums) -> Vec<String> {
    [
        ("removed values", sums.removed, expected.removed),
        ("walked values", sums.walked, expected.walked),
        ("looked-up values", sums.found, expected.found),
        ("lengths", sums.live, expected.live),
    ]
    .into_iter()
    .filter(|(_, sum, expected)| sum != expected)
    .map(|(what, sum, expected)| format!("{what} sum to {sum:#x} instead of {expected:#x}"))
    .collect()
}

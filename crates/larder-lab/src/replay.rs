//! The default job: replays recorded object lifetimes through every container.
//!
//! Every object of a recording is a value in the container of its size class. [`shelves`] has the timed
//! loops. The right answers are computed from the recording alone, in [`plan`]; a container that answers
//! otherwise fails the run.

mod plan;
mod report;
mod shelves;

use core::time::Duration;
use std::path::PathBuf;
use std::time::Instant;

use crate::cli::ReplayOptions;
use crate::measure::stats::{Summary, at_even_pace};
use crate::measure::turns::{order, progress_bar};
use crate::report::page::write_page;
use crate::report::{rounds as rounds_of, say};
use crate::trace::{self, Trace, TraceError};
use plan::{Plan, Window};
use shelves::{LINEUP, Run, Subject};

/// After every so many events, all live objects are walked.
const WINDOW: usize = 10_000;

/// Replays, prints the tables and writes the report.
pub(crate) fn run(options: &ReplayOptions) -> anyhow::Result<()> {
    let traces = load(&options.traces)?;
    let rounds = Rounds::asked_for(options.rounds);
    say(introduction(&traces, rounds))?;
    let results = measure(traces, rounds)?;
    say(report::tables(&results))?;
    let page = report::page_of(&results);
    let file = write_page(&options.report, "replay.html", &page)?;
    say(format_args!(
        "The report, with charts: {}\n\
         Next, single operations one by one (within 5 minutes): cargo run --release -- compare --quick",
        file.display()
    ))
}

/// The number of rounds, and the time after which [`LEAST_ROUNDS`] are enough: as many as the user says; else 15, or as
/// many as a slow machine makes in 40 seconds.
#[derive(Clone, Copy)]
struct Rounds {
    most: usize,
    seconds: u64,
}

const LEAST_ROUNDS: usize = 3;

impl Rounds {
    fn asked_for(rounds: Option<u32>) -> Self {
        let asked = rounds.map(|most| Self { most: most as usize, seconds: u64::MAX });
        asked.unwrap_or(Self { most: 15, seconds: 40 })
    }

    fn are_enough(&self, made: usize, elapsed: Duration) -> bool {
        made >= LEAST_ROUNDS && elapsed.as_secs() >= self.seconds
    }
}

/// The recordings that were asked for, or the bundled ones.
fn load(files: &[PathBuf]) -> Result<Vec<Trace>, TraceError> {
    if files.is_empty() {
        trace::bundled()
    } else {
        files.iter().map(|file| trace::from_file(file)).collect()
    }
}

fn introduction(traces: &[Trace], rounds: Rounds) -> String {
    let names: Vec<_> = traces.iter().map(|trace| trace.name.as_str()).collect();
    let warning = "\nThis build is not optimised (no --release): its times mean nothing.";
    format!(
        "Replaying recorded object lifetimes ({}) through {} containers, at most {}.{}",
        names.join(", "),
        LINEUP.len(),
        rounds_of(rounds.most),
        if cfg!(debug_assertions) { warning } else { "" },
    )
}

/// Lets all containers take turns on every recording, and summarizes the rounds.
fn measure(traces: Vec<Trace>, rounds: Rounds) -> anyhow::Result<Vec<Results>> {
    let plans: Vec<_> = traces.iter().map(|trace| Plan::new(trace, WINDOW)).collect();
    let bar = progress_bar(plans.len() * LINEUP.len() * rounds.most);
    let start = Instant::now();
    let mut runs = vec![vec![Vec::new(); LINEUP.len()]; plans.len()];
    for round in 0..rounds.most {
        if rounds.are_enough(round, start.elapsed()) {
            break;
        }
        for ((trace, plan), runs) in traces.iter().zip(&plans).zip(&mut runs) {
            for turn in order(round, LINEUP.len()) {
                let subject = &LINEUP[turn];
                bar.set_message(format!("{}: {}", trace.name, subject.name));
                runs[turn].push((subject.replay)(plan));
                bar.inc(1);
            }
            check(trace, plan, &latest(runs))?;
        }
    }
    bar.finish_and_clear();
    let measured = traces.into_iter().zip(plans).zip(runs);
    Ok(measured.map(|((trace, plan), runs)| Results { trace, plan, runs }).collect())
}

/// Every container's run of this round.
fn latest(runs: &[Vec<Run>]) -> Vec<(&Subject, &Run)> {
    LINEUP.iter().zip(runs).filter_map(|(subject, runs)| Some((subject, runs.last()?))).collect()
}

/// Everything that was measured on one recording.
struct Results {
    trace: Trace,
    plan: Plan,
    /// By container, in the order of the line-up, and round.
    runs: Vec<Vec<Run>>,
}

/// A time, for every container.
struct Measure {
    /// The name of the timed work.
    name: &'static str,
    /// A sentence about the timed work.
    about: &'static str,
    /// Nanoseconds over all rounds, [at an even pace](at_even_pace), one entry per container; empty if
    /// nothing was timed.
    ns: Vec<Summary>,
}

impl Results {
    fn rounds(&self) -> usize {
        self.runs.iter().map(Vec::len).min().unwrap_or(0)
    }

    /// The first run of each container: counts and bytes are the same in every round.
    fn firsts(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter_map(|runs| runs.first())
    }

    /// The windows after which there is a walk.
    fn whole(&self) -> impl Iterator<Item = &Window> {
        self.plan.windows.iter().filter(|window| window.whole)
    }

    /// The number of objects in all walks.
    fn walked(&self) -> usize {
        self.whole().map(|window| window.live).sum()
    }

    /// The bytes of the live values alone, each as large as its class, on average over all walks.
    fn value_bytes(&self) -> f64 {
        self.whole().map(|window| window.live_bytes).sum::<u64>() as f64 / self.walked() as f64
    }

    /// The bytes of each container per live object, on average over all walks; empty where there was none.
    fn bytes_per_object(&self) -> Vec<f64> {
        let walked = self.walked();
        let runs = self.firsts().filter(|_| walked > 0);
        runs.map(|run| run.bytes_at_walks as f64 / walked as f64).collect()
    }

    /// The three times, each per operation, at the rounds' even pace.
    fn times(&self) -> [Measure; 3] {
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
fn check(trace: &Trace, plan: &Plan, runs: &[(&Subject, &Run)]) -> anyhow::Result<()> {
    let agrees = |(_, run): &&(&Subject, &Run)| run.sums == plan.expected;
    let wrong = runs.iter().filter(|run| !agrees(run));
    let wrong = wrong.map(|(subject, run)| format!("\n  {}: {:x?}", subject.name, run.sums));
    anyhow::ensure!(
        runs.iter().all(|run| agrees(&run)),
        "on {}, containers did not give back what was put in, so no time of this run means \
         anything:{}\n  instead of {:x?} ({} of {} agree with the recording)",
        trace.name,
        wrong.collect::<String>(),
        plan.expected,
        runs.iter().filter(agrees).count(),
        runs.len()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Event;

    /// A recording in which objects of several sizes come and go, and places are used again: every
    /// object lives for twice as long as its number modulo 7, in events.
    fn synthetic() -> Trace {
        let mut events = Vec::new();
        let mut live: Vec<u32> = Vec::new();
        let (mut objects, mut peak_live) = (0, 0);
        for turn in 0..600_u32 {
            events.push(Event::Allocate { bytes: 1 << (turn % 11) });
            live.push(objects);
            objects += 1;
            peak_live = peak_live.max(live.len());
            if turn > 20 && turn % 7 != 0 {
                let object = live.remove((turn as usize * 31) % live.len());
                events.push(Event::Free { object });
            }
        }
        Trace {
            name: "synthetic".into(),
            about: String::new(),
            events,
            objects: objects as usize,
            peak_live,
        }
    }

    fn run_of(name: &str, plan: &Plan) -> Run {
        let subject = LINEUP.iter().find(|subject| subject.name == name);
        (subject.expect("it is in the line-up").replay)(plan)
    }

    #[test]
    fn every_container_answers_as_the_recording_says() {
        let trace = synthetic();
        let plan = Plan::new(&trace, 50);
        assert!(plan.lookups.len() > 100 && plan.expected.found != 0);
        let runs: Vec<_> = LINEUP.iter().map(|subject| (subject.replay)(&plan)).collect();
        let pairs: Vec<_> = LINEUP.iter().zip(&runs).collect();
        check(&trace, &plan, &pairs).expect("all of them agree");
    }

    #[test]
    fn slab_answers_stale_handles_and_larder_never_does() {
        let plan = Plan::new(&synthetic(), 50);
        let slab = run_of("slab", &plan);
        assert_eq!(slab.wrong_at_once, 0);
        assert!(slab.wrong_later > 0);
        for name in ["Arena", "DenseArena"] {
            let run = run_of(name, &plan);
            assert_eq!((run.wrong_at_once, run.wrong_later), (0, 0), "{name}");
        }
    }

    #[test]
    fn a_container_that_loses_values_is_named() {
        let trace = synthetic();
        let plan = Plan::new(&trace, 50);
        let good = run_of("slab", &plan);
        let mut bad = run_of("SlotMap", &plan);
        bad.sums.found ^= 1;
        let subject = |name| LINEUP.iter().find(|subject| subject.name == name);
        let (slab, slot_map) = (subject("slab").unwrap(), subject("SlotMap").unwrap());
        let error = check(&trace, &plan, &[(slab, &good), (slot_map, &bad)])
            .expect_err("one of them is wrong")
            .to_string();
        assert!(error.contains("SlotMap: Sums { removed: ") && !error.contains("slab:"), "{error}");
        assert!(error.contains("1 of 2 agree"), "{error}");
    }

    #[test]
    fn rounds_end_when_the_time_is_up_but_never_before_the_third() {
        let late = Duration::from_secs(3600);
        let default = Rounds::asked_for(None);
        assert!(!default.are_enough(2, late) && default.are_enough(3, late));
        assert!(!default.are_enough(14, Duration::from_secs(1)));
        assert!(!Rounds::asked_for(Some(20)).are_enough(19, late));
    }

    #[test]
    fn a_whole_job_measures_everything_and_can_be_shown() {
        let trace = Trace { name: "<synthetic>".into(), ..synthetic() };
        let results = measure(vec![trace], Rounds::asked_for(Some(2))).expect("all of them agree");
        // The recording is shorter than a window: there are events, and neither walks nor look-ups.
        let [events, lookups, walks] = results[0].times();
        assert_eq!((results[0].rounds(), events.ns.len()), (2, LINEUP.len()));
        assert!(events.ns.iter().all(|ns| ns.median > 0.0));
        assert!(lookups.ns.is_empty() && walks.ns.is_empty());
        let table = report::tables(&results);
        assert!(table.contains("<synthetic>") && table.contains("Arena"));
        let page = report::page_of(&results);
        assert!(page.contains("&lt;synthetic&gt;") && !page.contains("<synthetic>"));
        assert!(!page.contains("NaN"));
    }
}

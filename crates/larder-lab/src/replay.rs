//! The default job: replays recorded object lifetimes through every container.
//!
//! Every object of a recording is a value in the container of its size class. [`shelves`] has the timed
//! loops. The right answers are computed from the recording alone, in [`plan`]; a container that answers
//! otherwise fails the run.

mod plan;
mod report;
mod results;
mod shelves;

use core::fmt;
use core::time::Duration;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::ReplayOptions;
use crate::measure::turns::order;
use crate::report::page::write_page;
use crate::trace::{self, Trace, TraceError};
use plan::Plan;
use results::Results;
use shelves::{LINEUP, Run, Subject};

/// After every so many events, all live objects are walked.
const WINDOW: usize = 10_000;

/// Replays, prints the tables and writes the report.
pub(crate) fn run(options: &ReplayOptions) -> anyhow::Result<()> {
    let traces = load(&options.traces)?;
    let rounds = Rounds::asked_for(options.rounds);
    say(&introduction(&traces, &rounds))?;
    let results = measure(traces, &rounds)?;
    say(&report::tables(&results))?;
    let page = report::page_of(&results);
    let file = write_page(&options.report, "replay.html", &page)?;
    say(&format!(
        "The report, with charts: {}\n\
         Next, single operations one by one (within 5 minutes): cargo run --release -- compare --quick\n",
        file.display()
    ))
}

/// How many rounds to make.
struct Rounds {
    most: u32,
    /// Once this long has passed, [`Self::LEAST`] are enough.
    within: Duration,
}

impl Rounds {
    const LEAST: usize = 3;

    /// As many as the user says; else 15, or as many as a slow machine makes in 40 seconds.
    fn asked_for(rounds: Option<u32>) -> Self {
        match rounds {
            Some(rounds) => Self { most: rounds, within: Duration::MAX },
            None => Self { most: 15, within: Duration::from_secs(40) },
        }
    }

    fn are_enough(&self, made: usize, elapsed: Duration) -> bool {
        made >= Self::LEAST && elapsed >= self.within
    }
}

impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.most, self.within) {
            (1, _) => write!(f, "1 round"),
            (most, Duration::MAX) => write!(f, "{most} rounds"),
            (most, within) => write!(f, "up to {most} rounds in {} seconds", within.as_secs()),
        }
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

fn introduction(traces: &[Trace], rounds: &Rounds) -> String {
    let names: Vec<_> = traces.iter().map(|trace| trace.name.as_str()).collect();
    format!(
        "Replaying recorded object lifetimes ({}) through {} containers, {rounds}.\n{}",
        names.join(", "),
        LINEUP.len(),
        if cfg!(debug_assertions) {
            "This build is not optimised (no --release): its times mean nothing.\n"
        } else {
            ""
        }
    )
}

/// Lets all containers take turns on every recording, and summarizes the rounds.
fn measure(traces: Vec<Trace>, rounds: &Rounds) -> anyhow::Result<Vec<Results>> {
    let plans: Vec<_> = traces.iter().map(|trace| Plan::new(trace, WINDOW)).collect();
    let bar = progress_bar(&plans, rounds.most);
    let start = Instant::now();
    let mut runs = vec![vec![Vec::new(); LINEUP.len()]; plans.len()];
    for round in 0..rounds.most as usize {
        if rounds.are_enough(round, start.elapsed()) {
            break;
        }
        for ((trace, plan), runs) in traces.iter().zip(&plans).zip(&mut runs) {
            for turn in order(round, LINEUP.len()) {
                let subject = &LINEUP[turn];
                bar.set_message(format!("{}: {}", trace.name, subject.name));
                runs[turn].push((subject.replay)(plan));
                bar.inc(plan.steps.len() as u64);
            }
            results::check(trace, plan, &latest(runs))?;
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

/// A progress bar on the error stream, counting events.
fn progress_bar(plans: &[Plan], rounds: u32) -> ProgressBar {
    let events: usize = plans.iter().map(|plan| plan.steps.len()).sum();
    let all = events as u64 * u64::from(rounds) * LINEUP.len() as u64;
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %, {eta} left  {msg:26}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(all).with_style(style)
}

/// Prints; a closed pipe (`| head`) is not an error.
fn say(text: &str) -> anyhow::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;

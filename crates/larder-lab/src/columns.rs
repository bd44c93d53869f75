//! `columns`: rows, columns and lanes, measured on particles of ten numbers.
//!
//! The source documents reason about such a particle: what a loop gains that needs one field of ten,
//! what a random one costs, what happens when columns begin at equal offsets, and what holes do to
//! SIMD. Each is a study: some workloads on some stores, which take turns for several rounds. Every
//! workload's answer is compared. `docs/columns.md` says what came out.

pub(crate) mod bars;
mod contestant;
mod flock;
mod flocks;
mod holes;
mod kernels;
mod particle;
mod studies;
mod table;
mod temporary;
mod turns;

#[cfg(test)]
mod tests;

use std::fs;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use self::studies::{LARGEST, STUDIES, Study};
use self::turns::Method;
use crate::alloc::stop_counting;
use crate::cli::{BadInput, ColumnsOptions};
use crate::report::lines_of_json;

/// One measured value, as the JSON file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The study's name.
    pub(crate) study: String,
    /// The workload's name.
    pub(crate) workload: String,
    /// How many particles, or slots, there are.
    pub(crate) count: usize,
    /// The store's name, and what is done with it where there are several ways.
    pub(crate) subject: String,
    /// Nanoseconds per particle: the median of the rounds.
    pub(crate) ns: f64,
    /// The median of the rounds' ratios to what the first subject took in the same round.
    pub(crate) ratio: f64,
    /// The distance between the quartiles of the rounds, as a share of the median.
    pub(crate) spread: f64,
}

/// A piece of a run, after which the memory is free again.
#[derive(Clone, Copy)]
enum Part {
    Stores(&'static Study, usize),
    Holes(usize, usize),
    Temporary(usize, usize),
}

impl Part {
    fn study(self) -> &'static str {
        match self {
            Self::Stores(study, _) => study.name,
            Self::Holes(..) => holes::NAME,
            Self::Temporary(..) => temporary::NAME,
        }
    }

    fn count(self) -> usize {
        match self {
            Self::Stores(_, count) | Self::Holes(count, _) | Self::Temporary(count, _) => count,
        }
    }

    fn measure(self, progress: &ProgressBar) -> Result<Vec<Row>> {
        let method = Method::for_count(self.count());
        match self {
            Self::Stores(study, count) => study.measure(count, method, progress),
            Self::Holes(count, percent) => holes::measure(count, percent, method, progress),
            Self::Temporary(count, operations) => {
                temporary::measure(count, operations, method, progress)
            }
        }
    }
}

/// All parts, in the order of the tables.
fn parts() -> Vec<Part> {
    let stores = STUDIES
        .iter()
        .flat_map(|study| study.counts.iter().map(move |&count| Part::Stores(study, count)));
    let holes = holes::PERCENT
        .iter()
        .flat_map(|&percent| holes::COUNTS.iter().map(move |&count| Part::Holes(count, percent)));
    let temporary = temporary::OPERATIONS.iter().flat_map(|&operations| {
        temporary::COUNTS.iter().map(move |&count| Part::Temporary(count, operations))
    });
    stores.chain(holes).chain(temporary).collect()
}

/// Measures what the options ask for; tables to the output, rows to the file.
#[expect(clippy::print_stdout, reason = "the tables are what was asked for")]
pub(crate) fn run(options: &ColumnsOptions) -> Result<()> {
    let parts = chosen(options)?;
    stop_counting();
    let rows = measure(&parts)?;
    println!(
        "Nanoseconds per particle, the median of rounds in which stores take turns, and how many"
    );
    println!("times faster that is than the first line of the table.");
    print!("{}", table::tables(&rows, studies::about));
    if let Some(path) = &options.json {
        let json = lines_of_json(&rows)?;
        fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))?;
        println!("\nThe numbers are in {}.", path.display());
    }
    println!("\nMade by: {}", command(options));
    Ok(())
}

/// The parts that were asked for; all where nothing is said, without the largest in a quick run.
fn chosen(options: &ColumnsOptions) -> Result<Vec<Part>, BadInput> {
    let all = parts();
    let mut names: Vec<&str> = all.iter().map(|part| part.study()).collect();
    names.dedup();
    if let Some(unknown) = options.studies.iter().find(|name| !names.contains(&name.as_str())) {
        let known = names.join(", ");
        return Err(BadInput(format!("there is no study `{unknown}`; there are {known}")));
    }
    let asked = |part: &Part| {
        (options.studies.is_empty() || options.studies.iter().any(|name| name == part.study()))
            && (options.counts.is_empty() || options.counts.contains(&part.count()))
            && !(options.quick && part.count() == LARGEST)
    };
    let chosen: Vec<Part> = all.into_iter().filter(asked).collect();
    if chosen.is_empty() {
        return Err(BadInput("no study has that count".to_owned()));
    }
    Ok(chosen)
}

fn measure(parts: &[Part]) -> Result<Vec<Row>> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
    let progress = ProgressBar::new(parts.len() as u64)
        .with_style(style.expect("the template is a valid one"));
    let mut rows = Vec::new();
    for part in parts {
        rows.extend(part.measure(&progress)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// The command that does the same again.
fn command(options: &ColumnsOptions) -> String {
    let features = if cfg!(feature = "ecs") { " -p larder-lab --features ecs" } else { "" };
    let mut words = vec![format!("cargo run --release{features} -- columns")];
    if options.quick {
        words.push("--quick".to_owned());
    }
    words.extend(options.studies.iter().map(|name| format!("--study {name}")));
    words.extend(options.counts.iter().map(|count| format!("--count {count}")));
    words.extend(options.json.iter().map(|path| format!("--json {}", path.display())));
    words.join(" ")
}

//! What `columns`, `beside` and `find` have in common: studies.
//!
//! A study is some workloads on some subjects, at some counts. The subjects take turns for several
//! rounds, every answer is compared, and what comes out is rows: the tables on the terminal, the
//! file, and what the bars are judged by.

pub(crate) mod bars;
mod contestant;
mod table;
mod turns;
mod work;

use std::fs;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

pub(crate) use self::contestant::{Contestant, Workload, measure_all};
pub(crate) use self::turns::{Method, Title, Turn, take_turns};
pub(crate) use self::work::{consuming, counting, reading};
use crate::alloc::stop_counting;
use crate::beside::BESIDE;
use crate::cli::{BadInput, StudyOptions};
use crate::columns::COLUMNS;
use crate::find::FIND;
use crate::report::lines_of_json;

/// One measured value, as the JSON file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The study's name.
    pub(crate) study: String,
    /// The workload's name.
    pub(crate) workload: String,
    /// What the workload does, for a reader of the tables.
    #[serde(skip)]
    pub(crate) about: &'static str,
    /// How many objects there are.
    pub(crate) count: usize,
    /// The subject's name, and what is done with it where there are several ways.
    pub(crate) subject: String,
    /// Nanoseconds per operation, or what else the workload says that it counts: the median of the
    /// rounds.
    pub(crate) ns: f64,
    /// The median of the rounds' ratios to what the first subject took in the same round.
    pub(crate) ratio: f64,
    /// The distance between the quartiles of the rounds, as a share of the median.
    pub(crate) spread: f64,
}

/// What one command measures.
pub(crate) struct Studies {
    /// The command.
    pub(crate) command: &'static str,
    /// What a number in its tables is of.
    pub(crate) each: &'static str,
    /// All of it, in the order of the tables.
    pub(crate) parts: fn() -> Vec<Part>,
    /// What larder promises.
    pub(crate) bars: &'static [bars::Bar],
}

/// All commands that are made of studies.
pub(crate) const STUDIES: [Studies; 3] = [COLUMNS, BESIDE, FIND];

/// Measures a part of a run.
type Measure = Box<dyn Fn(Method, &ProgressBar) -> Result<Vec<Row>>>;

/// A piece of a run, after which the memory is free again.
pub(crate) struct Part {
    pub(crate) study: &'static str,
    pub(crate) count: usize,
    /// Whether a quick run goes without it.
    pub(crate) slow: bool,
    measure: Measure,
}

impl Part {
    pub(crate) fn new(
        study: &'static str,
        count: usize,
        measure: impl Fn(Method, &ProgressBar) -> Result<Vec<Row>> + 'static,
    ) -> Self {
        Self { study, count, slow: false, measure: Box::new(measure) }
    }

    /// The same, left out of a quick run where that is so.
    pub(crate) fn slow_if(self, slow: bool) -> Self {
        Self { slow, ..self }
    }

    /// Measures it as thoroughly as is said.
    pub(crate) fn measure(&self, method: Method, progress: &ProgressBar) -> Result<Vec<Row>> {
        (self.measure)(method, progress)
    }
}

/// Measures what the options ask for; tables to the output, rows to the file.
#[expect(clippy::print_stdout, reason = "the tables are what was asked for")]
pub(crate) fn run(studies: &Studies, options: &StudyOptions) -> Result<()> {
    let parts = chosen((studies.parts)(), options)?;
    stop_counting();
    let rows = measure(&parts)?;
    println!(
        "Nanoseconds per {}, where a table says nothing else: the median of rounds in",
        studies.each
    );
    println!("which subjects take turns, and how many times faster (or smaller) that is than the");
    println!("first line of the table.");
    print!("{}", table::tables(&rows));
    if let Some(path) = &options.json {
        let json = lines_of_json(&rows)?;
        fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))?;
        println!("\nThe numbers are in {}.", path.display());
    }
    println!("\nMade by: {}", command(studies, options));
    Ok(())
}

/// The parts that were asked for; all where nothing is said, without the slow ones in a quick run.
pub(crate) fn chosen(all: Vec<Part>, options: &StudyOptions) -> Result<Vec<Part>, BadInput> {
    let mut names: Vec<&str> = all.iter().map(|part| part.study).collect();
    names.dedup();
    if let Some(unknown) = options.studies.iter().find(|name| !names.contains(&name.as_str())) {
        let known = names.join(", ");
        return Err(BadInput(format!("there is no study `{unknown}`; there are {known}")));
    }
    let asked = |part: &Part| {
        (options.studies.is_empty() || options.studies.iter().any(|name| name == part.study))
            && (options.counts.is_empty() || options.counts.contains(&part.count))
            && !(options.quick && part.slow)
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
        progress.set_message(format!("{} of {}", part.study, part.count));
        rows.extend(part.measure(Method::for_count(part.count), &progress)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// The command that does the same again.
pub(crate) fn command(studies: &Studies, options: &StudyOptions) -> String {
    let features = if cfg!(feature = "ecs") { " -p larder-lab --features ecs" } else { "" };
    let mut words = vec![format!("cargo run --release{features} -- {}", studies.command)];
    if options.quick {
        words.push("--quick".to_owned());
    }
    words.extend(options.studies.iter().map(|name| format!("--study {name}")));
    words.extend(options.counts.iter().map(|count| format!("--count {count}")));
    words.extend(options.json.iter().map(|path| format!("--json {}", path.display())));
    words.join(" ")
}

/// What the tests of all studies ask.
#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// One turn each.
    pub(crate) const ONCE: Method = Method { rounds: 1, enough: 1.0 };

    fn parts() -> Vec<Part> {
        let part = |study, count| Part::new(study, count, |_, _| Ok(Vec::new()));
        vec![part("tick", 10), part("tick", 1_000).slow_if(true), part("holes", 1_000)]
    }

    #[test]
    fn names_and_counts_choose() {
        let some = StudyOptions { studies: vec!["tick".to_owned()], ..StudyOptions::default() };
        assert_eq!(chosen(parts(), &some).expect("there is such a study").len(), 2);
        let quick = StudyOptions { quick: true, ..some };
        assert_eq!(chosen(parts(), &quick).expect("one is left").len(), 1);
        let count = StudyOptions { counts: vec![1_000], ..StudyOptions::default() };
        assert_eq!(chosen(parts(), &count).expect("two have it").len(), 2);
    }

    #[test]
    fn unknown_names_and_counts_are_refused() {
        let none = StudyOptions { studies: vec!["tock".to_owned()], ..StudyOptions::default() };
        let error = chosen(parts(), &none).err().expect("no such study").to_string();
        assert_eq!(error, "there is no study `tock`; there are tick, holes");
        let none = StudyOptions { counts: vec![7], ..StudyOptions::default() };
        assert!(chosen(parts(), &none).is_err());
    }

    /// Bars find their rows by the study's name, whichever command wrote them.
    #[test]
    fn a_study_is_of_one_command_and_so_are_its_bars() {
        let mut names = Vec::new();
        for studies in STUDIES {
            let mut own: Vec<&str> = (studies.parts)().iter().map(|part| part.study).collect();
            own.sort_unstable();
            own.dedup();
            assert!(studies.bars.iter().all(|bar| own.contains(&bar.study)));
            names.extend(own);
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn the_command_does_the_same_again() {
        let options = StudyOptions {
            quick: true,
            studies: vec!["holes".to_owned()],
            counts: vec![100_000],
            json: None,
        };
        let studies = Studies { command: "columns", each: "particle", parts, bars: &[] };
        let command = command(&studies, &options);
        assert!(command.ends_with("-- columns --quick --study holes --count 100000"), "{command}");
    }
}

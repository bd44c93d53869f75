//! What `columns`, `beside`, `find` and `keep` have in common: they are made of studies.
//!
//! A study is some workloads on some subjects, at some counts. The subjects take turns for several
//! rounds, every answer is compared, and the results are rows: for the tables on the terminal, the
//! file, and the bars.

pub(crate) mod bars;
mod contest;
pub(crate) mod hashers;
pub(crate) mod prelude;
mod row;
mod table;
mod work;

use anyhow::Result;

pub(crate) use self::contest::{Contest, Workload};
pub(crate) use self::row::Row;
use crate::cli::{self, BadInput, StudyOptions};
use crate::measure::allocator::stop_counting;
use crate::measure::turns::progress_bar;
use crate::report::write_rows;

/// What one command measures.
pub(crate) struct Studies {
    /// The command.
    pub(crate) command: &'static str,
    /// What a number in its tables is per.
    pub(crate) each: &'static str,
    /// All of it, in the order of the tables.
    pub(crate) parts: fn() -> Vec<Part>,
    /// What larder promises.
    pub(crate) bars: &'static [bars::Bar],
}

/// Measures a part of a run.
type Measure = Box<dyn Fn(&Contest<'_>) -> Result<Vec<Row>>>;

/// A piece of a run, after which the memory is free again.
pub(crate) struct Part {
    pub(crate) study: &'static str,
    pub(crate) count: usize,
    /// Whether a quick run leaves it out.
    slow: bool,
    measure: Measure,
}

impl Part {
    pub(crate) fn measure(&self, contest: &Contest<'_>) -> Result<Vec<Row>> {
        (self.measure)(contest)
    }
}

/// A part of a study for each of these counts. A quick run leaves out those from `slow` on.
pub(crate) fn parts(
    study: &'static str,
    counts: &'static [usize],
    slow: usize,
    measure: impl Fn(&Contest<'_>) -> Result<Vec<Row>> + Clone + 'static,
) -> impl Iterator<Item = Part> {
    counts.iter().map(move |&count| Part {
        study,
        count,
        slow: count >= slow,
        measure: Box::new(measure.clone()),
    })
}

/// The parts of a study that is a module with a name, counts and what measures it. A quick run leaves
/// out the counts from `slow` on.
macro_rules! parts_of {
    ($study:ident) => {
        $crate::study::parts_of!($study, slow from $crate::study::NEVER_SLOW)
    };
    ($study:ident, slow from $slow:expr) => {
        $crate::study::parts($study::NAME, $study::COUNTS, $slow, $study::measure)
    };
}
pub(crate) use parts_of;

/// Of a study that has no slow parts.
pub(crate) const NEVER_SLOW: usize = usize::MAX;

/// Measures what the options ask for; tables to the output, rows to the file.
#[expect(clippy::print_stdout, reason = "the user asked for the tables")]
pub(crate) fn run(studies: &Studies, options: &StudyOptions) -> Result<()> {
    let parts = chosen((studies.parts)(), options)?;
    stop_counting();
    let progress = progress_bar(parts.len());
    let mut rows = Vec::new();
    for part in &parts {
        rows.extend(part.measure(&Contest::new(part.study, part.count, &progress))?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    println!(
        "Nanoseconds per {}, unless a table says otherwise: the median of rounds in",
        studies.each
    );
    println!("which subjects take turns, and how many times faster (or smaller) that is than the");
    println!("first line of the table.");
    print!("{}", table::tables(&rows));
    write_rows(options.json.as_deref(), &rows)?;
    println!("\nMade by: {}", command(studies.command, options));
    Ok(())
}

/// The parts that were asked for, or all; a quick run leaves out the slow ones.
fn chosen(all: Vec<Part>, options: &StudyOptions) -> Result<Vec<Part>, BadInput> {
    let mut names: Vec<&str> = all.iter().map(|part| part.study).collect();
    names.dedup();
    let studies = cli::chosen("study", &options.studies, &names)?;
    let asked = |part: &Part| {
        studies.contains(&part.study)
            && (options.counts.is_empty() || options.counts.contains(&part.count))
            && !(options.quick && part.slow)
    };
    let chosen: Vec<Part> = all.into_iter().filter(asked).collect();
    if chosen.is_empty() {
        return Err(BadInput("no study has that count".to_owned()));
    }
    Ok(chosen)
}

/// The command that does the same again.
pub(crate) fn command(job: &str, options: &StudyOptions) -> String {
    let features = if cfg!(feature = "ecs") { "ecs" } else { "studies" };
    let (studies, counts) = ([("study", &*options.studies)], [("count", &*options.counts)]);
    cli::spelled(features, job, options.quick, &studies, &counts, options.json.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Vec<Part> {
        let tick = super::parts("tick", &[10, 1_000], 1_000, |_| Ok(Vec::new()));
        tick.chain(super::parts("holes", &[1_000], NEVER_SLOW, |_| Ok(Vec::new()))).collect()
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
}

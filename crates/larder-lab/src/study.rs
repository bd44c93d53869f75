//! The common parts of `columns`, `beside`, `find` and `keep`, which are made of studies.
//!
//! A study is some workloads on some subjects, at some counts. The subjects take turns for several
//! rounds, every answer is compared, and the results are rows: for the tables on the terminal, the
//! file, and the bars.

mod contest;

use core::hash::BuildHasher;
use std::hash::RandomState;

use anyhow::Result;

use crate::cli::{self, BadInput, StudyOptions};
use crate::measure::allocator::stop_counting;
use crate::measure::random::Random;
use crate::measure::turns::progress_bar;
use crate::report::rows::{Row, write_rows};
use crate::report::table::Table;
use crate::report::{digits, grouped, say};
use crate::{beside, columns, find, keep};

/// The items with which studies are written.
pub(crate) mod prelude {
    pub(crate) use super::contest::{
        Contest, Returned, Turn, Turns, Works, changing, consuming, counting, filled, reading,
    };
    pub(crate) use super::{Foldhash, Hasher, NEVER_SLOW, Part, shuffle};
    pub(crate) use crate::measure::allocator::bytes_kept_by;
    pub(crate) use crate::measure::clock::{Sample, barrier, timed};
    pub(crate) use crate::measure::random::{Random, Scatter};
    pub(crate) use crate::report::rows::Row;
    pub(crate) use crate::study;
    pub(crate) use anyhow::Result;
    pub(crate) use std::hash::RandomState;
}

/// The studies that one command measures.
struct Studies {
    command: &'static str,
    /// The unit for which a number in its tables counts.
    each: &'static str,
    /// All of it, in the order of the tables.
    parts: fn() -> Vec<Part>,
}

/// All commands that are made of studies.
const STUDIES: [Studies; 4] = [
    Studies { command: "columns", each: "particle", parts: columns::parts },
    Studies { command: "beside", each: "operation", parts: beside::parts },
    Studies { command: "find", each: "operation", parts: find::parts },
    Studies { command: "keep", each: "object", parts: keep::parts },
];

/// Measures a part of a run.
type Measure = Box<dyn Fn(&contest::Contest<'_>) -> Result<Vec<Row>>>;

/// A piece of a run, after which the memory is free again.
pub(crate) struct Part {
    study: &'static str,
    count: usize,
    /// True if a quick run leaves it out.
    slow: bool,
    measure: Measure,
}

/// A part of a study for each of these counts. A quick run leaves out those from `slow` on.
pub(crate) fn parts(
    study: &'static str,
    counts: &'static [usize],
    slow: usize,
    measure: impl Fn(&contest::Contest<'_>) -> Result<Vec<Row>> + Clone + 'static,
) -> Vec<Part> {
    let part = |&count: &usize| Part {
        study,
        count,
        slow: count >= slow,
        measure: Box::new(measure.clone()),
    };
    counts.iter().map(part).collect()
}

/// The smallest slow count of a study that has no slow parts.
pub(crate) const NEVER_SLOW: usize = usize::MAX;

/// foldhash: a faster hasher than the standard library's, which is larder's, too.
pub(crate) type Foldhash = hashbrown::DefaultHashBuilder;

/// Puts values into random order.
pub(crate) fn shuffle<T>(values: &mut [T], random: &mut Random) {
    for last in (1..values.len()).rev() {
        values.swap(last, random.below(last + 1));
    }
}

/// A hasher under measurement.
pub(crate) trait Hasher: BuildHasher + Default + Clone {
    /// True if it is [`Foldhash`], which the subject's name then says.
    const IS_FOLDHASH: bool;
}

impl Hasher for RandomState {
    const IS_FOLDHASH: bool = false;
}

impl Hasher for Foldhash {
    const IS_FOLDHASH: bool = true;
}

/// Measures what the options ask of a command; tables to the output, rows to the file.
pub(crate) fn run(command: &str, options: &StudyOptions) -> Result<()> {
    let known = STUDIES.iter().find(|studies| studies.command == command);
    let studies = known.expect("the command line has no other jobs");
    let parts = chosen((studies.parts)(), options)?;
    stop_counting();
    let progress = progress_bar(parts.len());
    let mut rows = Vec::new();
    for part in &parts {
        let contest = contest::Contest::new(part.study, part.count, &progress);
        rows.extend((part.measure)(&contest)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    say(format_args!(
        "Nanoseconds per {}, unless a table says otherwise: the median of rounds in\n\
         which subjects take turns, and how many times faster (or smaller) that is than the\n\
         first line of the table.",
        studies.each
    ))?;
    say(tables(&rows))?;
    write_rows(options.json.as_deref(), &rows)
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

/// A table of Markdown for each workload of each study: a line for each subject, a column for each count. A cell
/// has nanoseconds per operation, and how many times faster that is than the first line.
fn tables(rows: &[Row]) -> String {
    let title = |row: &Row| {
        let study = row.study.as_deref().unwrap_or_default();
        format!("\n**{study}, `{}`**: {}\n\n", row.workload, row.about)
    };
    let mut text = String::new();
    for first in rows {
        if !text.contains(&title(first)) {
            let same = |row: &&Row| row.study == first.study && row.workload == first.workload;
            let here: Vec<&Row> = rows.iter().filter(same).collect();
            text += &(title(first) + &table(&here).markdown());
        }
    }
    text
}

fn table(rows: &[&Row]) -> Table {
    let mut counts: Vec<usize> = rows.iter().map(|row| row.count).collect();
    counts.sort_unstable();
    counts.dedup();
    let mut subjects: Vec<&str> = Vec::new();
    for row in rows {
        if !subjects.contains(&row.subject.as_str()) {
            subjects.push(&row.subject);
        }
    }
    let line = |subject: &str| {
        let row = |count| rows.iter().find(|row| row.count == count && row.subject == subject);
        let cells =
            counts.iter().map(|&count| row(count).map_or_else(String::new, |row| cell(row)));
        [subject.to_owned()].into_iter().chain(cells).map(Into::into).collect()
    };
    let heads = counts.iter().map(|&count| grouped(count as u64));
    Table::new(1, [String::new()].into_iter().chain(heads), subjects.into_iter().map(line))
}

/// The time, and how many times faster that is.
fn cell(row: &Row) -> String {
    format!("{} ×{}", digits(row.ns, 3), digits(1.0 / row.ratio, 2))
}

/// Every workload on every subject, at counts small enough for a debug build.
#[cfg(test)]
mod tests {
    use indicatif::ProgressBar;

    use super::*;
    use crate::bars::{BARS, all_are_about};

    /// The counts at which a study is tried.
    fn small_counts(study: &str) -> &'static [usize] {
        match study {
            "tick" | "assoc" | "keys" => &[1, 100, 1_030],
            "holes" => &[100, 300],
            "denormals" | "observers" => &[300],
            "lists" => &[340],
            "children" => &[400],
            "grid" => &[500],
            "views" => &[100, 1_000],
            "names" => &[3_000],
            "changes" => &[10_000],
            _ => &[1_000],
        }
    }

    /// Checks the number of rows that studies give at one count.
    fn rows_are_as_many(rows: &[Row], known: &[(&str, usize)]) {
        for &(study, number) in known {
            for &count in small_counts(study) {
                let of_study = |row: &&Row| row.study.as_deref() == Some(study);
                let found = rows.iter().filter(of_study).filter(|row| row.count == count);
                assert_eq!(found.count(), number, "{study} of {count}");
            }
        }
    }

    /// Measures all that a command does once, and judges every bar by that.
    fn tried(parts: fn() -> Vec<Part>) -> Vec<Row> {
        let progress = ProgressBar::hidden();
        let mut rows = Vec::new();
        // The parts of a study that differ in nothing but the count follow one another.
        for part in parts().chunk_by(|a, b| a.study == b.study && a.count < b.count) {
            let (study, part) = (part[0].study, &part[0]);
            for &count in small_counts(study) {
                let new = (part.measure)(&contest::Contest::once(study, count, &progress));
                let new = new.expect("they agree");
                assert!(new.iter().all(|row| row.ns > 0.0 && row.count == count), "{study}");
                rows.extend(new);
            }
        }
        all_are_about(&rows);
        rows
    }

    #[test]
    fn all_subjects_of_columns_agree_and_every_bar_is_judged() {
        let systems = if cfg!(feature = "ecs") { 2 } else { 0 };
        let known = [
            ("tick", 4 * (11 + systems)),
            ("assoc", 2 * 6),
            ("keys", 5 * (6 + systems)),
            ("holes", 3 * 8),
            ("denormals", 2),
            ("temporary", 4 * 3),
        ];
        rows_are_as_many(&tried(columns::parts), &known);
    }

    /// Only what a rival cannot do is left out.
    #[test]
    fn all_subjects_of_beside_agree_and_every_bar_is_judged() {
        let rows = tried(beside::parts);
        rows_are_as_many(&rows, &[("side", 4 * 7 * 5)]);
        let done = |subject: &str| rows.iter().filter(|row| row.subject == subject).count();
        assert_eq!(["indextree", "Arena and Tree", "Arena of Links"].map(done), [10; 3]);
        assert_eq!(["ego-tree", "Vec<Box>"].map(done), [6, 2]);
    }

    #[test]
    fn all_subjects_of_find_agree_and_every_bar_is_judged() {
        let known = [("children", 9 * 7), ("ir", 4 * 4), ("names", 5 * 7 + 5 * 2)];
        rows_are_as_many(&tried(find::parts), &known);
    }

    #[test]
    fn all_subjects_of_keep_agree_and_every_bar_is_judged() {
        rows_are_as_many(&tried(keep::parts), &[("game", 2 * 3), ("editor", 3 * 2)]);
    }

    /// Bars find their rows by the study's name, whichever command wrote them.
    #[test]
    fn a_study_is_of_one_command_and_so_are_its_bars() {
        let mut names = Vec::new();
        for studies in STUDIES {
            let mut own: Vec<&str> = (studies.parts)().iter().map(|part| part.study).collect();
            own.sort_unstable();
            own.dedup();
            names.extend(own);
        }
        let judged = BARS.iter().filter_map(|bar| bar.study);
        assert!(judged.into_iter().all(|study| study == "tail" || names.contains(&study)));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn names_and_counts_choose() {
        let part = |study, counts, slow| parts(study, counts, slow, |_| Ok(Vec::new()));
        let chosen = |options: &StudyOptions| {
            let known = [part("tick", &[10, 1_000], 1_000), part("holes", &[1_000], NEVER_SLOW)];
            chosen(known.into_iter().flatten().collect(), options).map(|parts| parts.len()).ok()
        };
        let some = StudyOptions { studies: vec!["tick".to_owned()], ..StudyOptions::default() };
        assert_eq!(chosen(&some), Some(2));
        assert_eq!(chosen(&StudyOptions { quick: true, ..some }), Some(1));
        let of = |count| StudyOptions { counts: vec![count], ..StudyOptions::default() };
        assert_eq!((chosen(&of(1_000)), chosen(&of(7))), (Some(2), None));
        let none = StudyOptions { studies: vec!["tock".to_owned()], ..StudyOptions::default() };
        assert_eq!(chosen(&none), None);
    }

    #[test]
    fn a_table_has_a_line_for_each_subject_and_a_column_for_each_count() {
        let row = |subject, count, ns, ratio| Row {
            about: "about all",
            ratio,
            ..Row::of("tick", "all", subject, count, ns)
        };
        let rows = [
            row("Vec", 1_000, 0.4, 1.0),
            row("soa-rs", 1_000, 0.04, 0.1),
            row("Vec", 10_000_000, 12.34, 4.0),
        ];
        let expected = "\n**tick, `all`**: about all\n\n\
            |  | 1,000 | 10,000,000 |\n| --- | ---: | ---: |\n\
            | Vec | 0.400 ×1.0 | 12.3 ×0.25 |\n| soa-rs | 0.040 ×10 |  |\n";
        assert_eq!(tables(&rows), expected);
    }
}

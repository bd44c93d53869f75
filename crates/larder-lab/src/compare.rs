//! `compare`: every container at every workload, as a ratio to a plain `Vec` doing the same work.
//!
//! For each size of element and count, containers are led through several states (full, thinned out,
//! churned), and the workloads of each state are measured there: the subjects take turns for several
//! rounds, work that changes a container is done equally often by all, and every answer is compared.
//! Data and choices are random but the same for every subject. Small containers with holes are walked
//! several in turn: a processor would learn by heart where the holes of one lie.

mod agree;
mod bench;
mod jobs;
mod lineup;
mod measure;
mod subject;
mod workload;

use anyhow::Result;

pub(crate) use self::agree::agree;
use self::lineup::{SUBJECTS, subject};
use self::measure::{Plan, measure};
pub(crate) use self::workload::WORKLOADS;
#[cfg(test)]
pub(crate) use self::workload::Workload;
use self::workload::{ALL, ELEMENT_BYTES, SMALL, YARDSTICK};
use crate::cli::{self, CompareOptions};
use crate::measure::allocator::stop_counting;
use crate::report::rows::{Row, write_rows};
use crate::report::table::{Cell, Table};
use crate::report::{digits, say};

/// Measures what the options ask for; tables to the output, rows to the file.
pub(crate) fn run(options: &CompareOptions) -> Result<()> {
    let plan = plan(options)?;
    stop_counting();
    let rows = measure(&plan, subject)?;
    say(format_args!(
        "Ratios to {YARDSTICK}, whose own column says what it took per operation: the median\n\
         of rounds in which subjects take turns; * marks the best but for {YARDSTICK}. Walks of less\n\
         than 10,000 elements with holes go through 8 to 32 containers in turn."
    ))?;
    say(tables(&rows))?;
    write_rows(options.json.as_deref(), &rows)
}

/// Returns the plan for the names and sizes in the options, or for everything if none are given. The yardstick is
/// always measured.
fn plan(options: &CompareOptions) -> Result<Plan> {
    let workload_names: Vec<&'static str> = WORKLOADS.iter().map(|known| known.name).collect();
    let subjects = cli::chosen("subject", &options.subjects, SUBJECTS)?;
    let workloads = cli::chosen("workload", &options.workloads, &workload_names)?;
    let counts = if options.quick { SMALL } else { ALL };
    Ok(Plan {
        subjects: SUBJECTS
            .iter()
            .copied()
            .filter(|&name| name == YARDSTICK || subjects.contains(&name))
            .collect(),
        by_name: !options.subjects.is_empty(),
        workloads: WORKLOADS.iter().filter(|known| workloads.contains(&known.name)).collect(),
        elements: cli::chosen("size", &options.elements, &ELEMENT_BYTES)?,
        counts: cli::chosen("count", &options.counts, counts)?,
    })
}

/// The tables of these results, one per size of element and count, each under its heading.
fn tables(rows: &[Row]) -> String {
    let size = |row: &Row| (row.count, row.element_bytes.unwrap_or(0));
    let tables = rows.chunk_by(|a, b| size(a) == size(b)).map(|rows| {
        let (count, bytes) = size(&rows[0]);
        format!("\n{count} elements of {bytes} bytes\n{}", table(rows).text())
    });
    tables.collect()
}

/// One table: a workload per row, a subject per column, in the order of the line-up. The yardstick's own column
/// shows what it took, the others their ratio to it, or a dot where they were not measured.
fn table(rows: &[Row]) -> Table {
    let is_here = |name: &&&str| rows.iter().any(|row| row.subject == **name);
    let names: Vec<&str> = SUBJECTS.iter().filter(is_here).copied().collect();
    let line = |row: &[Row]| {
        let others = row.iter().filter(|cell| cell.subject != YARDSTICK);
        let best = others.map(|cell| cell.ns).fold(f64::INFINITY, f64::min);
        let cells = names.iter().map(|&name| {
            let cell = row.iter().find(|cell| cell.subject == name);
            cell.map_or_else(|| "· ".to_owned().into(), |cell| text(cell, best))
        });
        [row[0].workload.clone().into()].into_iter().chain(cells).collect()
    };
    let lines = rows.chunk_by(|a, b| a.workload == b.workload).map(line);
    Table::new(1, [""].iter().chain(&names).copied(), lines)
}

fn text(row: &Row, best: f64) -> Cell {
    if row.subject == YARDSTICK {
        let unit = match row.workload.as_str() {
            "bytes" => "B",
            counted if counted.starts_with("allocations") => "",
            _ => "ns",
        };
        return format!("{} {unit}", digits(row.ns, 3)).into();
    }
    Cell { text: digits(row.ratio, 3), best: Some(row.ns == best) }
}

#[cfg(test)]
mod tests {
    use super::bench::{Bench, ClusterPlan, Effort};
    use super::subject::Held;
    use super::workload::{STAGES, WORKLOADS};
    use super::*;
    use crate::cli::CompareOptions;
    use crate::stores::{Bytes64, Packed};

    const EFFORT: Effort = Effort { enough: 1.0, repeats: 2, warm_up: true };

    /// The yardstick, of 64 bytes. (All subjects are in the program that `tests/command_line.rs` runs.)
    fn yardstick(count: usize, plans: &[ClusterPlan]) -> Bench<'_> {
        Bench::new(Box::new(Held::<Bytes64, Packed<Bytes64>>::new()), 64, count, plans)
    }

    #[test]
    fn all_sizes_are_tried() {
        assert_eq!(
            ELEMENT_BYTES,
            [4, 16, 64, 128, 1024],
            "`tests/command_line.rs` has a test for each"
        );
    }

    /// Walked in turn, three containers of other holes have other sums than one three times.
    #[test]
    fn walks_are_of_several_containers_whose_holes_differ() {
        let plans = [0, 1, 2].map(|seed| ClusterPlan::new(1000, seed));
        for name in ["walk_50", "walk_clustered_50", "walk_after_churn"] {
            let workload = WORKLOADS.iter().find(|known| known.name == name).expect("it is known");
            let sample = |plans| {
                let mut bench = yardstick(1000, plans);
                bench.enter(workload.stage);
                bench.sample(workload.job, &EFFORT)
            };
            let (one, three) = (sample(&plans[..1]), sample(&plans));
            assert_eq!(three.operations % 1500.0, 0.0, "{name}");
            assert_ne!(three.answer, 3 * one.answer, "{name}");
        }
    }

    /// Equal answers mean something only if they depend on the values.
    #[test]
    fn answers_depend_on_the_count() {
        let answers = |count| {
            let plans = [ClusterPlan::new(count, 0)];
            let mut bench = yardstick(count, &plans);
            let mut answers = Vec::new();
            for stage in STAGES {
                bench.enter(stage);
                for workload in WORKLOADS.iter().filter(|workload| workload.stage == stage) {
                    answers.push((workload.name, bench.sample(workload.job, &EFFORT).answer));
                }
            }
            answers
        };
        for ((name, small), (_, large)) in answers(64).into_iter().zip(answers(300)) {
            // A stale lookup's answer is a distance from what it should be, 0 for every
            // subject. The first value is the same however many follow, and some workloads have
            // a size of their own.
            let alike = ["stale", "first"].contains(&name)
                || ["insert_small", "allocations"].iter().any(|small| name.starts_with(small));
            if !alike {
                assert_ne!(small, large, "{name}");
            }
        }
    }

    #[test]
    fn names_and_sizes_choose_and_the_yardstick_is_always_there() {
        let options = CompareOptions {
            quick: true,
            subjects: vec!["slab".to_owned(), "Arena".to_owned()],
            workloads: vec!["game".to_owned()],
            elements: vec![64],
            ..CompareOptions::default()
        };
        let chosen = plan(&options).expect("all names are known");
        assert_eq!(chosen.subjects, ["Vec", "Arena", "slab"]);
        assert!(chosen.by_name && chosen.workloads.len() == 1);
        assert_eq!((chosen.elements, chosen.counts), (vec![64], SMALL.to_vec()));
        let large = CompareOptions { counts: vec![10_000_000], ..options };
        assert!(plan(&large).is_err(), "that is not quick");
        assert!(plan(&CompareOptions { quick: false, ..large }).is_ok());
    }

    #[test]
    fn the_best_is_marked_but_never_the_yardstick_and_what_was_not_measured_has_a_dot() {
        let of = |workload, subject, ns| Row::compared(workload, subject, 1000, ns);
        let text = tables(&[
            of("churn", "Vec", 2.0),
            of("churn", "slab", 4.0),
            of("fill", "Vec", 2.0),
            of("fill", "Arena huge", 5.0),
            of("fill", "slab", 3.0),
        ]);
        let mut lines = text.lines().skip(1);
        assert_eq!(lines.next(), Some("1000 elements of 16 bytes"));
        let words: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words[0], ["Vec", "Arena", "huge", "slab"], "{text}");
        assert_eq!(words[1], ["churn", "2.00", "ns", "·", "2.00*"], "{text}");
        assert_eq!(words[2], ["fill", "2.00", "ns", "2.50", "1.50*"], "{text}");
    }
}

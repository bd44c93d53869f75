//! `compare`: every container at every workload, as a ratio to a plain `Vec` doing the same work.
//!
//! For each size of element and count, containers are led through several states (full, thinned out,
//! churned), and the workloads of each state are measured there: the subjects take turns for several
//! rounds, work that changes a container is done equally often by all, and every answer is compared.
//! Data and choices are random but the same for every subject. Small containers with holes are walked
//! several in turn: a processor would learn by heart where the holes of one lie.

mod access;
pub(crate) mod bars;
mod bench;
mod build;
mod clusters;
mod lineup;
mod measure;
mod scope;
mod subject;
mod table;
mod workload;

#[cfg(test)]
mod tests;

use anyhow::Result;

use self::lineup::SUBJECTS;
use self::measure::{Plan, measure};
use self::scope::{ALL, ELEMENT_BYTES, SMALL, YARDSTICK};
use self::workload::WORKLOADS;
use crate::cli::{self, CompareOptions};
use crate::measure::allocator::stop_counting;
use crate::report::write_rows;

pub(crate) use self::measure::Row;

/// Measures what the options ask for; tables to the output, rows to the file.
#[expect(clippy::print_stdout, reason = "the tables are what was asked for")]
pub(crate) fn run(options: &CompareOptions) -> Result<()> {
    let plan = plan(options)?;
    stop_counting();
    let rows = measure(&plan)?;
    println!("Ratios to {YARDSTICK}, whose own column says what it took per operation: the median");
    println!(
        "of rounds in which subjects take turns; * marks the best but for {YARDSTICK}. Walks of less"
    );
    println!("than 10,000 elements with holes go through 8 to 32 containers in turn.");
    print!("{}", table::tables(&rows));
    write_rows(options.json.as_deref(), &rows)?;
    println!("\nMade by: {}", command(options));
    Ok(())
}

/// What to measure, by the names and sizes in the options; everything where none is given. The
/// yardstick is always measured.
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

/// The command that does the same again.
pub(crate) fn command(options: &CompareOptions) -> String {
    let names = [("subject", &*options.subjects), ("workload", &options.workloads)];
    let numbers = [("bytes", &*options.elements), ("count", &options.counts)];
    cli::spelled("", "compare", options.quick, &names, &numbers, options.json.as_deref())
}

//! `compare`: every container at every workload, as a ratio to a plain `Vec` doing the same work.
//!
//! For each size of element and count, containers are led through a few states (full, thinned
//! out, churned), and in each state the workloads that belong there are measured: the subjects
//! take turns for several rounds, what changes a container is done equally often by all, and every
//! answer is compared. Data and choices are random but the same for everybody.

pub(crate) mod bars;
mod build;
pub(crate) mod clock;
mod clusters;
mod contestant;
mod lineup;
mod measure;
mod population;
pub(crate) mod random;
mod read;
mod steady;
mod table;
mod workload;

#[cfg(test)]
mod tests;

use core::fmt::Display;
use std::fs;

use anyhow::{Context, Result};

use self::lineup::{ALL, ELEMENT_BYTES, SMALL, SUBJECTS, YARDSTICK};
use self::measure::{Plan, measure};
use self::workload::WORKLOADS;
use crate::alloc::stop_counting;
use crate::cli::{BadInput, CompareOptions};
use crate::report::lines_of_json;

/// Measures what the options ask for; tables to the output, rows to the file.
#[expect(clippy::print_stdout, reason = "the tables are what was asked for")]
pub(crate) fn run(options: &CompareOptions) -> Result<()> {
    let plan = plan(options)?;
    stop_counting();
    let rows = measure(&plan)?;
    println!("Ratios to {YARDSTICK}, whose own column says what it took per operation: the median");
    println!("of rounds in which subjects take turns; * marks the best but for {YARDSTICK}.");
    print!("{}", table::tables(&rows));
    if let Some(path) = &options.json {
        let json = lines_of_json(&rows)?;
        fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))?;
        println!("\nThe numbers are in {}.", path.display());
    }
    println!("\nMade by: {}", command(options));
    Ok(())
}

/// What to measure, by the names and sizes in the options; everything where none is given. The
/// yardstick is always measured.
fn plan(options: &CompareOptions) -> Result<Plan> {
    let workload_names: Vec<&'static str> = WORKLOADS.iter().map(|known| known.name).collect();
    let subjects = chosen("subject", &options.subjects, SUBJECTS)?;
    let workloads = chosen("workload", &options.workloads, &workload_names)?;
    let counts = if options.quick { SMALL } else { ALL };
    Ok(Plan {
        subjects: SUBJECTS
            .iter()
            .copied()
            .filter(|&name| name == YARDSTICK || subjects.contains(&name))
            .collect(),
        by_name: !options.subjects.is_empty(),
        workloads: WORKLOADS.iter().filter(|known| workloads.contains(&known.name)).collect(),
        elements: chosen("size", &options.elements, &ELEMENT_BYTES)?,
        counts: chosen("count", &options.counts, counts)?,
    })
}

/// The known ones that were asked for, or all.
fn chosen<A: Display + PartialEq<K>, K: Display + Copy>(
    what: &str,
    asked: &[A],
    known: &[K],
) -> Result<Vec<K>, BadInput> {
    if asked.is_empty() {
        return Ok(known.to_vec());
    }
    asked
        .iter()
        .map(|name| {
            let found = known.iter().find(|&known| name == known);
            found.copied().ok_or_else(|| {
                let known: Vec<String> = known.iter().map(K::to_string).collect();
                BadInput(format!("there is no {what} `{name}`; there are {}", known.join(", ")))
            })
        })
        .collect()
}

/// The command that does the same again.
fn command(options: &CompareOptions) -> String {
    let mut words = vec!["cargo run --release -- compare".to_owned()];
    if options.quick {
        words.push("--quick".to_owned());
    }
    words.extend(options.subjects.iter().map(|name| {
        if name.contains(' ') { format!("--subject '{name}'") } else { format!("--subject {name}") }
    }));
    words.extend(options.workloads.iter().map(|name| format!("--workload {name}")));
    words.extend(options.elements.iter().map(|bytes| format!("--bytes {bytes}")));
    words.extend(options.counts.iter().map(|count| format!("--count {count}")));
    words.extend(options.json.iter().map(|path| format!("--json {}", path.display())));
    words.join(" ")
}

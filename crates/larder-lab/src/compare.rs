//! `compare`: every container at every workload, as a ratio to a plain `Vec` doing the same work.
//!
//! For each size of element and count, containers are led through a few states (full, thinned
//! out, churned), and in each state the workloads that belong there are measured: the subjects
//! take turns for several rounds, what changes a container is done equally often by all, and every
//! answer is compared. Data and choices are random but the same for everybody.

pub(crate) mod bars;
mod build;
mod clock;
mod clusters;
mod contestant;
mod measure;
mod population;
mod random;
mod read;
mod steady;
mod table;
mod workload;

#[cfg(test)]
mod tests;

use std::fs;

use anyhow::{Context, Result};

use self::contestant::{SUBJECTS, YARDSTICK};
use self::measure::{Plan, Row, measure};
use self::workload::WORKLOADS;
use crate::cli::{BadInput, CompareOptions};

/// Measures what the options ask for; tables to the output, rows to the file.
#[expect(clippy::print_stdout, reason = "the tables are what was asked for")]
pub(crate) fn run(options: &CompareOptions) -> Result<()> {
    let plan = plan(options)?;
    let rows = measure(&plan)?;
    println!("Ratios to {YARDSTICK}, whose own column says what it took per operation: the median");
    println!("of rounds in which subjects take turns; * marks the best but for {YARDSTICK}.");
    print!("{}", table::tables(&rows));
    if let Some(path) = &options.json {
        let json = json(&rows)?;
        fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))?;
        println!("\nThe numbers are in {}.", path.display());
    }
    println!("\nMade by: {}", command(options));
    Ok(())
}

/// What to measure, by the names in the options; everything where none is given. The yardstick is
/// always measured.
fn plan(options: &CompareOptions) -> Result<Plan> {
    let workload_names: Vec<&'static str> = WORKLOADS.iter().map(|known| known.name).collect();
    let subjects = chosen("subject", &options.subjects, &SUBJECTS)?;
    let workloads = chosen("workload", &options.workloads, &workload_names)?;
    let small = [1_000, 100_000];
    Ok(Plan {
        subjects: SUBJECTS
            .into_iter()
            .filter(|&name| name == YARDSTICK || subjects.contains(&name))
            .collect(),
        workloads: WORKLOADS.iter().filter(|known| workloads.contains(&known.name)).collect(),
        counts: if options.quick { small.to_vec() } else { [&small[..], &[10_000_000]].concat() },
    })
}

/// The known names that were asked for, or all.
fn chosen(
    what: &str,
    asked: &[String],
    known: &[&'static str],
) -> Result<Vec<&'static str>, BadInput> {
    if asked.is_empty() {
        return Ok(known.to_vec());
    }
    asked
        .iter()
        .map(|name| {
            let found = known.iter().find(|&&known| known == name);
            found.copied().ok_or_else(|| {
                let known = known.join(", ");
                BadInput(format!("there is no {what} `{name}`; there are {known}"))
            })
        })
        .collect()
}

/// The rows as JSON, one on a line.
fn json(rows: &[Row]) -> Result<String> {
    let lines: Vec<String> = rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

/// The command that does the same again.
fn command(options: &CompareOptions) -> String {
    let mut words = vec!["cargo run --release -- compare".to_owned()];
    if options.quick {
        words.push("--quick".to_owned());
    }
    words.extend(options.subjects.iter().map(|name| format!("--subject {name}")));
    words.extend(options.workloads.iter().map(|name| format!("--workload {name}")));
    words.extend(options.json.iter().map(|path| format!("--json {}", path.display())));
    words.join(" ")
}

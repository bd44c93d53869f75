//! `compare`: every container at every workload, as a ratio to a plain `Vec` doing the same work.
//!
//! For each size of element and count, containers are led through several states (full, thinned out,
//! churned), and the workloads of each state are measured there: the subjects take turns for several
//! rounds, work that changes a container is done equally often by all, and every answer is compared.
//! Data and choices are random but the same for every subject. Small containers with holes are walked
//! several in turn: a processor would learn by heart where the holes of one lie.

mod bench;
mod clusters;
mod jobs;
mod lineup;
mod measure;
mod subject;
mod workload;

#[cfg(test)]
mod tests;

use anyhow::Result;

use self::lineup::SUBJECTS;
use self::measure::{Plan, measure};
pub(crate) use self::workload::WORKLOADS;
#[cfg(test)]
pub(crate) use self::workload::Workload;
use self::workload::{ALL, ELEMENT_BYTES, SMALL, YARDSTICK};
use crate::cli::{self, CompareOptions, made_by};
use crate::measure::allocator::stop_counting;
use crate::report::rows::{Row, write_rows};
use crate::report::table::{Cell, Table};

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
    print!("{}", tables(&rows));
    write_rows(options.json.as_deref(), &rows)?;
    println!("\n{}", made_by());
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
/// shows what
/// it took, the others their ratio to it, or a dot where they were not measured.
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
    Table {
        left: 1,
        header: [""].iter().chain(&names).map(|&name| name.to_owned()).collect(),
        lines: rows.chunk_by(|a, b| a.workload == b.workload).map(line).collect(),
        ..Table::default()
    }
}

fn text(row: &Row, best: f64) -> Cell {
    if row.subject == YARDSTICK {
        let unit = match row.workload.as_str() {
            "bytes" => "B",
            counted if counted.starts_with("allocations") => "",
            _ => "ns",
        };
        return format!("{} {unit}", short(row.ns)).into();
    }
    Cell { text: short(row.ratio.number()), best: Some(row.ns == best) }
}

/// A number in about four characters.
fn short(number: f64) -> String {
    match number {
        ..0.01 => format!("{number:.4}"),
        ..10.0 => format!("{number:.2}"),
        ..100.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

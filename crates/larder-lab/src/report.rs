//! What the user gets to see: tables on the terminal, a page with charts.
//!
//! Both are made from the same rows, so that they cannot tell different stories.

mod curves;
pub(crate) mod html;
mod machine;
mod svg;
pub(crate) mod table;
pub(crate) mod tail;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use crate::replay::{Measure, TraceResults};
use crate::stats::Summary;

/// A line of a table: one measure, a cell for every container.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    /// What was measured.
    name: String,
    /// For ratios, what 1.00 stands for.
    unit: String,
    /// The cells, in the order of the containers.
    cells: Vec<Cell>,
    /// How far the rounds lie apart, where that can differ.
    noise: String,
}

/// What one container reached.
#[derive(Clone, Debug, PartialEq)]
struct Cell {
    text: String,
    /// Whether nobody is better, as far as the text tells.
    best: bool,
}

/// Everything that was measured on a recording, line by line.
fn rows(results: &TraceResults) -> Vec<Row> {
    let mut rows: Vec<_> = results.times.iter().map(time_row).collect();
    let bytes = &results.bytes;
    rows.push(Row {
        name: "bytes per object".into(),
        unit: String::new(),
        cells: cells(&bytes.per_object, |&bytes| format!("{bytes:.1}")),
        noise: String::new(),
    });
    rows.push(Row {
        name: "peak KiB".into(),
        unit: String::new(),
        cells: cells(&bytes.peak, |&bytes| grouped(bytes.div_ceil(1024))),
        noise: String::new(),
    });
    let wrong: Vec<_> = results.wrong.iter().map(|wrong| wrong.all()).collect();
    rows.push(Row {
        name: "stale answers".into(),
        unit: String::new(),
        cells: cells(&wrong, |&wrong| grouped(wrong)),
        noise: String::new(),
    });
    rows
}

/// A time as ratios to the fastest container's.
fn time_row(measure: &Measure) -> Row {
    let medians: Vec<_> = measure.ns.iter().map(|ns| ns.median).collect();
    let fastest = medians.iter().copied().reduce(f64::min);
    let spread = measure.ns.iter().map(Summary::spread).reduce(f64::max);
    Row {
        name: format!("per {}", measure.name),
        unit: fastest.map(nanoseconds).unwrap_or_default(),
        cells: cells(&medians, |ns| ratio(ns / fastest.unwrap_or(1.0))),
        noise: spread.map(|spread| format!("{:.0} %", spread * 100.0)).unwrap_or_default(),
    }
}

/// The cells of a row, of which the smallest are marked, and those that read the same.
fn cells<T: PartialOrd>(values: &[T], text: impl Fn(&T) -> String) -> Vec<Cell> {
    let smallest =
        values.iter().reduce(|least, value| if value < least { value } else { least }).map(&text);
    values
        .iter()
        .map(&text)
        .map(|text| Cell { best: Some(&text) == smallest.as_ref(), text })
        .collect()
}

/// A ratio of at least 1, to three digits.
fn ratio(ratio: f64) -> String {
    if ratio < 9.995 {
        format!("{ratio:.2}")
    } else if ratio < 99.95 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.0}")
    }
}

/// A time to two or three digits.
fn nanoseconds(ns: f64) -> String {
    if ns < 9.995 {
        format!("{ns:.2} ns")
    } else if ns < 99.95 {
        format!("{ns:.1} ns")
    } else {
        format!("{} ns", grouped(ns.round() as u64))
    }
}

/// A number with a comma between each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How often everything was done.
fn rounds(rounds: usize) -> String {
    format!("{rounds} round{}", if rounds == 1 { "" } else { "s" })
}

/// How a recording is described, in a line.
fn facts(results: &TraceResults) -> String {
    format!(
        "{} events, {} objects, at most {} live; {} walks, {} look-ups, {} stale handles",
        grouped(results.events as u64),
        grouped(results.objects as u64),
        grouped(results.peak_live as u64),
        grouped(results.walks as u64),
        grouped(results.lookups as u64),
        grouped(results.dead_handles as u64),
    )
}

/// Writes a page into a directory, which is made where there is none; says where the page is.
pub(crate) fn write(directory: &Path, name: &str, page: &str) -> anyhow::Result<PathBuf> {
    let file = directory.join(name);
    std::fs::create_dir_all(directory)
        .and_then(|()| std::fs::write(&file, page))
        .with_context(|| format!("the report {} cannot be written", file.display()))?;
    Ok(file)
}

/// Rows as JSON, one on a line.
pub(crate) fn lines_of_json<R: Serialize>(rows: &[R]) -> anyhow::Result<String> {
    let lines: Vec<String> = rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

#[cfg(test)]
mod tests;

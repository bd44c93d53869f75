//! What `replay` shows: tables on the terminal and a page with charts, made from the same rows.

use super::results::{Measure, TraceResults};
use crate::measure::stats::{Summary, grouped};
use crate::report::html::{self, escape, made_here};
use crate::report::rounds;
use crate::report::svg::{self, Mark};
use crate::report::table::{Cell, Table, cells};

/// The tables, one for each recording, and how to read them.
pub(super) fn tables(results: &[TraceResults]) -> String {
    let mut text = String::new();
    for trace in results {
        text += &format!("\n{}\n{}\n{}\n", headline(trace), facts(trace), table(trace).text());
    }
    text + HOW_TO_READ
}

/// The page.
pub(super) fn page(results: &[TraceResults]) -> String {
    let sections: String = results.iter().map(section).collect();
    let body = format!("{}{sections}{HOW_IT_WAS_MEASURED}", introduction(results));
    html::page("larder lab: replay", "Recorded lifetimes, replayed", &body)
}

const HOW_TO_READ: &str = "
*                 the best of its row
per event …       ratios to the fastest, whose time is under \"1.00 is\". An event is an insertion, or a
                  removal and one look-up of the handle that it made stale; look-ups are of live
                  objects, in the order in which the program freed them
noise             how far the quartiles of a container's rounds are apart, at most in the row:
                  smaller differences mean nothing
bytes per object  all memory of the containers per live object, on average over all walks
stale answers     how often a handle found a value after its object was removed: each is tried at
                  once, and again at the end of its 10,000 events

";

fn headline(trace: &TraceResults) -> String {
    if trace.about.is_empty() {
        trace.name.clone()
    } else {
        format!("{}: {}", trace.name, trace.about)
    }
}

/// Everything that was measured on a recording, line by line.
fn table(trace: &TraceResults) -> Table {
    let labels = trace.labels.iter().map(|label| label.heading.to_owned());
    let header = [rounds(trace.rounds), "1.00 is".to_owned()].into_iter().chain(labels);
    let line = |row: Row| {
        let before = [row.name, row.unit].map(Cell::from);
        before.into_iter().chain(row.cells).chain([row.noise.into()]).collect()
    };
    Table {
        left: 1,
        rule: true,
        header: header.chain(["noise".to_owned()]).collect(),
        lines: rows(trace).into_iter().map(line).collect(),
    }
}

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

/// A recording, in one line.
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

fn introduction(results: &[TraceResults]) -> String {
    let rounds = rounds(results.first().map_or(0, |trace| trace.rounds));
    let versions = results.first().map(versions).unwrap_or_default();
    format!(
        "<p>What real programs allocated and freed, done again with containers: every object is a \
         value in the container of its size.</p>\n\
         <p class=\"quiet\">{}; {rounds}; {versions}</p>\n",
        made_here(),
    )
}

/// The crates that were measured, with their versions.
fn versions(results: &TraceResults) -> String {
    let mut packages: Vec<_> = results.labels.iter().map(|label| label.package).collect();
    packages.dedup();
    packages
        .iter()
        .map(|package| format!("{package} {}", html::version(package).unwrap_or("?")))
        .collect::<Vec<_>>()
        .join(", ")
}

fn section(trace: &TraceResults) -> String {
    let charts: String = trace.times.iter().map(|time| time_chart(trace, time)).collect();
    format!(
        "<h2>{}</h2>\n<p>{}</p>\n<p class=\"quiet\">{}</p>\n{}\n\
         <div class=\"charts\">\n{charts}{}</div>\n{}",
        escape(&trace.name),
        escape(&trace.about),
        facts(trace),
        svg::live(
            &trace.live,
            "first event",
            &format!("live objects, at most {}", grouped(trace.peak_live as u64)),
            "last event",
        ),
        bytes_chart(trace),
        table(trace).html(),
    )
}

/// A time: each container's ratio to the fastest.
fn time_chart(trace: &TraceResults, measure: &Measure) -> String {
    let Some(fastest) = measure.ns.iter().map(|ns| ns.median).reduce(f64::min) else {
        return String::new();
    };
    let ratios: Vec<_> = measure.ns.iter().map(|ns| ns.median / fastest).collect();
    let marks: Vec<_> = cells(&ratios, |&value| ratio(value))
        .into_iter()
        .zip(&measure.ns)
        .zip(&trace.labels)
        .map(|((cell, ns), &label)| Mark {
            name: label.name.into(),
            ours: label.is_ours(),
            best: cell.best == Some(true),
            value: ns.median / fastest,
            range: (ns.lower_quartile / fastest, ns.upper_quartile / fastest),
            label: format!("{} × · {}", cell.text, nanoseconds(ns.median)),
        })
        .collect();
    let title = format!("Time per {}", measure.name);
    format!(
        "<figure><h3>{title}</h3><p class=\"quiet\">{}</p>{}</figure>\n",
        measure.about,
        svg::ratios(&title, &marks)
    )
}

/// The bytes per live object.
fn bytes_chart(trace: &TraceResults) -> String {
    let bytes = &trace.bytes;
    if bytes.per_object.is_empty() {
        return String::new();
    }
    let marks: Vec<_> = cells(&bytes.per_object, |bytes| format!("{bytes:.1}"))
        .into_iter()
        .zip(&bytes.per_object)
        .zip(&trace.labels)
        .map(|((cell, &value), &label)| Mark {
            name: label.name.into(),
            ours: label.is_ours(),
            best: cell.best == Some(true),
            value,
            range: (value, value),
            label: cell.text,
        })
        .collect();
    format!(
        "<figure><h3>Bytes per live object</h3>\
         <p class=\"quiet\">All of the container's memory, on average over all walks.</p>{}</figure>\n",
        svg::bars(
            "Bytes per live object",
            &marks,
            bytes.value,
            &format!("the value alone: {:.1}", bytes.value)
        )
    )
}

const HOW_IT_WAS_MEASURED: &str = "<h2>How it was measured</h2>
<p>One container for each size class (16, 32, … 1,024 bytes; larger objects count as 1,024), new
for every round and grown as it goes. The containers take turns in one process; each round begins
with another, and every second round goes backwards. Times are medians over the rounds; the faint
bars are the middle half of them. Before that, each round's times are scaled to an even pace (the
median container of the round), so that a machine that slows down for a while favours none of them.
<em>Noise</em> is the widest of those bars in a row, as a share of its median: smaller differences
mean nothing.</p>
<p>After every 10,000 events all live objects are walked, and then up to 10,000 live objects are
looked up, those that the program frees next, in that order. Every value that is removed, walked
or found goes into a checksum, which must be the one that the recording implies, or there is no
report.</p>
<p>A handle is looked up right after its object was removed, and again at the end of those 10,000
events, when its slot may hold another object. A container without generations then answers
with another object.</p>
<p>Bytes are those that the container asked the allocator for; the lab's own table of handles is
not counted. Every event also costs the lab a branch on the size class that is hard to predict and
a visit to that table: that is the same for everyone, and makes the ratios milder than the
containers are.</p>
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_and_times_have_three_digits() {
        assert_eq!([1.0, 9.994, 9.996, 123.4].map(ratio), ["1.00", "9.99", "10.0", "123"]);
        let times = [0.614, 12.34, 99.96, 1234.0].map(nanoseconds);
        assert_eq!(times, ["0.61 ns", "12.3 ns", "100 ns", "1,234 ns"]);
    }

    #[test]
    fn a_row_of_times_is_relative_to_its_fastest() {
        let row = time_row(&Measure {
            name: "event",
            about: "",
            ns: [[20.0, 22.0, 24.0], [10.0, 10.0, 10.0]]
                .map(|rounds| Summary::of(&rounds))
                .to_vec(),
        });
        assert_eq!(row.unit, "10.0 ns");
        let texts: Vec<_> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, ["2.20", "1.00"]);
        assert_eq!(row.noise, "9 %");
    }

    #[test]
    fn what_was_not_measured_has_an_empty_row() {
        let row = time_row(&Measure { name: "event", about: "", ns: Vec::new() });
        assert!(row.cells.is_empty() && row.unit.is_empty() && row.noise.is_empty());
    }
}

//! The report of `replay`: tables on the terminal and a page with charts, made from the same rows.

use super::shelves::{LINEUP, Subject};
use super::{Measure, Results};
use crate::measure::stats::Summary;
use crate::report::chart::{self, Mark};
use crate::report::page::{self, escape, made_here};
use crate::report::table::{Cell, Table, cells};
use crate::report::{digits, duration, grouped, rounds};

/// The tables, one for each recording, and how to read them.
pub(super) fn tables(results: &[Results]) -> String {
    let table = |of: &Results| {
        let name = [of.trace.name.as_str(), &of.trace.about].join(": ");
        let name = name.trim_end_matches(": ");
        format!("\n{name}\n{}\n{}\n", facts(of), table(of).text())
    };
    results.iter().map(table).collect::<String>() + HOW_TO_READ
}

pub(super) fn page_of(results: &[Results]) -> String {
    let sections: String = results.iter().map(section).collect();
    let rounds = rounds(results.first().map_or(0, Results::rounds));
    let body = format!(
        "<p>What real programs allocated and freed, done again with containers: every object is a \
         value in the container of its size.</p>\n\
         <p class=\"quiet\">{}; {rounds}; {}</p>\n{sections}{HOW_IT_WAS_MEASURED}",
        made_here(),
        versions(),
    );
    page::page("larder lab: replay", "Recorded lifetimes, replayed", &body)
}

/// The crates that are measured, with their versions.
fn versions() -> String {
    let mut packages: Vec<_> = LINEUP.iter().map(|subject| subject.package).collect();
    packages.dedup();
    let version = |package: &&str| format!("{package} {}", page::version(package).unwrap_or("?"));
    packages.iter().map(version).collect::<Vec<_>>().join(", ")
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

/// Everything that was measured on a recording: a line for each measure, a cell for every container.
fn table(results: &Results) -> Table {
    let headings = LINEUP.iter().map(|subject| subject.heading.to_owned());
    let header = [rounds(results.rounds()), "1.00 is".to_owned()].into_iter().chain(headings);
    let peaks: Vec<u64> = results.firsts().map(|run| run.peak_bytes.div_ceil(1024)).collect();
    let wrong: Vec<u64> = results.firsts().map(|run| run.wrong_at_once + run.wrong_later).collect();
    let mut lines: Vec<_> = results.times().iter().map(time_line).collect();
    for (name, cells) in [
        ("bytes per object", cells(&results.bytes_per_object(), |&bytes| format!("{bytes:.1}"))),
        ("peak KiB", cells(&peaks, |&kibibytes| grouped(kibibytes))),
        ("stale answers", cells(&wrong, |&wrong| grouped(wrong))),
    ] {
        lines.push(line(name.to_owned(), String::new(), cells, String::new()));
    }
    Table::new(1, header.chain(["noise".to_owned()]), lines).ruled()
}

/// Makes the line of a measurement: its name; for ratios, the meaning of 1.00; a cell for each container; the spread of
/// the rounds.
fn line(name: String, unit: String, cells: Vec<Cell>, noise: String) -> Vec<Cell> {
    [name, unit].map(Cell::from).into_iter().chain(cells).chain([noise.into()]).collect()
}

/// A time as ratios to the fastest container's.
fn time_line(measure: &Measure) -> Vec<Cell> {
    let medians: Vec<_> = measure.ns.iter().map(|ns| ns.median).collect();
    let fastest = medians.iter().copied().reduce(f64::min);
    let spread = measure.ns.iter().map(Summary::spread).reduce(f64::max);
    line(
        format!("per {}", measure.name),
        fastest.map(|ns| duration(ns, 3)).unwrap_or_default(),
        cells(&medians, |ns| digits(ns / fastest.unwrap_or(1.0), 3)),
        spread.map(|spread| format!("{:.0} %", spread * 100.0)).unwrap_or_default(),
    )
}

/// A recording, in one line.
fn facts(results: &Results) -> String {
    let Results { trace, plan, .. } = results;
    let frees = plan.steps.iter().filter(|step| step.is_free()).count();
    let counts = [trace.events.len(), trace.objects, trace.peak_live];
    let [events, objects, live] = counts.map(|count| grouped(count as u64));
    let counts = [results.whole().count(), plan.lookups.len(), frees];
    let [walks, lookups, stale] = counts.map(|count| grouped(count as u64));
    format!(
        "{events} events, {objects} objects, at most {live} live; {walks} walks, {lookups} look-ups, {stale} stale handles"
    )
}

fn section(results: &Results) -> String {
    let Results { trace, plan, .. } = results;
    let charts: String = results.times().iter().map(time_chart).collect();
    let live: Vec<usize> = plan.windows.iter().map(|window| window.live).collect();
    let most = format!("live objects, at most {}", grouped(trace.peak_live as u64));
    format!(
        "<h2>{}</h2>\n<p>{}</p>\n<p class=\"quiet\">{}</p>\n{}\n\
         <div class=\"charts\">\n{charts}{}</div>\n{}",
        escape(&trace.name),
        escape(&trace.about),
        facts(results),
        chart::live(&live, "first event", &most, "last event"),
        bytes_chart(results),
        table(results).html(),
    )
}

/// A chart of ratios, a mark for each container; those with the least value are the best.
fn chart(
    title: &str,
    about: &str,
    values: &[f64],
    range: impl Fn(usize) -> (f64, f64),
    label: impl Fn(usize, String) -> String,
) -> String {
    if values.is_empty() {
        return String::new();
    }
    let marks = cells(values, |&value| digits(value, 3)).into_iter().zip(LINEUP).enumerate();
    let mark = |(at, (cell, subject)): (usize, (Cell, &Subject))| Mark {
        name: subject.name.into(),
        ours: subject.is_ours(),
        best: cell.best == Some(true),
        value: values[at],
        range: range(at),
        label: label(at, cell.text),
    };
    let chart = chart::ratios(title, &marks.map(mark).collect::<Vec<_>>());
    format!("<figure><h3>{title}</h3><p class=\"quiet\">{about}</p>{chart}</figure>\n")
}

/// A time: each container's ratio to the fastest.
fn time_chart(measure: &Measure) -> String {
    let ns = &measure.ns;
    let fastest = ns.iter().map(|ns| ns.median).fold(f64::INFINITY, f64::min);
    let ratios: Vec<_> = ns.iter().map(|ns| ns.median / fastest).collect();
    let quartiles = |at: usize| (ns[at].lower_quartile / fastest, ns[at].upper_quartile / fastest);
    let label = |at: usize, text| format!("{text} × · {}", duration(ns[at].median, 3));
    chart(&format!("Time per {}", measure.name), measure.about, &ratios, quartiles, label)
}

/// The bytes per live object: each container's ratio to the values alone.
fn bytes_chart(results: &Results) -> String {
    let (bytes, value) = (results.bytes_per_object(), results.value_bytes());
    let ratios: Vec<_> = bytes.iter().map(|bytes| bytes / value).collect();
    let about = format!(
        "All of the container's memory, on average over all walks; the value alone is {value:.1} bytes."
    );
    let label = |at: usize, text| format!("{text} × · {:.1}", bytes[at]);
    chart("Bytes per live object", &about, &ratios, |at| (ratios[at], ratios[at]), label)
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
    fn a_row_of_times_is_relative_to_its_fastest() {
        let line = time_line(&Measure {
            name: "event",
            about: "",
            ns: [[20.0, 22.0, 24.0], [10.0, 10.0, 10.0]]
                .map(|rounds| Summary::of(&rounds))
                .to_vec(),
        });
        let texts: Vec<_> = line.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, ["per event", "10.0 ns", "2.20", "1.00", "9 %"]);
    }

    #[test]
    fn what_was_not_measured_has_an_empty_row() {
        let line = time_line(&Measure { name: "event", about: "", ns: Vec::new() });
        let texts: Vec<_> = line.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts, ["per event", "", ""]);
    }
}

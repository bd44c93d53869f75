//! The page: one file, with nothing to fetch, that opens anywhere.

use super::svg::{self, Mark};
use super::{cells, facts, grouped, machine, nanoseconds, ratio, rounds, rows};
use crate::replay::{Measure, TraceResults};

const STYLE: &str = include_str!("page.css");

/// Makes text safe to stand in HTML and SVG, within elements and within attributes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The page of a replay.
pub(crate) fn replay(results: &[TraceResults]) -> String {
    let sections: String = results.iter().map(section).collect();
    let body = format!("{}{sections}{HOW_IT_WAS_MEASURED}", introduction(results));
    page("larder lab: replay", "Recorded lifetimes, replayed", &body)
}

/// A whole page around its body.
pub(super) fn page(title: &str, heading: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{heading}</h1>\n{body}</body>\n</html>\n"
    )
}

/// When and where a page was made, and whether its numbers mean anything.
pub(super) fn made_here() -> String {
    let warning = if cfg!(debug_assertions) {
        "; built without optimisation, so that no time here means anything"
    } else {
        ""
    };
    format!("{}; {}{warning}", machine::today(), escape(&machine::machine()))
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
        .map(|package| format!("{package} {}", machine::version(package).unwrap_or("?")))
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
        table(trace),
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
            best: cell.best,
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

/// The bytes for which a live object is answerable.
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
            best: cell.best,
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

/// The same table as on the terminal.
fn table(trace: &TraceResults) -> String {
    let heads: String = trace
        .labels
        .iter()
        .map(|label| {
            let (package, name) = (escape(label.package), escape(label.name));
            if package == name {
                format!("<th>{name}</th>")
            } else {
                format!("<th><small>{package}</small>{name}</th>")
            }
        })
        .collect();
    let lines: String = rows(trace)
        .iter()
        .map(|row| {
            let cells: String = row
                .cells
                .iter()
                .map(|cell| {
                    let class = if cell.best { " class=\"best\"" } else { "" };
                    format!("<td{class}>{}</td>", escape(&cell.text))
                })
                .collect();
            format!(
                "<tr><td>{}</td><td>{}</td>{cells}<td>{}</td></tr>\n",
                escape(&row.name),
                escape(&row.unit),
                escape(&row.noise)
            )
        })
        .collect();
    format!(
        "<div class=\"scroll\"><table>\n<tr><th></th><th>1.00 is</th>{heads}<th>noise</th></tr>\n\
         {lines}</table></div>\n"
    )
}

const HOW_IT_WAS_MEASURED: &str = "<h2>How it was measured</h2>
<p>One container for each size class (16, 32, … 1,024 bytes; larger objects count as 1,024), new
for every round and grown as it goes. The containers take turns in one process; each round begins
with another, and every second round goes backwards. Times are medians over the rounds; the faint
bars are the middle half of them. Before that, each round's times are scaled to an even pace (the
median container of the round), so that a machine that slows down for a while favours nobody.
<em>Noise</em> is the widest of those bars in a row, as a share of its median: smaller differences
mean nothing.</p>
<p>After every 10,000 events all live objects are walked, and then up to 10,000 live objects are
looked up, those that the program frees next, in that order. Every value that is removed, walked
or found goes into a checksum, which must be the one that the recording implies, or there is no
report.</p>
<p>A handle is asked for its object right after that was removed, and again at the end of those
10,000 events, when its place may have a new tenant. A container without generations then answers
with somebody else's object.</p>
<p>Bytes are those that the container asked the allocator for; the lab's own table of handles is
not counted. Every event also costs the lab a branch on the size class that is hard to predict and
a visit to that table: that is the same for everyone, and makes the ratios milder than the
containers are.</p>
";

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_that_means_something_in_html_is_left() {
        assert_eq!(
            escape(r#"<script a="b" c='d'>&amp;</script>"#),
            "&lt;script a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;amp;&lt;/script&gt;"
        );
        assert_eq!(escape("plain × text"), "plain × text");
    }
}

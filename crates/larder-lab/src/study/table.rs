//! The rows as tables of Markdown, as in `docs/columns.md`.

use super::row::Row;
use crate::measure::stats::grouped;

/// A table for each workload of each study: a line for each subject, a column for each count. A cell
/// has nanoseconds per operation, and how many times faster that is than the first line.
pub(crate) fn tables(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut rest = rows;
    while let Some(first) = rest.first() {
        let same = |row: &&Row| row.study == first.study && row.workload == first.workload;
        let here: Vec<&Row> = rows.iter().filter(same).collect();
        if !text.contains(&title(first)) {
            text.push_str(&title(first));
            text.push_str(&table(&here));
        }
        rest = &rest[1..];
    }
    text
}

fn title(row: &Row) -> String {
    format!("\n**{}, `{}`**: {}\n\n", row.study, row.workload, row.about)
}

fn table(rows: &[&Row]) -> String {
    let mut counts: Vec<usize> = rows.iter().map(|row| row.count).collect();
    counts.sort_unstable();
    counts.dedup();
    let mut subjects: Vec<&str> = Vec::new();
    for row in rows {
        if !subjects.contains(&row.subject.as_str()) {
            subjects.push(&row.subject);
        }
    }
    let mut lines = vec![
        line("", counts.iter().map(|&count| grouped(count as u64))),
        line("---", counts.iter().map(|_| "---:".to_owned())),
    ];
    for subject in subjects {
        let cell = |&count: &usize| {
            let row = rows.iter().find(|row| row.count == count && row.subject == subject);
            row.map_or_else(String::new, |row| cell(row))
        };
        lines.push(line(subject, counts.iter().map(cell)));
    }
    lines.concat()
}

fn line(first: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    format!("| {first} | {} |\n", cells.join(" | "))
}

fn cell(row: &Row) -> String {
    let faster = 1.0 / row.ratio;
    let digits = if faster < 9.95 { 1 } else { 0 };
    let digits = if faster < 0.995 { 2 } else { digits };
    format!("{} ×{faster:.digits$}", short(row.ns))
}

/// A number in three digits.
fn short(number: f64) -> String {
    match number {
        ..0.995 => format!("{number:.3}"),
        ..9.95 => format!("{number:.2}"),
        ..99.5 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(subject: &str, count: usize, ns: f64, ratio: f64) -> Row {
        Row {
            study: "tick".to_owned(),
            workload: "all".to_owned(),
            about: "about all",
            count,
            subject: subject.to_owned(),
            ns,
            ratio,
            spread: 0.0,
        }
    }

    #[test]
    fn a_table_has_a_line_for_each_subject_and_a_column_for_each_count() {
        let rows = [
            row("Vec", 1_000, 0.4, 1.0),
            row("soa-rs", 1_000, 0.04, 0.1),
            row("Vec", 10_000_000, 12.34, 1.0),
        ];
        let text = tables(&rows);
        let expected = "\n**tick, `all`**: about all\n\n\
            |  | 1,000 | 10,000,000 |\n| --- | ---: | ---: |\n\
            | Vec | 0.400 ×1.0 | 12.3 ×1.0 |\n| soa-rs | 0.040 ×10 |  |\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_slower_is_faster_by_less_than_one() {
        assert_eq!(cell(&row("Vec", 1, 2.0, 4.0)), "2.00 ×0.25");
    }
}

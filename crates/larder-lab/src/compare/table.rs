//! The results as tables: a workload per row, a subject per column.

use super::lineup::SUBJECTS;
use super::measure::Row;
use super::scope::YARDSTICK;
use crate::report::grid::Grid;

/// The tables of these results, one per size of element and count, each under its heading.
pub(crate) fn tables(rows: &[Row]) -> String {
    let mut text = String::new();
    for sizes in rows.chunk_by(|a, b| (a.count, a.element_bytes) == (b.count, b.element_bytes)) {
        text += &format!(
            "\n{} elements of {} bytes\n{}",
            sizes[0].count,
            sizes[0].element_bytes,
            table(sizes)
        );
    }
    text
}

/// One table. The yardstick's own column shows what it took, the others their ratio to it, or a dot
/// where they were not measured.
fn table(rows: &[Row]) -> String {
    let names = subjects(rows);
    let line = |row: &[Row]| {
        let others = row.iter().filter(|cell| cell.subject != YARDSTICK);
        let best = others.map(|cell| cell.ns).fold(f64::INFINITY, f64::min);
        let cells = names.iter().map(|&name| {
            let cell = row.iter().find(|cell| cell.subject == name);
            cell.map_or_else(|| "· ".to_owned(), |cell| text(cell, best))
        });
        [row[0].workload.clone()].into_iter().chain(cells).collect()
    };
    let grid = Grid {
        left: 1,
        header: [""].iter().chain(&names).map(|&name| name.to_owned()).collect(),
        lines: rows.chunk_by(|a, b| a.workload == b.workload).map(line).collect(),
        ..Grid::default()
    };
    grid.text()
}

/// The subjects of these rows, in the order of the line-up.
fn subjects(rows: &[Row]) -> Vec<&str> {
    let place = |name: &str| SUBJECTS.iter().position(|&known| known == name);
    let mut names: Vec<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
    names.sort_by_key(|name| place(name));
    names.dedup();
    names
}

fn text(row: &Row, best: f64) -> String {
    if row.subject == YARDSTICK {
        let unit = match row.workload.as_str() {
            "bytes" => "B",
            counted if counted.starts_with("allocations") => "",
            _ => "ns",
        };
        return format!("{} {unit}", short(row.ns));
    }
    let mark = if row.ns == best { "*" } else { " " };
    format!("{}{mark}", short(row.ratio_to_vec))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(subject: &str, ns: f64) -> Row {
        row_of("churn", subject, ns)
    }

    fn row_of(workload: &str, subject: &str, ns: f64) -> Row {
        Row {
            workload: workload.to_owned(),
            element_bytes: 4,
            count: 1000,
            subject: subject.to_owned(),
            ns,
            ratio_to_vec: ns / 2.0,
            spread: 0.1,
        }
    }

    #[test]
    fn the_best_is_marked_but_never_the_yardstick() {
        let text = tables(&[row("Vec", 2.0), row("Arena", 5.0), row("slab", 4.0)]);
        assert!(text.contains("1000 elements of 4 bytes"), "{text}");
        assert!(text.contains("2.00 ns"), "{text}");
        assert!(text.contains("2.50 "), "{text}");
        assert!(text.contains("2.00*"), "{text}");
        assert_eq!(text.matches('*').count(), 1, "{text}");
    }

    #[test]
    fn a_subject_that_was_not_measured_has_a_dot() {
        let text = tables(&[
            row("Vec", 2.0),
            row("slab", 4.0),
            row_of("fill", "Vec", 2.0),
            row_of("fill", "Arena huge", 1.0),
        ]);
        let lines: Vec<Vec<&str>> =
            text.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["Vec", "Arena", "huge", "slab"], "{text}");
        assert_eq!(lines[1], ["churn", "2.00", "ns", "·", "2.00*"], "{text}");
        assert_eq!(lines[2], ["fill", "2.00", "ns", "0.50*", "·"], "{text}");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(0.00123), "0.0012");
        assert_eq!(short(0.0912), "0.09");
        assert_eq!(short(71.06), "71.1");
        assert_eq!(short(429.4), "429");
    }
}

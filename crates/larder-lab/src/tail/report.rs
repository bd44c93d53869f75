//! The results of `tail`, as a table and as a page with a chart.

use super::Row;
use crate::report::chart::{Curve, curves};
use crate::report::table::{Cell, Table, cells};
use crate::report::{duration, grouped, page, rounds};

/// The columns: their names, and the numbers in them.
type Column = (&'static str, fn(&Row) -> Option<f64>);
const COLUMNS: [Column; 7] = [
    ("mean ", |row| Some(row.mean_ns)),
    ("median ", |row| Some(row.one_in(2.0))),
    ("99.9 % ", |row| Some(row.one_in(1e3))),
    ("99.99 % ", |row| Some(row.one_in(1e4))),
    ("99.999 % ", |row| Some(row.one_in(1e5))),
    ("worst ", |row| Some(row.worst_ns)),
    (PEAK, |row| row.peak_bytes.map(|bytes| bytes as f64)),
];
const PEAK: &str = "peak MiB ";

/// A line a store. The store that does nothing is never marked as the best.
fn lines(rows: &[Row]) -> Table {
    let mut lines: Vec<Vec<Cell>> = rows.iter().map(|row| vec![row.store.clone().into()]).collect();
    for (name, number) in COLUMNS {
        let text = |value: &Option<f64>| match value {
            None => "?".to_owned(),
            Some(bytes) if name == PEAK => grouped((bytes / f64::from(1 << 20)).round() as u64),
            Some(ns) => duration(*ns, 3),
        };
        let real: Vec<_> = rows.iter().filter(|row| !row.is_nothing()).map(number).collect();
        let mut real = cells(&real, text).into_iter();
        for (line, row) in lines.iter_mut().zip(rows) {
            let floor = || Cell { text: text(&number(row)), best: Some(false) };
            line.extend(if row.is_nothing() { Some(floor()) } else { real.next() });
        }
    }
    let names = COLUMNS.iter().map(|column| column.0);
    Table::new(1, ["store"].into_iter().chain(names), lines).ruled()
}

/// The table for the terminal, and how to read it.
pub(super) fn table(rows: &[Row]) -> String {
    format!("{}\n{}\n{HOW_TO_READ}{}\n", headline(rows), lines(rows).text(), waited(rows))
}

fn waited(rows: &[Row]) -> String {
    let seconds = rows.iter().map(|row| row.waited_ms).sum::<f64>() / 1e3;
    format!(
        "Taken out: {seconds:.2} s in which other threads had the processor, of all processes together."
    )
}

fn headline(rows: &[Row]) -> String {
    let inserts = grouped(rows.first().map_or(0, |row| row.inserts) as u64);
    let times = rounds(rows.first().map_or(0, |row| row.rounds));
    format!("Single insertions of 8 bytes, from empty to {inserts}; the best of {times}\n")
}

const HOW_TO_READ: &str = "\
99.9 %    one insertion in 1,000 takes longer than this, and so on
nothing   a store that does nothing: the time of timing itself, and what else the machine does
peak MiB  the most memory that the process had, including the lab's own
*         the best of its column
";

pub(super) fn page_of(rows: &[Row]) -> String {
    let title = "How long single insertions take";
    let drawn: Vec<_> = rows.iter().map(curve).collect();
    let chart =
        curves(title, &drawn, &|rarity| format!("1 in {}", grouped(rarity as u64)), &|ns| {
            duration(ns, 1)
        });
    let body = format!(
        "<p>{}.</p>\n<p class=\"quiet\">{}</p>\n<p class=\"quiet\">{}</p>\n\
         <figure>{chart}</figure>\n\
         <p class=\"quiet\">To the right: one in so many insertions takes longer than the curve is \
         high. Both axes go by powers of ten.</p>\n{}{HOW_IT_WAS_MEASURED}",
        headline(rows).trim(),
        page::made_here(),
        waited(rows),
        lines(rows).html(),
    );
    page::page("larder lab: tail", title, &body)
}

/// A store's curve, which ends with its worst.
fn curve(row: &Row) -> Curve {
    let ours = row.store.starts_with("Arena");
    let class = if row.is_nothing() {
        "nothing"
    } else if ours {
        "ours"
    } else {
        "theirs"
    };
    let mut points = row.curve_ns.clone();
    points.push((row.inserts as f64, row.worst_ns));
    Curve { name: format!("{} {}", row.store, duration(row.worst_ns, 3)), class, points }
}

const HOW_IT_WAS_MEASURED: &str = "<h2>How it was measured</h2>
<p>Each store begins empty, as a program would begin it, in a process of its own, so that none uses
memory left by another. The processor's tick counter, or else the system's clock, is read before and
after every single insertion. The difference goes into a histogram whose buckets are a 32nd wide. Making the store is not timed: a fixed arena takes all its
memory then. <em>Arena ahead</em> is a reserved one whose pages a helper thread touches before they
are needed (<code>commit_ahead</code>). Afterwards the values are counted and added up.</p>
<p>The stores take turns for several rounds, and the best round of every number is shown: other work of
the machine only adds time, and what a store does at a certain size it does in every round. From calls
longer than 5 µs, the time is subtracted in which another thread had the processor, where the system
reports it (Linux); it does not see what a hypervisor takes.</p>
<p><em>nothing</em> is the same loop without a store. Where a curve runs along it, the store's own time is
too short to be seen. Most of what lies between one in 1,000 and one in 100,000 is the first touch of a
page, which the system has to find and clear. The right end shows what a store does when it is full: Linux moves a large block of the system's allocator by its page tables, without copying.
mimalloc copies.</p>
";

#[cfg(test)]
mod tests {
    use super::*;

    fn row(store: &str, worst_ns: f64, peak_bytes: Option<u64>) -> Row {
        Row {
            store: store.to_owned(),
            inserts: 1_000,
            rounds: 3,
            worst_ns,
            peak_bytes,
            waited_ms: 250.0,
            curve_ns: vec![(2.0, 10.0), (1e3, 100.0)],
            ..Row::default()
        }
    }

    fn rows() -> [Row; 3] {
        [
            row("nothing", 5.0, Some(2 << 20)),
            row("Vec, mimalloc", 3e8, Some(600 << 20)),
            row("Arena reserved", 7.4e5, None),
        ]
    }

    #[test]
    fn the_best_of_a_column_is_marked_but_never_the_noise_floor() {
        let rows = rows();
        let table = table(&rows);
        assert!(table.contains("from empty to 1,000; the best of 3 rounds"), "{table}");
        for (part, is_there) in
            [("740 µs*", true), ("5.00 ns", true), ("5.00 ns*", false), ("300 ms*", false)]
        {
            assert_eq!(table.contains(part), is_there, "{part} in {table}");
        }
        assert!(table.contains("Taken out: 0.75 s"), "{table}");
    }

    #[test]
    fn the_page_has_a_curve_and_a_line_for_every_store() {
        let page = page_of(&rows());
        assert_eq!(page.matches("<polyline").count(), 3);
        assert_eq!(page.matches("<tr><td>").count(), 3);
        assert!(page.contains("Arena reserved 740 µs"), "{page}");
        assert!(!page.contains("http"), "the page fetches nothing");
    }
}

//! `bars`: what larder promises, and whether the files that other jobs wrote meet it.

mod table;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

pub(crate) use self::table::BARS;
use crate::cli::BarsOptions;
use crate::measure::stats::median;
use crate::report::rows::Row;
use crate::report::table::Table;
use crate::report::{grouped, say};
use crate::tail;

/// Promises about some subjects at some workloads.
///
/// A workload that is measured in several ways has a comma and the way in its name; a bar with the bare
/// name is about all of them.
#[derive(Clone, Copy)]
pub(crate) struct Bar {
    /// The study; `None` for what `compare` measures.
    pub(crate) study: Option<&'static str>,
    pub(crate) workloads: &'static [&'static str],
    pub(crate) subjects: &'static [&'static str],
    pub(crate) against: Against,
    pub(crate) limit: f64,
    /// At these sizes of element, at these counts; at all of them if there are none.
    pub(crate) elements: &'static [usize],
    pub(crate) counts: &'static [usize],
}

/// The measurement of which the limit is a multiple.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Against {
    /// The best of these subjects, at the same workload and sizes.
    Best(&'static [&'static str]),
    /// The yardstick of `compare`, at the same workload and sizes.
    Vector,
    /// `Vec`, made larger by what a slot is larger than a value: a walk cannot read less.
    VecOfSlots,
    /// The subject itself, at another workload.
    Itself(&'static str),
    /// The subject's own median of all counts, each as a multiple of what the first subject takes
    /// there.
    ItsMedian,
    /// An amount, and what it is: where no rival does the same.
    Amount(f64, &'static str),
    /// Nothing: the limit is of bytes beside the value.
    BytesBesideValue,
    /// Nothing: the limit is of bytes beside the slot, which is value and generation.
    BytesBesideSlot,
}

/// A measurement, judged by a bar.
#[derive(Debug)]
pub(crate) struct Verdict {
    subject: &'static str,
    workload: String,
    element_bytes: Option<usize>,
    count: usize,
    /// The name of the measurement of which the limit is a multiple.
    against: String,
    limit: f64,
    measured: f64,
}

impl Verdict {
    pub(crate) fn met(&self) -> bool {
        self.measured <= self.limit
    }

    /// Returns whether another verdict on the same bar is about the same row, of another run.
    fn is_of_same_row(&self, other: &Self) -> bool {
        let row = |verdict: &Self| (verdict.subject, verdict.element_bytes, verdict.count);
        row(self) == row(other) && self.workload == other.workload
    }
}

/// Prints the bars and what the numbers of the files say about them.
pub(crate) fn run(options: &BarsOptions) -> Result<()> {
    let runs = options.files.iter().map(|file| read(file)).collect::<Result<Vec<_>>>()?;
    let verdicts: Vec<Verdict> = BARS.iter().flat_map(|bar| bar.medians(&runs)).collect();
    ensure!(!verdicts.is_empty(), "there is no bar for what was measured");
    if options.markdown {
        return say(markdown(&verdicts).trim_end());
    }
    let header = ["subject", "workload", "bytes", "count", "against", "limit", "measured", ""];
    let line = |verdict: &Verdict| {
        let cells = [
            verdict.subject.to_owned(),
            verdict.workload.clone(),
            verdict.element_bytes.map_or_else(String::new, |bytes| bytes.to_string()),
            verdict.count.to_string(),
            verdict.against.clone(),
            format!("{:.2}", verdict.limit),
            format!("{:.3}", verdict.measured),
            if verdict.met() { "" } else { "MISSED" }.to_owned(),
        ];
        cells.map(Into::into).to_vec()
    };
    let table = Table::new(header.len(), header, verdicts.iter().map(line));
    let missed = verdicts.iter().filter(|verdict| !verdict.met()).count();
    say(format_args!("{}\n{} bars, {missed} missed", table.text(), verdicts.len()))
}

/// A line for each subject, workload and rival, with all counts beside each other; what is missed is bold.
fn markdown(verdicts: &[Verdict]) -> String {
    let name = |verdict: &Verdict| {
        let bytes =
            verdict.element_bytes.map_or_else(String::new, |bytes| format!(", {bytes} bytes"));
        [
            verdict.subject.to_owned(),
            format!("{}{bytes}", verdict.workload),
            verdict.against.clone(),
        ]
    };
    let mut lines: Vec<([String; 3], Vec<&Verdict>)> = Vec::new();
    for verdict in verdicts {
        let name = name(verdict);
        match lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, counts)) => counts.push(verdict),
            None => lines.push((name, vec![verdict])),
        }
    }
    let line = |(names, counts): ([String; 3], Vec<&Verdict>)| {
        let joined = |cell: fn(&Verdict) -> String| {
            counts.iter().map(|verdict| cell(verdict)).collect::<Vec<_>>().join(" / ")
        };
        let objects = joined(|verdict| grouped(verdict.count as u64));
        let alike = counts.iter().all(|verdict| verdict.limit == counts[0].limit);
        let bars = joined(|verdict| format!("{:.2}", verdict.limit));
        let bar = if alike { format!("{:.2}", counts[0].limit) } else { bars };
        let measured = joined(|verdict| match (verdict.met(), verdict.measured) {
            (true, measured) => format!("{measured:.2}"),
            (false, measured) => format!("**{measured:.2}**"),
        });
        names.into_iter().chain([objects, bar, measured]).map(Into::into).collect()
    };
    let header = ["subject", "workload", "against", "objects", "bar", "measured"];
    Table::new(header.len(), header, lines.into_iter().map(line)).markdown()
}

/// The rows of a file, whichever job wrote it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Rows {
    Plain(Vec<Row>),
    Tail(Vec<tail::Row>),
}

fn read(path: &Path) -> Result<Vec<Row>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let rows = serde_json::from_reader(BufReader::new(file)).with_context(|| {
        format!("{} is not what a job of the lab writes with --json", path.display())
    })?;
    Ok(match rows {
        Rows::Plain(rows) => rows,
        Rows::Tail(rows) => tail::rows_for_bars(&rows),
    })
}

/// The size of a slot of `Arena`: value and generation, aligned as the value is.
fn slot_bytes(element_bytes: usize) -> usize {
    (element_bytes + 4).next_multiple_of(element_bytes.min(8))
}

/// Returns whether `name` is the name of this workload, or of a way of it.
fn is_of(workload: &str, name: &str) -> bool {
    let way = name.strip_prefix(workload);
    way.is_some_and(|way| way.is_empty() || way.starts_with(", "))
}

impl Bar {
    /// The same, at these counts only.
    pub(crate) const fn at(self, counts: &'static [usize]) -> Self {
        Self { counts, ..self }
    }

    /// The verdicts on it, one for each row that it is about: of several runs the one in the middle, since where memory
    /// happens to lie is decided once a run. (An even number of them has the worse one of the two.)
    fn medians(&self, runs: &[Vec<Row>]) -> Vec<Verdict> {
        let mut rows: Vec<Vec<Verdict>> = Vec::new();
        for verdict in runs.iter().flat_map(|run| self.verdicts(run)) {
            match rows.iter_mut().find(|row| row[0].is_of_same_row(&verdict)) {
                Some(row) => row.push(verdict),
                None => rows.push(vec![verdict]),
            }
        }
        let middle = |mut row: Vec<Verdict>| {
            row.sort_by(|a, b| a.measured.total_cmp(&b.measured));
            row.swap_remove(row.len() / 2)
        };
        rows.into_iter().map(middle).collect()
    }

    /// The verdicts on it, one for each row that it is about.
    pub(crate) fn verdicts(&self, rows: &[Row]) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        for workload in self.workloads {
            for subject in self.subjects {
                let about = self.rows_of(rows, workload, subject).filter(|row| self.has_size(row));
                verdicts.extend(about.filter_map(|row| self.verdict(rows, workload, subject, row)));
            }
        }
        verdicts
    }

    fn has_size(&self, row: &Row) -> bool {
        (self.counts.is_empty() || self.counts.contains(&row.count))
            && row
                .element_bytes
                .is_none_or(|bytes| self.elements.is_empty() || self.elements.contains(&bytes))
    }

    fn rows_of<'a>(
        &self,
        rows: &'a [Row],
        workload: &str,
        subject: &str,
    ) -> impl Iterator<Item = &'a Row> {
        rows.iter().filter(move |row| {
            row.study.as_deref() == self.study
                && is_of(workload, &row.workload)
                && row.subject == subject
        })
    }

    fn verdict(
        &self,
        rows: &[Row],
        workload: &str,
        subject: &'static str,
        row: &Row,
    ) -> Option<Verdict> {
        // `compare` measures in groups, so only ratios to the yardstick are of the same round.
        let number = |row: &Row| if self.study.is_none() { row.ns } else { row.ratio };
        let same =
            |other: &&Row| other.count == row.count && other.element_bytes == row.element_bytes;
        let bytes = row.element_bytes.unwrap_or(0);
        let (measured, against) = match self.against {
            Against::Best(names) => {
                let others = names.iter().flat_map(|name| self.rows_of(rows, workload, name));
                let others = others.filter(same).filter(|other| other.workload == row.workload);
                let best = others.min_by(|a, b| number(a).total_cmp(&number(b)))?;
                (number(row) / number(best), best.subject.clone())
            }
            Against::Vector => (row.ratio, "Vec".to_owned()),
            Against::VecOfSlots => {
                let wider = slot_bytes(bytes) as f64 / bytes as f64;
                (row.ratio / wider, format!("Vec x {wider:.3}"))
            }
            Against::Itself(other) => {
                (row.ns / self.rows_of(rows, other, subject).find(same)?.ns, other.to_owned())
            }
            Against::ItsMedian => {
                let own = self.rows_of(rows, workload, subject).map(number);
                (number(row) / median(&own.collect::<Vec<f64>>()), "its median".to_owned())
            }
            Against::Amount(amount, what) => (row.ns / amount, what.to_owned()),
            Against::BytesBesideValue => (row.ns - bytes as f64, "bytes beside value".to_owned()),
            Against::BytesBesideSlot => {
                (row.ns - slot_bytes(bytes) as f64, "bytes beside slot".to_owned())
            }
        };
        Some(Verdict {
            subject,
            workload: row.workload.clone(),
            element_bytes: row.element_bytes,
            count: row.count,
            against,
            limit: self.limit,
            measured,
        })
    }
}

/// Checks that there is a verdict on each bar about what these rows are of, and that every subject that it
/// names takes part.
#[cfg(test)]
pub(crate) fn all_are_about(rows: &[Row]) {
    let measured = |bar: &&Bar| rows.iter().any(|row| row.study.as_deref() == bar.study);
    for bar in BARS.iter().filter(measured) {
        // (Tests measure small counts only.)
        let verdicts = bar.at(&[]).verdicts(rows);
        for (workload, subject) in
            bar.workloads.iter().flat_map(|name| bar.subjects.iter().map(move |of| (name, of)))
        {
            let judged = |verdict: &Verdict| {
                verdict.subject == *subject && is_of(workload, &verdict.workload)
            };
            assert!(
                verdicts.iter().any(judged),
                "{:?}: {subject}, {workload}: no verdict",
                bar.study
            );
        }
        let Against::Best(names) = bar.against else {
            continue;
        };
        for name in names {
            let takes_part = |row: &Row| row.study.as_deref() == bar.study && row.subject == *name;
            assert!(rows.iter().any(takes_part), "{name} takes no part in {:?}", bar.study);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Against::{Amount, Best, ItsMedian};
    use super::*;

    fn verdicts(rows: &[Row]) -> Vec<Verdict> {
        BARS.iter().flat_map(|bar| bar.verdicts(rows)).collect()
    }

    fn met(against: Against, limit: f64, rows: &[Row]) -> Vec<bool> {
        let bar = table::bar("keys", &["churn"], &["larder"], against, limit);
        bar.verdicts(rows).iter().map(Verdict::met).collect()
    }

    fn row(subject: &str, count: usize, ns: f64) -> Row {
        Row::of("keys", "churn", subject, count, ns)
    }

    #[test]
    fn a_bar_is_met_or_missed_by_the_ratio_to_the_best_or_by_an_amount() {
        let rows =
            |ns| [row("a", 9, 30.0), row("b", 9, 20.0), row("b", 7, 1.0), row("larder", 9, ns)];
        assert_eq!(met(Best(&["a", "b"]), 1.0, &rows(20.0)), [true]);
        assert_eq!(met(Best(&["a", "b"]), 1.0, &rows(21.0)), [false]);
        assert_eq!(met(Best(&["a", "absent"]), 1.0, &rows(21.0)), [true]);
        assert!(met(Best(&["absent"]), 1.0, &rows(21.0)).is_empty());
        assert_eq!(met(Amount(1.0, "a nanosecond"), 20.0, &rows(20.0)), [true]);
        assert_eq!(met(Amount(2.0, "two"), 9.0, &rows(20.0)), [false]);
    }

    #[test]
    fn of_several_runs_the_one_in_the_middle_is_judged() {
        let run = |nine, seven| {
            let mut rows = vec![row("a", 9, 10.0), row("larder", 9, nine)];
            rows.extend([row("a", 7, 10.0), row("larder", 7, seven)]);
            rows
        };
        let bar = table::bar("keys", &["churn"], &["larder"], Best(&["a"]), 1.0);
        let medians = |runs: &[Vec<Row>]| {
            bar.medians(runs).iter().map(|verdict| verdict.measured).collect::<Vec<_>>()
        };
        let runs = [run(9.0, 13.0), run(20.0, 11.0), run(10.0, 12.0), vec![]];
        assert_eq!(medians(&runs), [1.0, 1.2]);
        assert_eq!(medians(&runs[..2]), [2.0, 1.3]);
        assert!(medians(&[]).is_empty());
    }

    #[test]
    fn a_bar_is_about_all_ways_of_a_workload_each_by_itself() {
        let way = |way: &str, subject, ns| Row { workload: way.to_owned(), ..row(subject, 9, ns) };
        let rows = [
            way("churn, 1 %", "a", 10.0),
            way("churn, 1 %", "larder", 9.0),
            way("churn, 50 %", "a", 1.0),
            way("churn, 50 %", "larder", 2.0),
            way("churning", "a", 1.0),
            way("churning", "larder", 2.0),
        ];
        assert_eq!(met(Best(&["a"]), 1.0, &rows), [true, false]);
    }

    #[test]
    fn a_bar_is_about_some_counts_or_all() {
        let rows =
            [row("a", 9, 10.0), row("a", 7, 10.0), row("larder", 9, 9.0), row("larder", 7, 9.0)];
        let limit = table::bar("keys", &["churn"], &["larder"], Best(&["a"]), 1.0);
        let judged = |counts| limit.at(counts).verdicts(&rows).len();
        assert_eq!((judged(&[]), judged(&[7]), judged(&[5])), (2, 1, 0));
    }

    #[test]
    fn no_count_is_far_from_the_others() {
        let rows = [10.0, 11.0, 15.0].map(|ns| row("larder", ns as usize, ns));
        assert_eq!(met(ItsMedian, 1.3, &rows), [true, true, false]);
    }

    #[test]
    fn compared_subjects_are_judged_by_their_times() {
        let rows = |arena| {
            let row = |subject, ns| Row::compared("walk_50", subject, 100_000, ns);
            [row("Arena", arena), row("SlotMap", 10.0), row("HopSlotMap", 20.0)]
        };
        let met = |arena| verdicts(&rows(arena)).iter().map(Verdict::met).collect::<Vec<_>>();
        assert_eq!(met(1.9), [true, true]);
        assert_eq!(met(2.1), [false, true]);
    }

    #[test]
    fn against_the_yardstick_its_own_rounds_count() {
        let one = |ratio| {
            let row = Row::compared("walk_50", "DenseArena", 100_000, 7.0);
            verdicts(&[Row { ratio, ..row }])[0].met()
        };
        assert!(one(1.01) && !one(1.03));
    }

    #[test]
    fn bytes_are_counted_beside_the_slot() {
        assert_eq!([4, 16, 64, 128].map(slot_bytes), [8, 24, 72, 136]);
        let verdicts = verdicts(&[Row::compared("bytes", "Arena", 100_000, 24.25)]);
        assert_eq!(verdicts.len(), 1);
        assert!((verdicts[0].measured - 0.25).abs() < 1e-9 && !verdicts[0].met());
    }

    #[test]
    fn a_table_for_a_page_has_all_counts_in_a_line_and_what_is_missed_bold() {
        let verdict = |count, measured| Verdict {
            subject: "Arena",
            workload: "walk".to_owned(),
            element_bytes: Some(16),
            count,
            against: "SlotMap".to_owned(),
            limit: 1.0,
            measured,
        };
        let table = markdown(&[verdict(1_000, 0.5), verdict(100_000, 1.25)]);
        let line = table.lines().nth(2);
        let wanted =
            "| Arena | walk, 16 bytes | SlotMap | 1,000 / 100,000 | 1.00 | 0.50 / **1.25** |";
        assert_eq!(line, Some(wanted));
    }
}

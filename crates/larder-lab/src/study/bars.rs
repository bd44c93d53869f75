//! Promises about what studies measure, and verdicts on them.

use super::row::Row;
use crate::measure::stats::median;
use crate::verdict::Verdict;

/// A promise about one subject at one workload, at every count that is measured.
///
/// A workload that is measured in several ways has a comma and the way in its name; a bar with the bare
/// name is about all of them.
#[derive(Clone, Copy)]
pub(crate) struct Bar {
    pub(crate) study: &'static str,
    pub(crate) workload: &'static str,
    pub(crate) subject: &'static str,
    pub(crate) against: Against,
    pub(crate) limit: f64,
    /// At these counts only; at all of them if there are none.
    pub(crate) counts: &'static [usize],
}

/// What the limit is a multiple of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Against {
    /// The best of these subjects, at the same workload and count.
    Best(&'static [&'static str]),
    /// The subject's own median of all counts, each as a multiple of what the first subject takes
    /// there.
    ItsMedian,
    /// A nanosecond: where no rival does the same.
    Nanosecond,
}

/// A bar.
pub(crate) const fn bar(
    study: &'static str,
    workload: &'static str,
    subject: &'static str,
    against: Against,
    limit: f64,
) -> Bar {
    Bar { study, workload, subject, against, limit, counts: &[] }
}

/// The verdicts on all bars for which there are rows.
pub(crate) fn verdicts<'a>(bars: impl IntoIterator<Item = &'a Bar>, rows: &[Row]) -> Vec<Verdict> {
    bars.into_iter().flat_map(|bar| bar.verdicts(rows)).collect()
}

impl Bar {
    /// The same, at these counts only.
    pub(crate) const fn at(self, counts: &'static [usize]) -> Self {
        Self { counts, ..self }
    }

    fn verdicts(&self, rows: &[Row]) -> impl Iterator<Item = Verdict> {
        let counted = |row: &&Row| self.counts.is_empty() || self.counts.contains(&row.count);
        self.rows_of(rows, self.subject).filter(counted).filter_map(move |row| {
            let (other, against) = self.yardstick(rows, row)?;
            Some(Verdict {
                subject: self.subject,
                workload: row.workload.clone(),
                element_bytes: None,
                count: row.count,
                against,
                limit: self.limit,
                measured: row.ratio / other,
            })
        })
    }

    /// The number that this row is compared with, and its name.
    fn yardstick(&self, rows: &[Row], row: &Row) -> Option<(f64, String)> {
        match self.against {
            Against::Best(names) => {
                let others = names.iter().flat_map(|name| self.rows_of(rows, name));
                let same =
                    |other: &&Row| other.count == row.count && other.workload == row.workload;
                let others = others.filter(same);
                let best = others.min_by(|a, b| a.ratio.total_cmp(&b.ratio))?;
                Some((best.ratio, best.subject.clone()))
            }
            Against::ItsMedian => {
                let own = self.rows_of(rows, self.subject).map(|row| row.ratio);
                Some((median(&own.collect::<Vec<f64>>()), "its median".to_owned()))
            }
            Against::Nanosecond => Some((row.ratio / row.ns, "a nanosecond".to_owned())),
        }
    }

    fn rows_of<'a>(&self, rows: &'a [Row], subject: &str) -> impl Iterator<Item = &'a Row> {
        rows.iter().filter(move |row| {
            row.study == self.study && self.is_about(&row.workload) && row.subject == subject
        })
    }

    fn is_about(&self, workload: &str) -> bool {
        let way = workload.strip_prefix(self.workload);
        way.is_some_and(|way| way.is_empty() || way.starts_with(", "))
    }
}

/// Checks that there is a verdict on each bar, and that every subject that it names takes part in its
/// study.
#[cfg(test)]
pub(crate) fn all_are_about(bars: &[Bar], rows: &[Row]) {
    for bar in bars {
        let (study, workload) = (bar.study, bar.workload);
        // (Tests measure small counts only.)
        let verdicts = bar.at(&[]).verdicts(rows).count();
        assert!(verdicts > 0, "{}, {workload}: there is no verdict", bar.subject);
        let Against::Best(names) = bar.against else {
            continue;
        };
        for name in names {
            let known = rows.iter().any(|row| row.study == study && row.subject == *name);
            assert!(known, "{name} takes no part in {study}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Against::{Best, ItsMedian, Nanosecond};
    use super::*;

    fn row(subject: &str, count: usize, ns: f64) -> Row {
        Row {
            study: "keys".to_owned(),
            workload: "churn".to_owned(),
            about: "",
            count,
            subject: subject.to_owned(),
            ns,
            ratio: ns / 2.0,
            spread: 0.0,
        }
    }

    fn met(against: Against, limit: f64, rows: &[Row]) -> Vec<bool> {
        let bars = [bar("keys", "churn", "larder", against, limit)];
        verdicts(&bars, rows).iter().map(Verdict::met).collect()
    }

    #[test]
    fn a_bar_of_nanoseconds_is_about_the_time_alone() {
        let rows = [row("a", 9, 1.0), row("larder", 9, 20.0)];
        assert_eq!(met(Nanosecond, 20.0, &rows), [true]);
        assert_eq!(met(Nanosecond, 19.0, &rows), [false]);
    }

    #[test]
    fn a_bar_is_met_or_missed_by_the_ratio_to_the_best() {
        let rows =
            |ns| [row("a", 9, 30.0), row("b", 9, 20.0), row("b", 7, 1.0), row("larder", 9, ns)];
        assert_eq!(met(Best(&["a", "b"]), 1.0, &rows(20.0)), [true]);
        assert_eq!(met(Best(&["a", "b"]), 1.0, &rows(21.0)), [false]);
        assert_eq!(met(Best(&["a", "absent"]), 1.0, &rows(21.0)), [true]);
        assert!(met(Best(&["absent"]), 1.0, &rows(21.0)).is_empty());
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
        let limit = |counts| bar("keys", "churn", "larder", Best(&["a"]), 1.0).at(counts);
        let judged = |counts| verdicts(&[limit(counts)], &rows).len();
        assert_eq!((judged(&[]), judged(&[7]), judged(&[5])), (2, 1, 0));
    }

    #[test]
    fn no_count_is_far_from_the_others() {
        let rows = [10.0, 11.0, 15.0].map(|ns| row("larder", ns as usize, ns));
        assert_eq!(met(ItsMedian, 1.3, &rows), [true, true, false]);
    }
}

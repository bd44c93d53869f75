//! What larder promises about columns.

use super::holes::{COLUMN, GROUPS, MASKED, NAME as HOLES, PACKED};
use super::{Row, particle};
use crate::compare::bars::Verdict;
use crate::stats::median;

/// A promise about one subject at one workload, at every count that is measured.
struct Bar {
    study: &'static str,
    workload: &'static str,
    subject: &'static str,
    against: Against,
    limit: f64,
}

/// What the limit is a multiple of.
#[derive(Clone, Copy)]
enum Against {
    /// Another subject, at the same workload and count.
    Subject(&'static str),
    /// The subject's own median of all counts, each as a multiple of what rows take there.
    ItsMedian,
}

use Against::{ItsMedian, Subject};

const SOA: &str = "SoaArena";
const DENSE: &str = "DenseSoaArena";
const SOA_RS: Against = Subject("soa-rs");
const KEYED: Against = Subject("soa-rs and SlotMap");
const PACKED_PASS: Against = Subject(PACKED);

#[rustfmt::skip]
const BARS: &[Bar] = &[
    bar("tick", "whole", SOA, SOA_RS, 1.3),
    bar("tick", "whole", DENSE, SOA_RS, 1.3),
    bar("assoc", "all", SOA, ItsMedian, 1.3),
    bar("assoc", "all", DENSE, ItsMedian, 1.3),
    bar("keys", "insert", DENSE, KEYED, 1.0),
    bar("keys", "insert_reserved", DENSE, KEYED, 1.0),
    bar("keys", "churn", DENSE, KEYED, 1.0),
    bar("keys", "remove_all", DENSE, KEYED, 1.0),
    bar("keys", "whole", DENSE, KEYED, 1.3),
    bar(HOLES, "100 % live", COLUMN, PACKED_PASS, 1.03),
    bar(HOLES, "90 % live", GROUPS, PACKED_PASS, 2.5),
    bar(HOLES, "90 % live", MASKED, PACKED_PASS, 2.5),
    bar(HOLES, "50 % live", GROUPS, PACKED_PASS, 4.5),
    bar(HOLES, "50 % live", MASKED, PACKED_PASS, 4.5),
];

const fn bar(
    study: &'static str,
    workload: &'static str,
    subject: &'static str,
    against: Against,
    limit: f64,
) -> Bar {
    Bar { study, workload, subject, against, limit }
}

/// What the rows say about every bar that they are about.
pub(crate) fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    BARS.iter().flat_map(|bar| bar.verdicts(rows)).collect()
}

/// How many bars there are.
#[cfg(test)]
pub(crate) fn count() -> usize {
    BARS.len()
}

impl Bar {
    fn verdicts<'a>(&'a self, rows: &'a [Row]) -> impl Iterator<Item = Verdict> + 'a {
        self.rows_of(rows, self.subject).filter_map(move |row| {
            let (other, against) = match self.against {
                Subject(name) => {
                    let mut others = self.rows_of(rows, name);
                    (others.find(|other| other.count == row.count)?.ratio, name.to_owned())
                }
                ItsMedian => {
                    let own = self.rows_of(rows, self.subject);
                    let own: Vec<f64> = own.map(|row| row.ratio).collect();
                    (median(&own), "its median".to_owned())
                }
            };
            Some(Verdict {
                subject: self.subject,
                workload: self.workload,
                element_bytes: size_of::<particle::Particle>(),
                count: row.count,
                against,
                limit: self.limit,
                measured: row.ratio / other,
            })
        })
    }

    fn rows_of<'a>(&self, rows: &'a [Row], subject: &str) -> impl Iterator<Item = &'a Row> {
        rows.iter().filter(move |row| {
            row.study == self.study && row.workload == self.workload && row.subject == subject
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(study: &str, workload: &str, subject: &str, count: usize, ns: f64) -> Row {
        Row {
            study: study.to_owned(),
            workload: workload.to_owned(),
            count,
            subject: subject.to_owned(),
            ns,
            ratio: ns / 2.0,
            spread: 0.0,
        }
    }

    fn met(rows: &[Row]) -> Vec<bool> {
        verdicts(rows).iter().map(Verdict::met).collect()
    }

    #[test]
    fn a_bar_is_met_or_missed_by_the_ratio() {
        let rows = |ns| {
            [
                row("keys", "churn", "soa-rs and SlotMap", 9, 20.0),
                row("keys", "churn", DENSE, 9, ns),
            ]
        };
        assert_eq!(met(&rows(20.0)), [true]);
        assert_eq!(met(&rows(21.0)), [false]);
    }

    #[test]
    fn no_capacity_is_far_from_the_others() {
        let rows = [10.0, 11.0, 15.0].map(|ns| row("assoc", "all", SOA, ns as usize, ns));
        assert_eq!(met(&rows), [true, true, false]);
    }
}

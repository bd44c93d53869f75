//! What larder promises about single insertions.

use super::row::Row;
use super::stores::{NOTHING, VEC_MIMALLOC};
use crate::verdict::Verdict;

const RESERVED: &str = "Arena reserved";
const AHEAD: &str = "Arena ahead";

/// The bytes of a slot of `Arena` for values of 8 bytes: the value, its generation, alignment.
const SLOT: f64 = 16.0;
/// The bytes of bookkeeping a slot: a bit.
const BOOK: f64 = 1.0 / 8.0;

/// The verdicts on all bars for which there are rows.
pub(crate) fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    let worst = |row: &Row| row.worst_ns;
    [
        ratio(rows, RESERVED, "tail: worst", worst, "Vec", 1.0),
        ratio(rows, RESERVED, "tail: worst", worst, VEC_MIMALLOC, 0.05),
        ratio(rows, AHEAD, "tail: 99.9 %", |row| row.p99_9_ns, NOTHING, 3.0),
        memory(rows),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn row<'a>(rows: &'a [Row], store: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.store == store)
}

/// A number of one store as a multiple of another one's.
fn ratio(
    rows: &[Row],
    subject: &'static str,
    what: &str,
    number: fn(&Row) -> f64,
    against: &str,
    limit: f64,
) -> Option<Verdict> {
    let (row, other) = (row(rows, subject)?, row(rows, against)?);
    Some(Verdict {
        subject,
        workload: what.to_owned(),
        element_bytes: Some(8),
        count: row.inserts,
        against: against.to_owned(),
        limit,
        measured: number(row) / number(other),
    })
}

/// The most memory that a reserved arena took, less that of a process that stores nothing, as a multiple
/// of what values and bookkeeping need.
fn memory(rows: &[Row]) -> Option<Verdict> {
    let (row, nothing) = (row(rows, RESERVED)?, row(rows, NOTHING)?);
    let taken = row.peak_bytes?.saturating_sub(nothing.peak_bytes?);
    Some(Verdict {
        subject: RESERVED,
        workload: "tail: peak memory".to_owned(),
        element_bytes: Some(8),
        count: row.inserts,
        against: format!("{} bytes a value", SLOT + BOOK),
        limit: 1.02,
        measured: taken as f64 / (row.inserts as f64 * (SLOT + BOOK)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tail::stores::ENTRANTS;

    fn row(store: &str, worst_ns: f64, peak_bytes: u64) -> Row {
        Row {
            store: store.to_owned(),
            inserts: 1_000_000,
            p99_9_ns: 100.0,
            worst_ns,
            peak_bytes: Some(peak_bytes),
            ..Row::default()
        }
    }

    #[test]
    fn bars_are_about_stores_that_are_measured() {
        for name in [RESERVED, AHEAD, "Vec", VEC_MIMALLOC, NOTHING] {
            assert!(ENTRANTS.iter().any(|entrant| entrant.name == name), "{name}");
        }
    }

    #[test]
    fn bars_are_met_or_missed_by_what_was_measured() {
        let rows = |worst, peak| {
            [
                row(NOTHING, 10.0, 2_000_000),
                row("Vec", 100.0, 10_000_000),
                row(VEC_MIMALLOC, 1_000.0, 20_000_000),
                row(RESERVED, worst, peak),
                Row { p99_9_ns: 299.0, ..row(AHEAD, 1.0, 1) },
            ]
        };
        let met = |rows: &[Row]| verdicts(rows).iter().map(Verdict::met).collect::<Vec<_>>();
        assert_eq!(met(&rows(49.0, 18_200_000)), [true, true, true, true]);
        assert_eq!(met(&rows(51.0, 18_500_000)), [true, false, true, false]);
        assert_eq!(met(&rows(101.0, 18_200_000)), [false, false, true, true]);
        assert!(met(&rows(1.0, 1)[..2]).is_empty());
    }
}

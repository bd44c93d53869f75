//! What larder promises about single operations, as ratios fixed before they were measured.

use super::measure::Row;
use super::scope::{BUFFERED, YARDSTICK};
use crate::verdict::Verdict;

/// A promise about one subject at some workloads and sizes.
///
/// `Arena` asks for huge pages where it has 4 MiB or more from the allocator (100,000 values of
/// [`HUGE_PAGED`] sizes), and in reserved memory only where it is told to. Whether reserved memory is
/// read as fast is judged with the same pages: with huge pages against `Arena`, without against an
/// arena that was told not to ask for them.
struct Bar {
    subject: &'static str,
    workloads: &'static [&'static str],
    elements: &'static [usize],
    counts: &'static [usize],
    against: Against,
    limit: f64,
}

/// What the limit is a multiple of.
#[derive(Clone, Copy, Debug)]
enum Against {
    /// `Vec`, at the same workload.
    Vector,
    /// The fastest of these subjects, at the same workload.
    Fastest(&'static [&'static str]),
    /// `Vec`, made larger by what a slot is larger than a value: a walk cannot read less.
    VecOfSlots,
    /// The subject itself, at another workload.
    Itself(&'static str),
    /// Nothing: the limit is of bytes beside the value.
    BytesBesideValue,
    /// Nothing: the limit is of bytes beside the slot, which is value and generation.
    BytesBesideSlot,
}

use Against::{BytesBesideSlot, BytesBesideValue, Fastest, Itself, VecOfSlots, Vector};

const ARENA: &str = "Arena";
const DENSE: &str = "DenseArena";
const RESERVED: &str = "Arena reserved";
const HUGE: &str = "Arena huge";
const ORDINARY: &str = "Arena ordinary";
const PAGED: &str = "PagedArena";
const POOL: &str = "Pool";
const SOA: &str = "SoaArena";
const SLOT_MAP: Against = Fastest(&["SlotMap"]);
const HOP_SLOT_MAP: Against = Fastest(&["HopSlotMap"]);
const DENSE_SLOT_MAP: Against = Fastest(&["DenseSlotMap"]);
/// The subjects that allocate a new buffer for each object.
const ALLOCATING: Against = Fastest(&[YARDSTICK, ARENA, "SlotMap", "slab"]);
const LOOKUP_RIVALS: Against = Fastest(&["SlotMap", "thunderdome", "gen_map"]);
const ALL_RIVALS: Against = Fastest(&[
    "SlotMap",
    "HopSlotMap",
    "DenseSlotMap",
    "thunderdome",
    "slab",
    "generational-arena",
    "gen_map",
    "stable-vec",
]);

const FROM_4: &[usize] = &[4, 16, 64, 128];
const FROM_16: &[usize] = &[16, 64, 128];
/// Sizes whose slots, 100,000 of them, take less than 4 MiB, and those whose take more.
const SMALL_PAGED: &[usize] = &[4, 16];
const HUGE_PAGED: &[usize] = &[64, 128];
const K: usize = 1_000;
const K100: usize = 100_000;
const M10: usize = 10_000_000;
const ALL: &[usize] = &[K, K100, M10];
const SMALL: &[usize] = &[K, K100];

const WALKS: &[&str] = &[
    "walk_100",
    "walk_90",
    "walk_50",
    "walk_10",
    "walk_1",
    "walk_clustered_90",
    "walk_clustered_50",
    "walk_clustered_10",
    "walk_clustered_1",
    "walk_after_churn",
    "for_100",
    "for_50",
];
const FULL: &[&str] = &["walk_100", "for_100"];
const HOLES: &[&str] = &["churn_99", "churn_90", "churn_50"];
const FEW: &[&str] = &["insert_small_10", "insert_small_100", "insert"];
const HALF: &[&str] = &["walk_50", "for_50"];
const LOOKUPS: &[&str] = &["lookup", "lookup_chain"];

#[rustfmt::skip]
const BARS: &[Bar] = &[
    bar(ARENA, FULL, FROM_16, ALL, VecOfSlots, 1.1),
    bar(ARENA, &["walk_100"], &[4], SMALL, SLOT_MAP, 0.4),
    bar(ARENA, &["for_100"], &[4], SMALL, SLOT_MAP, 0.55),
    bar(ARENA, FULL, &[16], SMALL, SLOT_MAP, 0.6),
    bar(ARENA, HALF, &[16, 64], &[K100], SLOT_MAP, 0.20),
    bar(ARENA, HALF, &[128], &[K100], SLOT_MAP, 0.30),
    bar(ARENA, &["walk_10"], FROM_16, &[K100], SLOT_MAP, 0.20),
    bar(ARENA, &["walk_1"], FROM_16, &[K100], SLOT_MAP, 0.06),
    bar(ARENA, HALF, FROM_16, &[K], SLOT_MAP, 0.5),
    bar(ARENA, &["walk_10"], FROM_16, &[K], SLOT_MAP, 0.3),
    bar(ARENA, &["walk_1"], FROM_16, &[K], SLOT_MAP, 0.06),
    bar(ARENA, WALKS, FROM_16, &[M10], SLOT_MAP, 1.0),
    bar(ARENA, WALKS, FROM_16, ALL, HOP_SLOT_MAP, 1.0),
    bar(ARENA, &["walk_clustered_50"], FROM_16, ALL, Itself("walk_100"), 1.3),
    bar(ARENA, LOOKUPS, FROM_4, ALL, LOOKUP_RIVALS, 1.05),
    bar(ARENA, &["lookup"], &[64], &[M10], SLOT_MAP, 0.8),
    bar(ARENA, &["stale"], FROM_4, ALL, LOOKUP_RIVALS, 1.0),
    bar(ARENA, &["first"], FROM_4, ALL, SLOT_MAP, 15.0),
    bar(ARENA, FEW, FROM_16, &[K], SLOT_MAP, 1.0),
    bar(ARENA, &["insert"], FROM_16, &[K100, M10], SLOT_MAP, 1.1),
    bar(ARENA, &["insert_reserved"], FROM_16, ALL, SLOT_MAP, 1.0),
    bar(ARENA, &["refill"], FROM_16, &[K100], SLOT_MAP, 0.35),
    bar(ARENA, &["refill_order"], FROM_16, SMALL, SLOT_MAP, 1.5),
    bar(ARENA, &["walk_after_churn"], FROM_16, &[K], SLOT_MAP, 0.85),
    bar(ARENA, &["walk_after_churn"], FROM_16, &[K100], SLOT_MAP, 0.2),
    bar(ARENA, &["batch_churn"], FROM_16, &[K], SLOT_MAP, 1.25),
    bar(ARENA, &["batch_churn"], FROM_16, &[K100], SLOT_MAP, 1.75),
    bar(ARENA, &["batch_churn"], FROM_16, &[M10], SLOT_MAP, 0.8),
    bar(ARENA, &["churn"], FROM_16, SMALL, SLOT_MAP, 1.3),
    bar(ARENA, HOLES, FROM_16, &[K], SLOT_MAP, 1.3),
    bar(ARENA, HOLES, FROM_16, &[K100], SLOT_MAP, 1.5),
    bar(ARENA, &["remove_all"], FROM_16, SMALL, SLOT_MAP, 1.4),
    bar(ARENA, &["remove_order"], FROM_16, SMALL, SLOT_MAP, 2.4),
    bar(ARENA, &["churn", "remove_all"], FROM_16, &[M10], SLOT_MAP, 1.0),
    bar(ARENA, &["extend"], FROM_16, ALL, SLOT_MAP, 0.3),
    bar(ARENA, &["extend"], &[64, 128], SMALL, Vector, 1.0),
    bar(ARENA, &["retain", "clear"], FROM_16, ALL, SLOT_MAP, 1.0),
    bar(ARENA, &["game"], FROM_16, ALL, ALL_RIVALS, 1.0),
    bar(ARENA, &["bytes"], FROM_4, ALL, BytesBesideSlot, 0.17),
    bar(ARENA, &["small"], FROM_4, &[K], Vector, 3.0),
    bar(RESERVED, LOOKUPS, FROM_4, &[K], Fastest(&[ARENA]), 1.03),
    bar(RESERVED, LOOKUPS, SMALL_PAGED, &[K100], Fastest(&[ARENA]), 1.03),
    bar(RESERVED, LOOKUPS, HUGE_PAGED, &[K100], Fastest(&[ORDINARY]), 1.03),
    bar(HUGE, LOOKUPS, HUGE_PAGED, &[K100], Fastest(&[ARENA]), 1.03),
    bar(RESERVED, WALKS, FROM_4, &[K], Fastest(&[ARENA]), 1.03),
    bar(RESERVED, WALKS, SMALL_PAGED, &[K100], Fastest(&[ARENA]), 1.03),
    bar(RESERVED, WALKS, HUGE_PAGED, &[K100], Fastest(&[ORDINARY]), 1.03),
    bar(HUGE, WALKS, HUGE_PAGED, &[K100], Fastest(&[ARENA]), 1.03),
    bar(HUGE, &["fill"], &[64], &[M10], Vector, 0.4),
    bar(HUGE, &["lookup"], &[64], &[M10], Fastest(&["SlotMap", "thunderdome"]), 1.0),
    bar(HUGE, &["walk_100"], &[64], &[M10], Vector, 0.7),
    bar(PAGED, &["lookup"], FROM_4, ALL, Fastest(&[ARENA]), 1.3),
    bar(PAGED, &["walk_100", "walk_50"], FROM_4, ALL, Fastest(&[ARENA]), 1.1),
    bar(POOL, &["recycle"], &[BUFFERED], SMALL, ALLOCATING, 0.2),
    bar(POOL, &["blind_pass"], FROM_4, ALL, Vector, 1.05),
    bar(SOA, WALKS, &[4], ALL, Fastest(&[ARENA]), 1.0),
    bar(SOA, &["bytes"], FROM_4, ALL, BytesBesideValue, 4.2),
    bar(DENSE, &["small"], FROM_4, &[K], Vector, 3.0),
    bar(DENSE, WALKS, FROM_16, ALL, Vector, 1.02),
    bar(DENSE, LOOKUPS, FROM_16, ALL, DENSE_SLOT_MAP, 1.0),
    bar(DENSE, &["insert", "insert_reserved", "remove_all", "churn"], FROM_16, ALL, DENSE_SLOT_MAP, 1.0),
    bar(DENSE, &["bytes"], FROM_4, ALL, BytesBesideValue, 12.2),
];

const fn bar(
    subject: &'static str,
    workloads: &'static [&'static str],
    elements: &'static [usize],
    counts: &'static [usize],
    against: Against,
    limit: f64,
) -> Bar {
    Bar { subject, workloads, elements, counts, against, limit }
}

/// The verdicts on all bars for which there are rows.
pub(crate) fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for bar in BARS {
        for &count in bar.counts {
            for &element_bytes in bar.elements {
                let size = Size { rows, element_bytes, count };
                verdicts.extend(bar.workloads.iter().filter_map(|name| size.verdict(bar, name)));
            }
        }
    }
    verdicts
}

/// The rows of one size of element and count.
struct Size<'a> {
    rows: &'a [Row],
    element_bytes: usize,
    count: usize,
}

impl Size<'_> {
    fn row(&self, workload: &str, subject: &str) -> Option<&Row> {
        self.rows.iter().find(|row| {
            row.count == self.count
                && row.element_bytes == self.element_bytes
                && row.workload == workload
                && row.subject == subject
        })
    }

    fn ns(&self, workload: &str, subject: &str) -> Option<f64> {
        Some(self.row(workload, subject)?.ns)
    }

    /// The ratio to the yardstick, which is measured as such: round by round, in the same group.
    fn ratio_to_vec(&self, workload: &str, subject: &str) -> Option<f64> {
        Some(self.row(workload, subject)?.ratio_to_vec)
    }

    /// The size of a slot of `Arena`: value and generation, aligned as the value is.
    fn slot_bytes(&self) -> usize {
        let align = self.element_bytes.min(8);
        (self.element_bytes + 4).next_multiple_of(align)
    }

    fn verdict(&self, bar: &Bar, workload: &'static str) -> Option<Verdict> {
        let ns = self.ns(workload, bar.subject)?;
        let (measured, against) = match bar.against {
            Vector => (self.ratio_to_vec(workload, bar.subject)?, YARDSTICK.to_owned()),
            Fastest(subjects) => {
                let times = subjects.iter().filter_map(|&subject| {
                    let ns = self.ns(workload, subject)?;
                    Some((ns, subject))
                });
                let (fastest, name) = times.min_by(|a, b| a.0.total_cmp(&b.0))?;
                (ns / fastest, name.to_owned())
            }
            VecOfSlots => {
                let wider = self.slot_bytes() as f64 / self.element_bytes as f64;
                let ratio = self.ratio_to_vec(workload, bar.subject)?;
                (ratio / wider, format!("{YARDSTICK} x {wider:.3}"))
            }
            Itself(other) => (ns / self.ns(other, bar.subject)?, other.to_owned()),
            BytesBesideValue => {
                let beside = ns - self.element_bytes as f64;
                (beside, "bytes beside value".to_owned())
            }
            BytesBesideSlot => {
                let beside = ns - self.slot_bytes() as f64;
                (beside, "bytes beside slot".to_owned())
            }
        };
        Some(Verdict {
            subject: bar.subject,
            workload: workload.to_owned(),
            element_bytes: Some(self.element_bytes),
            count: self.count,
            against,
            limit: bar.limit,
            measured,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::lineup::SUBJECTS;
    use crate::compare::scope::ELEMENT_BYTES;
    use crate::compare::workload::WORKLOADS;

    fn row(workload: &str, subject: &str, ns: f64) -> Row {
        Row {
            workload: workload.to_owned(),
            element_bytes: 16,
            count: 100_000,
            subject: subject.to_owned(),
            ns,
            ratio_to_vec: 1.0,
            spread: 0.0,
        }
    }

    #[test]
    fn every_bar_is_about_something_that_is_measured() {
        let known = |name: &str| WORKLOADS.iter().any(|workload| workload.name == name);
        for bar in BARS {
            assert!(SUBJECTS.contains(&bar.subject));
            assert!(bar.workloads.iter().all(|name| known(name)));
            assert!(bar.elements.iter().all(|bytes| ELEMENT_BYTES.contains(bytes)));
            for name in bar.workloads {
                let workload = WORKLOADS.iter().find(|workload| &workload.name == name);
                // A bar against a subject that does not take part would never be judged.
                let measured = |bytes: usize, count: usize| {
                    let rivals = match bar.against {
                        Fastest(subjects) => subjects,
                        _ => &[],
                    };
                    let invited = |subject| {
                        workload.is_some_and(|workload| workload.invites(subject, bytes, count))
                    };
                    invited(bar.subject) && rivals.iter().all(|rival| invited(rival))
                };
                let sizes =
                    bar.elements.iter().flat_map(|&b| bar.counts.iter().map(move |&c| (b, c)));
                assert!(sizes.into_iter().all(|(bytes, count)| measured(bytes, count)), "{name}");
            }
            match bar.against {
                Fastest(subjects) => assert!(subjects.iter().all(|name| SUBJECTS.contains(name))),
                Itself(other) => assert!(known(other)),
                Vector | VecOfSlots | BytesBesideValue | BytesBesideSlot => {}
            }
        }
    }

    #[test]
    fn a_bar_is_met_or_missed_by_the_ratio() {
        let rows = |arena| {
            [
                row("walk_50", "Arena", arena),
                row("walk_50", "SlotMap", 10.0),
                row("walk_50", "HopSlotMap", 20.0),
            ]
        };
        let met: Vec<bool> = verdicts(&rows(1.9)).iter().map(Verdict::met).collect();
        assert_eq!(met, [true, true]);
        let missed: Vec<bool> = verdicts(&rows(2.1)).iter().map(Verdict::met).collect();
        assert_eq!(missed, [false, true]);
    }

    #[test]
    fn against_the_yardstick_its_own_rounds_count() {
        let one = |ratio_to_vec| Row { ratio_to_vec, ..row("walk_50", "DenseArena", 7.0) };
        let met: Vec<_> = verdicts(&[one(1.01)]).iter().map(Verdict::met).collect();
        assert_eq!(met, [true]);
        assert!(!verdicts(&[one(1.03)])[0].met());
    }

    #[test]
    fn a_slot_is_the_value_and_a_generation() {
        let slot = |element_bytes| {
            let size = Size { rows: &[], element_bytes, count: 1 };
            size.slot_bytes()
        };
        assert_eq!([4, 16, 64, 128].map(slot), [8, 24, 72, 136]);
    }

    #[test]
    fn bytes_are_counted_beside_the_slot() {
        let verdicts = verdicts(&[row("bytes", "Arena", 24.25)]);
        assert_eq!(verdicts.len(), 1);
        assert!((verdicts[0].measured - 0.25).abs() < 1e-9);
        assert!(!verdicts[0].met());
    }
}

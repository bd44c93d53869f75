//! The bars, as ratios fixed before they were measured.

use super::Against::{self, Amount, Best, BytesBesideSlot, BytesBesideValue};
use super::Against::{ItsMedian, Itself, VecOfSlots, Vector};
use super::Bar;

/// Makes a bar of `compare`: of these subjects, at these workloads, sizes of element and counts.
const fn of(
    subjects: &'static [&'static str],
    workloads: &'static [&'static str],
    elements: &'static [usize],
    counts: &'static [usize],
    against: Against,
    limit: f64,
) -> Bar {
    Bar { study: None, workloads, subjects, against, limit, elements, counts }
}

/// Makes a bar of a study, at every count that is measured.
pub(super) const fn bar(
    study: &'static str,
    workloads: &'static [&'static str],
    subjects: &'static [&'static str],
    against: Against,
    limit: f64,
) -> Bar {
    Bar { study: Some(study), workloads, subjects, against, limit, elements: &[], counts: &[] }
}

const NANOSECOND: Against = Amount(1.0, "a nanosecond");

// Bars of `compare`.
//
// `Arena` asks for huge pages where it has 4 MiB or more from the allocator (100,000 values of `HUGE_PAGED` sizes), and
// in reserved memory only where it is told to. Reserved memory is compared with the same pages: with huge pages against
// `Arena`, without against an arena that was told not to ask for them.

const ARENA: &[&str] = &["Arena"];
const DENSE: &[&str] = &["DenseArena"];
const RESERVED: &[&str] = &["Arena reserved"];
const HUGE: &[&str] = &["Arena huge"];
const PAGED: &[&str] = &["PagedArena"];
const POOL: &[&str] = &["Pool"];
const SOA: &[&str] = &["SoaArena"];
const AN_ARENA: Against = Best(ARENA);
const ORDINARY: Against = Best(&["Arena ordinary"]);
const SLOT_MAP: Against = Best(&["SlotMap"]);
const HOP_SLOT_MAP: Against = Best(&["HopSlotMap"]);
const DENSE_SLOT_MAP: Against = Best(&["DenseSlotMap"]);
/// The subjects that allocate a new buffer for each object.
const ALLOCATING: Against = Best(&["Vec", "Arena", "SlotMap", "slab"]);
const LOOKUP_RIVALS: Against = Best(&["SlotMap", "thunderdome", "gen_map"]);
#[rustfmt::skip]
const ALL_RIVALS: Against = Best(&[
    "SlotMap", "HopSlotMap", "DenseSlotMap", "thunderdome", "bitarena", "slab", "generational-arena", "gen_map",
    "stable-vec",
]);

const FROM_4: &[usize] = &[4, 16, 64, 128];
const FROM_16: &[usize] = &[16, 64, 128];
/// Sizes whose slots, 100,000 of them, take less than 4 MiB, and those whose take more.
const SMALL_PAGED: &[usize] = &[4, 16];
const HUGE_PAGED: &[usize] = &[64, 128];
const K: &[usize] = &[1_000];
const K100: &[usize] = &[100_000];
const M10: &[usize] = &[10_000_000];
const ALL: &[usize] = &[1_000, 100_000, 10_000_000];
const SMALL: &[usize] = &[1_000, 100_000];

#[rustfmt::skip]
const WALKS: &[&str] = &[
    "walk_100", "walk_90", "walk_50", "walk_10", "walk_1", "walk_clustered_90", "walk_clustered_50",
    "walk_clustered_10", "walk_clustered_1", "walk_after_churn", "for_100", "for_50",
];
const FULL: &[&str] = &["walk_100", "for_100"];
const HOLES: &[&str] = &["churn_99", "churn_90", "churn_50"];
const FEW: &[&str] = &["insert_small_10", "insert_small_100", "insert"];
const HALF: &[&str] = &["walk_50", "for_50"];
const LOOKUPS: &[&str] = &["lookup", "lookup_chain"];

// Bars of `tail`.

/// The bytes of a slot of `Arena` for values of 8 bytes (the value, its generation, alignment), and a bit of
/// bookkeeping.
const SLOT_AND_BIT: Against = Amount(16.0 + 1.0 / 8.0, "16.125 bytes a value");

// Bars of `columns`.

const COLUMNS: &[&str] = &["SoaArena", "DenseSoaArena"];
const KEYED: Against = Best(&["soa-rs and SlotMap"]);
const MASKED: &[&str] = &["SoaArena, whole groups", "SoaArena, groups by mask"];

// Bars of `beside`.

const SIDE: &[&str] = &["SecondaryMap"];
const SPARSE: &[&str] = &["SparseSecondaryMap"];
const ITS_SIDE: Against = Best(&["slotmap SecondaryMap"]);
const ITS_SPARSE: Against =
    Best(&["slotmap SparseSecondaryMap", "slotmap SparseSecondaryMap, foldhash"]);
const TREES: &[&str] = &["Arena and Tree", "Arena of Links"];
const BY_KIND: &[&str] = &["Arena and Buckets"];
const OTHERS_BY_KIND: Against = Best(&["SlotMap, filtered", "SlotMap and Vec of keys"]);
const LISTS: &[&str] = &["Arena and KeyList", "Arena and List"];
/// The rivals of lists in passes over whole lists are lists: a `Vec` walks and filters keys that lie side by side, and
/// pays for it in `one`.
const OTHER_LISTS: Against = Best(&["SlotMap and LinkedList", "SlotMap linked by hand"]);
const VECS_AND_LISTS: Against =
    Best(&["SlotMap and Vec", "SlotMap and LinkedList", "SlotMap linked by hand"]);

// Bars of `find`.

const LIST_POOL: &[&str] = &["ListPool"];
const VECTORS: Against = Best(&["Vec<u32>"]);
const FEW_ALLOCATIONS: Against = Best(&["SmallVec<[u32; 4]>", "cranelift EntityList"]);
const IR: &[&str] = &["Arena, ListPool, Handle32"];
const ENTITIES: Against = Best(&["cranelift-entity"]);
const KEPT: &[&str] = &["StringPool, intern"];
const INTERNERS: Against = Best(&["lasso", "lasso, foldhash", "string-interner"]);
const COUNTED: &[&str] = &["StringPool, acquire"];
const OTHERS_COUNTED: Against = Best(&["HashSet<Rc<str>>, foldhash"]);
const MULTI: &[&str] = &["MultiIndex"];
/// With the same hasher. (Brute force is fast at adding alone: it only pushes to a list.)
const TABLE: Against = Best(&["HashMap of Vec, foldhash"]);
/// The index keeps objects side by side for finding, so it is compared with links there.
const CIRCLES: Against = Best(&["circles of links"]);
const UNIQUE: &[&str] = &["UniqueIndex"];
const ONE_OF: Against = Best(&["HashMap, foldhash"]);
const SORTED: &[&str] = &["SortedIndex"];
const MAP: Against = Best(&["BTreeMap of Vec"]);
/// A program has one grid for all its queries: one size of cells is judged at all workloads.
/// (The bars are for a grid filled at once, by `extend`, as the trees are; `records/finding.md` has the times of
/// moved ones.)
const CELLS: &[&str] = &["GridIndex, 20 m"];
const KIDDO: Against = Best(&["kiddo"]);
const TREES_AND_ALL: Against = Best(&["brute force", "rstar", "kiddo", "kiddo, immutable"]);
const RADIX: &[&str] = &["SortedKeys"];
const OTHERS_VIEWED: Against = Best(&[
    "Vec of pairs, sort_unstable",
    "Vec of pairs, sort",
    "Vec of keys, sort_unstable by lookup",
]);

// Bars of `keep`.

/// 0.8 of the speed.
const SPEED: f64 = 1.25;
const FILES: Against = Best(&["plain bytes", "plain bytes, in place"]);
const PLAIN: Against = Best(&["plain bytes"]);
const ROWS_AND_COLUMNS: &[&str] = &["Arena", "SoaArena"];
/// The counts at which a file is more than calls to the system.
const LARGE: &[usize] = &[1_000_000, 16_000_000];
const MILLION: &[usize] = &[1_000_000];
const TRACKED: &[&str] = &["Tracked"];
const COPY: Against = Best(&["a copy of what changes"]);
const CLONES: Against =
    Best(&["SlotMap, HashMap and clones", "SlotMap, cells in a Vec and clones"]);
const INVERSE: Against = Best(&["SlotMap, HashMap and inverse edits"]);
/// 1.8 times the speed.
const TWO_CORES: f64 = 1.0 / 1.8;

/// All bars.
#[rustfmt::skip]
pub(crate) const BARS: &[Bar] = &[
    of(ARENA, FULL, FROM_16, ALL, VecOfSlots, 1.1),
    of(ARENA, &["walk_100"], &[4], SMALL, SLOT_MAP, 0.4),
    of(ARENA, &["for_100"], &[4], SMALL, SLOT_MAP, 0.55),
    of(ARENA, FULL, &[16], SMALL, SLOT_MAP, 0.6),
    of(ARENA, HALF, &[16, 64], K100, SLOT_MAP, 0.20),
    of(ARENA, HALF, &[128], K100, SLOT_MAP, 0.30),
    of(ARENA, &["walk_10"], FROM_16, K100, SLOT_MAP, 0.20),
    of(ARENA, &["walk_1"], FROM_16, SMALL, SLOT_MAP, 0.06),
    of(ARENA, HALF, FROM_16, K, SLOT_MAP, 0.5),
    of(ARENA, &["walk_10"], FROM_16, K, SLOT_MAP, 0.3),
    of(ARENA, WALKS, FROM_16, M10, SLOT_MAP, 1.0),
    of(ARENA, WALKS, FROM_16, ALL, HOP_SLOT_MAP, 1.0),
    of(ARENA, &["walk_clustered_50"], FROM_16, ALL, Itself("walk_100"), 1.3),
    of(ARENA, LOOKUPS, FROM_4, ALL, LOOKUP_RIVALS, 1.05),
    of(ARENA, &["lookup"], &[64], M10, SLOT_MAP, 0.8),
    of(ARENA, &["stale"], FROM_4, ALL, LOOKUP_RIVALS, 1.0),
    of(ARENA, &["first"], FROM_4, ALL, SLOT_MAP, 15.0),
    of(ARENA, FEW, FROM_16, K, SLOT_MAP, 1.0),
    of(ARENA, &["insert"], FROM_16, &[100_000, 10_000_000], SLOT_MAP, 1.1),
    of(ARENA, &["insert_reserved"], FROM_16, ALL, SLOT_MAP, 1.0),
    of(ARENA, &["refill"], FROM_16, K100, SLOT_MAP, 0.35),
    of(ARENA, &["refill_order"], FROM_16, SMALL, SLOT_MAP, 1.5),
    of(ARENA, &["walk_after_churn"], FROM_16, K, SLOT_MAP, 0.85),
    of(ARENA, &["walk_after_churn"], FROM_16, K100, SLOT_MAP, 0.2),
    of(ARENA, &["batch_churn"], FROM_16, K, SLOT_MAP, 1.25),
    of(ARENA, &["batch_churn"], FROM_16, K100, SLOT_MAP, 1.75),
    of(ARENA, &["batch_churn"], FROM_16, M10, SLOT_MAP, 0.8),
    of(ARENA, &["churn"], FROM_16, SMALL, SLOT_MAP, 1.3),
    of(ARENA, HOLES, FROM_16, K, SLOT_MAP, 1.3),
    of(ARENA, HOLES, FROM_16, K100, SLOT_MAP, 1.5),
    of(ARENA, &["remove_all"], FROM_16, SMALL, SLOT_MAP, 1.4),
    of(ARENA, &["remove_order"], FROM_16, SMALL, SLOT_MAP, 2.4),
    of(ARENA, &["remove_loop", "remove_loop_order"], &[16], K, SLOT_MAP, 1.35),
    of(ARENA, &["remove_loop", "remove_loop_order"], &[16], K100, SLOT_MAP, 1.4),
    of(ARENA, &["refill_loop_order"], &[16], SMALL, SLOT_MAP, 1.25),
    of(ARENA, &["refill_loop"], &[16], K, SLOT_MAP, 1.25),
    of(ARENA, &["refill_loop"], &[16], K100, SLOT_MAP, 0.35),
    of(ARENA, &["churn", "remove_all"], FROM_16, M10, SLOT_MAP, 1.0),
    of(ARENA, &["extend"], FROM_16, ALL, SLOT_MAP, 0.3),
    of(ARENA, &["extend"], &[64, 128], SMALL, Vector, 1.0),
    of(ARENA, &["retain", "clear"], FROM_16, ALL, SLOT_MAP, 1.0),
    of(ARENA, &["game"], FROM_16, ALL, ALL_RIVALS, 1.0),
    of(ARENA, &["bytes"], FROM_4, ALL, BytesBesideSlot, 0.17),
    of(&["Arena", "DenseArena"], &["small"], FROM_4, K, Vector, 3.0),
    of(RESERVED, LOOKUPS, FROM_4, K, AN_ARENA, 1.03),
    of(RESERVED, LOOKUPS, SMALL_PAGED, K100, AN_ARENA, 1.03),
    of(RESERVED, LOOKUPS, HUGE_PAGED, K100, ORDINARY, 1.03),
    of(HUGE, LOOKUPS, HUGE_PAGED, K100, AN_ARENA, 1.03),
    of(RESERVED, WALKS, FROM_4, K, AN_ARENA, 1.03),
    of(RESERVED, WALKS, SMALL_PAGED, K100, AN_ARENA, 1.03),
    of(RESERVED, WALKS, HUGE_PAGED, K100, ORDINARY, 1.03),
    of(HUGE, WALKS, HUGE_PAGED, K100, AN_ARENA, 1.03),
    of(HUGE, &["fill"], &[64], M10, Vector, 0.4),
    of(HUGE, &["lookup"], &[64], M10, Best(&["SlotMap", "thunderdome"]), 1.0),
    of(HUGE, &["walk_100"], &[64], M10, Vector, 0.7),
    of(PAGED, &["lookup"], FROM_4, ALL, AN_ARENA, 1.3),
    of(PAGED, &["walk_100", "walk_50"], FROM_4, ALL, AN_ARENA, 1.1),
    of(POOL, &["recycle"], &[1_024], SMALL, ALLOCATING, 0.2),
    of(POOL, &["blind_pass"], FROM_4, ALL, Vector, 1.05),
    of(SOA, WALKS, &[4], ALL, AN_ARENA, 1.0),
    of(SOA, &["bytes"], FROM_4, ALL, BytesBesideValue, 4.2),
    of(DENSE, WALKS, FROM_16, ALL, Vector, 1.02),
    of(DENSE, LOOKUPS, FROM_16, ALL, DENSE_SLOT_MAP, 1.0),
    of(DENSE, &["insert", "insert_reserved", "remove_all", "churn"], FROM_16, ALL, DENSE_SLOT_MAP, 1.0),
    of(DENSE, &["bytes"], FROM_4, ALL, BytesBesideValue, 12.2),

    bar("tail", &["tail: worst"], RESERVED, Best(&["Vec"]), 1.0),
    bar("tail", &["tail: worst"], RESERVED, Best(&["Vec, mimalloc"]), 0.05),
    bar("tail", &["tail: 99.9 %"], &["Arena ahead"], Best(&["nothing"]), 3.0),
    bar("tail", &["tail: peak memory"], RESERVED, SLOT_AND_BIT, 1.02),

    bar("tick", &["whole"], COLUMNS, Best(&["soa-rs"]), 1.2),
    bar("assoc", &["all"], COLUMNS, ItsMedian, 1.3),
    bar("keys", &["insert", "insert_reserved", "churn", "remove_all"], &["DenseSoaArena"], KEYED, 1.0),
    bar("keys", &["whole"], &["DenseSoaArena"], KEYED, 1.3),
    bar("holes", &["100 % live"], &["SoaArena, whole column"], Best(&["Vec<f32>"]), 1.03),
    bar("holes", &["90 % live"], MASKED, Best(&["Vec<f32>"]), 2.5),
    bar("holes", &["50 % live"], MASKED, Best(&["Vec<f32>"]), 4.5),

    bar("side", &["insert, 100 %", "insert, 50 %"], SIDE, ITS_SIDE, 1.2),
    bar("side", &["insert, 10 %", "insert, 1 %", "get", "ask"], SIDE, ITS_SIDE, 1.1),
    bar("side", &["walk", "join2", "join3"], SIDE, ITS_SIDE, 1.0),
    bar("side", &["insert", "get", "walk", "join2", "join3"], SPARSE, ITS_SPARSE, 1.0),
    bar("hierarchy", &[
        "spawn", "attach", "build", "walk", "children", "ancestors", "remove_subtree", "destroy", "churn", "walk_churned",
    ], TREES, Best(&["indextree"]), 1.0),
    bar("hierarchy", &["attach"], TREES, Best(&["ego-tree"]), 1.5),
    bar("kinds", &["walk"], BY_KIND, OTHERS_BY_KIND, 1.3),
    bar("kinds", &["walk_thinned"], BY_KIND, OTHERS_BY_KIND, 2.0),
    bar("lists", &["rounds", "walk"], LISTS, OTHER_LISTS, 1.0),
    bar("lists", &["one"], LISTS, VECS_AND_LISTS, 1.0),

    bar("children", &["make"], LIST_POOL, VECTORS, 0.65),
    bar("children", &["push"], LIST_POOL, VECTORS, 0.85),
    bar("children", &["iterate", "iterate_churned"], LIST_POOL, VECTORS, 1.1),
    bar("children", &["churn"], LIST_POOL, VECTORS, 1.2),
    bar("children", &["replace"], LIST_POOL, VECTORS, 0.75),
    bar("children", &["bytes"], LIST_POOL, VECTORS, 1.0),
    bar("children", &["bytes_churned"], LIST_POOL, VECTORS, 1.15),
    bar("children", &["make", "push", "churn", "replace"], LIST_POOL, FEW_ALLOCATIONS, 1.3),
    bar("children", &["allocations"], LIST_POOL, VECTORS, 0.01),
    bar("ir", &["append", "passes", "compile"], IR, ENTITIES, 1.1),
    bar("names", &["intern", "bytes"], KEPT, INTERNERS, 1.1),
    bar("names", &["intern_new"], KEPT, INTERNERS, 1.0),
    bar("names", &["find"], KEPT, INTERNERS, 1.05),
    bar("names", &["resolve"], KEPT, INTERNERS, 1.5),
    bar("names", &["bytes"], COUNTED, INTERNERS, 1.4),
    bar("names", &["intern", "release"], COUNTED, OTHERS_COUNTED, 1.1),
    bar("names", &["release_fourth"], COUNTED, NANOSECOND, 2_000.0),
    bar("names", &["release_worst"], COUNTED, NANOSECOND, 5_000.0),
    bar("names", &["bytes_released"], COUNTED, OTHERS_COUNTED, 1.0),
    bar("unique", &["insert"], UNIQUE, ONE_OF, 1.2).at(&[1_000]),
    bar("unique", &["insert"], UNIQUE, ONE_OF, 1.0).at(&[10_000, 100_000]),
    bar("unique", &["hit", "miss"], UNIQUE, ONE_OF, 1.1),
    bar("unique", &["remove"], UNIQUE, ONE_OF, 1.2),
    bar("unique", &["bytes"], UNIQUE, ONE_OF, 1.25),
    bar("observers", &["add, uniform", "add, skewed", "find", "search"], MULTI, TABLE, 1.1),
    bar("observers", &["add, zipf", "move, uniform"], MULTI, TABLE, 1.5),
    bar("observers", &["add, one key"], MULTI, TABLE, 2.7),
    bar("observers", &["move, skewed", "move, zipf", "move, one key"], MULTI, TABLE, 1.0),
    bar("observers", &["remove, uniform"], MULTI, TABLE, 1.3),
    bar("observers", &["remove, skewed", "remove, zipf", "remove, one key"], MULTI, TABLE, 0.9),
    // Four fifths of what the first draft's index took: 35, 53 and 45 bytes an object.
    bar("observers", &["bytes, uniform"], MULTI, TABLE, 1.87).at(&[1_000]),
    bar("observers", &["bytes, uniform"], MULTI, TABLE, 2.4).at(&[10_000]),
    bar("observers", &["bytes, uniform"], MULTI, TABLE, 2.2).at(&[100_000]),
    bar("observers", &["find"], MULTI, CIRCLES, 1.0),
    bar("ordered", &["add, nearly one each"], SORTED, MAP, 0.85),
    bar("ordered", &["find, nearly one each"], SORTED, MAP, 1.3).at(&[1_000]),
    bar("ordered", &["find, nearly one each"], SORTED, MAP, 0.8).at(&[10_000, 100_000]),
    bar("ordered", &["range, nearly one each", "bytes, nearly one each"], SORTED, MAP, 0.7),
    bar("ordered", &["walk, nearly one each"], SORTED, MAP, 0.35),
    bar("ordered", &["pop_first, nearly one each"], SORTED, MAP, 0.25),
    bar("ordered", &["remove, nearly one each"], SORTED, MAP, 0.65),
    bar("ordered", &["add, ten each", "pop_first, ten each", "remove, ten each"], SORTED, MAP, 1.3),
    bar("ordered", &["find, ten each"], SORTED, MAP, 2.3).at(&[1_000]),
    bar("ordered", &["find, ten each"], SORTED, MAP, 1.15).at(&[10_000, 100_000]),
    bar("ordered", &["range, ten each", "walk, ten each"], SORTED, MAP, 1.5),
    bar("grid", &["within 5 m, 2D"], CELLS, TREES_AND_ALL, 0.6),
    bar("grid", &["within 50 m, 2D"], CELLS, TREES_AND_ALL, 0.7),
    bar("grid", &["nearest, 2D"], CELLS, TREES_AND_ALL, 0.75),
    bar("grid", &["within 5 m, 3D"], CELLS, TREES_AND_ALL, 0.85),
    // Half of the points are found.
    bar("grid", &["within 50 m, 3D"], CELLS, TREES_AND_ALL, 1.35).at(&[10_000]),
    bar("grid", &["within 50 m, 3D"], CELLS, TREES_AND_ALL, 0.7).at(&[100_000]),
    bar("grid", &["nearest, 3D"], CELLS, TREES_AND_ALL, 1.2),
    bar("grid", &["move"], CELLS, KIDDO, 0.4),
    bar("grid", &["insert"], CELLS, KIDDO, 1.3),
    // 0.9 of the bytes at 137754e, when a cell was a list of a pool.
    bar("grid", &["bytes, 2D"], CELLS, KIDDO, 2.26),
    bar("grid", &["bytes, 3D"], CELLS, KIDDO, 2.0),
    bar("views", &["u8", "u32", "f32", "u64"], RADIX, OTHERS_VIEWED, 1.0),

    bar("saving", &["save"], ROWS_AND_COLUMNS, FILES, SPEED).at(LARGE),
    bar("saving", &["write"], ARENA, PLAIN, SPEED).at(LARGE),
    bar("saving", &["load"], ROWS_AND_COLUMNS, PLAIN, SPEED).at(LARGE),
    // Five milliseconds.
    bar("saving", &["open"], &["Arena, mapped", "SoaArena"], NANOSECOND, 5_000_000.0),
    bar("saving", &["serialize", "deserialize"], &["Arena, postcard"], Best(&["SlotMap, postcard"]), 1.0).at(LARGE),
    bar("changes", &["walk"], TRACKED, Best(&["Arena"]), 1.15),
    // The writes themselves are counted, too.
    bar("changes", &["one in a hundred"], TRACKED, COPY, 3.0).at(MILLION),
    bar("changes", &["one in a hundred"], TRACKED, Best(&["a clone"]), 0.05).at(MILLION),
    bar("changes", &["delta"], TRACKED, COPY, 2.0).at(MILLION),
    // The part of the alternative's time that programs of these kinds took before there were tables.
    bar("game", &["frame", "again"], &["Table"], CLONES, 0.51),
    bar("editor", &["edit", "undo", "redo"], &["Table"], INVERSE, 0.14),
    // The count at which a walk is more than waking threads.
    bar("threads", &["rows", "columns", "join"], &["rayon"], Best(&["one thread"]), TWO_CORES).at(M10),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{WORKLOADS, Workload};

    /// A bar against a subject that does not take part would never be judged.
    #[test]
    fn every_bar_of_compare_is_about_something_that_is_measured() {
        let known = |name: &str| WORKLOADS.iter().find(|workload| workload.name == name);
        for bar in BARS.iter().filter(|bar| bar.study.is_none()) {
            let rivals = if let Best(rivals) = bar.against { rivals } else { &[] };
            let invites = |workload: &Workload, bytes, count| {
                let mut subjects = bar.subjects.iter().chain(rivals);
                subjects.all(|subject| workload.invites(subject, bytes, count))
            };
            for name in bar.workloads {
                let workload = known(name).expect(name);
                for &bytes in bar.elements {
                    assert!(
                        bar.counts.iter().all(|&count| invites(workload, bytes, count)),
                        "{name}"
                    );
                }
            }
            if let Itself(other) = bar.against {
                assert!(known(other).is_some());
            }
        }
    }
}

//! The workloads by name: in which state of the container each runs, and what it does there.

use super::bench::DENSITIES;
use super::subject::Making::{self, Begun, Extended, Grown, Reserved};
use super::subject::{Reading, Using};
use crate::stores::{Buffered, Element};

/// One workload: a row of the tables.
#[derive(Debug, PartialEq)]
pub(crate) struct Workload {
    /// The name in tables, in JSON and after `--workload`.
    pub(crate) name: &'static str,
    /// The state of the container in which it runs.
    pub(crate) stage: Stage,
    /// The work in that state.
    pub(crate) job: Job,
    /// The subjects and sizes, unless subjects are asked for by name.
    pub(crate) scopes: &'static [Scope],
}

impl Workload {
    /// Returns whether it is measured at this size.
    pub(crate) fn has_size(&self, element_bytes: usize, count: usize) -> bool {
        self.scopes.iter().any(|scope| scope.has_size(element_bytes, count))
    }

    /// Returns whether this subject takes part without being asked for. The yardstick always does.
    pub(crate) fn invites(&self, subject: &str, element_bytes: usize, count: usize) -> bool {
        subject == YARDSTICK
            || self.scopes.iter().any(|scope| {
                scope.has_size(element_bytes, count) && scope.subjects.contains(&subject)
            })
    }
}

/// A state of the container, made once for all workloads that run in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    /// No container; the workload makes its own.
    Nothing,
    /// Full to its capacity.
    Full,
    /// This percentage live, holes at random.
    Scattered(usize),
    /// This percentage live, the live and the dead in runs.
    Clustered(usize),
    /// Half full, after twice as many random pairs of removal and insertion as it has room for.
    Churned,
    /// Full, after everything was removed and replaced.
    Replaced,
    /// Full, after random pairs of removal and insertion.
    Steady,
    /// This percentage live: thinned out at random, then random pairs of removal and insertion.
    Holes(usize),
    /// Full; where holes hold values, half of the values are removed.
    Blind,
}

/// The order in which all values of a full container are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// At random.
    Random,
    /// In the order of insertion.
    Inserted,
}

/// The work of a workload. Times are per operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    /// Full containers, or such of so many elements; making them counts.
    Make(Making, Option<usize>),
    /// A container for each element is made, filled with ten elements, and dropped; per element.
    Small,
    /// Full containers, which are made untimed, are changed: all is dropped, or a quarter.
    Use(Using),
    /// One value after the other is removed until none is left.
    RemoveAll(Order),
    /// A container that was full, and emptied in the order of insertion, is filled; only that is timed.
    RefillAll,
    /// As `RemoveAll`, but of one container, and nothing between two removals keeps the compiler from having its fields
    /// in registers.
    RemoveLoop(Order),
    /// As `RefillAll`, after values were removed in this order, but of one container, in such a loop.
    RefillLoop(Order),
    /// The memory of a container made for a number of values, when it holds them. Not a time: "nanoseconds" per
    /// operation are bytes per value.
    Bytes,
    /// The number of times that a container which grows from nothing to this number of values asks the allocator for a
    /// block, or for a larger one. Not a time: "nanoseconds" per operation are blocks per container.
    Allocations(usize),
    /// All values read, of this container and of the others by turns.
    Walk(Reading),
    /// So many values read in a pass as there are slots.
    BlindPass,
    First,
    /// The values of scattered keys.
    Lookup(Reading),
    /// Copies in which the same keys work.
    Clone,
    /// Every value touched. Values change, so every subject makes as many passes.
    Update,
    /// Lookups by keys whose values are gone and whose slots were reused.
    ///
    /// A container without generations finds the slot's next value. The answer is how far the number
    /// of hits is from what such a container must give.
    Stale,
    /// A random value out, a new one in; per pair. In `churn` the container is full but for
    /// the value that is out; in `churn_99`, `churn_90` and `churn_50` it has other holes.
    Churn,
    /// So many of a thousand live values out at random, as many in; per pair.
    BatchChurn(usize),
    /// Half removed at random, then as many inserted; only the filling is timed.
    Refill,
    /// A frame touches all objects, looks another one up for each, removes one percent and
    /// inserts one percent; per object and frame.
    Game,
    /// One percent out at random, one percent in, where a container that keeps what removed
    /// objects own lets new ones have it; per pair.
    Recycle,
}

/// The stages in the order in which a container goes through them.
pub(crate) const STAGES: [Stage; 17] = [
    Stage::Nothing,
    Stage::Full,
    Stage::Scattered(DENSITIES[0]),
    Stage::Scattered(DENSITIES[1]),
    Stage::Scattered(DENSITIES[2]),
    Stage::Scattered(DENSITIES[3]),
    Stage::Clustered(DENSITIES[0]),
    Stage::Clustered(DENSITIES[1]),
    Stage::Clustered(DENSITIES[2]),
    Stage::Clustered(DENSITIES[3]),
    Stage::Churned,
    Stage::Replaced,
    Stage::Steady,
    Stage::Holes(99),
    Stage::Holes(90),
    Stage::Holes(50),
    Stage::Blind,
];

/// The subject that all others are compared with.
pub(crate) const YARDSTICK: &str = "Vec";

/// The sizes of element, in bytes.
pub(crate) const ELEMENT_BYTES: [usize; 5] = [4, 16, 64, 128, BUFFERED];

/// The size of an object that owns a buffer.
const BUFFERED: usize = Buffered::BYTES;

/// Some subjects, at some sizes of element and counts.
#[derive(Debug, PartialEq)]
pub(crate) struct Scope {
    pub(crate) subjects: &'static [&'static str],
    pub(crate) elements: &'static [usize],
    pub(crate) counts: &'static [usize],
}

const fn scope(
    subjects: &'static [&'static str],
    elements: &'static [usize],
    counts: &'static [usize],
) -> Scope {
    Scope { subjects, elements, counts }
}

impl Scope {
    fn has_size(&self, element_bytes: usize, count: usize) -> bool {
        self.elements.contains(&element_bytes) && self.counts.contains(&count)
    }
}

/// Counts that fit a cache, if only the last level.
pub(crate) const SMALL: &[usize] = &[1_000, 100_000];
/// Those, and one that fits no cache.
pub(crate) const ALL: &[usize] = &[1_000, 100_000, 10_000_000];

const FROM_4: &[usize] = &[4, 16, 64, 128];

/// All containers in their default memory.
#[rustfmt::skip]
const REGULARS: &[&str] = &[
    "Vec", "Arena", "DenseArena", "SlotMap", "HopSlotMap", "DenseSlotMap", "thunderdome", "bitarena", "slab",
    "generational-arena", "gen_map", "stable-vec",
];
#[rustfmt::skip]
const FILLING: &[&str] = &[
    "Vec", "Arena", "Arena capacity", "Arena reserved", "Arena huge", "SlotMap", "thunderdome", "bitarena",
    "slab",
];

/// The general case: regulars everywhere.
const EVERYWHERE: Scope = scope(REGULARS, FROM_4, ALL);
const GENERAL: &[Scope] = &[EVERYWHERE];
/// Regulars, and one column.
const WITH_COLUMNS: &[Scope] = &[EVERYWHERE, IN_COLUMNS];
/// The general case, columns, and inline.
const CHURNING: &[Scope] = &[EVERYWHERE, IN_COLUMNS, INSIDE];
/// Reading, in each kind of memory: to show that it does not depend on that.
const READING: &[Scope] = &[EVERYWHERE, IN_COLUMNS, RESERVED, PAGES];
/// The same, in blocks and inline.
const READING_HALF: &[Scope] = &[EVERYWHERE, IN_COLUMNS, RESERVED, PAGES, IN_BLOCKS, INSIDE];
/// The same, and much memory in huge pages.
const READING_MUCH: &[Scope] = &[
    EVERYWHERE,
    IN_COLUMNS,
    RESERVED,
    PAGES,
    IN_BLOCKS,
    INSIDE,
    scope(&["Arena huge"], &[64], &[10_000_000]),
];
const RESERVED: Scope = scope(&["Arena reserved"], FROM_4, SMALL);
/// The other kind of pages, where the allocator's memory has huge pages and reserved memory has not.
const PAGES: Scope = scope(&["Arena ordinary", "Arena huge"], LARGE, &[100_000]);
/// Elements of which 100,000 take so much memory (4 MiB) that `Arena` asks for huge pages.
const LARGE: &[usize] = &[64, 128];
const IN_BLOCKS: Scope = scope(&["PagedArena"], FROM_4, ALL);
/// One column: values without generations beside them.
pub(crate) const IN_COLUMNS: Scope = scope(&["SoaArena", "DenseSoaArena"], FROM_4, ALL);
const INSIDE: Scope = scope(&["InlineArena"], FROM_4, &[1_000]);
/// Loops over one container that fits a cache.
const LOOPS: &[Scope] = &[scope(REGULARS, FROM_4, SMALL)];
/// Growing from nothing in each kind of memory.
const FILL: &[Scope] = &[scope(FILLING, &[64], ALL)];
/// Containers so small that making them is most of the work.
const FEW: &[Scope] = &[scope(
    &["Vec", "Arena", "DenseArena", "SlotMap", "thunderdome", "bitarena", "slab"],
    FROM_4,
    &[1_000],
)];
/// Workloads with a size of their own, measured beside one count only.
const SMALL_ONES: &[Scope] = &[scope(REGULARS, FROM_4, &[1_000])];
/// Regulars, where a thousandth of all is more than a few.
const FROM_THOUSANDS: &[Scope] = &[scope(REGULARS, FROM_4, &[100_000, 10_000_000])];
/// Objects that own a buffer.
const OWNING: &[Scope] = &[scope(&["Vec", "Arena", "Pool", "SlotMap", "slab"], &[BUFFERED], SMALL)];
/// Passes over all slots, where holes hold values.
const BLIND: &[Scope] = &[scope(&["Vec", "Arena", "Pool"], FROM_4, ALL)];

/// Every workload, in the order of the tables and, within a stage, of the measurements.
pub(crate) const WORKLOADS: &[Workload] = &[
    workload("insert", Stage::Nothing, Job::Make(Grown, None), WITH_COLUMNS),
    workload("insert_reserved", Stage::Nothing, Job::Make(Reserved, None), WITH_COLUMNS),
    // From nothing to so many values; to 1,000 it is `insert`.
    workload("insert_small_10", Stage::Nothing, Job::Make(Grown, Some(10)), SMALL_ONES),
    workload("insert_small_100", Stage::Nothing, Job::Make(Grown, Some(100)), SMALL_ONES),
    workload("fill", Stage::Nothing, Job::Make(Begun, None), FILL),
    workload("small", Stage::Nothing, Job::Small, FEW),
    workload("extend", Stage::Nothing, Job::Make(Extended, None), WITH_COLUMNS),
    workload("remove_all", Stage::Nothing, Job::RemoveAll(Order::Random), WITH_COLUMNS),
    workload("remove_order", Stage::Nothing, Job::RemoveAll(Order::Inserted), WITH_COLUMNS),
    workload("refill_order", Stage::Nothing, Job::RefillAll, WITH_COLUMNS),
    // The same in one container that is warm, by loops in which the compiler keeps its fields in registers.
    workload("remove_loop", Stage::Nothing, Job::RemoveLoop(Order::Random), LOOPS),
    workload("remove_loop_order", Stage::Nothing, Job::RemoveLoop(Order::Inserted), LOOPS),
    workload("refill_loop", Stage::Nothing, Job::RefillLoop(Order::Random), LOOPS),
    workload("refill_loop_order", Stage::Nothing, Job::RefillLoop(Order::Inserted), LOOPS),
    // In a full container: the only hole is the one that the pair's own removal left.
    // First in its stage, because subjects that do not take part in the next ones must
    // have the same values here.
    workload("churn", Stage::Steady, Job::Churn, CHURNING),
    workload("churn_99", Stage::Holes(99), Job::Churn, CHURNING),
    workload("churn_90", Stage::Holes(90), Job::Churn, CHURNING),
    workload("churn_50", Stage::Holes(50), Job::Churn, CHURNING),
    workload("refill", Stage::Steady, Job::Refill, WITH_COLUMNS),
    workload("batch_churn_0_1", Stage::Steady, Job::BatchChurn(1), FROM_THOUSANDS),
    workload("batch_churn", Stage::Steady, Job::BatchChurn(10), GENERAL),
    workload("batch_churn_5", Stage::Steady, Job::BatchChurn(50), GENERAL),
    workload("lookup", Stage::Full, Job::Lookup(Reading::Asked), READING_MUCH),
    workload("lookup_chain", Stage::Full, Job::Lookup(Reading::AskedInAChain), READING),
    workload("stale", Stage::Replaced, Job::Stale, GENERAL),
    workload("walk_100", Stage::Full, Job::Walk(Reading::Values), READING_MUCH),
    workload("walk_90", Stage::Scattered(90), Job::Walk(Reading::Values), READING),
    workload("walk_50", Stage::Scattered(50), Job::Walk(Reading::Values), READING_HALF),
    workload("walk_10", Stage::Scattered(10), Job::Walk(Reading::Values), READING),
    workload("walk_1", Stage::Scattered(1), Job::Walk(Reading::Values), READING),
    workload("walk_clustered_90", Stage::Clustered(90), Job::Walk(Reading::Values), READING),
    workload("walk_clustered_50", Stage::Clustered(50), Job::Walk(Reading::Values), READING),
    workload("walk_clustered_10", Stage::Clustered(10), Job::Walk(Reading::Values), READING),
    workload("walk_clustered_1", Stage::Clustered(1), Job::Walk(Reading::Values), READING),
    workload("walk_after_churn", Stage::Churned, Job::Walk(Reading::Values), READING),
    workload("for_100", Stage::Full, Job::Walk(Reading::ValuesByFor), READING),
    workload("for_50", Stage::Scattered(50), Job::Walk(Reading::ValuesByFor), READING),
    workload("first", Stage::Full, Job::First, WITH_COLUMNS),
    workload("blind_pass", Stage::Blind, Job::BlindPass, BLIND),
    workload("update", Stage::Full, Job::Update, WITH_COLUMNS),
    workload("game", Stage::Steady, Job::Game, GENERAL),
    workload("recycle", Stage::Steady, Job::Recycle, OWNING),
    workload("retain", Stage::Nothing, Job::Use(Using::Retain), WITH_COLUMNS),
    workload("clone", Stage::Full, Job::Clone, WITH_COLUMNS),
    workload("clear", Stage::Nothing, Job::Use(Using::Clear), WITH_COLUMNS),
    workload("bytes", Stage::Nothing, Job::Bytes, WITH_COLUMNS),
    workload("allocations_10", Stage::Nothing, Job::Allocations(10), SMALL_ONES),
    workload("allocations_100", Stage::Nothing, Job::Allocations(100), SMALL_ONES),
    workload("allocations_1000", Stage::Nothing, Job::Allocations(1_000), SMALL_ONES),
];

const fn workload(
    name: &'static str,
    stage: Stage,
    job: Job,
    scopes: &'static [Scope],
) -> Workload {
    Workload { name, stage, job, scopes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_has_a_name_of_its_own_and_a_stage_that_is_gone_through() {
        for (index, workload) in WORKLOADS.iter().enumerate() {
            assert!(STAGES.contains(&workload.stage), "{}", workload.name);
            let others = &WORKLOADS[index + 1..];
            assert!(others.iter().all(|other| other.name != workload.name));
        }
    }
}

//! Sizes, and which subjects take part at which of them unless subjects are asked for by name.

use crate::stores::{Buffered, Element};

/// The subject that all others are compared with.
pub(crate) const YARDSTICK: &str = "Vec";

/// The sizes of element, in bytes.
pub(crate) const ELEMENT_BYTES: [usize; 5] = [4, 16, 64, 128, BUFFERED];

/// The size of an object that owns a buffer.
pub(crate) const BUFFERED: usize = Buffered::BYTES;

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
    pub(crate) fn has_size(&self, element_bytes: usize, count: usize) -> bool {
        self.elements.contains(&element_bytes) && self.counts.contains(&count)
    }
}

/// Counts that fit a cache, if only the last level.
pub(crate) const SMALL: &[usize] = &[1_000, 100_000];
/// Those, and one that fits no cache.
pub(crate) const ALL: &[usize] = &[1_000, 100_000, 10_000_000];

const FROM_4: &[usize] = &[4, 16, 64, 128];

/// All containers in their default memory.
const REGULARS: &[&str] = &[
    "Vec",
    "Arena",
    "DenseArena",
    "SlotMap",
    "HopSlotMap",
    "DenseSlotMap",
    "thunderdome",
    "slab",
    "generational-arena",
    "gen_map",
    "stable-vec",
];
const FILLING: &[&str] = &[
    "Vec",
    "Arena",
    "Arena capacity",
    "Arena reserved",
    "Arena huge",
    "SlotMap",
    "thunderdome",
    "slab",
];

/// The general case: regulars everywhere.
pub(crate) const GENERAL: &[Scope] = &[scope(REGULARS, FROM_4, ALL)];
/// Regulars, and one column.
pub(crate) const WITH_COLUMNS: &[Scope] = &[scope(REGULARS, FROM_4, ALL), IN_COLUMNS];
/// The general case, columns, and inline.
pub(crate) const CHURNING: &[Scope] = &[scope(REGULARS, FROM_4, ALL), IN_COLUMNS, INSIDE];
/// Reading, in each kind of memory: to show that it does not depend on that.
pub(crate) const READING: &[Scope] = &[scope(REGULARS, FROM_4, ALL), IN_COLUMNS, RESERVED, PAGES];
/// The same, in blocks and inline.
pub(crate) const READING_HALF: &[Scope] =
    &[scope(REGULARS, FROM_4, ALL), IN_COLUMNS, RESERVED, PAGES, IN_BLOCKS, INSIDE];
/// The same, and much memory in huge pages.
pub(crate) const READING_MUCH: &[Scope] = &[
    scope(REGULARS, FROM_4, ALL),
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
const IN_COLUMNS: Scope = scope(&["SoaArena", "DenseSoaArena"], FROM_4, ALL);
const INSIDE: Scope = scope(&["InlineArena"], FROM_4, &[1_000]);
/// Growing from nothing in each kind of memory.
pub(crate) const FILL: &[Scope] = &[scope(FILLING, &[64], ALL)];
/// Containers so small that making them is most of the work.
pub(crate) const FEW: &[Scope] =
    &[scope(&["Vec", "Arena", "DenseArena", "SlotMap", "thunderdome", "slab"], FROM_4, &[1_000])];
/// What has a size of its own, measured beside one count only.
pub(crate) const SMALL_ONES: &[Scope] = &[scope(REGULARS, FROM_4, &[1_000])];
/// Regulars, where a thousandth of all is more than a few.
pub(crate) const FROM_THOUSANDS: &[Scope] = &[scope(REGULARS, FROM_4, &[100_000, 10_000_000])];
/// Objects that own a buffer.
pub(crate) const OWNING: &[Scope] =
    &[scope(&["Vec", "Arena", "Pool", "SlotMap", "slab"], &[BUFFERED], SMALL)];
/// Passes over all slots, where holes hold values.
pub(crate) const BLIND: &[Scope] = &[scope(&["Vec", "Arena", "Pool"], FROM_4, ALL)];

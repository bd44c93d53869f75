//! Who is measured at what: the subjects, and at which sizes they take turns at a workload.

use super::clusters::ClusterPlan;
use super::contestant::{Bench, Contestant};
use crate::element::{Buffered, Bytes16, Bytes64, Bytes128};
use crate::subject::{Element, Store};
use crate::subjects::{
    Arena, ArenaCapacity, ArenaHuge, ArenaOrdinary, ArenaReserved, DenseArena, DenseSlotMap,
    DenseSoaArena, GenMap, GenerationalArena, HopSlotMap, InlineArena, Packed, PagedArena, Pool,
    Slab, SlotMap, SoaArena, StableVec, Thunderdome,
};

/// Makes the list of names, and what makes a contestant of a name.
macro_rules! subjects {
    ($($container:ident,)*) => {
        /// Every subject's name, in the order of the tables; the yardstick is the first.
        pub(crate) const SUBJECTS: &[&str] = &[$(<$container<u32> as Store<u32>>::NAME,)*];

        /// How many values this subject can hold.
        pub(crate) fn most(name: &str) -> usize {
            $(
                if name == <$container<u32> as Store<u32>>::NAME {
                    return <$container<u32> as Store<u32>>::MOST;
                }
            )*
            unreachable!("no subject {name}")
        }

        fn contestant<'a, T: Element>(
            name: &str,
            count: usize,
            plan: &'a ClusterPlan,
        ) -> Box<dyn Contestant + 'a> {
            $(
                if name == <$container<T> as Store<T>>::NAME {
                    return Box::new(Bench::<T, $container<T>>::new(count, plan));
                }
            )*
            unreachable!("no subject {name}")
        }
    };
}

subjects! {
    Packed,
    Arena,
    DenseArena,
    ArenaCapacity,
    ArenaOrdinary,
    ArenaReserved,
    ArenaHuge,
    PagedArena,
    InlineArena,
    Pool,
    SoaArena,
    DenseSoaArena,
    SlotMap,
    HopSlotMap,
    DenseSlotMap,
    Thunderdome,
    Slab,
    GenerationalArena,
    GenMap,
    StableVec,
}

/// The subject that all others are compared with.
pub(crate) const YARDSTICK: &str = SUBJECTS[0];

/// The sizes of element, in bytes.
pub(crate) const ELEMENT_BYTES: [usize; 5] = [4, 16, 64, 128, BUFFERED];

/// The size of an object that owns a buffer.
pub(crate) const BUFFERED: usize = Buffered::BYTES;

/// The named subjects, for elements and counts of these sizes.
pub(crate) fn contestants<'a>(
    names: &[&'static str],
    element_bytes: usize,
    count: usize,
    plan: &'a ClusterPlan,
) -> Vec<Box<dyn Contestant + 'a>> {
    let of_size = match element_bytes {
        4 => contestant::<u32>,
        16 => contestant::<Bytes16>,
        64 => contestant::<Bytes64>,
        128 => contestant::<Bytes128>,
        BUFFERED => contestant::<Buffered>,
        other => unreachable!("no element of {other} bytes"),
    };
    names.iter().map(|name| of_size(name, count, plan)).collect()
}

/// Some subjects, at some sizes of element and numbers of them.
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

/// Numbers of elements that fit a cache, if perhaps the last.
pub(crate) const SMALL: &[usize] = &[1_000, 100_000];
/// Those, and one that fits none.
pub(crate) const ALL: &[usize] = &[1_000, 100_000, 10_000_000];

const FROM_4: &[usize] = &[4, 16, 64, 128];

/// Everybody in the memory that they take where nothing is said.
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
/// The general case, and within its owner.
pub(crate) const CHURNING: &[Scope] = &[scope(REGULARS, FROM_4, ALL), IN_COLUMNS, INSIDE];
/// What does not depend on where memory comes from, so that it is shown that it does not.
pub(crate) const READING: &[Scope] = &[scope(REGULARS, FROM_4, ALL), IN_COLUMNS, RESERVED, PAGES];
/// The same, in blocks and within its owner.
pub(crate) const READING_HALF: &[Scope] =
    &[scope(REGULARS, FROM_4, ALL), IN_COLUMNS, RESERVED, PAGES, IN_BLOCKS, INSIDE];
/// The same, and much memory with huge pages.
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
/// Where the allocator's memory has huge pages and reserved memory has not, the other of each.
const PAGES: Scope = scope(&["Arena ordinary", "Arena huge"], LARGE, &[100_000]);
/// Elements of which 100,000 take so much memory (4 MiB) that `Arena` asks for huge pages.
const LARGE: &[usize] = &[64, 128];
const IN_BLOCKS: Scope = scope(&["PagedArena"], FROM_4, ALL);
/// Values with no generations beside them: what tiny ones are for.
const IN_COLUMNS: Scope = scope(&["SoaArena", "DenseSoaArena"], FROM_4, ALL);
const INSIDE: Scope = scope(&["InlineArena"], FROM_4, &[1_000]);
/// Growing from nothing in each kind of memory.
pub(crate) const FILL: &[Scope] = &[scope(FILLING, &[64], ALL)];
/// Containers so small that making them is most of the work.
pub(crate) const FEW: &[Scope] =
    &[scope(&["Vec", "Arena", "DenseArena", "SlotMap", "thunderdome", "slab"], FROM_4, &[1_000])];
/// What is of one size, however large the others are.
pub(crate) const SMALL_ONES: &[Scope] = &[scope(REGULARS, FROM_4, &[1_000])];
/// Regulars, where a thousandth of all is many.
pub(crate) const FROM_THOUSANDS: &[Scope] = &[scope(REGULARS, FROM_4, &[100_000, 10_000_000])];
/// Objects that own a buffer.
pub(crate) const OWNING: &[Scope] =
    &[scope(&["Vec", "Arena", "Pool", "SlotMap", "slab"], &[BUFFERED], SMALL)];
/// Passes that take holes for values, where a container's holes hold some.
pub(crate) const BLIND: &[Scope] = &[scope(&["Vec", "Arena", "Pool"], FROM_4, ALL)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::workload::WORKLOADS;

    #[test]
    fn every_scope_is_of_known_subjects_and_sizes_and_has_the_yardstick() {
        for workload in WORKLOADS {
            for scope in workload.scopes {
                assert!(scope.subjects.iter().all(|name| SUBJECTS.contains(name)));
                assert!(scope.elements.iter().all(|bytes| ELEMENT_BYTES.contains(bytes)));
                assert!(scope.counts.iter().all(|count| ALL.contains(count)));
                let fits = |name: &&str| scope.counts.iter().all(|&count| count <= most(name));
                assert!(scope.subjects.iter().all(fits), "{}", workload.name);
            }
            assert!(workload.scopes[0].subjects.contains(&YARDSTICK), "{}", workload.name);
        }
    }

    #[test]
    fn every_subject_has_a_name_of_its_own_and_something_to_do() {
        for (index, subject) in SUBJECTS.iter().enumerate() {
            assert!(!SUBJECTS[index + 1..].contains(subject), "{subject}");
            let mut scopes = WORKLOADS.iter().flat_map(|workload| workload.scopes);
            assert!(scopes.any(|scope| scope.subjects.contains(subject)), "{subject}");
        }
    }

    #[test]
    fn contestants_are_who_they_were_asked_to_be() {
        let clusters = ClusterPlan::new(64);
        for element_bytes in ELEMENT_BYTES {
            let made = contestants(SUBJECTS, element_bytes, 64, &clusters);
            let names: Vec<_> = made.iter().map(|contestant| contestant.name()).collect();
            assert_eq!(names, SUBJECTS);
        }
    }
}

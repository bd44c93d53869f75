//! The subjects, by name and size of element.

use super::subject::{Held, Subject};
use crate::stores::{
    Arena, ArenaCapacity, ArenaHuge, ArenaOrdinary, ArenaReserved, Bitarena, Buffered, Bytes16,
    Bytes64, Bytes128, DenseArena, DenseSlotMap, DenseSoaArena, Element, GenMap, GenerationalArena,
    HopSlotMap, InlineArena, Packed, PagedArena, Pool, Slab, SlotMap, SoaArena, StableVec, Store,
    Thunderdome,
};

/// Makes the list of subjects: each a container, and the elements that it is compiled for.
macro_rules! lineup {
    ($($container:ident: $($element:ty)|*;)*) => {
        /// Every subject's name, in the order of the tables; the yardstick is the first.
        pub(crate) const SUBJECTS: &[&str] = &[$(<$container<u32> as Store<u32>>::NAME,)*];

        /// The most values that this subject can hold.
        pub(crate) fn most(name: &str) -> usize {
            $(
                if name == <$container<u32> as Store<u32>>::NAME {
                    return <$container<u32> as Store<u32>>::most();
                }
            )*
            0
        }

        /// The sizes of element at which this subject can be measured.
        pub(crate) fn sizes(name: &str) -> &'static [usize] {
            $(
                if name == <$container<u32> as Store<u32>>::NAME {
                    return &[$(<$element as Element>::BYTES),*];
                }
            )*
            &[]
        }

        /// The subject of this name for elements of this size, which must be one of its [`sizes`].
        pub(crate) fn subject(name: &str, element_bytes: usize) -> Box<dyn Subject> {
            $($(
                let is_named = name == <$container<u32> as Store<u32>>::NAME;
                if is_named && element_bytes == <$element as Element>::BYTES {
                    return Box::new(Held::<$element, $container<$element>>::new());
                }
            )*)*
            unreachable!("no subject {name} for elements of {element_bytes} bytes")
        }
    };
}

// Each pair takes a second and more to compile, so a subject has only the sizes at which a workload
// measures it.
lineup! {
    Packed: u32 | Bytes16 | Bytes64 | Bytes128 | Buffered;
    Arena: u32 | Bytes16 | Bytes64 | Bytes128 | Buffered;
    DenseArena: u32 | Bytes16 | Bytes64 | Bytes128;
    ArenaCapacity: Bytes64;
    ArenaOrdinary: Bytes64 | Bytes128;
    ArenaReserved: u32 | Bytes16 | Bytes64 | Bytes128;
    ArenaHuge: Bytes64 | Bytes128;
    PagedArena: u32 | Bytes16 | Bytes64 | Bytes128;
    InlineArena: u32 | Bytes16 | Bytes64 | Bytes128;
    Pool: u32 | Bytes16 | Bytes64 | Bytes128 | Buffered;
    SoaArena: u32 | Bytes16 | Bytes64 | Bytes128;
    DenseSoaArena: u32 | Bytes16 | Bytes64 | Bytes128;
    SlotMap: u32 | Bytes16 | Bytes64 | Bytes128 | Buffered;
    HopSlotMap: u32 | Bytes16 | Bytes64 | Bytes128;
    DenseSlotMap: u32 | Bytes16 | Bytes64 | Bytes128;
    Thunderdome: u32 | Bytes16 | Bytes64 | Bytes128;
    Bitarena: u32 | Bytes16 | Bytes64 | Bytes128;
    Slab: u32 | Bytes16 | Bytes64 | Bytes128 | Buffered;
    GenerationalArena: u32 | Bytes16 | Bytes64 | Bytes128;
    GenMap: u32 | Bytes16 | Bytes64 | Bytes128;
    StableVec: u32 | Bytes16 | Bytes64 | Bytes128;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::workload::WORKLOADS;
    use crate::compare::workload::{ALL, ELEMENT_BYTES, YARDSTICK};

    #[test]
    fn every_scope_is_of_subjects_and_sizes_that_can_be_measured_and_has_the_yardstick() {
        assert_eq!(SUBJECTS[0], YARDSTICK);
        for workload in WORKLOADS {
            for scope in workload.scopes {
                for subject in scope.subjects {
                    assert!(scope.elements.iter().all(|bytes| sizes(subject).contains(bytes)));
                    assert!(scope.counts.iter().all(|&count| count <= most(subject)), "{subject}");
                }
                assert!(scope.elements.iter().all(|bytes| ELEMENT_BYTES.contains(bytes)));
                assert!(scope.counts.iter().all(|count| ALL.contains(count)));
            }
            assert!(workload.scopes[0].subjects.contains(&YARDSTICK), "{}", workload.name);
        }
    }

    #[test]
    fn every_subject_has_a_name_of_its_own_and_only_sizes_at_which_it_takes_part() {
        for (index, subject) in SUBJECTS.iter().enumerate() {
            assert!(!SUBJECTS[index + 1..].contains(subject), "{subject}");
            for size in sizes(subject) {
                let mut scopes = WORKLOADS.iter().flat_map(|workload| workload.scopes);
                let takes_part = scopes
                    .any(|scope| scope.subjects.contains(subject) && scope.elements.contains(size));
                assert!(takes_part, "{subject} of {size} bytes");
            }
        }
    }
}

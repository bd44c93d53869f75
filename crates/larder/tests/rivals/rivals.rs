//! The defects of other containers, published or reproduced, as tests of ours: each is named after
//! the crate it was found in, and its number where it has one.
//!
//! Most are found by tests of everything that is like them:
//! - by histories beside the model, whose walks, counts, drops and keys are compared after each step: colony B1, petgraph
//!   B16, generational-arena B12, B13 and #30, generational-box #1747, beach_map B2 and #6, slotmap B3, B4, B10, #69, #110,
//!   #137 and 1.0.1, atomic-arena B19, slab #115, thunderdome B14, #28, #36 and #41, hecs #449, sharded-slab #18;
//! - by forged keys: slotmap B6, thunderdome B15, keys from another instance B22;
//! - by generations that run out: densemap, handy, alot and sharded-slab, whose generations wrap;
//! - by user code that panics at each step: stable-vec #51, densemap B17; and memory that is refused at each: slotmap B18;
//! - by walks over every kind of occupancy: sharded-slab #73; by all slots of a short key: la-arena B20.

use larder::{Handle, Reuse, containers::GetDisjointMutError, key::BareHandle};
use larder_testing::allocator::requests_of;
use larder_testing::both::test_both;
use larder_testing::caught::panic_of;
use larder_testing::common::library_files;

// Counters that drift apart.

test_both!(generational_arena_b11_reserve_zero_keeps_the_free_list, Container => {
    for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
        let mut subject = Container::builder().reuse(reuse).build();
        subject.reserve(0);
        let keys: Vec<_> = subject.insert_many(0..4).collect();
        subject.reserve(0);
        subject.remove(keys[1]);
        subject.reserve(0);
        assert_eq!(subject.insert(9).slot(), 1);
        subject.reserve(0);
        assert_eq!(subject.insert(9).slot(), 4);
        subject.validate();
    }
});

test_both!(sharded_slab_83_churn_does_not_grow, Container => {
    for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
        let mut subject = Container::builder().reuse(reuse).build();
        let mut keys: Vec<_> = subject.insert_many(0..100).collect();
        let (before, rounds) = (subject.stats(), if cfg!(miri) { 200 } else { 10_000 });
        for round in 0..rounds {
            let place = round * 37 % 100;
            subject.remove(keys[place]);
            keys[place] = subject.insert(round);
        }
        assert_eq!(subject.stats(), before, "{reuse:?}");
    }
});

// Keys that were never valid, or no longer are.

test_both!(slotmap_b5_generations_past_the_middle_are_as_good, Container => {
    let mut subject = Container::<u32>::new();
    let first = subject.insert(1);
    subject.remove(first);
    for generation in [(1_u32 << 31) - 2, 1 << 31, (1 << 31) + 2, u32::MAX - 9] {
        subject.set_generation_for_test(0, generation);
        let key = subject.insert(5);
        assert_eq!(key.generation().get(), generation + 1);
        assert_eq!((subject[key], subject.get(first)), (5, None));
        assert_eq!(subject.keys().next(), Some(key));
        assert_eq!(subject.detach(key), Some(5));
        assert!(subject.reattach(first, 6).is_err() && subject.reattach(key, 6).is_ok());
        assert_eq!(subject.remove(key), Some(6));
        assert_eq!(subject.vacant_entry().key().generation().get(), generation + 3);
        subject.validate();
    }
});

// hecs #448: nor for a dangling one.
test_both!(slotmap_b9_slotmap_60_no_room_is_made_for_a_foreign_key, Container => {
    let mut elsewhere: Container<u8> = (0..200).collect();
    let far = elsewhere.keys().next_back().unwrap();
    elsewhere.detach(far);
    let mut subject = Container::<u8>::new();
    for (key, values) in [far, Handle::DANGLING].into_iter().flat_map(|key| [(key, 0), (key, 1)]) {
        subject.extend(0..values);
        let slots = subject.stats().slots;
        let (requests, ()) = requests_of(|| {
            assert_eq!(subject.reattach(key, 7).map_err(|refused| refused.value), Err(7));
            assert!(subject.get_mut(key).is_none() && subject.remove(key).is_none());
            assert!(subject.detach(key).is_none() && !subject.discard_detached(key));
        });
        assert_eq!((requests, subject.stats().slots), (0, slots));
    }
    subject.validate();
});

// Several values at once.

test_both!(slab_2025_0047_get_disjoint_mut_checks_length, Container => {
    let mut subject = Container::<String, BareHandle<String>>::with_key();
    subject.reserve(100);
    let first = subject.insert("first".into());
    for slot in [1, 2, 50, 99, 1_000, u32::MAX - 1] {
        let past = BareHandle::from_index(slot).unwrap();
        let refused = subject.get_disjoint_mut([first, past]);
        assert_eq!(refused, Err(GetDisjointMutError::NotFound { position: 1 }));
        assert!(subject.get(past).is_none());
    }
    assert_eq!(subject.get_disjoint_mut([]), Ok([]));
});

// Memory.

test_both!(slotmap_b7_room_is_counted_beside_detached_slots, Container => {
    let mut subject: Container<u32> = (0..30).collect();
    for key in subject.keys().collect::<Vec<_>>() {
        subject.detach(key);
    }
    subject.reserve(8);
    assert!(subject.capacity() - subject.len() >= 8 && subject.capacity() >= 38);
    let (requests, ()) = requests_of(|| subject.extend(0..8));
    assert_eq!(requests, 0);
});

test_both!(slotmap_b8_157_159_try_reserve_of_everything_errs, Container => {
    let mut subject: Container<u32> = (0..5).collect();
    let before = subject.stats();
    for additional in [usize::MAX, usize::MAX - 4, usize::MAX - 5, usize::MAX / 2] {
        assert!(subject.try_reserve(additional).is_err());
        drop(panic_of(|| Container::<u32>::with_capacity(additional)));
    }
    assert_eq!(subject.stats(), before);
    subject.validate();
});

/// Nothing in the crate can hinder a build without the standard library. The build itself is a step of CI.
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn typed_generational_arena_b21_nothing_needs_std_or_an_unstable_compiler() {
    for (file, text) in library_files() {
        assert!(!text.contains("#![feature("), "{file} needs an unstable compiler");
        let of_files = file.contains("snapshot/") || file.ends_with("snapshot.rs");
        if of_files || file.contains("memory/sys") || file.ends_with("/tests.rs") {
            continue; // of `snapshot` and `reserved`, which ask for `std`; and unit tests, which have it
        }
        let library = text.replace("pub(crate) mod tests", "mod tests");
        let library = library.split("\nmod tests").next().unwrap();
        let code: Vec<_> = library.lines().map(|line| line.split("//").next().unwrap()).collect();
        let uses_std = |line: &str| {
            line.match_indices("std::").any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
        };
        for (before, line) in code.iter().zip(&code[1..]) {
            let guarded = before.trim() == "#[cfg(feature = \"std\")]";
            assert!(guarded || !uses_std(line), "{file} uses the standard library: {line}");
        }
    }
}

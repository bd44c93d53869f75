//! The defects of other containers, published or reproduced, as tests of ours: each is named after
//! the crate it was found in, and its number where it has one.

use larder::{
    Handle, Handle32, Reuse, TryReserveError,
    containers::GetDisjointMutError,
    key::{BareHandle, Serial},
};
use larder_testing::allocator::{refusing_after, requests_of};
use larder_testing::both::test_both;
use larder_testing::caught::{attempt, panic_of};
use larder_testing::values::{Unit, Value};

/// The keys of a container, in the order of a walk.
macro_rules! keys_of {
    ($subject:expr) => {
        $subject.keys().collect::<Vec<_>>()
    };
}

// Counters that drift apart.

test_both!(colony_b1_a_retired_slot_leaves_no_room_past_the_end, Container => {
    let mut subject: Container<u64, Handle32<u64, 30>> =
        Container::<u64, Handle32<u64, 30>>::builder_with_key().fixed(8).build();
    for round in 1..=2 {
        assert_eq!(subject.insert_many(0..8).count(), 8);
        assert!(subject.try_insert(9).is_err());
        subject.retain(|key, _| key.slot() > 2);
        assert_eq!(subject.stats().retired, if round == 2 { 3 } else { 0 });
        for key in keys_of!(subject).into_iter().filter(|_| round == 1) {
            subject.remove(key);
        }
    }
    assert_eq!((subject.len(), subject.capacity(), subject.capacity() - subject.len()), (5, 5, 0));
    assert!(subject.try_insert(9).is_err());
    subject.validate();
});

test_both!(colony_b1_growing_past_retired_slots, Container => {
    let mut subject = Container::<u64, Handle32<u64, 30>>::with_key();
    for _ in 0..6 {
        assert_eq!(subject.insert_many(0..100).count(), 100);
        assert!(subject.iter().all(|(key, _)| (key.slot() as usize) < subject.stats().slots));
        assert!(subject.stats().slots <= subject.capacity() + subject.stats().retired);
        subject.clear();
        subject.validate();
    }
});

test_both!(petgraph_b16_a_refused_insert_counts_nothing, Container => {
    let mut subject = Container::<u8, Handle32<u8, 4>>::with_key();
    while subject.try_insert(1).is_ok() {}
    for _ in 0..3 {
        assert!(subject.try_insert(2).is_err());
        assert_eq!((subject.len(), subject.iter().count()), (15, 15));
    }
    subject.validate();
});

test_both!(densemap_b17_a_panicking_closure_leaves_no_key_behind, Container => {
    let mut subject = Container::new();
    let first = subject.insert(1);
    drop(panic_of(|| subject.insert_with_key(|_| panic!("no value after all"))));
    assert_eq!((subject.len(), subject.keys().count()), (1, 1));
    let second = subject.insert(2);
    assert_eq!((subject[first], subject[second], second.slot()), (1, 2, 1));
    subject.validate();
});

test_both!(slotmap_b18_refused_memory_keeps_keys_and_values_together, Container => {
    for grants in 0..4 {
        let mut subject = Container::<u32>::new();
        let (refused, outcome) = refusing_after(grants, false, || attempt(|| subject.insert(1)));
        assert_eq!(refused, outcome.is_err());
        assert_eq!(subject.len(), usize::from(!refused));
        let key = subject.insert(2);
        assert_eq!(subject[key], 2);
        assert_eq!((subject.iter().count(), subject.values().count()), (subject.len(), subject.len()));
        subject.validate();
    }
});

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

test_both!(generational_arena_b12_insert_with_after_drain, Container => {
    let mut subject: Container<u32> = (0..3).collect();
    drop(subject.drain());
    let key = subject.insert_with_key(|key| key.slot());
    assert_eq!(subject[key], key.slot());
    drop(panic_of(|| subject.insert_with_key(|_| panic!("not this one"))));
    assert_eq!((subject.len(), subject.iter().count()), (1, 1));
    subject.validate();
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

test_both!(generational_box_1747_everything_is_dropped, Container => {
    let before = Unit::alive();
    let mut subject: Container<Unit> = (0..100).map(Unit::make).collect();
    let keys = keys_of!(subject);
    subject.retain(|key, _| key.slot() % 3 > 0);
    drop(subject.detach(keys[1]));
    let mut copy = subject.clone();
    copy.clone_from(&subject);
    drop(copy.drain().nth(5));
    drop((subject, copy));
    assert_eq!(Unit::alive(), before);
});

// Slots that hold nothing.

test_both!(beach_map_b2_no_bits_reach_a_vacant_slot, Container => {
    let mut subject = Container::<u32>::new();
    let any = |subject: &Container<u32>| {
        let bits = (0..9_u64).flat_map(|generation| (0..5_u64).map(move |slot| generation << 32 | slot));
        bits.filter_map(Handle::from_bits).filter(|&key| subject.contains_key(key)).count()
    };
    assert_eq!(any(&subject), 0, "an empty container answered");
    let keys: Vec<_> = subject.insert_many(0..4).collect();
    assert_eq!(any(&subject), 4);
    subject.remove(keys[2]);
    subject.detach(keys[1]);
    assert_eq!(any(&subject), 2);
    subject.clear();
    assert_eq!(any(&subject), 0);
});

test_both!(beach_map_drain_lists_no_used_up_slot, Container => {
    let mut subject = Container::<u8, Handle32<u8, 30>>::with_key();
    for _ in 0..2 {
        let first = subject.insert(1);
        assert_eq!(first.slot(), 0);
        assert_eq!(subject.drain().count(), 1);
    }
    assert_eq!(subject.insert(1).slot(), 1);
    assert_eq!(subject.stats().retired, 1);
});

test_both!(slotmap_b4_cloning_holes_reads_nothing, Container => {
    let mut subject: Container<String> = (0..70).map(|id| id.to_string()).collect();
    subject.retain(|key, _| key.slot() % 9 == 0);
    let copy = subject.clone();
    assert!(copy.iter().eq(subject.iter()));
    let mut spacious = Container::<Box<u8>>::with_capacity(200);
    spacious.insert(Box::new(1));
    assert_eq!(spacious.clone(), spacious);
});

test_both!(slotmap_69_retain_and_drain_over_all_patterns_of_holes, Container => {
    let slots = if cfg!(miri) { 5 } else { 9 };
    for (gone, kept) in (0..1_u32 << slots).map(|gone| (gone, gone.wrapping_mul(0x9E37_79B9))) {
        let mut subject: Container<String> = (0..slots).map(|id| id.to_string()).collect();
        subject.retain(|key, _| gone >> key.slot() & 1 == 0);
        assert_eq!(subject.len(), slots as usize - gone.count_ones() as usize);
        subject.retain(|key, _| kept >> key.slot() & 1 == 1);
        assert_eq!(subject.len(), (kept & !gone & ((1 << slots) - 1)).count_ones() as usize);
        subject.insert("more".into());
        let len = subject.len();
        assert_eq!(subject.drain().count(), len);
        subject.validate();
    }
});

test_both!(atomic_arena_b19_capacity_zero, Container => {
    let mut subject = Container::<u32>::fixed(0);
    assert_eq!((subject.capacity(), subject.len()), (0, 0));
    assert_eq!(subject.try_insert(1).unwrap_err().value, 1);
    assert!(subject.get(Handle::from_bits(1 << 32).unwrap()).is_none());
    subject.clear();
    subject.retain(|_, _| true);
    assert!(subject.clone().drain().next().is_none());
    subject.validate();
});

// Keys that were never valid, or no longer are.

test_both!(slotmap_60_a_dangling_key_reaches_and_costs_nothing, Container => {
    let mut subject: Container<u32> = (0..3).collect();
    let (requests, ()) = requests_of(|| {
        let foreign = Handle::from_bits(7 << 32 | u64::from(u32::MAX - 1)).unwrap();
        for key in [Handle::DANGLING, foreign] {
            assert!(!subject.contains_key(key));
            assert!(subject.get(key).is_none() && subject.get_mut(key).is_none());
            assert!(subject.remove(key).is_none() && subject.detach(key).is_none());
            assert!(!subject.discard_detached(key) && subject.reattach(key, 1).is_err());
            let refused = subject.get_disjoint_mut([key]);
            assert_eq!(refused, Err(GetDisjointMutError::NotFound { position: 0 }));
            assert!(subject.next_key(key).is_none());
        }
    });
    assert_eq!(requests, 0);
});

test_both!(slotmap_b9_a_foreign_key_allocates_nothing, Container => {
    let mut elsewhere: Container<u8> = (0..200).collect();
    let far = elsewhere.keys().next_back().unwrap();
    elsewhere.detach(far);
    let mut subject = Container::<u8>::new();
    let (requests, refused) = requests_of(|| subject.reattach(far, 7));
    assert_eq!((requests, refused.map_err(|refused| refused.value)), (0, Err(7)));
    assert_eq!(subject.stats().slots, 0);
});

test_both!(slotmap_b6_bits_that_dangle_are_dangling, Container => {
    let dangling = Handle::<u8>::DANGLING;
    assert_eq!(dangling, Handle::DANGLING);
    assert_eq!(Handle::from_bits(dangling.to_bits()), Some(dangling));
    for bits in [u64::MAX, u64::MAX - 1, u64::MAX >> 1, u64::from(u32::MAX), 1 << 32, 0] {
        let subject = Container::<u8>::new();
        if let Some(key) = Handle::<u8>::from_bits(bits) {
            // The highest slot is that of no object, whatever generation comes with it.
            let is_dangling = bits as u32 == u32::MAX;
            assert_eq!((key == dangling, key.is_dangling()), (is_dangling, is_dangling));
            assert_eq!(key.to_bits(), if is_dangling { dangling.to_bits() } else { bits });
            assert!(!subject.contains_key(key));
        }
    }
});

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

test_both!(thunderdome_b14_no_call_brings_a_generation_back, Container => {
    let mut subject = Container::<u32>::new();
    let old = subject.insert(1);
    subject.remove(old);
    assert_eq!(subject.reattach(old, 2).unwrap_err().value, 2);
    let new = subject.insert(3);
    assert!(subject.detach(old).is_none() && !subject.discard_detached(old));
    assert_eq!(subject.detach(new), Some(3));
    assert!(subject.reattach(old, 4).is_err() && !subject.discard_detached(old));
    assert!(subject.discard_detached(new));
    assert!(subject.reattach(new, 5).is_err());
    assert!(subject.insert(6) > new);
    assert!(subject.get(old).is_none() && subject.get(new).is_none());
});

test_both!(thunderdome_b15_dangling_is_never_handed_out, Container => {
    macro_rules! never {
        ($key:ty) => {
            let mut subject = Container::<u8, $key>::with_key();
            let dangling = <$key as larder::Key>::DANGLING;
            let keys: Vec<_> = (0..20).map_while(|_| subject.try_insert(0).ok()).collect();
            assert!(!keys.is_empty() && !keys.contains(&dangling));
            assert!(dangling.slot() >= <$key as larder::Key>::MAX_SLOTS, "a slot like any other");
            assert!(!subject.contains_key(dangling) && subject.remove(dangling).is_none());
        };
    }

    never!(Handle<u8>);
    never!(Handle32<u8, 20>);
    never!(Handle32<u8, 2>);
    never!(Handle32<u8, 30>);
    never!(BareHandle<u8>);
    never!(Serial<u8>);
});

test_both!(thunderdome_36_filling_a_chosen_slot_keeps_the_free_list, Container => {
    for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
        let mut subject = Container::builder().reuse(reuse).build();
        let keys: Vec<_> = subject.insert_many(0..6).collect();
        for place in [1, 3, 4] {
            subject.detach(keys[place]);
        }
        subject.remove(keys[2]);
        assert!(subject.reattach(keys[3], 33).is_ok());
        assert!(subject.discard_detached(keys[4]));
        let mut slots = [subject.insert(9).slot(), subject.insert(9).slot(), subject.insert(9).slot()];
        slots.sort_unstable();
        assert_eq!(slots, [2, 4, 6], "{reuse:?}");
        assert!(subject.reattach(keys[1], 11).is_ok());
        assert_eq!((subject[keys[1]], subject[keys[3]], subject.len()), (11, 33, 7));
        subject.validate();
    }
});

test_both!(generational_arena_30_clear_and_drain_kill_all_keys, Container => {
    let mut subject: Container<u32> = (0..100).collect();
    let first = keys_of!(subject);
    subject.clear();
    subject.extend(0..100);
    let second = keys_of!(subject);
    drop(subject.drain());
    subject.extend(0..100);
    let dead = first.iter().chain(&second);
    assert_eq!(dead.filter(|&&key| subject.contains_key(key)).count(), 0);
    assert_eq!(subject.len(), 100);
});

test_both!(generational_arena_30_serial_numbers_survive_clear, Container => {
    let mut subject = Container::<u32, Serial<u32>>::with_key();
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.extend(subject.insert_many(0..3).map(|key| key.version().get()));
        subject.clear();
        subject.shrink_to_fit();
    }
    assert!(seen.into_iter().eq(1..=15));
});

test_both!(la_arena_b20_more_than_the_key_can_name_is_refused, Container => {
    let mut subject = Container::<(), Handle32<(), 3>>::with_key();
    assert_eq!(subject.insert_many([(); 7]).count(), 7);
    let refused = subject.try_insert(()).unwrap_err();
    assert!(matches!(refused.reason, TryReserveError::CapacityOverflow { .. }), "{refused:?}");
    drop(panic_of(|| subject.extend([()])));
    assert_eq!(subject.len(), 7);
    let mut keys = keys_of!(subject);
    keys.dedup();
    assert_eq!(keys.len(), 7);
});

test_both!(densemap_a_used_up_slot_does_not_stop_inserts, Container => {
    let mut subject: Container<u32> = (0..2).collect();
    let keys = keys_of!(subject);
    subject.remove(keys[0]);
    subject.set_generation_for_test(0, u32::MAX - 3);
    let last = subject.insert(1);
    subject.remove(last);
    for place in 2..50 {
        assert_eq!(subject.insert(1).slot(), place);
    }
    subject.validate();
});

test_both!(handy_alot_sharded_slab_generations_do_not_wrap, Container => {
    let mut subject = Container::<u8, Handle32<u8, 26>>::with_key();
    let mut slots = Vec::new();
    let first = subject.insert(1);
    subject.remove(first);
    for _ in 0..100 {
        let key = subject.insert(2);
        assert_ne!(key, first);
        slots.push(key.slot());
        subject.remove(key);
    }
    assert_eq!(slots.iter().filter(|&&slot| slot == 0).count(), 31);
    assert_eq!(subject.stats().retired, 3);
});

test_both!(keys_from_another_instance_b22_never_reach_out_of_bounds, Container => {
    let large: Container<u32> = (0..500).collect();
    let mut small: Container<u32> = (0..3).collect();
    for key in large.keys() {
        assert_eq!(small.contains_key(key), key.slot() < 3);
        assert_eq!(small.get_mut(key).is_some(), key.slot() < 3);
    }
    let mut other = Container::<u32>::new();
    assert_eq!(large.keys().filter(|&key| other.remove(key).is_some()).count(), 0);
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
});

test_both!(slotmap_b3_slab_115_thunderdome_28_borrows_stay_apart, Container => {
    let mut subject: Container<String> = ["a", "b", "c"].map(String::from).into_iter().collect();
    let keys = keys_of!(subject);
    let [c, a] = subject.get_disjoint_mut([keys[2], keys[0]]).unwrap();
    c.push('1');
    a.push('2');
    core::mem::swap(a, c);
    c.push('3');
    assert!(subject.values().eq(["c1", "b", "a23"]));
    assert_eq!(subject.get_disjoint_mut([]), Ok([]));
    assert!(subject.get_disjoint_mut([keys[1]]).is_ok_and(|[b]| b == "b"));
});

test_both!(thunderdome_41_redisearch_same_slot_of_another_generation, Container => {
    let mut subject = Container::<u32>::new();
    let old = subject.insert(1);
    subject.remove(old);
    let new = subject.insert(2);
    assert_eq!(new.slot(), old.slot());
    for keys in [[old, new], [new, old], [new, new], [old, old]] {
        assert!(subject.get_disjoint_mut(keys).is_err(), "{keys:?}");
    }
    let overlap = GetDisjointMutError::Overlapping { first: 0, second: 1 };
    assert_eq!(subject.get_disjoint_mut([new, new]), Err(overlap));
});

test_both!(generational_arena_b13_a_bogus_key_does_not_hide_a_good_one, Container => {
    let mut subject = Container::<u32>::new();
    let good = subject.insert(1);
    let bogus = Handle::from_bits(9 << 32 | u64::from(good.slot())).unwrap();
    let refused = subject.get_disjoint_mut([bogus, good]);
    assert_eq!(refused, Err(GetDisjointMutError::NotFound { position: 0 }));
    let refused = subject.get_disjoint_mut([good, bogus]);
    assert_eq!(refused, Err(GetDisjointMutError::NotFound { position: 1 }));
    assert!(subject.get_disjoint_mut([good]).is_ok_and(|[value]| *value == 1));
});

test_both!(slotmap_1_0_1_failed_disjoint_borrows_drop_nothing, Container => {
    let before = Unit::alive();
    let mut subject: Container<Unit> = (0..3).map(Unit::make).collect();
    let keys = keys_of!(subject);
    drop(subject.remove(keys[2]));
    assert!(subject.get_disjoint_mut([keys[0], keys[1], keys[2]]).is_err());
    assert!(subject.get_disjoint_mut([keys[0], keys[1], keys[0]]).is_err());
    assert_eq!(Unit::alive().zip(before).map(|(now, before)| now - before), Some(2));
});

// Memory.

test_both!(slotmap_b7_room_is_counted_beside_detached_slots, Container => {
    let mut subject: Container<u32> = (0..30).collect();
    for key in keys_of!(subject) {
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

test_both!(slotmap_b10_clear_frees_detached_slots, Container => {
    let mut subject: Container<u32> = (0..3).collect();
    let keys = keys_of!(subject);
    subject.detach(keys[1]);
    subject.clear();
    assert_eq!(subject.stats().detached, 0);
    assert!(subject.reattach(keys[1], 7).is_err() && !subject.discard_detached(keys[1]));
    let new: Vec<_> = subject.insert_many(0..3).collect();
    assert!(keys.iter().all(|key| !subject.contains_key(*key)));
    assert!(new.iter().map(|key| key.slot()).eq(0..3));
    subject.validate();
});

test_both!(hecs_449_beach_map_6_bulk_calls_stay_in_bounds, Container => {
    for (first, second) in [(0, 64), (1, 63), (63, 2), (64, 64), (65, 130), (100, 1)] {
        let mut subject = Container::<Box<u32>>::with_capacity(first as usize);
        subject.extend((0..first).map(Box::new));
        subject.retain(|key, _| key.slot() % 2 == 0);
        subject.extend((0..second).map(Box::new));
        subject.extract_if(|key, _| key.slot() % 3 == 0).for_each(drop);
        assert_eq!(subject.values().count(), subject.len());
        subject.validate();
        assert!(subject.drain().all(|(_, value)| *value < 130));
    }
});

test_both!(slotmap_110_137_clone_from_loses_nothing, Container => {
    let before = Unit::alive();
    for (from, over) in [(0, 5), (5, 0), (5, 70), (70, 5), (70, 70)] {
        let source: Container<Unit> = (0..from).map(Unit::make).collect();
        let mut target: Container<Unit> = (0..over).map(Unit::make).collect();
        target.retain(|key, _| key.slot() % 3 == 0);
        target.clone_from(&source);
        let alive = Unit::alive().zip(before).map(|(now, before)| now - before);
        assert_eq!(alive, Some(2 * from as isize));
        assert_eq!(target.len(), from as usize);
        target.validate();
    }
    assert_eq!(Unit::alive(), before);
});

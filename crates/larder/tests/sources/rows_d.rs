//! Rows D2 to D38: the slot lists and slot maps of Rea (records/sources.md has the rows). Its defects
//! are in `rows_d_bugs`.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use larder::{
    Arena, DenseArena, Handle, Handle32, InlineArena, Key, Reuse, SoaArena, key::BareHandle,
};

use larder_testing::common::{
    Drops, REUSE_ORDERS, SplitMix, allocations_of, for_both, required_dependencies, scaled,
    workspace_text,
};

#[test]
fn d2_thousands_upon_thousands_of_objects_come_and_go() {
    let count = scaled(20_000, 200);
    for_both!(Container => {
        let mut container = Container::new();
        let mut random = SplitMix::new(2);
        let mut live: Vec<_> = (0..count).map(|value| (container.insert(value), value)).collect();
        for value in 0..2 * count {
            let (gone, expected) = random.take(&mut live);
            assert_eq!(container.remove(gone), Some(expected));
            live.push((container.insert(value), value));
        }
        assert!(live.iter().all(|&(handle, value)| container[handle] == value));
        let sum: usize = container.values().sum();
        assert_eq!(sum, live.iter().map(|(_, value)| value).sum::<usize>());
    });
}

#[test]
fn d4_the_next_object_takes_the_last_emptied_slot() {
    for_both!(Container => {
        let mut list: Container<usize> = Container::builder().reuse(Reuse::Lifo).build();
        let mut ids: Vec<_> = (0..scaled(300, 80)).map(|value| list.insert(value)).collect();
        let mut random = SplitMix::new(4);
        for _ in 0..scaled(50, 5) {
            let erased: Vec<_> = (0..1 + random.below(20)).map(|_| random.take(&mut ids)).collect();
            for &id in &erased {
                list.remove(id);
            }
            for id in erased.into_iter().rev() {
                let next = list.insert(0);
                assert_eq!(next.slot(), id.slot());
                ids.push(next);
            }
        }
    });
}

#[test]
fn d5_never_grows_unless_all_slots_are_filled() {
    for reuse in REUSE_ORDERS {
        for_both!(Container => {
            let mut list: Container<usize> = Container::builder().reuse(reuse).build();
            let mut ids: Vec<_> = (0..scaled(500, 80)).map(|value| list.insert(value)).collect();
            let mut random = SplitMix::new(5);
            for _ in 0..scaled(2_000, 200) {
                let slots = list.stats().slots;
                if random.below(2) == 0 && !ids.is_empty() {
                    list.remove(random.take(&mut ids));
                } else {
                    let full = list.len() == slots;
                    ids.push(list.insert(0));
                    assert_eq!(list.stats().slots, slots + usize::from(full));
                }
            }
        });
    }
}

#[test]
fn d6_inserting_returns_the_id() {
    for_both!(Container => {
        let mut list = Container::new();
        let ids: Vec<Handle<_>> = (0..10).map(|value| list.insert((value, 2 * value))).collect();
        for (value, id) in (0..10).zip(ids) {
            assert_eq!(list[id], (value, 2 * value));
            assert_eq!((id.slot(), id.generation().get()), (value, 1));
        }
    });
}

#[test]
fn d10_d18_narrow_keys_make_narrow_ids() {
    // Index and generation share four bytes in the proportion that the program needs.
    for_both!(Container => {
        let mut small = Container::<u32, Handle32<u32, 16>>::with_key();
        assert_eq!(Handle32::<u32, 16>::MAX_SLOTS, (1 << 16) - 1);
        let first = small.insert(1);
        assert_eq!(size_of_val(&first), 4);
        assert_eq!(first.generation(), 1);
        small.remove(first);
        assert_eq!(small.insert(2).generation(), 3, "one step for the removal, one for the insert");
        assert_eq!(small.get(first), None);
    });
    // No generation at all, and none stored: the slot is as small as the value.
    let count = scaled(64_000, 1_280);
    let bare = Arena::<u32, BareHandle<u32>>::builder_with_key()
        .fixed(count)
        .build()
        .stats()
        .memory
        .committed;
    let versioned = Arena::<u32>::fixed(count).stats().memory.committed;
    assert!(bare + 4 * count <= versioned, "{bare} and {versioned} bytes");
}

#[test]
fn d11_beyond_the_largest_index_is_an_error() {
    for_both!(Container => {
        let mut list = Container::<usize, Handle32<usize, 4>>::with_key();
        assert_eq!(Handle32::<usize, 4>::MAX_SLOTS, 15);
        let ids: Vec<_> = (0..15).map(|value| list.insert(value)).collect();
        let refused = list.try_insert(15).unwrap_err();
        assert_eq!(refused.value, 15);
        assert!(list.try_reserve(1).is_err());
        assert!(ids.iter().enumerate().all(|(value, &id)| list[id] == value));
        list.remove(ids[7]);
        assert_eq!(list.insert(16).slot(), 7);
        list.validate();
    });
}

#[test]
fn d13_d30_reserving_reserves_everything() {
    for_both!(Container => {
        let mut list = Container::new();
        assert!(list.is_empty());
        list.reserve(1_000);
        assert!(list.capacity() >= 1_000);
        let mut ids = Vec::with_capacity(1_000);
        let allocations = allocations_of(|| {
            for value in 0..1_000 {
                ids.push(list.insert(value));
            }
            for &id in ids.iter().step_by(3) {
                list.remove(id);
            }
        });
        assert_eq!(allocations, 0);
        assert_eq!((list.len(), list.is_empty()), (666, false));
        *list.get_mut(ids[1]).unwrap() = 77;
        assert_eq!(list.get(ids[1]), Some(&77));
        list.clear();
        assert_eq!((list.len(), list.is_empty()), (0, true));
        assert!(list.capacity() >= 1_000);
    });
}

#[test]
fn d21_nothing_resets_generations() {
    for_both!(Container => {
        let mut container = Container::new();
        let mut handed_out = HashSet::new();
        for round in 0..10 {
            for value in 0..scaled(100, 20) {
                let id = container.insert(value);
                assert!(handed_out.insert(id), "{id} was handed out before");
            }
            match round % 5 {
                0 => container.clear(),
                1 => container.clear(),
                2 => container.drain().for_each(drop),
                3 => {
                    container.clear();
                    container.shrink_to_fit();
                }
                _ => container = { container.clear(); container.clone() },
            }
        }
        // The way to start from the first generation is a new arena.
        container = Container::new();
        assert_eq!(container.insert(0).generation().get(), 1);
    });
}

#[test]
fn d22_d29_a_slot_map_is_values_positions_and_slots() {
    fn check<K: Key>(mut map: DenseArena<u32, K>, versioned: bool) {
        let ids: Vec<_> = (0..100).map(|value| map.insert(value)).collect();
        for &id in ids.iter().step_by(4) {
            map.remove(id);
        }
        assert_eq!(map.as_slice().len(), map.keys_as_slice().len());
        for (position, (&id, value)) in map.keys_as_slice().iter().zip(map.as_slice()).enumerate() {
            assert_eq!(map.get_index_of(id), Some(position));
            assert_eq!(map.get(id), Some(value));
            assert_eq!(ids[*value as usize], id);
        }
        assert!(ids.iter().step_by(4).all(|&id| map.get(id).is_none()));
        map.validate();
        // In the same slots, with versions: the version alone tells an erased object from the next.
        let next: Vec<_> = (100..125).map(|value| map.insert(value)).collect();
        let slots =
            |ids: &mut dyn Iterator<Item = &K>| ids.map(|id| id.slot()).collect::<BTreeSet<_>>();
        assert_eq!(slots(&mut next.iter()), slots(&mut ids.iter().step_by(4)));
        for (value, &id) in (100..).zip(&next) {
            assert_eq!(map.get(id), Some(&value));
        }
        for &id in ids.iter().step_by(4) {
            let found =
                [map.get(id).is_some(), map.contains_key(id), map.get_index_of(id).is_some()];
            assert_eq!(found, [!versioned; 3], "{id:?}");
            if versioned {
                assert_eq!(map.get_mut(id), None);
                assert_eq!(map.remove(id), None);
            }
        }
        assert_eq!(map.len(), 100);
    }
    check::<BareHandle<u32>>(DenseArena::with_key(), false);
    check::<Handle<u32>>(DenseArena::with_key(), true);
    check::<Handle32<u32>>(DenseArena::with_key(), true);
}

#[test]
fn d24_packed_values_are_a_slice_walked_from_both_ends() {
    let mut map: DenseArena<u32> = (0..10).collect();
    assert!(map.values().rev().copied().eq((0..10).rev()));
    assert!(map.iter().map(|(id, _)| id.slot()).eq(0..10));
    map.values_mut().rev().take(2).for_each(|value| *value += 100);
    assert_eq!(map.as_slice()[8..], [108, 109]);
    assert_eq!(map.values().nth(4), Some(&4), "random access");
    let mut ends = map.values();
    assert_eq!((ends.next(), ends.next_back(), ends.len()), (Some(&0), Some(&109), 8));
}

#[test]
fn d25_d36_d38_readme_of_the_slot_map_ids_in_value_order() {
    let mut map = DenseArena::new();
    let count = scaled(1_000, 150);
    map.reserve(count);
    let mut random = SplitMix::new(38);
    let mut inserted: Vec<_> = (0..count).map(|value| (map.insert(value), value)).collect();
    for _ in 0..count / 10 {
        let (id, value) = random.take(&mut inserted);
        assert_eq!(map.remove(id), Some(value));
    }
    for &(id, value) in &inserted {
        let position = map.get_index_of(id).unwrap();
        assert_eq!((map.get(id), map.get_index(position)), (Some(&value), Some(&value)));
    }
    let mut ids = Vec::new();
    for position in 0..map.len() {
        ids.push(map.keys_as_slice()[position]);
    }
    assert_eq!(ids.len(), count - count / 10);
    assert!(ids.iter().map(|&id| &map[id]).eq(map.as_slice()));
    assert_eq!(map.keys_as_slice().len(), map.len());
}

#[test]
fn d26_the_place_of_an_insert_is_the_end() {
    let mut map = DenseArena::new();
    for value in 0..50 {
        let id = map.insert(value);
        assert_eq!(map.get_index_of(id), Some(map.len() - 1));
        if value % 3 == 0 {
            map.swap_remove_index(0);
        }
    }
}

#[test]
fn d27_erasing_by_position_leaves_the_moved_object_there() {
    let mut map = DenseArena::new();
    let ids = [0, 1, 2, 3, 4].map(|value| map.insert(value));
    assert_eq!(map.swap_remove_index(1), Some((ids[1], 1)));
    assert_eq!(map.get_index(1), Some(&4));
    // Its id leads there as well, and from there to it.
    assert_eq!((map.get(ids[4]), map.get_index_of(ids[4])), (Some(&4), Some(1)));
    assert_eq!((map.get(ids[1]), map.keys_as_slice()[1]), (None, ids[4]));
    assert_eq!(map.swap_remove_index(3), Some((ids[3], 3)), "the last: nothing moves in");
    assert_eq!(map.swap_remove_index(3), None);
    assert_eq!(map.get_index(3), None);
    assert_eq!(map.as_slice(), [0, 4, 2]);
    assert_eq!(ids.map(|id| map.get_index_of(id)), [Some(0), None, Some(2), None, Some(1)]);
    // And after a sort.
    map.sort_by(|one, other| other.cmp(one));
    assert_eq!(ids.map(|id| map.get_index_of(id)), [Some(2), None, Some(1), None, Some(0)]);
    assert_eq!(map.swap_remove_index(0), Some((ids[4], 4)));
    assert_eq!(ids.map(|id| map.get(id)), [Some(&0), None, Some(&2), None, None]);
    assert_eq!(ids.map(|id| map.get_index_of(id)), [Some(0), None, Some(1), None, None]);
}

#[test]
fn d28_erased_objects_of_a_slot_map_are_destroyed() {
    let drops = Drops::default();
    let mut map = DenseArena::new();
    let ids: Vec<_> = (0..10).map(|number| map.insert(drops.object(number))).collect();
    drop(map.remove(ids[0]));
    assert_eq!(drops.count(), 1);
    drop(map.swap_remove_index(0));
    assert_eq!(drops.count(), 2);
    drop(map.remove_ordered(ids[4]));
    assert_eq!(drops.count(), 3);
    map.clear();
    assert_eq!(drops.count(), 10);
}

/// A slot takes a value, and a generation as narrow as the key's.
#[test]
fn d18_generations_are_as_narrow_as_the_keys() {
    fn beside<K: Key>() -> (usize, usize, usize) {
        let count = 64 * 64;
        let arena: Arena<u8, K> = Arena::builder_with_key().fixed(count).build();
        let columns: SoaArena<u8, K> = SoaArena::builder_with_key().fixed(count).build();
        let inline =
            size_of::<InlineArena<u8, 64, K>>() - size_of::<InlineArena<(), 64, BareHandle<()>>>();
        // Two bits a slot are the book's, and its summaries.
        let per_slot = |bytes: usize| (bytes - count * 2 / 8) / count;
        (
            per_slot(arena.stats().memory.committed),
            per_slot(columns.stats().memory.committed),
            inline / 64,
        )
    }
    assert_eq!(beside::<Handle<u8>>(), (8, 5, 8));
    assert_eq!(beside::<Handle32<u8, 16>>(), (8, 5, 8));
    assert_eq!(beside::<Handle32<u8, 17>>(), (4, 3, 4));
    assert_eq!(beside::<Handle32<u8>>(), (4, 3, 4));
    assert_eq!(beside::<Handle32<u8, 24>>(), (4, 3, 4));
    assert_eq!(beside::<Handle32<u8, 25>>(), (2, 2, 2));
    assert_eq!(beside::<Handle32<u8, 30>>(), (2, 2, 2));
    assert_eq!(beside::<BareHandle<u8>>(), (1, 1, 1));
    // All generations are used, and none twice.
    fn lives<const INDEX_BITS: u32>() -> usize
    where
        Handle32<u8, INDEX_BITS>: Key,
    {
        let mut arena: Arena<u8, Handle32<u8, INDEX_BITS>> = Arena::with_key();
        let mut keys = BTreeSet::new();
        while arena.stats().retired == 0 {
            let key = arena.insert(1);
            assert!(keys.insert(key) && arena.remove(key) == Some(1));
        }
        assert!(keys.iter().all(|&key| arena.get(key).is_none()));
        keys.len()
    }
    if cfg!(not(miri)) {
        assert_eq!((lives::<16>(), lives::<17>(), lives::<20>()), (1 << 15, 1 << 14, 1 << 11));
    }
    assert_eq!((lives::<24>(), lives::<25>(), lives::<26>()), (128, 64, 32));
    assert_eq!((lives::<28>(), lives::<29>(), lives::<30>()), (8, 4, 2));
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn d32_no_required_dependency_no_std_and_a_stated_compiler() {
    let manifest = workspace_text("crates/larder/Cargo.toml");
    // The compiler that is stated is the one that `.ci/run` checks with, of every published crate.
    let stated = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("rust-version = "));
        line.and_then(|line| line.split('"').nth(1)).map(str::to_owned)
    };
    assert_eq!(stated(&manifest).as_deref(), Some("1.85"));
    for name in
        ["larder", "larder-core", "larder-indices", "larder-pools", "larder-trees", "larder-derive"]
    {
        let one = workspace_text(&format!("crates/{name}/Cargo.toml"));
        assert_eq!(stated(&one), stated(&manifest), "{name}");
        let others = required_dependencies(&one).into_iter().filter(|name| name != "larder-core");
        let others: Vec<_> = others.collect();
        assert!(others.is_empty() || name == "larder-derive", "{name} requires {others:?}");
    }
    let checks = workspace_text(".ci/run");
    assert!(
        checks.contains("crates/larder/Cargo.toml") && checks.contains("cargo \"+$oldest\" check")
    );
    // No crate of the standard library but where a feature asks for it.
    for name in ["larder", "larder-core", "larder-indices", "larder-pools", "larder-trees"] {
        let root = workspace_text(&format!("crates/{name}/src/lib.rs"));
        let lines: Vec<_> = root.lines().collect();
        assert!(lines.contains(&"#![no_std]"), "{name}");
        // (The feature for indices has them in memory of the allocator.)
        let is_allowed = |line: &str| name == "larder-indices" && line == "extern crate alloc;";
        let named = lines.iter().enumerate().filter(|(_, line)| line.contains("extern crate"));
        let named = named.filter(|(_, line)| !is_allowed(line));
        for (at, line) in named {
            assert!(lines[at - 1].starts_with("#[cfg(feature = "), "{name}: {line} stands alone");
        }
    }
}

#[test]
fn d33_oldest_reuses_slots_in_the_order_they_were_freed() {
    for_both!(Container => {
        let mut list: Container<usize> = Container::builder().reuse(Reuse::Fifo).build();
        let mut ids: Vec<_> = (0..scaled(200, 70)).map(|value| list.insert(value)).collect();
        let mut random = SplitMix::new(33);
        let freed: Vec<_> = (0..scaled(120, 40)).map(|_| random.take(&mut ids).slot()).collect();
        for &slot in &freed {
            let id = list.keys().find(|id| id.slot() == slot).unwrap();
            list.remove(id);
        }
        let reused: Vec<_> = freed.iter().map(|_| list.insert(0).slot()).collect();
        assert_eq!(reused, freed);
    });
    // So generations are used up evenly: with n slots free, a slot is met again after n inserts.
    let slots = scaled(100, 20);
    for_both!(Container => {
        let mut list: Container<usize> = Container::builder().reuse(Reuse::Fifo).build();
        list.extend(0..slots);
        list.clear();
        let mut uses = BTreeMap::new();
        for value in 0..10 * slots {
            let id = list.insert(value);
            *uses.entry(id.slot()).or_insert(0) += 1;
            list.remove(id);
        }
        assert!(uses.len() == slots && uses.values().all(|&count| count == 10));
    });
}

#[test]
fn d34_grows_geometrically() {
    for_both!(Container => {
        let mut container: Container<u32> = Container::new();
        let mut growths = Vec::new();
        for value in 0..scaled(100_000, 2_000) as u32 {
            let before = container.capacity();
            container.insert(value);
            if container.capacity() != before {
                growths.push((before, container.capacity()));
            }
        }
        for (before, after) in growths {
            assert!(after >= before + before / 2, "{before} to {after}");
            // (The first blocks grow by more.)
            assert!(after <= (2 * before).max(128), "{before} to {after}");
        }
    });
}

#[test]
fn d35_clearing_is_right_at_every_fill() {
    let count = scaled(270, 72) as u32;
    for ninths in (0..=9).step_by(scaled(1, 4)) {
        for reuse in REUSE_ORDERS {
            for_both!(Container => {
                let drops = Drops::default();
                let mut container = Container::<_>::builder().reuse(reuse).build();
                let ids: Vec<_> =
                    (0..count).map(|number| container.insert(drops.object(number))).collect();
                for (position, &id) in ids.iter().enumerate() {
                    if position % 9 >= ninths {
                        container.remove(id);
                    }
                }
                container.clear();
                assert_eq!(drops.count(), count as usize);
                assert!(container.is_empty() && container.values().next().is_none());
                assert!(ids.iter().all(|&id| !container.contains_key(id)));
                container.validate();
                let refilled = (0..count).map(|number| container.insert(drops.object(number)));
                let slots: BTreeSet<_> = refilled.map(|id| id.slot()).collect();
                assert!(slots.into_iter().eq(0..count), "every slot is there again, once");
            });
        }
    }
}

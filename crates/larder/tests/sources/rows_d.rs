//! Rows D2 to D38: the slot lists and slot maps of Rea (records/sources.md has the rows). Its defects
//! are in `rows_d_bugs`.

use std::collections::BTreeSet;

use larder::{Arena, Handle, Handle32, InlineArena, Key, SoaArena, key::BareHandle};

use larder_testing::common::{
    Drops, REUSE_ORDERS, allocations_of, for_both, required_dependencies, scaled, workspace_text,
};

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

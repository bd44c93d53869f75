//! Rows D2 to D48: the slot lists and slot maps of Rea, and its defects (records/sources.md has the rows).

use std::collections::BTreeSet;

use larder::{Arena, Handle, Handle32, InlineArena, Key, SoaArena, key::BareHandle};

use larder_testing::common::{
    allocations_of, for_both, required_dependencies, scaled, workspace_text,
};

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
    // Nor is any found required that is hidden in another table.
    let hidden = |table: &str| required_dependencies(&format!("[{table}]\nlibc = \"1\"\n"));
    assert_eq!(hidden("target.'cfg(unix)'.dependencies"), ["libc"]);
    assert_eq!(hidden("dependencies"), ["libc"]);
    assert_eq!(hidden("build-dependencies"), ["libc"]);
    assert_eq!(required_dependencies("[dependencies.libc]\nversion = \"1\"\n"), ["libc"]);
    assert!(hidden("dev-dependencies").is_empty());
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

// The defects of Rea.

#[test]
fn d46_clearing_burns_no_version() {
    for_both!(Container => {
        let mut list: Container<u32> = Container::new();
        let kept = list.insert(0);
        let erased = list.insert(1);
        list.remove(erased);
        for _ in 0..10 {
            list.clear();
        }
        let first = list.insert(0);
        let second = list.insert(1);
        assert_eq!((first.slot(), second.slot()), (0, 1));
        // One removal each since: by the clear, by the removal.
        assert_eq!(first.generation().get(), kept.generation().get() + 2);
        assert_eq!(second.generation().get(), erased.generation().get() + 2);
    });
}

#[test]
fn d48_the_whole_capacity_can_be_used() {
    for_both!(Container => {
        for asked in [1, 2, 3, 7, 63, 64, 65, 100, 129] {
            let mut map = Container::with_capacity(asked);
            let capacity = map.capacity();
            assert!(capacity >= asked);
            let allocations = allocations_of(|| {
                for value in 0..capacity {
                    assert_eq!(map.capacity() - map.len(), capacity - value);
                    map.insert(value);
                }
            });
            assert_eq!((allocations, map.capacity(), map.capacity() - map.len()), (0, capacity, 0));
            map.insert(capacity);
            assert!(map.values().copied().eq(0..=capacity));
            map.validate();
        }
    });
}

//! Rows E4 to E28, as far as they are about handles, the pool itself, and all at once: the large array of things
//! (records/sources.md has the rows).

use std::collections::HashSet;

use larder::{
    Arena, DenseArena, Handle, Handle32, Key, Soa, SoaArena,
    containers::ValueContainer,
    key::{BareHandle, PtrHandle, Serial},
    track::{Reversible, Table},
    trees::{Buckets, InObjects, Links, link_field},
};

use larder_testing::common::{SplitMix, for_both, required_dependencies, workspace_text};

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn e5_nothing_but_the_standard_library_is_required() {
    for name in ["larder", "larder-core", "larder-indices", "larder-pools", "larder-trees"] {
        let mut required =
            required_dependencies(&workspace_text(&format!("crates/{name}/Cargo.toml")));
        required.retain(|other| other != "larder-core");
        assert!(required.is_empty(), "{name} requires {required:?}");
    }
    // Nor is any found required that is hidden in another table.
    let hidden = |table: &str| required_dependencies(&format!("[{table}]\nlibc = \"1\"\n"));
    assert_eq!(hidden("target.'cfg(unix)'.dependencies"), ["libc"]);
    assert_eq!(hidden("dependencies"), ["libc"]);
    assert_eq!(hidden("build-dependencies"), ["libc"]);
    assert_eq!(required_dependencies("[dependencies.libc]\nversion = \"1\"\n"), ["libc"]);
    assert!(hidden("dev-dependencies").is_empty());
}

#[test]
fn e8_live_generations_are_odd_and_even_ones_make_no_handle() {
    for_both!(Container => {
        let mut container = Container::new();
        for value in 0..100 {
            let handle = container.insert(value);
            assert_eq!(handle.generation().get() % 2, 1);
            container.remove(handle);
        }
    });
    for generation in (0..10_u64).chain([u64::from(u32::MAX) - 1]) {
        let made = Handle::<u32>::from_bits(generation << 32 | 7);
        assert_eq!(made.is_some(), generation % 2 == 1, "generation {generation}");
    }
}

#[test]
fn e9_valid_means_equal_and_odd_and_nothing_else() {
    for_both!(Container => {
        let mut container = Container::new();
        let mut live = HashSet::new();
        let mut random = SplitMix::new(9);
        for value in 0..20 {
            live.insert(container.insert(value));
            if random.below(2) == 0 {
                let gone = container.keys().next().unwrap();
                live.remove(&gone);
                container.remove(gone);
            }
        }
        let handles =
            (0..25_u64).flat_map(|slot| (0..50).map(move |generation| generation << 32 | slot));
        let valid: HashSet<_> = handles
            .filter_map(Handle::from_bits)
            .filter(|&handle| container.contains_key(handle))
            .collect();
        assert_eq!(valid, live);
    });
}

#[test]
fn e12_adding_uses_a_free_slot_first_and_keeps_the_generation_from_the_value() {
    for_both!(Container => {
        let mut container = Container::<[u32; 2]>::fixed(3);
        let first = container.insert([u32::MAX; 2]);
        let second = container.insert([0; 2]);
        container.remove(first);
        let third = container.insert([0x5555_5555; 2]);
        assert_eq!(third.slot(), first.slot(), "before the array is extended");
        assert_eq!(third.generation().get(), first.generation().get() + 2);
        // Writing the whole object does not touch the generation.
        container[third] = [7; 2];
        assert_eq!((container.get(first), container.get(third)), (None, Some(&[7; 2])));
        assert_eq!(container.insert([1; 2]).slot(), 2);
        assert!(container.try_insert([2; 2]).is_err(), "the capacity is checked");
        assert!(container.contains_key(second));
    });
}

#[test]
fn e22_a_slot_recreated_too_often_is_retired() {
    // Three bits of generation: a slot lives four times.
    for_both!(Container => {
        let mut container = Container::<u32, Handle32<u32, 29>>::with_key();
        let mut earlier = HashSet::new();
        for round in 0..40 {
            let handle = container.insert(round);
            assert_eq!(handle.slot(), round / 4);
            assert!(earlier.insert(handle), "{handle} was handed out before");
            container.remove(handle);
            assert_eq!(container.stats().retired as u32, (round + 1) / 4);
            assert!(!earlier.iter().any(|&old| container.contains_key(old)));
        }
        container.validate();
    });
    // In an arena that cannot grow, the retired slots are capacity lost, and said to be.
    for_both!(Container => {
        let mut container =
            Container::<u32, Handle32<u32, 29>>::builder_with_key().fixed(2).build();
        for round in 0..8 {
            let handle = container.insert(round);
            container.remove(handle);
        }
        assert_eq!((container.stats().retired, container.capacity() - container.len()), (2, 0));
        assert_eq!(container.try_insert(9).unwrap_err().value, 9);
    });
}

#[test]
fn e24_the_default_handle_leads_to_nothing() {
    fn dangles<K: Key>(mut arena: Arena<u8, K>, mut dense: DenseArena<u8, K>) {
        assert_eq!(K::default(), K::DANGLING);
        for _ in 0..2 {
            assert!(arena.get(K::DANGLING).is_none() && arena.remove(K::DANGLING).is_none());
            assert!(dense.get(K::DANGLING).is_none() && dense.remove(K::DANGLING).is_none());
            arena.extend(0..100);
            dense.extend(0..100);
        }
        assert_eq!((arena.len(), dense.len()), (200, 200));
    }
    dangles(Arena::<_, Handle<u8>>::with_key(), DenseArena::with_key());
    dangles(Arena::<_, Handle32<u8>>::with_key(), DenseArena::with_key());
    dangles(Arena::<_, Serial<u8>>::with_key(), DenseArena::with_key());
    dangles(Arena::<_, BareHandle<u8>>::with_key(), DenseArena::with_key());
    // Absence need not be a handle: an optional handle is as large as one.
    assert_eq!(size_of::<Option<Handle<u8>>>(), size_of::<Handle<u8>>());
}

#[test]
fn e26_handles_are_at_most_eight_bytes_and_versions_sixteen() {
    struct Large(#[expect(dead_code, reason = "only its size matters")] [u64; 100]);
    const { assert!(size_of::<Handle<Large>>() == 8 && align_of::<Handle<Large>>() == 8) };
    const { assert!(size_of::<Handle32<Large>>() == 4 && size_of::<BareHandle<Large>>() == 4) };
    const { assert!(size_of::<Serial<Large>>() == 16) };
    const { assert!(size_of::<Option<Handle<Large>>>() == 8) };
    const { assert!(size_of::<Option<Handle32<Large>>>() == 4) };
    const { assert!(size_of::<Option<BareHandle<Large>>>() == 4) };
    const { assert!(size_of::<Option<Serial<Large>>>() == 16) };
    // The sizes hold in use, not only in the declaration.
    let mut arena = Arena::new();
    let handle = arena.insert(Large([0; 100]));
    assert_eq!(size_of_val(&handle), 8);
}

/// The large array of things with all that its author wants, at once.
#[test]
fn e27_e28_columns_with_links_in_them_nil_undo_and_pointer_handles() {
    #[derive(Clone, Debug, PartialEq, Soa)]
    struct Thing {
        kind: u8,
        place: [i32; 2],
        family: Links<Handle<Thing>>,
    }
    link_field!(Thing.family: Links<Handle<Thing>>, in columns);
    const NIL: Thing = Thing { kind: 0, place: [0, 0], family: Links::new() };

    let kinds = Buckets::<_, 3>::with_capacity(100);
    let mut things = Table::with(SoaArena::fixed(100), (InObjects, kinds));
    let [ship, crew, cargo] = [1, 1, 2].map(|kind| {
        let thing = things.insert(Thing { kind, ..NIL });
        let (objects, (_, kinds)) = things.edit();
        kinds.set(objects, thing, kind.into()).unwrap();
        thing
    });
    for child in [crew, cargo] {
        Links::append(&mut things, ship, child).unwrap();
    }
    let [_, to_crew, to_cargo] =
        [ship, crew, cargo].map(|key| PtrHandle::of(&*things, key).unwrap());
    let start = things.checkpoint();

    // A removal unlinks. What is gone reads as nil, by its key and by its address.
    *things.get_mut(cargo).unwrap().place = [5, 5];
    things.remove(crew);
    assert!(Links::children(&things, ship).eq([cargo]));
    assert_eq!(things.value_or(crew, &NIL).kind, &0);
    assert_eq!((to_crew.get(&*things), to_crew.key(&*things)), (None, None));
    assert_eq!(to_cargo.get(&*things).map(|cargo| *cargo.place), Some([5, 5]));
    let robot = things.insert(Thing { kind: 2, ..NIL }); // in the slot of the crew
    Links::append(&mut things, cargo, robot).unwrap();
    let to_robot = PtrHandle::of(&*things, robot).unwrap();
    assert_eq!((to_robot.address(), to_robot == to_crew), (to_crew.address(), false));

    // Undone, it is as if nothing had been; redone, everything is back, keys and addresses as well.
    for _ in 0..2 {
        assert!(things.undo().unwrap());
        assert!(Links::children(&things, ship).eq([crew, cargo]));
        assert_eq!(Links::check(&things, things.keys()), Ok(()));
        assert_eq!((to_crew.key(&*things), to_robot.key(&*things)), (Some(crew), None));
        assert_eq!(to_cargo.get(&*things).map(|cargo| *cargo.place), Some([0, 0]));
        let (_, kinds) = things.observers();
        assert!(kinds.iter(1).eq([ship, crew]) && kinds.iter(2).eq([cargo]));

        assert!(things.redo().unwrap());
        assert!(Links::descendants(&things, ship).eq([cargo, robot]));
        assert_eq!(Links::check(&things, things.keys()), Ok(()));
        assert_eq!((to_crew.key(&*things), to_robot.key(&*things)), (None, Some(robot)));
        assert!(things.observers().1.iter(1).eq([ship]));
    }
    things.rollback(start).unwrap();
    assert_eq!((things.len(), to_crew.get(&*things).map(|crew| *crew.kind)), (3, Some(1)));
    assert_eq!(to_robot.get(&*things), None);
}

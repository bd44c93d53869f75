//! Rows B2 to B68, as far as they are about rows of bulk data, weak references and deletion: the
//! post on bulk data (records/sources.md has the rows, and what the later ones wait for).

use core::num::NonZeroU32;
use std::collections::{BTreeSet, HashSet};

use larder::{
    Arena, DenseArena, Handle, Handle32, Reuse,
    key::{BareHandle, Serial},
};

use larder_testing::common::{
    Drops, REUSE_ORDERS, SplitMix, address, allocations_of, files_below, for_both, scaled,
    workspace_text,
};

#[test]
fn b2_plain_data_and_owning_objects_both_work() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Bullet {
        position: [f32; 3],
        damage: u32,
    }
    let bullets =
        [0_u16, 1, 2].map(|n| Bullet { position: [f32::from(n); 3], damage: u32::from(n) });
    for_both!(Container => {
        let mut plain: Container<Bullet> = Container::new();
        plain.extend(&bullets);
        let copy = plain.clone();
        assert!(copy.values().eq(&bullets) && plain == copy);

        let mut owning: Container<Box<str>> = ["a", "b", "c"].map(Box::from).into_iter().collect();
        let gone = owning.keys().nth(1).unwrap();
        assert_eq!(owning.remove(gone).as_deref(), Some("b"));
        let texts: BTreeSet<_> = owning.into_values().collect();
        assert!(texts.iter().map(|text| &**text).eq(["a", "c"]));
    });
}

#[test]
fn b5_a_walk_goes_up_through_one_block_of_memory() {
    let count = scaled(10_000, 300);
    for_both!(Container => {
        let mut container = Container::new();
        let handles: Vec<_> = (0..count).map(|value| container.insert(value)).collect();
        for handle in handles.into_iter().step_by(3) {
            container.remove(handle);
        }
        let addresses: Vec<_> = container.values().map(address).collect();
        assert!(addresses.is_sorted_by(|before, after| before < after));
        assert!(addresses.last().unwrap() - addresses[0] <= container.stats().memory.committed);
    });
}

#[test]
fn b6_a_particular_object_can_be_named() {
    for_both!(Container => {
        let mut sounds = Container::new();
        let handles: Vec<_> = (0..100).map(|n| sounds.insert(format!("sound {n}"))).collect();
        let fading = handles[37];
        sounds[fading].push_str(", fading");
        assert_eq!(sounds.get(fading).unwrap(), "sound 37, fading");
        assert_eq!(sounds.values().filter(|name| name.ends_with("fading")).count(), 1);
    });
}

#[test]
fn b7_a_few_large_allocations() {
    let count = scaled(100_000, 400);
    for_both!(Container => {
        assert_eq!(allocations_of(Container::<[u64; 4]>::new), 0);
        let at_once = allocations_of(|| Container::<[u64; 4]>::with_capacity(count));
        assert!(at_once <= 4, "{at_once} allocations for one container");

        let mut container = Container::new();
        let growing = allocations_of(|| {
            for n in 0..count {
                container.insert([n as u64; 4]);
            }
        });
        assert!(growing <= 8 * count.ilog2() as usize, "{growing} allocations");
        let cloning = allocations_of(|| container.clone());
        assert!(cloning <= 4, "{cloning} allocations for a clone");
    });
}

#[test]
fn b11_growing_and_clearing_run_no_code_of_the_objects() {
    let count = scaled(10_000, 200) as u32;
    for_both!(Container => {
        let drops = Drops::default();
        let mut container = Container::new();
        for number in 0..count {
            container.insert(drops.object(number));
        }
        assert_eq!(drops.count(), 0, "growing moves bytes, it does not destroy");
        container.clear();
        assert_eq!(drops.count(), count as usize, "clearing destroys each once");
    });
    // Nothing is kept per object so that it can be destroyed: 4 bytes of value cost as much as 4
    // bytes that drop.
    #[expect(dead_code, reason = "only its size and its drop glue matter")]
    struct FourBytes(u32);
    impl Drop for FourBytes {
        fn drop(&mut self) {}
    }
    for_both!(Container => {
        let plain = Container::<u32>::with_capacity(1_024).stats().memory.committed;
        let dropping = Container::<FourBytes>::with_capacity(1_024).stats().memory.committed;
        assert_eq!(plain, dropping);
    });
}

#[test]
fn b13_ordered_removal_shifts_the_rest() {
    let mut dense = DenseArena::new();
    let handles: Vec<_> = (0..10).map(|value| dense.insert(value)).collect();
    assert_eq!(dense.remove_ordered(handles[3]), Some(3));
    assert_eq!(dense.remove_ordered(handles[3]), None);
    assert_eq!(dense.remove_ordered(handles[0]), Some(0));
    assert_eq!(dense.as_slice(), [1, 2, 4, 5, 6, 7, 8, 9]);
    for (value, &handle) in handles.iter().enumerate() {
        let expected = (value != 0 && value != 3).then_some(value);
        assert_eq!(dense.get(handle).copied(), expected);
    }
    dense.validate();
}

#[test]
fn b14_swap_and_pop_moves_one_object_once() {
    let drops = Drops::default();
    let mut dense = DenseArena::new();
    let handles: Vec<_> = (0..10).map(|number| dense.insert(drops.object(number))).collect();
    let places: Vec<_> = dense.values().map(address).collect();
    let removed = dense.remove(handles[2]).unwrap();
    assert_eq!((removed.number, drops.count()), (2, 0), "moved out, nothing destroyed");
    assert!(dense.values().map(|object| object.number).eq([0, 1, 9, 3, 4, 5, 6, 7, 8]));
    assert!(dense.values().map(address).eq(places[..9].iter().copied()));
    assert_eq!(dense.get_index_of(handles[9]), Some(2));
    assert_eq!(dense[handles[9]].number, 9);
}

#[test]
fn b15_holes_are_filled_before_the_array_grows() {
    let count = scaled(5_000, 66);
    for reuse in REUSE_ORDERS {
        for_both!(Container => {
            let mut container: Container<usize> = Container::builder().reuse(reuse).build();
            let mut handles: Vec<_> = (0..count).map(|value| container.insert(value)).collect();
            let (slots, capacity) = (container.stats().slots, container.capacity());
            let mut random = SplitMix::new(15);
            for _ in 0..scaled(10, 3) {
                let holes = 1 + random.below(count);
                for _ in 0..holes {
                    container.remove(random.take(&mut handles));
                }
                assert_eq!(container.stats().holes, holes);
                handles.extend((0..holes).map(|value| container.insert(value)));
            }
            assert_eq!((container.stats().slots, container.capacity()), (slots, capacity));
            assert_eq!(container.insert(0).slot() as usize, count, "no hole left: one slot more");
        });
    }
}

#[test]
fn b16_the_book_of_free_slots_costs_no_bytes() {
    // Full, empty, or anything between: the same bytes, and no more than the slots and a bit each
    // (and summaries); in another order a link of 4 bytes each, whether they are free or not.
    let count = scaled(64 * 1_000, 64 * 20);
    for reuse in REUSE_ORDERS {
        let mut arena: Arena<u64> = Arena::builder().capacity(count).reuse(reuse).build();
        let links = if reuse == Reuse::Packed { 0 } else { size_of::<u32>() };
        let slot = size_of::<(u64, u32)>() + links;
        let handles: Vec<_> = (0..count).map(|value| arena.insert(value as u64)).collect();
        let full = arena.stats().memory.committed;
        if !cfg!(miri) {
            let least = count as f64 * slot as f64;
            let room = least..=least + count as f64 * 0.17;
            assert!(room.contains(&(full as f64)), "{reuse:?}: {full} bytes");
        }
        for handle in handles.into_iter().step_by(2) {
            arena.remove(handle);
            assert_eq!(arena.stats().memory.committed, full);
        }
    }
}

#[test]
fn b18_growth_does_not_break_the_free_slots() {
    let count = scaled(1_000, 70);
    for reuse in REUSE_ORDERS {
        for_both!(Container => {
            let mut container: Container<usize> = Container::builder().reuse(reuse).build();
            let handles: Vec<_> = (0..count).map(|value| container.insert(value)).collect();
            let holes: BTreeSet<_> =
                handles.iter().step_by(3).map(|handle| handle.slot()).collect();
            for &handle in handles.iter().step_by(3) {
                container.remove(handle);
            }
            container.reserve(20 * count);
            let filled: BTreeSet<_> = holes.iter().map(|_| container.insert(0).slot()).collect();
            assert_eq!(filled, holes);
            assert_eq!(container.insert(0).slot() as usize, count);
            container.validate();
        });
    }
}

#[test]
fn b19_without_holes_the_next_slot_is_the_next_number() {
    for_both!(Container => {
        let mut container = Container::new();
        for number in 0..500 {
            assert_eq!(container.insert('x').slot(), number);
            assert_eq!(container.stats().slots, number as usize + 1);
        }
    });
}

#[test]
fn b21_packed_objects_pay_a_table_of_twelve_bytes() {
    let count = scaled(64 * 1_000, 64 * 20);
    let mut dense = DenseArena::with_capacity(count);
    dense.extend(0..count as u64);
    let beside_the_values = dense.stats().memory.committed - count * size_of::<u64>();
    if !cfg!(miri) {
        assert!(beside_the_values as f64 <= 12.2 * count as f64, "{beside_the_values} bytes");
    }
    // One indirection: slot, position, value.
    let key = dense.keys_as_slice()[count / 2];
    assert_eq!(dense.get_index_of(key), Some(count / 2));
    assert_eq!(address(&dense[key]), address(&dense.as_slice()[count / 2]));
    // The table knows of every move, whatever makes it.
    let keys = dense.keys_as_slice().to_vec();
    let leads_to = |dense: &DenseArena<u64>, how: &str, stays: &dyn Fn(u64) -> bool| {
        for (value, &key) in (0..).zip(&keys) {
            assert_eq!(dense.get(key), stays(value).then_some(&value), "{how}");
            let position = dense.get_index_of(key);
            assert_eq!(position.map(|at| dense.as_slice()[at]), dense.get(key).copied(), "{how}");
        }
    };
    for &key in keys.iter().step_by(3) {
        dense.remove(key);
    }
    leads_to(&dense, "removed", &|value| value % 3 != 0);
    dense.sort_by(|one, other| other.cmp(one));
    leads_to(&dense, "sorted", &|value| value % 3 != 0);
    dense.remove_ordered(keys[1]);
    leads_to(&dense, "removed in order", &|value| value % 3 != 0 && value != 1);
    dense.retain(|_, value| *value % 2 == 0);
    leads_to(&dense, "retained", &|value| value % 3 != 0 && value % 2 == 0);
}

/// Every walk yields these values and no other.
fn walks_over(arena: &Arena<usize>, kept: &BTreeSet<usize>) {
    assert!(arena.values().eq(kept));
    assert!(arena.values().rev().eq(kept.iter().rev()));
    let mut walked = Vec::new();
    arena.iter().for_each(|(_, &value)| walked.push(value));
    assert!(walked.iter().eq(kept));
    let by_key = core::iter::successors(arena.keys().next(), |&key| arena.next_key(key));
    assert!(by_key.map(|key| arena[key]).eq(kept.iter().copied()));
}

#[test]
fn b23_a_walk_crosses_long_runs_of_holes() {
    let count = scaled(1_000_000, 4_500);
    let mut arena: Arena<usize> = (0..count).collect();
    let kept = BTreeSet::from([0, 63, 64, 4_095, 4_096, count / 2, count - 1]);
    let bytes = arena.stats().memory.committed;
    arena.retain(|_, value| kept.contains(value));
    assert_eq!(
        arena.stats().memory.committed,
        bytes,
        "runs of holes are kept in no memory of their own"
    );
    walks_over(&arena, &kept);

    // Runs of every length in words, which begin and end anywhere in a word and in a group of 64 words: no word is
    // passed over that has a value.
    let lengths = scaled(130, 12);
    let kept: BTreeSet<_> =
        (0..=lengths).map(|run| run * (run + 1) / 2 * 64 + run * 5 % 64).collect();
    let mut arena: Arena<usize> = (0..=kept.last().copied().unwrap_or(0)).collect();
    arena.retain(|_, value| kept.contains(value));
    walks_over(&arena, &kept);
    // A value in every word, and then in every word but one: alone, and behind a full word.
    let words = scaled(200, 70);
    for empty in (0..words).map(Some).chain([None]) {
        if cfg!(miri) && empty.is_some_and(|word| !(62..66).contains(&word)) {
            continue;
        }
        let has = |value: usize| value % 64 == value / 64 % 64 && Some(value / 64) != empty;
        let or_full = |value: usize| value / 64 % 2 == 0 && Some(value / 64) != empty || has(value);
        for has in [&has as &dyn Fn(usize) -> bool, &or_full] {
            let mut arena: Arena<usize> = (0..words * 64).collect();
            arena.retain(|_, value| has(*value));
            walks_over(&arena, &(0..words * 64).filter(|&value| has(value)).collect());
        }
    }
}

#[test]
fn b24_b68_a_bare_index_is_the_key_of_an_array_with_holes() {
    let mut arena = Arena::<char, BareHandle<char>>::with_key();
    let a = arena.insert('a');
    let b = arena.insert('b');
    assert_eq!((a.slot(), b.slot()), (0, 1));
    assert_eq!(size_of_val(&a), 4);
    // The index is the place: no table between, whoever makes the key.
    assert_eq!(arena.get(BareHandle::from_index(1).unwrap()), Some(&'b'));
    assert_eq!(address(&arena[b]), address(&arena[arena.key_of_slot(1).unwrap()]));
    // No generation: the key of the place is the key of its next tenant (slab's contract).
    arena.remove(a);
    assert_eq!(arena.get(a), None);
    assert_eq!(arena.insert('c'), a);
    assert_eq!(arena.get(a), Some(&'c'));

    let mut dense = DenseArena::<char, BareHandle<char>>::with_key();
    let a = dense.insert('a');
    let b = dense.insert('b');
    dense.remove(a);
    assert_eq!((dense.get(a), dense.get(b)), (None, Some(&'b')));
}

#[test]
fn b25_b29_a_weak_pointer_is_an_index_and_a_generation_kept_beside_the_object() {
    let mut arena: Arena<u64> = Arena::new();
    let first = arena.insert(u64::MAX);
    let (index, generation): (u32, NonZeroU32) = (first.slot(), first.generation());
    assert_eq!(first.to_bits(), u64::from(generation.get()) << 32 | u64::from(index));
    assert_eq!(size_of::<Handle<u64>>(), 8);
    // Outside what holds the object: no value disturbs it, and it outlives every tenant, through
    // holes and clears.
    let mut last = first;
    for round in 0..20 {
        match round % 4 {
            0 => assert!(arena.remove(last).is_some()),
            1 => arena.clear(),
            2 => arena.retain(|_, _| false),
            _ => arena.drain().for_each(drop),
        }
        assert!(arena.get(last).is_none());
        let next = arena.insert(u64::MAX << round);
        assert_eq!(next.slot(), 0);
        assert!(next.generation() > last.generation());
        last = next;
    }
}

#[test]
fn b26_packed_generations_belong_to_the_lookup_slot() {
    let mut dense = DenseArena::new();
    let handles: Vec<_> = (0..3).map(|value| dense.insert(value)).collect();
    dense.remove(handles[0]);
    // Object 2 moved to position 0 and kept its slot and generation.
    assert_eq!(dense.keys_as_slice(), [handles[2], handles[1]]);
    assert_eq!(dense.as_slice(), [2, 1]);
    // The next object takes slot 0 at its next generation, at the end.
    let next = dense.insert(3);
    assert_eq!(next.slot(), handles[0].slot());
    assert!(next.generation() > handles[0].generation());
    assert_eq!(dense.get_index_of(next), Some(2));
    assert_eq!(dense.get(handles[0]), None);
}

#[test]
fn b28_handles_survive_scripts_and_networks_and_objects_go_without_asking() {
    for_both!(Container => {
        let mut objects: Container<u32> = Container::new();
        let handles: Vec<_> = (0..100).map(|value| objects.insert(value)).collect();
        let sent: Vec<[u8; 8]> =
            handles.iter().map(|handle| handle.to_bits().to_le_bytes()).collect();
        for &handle in &handles[..50] {
            objects.remove(handle);
        }
        objects.extend(0..50);
        for (value, bytes) in (0..).zip(sent) {
            let received = Handle::from_bits(u64::from_le_bytes(bytes)).expect("sent by us");
            let expected = (value >= 50).then_some(value);
            assert_eq!(objects.get(received).copied(), expected);
        }
        // Whatever else arrives is no handle, or a handle of nothing.
        let mut random = SplitMix::new(28);
        let live: HashSet<_> = objects.keys().collect();
        for _ in 0..1_000 {
            if let Some(junk) = Handle::from_bits(random.next()) {
                assert_eq!(objects.contains_key(junk), live.contains(&junk));
            }
        }
    });
}

#[test]
fn b67_fixed_storage_says_what_is_left_and_gives_back_what_does_not_fit() {
    for_both!(Container => {
        let mut container = Container::fixed(10);
        let mut refused = Vec::new();
        for value in 0..15 {
            assert_eq!(container.capacity() - container.len(), 10_usize.saturating_sub(value));
            if let Err(error) = container.try_insert(value) {
                refused.push(error.value);
            }
        }
        assert_eq!(refused, [10, 11, 12, 13, 14]);
        assert!(container.try_reserve(1).is_err());
        let first = container.keys().next().unwrap();
        container.remove(first);
        assert_eq!(container.capacity() - container.len(), 1);
        assert!(container.try_insert(99).is_ok());
    });
}

/// The fields of keys, containers and what they are made of; arguments and local names are no
/// fields.
fn fields_below(folder: &str) -> HashSet<String> {
    let mut fields = HashSet::new();
    let shown = |file: &str| {
        ["/raw/", "/memory/", "/key/", "/arena.rs", "/dense.rs", "/inline.rs", "/pool.rs"]
            .iter()
            .any(|part| file.contains(part))
    };
    for (_, text) in files_below(folder, "rs").into_iter().filter(|(file, _)| shown(file)) {
        let mut lines = text.lines();
        while lines.any(|line| line.contains("struct ") && line.ends_with('{')) {
            let body = lines.by_ref().take_while(|line| line.trim() != "}");
            fields.extend(body.filter_map(|line| {
                let line = line.trim().trim_start_matches("pub(crate) ");
                let line = line.trim_start_matches("pub(super) ").trim_start_matches("pub ");
                let (name, _) = line.split_once(": ")?;
                let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                is_name.then(|| name.to_owned())
            }));
        }
    }
    fields
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn b12_debuggers_are_told_fields_that_exist() {
    let lib = workspace_text("crates/larder-core/src/lib.rs");
    assert!(lib.contains("debugger_visualizer(natvis_file"));
    assert!(lib.contains("debugger_visualizer(gdb_script_file"));
    let declared = fields_below("crates/larder-core/src");

    // In Python a field is a name in brackets, in natvis a part of a path between tags.
    let python: String = files_below("crates/larder-core/debug", "py").into_values().collect();
    let mut named: HashSet<_> =
        python.split("[\"").skip(1).filter_map(|rest| Some(rest.split_once("\"]")?.0)).collect();
    let natvis: String = files_below("crates/larder-core/debug", "natvis").into_values().collect();
    let (_, types) = natvis.split_once("<Type ").expect("it shows types");
    let types: String = types
        .split("<!--")
        .filter_map(|part| part.split("-->").last())
        .collect::<Vec<_>>()
        .concat();
    let paths = types
        .split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c)))
        .filter(|path| path.contains('.') && path.starts_with(char::is_alphabetic));
    named.extend(paths.flat_map(|path| path.split('.')).filter(|name| !name.is_empty()));
    named.extend(
        types.split("this->").skip(1).filter_map(|rest| {
            rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()
        }),
    );
    named.remove("__0"); // the first field of a tuple structure

    for field in ["store", "words", "keys", "version"] {
        assert!(named.contains(field), "{field} is not looked at: {named:?}");
    }
    for field in named {
        assert!(declared.contains(field), "larder has no field {field}: {declared:?}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn b12_debuggers_know_every_key_and_container() {
    let python: String = files_below("crates/larder-core/debug", "py").into_values().collect();
    let natvis: String = files_below("crates/larder-core/debug", "natvis").into_values().collect();
    for name in [
        core::any::type_name::<Handle<u8>>(),
        core::any::type_name::<Handle32<u8>>(),
        core::any::type_name::<Serial<u8>>(),
        core::any::type_name::<BareHandle<u8>>(),
        core::any::type_name::<Arena<u8>>(),
        core::any::type_name::<DenseArena<u8>>(),
    ] {
        let (path, _) = name.split_once('<').expect("it is generic");
        assert!(python.contains(&format!("^{path}<")), "gdb does not know {path}");
        assert!(natvis.contains(&format!("\"{path}&lt;")), "natvis does not know {path}");
    }
}

#[test]
fn b12_containers_print_readably_and_describe_themselves() {
    for_both!(Container => {
        let mut container = Container::new();
        container.insert("a");
        let b = container.insert("b");
        container.insert("c");
        container.remove(b);
        assert_eq!(format!("{container:?}"), r#"{0v1: "a", 2v1: "c"}"#);
        let stats = container.stats();
        assert_eq!((stats.live, stats.holes, stats.slots), (2, 1, 3));
        assert!(stats.memory.committed >= 3 * size_of::<&str>());
    });
}

//! Rows B2 to B68, as far as they are about rows of bulk data, weak references and deletion: the
//! post on bulk data (records/sources.md has the rows, and what the later ones wait for).

use core::num::NonZeroU32;
use std::collections::{BTreeSet, HashSet};

use larder::{
    Arena, DenseArena, Handle, Handle32, Reuse,
    key::{BareHandle, Serial},
};

use larder_testing::common::{
    Drops, REUSE_ORDERS, address, allocations_of, files_below, for_both, scaled, workspace_text,
};

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

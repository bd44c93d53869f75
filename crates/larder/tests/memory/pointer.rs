//! Handles that are addresses: as good as keys where memory stays, and `None` for any junk.

use std::collections::{BTreeSet, HashMap};

use larder::{
    Arena, Handle, PagedArena, Pool, Reuse, SoaArena, containers::PinnedContainer, key::PtrHandle,
};

use larder_testing::allocator::{lent, refusing_after};
use larder_testing::caught::{attempt, panic_of};
use larder_testing::common::{SplitMix, address, assert_not_implemented, scaled};

type Pointer = PtrHandle<u32>;

/// The arenas that hand out pointer handles.
fn staying<T>(room: usize) -> [Arena<T>; 3] {
    [Arena::fixed(room), Arena::reserved(room), Arena::with_capacity(room).into_fixed()]
}

/// Inserts, removes and shrinks, and asks by keys and by pointer handles.
fn answers_as_keys<C>(mut values: C, shrink: fn(&mut C))
where
    C: for<'a> PinnedContainer<u32, Value = u32, Ref<'a> = &'a u32, RefMut<'a> = &'a mut u32>
        + 'static,
{
    let mut random = SplitMix::new(7);
    let mut issued: Vec<(Handle<u32>, Pointer)> = Vec::new();
    for round in 0..scaled(3_000, 60) {
        match random.below(9) {
            0..4 => {
                if let Ok(key) = values.try_insert(round as u32) {
                    issued.push((key, PtrHandle::of(&values, key).unwrap()));
                }
            }
            4..8 if !issued.is_empty() => {
                let (key, _) = issued[random.below(issued.len())];
                values.remove(key);
            }
            _ if random.below(40) == 0 => {
                issued.iter().for_each(|&(key, _)| drop(values.remove(key)));
                shrink(&mut values);
            }
            _ => {}
        }
        for _ in 0..4.min(issued.len()) {
            let (key, pointer) = issued[random.below(issued.len())];
            let lives = values.contains_key(key);
            assert_eq!(pointer.get(&values), values.value(key));
            assert_eq!(pointer.key(&values), Some(key).filter(|_| lives));
            assert_eq!(PtrHandle::of(&values, key), Some(pointer).filter(|_| lives));
            let address = pointer.address().get();
            if let Some(value) = pointer.get_mut(&mut values) {
                *value += 1;
            }
            for junk in [address - 1, address + 1, address + 2] {
                let junk = Pointer::from_parts(junk, pointer.generation().get()).unwrap();
                assert!(junk.get(&values).is_none() && junk.get_mut(&mut values).is_none());
            }
        }
    }
    assert!(issued.iter().filter(|(_, pointer)| pointer.get(&values).is_none()).count() > 10);
}

#[test]
fn e6_a_pointer_handle_answers_exactly_as_its_key_does() {
    for arena in staying(300) {
        answers_as_keys(arena, Arena::shrink_to_fit);
    }
}

#[test]
fn b38_e6_pointer_handles_of_values_in_blocks() {
    for bytes in [8, 24, 100, 4_096] {
        let arena = PagedArena::builder().block_bytes(bytes).build();
        answers_as_keys(arena, PagedArena::shrink_to_fit);
    }
    answers_as_keys(PagedArena::builder().doubling().build(), PagedArena::shrink_to_fit);
}

#[test]
fn e6_pointer_handles_of_a_pool() {
    answers_as_keys(Pool::fixed(300, || 0), Pool::shrink_to_fit);
    answers_as_keys(Pool::reserved(2_000, || 0), Pool::shrink_to_fit);
    let mut growing = Pool::new(|| 0);
    let key = growing.insert(1);
    let message = panic_of(|| PtrHandle::of(&growing, key)).message;
    assert!(message.starts_with("Pool<") && message.contains("`fixed` or `reserved`"), "{message}");
    let mut sizeless = Pool::fixed(2, || ());
    let key = sizeless.insert(());
    assert!(panic_of(|| PtrHandle::of(&sizeless, key)).message.contains("zero-sized"));
}

/// A value in columns is named by the address of its slot's generation.
#[test]
fn e27_pointer_handles_into_columns() {
    answers_as_keys(SoaArena::fixed(300), SoaArena::shrink_to_fit);
    answers_as_keys(SoaArena::reserved(2_000), SoaArena::shrink_to_fit);
    let mut growing = SoaArena::new();
    let key = growing.insert(1_u32);
    let message = panic_of(|| PtrHandle::of(&growing, key)).message;
    assert!(message.starts_with("SoaArena<") && message.contains("`fixed`"), "{message}");

    let mut things = SoaArena::<(u8, [u64; 2])>::in_memory(lent(2_000)).unwrap();
    let mut others = SoaArena::<(u8, [u64; 2])>::fixed(3);
    let keys: Vec<_> = things.insert_many((0..3).map(|number| (number, [7; 2]))).collect();
    let pointers = [0, 1, 2].map(|at| PtrHandle::of(&things, keys[at]).unwrap());
    // One generation after the other, and a view of all fields at each.
    let [first, _, last] = pointers.map(|pointer| pointer.address().get());
    assert_eq!(last - first, 2 * size_of::<u32>());
    *pointers[1].get_mut(&mut things).unwrap().0 += 10;
    assert_eq!(pointers[1].get(&things), Some((&11, &[7; 2])));
    // Neither the next value in the slot, nor what another one has in it.
    things.remove(keys[1]);
    assert_eq!((pointers[1].get(&things), pointers[1].key(&things)), (None, None));
    let tenant = things.insert((5, [5; 2]));
    assert_eq!((tenant.slot(), pointers[1].get(&things)), (1, None));
    others.extend([(0, [0; 2]); 3]);
    assert!(pointers.iter().all(|pointer| pointer.get(&others).is_none()));
    // A moved value is found by its new key alone.
    things.remove(keys[0]);
    things.compact(|_, _, _| ());
    assert_eq!(pointers[2].get(&things), None);
    let live = things.keys().map(|key| PtrHandle::of(&things, key).unwrap().key(&things));
    assert!(live.eq(things.keys().map(Some)));
}

/// Why an `InlineArena` has none: its values go where their owner goes, and come where another one's were.
#[test]
fn e6_values_inside_their_owner_change_places() {
    use larder::InlineArena;
    assert_not_implemented!(InlineArena<u32, 2>: PinnedContainer<u32>);
    let [mut first, mut second] = [7, 8].map(|value| {
        let mut arena = InlineArena::<u32, 2>::new();
        (arena.insert(value), arena)
    });
    let before = (address(&first.1[first.0]), first.0);
    core::mem::swap(&mut first.1, &mut second.1);
    // The same address and the same generation, and another value.
    assert_eq!((address(&first.1[first.0]), first.0), before);
    assert_eq!(first.1[first.0], 8);
}

#[test]
fn e6_a_pointer_handle_is_plain_data() {
    struct Plain;
    let of = |address, generation| PtrHandle::<Plain>::from_parts(address, generation).unwrap();
    let (low, high) = (of(0x7f3a10, 3), of(0x7f3a18, 1));
    assert_eq!(format!("{low:?} {low}"), "0x7f3a10v3 0x7f3a10v3");
    assert_eq!((low.address().get(), low.generation().get()), (0x7f3a10, 3));
    let sorted: Vec<_> = BTreeSet::from([of(0x7f3a18, 3), high, low]).into_iter().collect();
    assert_eq!(sorted, [low, high, of(0x7f3a18, 3)]);
    let named = HashMap::from([(low, "low"), (high, "high")]);
    assert_eq!((named[&{ low }], named.get(&of(0x7f3a10, 1))), ("low", None));
}

#[test]
fn b39_pointers_of_two_words_beside_handles_of_8_bytes() {
    let words = 2 * size_of::<usize>();
    assert_eq!([size_of::<Pointer>(), size_of::<Option<Pointer>>()], [words; 2]);
    assert_eq!(size_of::<Handle<u32>>(), 8);
    let mut arena = Arena::fixed(2);
    let key = arena.insert(7);
    let pointer = PtrHandle::of(&arena, key).unwrap();
    assert_eq!((arena[key], pointer.get(&arena)), (7, Some(&7)));
}

/// A graph whose edges are pointer handles is saved with keys in their place, and gets pointer handles
/// again wherever it is loaded.
#[test]
fn e21_pointers_are_saved_as_keys_and_loaded_as_pointers() {
    struct Node {
        name: u32,
        next: Option<PtrHandle<Node>>,
    }

    let mut random = SplitMix::new(21);
    let mut graph: Arena<Node> = Arena::reserved(1_000);
    let count = scaled(500, 20) as u32;
    let keys: Vec<_> =
        graph.insert_many((0..count).map(|name| Node { name, next: None })).collect();
    for &key in &keys {
        graph[key].next = PtrHandle::of(&graph, keys[random.below(keys.len())]);
    }
    graph.retain(|_, node| node.name % 7 != 0);
    let names = |arena: &Arena<Node>| -> Vec<_> {
        let nodes = arena.values().map(|node| {
            let next = node.next.and_then(|next| next.get(arena));
            (node.name, next.map(|next| next.name))
        });
        nodes.collect()
    };

    type Saved = (Handle<Node>, u32, Option<Handle<Node>>);
    let next = |node: &Node| node.next.and_then(|next| next.key(&graph));
    let nodes: Vec<Saved> = graph.iter().map(|(key, node)| (key, node.name, next(node))).collect();
    let saved = serde_json::to_string(&nodes).unwrap();

    let nodes: Vec<Saved> = serde_json::from_str(&saved).unwrap();
    let mut loaded = Arena::fixed(nodes.len());
    let new: HashMap<_, _> = nodes
        .iter()
        .map(|&(old, name, _)| {
            let key = loaded.insert(Node { name, next: None });
            (old, PtrHandle::of(&loaded, key).unwrap())
        })
        .collect();
    for (old, _, next) in &nodes {
        let node = new[old].get_mut(&mut loaded).unwrap();
        node.next = next.map(|next| new[&next]);
    }
    assert_eq!(names(&loaded), names(&graph));
}

/// The whole arena, saved and loaded: the keys stay, so each pointer handle is found by its key.
#[test]
fn e21_a_loaded_arena_hands_out_pointers_once_it_is_fixed() {
    let mut arena = Arena::fixed(50);
    let keys: Vec<_> = arena.insert_many(0..50_u32).collect();
    arena.retain(|_, value| *value % 3 > 0);
    let text = serde_json::to_string(&arena).unwrap();
    let loaded: Arena<u32> = serde_json::from_str(&text).unwrap();
    assert!(panic_of(|| PtrHandle::of(&loaded, keys[1])).message.contains("into_fixed"));
    let loaded = loaded.into_fixed();
    for key in keys {
        let (before, now) = (PtrHandle::of(&arena, key), PtrHandle::of(&loaded, key));
        assert_eq!(
            (before.is_some(), now.is_some()),
            (arena.contains_key(key), arena.contains_key(key))
        );
        let (Some(before), Some(now)) = (before, now) else { continue };
        assert_eq!(now.get(&loaded), before.get(&arena));
        assert_eq!((before.get(&loaded), now.get(&arena)), (None, None));
        assert_eq!(now.key(&loaded), before.key(&arena));
    }
}

#[test]
fn e24_no_pointer_is_null_and_none_is_followed_unchecked() {
    assert_not_implemented!(Pointer: Default);
    assert_eq!(Pointer::from_parts(0, 0), None);
    assert_eq!(Pointer::from_parts(0, 1), None);
    assert_eq!(Pointer::from_parts(8, 0), None);
    for mut arena in staying(3).into_iter().chain([Arena::new(), Arena::fixed(0)]) {
        let junk = [1, 4, 8, 64, usize::MAX, usize::MAX - 7, isize::MAX as usize];
        for pointer in junk.map(|address| Pointer::from_parts(address, 1).unwrap()) {
            assert_eq!((pointer.get(&arena), pointer.key(&arena)), (None, None));
            assert!(pointer.get_mut(&mut arena).is_none());
        }
    }
}

/// Asks by every address within 80 bytes of those of `values`, and every generation that a slot had or nearly had.
fn junk_is_none<C>(mut values: C)
where
    C: for<'a> PinnedContainer<u32, Value = u32, Ref<'a> = &'a u32, RefMut<'a> = &'a mut u32>
        + 'static,
{
    let live: HashMap<Pointer, u32> = values
        .keys()
        .map(|key| (PtrHandle::of(&values, key).unwrap(), *values.value(key).unwrap()))
        .collect();
    let addresses = live.keys().map(|pointer| pointer.address().get());
    let (first, last) = (addresses.clone().min().unwrap(), addresses.max().unwrap());
    let generations = (0..9).chain(u32::MAX - 6..=u32::MAX);
    let mut found = 0;
    for address in first - 80..last + 80 {
        for pointer in generations.clone().filter_map(|bits| Pointer::from_parts(address, bits)) {
            let expected = live.get(&pointer);
            assert_eq!(pointer.get(&values), expected, "{pointer:?}");
            assert_eq!(pointer.get_mut(&mut values).map(|value| *value), expected.copied());
            assert_eq!(pointer.key(&values).is_some(), expected.is_some());
            found += usize::from(expected.is_some());
        }
    }
    assert_eq!(found, live.len());
}

/// There are live, free, detached and retired slots.
#[test]
fn every_junk_pointer_is_none() {
    macro_rules! mixed {
        ($values:expr) => {{
            let mut values = $values;
            let keys: Vec<Handle<u32>> = values.insert_many(0..9).collect();
            for slot in [1, 2, 5] {
                values.remove(keys[slot]);
            }
            values.set_generation_for_test(2, u32::MAX - 3);
            values.extend([10, 11]);
            let last = values.key_of_slot(2).unwrap();
            values.remove(last);
            values.detach(keys[4]);
            assert_eq!((values.stats().retired, values.stats().detached), (1, 1));
            junk_is_none(values);
        }};
    }
    mixed!(Arena::builder().reuse(Reuse::Fifo).fixed(12).build());
    mixed!(SoaArena::builder().reuse(Reuse::Fifo).fixed(12).build());
    mixed!(PagedArena::builder().reuse(Reuse::Fifo).block_bytes(40).fixed(12).build());
}

#[test]
fn strides_of_all_kinds() {
    fn of<T: Clone + PartialEq + core::fmt::Debug>(value: &T) {
        for mut arena in staying(10) {
            let keys: Vec<_> = arena.insert_many(vec![value.clone(); 10]).collect();
            arena.remove(keys[3]);
            for (slot, &key) in keys.iter().enumerate() {
                let pointer = PtrHandle::of(&arena, key);
                assert_eq!(pointer.is_some(), slot != 3);
                let Some(pointer) = pointer else { continue };
                assert_eq!(pointer.get(&arena), Some(value));
                assert_eq!(pointer.key(&arena), Some(key));
                let (address, generation) = (pointer.address().get(), pointer.generation().get());
                for junk in [address - 1, address + 1, address + 2, address + 4] {
                    // (Rows of nothing are 4 bytes: then the last of them may be the next row.)
                    let junk = PtrHandle::from_parts(junk, generation).unwrap();
                    assert_eq!(junk.get(&arena).is_some(), junk.key(&arena).is_some());
                    assert!(size_of::<T>() == 0 || junk.get(&arena).is_none());
                }
            }
        }
    }
    #[derive(Clone, PartialEq, Debug)]
    #[repr(align(64))]
    struct Wide(u8);
    of(&());
    of(&[1_u8; 3]);
    of(&[1_u64; 5]);
    of(&[1_u8; 4_099]);
    of(&Wide(1));
}

#[test]
fn a_growing_arena_hands_out_none_and_says_what_to_do() {
    let mut arena = Arena::from_iter(['a']);
    let key = arena.keys().next().unwrap();
    let (panic, line) = (panic_of(|| PtrHandle::of(&arena, key)), line!());
    assert!(
        panic.message.starts_with("Arena<char>") || panic.message.starts_with("Arena<"),
        "{}",
        panic.message
    );
    assert!(panic.message.contains("`fixed` or `reserved`"), "{}", panic.message);
    assert_eq!((panic.line, panic.file.ends_with("pointer.rs")), (line, true));
    arena.insert('b');
}

#[test]
fn a_fixed_arena_made_of_a_growing_one_is_as_any() {
    let mut arena = Arena::with_capacity(3);
    let keys: Vec<_> = arena.insert_many(["a", "b"]).collect();
    let mut arena = arena.into_fixed();
    assert_eq!((arena.capacity(), arena.len()), (3, 2));
    let pointer = PtrHandle::of(&arena, keys[1]).unwrap();
    arena.insert("c");
    arena.detach(keys[0]);
    assert!(arena.try_insert("d").is_err());
    assert!(arena.try_reserve(1).is_err());
    arena.shrink_to_fit();
    assert_eq!((arena.capacity(), pointer.get(&arena)), (3, Some(&"b")));
    let copy = arena.clone();
    assert_eq!((copy.capacity(), pointer.get(&copy)), (3, None));
    assert_eq!(Arena::<u8>::reserved(10).into_fixed().capacity(), 10);
    assert_eq!(Arena::<u8>::new().into_fixed().try_insert(1).unwrap_err().value, 1);

    let arena = Arena::from_iter([1, 2]);
    let (refused, outcome) = refusing_after(0, false, || attempt(|| arena.into_fixed()));
    assert!(refused && outcome.unwrap_err().message.contains("refused"));
}

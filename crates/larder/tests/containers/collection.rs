//! The traits of every collection of the language: conversions, comparison, printing, indexing.

use larder::{
    Arena, DenseArena, Handle, Handle32, Key, Reuse, TryReserveError,
    key::{BareHandle, Serial},
};
use larder_testing::allocator::refusing_after;
use larder_testing::both::test_both;
use larder_testing::caught::{Caught, panic_of};

/// The name that a container's panics have for it.
fn name_of<C>() -> &'static str {
    match core::any::type_name::<C>() {
        name if name.contains("::Dense<") => "DenseArena",
        _ => "Arena",
    }
}

// Into and out of other collections.

test_both!(collects_and_extends, Container => {
    let mut subject: Container<u32> = (0..5).collect();
    subject.extend(5..7);
    subject.extend(&[7, 8]);
    subject.extend(Some(9));
    assert!(subject.values().copied().eq(0..10));
    assert!(subject.keys().map(Handle::slot).eq(0..10));
    subject.validate();
});

test_both!(is_iterated_in_three_ways, Container => {
    let mut subject: Container<String> = ["a", "b"].map(String::from).into_iter().collect();
    for (_, value) in &mut subject {
        value.push('!');
    }
    let mut seen = Vec::new();
    for (key, value) in &subject {
        assert_eq!(subject[key], *value);
        seen.push(value.as_str());
    }
    assert_eq!(seen, ["a!", "b!"]);
    let owned: Vec<String> = subject.into_iter().map(|(_, value)| value).collect();
    assert_eq!(owned, ["a!", "b!"]);
});

/// A field has such an iterator before there is a container.
#[test]
fn iterators_are_empty_by_default() {
    use larder::containers::{arena, dense_arena, inline_arena, paged_arena};
    type Key = Handle<u32>;
    assert_eq!(arena::Iter::<'_, u32, Key>::default().next(), None);
    assert_eq!(arena::Keys::<'_, u32, Key>::default().next_back(), None);
    assert_eq!(dense_arena::Iter::<'_, u32, Key>::default().next(), None);
    assert_eq!(dense_arena::Values::<'_, u32, Key>::default().next_back(), None);
    assert_eq!(paged_arena::Iter::<'_, u32, Key>::default().next(), None);
    assert_eq!(inline_arena::Values::<'_, u32, 8, Key>::default().count(), 0);
    assert_eq!(larder::maps::sparse_secondary::Iter::<'_, Key, u32>::default().len(), 0);
}

test_both!(what_nobody_asks_a_key_for_is_inserted_too, Container => {
    let mut subject = Container::<u32>::new();
    let mut keys = subject.insert_many(0..10);
    let first = keys.next().unwrap();
    assert_eq!(keys.size_hint().1, Some(9));
    drop(keys);
    drop(subject.insert_many(10..12));
    assert!(subject.values().copied().eq(0..12));
    assert_eq!(subject[first], 0);
    subject.validate();
});

test_both!(what_is_forgotten_breaks_nothing, Container => {
    use core::mem::{ManuallyDrop, forget};
    let mut subject: Container<Box<u32>> = (0..70).map(Box::new).collect();
    let _leaked = ManuallyDrop::new(subject.vacant_entry());
    forget(subject.insert_many((0..5).map(Box::new)));
    subject.validate();
    let mut extracted = subject.extract_if(|key, _| key.slot() % 2 == 0);
    assert!(extracted.next().is_some());
    let _leaked = ManuallyDrop::new(extracted);
    subject.validate();
    let mut drain = subject.drain();
    assert!(drain.next().is_some() && drain.next_back().is_some());
    // Values may be lost with it; those that are not are whole.
    forget(drain);
    subject.validate();
    assert_eq!(subject.values().filter(|value| ***value < 70).count(), subject.len());
    let key = subject.insert(Box::new(99));
    assert_eq!(*subject[key], 99);
    subject.validate();
});

// Copies and comparison.

/// Several words of slots, and a part of one.
const MANY: u32 = if cfg!(miri) { 90 } else { 300 };

test_both!(as_many_may_be_extracted_as_were_not_visited, Container => {
    let mut subject: Container<u32> = (0..5).collect();
    let mut extracted = subject.extract_if(|_, value| *value == 2);
    assert_eq!(extracted.size_hint(), (0, Some(5)));
    assert!(extracted.next().is_some());
    assert_eq!(extracted.size_hint(), (0, Some(2)));
    assert!(extracted.next().is_none());
    assert_eq!(extracted.size_hint(), (0, Some(0)));
});

test_both!(clone_from_keeps_the_memory_that_suffices, Container => {
    let source: Container<u32> = (0..40).collect();
    let mut target: Container<u32> = (0..MANY).collect();
    let capacity = target.capacity();
    target.clone_from(&source);
    assert_eq!((target.capacity(), &target), (capacity, &source));
    // One that fills its holes in another order, or may not grow, is made anew.
    let build = || Container::<u32>::builder().capacity(100);
    for mut target in [build().reuse(Reuse::Fifo).build(), build().fixed(100).build()] {
        target.clone_from(&source);
        assert!(source.keys().eq(target.keys()));
        let keys = [3, 1, 2].map(|at| source.keys().nth(at).unwrap());
        let mut fresh = source.clone();
        for key in keys {
            assert_eq!(target.remove(key), fresh.remove(key));
        }
        assert!(target.insert_many(0..300).eq(fresh.insert_many(0..300)));
    }
    let mut fixed = build().fixed(50).build();
    fixed.clone_from(&build().fixed(60).build());
    assert_eq!(fixed.capacity(), 60);
});

/// A copy over an arena lies where that one lay if there is room, unless another kind of arena is copied.
#[test]
fn clone_from_takes_the_memory_that_is_there() {
    let filled = |mut arena: Arena<u32>, count| {
        arena.extend(0..count);
        arena
    };
    let first = |arena: &Arena<u32>| arena.values().next().map(core::ptr::from_ref);
    let few = filled(Arena::with_capacity(10), 7);
    let mut roomy = filled(Arena::with_capacity(100), 60);
    let place = first(&roomy);
    roomy.clone_from(&few);
    assert_eq!((first(&roomy), roomy.capacity(), &roomy), (place, 100, &few));

    let fixed = filled(Arena::fixed(70), 20);
    let (mut same, mut other) = (filled(Arena::fixed(70), 50), filled(Arena::fixed(90), 50));
    let place = first(&same);
    same.clone_from(&fixed);
    other.clone_from(&fixed);
    assert_eq!((first(&same), same.capacity(), &same), (place, 70, &fixed));
    assert_eq!((other.capacity(), &other), (70, &fixed));

    let in_order = |reuse| {
        let mut arena: Arena<u32> = Arena::builder().reuse(reuse).build();
        arena.extend(0..30);
        arena
    };
    for (one, other) in
        [(Reuse::Fifo, Reuse::Lifo), (Reuse::Lifo, Reuse::Packed), (Reuse::Fifo, Reuse::Fifo)]
    {
        let (source, mut target) = (in_order(one), in_order(other));
        target.clone_from(&source);
        let freed_and_taken = |mut arena: Arena<u32>| {
            arena.retain(|key, _| key.slot() % 4 == 0);
            [(); 9].map(|()| arena.insert(0))
        };
        assert_eq!(freed_and_taken(target), freed_and_taken(source), "{one:?} over {other:?}");
    }
}

test_both!(equal_means_equal_keys_and_values, Container => {
    let once: Container<u32> = [1].into_iter().collect();
    let mut again = Container::<u32>::new();
    let key = again.insert(0);
    again.remove(key);
    again.insert(1);
    assert_ne!(once, again, "another generation");
    let spacious = {
        let mut spacious = Container::with_capacity(50);
        spacious.insert(1);
        spacious
    };
    assert_eq!(once, spacious, "capacity is not compared");
    assert_ne!(once, Container::new());
    assert_ne!(once, [2].into_iter().collect());
});

// Printing.

test_both!(prints_as_a_map, Container => {
    let mut subject: Container<&str> = ["a", "b", "c"].into_iter().collect();
    let b = subject.keys().nth(1).unwrap();
    subject.remove(b);
    assert_eq!(format!("{subject:?}"), r#"{0v1: "a", 2v1: "c"}"#);
    assert_eq!(format!("{subject:#?}"), "{\n    0v1: \"a\",\n    2v1: \"c\",\n}");
    assert_eq!(format!("{:?}", Container::<u8>::new()), "{}");
});

#[test]
fn keys_print_slot_and_generation() {
    let mut arena = Arena::<u8>::new();
    let first = arena.insert(1);
    arena.remove(first);
    let key = arena.insert(2);
    assert_eq!((format!("{key:?}"), format!("{key}")), ("0v3".into(), "0v3".into()));
    let key = Arena::<u8, Handle32<u8>>::with_key().insert(1);
    assert_eq!((format!("{key:?}"), format!("{key}")), ("0v1".into(), "0v1".into()));
    let key = DenseArena::<u8, BareHandle<u8>>::with_key().insert(1);
    assert_eq!((format!("{key:?}"), format!("{key}")), ("0".into(), "0".into()));
    let mut serial = DenseArena::<u8, Serial<u8>>::with_key();
    assert_eq!(format!("{} {:?}", serial.insert(1), serial.insert(2)), "0v1 1v2");
}

#[test]
fn keys_survive_the_way_through_their_bits() {
    let mut arena: Arena<u8> = (0..3).collect();
    let key = arena.keys().next_back().unwrap();
    arena.remove(key);
    let key = arena.insert(9);
    assert_eq!(key.to_bits(), 3 << 32 | 2);
    assert_eq!(Handle::from_bits(key.to_bits()), Some(key));
    assert_eq!(Handle::<u8>::from_bits(2 << 32 | 2), None, "even generations are nobody's");
    assert_eq!(Handle::<u8>::from_bits(7), None);
    let small = Arena::<u8, Handle32<u8>>::with_key().insert(1);
    assert_eq!(Handle32::from_bits(small.to_bits()), Some(small));
    assert_eq!(Handle32::<u8>::from_bits(0), None);
    let slot = Arena::<u8, BareHandle<u8>>::with_key().insert(1);
    assert_eq!(BareHandle::from_bits(slot.to_bits()), Some(slot));
    assert_eq!(BareHandle::from_index(0), Some(slot));
    let serial = Arena::<u8, Serial<u8>>::with_key().insert(1);
    assert_eq!(Serial::from_bits(serial.to_bits()), Some(serial));
}

#[test]
fn keys_sort_by_slot_then_generation() {
    fn sorted<K: Key>(mut insert: impl FnMut() -> K, mut remove: impl FnMut(K)) {
        let (a, b) = (insert(), insert());
        remove(a);
        let c = insert();
        let mut keys = [b, c, a];
        keys.sort();
        assert_eq!(keys, [a, c, b]);
    }

    fn both<K: Key>() {
        let arena = core::cell::RefCell::new(Arena::<u8, K>::with_key());
        sorted(
            || arena.borrow_mut().insert(0),
            |key| assert!(arena.borrow_mut().remove(key).is_some()),
        );
    }

    both::<Handle<u8>>();
    both::<Handle32<u8>>();
    both::<Serial<u8>>();
}

// Indexing.

test_both!(indexing_reads_and_writes, Container => {
    let mut subject = Container::new();
    let key = subject.insert(1);
    subject[key] += 1;
    assert_eq!(subject[key], 2);
});

/// Checks the words of a panic, and that it blames the line after the one `before` was made on.
fn blames(caught: &Caught, line_before: u32, words: &str) {
    assert_eq!(caught.message, words);
    assert!(caught.file.ends_with("collection.rs"), "{}", caught.file);
    assert_eq!(caught.line, line_before + 1);
}

test_both!(indexing_explains_a_stale_key, Container => {
    let name = name_of::<Container<u16>>();
    let mut subject = Container::<u16>::new();
    let old = subject.insert(1);
    subject.remove(old);
    let line = line!();
    let free = panic_of(|| subject[old]);
    blames(&free, line, &format!("{name}<u16>: key 0v1 is stale: slot 0 is free"));
    subject.insert(2);
    let line = line!();
    let reused = panic_of(|| subject[old] = 3);
    blames(&reused, line, &format!("{name}<u16>: key 0v1 is stale: slot 0 now holds 0v3"));
    let mut elsewhere: Container<u16> = (0..12).collect();
    let foreign = elsewhere.insert(1);
    let line = line!();
    let unknown = panic_of(|| subject[foreign]);
    let words = format!("{name}<u16>: key 12v1 is foreign: slot 12 was never used (1 slots)");
    blames(&unknown, line, &words);
    let dangling = panic_of(|| subject[Handle::DANGLING]);
    assert!(dangling.message.starts_with(&format!("{name}<u16>: the key is dangling")));
});

test_both!(failing_insertion_blames_its_caller, Container => {
    let mut full = Container::fixed(1);
    full.insert(1);
    let line = line!();
    let panics = [panic_of(|| full.insert(2)),
        panic_of(|| full.insert_with_key(|_| 2)),
        panic_of(|| drop(full.vacant_entry())),
        panic_of(|| drop(full.insert_many([2])))];
    for (panic, after) in panics.iter().zip(0..) {
        assert!(panic.message.contains("full"), "{}", panic.message);
        blames(panic, line + after, &panic.message);
    }
    full.validate();
    assert!(full.values().eq(&[1]));
});

// Whatever else panics where there is no room.
test_both!(failing_growth_blames_its_caller, Container => {
    let mut full = Container::fixed(1);
    let mut grows = Container::new();
    full.insert(1);
    let key = grows.insert(1_u8);
    let line = line!();
    let panics = [panic_of(|| full.extend([2])),
        panic_of(|| full.extend(&[2])),
        panic_of(|| full.reserve(1)),
        panic_of(|| grows.reserve(usize::MAX)),
        panic_of(|| Container::<u8>::with_capacity(usize::MAX)),
        panic_of(|| Container::<u8>::fixed(usize::MAX)),
        panic_of(|| Container::<u8>::builder().capacity(usize::MAX).build()),
        refusing_after(0, false, || panic_of(|| grows.detach(key))).1,
        refusing_after(0, false, || panic_of(|| Container::<u8>::with_capacity(9))).1];
    for (panic, after) in panics.iter().zip(0..) {
        blames(panic, line + after, &panic.message);
    }
    assert!(panics[..3].iter().all(|panic| panic.message.contains("full")), "{panics:?}");
    grows.validate();
    assert_eq!((full.len(), grows.len(), grows[key]), (1, 1, 1));
});

test_both!(failing_copies_blame_their_caller, Container => {
    let _warm = panic_of(|| panic!("the first panic of a thread allocates"));
    let original: Container<u8> = (0..9).collect();
    let mut over = Container::new();
    let line = line!();
    let cloned = refusing_after(0, false, || panic_of(|| original.clone())).1;
    blames(&cloned, line, &cloned.message);
    let line = line!();
    let copied = refusing_after(0, false, || panic_of(|| over.clone_from(&original))).1;
    blames(&copied, line, &copied.message);
});

#[test]
fn swapping_positions_past_the_end_blames_its_caller() {
    let mut dense: DenseArena<u8> = (0..3).collect();
    let line = line!();
    let panics = [panic_of(|| dense.swap_indices(0, 3)), panic_of(|| dense.swap_indices(3, 0))];
    for panic in &panics {
        blames(panic, line, &panic.message);
        assert!(panic.message.contains("must be below the length, 3"), "{}", panic.message);
    }
    assert_eq!(dense.as_slice(), [0, 1, 2]);
}

// Room.

test_both!(fixed_gives_the_value_back, Container => {
    let mut full = Container::fixed(2);
    assert_eq!((full.capacity(), full.len()), (2, 0));
    full.insert(String::from("a"));
    let b = full.insert(String::from("b"));
    let refused = full.try_insert(String::from("c")).unwrap_err();
    assert_eq!(refused.reason, TryReserveError::Full { capacity: 2 });
    assert_eq!(refused.value, "c");
    assert!(full.try_reserve(0).is_ok());
    assert!(matches!(full.try_reserve(1), Err(TryReserveError::Full { .. })));
    full.remove(b);
    assert!(full.try_reserve(1).is_ok());
    assert!(full.try_insert(String::from("c")).is_ok());
});

test_both!(fixed_bytes_counts_the_bytes_of_values, Container => {
    let mut words = Container::<u32>::builder().fixed_bytes(41).build();
    assert_eq!(words.capacity(), 10);
    words.extend(0..10);
    assert!(words.try_insert(10).is_err());
    assert_eq!(Container::<u64>::builder().fixed_bytes(7).build().capacity(), 0);
    assert_eq!(Container::<u64>::builder().fixed_bytes(80).build().capacity(), 10);
    let line = line!();
    let panic = panic_of(|| Container::<()>::builder().fixed_bytes(10).build());
    blames(&panic, line, &panic.message);
});

test_both!(the_builder_says_it_all, Container => {
    let roomy = Container::<u8>::builder().capacity(100).build();
    assert!(roomy.capacity() >= 100);
    let small: Container<u8, Handle32<u8>> =
        Container::<u8, Handle32<u8>>::builder_with_key().fixed(3).reuse(Reuse::Fifo).build();
    assert_eq!(small.capacity(), 3);
    assert!(Container::<u8>::builder().fixed(9).try_build().is_ok());
});

// Walks of nothing, and what the iterators print.

/// The output of each iterator over three values, beside its name.
macro_rules! printed_iterators {
    ($Container:ident) => {{
        let subject: $Container<u32> = (6..9).collect();
        [
            ("Iter", format!("{:?}", subject.iter())),
            ("IterMut", format!("{:?}", subject.clone().iter_mut())),
            ("IntoIter", format!("{:?}", subject.clone().into_iter())),
            ("Keys", format!("{:?}", subject.keys())),
            ("Values", format!("{:?}", subject.values())),
            ("Values", format!("{:?}", subject.clone().values_mut())),
            ("Values", format!("{:?}", subject.clone().into_values())),
            ("Drain", format!("{:?}", subject.clone().drain())),
            ("ExtractIf", format!("{:?}", subject.clone().extract_if(|_, _| true))),
            ("InsertMany", format!("{:?}", subject.clone().insert_many(0..3))),
        ]
    }};
}

// An iterator prints its name and how much is left, or all that is left.
test_both!(iterators_print_what_they_hold, Container => {
    for (name, printed) in printed_iterators!(Container) {
        let shows_all = printed == "{0v1: 6, 1v1: 7, 2v1: 8}";
        let counts = printed.starts_with(name) && printed.ends_with(" { remaining: 3, .. }");
        assert!(shows_all || counts, "{name}: {printed}");
    }
    let mut subject: Container<u32> = (6..9).collect();
    assert_eq!(format!("{:?}", subject.vacant_entry()), "VacantEntry(3v1)");
});

#[test]
fn iterators_print_names_as_those_of_the_language_do() {
    for (name, printed) in
        printed_iterators!(Arena).into_iter().chain(printed_iterators!(DenseArena))
    {
        let expected = match name {
            "Iter" => String::from("{0v1: 6, 1v1: 7, 2v1: 8}"),
            _ => format!("{name} {{ remaining: 3, .. }}"),
        };
        assert_eq!(printed, expected);
    }
}

/// An arena can say which key a value has, and what is in a slot.
#[test]
fn arena_finds_keys_of_values() {
    let mut arena: Arena<u32> = (0..100).collect();
    for (key, value) in &arena {
        assert_eq!(arena.key_of(value), Some(key));
        assert_eq!(arena.key_of_slot(key.slot()), Some(key));
        assert_eq!(arena.key_of_slot(key.slot()).and_then(|key| arena.get(key)), Some(value));
    }
    let elsewhere = 5;
    assert_eq!(arena.key_of(&elsewhere), None);
    assert_eq!(arena.clone().key_of(arena.values().next().unwrap()), None);
    *arena.get_mut(arena.key_of_slot(3).unwrap()).unwrap() = 33;
    let third = arena.key_of_slot(3).unwrap();
    assert_eq!(arena.remove(third), Some(33));
    assert!(arena.key_of_slot(3).is_none());
    assert!(arena.key_of_slot(100).is_none() && arena.key_of_slot(u32::MAX).is_none());
}

/// thunderdome's `get2_mut`, as docs/migrating.md says it: a pair of `Option`s of two keys.
#[test]
fn two_values_of_which_one_may_be_gone() {
    type Pair<'a> = (Option<&'a mut u32>, Option<&'a mut u32>);
    fn pair(arena: &mut Arena<u32>, a: Handle<u32>, b: Handle<u32>) -> Pair<'_> {
        if !arena.contains_key(b) {
            return (arena.get_mut(a), None);
        }
        if !arena.contains_key(a) {
            return (None, arena.get_mut(b));
        }
        let [a, b] = arena.get_disjoint_mut([a, b]).expect("two values, or one key twice");
        (Some(a), Some(b))
    }
    let mut arena = Arena::from_iter([1, 2, 3]);
    let keys: Vec<_> = arena.keys().collect();
    arena.remove(keys[1]);
    for (a, b, expected) in [
        (0, 2, (Some(1), Some(3))),
        (1, 2, (None, Some(3))),
        (0, 1, (Some(1), None)),
        (1, 1, (None, None)),
    ] {
        let (first, second) = pair(&mut arena, keys[a], keys[b]);
        assert_eq!((first.copied(), second.copied()), expected);
    }
    let panic = panic_of(|| _ = pair(&mut arena, keys[0], keys[0]));
    assert!(panic.message.contains("one key twice"), "{}", panic.message);
}

//! The traits of every collection of the language: conversions, comparison, printing, indexing.

use larder::{
    Arena, DenseArena, Handle, Handle32, Key,
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

/// A field has such an iterator before there is a container.
#[test]
fn iterators_are_empty_by_default() {
    use larder::containers::{arena, dense_arena, inline_arena, paged_arena, pool};
    type Key = Handle<u32>;
    assert_eq!(arena::Iter::<'_, u32, Key>::default().next(), None);
    assert_eq!(arena::Keys::<'_, u32, Key>::default().next_back(), None);
    assert_eq!(dense_arena::Iter::<'_, u32, Key>::default().next(), None);
    assert_eq!(dense_arena::Values::<'_, u32, Key>::default().next_back(), None);
    assert_eq!(paged_arena::Iter::<'_, u32, Key>::default().next(), None);
    assert_eq!(inline_arena::Values::<'_, u32, 8, Key>::default().count(), 0);
    assert_eq!(pool::Iter::<'_, u32, Key>::default().len(), 0);
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
    let mut target: Container<u32> = (0..90).collect();
    let capacity = target.capacity();
    target.clone_from(&source);
    assert_eq!((target.capacity(), &target), (capacity, &source));
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
fn keys_sort_by_slot_then_generation() {
    fn sorted<K: Key>() {
        let mut arena = Arena::<u8, K>::with_key();
        let (a, b) = (arena.insert(0), arena.insert(1));
        assert_eq!(arena.remove(a), Some(0));
        let mut keys = [b, arena.insert(2), a];
        let [_, c, _] = keys;
        keys.sort();
        assert_eq!(keys, [a, c, b]);
    }

    sorted::<Handle<u8>>();
    sorted::<Handle32<u8>>();
    sorted::<Serial<u8>>();
}

// Indexing.

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

test_both!(failing_insertion_and_growth_blame_their_caller, Container => {
    let mut full = Container::fixed(1);
    let mut grows = Container::new();
    full.insert(1);
    let key = grows.insert(1_u8);
    let line = line!();
    let panics = [panic_of(|| _ = full.insert(2)),
        panic_of(|| _ = full.insert_with_key(|_| 2)),
        panic_of(|| drop(full.vacant_entry())),
        panic_of(|| drop(full.insert_many([2]))),
        panic_of(|| full.extend([2])),
        panic_of(|| full.extend(&[2])),
        panic_of(|| full.reserve(1)),
        panic_of(|| grows.reserve(usize::MAX)),
        panic_of(|| Container::<u8>::with_capacity(usize::MAX)),
        panic_of(|| Container::<u8>::fixed(usize::MAX)),
        panic_of(|| Container::<u8>::builder().capacity(usize::MAX).build()),
        panic_of(|| Container::<()>::builder().fixed_bytes(10).build()),
        refusing_after(0, false, || panic_of(|| grows.detach(key))).1,
        refusing_after(0, false, || panic_of(|| Container::<u8>::with_capacity(9))).1];
    for (panic, after) in panics.iter().zip(0..) {
        blames(panic, line + after, &panic.message);
    }
    assert!(panics[..7].iter().all(|panic| panic.message.contains("full")), "{panics:?}");
    full.validate();
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
    let mut arena = Arena::from_iter([6, 7, 8]);
    assert_eq!(format!("{:?}", arena.vacant_entry()), "VacantEntry(3v1)");
}

// Values found by where they lie.

test_both!(every_value_knows_its_key_by_its_address, Container => {
    let mut subject: Container<u64> = (0..100).collect();
    subject.retain(|_, number| *number % 3 != 0);
    assert!(subject.iter().all(|(key, value)| subject.key_of(value) == Some(key)));
});

test_both!(a_value_that_lies_elsewhere_has_no_key, Container => {
    let subject: Container<u64> = (0..3).collect();
    let copy = subject.clone();
    assert!(copy.values().all(|value| subject.key_of(value).is_none()));
    assert_eq!(subject.key_of(&1), None);
    assert_eq!(Container::<u64>::new().key_of(&1), None);
});

test_both!(a_value_without_a_size_has_no_address_to_be_found_by, Container => {
    let subject: Container<()> = [(), ()].into_iter().collect();
    assert!(subject.values().all(|value| subject.key_of(value).is_none()));
});

#[test]
fn an_address_between_two_values_has_no_key() {
    let subject = DenseArena::from_iter([[0_u8; 2], [1; 2], [2; 2]]);
    let bytes = subject.as_slice().as_flattened();
    let key_at_byte = |byte: usize| subject.key_of(bytes[byte..].first_chunk().unwrap());
    assert_eq!(key_at_byte(2), Some(subject.keys_as_slice()[1]));
    assert_eq!((key_at_byte(1), key_at_byte(3)), (None, None));
}

#[test]
fn a_dense_value_is_found_where_it_moved() {
    let mut subject = DenseArena::<String, BareHandle<String>>::with_key();
    let keys: Vec<_> = subject.insert_many(["a", "b", "c"].map(String::from)).collect();
    subject.remove(keys[0]);
    assert_eq!(subject.key_of(&subject.as_slice()[0]), Some(keys[2]));
    subject.sort_by(Ord::cmp);
    assert_eq!(subject.key_of(&subject.as_slice()[0]), Some(keys[1]));
}

#[test]
fn a_value_is_changed_at_its_position() {
    let mut subject = DenseArena::from_iter([1, 2, 3]);
    let first = subject.keys().next().unwrap();
    subject.remove(first);
    *subject.get_index_mut(0).unwrap() *= 10;
    assert_eq!(subject.as_slice(), [30, 2]);
    assert_eq!(subject.get_index_mut(2), None);
    assert_eq!(DenseArena::<u8>::new().get_index_mut(0), None);
}

#[test]
fn a_slot_without_a_value_has_no_key() {
    let mut subject = Arena::from_iter(0..100);
    let third = subject.key_of_slot(3).expect("it is live");
    assert_eq!((third.slot(), subject.remove(third)), (3, Some(3)));
    assert!([3, 100, u32::MAX].iter().all(|&slot| subject.key_of_slot(slot).is_none()));
}

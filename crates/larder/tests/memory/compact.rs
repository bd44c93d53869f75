//! Moving values down and giving memory back. (That every history with it in is right, also where user code panics, is
//! in `history`.)

use core::mem::size_of_val;
use std::collections::HashSet;

use larder::{Arena, Reuse, key::Serial};

use larder_testing::allocator::refusing_after;
use larder_testing::caught::attempt;
use larder_testing::common::scaled;

#[test]
fn values_move_down_and_the_memory_goes_back() {
    // (The book's share is visible if there are fewer.)
    let count = scaled(100_000, 1_000);
    let mut arena = Arena::from_iter(0..count);
    let mut keys: Vec<_> = arena.keys().collect();
    arena.retain(|_, value| *value % 10 == 9);
    let before = arena.stats();
    let mut moves = 0;
    arena.compact(|old, new, _| {
        moves += 1;
        assert!(new.slot() < old.slot());
        keys[old.slot() as usize] = new;
    });
    arena.validate();
    let after = arena.stats();
    assert_eq!(
        (after.live, after.holes, after.slots, after.capacity),
        (count / 10, 0, count / 10, count / 10)
    );
    assert!(after.memory.committed * 9 < before.memory.committed, "{before:?} {after:?}");
    assert_eq!(moves, count / 10 - count / 100, "what lay low enough stays");
    for (value, &key) in keys.iter().enumerate() {
        let expected = Some(&value).filter(|value| *value % 10 == 9);
        assert_eq!(arena.get(key), expected);
    }
    assert_eq!(arena.insert(count).slot() as usize, count / 10);
}

#[test]
fn fixed_memory_stays_and_reserved_pages_go_back() {
    let count = scaled(200_000, 100);
    for mut arena in [Arena::fixed(count), Arena::reserved(count)] {
        arena.extend(0..count as u64);
        let before = arena.stats().memory.committed;
        arena.retain(|_, value| *value % 10 == 0);
        arena.compact(|_, _, _| {});
        arena.validate();
        assert_eq!((arena.capacity(), arena.len()), (count, count / 10));
        assert_eq!(arena.keys().next_back().unwrap().slot() as usize, count / 10 - 1);
        let sorted: HashSet<_> = arena.values().copied().collect();
        assert!(sorted.len() == count / 10 && sorted.iter().all(|value| value % 10 == 0));
        if arena.stats().slots == count {
            assert_eq!(arena.stats().memory.committed, before, "a fixed arena keeps its memory");
        } else if !cfg!(miri) {
            assert!(arena.stats().memory.committed < before / 4);
        }
        arena.extend(0..(arena.capacity() - arena.len()) as u64);
        arena.validate();
    }
}

/// A hole in its last generation needs a bit for when it is retired: where memory for it is refused,
/// what was moved before is moved, and the rest is where it was.
#[test]
fn refused_memory_stops_it_between_two_moves() {
    let mut arena: Arena<u32> = Arena::with_capacity(20);
    let keys: Vec<_> = arena.insert_many(0..10).collect();
    for key in &keys[..4] {
        arena.remove(*key);
    }
    arena.set_generation_for_test(2, u32::MAX - 3);
    let mut moved = Vec::with_capacity(10);
    let (refused, outcome) = refusing_after(0, false, || {
        attempt(|| arena.compact(|old, new, _| moved.push((old, new))))
    });
    let panic = outcome.unwrap_err();
    assert!(refused && panic.message.starts_with("Arena<") && panic.message.contains("refused"));
    assert!(panic.file.ends_with("compact.rs"));
    arena.validate();
    assert_eq!(
        moved.iter().map(|(old, new)| (old.slot(), new.slot())).collect::<Vec<_>>(),
        [(9, 0), (8, 1)]
    );
    assert_eq!(arena.capacity(), 20);
    assert!(arena.values().eq(&[9, 8, 4, 5, 6, 7]));

    arena.compact(|old, new, _| moved.push((old, new)));
    arena.validate();
    assert_eq!((arena.len(), arena.capacity()), (6, 6));
    let last = arena.key_of_slot(2).unwrap();
    assert_eq!(last.generation().get(), u32::MAX - 2);
    arena.remove(last);
    assert_eq!(arena.stats().retired, 1);
}

#[test]
fn serial_numbers_tell_moves_from_insertions_before() {
    let mut arena: Arena<char, Serial<char>> = Arena::with_key();
    let keys: Vec<_> = arena.insert_many(['a', 'b', 'c']).collect();
    arena.remove(keys[0]);
    arena.compact(|old, new, _| {
        assert_eq!((old, new.slot(), new.version().get()), (keys[2], 0, 4));
    });
    assert_eq!(arena.insert('d').version().get(), 5);
}

#[test]
fn a_compact_arena_has_the_bytes_of_one_that_was_never_anything_else() {
    let mut arena = Arena::builder().reuse(Reuse::Lifo).build();
    arena.extend([[7_u8; 60]; 1_000]);
    arena.retain(|key, _| key.slot() >= 990);
    arena.compact(|_, _, _| {});
    let mut fresh = Arena::builder().reuse(Reuse::Lifo).capacity(10).build();
    fresh.extend([[7_u8; 60]; 10]);
    assert_eq!(arena.stats(), fresh.stats());
    assert!(arena.stats().memory.committed >= size_of_val(&[[7_u8; 60]; 10]));
}

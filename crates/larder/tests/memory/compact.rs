//! Moving values down and giving memory back. (That every history with it in is right is in
//! `history`.)

use core::mem::size_of_val;
use std::collections::HashSet;

use larder::{Arena, Handle, Handle32, Key, Reuse, TryReserveError, key::Serial};

use larder_testing::allocator::refusing_after;
use larder_testing::caught::{attempt, panic_of};
use larder_testing::common::{Drops, SplitMix, scaled, thorough};
use larder_testing::subject::ORDERS;

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
fn without_a_hole_below_a_value_nothing_moves() {
    let untold = |arena: &mut Arena<u32>| {
        let before = arena.clone();
        arena.compact(|old, new, _| panic!("{old:?} was moved to {new:?}"));
        arena.validate();
        assert_eq!(*arena, before);
        assert_eq!(arena.capacity(), arena.len());
    };
    untold(&mut Arena::new());
    let mut arena = Arena::with_capacity(100);
    arena.extend(0..70);
    untold(&mut arena);
    arena.extend(70..150);
    arena.retain(|key, _| key.slot() < 64);
    untold(&mut arena);
    arena.clear();
    untold(&mut arena);
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

/// Whatever happens to slots, no key that was ever handed out answers again.
fn every_old_key_stays_dead<K: Key>() {
    let slots = scaled(300, 20);
    for (reuse, reserved) in ORDERS.iter().flat_map(|&reuse| [(reuse, false), (reuse, true)]) {
        let builder = Arena::builder_with_key().reuse(reuse);
        let mut arena: Arena<u64, K> =
            if reserved { builder.reserved(2 * slots).build() } else { builder.build() };
        let (mut random, mut live, mut dead) = (SplitMix::new(13), Vec::new(), HashSet::new());
        for round in 0..thorough(60, 5) as u64 {
            while live.len() < slots {
                let value = random.next();
                let Ok(key) = arena.try_insert(value) else { break };
                assert!(!dead.contains(&key), "{key:?} came back to life");
                live.push((key, value));
            }
            for _ in 0..random.below(live.len() + 1) {
                let (key, value) = random.take(&mut live);
                assert_eq!(arena.remove(key), Some(value));
                dead.insert(key);
            }
            match round % 3 {
                0 => arena.shrink_to_fit(),
                _ => arena.compact(|old, new, _| {
                    let moved = live.iter_mut().find(|(key, _)| *key == old).expect("a live key");
                    assert!(!dead.contains(&new), "{new:?} came back to life");
                    moved.0 = new;
                    dead.insert(old);
                }),
            }
            arena.validate();
            assert!(live.iter().all(|&(key, value)| arena.get(key) == Some(&value)));
            assert!(dead.iter().all(|&key| arena.get(key).is_none()));
        }
    }
}

#[test]
fn every_key_ever_issued_stays_dead() {
    every_old_key_stays_dead::<Handle<u64>>();
    if cfg!(miri) {
        return;
    }
    every_old_key_stays_dead::<Handle32<u64>>();
    every_old_key_stays_dead::<Handle32<u64, 27>>();
    every_old_key_stays_dead::<Handle32<u64, 30>>();
    every_old_key_stays_dead::<Serial<u64>>();
}

#[test]
fn detached_and_retired_slots_stay_where_they_are() {
    let mut arena: Arena<u32, Handle32<u32, 30>> = Arena::with_key();
    let keys: Vec<_> = arena.insert_many(0..10).collect();
    for _ in 0..2 {
        let key = arena.key_of_slot(2).unwrap();
        arena.remove(key);
        arena.try_insert(2).unwrap();
    }
    arena.remove(keys[0]);
    arena.detach(keys[4]);
    arena.detach(keys[9]);
    arena.remove(keys[5]);
    let before = arena.stats();
    assert_eq!((before.retired, before.detached), (1, 2));
    let mut moves = Vec::new();
    arena.compact(|old, new, _| moves.push((old.slot(), new.slot())));
    arena.validate();
    assert!(moves.iter().all(|&(_, to)| ![2, 4, 9].contains(&to)), "{moves:?}");
    let stats = arena.stats();
    assert_eq!((stats.retired, stats.detached), (1, 2));
    assert!(arena.reattach(keys[4], 4).is_ok() && arena.reattach(keys[9], 9).is_ok());
    arena.validate();
    assert_eq!(arena.values().copied().collect::<HashSet<_>>().len(), arena.len());
}

#[test]
fn where_user_code_panics_what_it_was_told_is_done() {
    for (reuse, at) in ORDERS.iter().flat_map(|&reuse| (0..5).map(move |at| (reuse, at))) {
        let drops = Drops::default();
        let mut arena = Arena::builder().reuse(reuse).build();
        let keys: Vec<_> = arena.insert_many((0..10).map(|number| drops.object(number))).collect();
        for key in keys.iter().take(5) {
            arena.remove(*key);
        }
        let mut told = Vec::new();
        let outcome = attempt(|| {
            arena.compact(|old, new, _| {
                told.push((old, new));
                assert_ne!(told.len(), at + 1, "as it was asked to");
            });
        });
        assert!(outcome.is_err());
        arena.validate();
        assert_eq!((told.len(), arena.len(), drops.count()), (at + 1, 5, 5));
        for (number, &key) in keys.iter().enumerate().skip(5) {
            let now = told.iter().find(|(old, _)| *old == key).map_or(key, |&(_, new)| new);
            assert_eq!(arena[now].number as usize, number);
            assert_eq!(arena.contains_key(key), now == key);
        }
        let next = arena.insert(drops.object(10));
        assert_eq!(next.slot() as usize, at + 1, "the lowest hole is next");
        drop(arena);
        assert_eq!(drops.count(), 11);
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
fn values_without_a_size_move_too() {
    let mut arena = Arena::from_iter([(); 200]);
    arena.retain(|key, ()| key.slot() % 2 == 1);
    arena.compact(|_, _, _| {});
    arena.validate();
    assert_eq!((arena.len(), arena.stats().slots), (100, 100));
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
    assert!(panic_of(|| arena[Handle::DANGLING]).message.contains("dangling"));
    assert!(matches!(Arena::<u8>::fixed(0).try_reserve(1), Err(TryReserveError::Full { .. })));
}

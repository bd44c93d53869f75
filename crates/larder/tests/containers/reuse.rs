//! The order in which packed slots are used again, as `Reuse::Packed` documents it.

use larder::{Arena, Handle};

fn arena_of(len: u32) -> (Arena<u32>, Vec<Handle<u32>>) {
    let mut arena = Arena::new();
    let keys = arena.insert_many(0..len).collect();
    (arena, keys)
}

/// Every seventh slot or so, in no order.
fn scattered(len: u32, count: usize) -> Vec<u32> {
    (0..len).map(|n| n * 7_919 % len).take(count).collect()
}

fn remove_each(arena: &mut Arena<u32>, keys: &[Handle<u32>], slots: &[u32]) {
    for &slot in slots {
        arena.remove(keys[slot as usize]).expect("a live key");
    }
    arena.validate();
}

fn next_slots(arena: &mut Arena<u32>, count: usize) -> Vec<u32> {
    let slots = (0..count).map(|_| arena.insert(0).slot()).collect();
    arena.validate();
    slots
}

fn reversed(slots: &[u32]) -> Vec<u32> {
    slots.iter().rev().copied().collect()
}

fn sorted(slots: &[u32]) -> Vec<u32> {
    let mut slots = slots.to_vec();
    slots.sort_unstable();
    slots
}

#[test]
fn what_was_freed_last_is_used_first() {
    let (mut arena, keys) = arena_of(1_000);
    let holes = scattered(1_000, 16);
    remove_each(&mut arena, &keys, &holes);
    assert_eq!(next_slots(&mut arena, 16), reversed(&holes));
    assert_eq!(arena.insert(0).slot(), 1_000, "no hole is left");
}

#[test]
fn as_many_are_remembered_as_the_number_of_slots_allows() {
    let sizes = [(100, 16), (300, 32), (600, 64), (1_000, 128), (20_000, 128), (300_000, 1_024)];
    let few = if cfg!(miri) { 2 } else { sizes.len() };
    for &(slots, most) in &sizes[..few] {
        let (mut arena, keys) = arena_of(slots);
        let mut holes = scattered(slots, most + 1);
        let last = holes.pop().expect("it is the one too many");
        remove_each(&mut arena, &keys, &holes);
        let mut fuller = arena.clone();
        assert_eq!(next_slots(&mut arena, most), reversed(&holes), "{slots} slots");
        // One more, and all are looked up, lowest first.
        fuller.remove(keys[last as usize]).expect("a live key");
        holes.push(last);
        assert_eq!(next_slots(&mut fuller, most + 1), sorted(&holes), "{slots} slots");
    }
}

#[test]
fn what_is_not_remembered_is_used_in_the_span_begun_and_then_from_the_lowest() {
    let (mut arena, _) = arena_of(10_000);
    let remove = |arena: &mut Arena<u32>, slots: core::ops::Range<u32>| {
        arena.retain(|key, _| !slots.contains(&key.slot()));
    };
    // Nothing is remembered of slots that go at once. Thirty-two are looked up at a time, here from the span that
    // begins with 3,072.
    remove(&mut arena, 3_200..3_240);
    assert!(next_slots(&mut arena, 32).into_iter().eq(3_200..3_232));
    remove(&mut arena, 10..14);
    remove(&mut arena, 3_072..3_074);
    remove(&mut arena, 4_000..4_002);
    remove(&mut arena, 5_000..5_003);
    let span = (3_232..3_240).chain(4_000..4_002);
    let rest = (10..14).chain(3_072..3_074).chain(5_000..5_003);
    assert!(next_slots(&mut arena, 19).into_iter().eq(span.chain(rest)));
}

#[test]
fn after_a_clear_slots_are_used_in_ascending_order() {
    let (mut arena, keys) = arena_of(5_000);
    remove_each(&mut arena, &keys, &scattered(5_000, 1_500));
    arena.clear();
    assert!(next_slots(&mut arena, 5_001).into_iter().eq(0..5_001));
}

#[test]
fn asking_for_the_next_slot_settles_nothing() {
    let life = |asks: bool| {
        let (mut arena, _) = arena_of(64);
        arena.retain(|key, _| !(40..60).contains(&key.slot()));
        if asks {
            assert_eq!(arena.vacant_entry().key().slot(), 40);
        }
        arena.retain(|key, _| key.slot() >= 10);
        next_slots(&mut arena, 31)
    };
    assert_eq!(life(true), life(false));
    assert!(life(false).into_iter().eq((0..10).chain(40..60).chain([64])));
}

#[test]
fn shrinking_where_no_slot_goes_forgets_none_that_was_freed_last() {
    let (mut arena, keys) = arena_of(1_000);
    remove_each(&mut arena, &keys, &[3, 900, 700]);
    arena.shrink_to_fit();
    assert_eq!(next_slots(&mut arena, 3), [700, 900, 3]);
}

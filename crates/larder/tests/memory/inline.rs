//! Values inside their owner. (That inline arenas do what the model does is in `history`.)

use core::mem::MaybeUninit;
use larder::{
    Handle, Handle32, InlineArena, TryReserveError,
    key::{BareHandle, Serial},
};
use larder_testing::allocator::requests_of;
use larder_testing::caught::panic_of;
use larder_testing::common::address;
use std::sync::Mutex;

#[test]
fn b8_e3_inside_its_owner_and_never_allocates() {
    struct Owner {
        before: u64,
        parts: InlineArena<[u64; 2], 10>,
        after: u64,
    }

    let (requests, owner) = requests_of(|| {
        let mut owner = Owner { before: 1, parts: InlineArena::new(), after: 2 };
        let keys: [_; 10] = core::array::from_fn(|part| owner.parts.insert([part as u64; 2]));
        owner.parts.detach(keys[3]);
        owner.parts.retain(|key, _| key.slot() != 7);
        owner.parts.extend([[7; 2]]);
        assert!(owner.parts.reattach(keys[3], [3; 2]).is_ok());
        owner
    });
    assert_eq!((requests, owner.parts.len()), (0, 10));
    let owner_at = core::ptr::from_ref(&owner).addr();
    let inside = owner_at..owner_at + size_of::<Owner>();
    for (key, part) in &owner.parts {
        assert_eq!(part, &[u64::from(key.slot()); 2]);
        assert!(inside.contains(&core::ptr::from_ref(part).addr()));
    }
    assert_eq!((owner.before, owner.after), (1, 2));
}

#[test]
fn b8_in_a_static() {
    static WORDS: Mutex<InlineArena<&str, 300>> = Mutex::new(InlineArena::new());
    let key = WORDS.lock().unwrap().insert("word");
    assert_eq!(WORDS.lock().unwrap()[key], "word");
    assert_eq!(WORDS.lock().unwrap().remove(key), Some("word"));
}

#[test]
fn an_all_zero_value_is_empty_and_works() {
    macro_rules! works {
        ($Arena:ty) => {
            // SAFETY: that all zero is a valid one is what the type promises.
            let mut arena: $Arena = unsafe { MaybeUninit::zeroed().assume_init() };
            arena.validate();
            assert_eq!((arena.len(), arena.capacity() - arena.len()), (0, 70));
            let keys: Vec<_> = arena.insert_many(0..70_u32).collect();
            assert!(arena.try_insert(70).is_err());
            assert_eq!(arena.remove(keys[69]), Some(69));
            arena.validate();
            let mut fresh = <$Arena>::with_key();
            let others: Vec<_> = fresh.insert_many(0..70).collect();
            assert_eq!(others, keys);
        };
    }
    works!(InlineArena<u32, 70>);
    works!(InlineArena<u32, 70, Handle32<u32>>);
    works!(InlineArena<u32, 70, Serial<u32>>);
    works!(InlineArena<u32, 70, BareHandle<u32>>);
}

#[test]
fn moving_it_moves_the_values_and_keys_go_on() {
    let mut arena = InlineArena::<String, 3>::new();
    let a = arena.insert("a".into());
    let before = address(&arena[a]);
    let boxed = Box::new(arena);
    assert_ne!(address(&boxed[a]), before);
    assert_eq!((boxed[a].as_str(), boxed.key_of(&boxed[a])), ("a", Some(a)));
    let (moved, other) = (*boxed, InlineArena::<String, 3>::from_iter(["x".into()]));
    assert_eq!(moved.key_of(&other[a]), None);
}

#[test]
fn a9_the_lowest_slot_is_used_first() {
    let mut arena = InlineArena::<u32, 200>::from_iter(0..200);
    let keys: Vec<_> = arena.keys().collect();
    for slot in [150, 3, 70, 199, 64] {
        arena.remove(keys[slot]);
    }
    let slots: Vec<_> = arena.insert_many(0..5).map(|key: Handle<u32>| key.slot()).collect();
    assert_eq!(slots, [3, 64, 70, 150, 199]);
}

#[test]
fn full_says_so_at_the_callers_line() {
    let mut arena = InlineArena::<char, 2>::from_iter(['a', 'b']);
    let refused = arena.try_insert('c').unwrap_err();
    assert_eq!((refused.value, refused.reason), ('c', TryReserveError::Full { capacity: 2 }));
    assert!(arena.try_vacant_entry().is_err());
    let panic = panic_of(|| arena.insert('c'));
    assert!(panic.message.contains("InlineArena<char>"), "{}", panic.message);
    assert!(panic_of(|| arena.reserve(1)).message.contains("room for 2 values"));
    assert!(panic_of(|| arena.insert_many(['c'])).message.contains("full"));
    assert!(panic_of(|| InlineArena::<_, 1>::from_iter([1, 2])).message.contains("full"));
    let gone = arena.keys().next().unwrap();
    arena.remove(gone);
    assert!(panic_of(|| arena[gone]).message.contains("slot 0 is free"));
}

#[test]
fn e14_a_walk_ends_at_the_upper_bound() {
    let mut arena = Box::new(InlineArena::<u32, 10_000>::new());
    arena.extend(0..10);
    let usage = arena.stats().memory;
    assert_eq!((usage.values, usage.holes, usage.unused), (40, 0, 9_990 * 8));
    assert_eq!([usage.committed, usage.reserved], [size_of_val(&*arena); 2]);
    assert_eq!(usage.bookkeeping, usage.committed - 40 - 9_990 * 8);
    assert_eq!((arena.stats().slots, arena.values().sum::<u32>()), (10, 45));
    assert!(arena.values().rev().copied().eq((0..10).rev()));
}

//! Going back that refused memory, a panic or the last generation cuts short; and keys that stay dead.

use larder::key::Serial;
use larder::track::{Reversible, Revert, TrackError, Tracked};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, InlineArena, Key, PagedArena, Pool, Reuse, SoaArena,
};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::{attempt, panicking_after};
use larder_testing::common::REUSE_ORDERS;

use crate::falling::Falling;
use crate::going_back::{Item, Plain, Ship, Small, Spot};

/// A slot that is begun after the checkpoint, and comes to its last generation.
fn last_generation<A: Plain>(make: fn(Reuse) -> A) {
    for reuse in REUSE_ORDERS {
        let mut tracked = Tracked::new(make(reuse));
        tracked.insert(Item::new(0));
        let before = tracked.checkpoint();
        for number in 0..3 {
            let key = tracked.insert(Item::new(number));
            assert!(tracked.remove(key).is_some());
        }
        let last = tracked.insert(Item::new(3));
        assert_eq!((tracked.undo(), tracked.redo()), (Ok(true), Ok(true)));
        assert!(tracked.contains_key(last));
        assert_eq!(tracked.rollback(before), Ok(()));
        assert_eq!(tracked.account()[..2], [1, 0], "{reuse:?}");
        let mut container = tracked.into_inner();
        assert!(container.add(1).is_some());
        container.account();
    }
}

#[test]
fn the_last_generation_is_undone_redone_and_rolled_back() {
    last_generation::<Arena<Spot, Small>>(Plain::make);
    last_generation::<PagedArena<Spot, Small>>(Plain::make);
    last_generation::<SoaArena<Ship, Small>>(Plain::make);
    // (Otherwise these have slots that were used before.)
    last_generation::<DenseArena<Spot, Small>>(|reuse| {
        DenseArena::builder_with_key().reuse(reuse).build()
    });
    last_generation::<DenseSoaArena<Ship, Small>>(|reuse| {
        DenseSoaArena::builder_with_key().reuse(reuse).build()
    });
}

/// Several steps back, with memory refused at each request once: in the end all is as it was. (Keys that were undone are
/// passed over.)
fn goes_back_in_the_end<A: Plain>() {
    for grants in 0.. {
        let mut tracked = Tracked::new(A::make(Reuse::Packed));
        let insert = |tracked: &mut Tracked<A>| tracked.insert(Item::new(7));
        let keys = [(); 4].map(|()| insert(&mut tracked));
        tracked.checkpoint();
        assert!(tracked.remove(keys[3]).is_some());
        let undone = [(); 3].map(|()| insert(&mut tracked));
        assert_eq!(tracked.undo(), Ok(true));
        let seen = |tracked: &Tracked<A>| (tracked.entries(), tracked.account());
        let then = seen(&tracked);
        let first = tracked.checkpoint();
        assert!(tracked.remove(keys[0]).is_some());
        let second = tracked.checkpoint();
        (5..9).for_each(|_| _ = insert(&mut tracked));
        assert!(tracked.remove(keys[2]).is_some());
        tracked.checkpoint();
        assert!(tracked.remove(keys[1]).is_some());
        insert(&mut tracked);
        let _subscriber = tracked.subscribe();
        let (refused, outcome) = refusing_after(grants, false, || tracked.rollback(first));
        if outcome.is_err() {
            assert!(matches!(outcome, Err(TrackError::Memory(_))), "{outcome:?}");
            // It may have come to the second checkpoint, which is there then.
            if tracked.rollback(second).is_ok() {
                assert!(!tracked.contains_key(keys[0]) && tracked.contains_key(keys[2]));
            }
            assert_eq!(tracked.rollback(first), Ok(()));
        }
        assert_eq!(seen(&tracked), then, "after {grants} grants");
        let next = [(); 3].map(|()| insert(&mut tracked));
        assert!(undone.iter().all(|key| !next.contains(key)), "after {grants} grants");
        tracked.account();
        if !refused {
            assert!(grants > 0);
            return;
        }
    }
}

#[test]
fn refused_memory_on_the_way_back_loses_nothing() {
    goes_back_in_the_end::<Arena<Spot, Handle<Spot>>>();
    goes_back_in_the_end::<PagedArena<Spot, Small>>();
    goes_back_in_the_end::<DenseArena<Spot>>();
    goes_back_in_the_end::<DenseSoaArena<Ship, Small>>();
    goes_back_in_the_end::<SoaArena<Ship, Small>>();
    goes_back_in_the_end::<Pool<Spot, Serial<Spot>>>();
}

/// Slots that were begun and undone have records where a step before them is gone back to. If memory is refused then,
/// these are no records of the step: it is undone and done again with what has come there since.
fn no_record_is_left<A: Plain>(make: fn(Reuse) -> A) {
    for (grants, reuse) in (0..8).flat_map(|grants| REUSE_ORDERS.map(|reuse| (grants, reuse))) {
        let mut tracked = Tracked::new(make(reuse));
        tracked.insert(Item::new(0));
        let first = tracked.checkpoint();
        tracked.checkpoint();
        (1..3).for_each(|number| _ = tracked.insert(Item::new(number)));
        assert_eq!(tracked.undo(), Ok(true));
        let (_, outcome) = refusing_after(grants, true, || tracked.rollback(first));
        if outcome.is_ok() {
            continue;
        }
        tracked.insert(Item::new(3));
        let now = tracked.entries();
        assert_eq!((tracked.undo(), tracked.entries().len()), (Ok(true), 1));
        assert_eq!((tracked.redo(), tracked.entries()), (Ok(true), now), "{grants} {reuse:?}");
        tracked.account();
    }
}

#[test]
fn a_rollback_that_is_refused_leaves_no_record() {
    no_record_is_left::<Arena<Spot, Small>>(Plain::make);
    no_record_is_left::<Pool<Spot, Serial<Spot>>>(Plain::make);
    no_record_is_left::<DenseArena<Spot, Small>>(|reuse| {
        DenseArena::builder_with_key().reuse(reuse).build()
    });
}

#[test]
fn checkpoints_that_are_given_up_are_lost_whatever_panics() {
    let mut tracked = Tracked::new(Arena::new());
    let keys: Vec<_> = (0..200).map(|number| tracked.insert(Falling(number))).collect();
    let before = tracked.checkpoint();
    keys[..64].iter().for_each(|&key| tracked.get_mut(key).unwrap().0 = 5_000);
    let mut add = || keys[64..].iter().for_each(|&key| tracked.get_mut(key).unwrap().0 += 1);
    let outcome = refusing_after(0, false, || panicking_after(0, &mut add));
    assert_eq!(outcome, (true, true), "it was refused, and panicked");
    tracked.get_mut(keys[150]).unwrap().0 = 6_000;
    assert_eq!(tracked.rollback(before), Err(TrackError::Lost));
    let now = tracked.checkpoint();
    tracked.get_mut(keys[150]).unwrap().0 = 7_000;
    assert_eq!(tracked.rollback(now), Ok(()));
    assert_eq!((tracked[keys[0]].0, tracked[keys[150]].0), (5_000, 6_000));
}

#[test]
fn what_is_forgotten_is_not_redone_whatever_panics() {
    let mut tracked = Tracked::new(Arena::new());
    let [one, other] = [1, 10].map(|number| tracked.insert(Falling(number)));
    tracked.checkpoint();
    tracked.get_mut(one).unwrap().0 = 2;
    tracked.checkpoint();
    tracked.get_mut(other).unwrap().0 = 20;
    assert_eq!(tracked.undo(), Ok(true));
    assert!(panicking_after(0, || tracked.forget_all()));
    tracked.get_mut(other).unwrap().0 = 555;
    assert_eq!((tracked.redo(), tracked.undo()), (Ok(false), Ok(false)));
    assert_eq!(tracked[other].0, 555);
}

#[test]
fn detached_keys_that_are_undone_are_dead_and_their_slots_are_used_again() {
    let mut tracked = Tracked::new(Arena::new());
    tracked.checkpoint();
    let key = tracked.insert(1);
    assert_eq!((tracked.detach(key), tracked.undo()), (Some(1), Ok(true)));
    assert!(tracked.reattach(key, 2).is_err());
    assert_eq!(tracked.redo(), Ok(true));
    assert!(tracked.reattach(key, 2).is_ok());
    tracked.validate();

    let mut tracked = Tracked::new(DenseArena::new());
    for _ in 0..1_000 {
        tracked.checkpoint();
        let key = tracked.insert(1);
        assert_eq!((tracked.detach(key), tracked.undo()), (Some(1), Ok(true)));
    }
    assert_eq!((tracked.stats().detached, tracked.stats().slots), (0, 1));
    tracked.validate();
}

/// Detached keys that are discarded, alone and by `clear`, are detached again where that is undone or rolled back.
fn discards_and_goes_back<A: Plain>() {
    for reuse in REUSE_ORDERS {
        let mut tracked = Tracked::new(A::make(reuse));
        let [live, one, other] = [1, 2, 3].map(|number| tracked.insert(Item::new(number)));
        assert!([one, other].iter().all(|&key| tracked.detach(key).is_some()));
        assert!(!tracked.discard_detached(live) && !tracked.discard_detached(A::Key::DANGLING));
        let counts = |tracked: &Tracked<A>| [tracked.account()[0], tracked.account()[2]];
        let are_kept = |tracked: &Tracked<A>| {
            let mut copy = tracked.clone();
            [one, other].map(|key| copy.reattach(key, Item::new(9)).is_ok())
        };

        let before = tracked.checkpoint();
        assert!(tracked.discard_detached(one) && !tracked.discard_detached(one));
        let next = tracked.insert(Item::new(4));
        assert!(next != one && tracked.reattach(one, Item::new(9)).is_err());
        assert_eq!((counts(&tracked), are_kept(&tracked)), ([2, 1], [false, true]));
        tracked.checkpoint();
        tracked.clear();
        assert_eq!((counts(&tracked), are_kept(&tracked)), ([0, 0], [false; 2]));
        assert_eq!(tracked.undo(), Ok(true));
        assert_eq!((counts(&tracked), are_kept(&tracked)), ([2, 1], [false, true]));
        assert_eq!(tracked.undo(), Ok(true));
        assert_eq!((counts(&tracked), are_kept(&tracked)), ([1, 2], [true; 2]));
        assert_eq!((tracked.redo(), tracked.redo()), (Ok(true), Ok(true)));
        assert_eq!((counts(&tracked), are_kept(&tracked)), ([0, 0], [false; 2]));

        assert_eq!(tracked.rollback(before), Ok(()));
        assert_eq!((counts(&tracked), are_kept(&tracked)), ([1, 2], [true; 2]));
        assert!(tracked.discard_detached(one));
        let undone = tracked.insert(Item::new(4));
        assert_eq!(tracked.undo(), Ok(true));
        assert!(tracked.discard_detached(one));
        let instead = [(); 5].map(|()| tracked.insert(Item::new(5)));
        assert!(!instead.contains(&one) && !instead.contains(&undone), "they stay stale");
        assert!(tracked.reattach(other, Item::new(9)).is_ok());
    }
}

#[test]
fn detached_keys_are_discarded_and_come_back() {
    discards_and_goes_back::<Arena<Spot>>();
    discards_and_goes_back::<Arena<Spot, Serial<Spot>>>();
    discards_and_goes_back::<PagedArena<Spot, Small>>();
    discards_and_goes_back::<InlineArena<Spot, 300, Small>>();
    discards_and_goes_back::<Pool<Ship, Small>>();
    discards_and_goes_back::<DenseArena<Spot>>();
    discards_and_goes_back::<DenseSoaArena<Ship, Small>>();
    discards_and_goes_back::<SoaArena<Ship, Small>>();
}

/// A table that is full of detached keys has room again; a drain discards none, as the container's.
#[test]
fn detached_keys_are_no_more_room_than_a_table_has() {
    let mut tracked = Tracked::new(InlineArena::<u32, 2>::new());
    for _ in 0..3 {
        let keys = [1, 2].map(|number| tracked.insert(number));
        assert!(keys.iter().all(|&key| tracked.detach(key).is_some()));
        assert_eq!((tracked.drain().count(), tracked.stats().detached), (0, 2));
        assert!(tracked.try_insert(3).is_err());
        assert!(tracked.discard_detached(keys[0]) && tracked.try_insert(3).is_ok());
        assert!(tracked.try_insert(4).is_err());
        tracked.clear();
        assert_eq!((tracked.len(), tracked.stats().detached), (0, 0));
    }
}

/// The last generation of a slot: discarded, it is retired.
#[test]
fn a_slot_that_is_retired_when_its_key_is_discarded_comes_back() {
    let mut tracked = Tracked::new(Arena::<Spot, Small>::with_key());
    let keys = [(); 4].map(|()| {
        let key = tracked.insert(Item::new(0));
        assert!(tracked.detach(key).is_some());
        tracked.checkpoint();
        assert!(tracked.discard_detached(key));
        key
    });
    assert!(keys.iter().all(|key| key.slot() == 0), "it is one slot");
    assert_eq!((tracked.account(), tracked.undo()), ([0, 0, 0, 1, 1], Ok(true)));
    assert_eq!((tracked.account(), tracked.redo()), ([0, 0, 1, 0, 1], Ok(true)));
    assert_eq!((tracked.account(), tracked.undo()), ([0, 0, 0, 1, 1], Ok(true)));
    assert!(tracked.reattach(keys[3], Item::new(1)).is_ok());
}

#[test]
fn a_refused_undo_leaves_the_keys_of_a_rollback() {
    keys_after_a_refused_undo::<Handle<u32>>();
    // These are counted over the whole container.
    keys_after_a_refused_undo::<Serial<u32>>();
}

fn keys_after_a_refused_undo<K: Key>()
where
    DenseArena<u32, K>: Revert<Key = K, Value = u32>,
    Tracked<DenseArena<u32, K>>: Reversible,
{
    for grants in 0.. {
        let mut tracked = Tracked::new(DenseArena::<u32, K>::with_key());
        let key = tracked.insert(0);
        tracked.remove(key);
        let before = tracked.checkpoint();
        let first = tracked.insert(1);
        tracked.remove(first);
        let (_, outcome) = refusing_after(grants, true, || tracked.undo());
        if outcome.is_ok() {
            assert!(grants > 2);
            return;
        }
        assert_eq!(tracked.rollback(before), Ok(()));
        assert_eq!(tracked.insert(1), first, "after {grants} grants");
    }
}

#[test]
fn what_is_refused_forgets_nothing_that_was_undone() {
    for grants in 0.. {
        let mut tracked = Tracked::new(Arena::builder().reuse(Reuse::Lifo).build());
        let keys = [1, 2, 3].map(|number| tracked.insert(number));
        tracked.remove(keys[2]);
        tracked.checkpoint();
        tracked.remove(keys[0]);
        // (Free slots, once they are undone, of which the next checkpoint has a list.)
        (0..40).for_each(|number| _ = tracked.insert(number));
        assert_eq!(tracked.undo(), Ok(true));
        let (_, outcome) = refusing_after(grants, true, || tracked.try_checkpoint().is_ok());
        assert_eq!(tracked.redo(), Ok(!outcome), "after {grants} grants");
        if outcome {
            assert!(grants > 0);
            break;
        }
    }

    let mut tracked = Tracked::new(Arena::from_iter([1, 2, 3]));
    let keys: Vec<_> = tracked.keys().collect();
    tracked.checkpoint();
    *tracked.get_mut(keys[0]).unwrap() = 10;
    assert_eq!(tracked.undo(), Ok(true));
    let (refused, panicked) =
        refusing_after(0, false, || attempt(|| tracked.detach(keys[1])).is_err());
    assert!(refused && panicked);
    assert_eq!(tracked.redo(), Ok(true));
    assert_eq!(tracked.get(keys[1]), Some(&2));
}

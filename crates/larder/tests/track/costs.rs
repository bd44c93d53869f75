//! The costs of recording and of going back: room, memory, and values that take the place of others.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use larder::track::{Insert, Reversible, Revert, Track, TrackError, Tracked};
use larder::{Arena, DenseArena, InlineArena, PagedArena, Pool, Reuse, SoaArena};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::panicking_after;
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all, set_nerve};
use larder_testing::values::Value;

/// All values are lent at once, and all of them are put back.
macro_rules! lent_at_once {
    ($($container:expr, |$value:ident| $number:expr;)*) => {$(
        for slots in [1_u32, 63, 64, 65, 128, 200] {
            let mut tracked = Tracked::new($container);
            let keys: Vec<_> = (0..slots).map(|number| tracked.insert(number)).collect();
            keys.iter().skip(2).step_by(3).for_each(|&key| assert!(tracked.remove(key).is_some()));
            let (mut subscriber, before) = (tracked.subscribe(), tracked.checkpoint());
            let then = (*tracked).clone();
            tracked.iter_mut().for_each(|(_, $value)| $number += 1_000);
            let (now, changes) = ((*tracked).clone(), tracked.poll(&mut subscriber).expect("it is its own"));
            assert_eq!(changes.changed().len(), now.len());
            assert!(changes.inserted().is_empty() && changes.removed().is_empty());
            assert!(now.values().zip(then.values()).all(|(now, then)| *now == *then + 1_000));
            tracked.rollback(before).expect("it is held");
            assert!(tracked.iter().eq(then.iter()), "all of {slots} slots are put back");
            let slots = then.live_words().flat_map(|(word, live)| {
                (0..64).filter(move |bit| live >> bit & 1 == 1).map(move |bit| word * 64 + bit)
            });
            let mut live: Vec<_> = then.keys().map(|key| key.slot() as usize).collect();
            live.sort_unstable();
            assert!(slots.eq(live));
        }
    )*};
}

#[test]
fn all_values_that_are_lent_at_once_are_recorded() {
    lent_at_once! {
        Arena::new(), |value| *value;
        Arena::with_capacity(64), |value| *value; // all of whose words are of slots in use
        PagedArena::new(), |value| *value;
        InlineArena::<u32, 256>::new(), |value| *value;
        Pool::new(|| 7_u32), |value| *value;
        DenseArena::new(), |value| *value;
    }
}

/// A container that was full is put back within the room that it has.
macro_rules! within_its_room {
    ($($container:expr;)*) => {$({
        let mut tracked = Tracked::new($container);
        let capacity = tracked.capacity();
        let keys: Vec<_> = (0..capacity as u32).map(|number| tracked.insert(number)).collect();
        let before = tracked.checkpoint();
        let then = (*tracked).clone();
        assert!(tracked.remove(keys[1]).is_some());
        tracked.insert(9);
        assert_eq!(tracked.undo(), Ok(true));
        assert_eq!((tracked.redo(), tracked.capacity()), (Ok(true), capacity));
        tracked.rollback(before).expect("it is held");
        assert!(tracked.capacity() == capacity && tracked.iter().eq(then.iter()));
    })*};
}

#[test]
fn a_full_container_is_put_back_within_its_room() {
    within_its_room! {
        Arena::fixed(4);
        Arena::with_capacity(8);
        InlineArena::<u32, 5>::new();
        DenseArena::fixed(4);
        DenseArena::with_capacity(8);
        Pool::fixed(4, || 0);
        SoaArena::fixed(4);
    }
}

#[test]
fn a_pool_that_is_put_back_makes_one_value_for_each_that_goes() {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let mut tracked = Tracked::new(Pool::with_capacity(20, || MADE.fetch_add(1, Relaxed)));
    let keys: Vec<_> = (0..10).map(|number| tracked.insert(number)).collect();
    let before = tracked.checkpoint();
    for others in 0..4 {
        for &key in &keys {
            *tracked.get_mut(key).expect("it is there") += 100;
        }
        (0..others).for_each(|number| _ = tracked.insert(number));
        MADE.store(0, Relaxed);
        tracked.rollback(before).expect("it is held");
        assert_eq!(MADE.load(Relaxed), others, "values that return take the place of others");
        assert!(tracked.values().copied().eq(0..10));
    }
}

/// If allocation fails, nothing has changed; later it goes back all the same.
fn refused_while_going_back<A>(mut tracked: Tracked<A>)
where
    A: Revert + Clone + PartialEq + Insert<Value = u32>,
{
    let keys: Vec<_> = (0..100).map(|number| tracked.insert(number)).collect();
    let (before, then) = (tracked.checkpoint(), (*tracked).clone());
    keys.iter().step_by(3).for_each(|&key| assert!(tracked.remove(key).is_some()));
    (0..90).for_each(|number| _ = tracked.insert(1_000 + number));
    let now = (*tracked).clone();
    for grants in 0.. {
        let (refused, outcome) = refusing_after(grants, true, || tracked.rollback(before));
        if outcome.is_ok() {
            assert!(!refused && *tracked == then);
            return;
        }
        assert!(refused && *tracked == now, "nothing has changed after {grants} grants");
        assert!(matches!(outcome, Err(TrackError::Memory(_))), "{outcome:?}");
    }
}

#[test]
fn going_back_is_refused_memory_at_every_step() {
    refused_while_going_back(Tracked::new(Arena::new()));
    refused_while_going_back(Tracked::new(DenseArena::new()));
    refused_while_going_back(Tracked::new(Pool::new(|| 0)));
}

/// Slots that come back need values, of which those of a pool are made before anything changes.
fn refused_while_redoing<A>(mut tracked: Tracked<A>)
where
    A: Revert + Clone + PartialEq + Insert<Value = u32>,
{
    tracked.checkpoint();
    (0..100).for_each(|number| _ = tracked.insert(number));
    let then = (*tracked).clone();
    assert_eq!(tracked.undo(), Ok(true));
    let now = (*tracked).clone();
    for grants in 0.. {
        let (refused, outcome) = refusing_after(grants, true, || tracked.redo());
        if outcome == Ok(true) {
            assert!(!refused && *tracked == then);
            return;
        }
        assert!(refused && *tracked == now, "nothing has changed after {grants} grants");
        assert!(matches!(outcome, Err(TrackError::Memory(_))), "{outcome:?}");
    }
}

#[test]
fn redoing_is_refused_memory_at_every_step() {
    refused_while_redoing(Tracked::new(Arena::new()));
    refused_while_redoing(Tracked::new(DenseArena::new()));
    refused_while_redoing(Tracked::new(Pool::new(|| 0)));
}

/// A value that returns has the generation that it had; what follows it in its slot has one that is new.
#[test]
fn a_slot_of_a_value_that_returned_goes_on_past_what_was_undone() {
    let mut tracked = Tracked::new(Arena::new());
    let first = tracked.insert(1_u32);
    tracked.checkpoint();
    assert_eq!(tracked.remove(first), Some(1_u32));
    let undone = tracked.insert(2);
    assert_eq!((undone.slot(), tracked.undo()), (first.slot(), Ok(true)));
    assert_eq!((tracked.get(first), tracked.get(undone)), (Some(&1_u32), None));
    assert_eq!(tracked.remove(first), Some(1_u32));
    let fresh = tracked.insert(3);
    assert_eq!(fresh.slot(), first.slot());
    assert!(fresh != undone && tracked.get(undone).is_none(), "{undone:?} came back");
}

/// The value that lay in a hole is dropped when another returns there: if that panics, the holes that are left are
/// used again, and the checkpoint is lost.
#[test]
fn free_slots_are_found_after_a_panic_while_going_back() {
    for reuse in [Reuse::Packed, Reuse::Fifo, Reuse::Lifo] {
        let lost: Vec<_> = (0..).map_while(|steps| going_back_panics(reuse, steps)).collect();
        assert!(lost.len() > 2 && lost.contains(&true), "{reuse:?}: {lost:?}");
    }
}

/// Returns whether the checkpoint is lost, if the drop after so many panicked.
fn going_back_panics(reuse: Reuse, steps: u32) -> Option<bool> {
    forget_all();
    let mut tracked = Tracked::new(Pool::builder(|| Touchy::make(0)).reuse(reuse).build());
    let keys: Vec<_> = (0..6).map(|id| tracked.insert(Touchy::make(id))).collect();
    let before = tracked.checkpoint();
    drop([keys[4], keys[1]].map(|key| tracked.remove(key)));
    let _ = [7, 8].map(|id| tracked.insert(Touchy::make(id)));
    drop([keys[0], keys[3], keys[2]].map(|key| tracked.remove(key)));
    set_nerve(Nerve::Drop);
    let panicked = panicking_after(steps, || _ = tracked.rollback(before));
    set_nerve(Nerve::None);
    tracked.validate();
    let free = tracked.stats().holes;
    let slots: Vec<_> = (0..free).map(|_| tracked.insert(Touchy::make(9)).slot()).collect();
    assert!(slots.iter().all(|&slot| slot < 6), "{slots:?}");
    assert!(slots.is_sorted() || reuse != Reuse::Packed, "{slots:?}");
    // Either the checkpoint is lost, or what panicked was what the container no longer had.
    let again = tracked.rollback(before);
    let ids = || keys.iter().map(|&key| tracked.get(key).map(Value::id));
    assert!(again == Err(TrackError::Lost) && panicked || ids().eq((0..6).map(Some)), "{again:?}");
    let now = tracked.checkpoint();
    let (len, key) = (tracked.len(), tracked.insert(Touchy::make(10)));
    assert_eq!(tracked.rollback(now), Ok(()));
    assert!(!tracked.contains_key(key) && tracked.len() == len);
    drop(tracked);
    assert_eq!(count_alive(), 0);
    panicked.then_some(again.is_err())
}

/// Keys that were undone stay dead, also if undoing panicked.
#[test]
fn undone_keys_stay_dead_after_a_panic_while_undoing() {
    let panics = (0..).take_while(|&steps| panics_while_undoing(steps)).count();
    assert!(panics > 0);
}

/// Returns whether the drop after so many panicked.
fn panics_while_undoing(steps: u32) -> bool {
    forget_all();
    let mut tracked = Tracked::new(Pool::new(|| Touchy::make(0)));
    let [kept, gone] = [1, 2].map(|id| tracked.insert(Touchy::make(id)));
    tracked.checkpoint();
    drop(tracked.remove(kept));
    let undone = tracked.insert(Touchy::make(3));
    assert_eq!(undone.slot(), kept.slot());
    drop(tracked.remove(gone));
    set_nerve(Nerve::Drop);
    let panicked = panicking_after(steps, || _ = tracked.undo());
    set_nerve(Nerve::None);
    tracked.validate();
    assert_eq!(tracked.undo(), Ok(false), "there is no checkpoint any more");
    let is_back = tracked.contains_key(kept);
    drop([kept, undone].map(|key| tracked.remove(key)));
    let next = [4, 5].map(|id| tracked.insert(Touchy::make(id)));
    assert!(!next.contains(&undone), "{undone:?} came back");
    assert!(is_back || panicked);
    drop(tracked);
    assert_eq!(count_alive(), 0);
    panicked
}

//! The costs of recording and of going back: room, memory, and values that take the place of others.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use larder::key::Serial;
use larder::track::{Reversible, TrackError, Tracked};
use larder::{Arena, DenseArena, InlineArena, PagedArena, Pool, Reuse, SoaArena};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::panicking_after;
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all, set_nerve};
use larder_testing::values::Value;

use crate::going_back::{Item, Plain, Ship, Small, Spot};

/// All values are lent at once, and all of them are put back.
fn lent_at_once<A: Plain>(make: impl Fn() -> A) {
    for slots in [1, 63, 64, 65, 128, 200] {
        let mut tracked = Tracked::new(make());
        let keys: Vec<_> = (0..slots).map(|number| tracked.insert(Item::new(number))).collect();
        keys.iter().skip(2).step_by(3).for_each(|&key| assert!(tracked.remove(key).is_some()));
        let (mut subscriber, before) = (tracked.subscribe(), tracked.checkpoint());
        let then = tracked.entries();
        tracked.iter_mut().for_each(|(_, place)| A::write(place, 1_000));
        let changes = tracked.poll(&mut subscriber).expect("it is its own");
        assert_eq!(changes.changed().len(), then.len());
        assert!(changes.inserted().is_empty() && changes.removed().is_empty());
        assert!(tracked.entries().iter().all(|&(_, number)| number == 1_000));
        tracked.rollback(before).expect("it is held");
        assert_eq!(tracked.entries(), then, "all of {slots} slots are put back");
        let slots = tracked.live_words().flat_map(|(word, live)| {
            (0..64).filter(move |bit| live >> bit & 1 == 1).map(move |bit| word * 64 + bit)
        });
        let mut live: Vec<_> =
            tracked.live_keys().map(|key| larder::Key::slot(key) as usize).collect();
        live.sort_unstable();
        assert!(slots.eq(live));
    }
}

#[test]
fn all_values_that_are_lent_at_once_are_recorded() {
    lent_at_once(Arena::<Spot>::new);
    lent_at_once(|| Arena::<Spot>::with_capacity(64)); // all of whose words are of slots in use
    lent_at_once(PagedArena::<Spot, Small>::with_key);
    lent_at_once(InlineArena::<Spot, 300, Small>::with_key);
    lent_at_once(|| Pool::<Spot, Serial<Spot>>::with_key(|| Spot::new(7)));
    lent_at_once(DenseArena::<Spot>::new);
}

/// A container that was full is put back within the room that it has.
macro_rules! within_its_room {
    ($($container:expr;)*) => {$({
        let mut tracked = Tracked::new($container);
        let capacity = tracked.capacity();
        let keys: Vec<_> =
            (0..capacity as u64).map(|number| tracked.insert(Item::new(number))).collect();
        let (before, then) = (tracked.checkpoint(), tracked.entries());
        assert!(tracked.remove(keys[1]).is_some());
        tracked.insert(Item::new(9));
        assert_eq!(tracked.undo(), Ok(true));
        assert_eq!((tracked.redo(), tracked.capacity()), (Ok(true), capacity));
        tracked.rollback(before).expect("it is held");
        assert!(tracked.capacity() == capacity && tracked.entries() == then);
    })*};
}

#[test]
fn a_full_container_is_put_back_within_its_room() {
    within_its_room! {
        Arena::<Spot>::fixed(4);
        Arena::<Spot>::with_capacity(8);
        InlineArena::<Spot, 300, Small>::with_key();
        DenseArena::<Spot>::fixed(4);
        DenseArena::<Spot>::with_capacity(8);
        Pool::<Spot, Serial<Spot>>::builder_with_key(|| Spot::new(0)).fixed(4).build();
        SoaArena::<Ship, Small>::builder_with_key().fixed(4).build();
    }
}

#[test]
fn a_pool_that_is_put_back_makes_one_value_for_each_that_goes() {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let make = || Spot::new(MADE.fetch_add(1, Relaxed).into());
    let mut tracked =
        Tracked::new(Pool::<Spot, Serial<Spot>>::builder_with_key(make).capacity(20).build());
    let keys: Vec<_> = (0..10).map(|number| tracked.insert(Spot::new(number))).collect();
    let before = tracked.checkpoint();
    for others in 0..4 {
        for &key in &keys {
            tracked.get_mut(key).expect("it is there").x += 100;
        }
        (0..others).for_each(|number| _ = tracked.insert(Spot::new(number.into())));
        MADE.store(0, Relaxed);
        tracked.rollback(before).expect("it is held");
        assert_eq!(MADE.load(Relaxed), others, "values that return take the place of others");
        assert!(tracked.values().map(|spot| spot.x).eq(0..10));
    }
}

/// The values that a pool has made stay, as it says; all else is as it was.
#[test]
fn a_pool_keeps_what_it_has_made() {
    let mut pool = Tracked::new(Pool::<Spot, Serial<Spot>>::with_key(Spot::default));
    let first = pool.insert(Spot::new(1));
    let (then, made) = (pool.checkpoint(), pool.slots().len());
    let keys = [2, 3, 4].map(|x| pool.insert(Spot::new(x)));
    pool.rollback(then).expect("it is held");
    assert_eq!((pool.slots().len(), pool.stats().slots), (made + 3, 1));
    assert_eq!((pool[first].x, &pool.slots()[made..]), (1, &[Spot::default(); 3][..]));
    assert_eq!([2, 3, 4].map(|x| pool.insert(Spot::new(x))), keys);
}

/// If allocation fails on the way, nothing has changed; later it goes there all the same.
fn goes_at_last<A: Plain>(
    tracked: &mut Tracked<A>,
    then: &[(u128, u64)],
    go: impl Fn(&mut Tracked<A>) -> Result<(), TrackError>,
) -> usize {
    let now = tracked.entries();
    for grants in 0.. {
        let (refused, outcome) = refusing_after(grants, true, || go(tracked));
        if outcome.is_ok() {
            assert!(!refused && tracked.entries() == then);
            return grants;
        }
        assert!(refused && tracked.entries() == now, "it has changed after {grants} grants");
        assert!(matches!(outcome, Err(TrackError::Memory(_))), "{outcome:?}");
    }
    unreachable!("it goes there");
}

/// (Slots that come back need values, of which those of a pool are made before anything changes.)
fn is_refused_memory<A: Plain>(mut tracked: Tracked<A>) {
    tracked.checkpoint();
    let keys: Vec<_> = (0..100).map(|number| tracked.insert(Item::new(number))).collect();
    let (middle, then) = (tracked.checkpoint(), tracked.entries());
    keys.iter().step_by(3).for_each(|&key| assert!(tracked.remove(key).is_some()));
    (0..90).for_each(|number| _ = tracked.insert(Item::new(number)));
    let back = goes_at_last(&mut tracked, &then, |tracked| tracked.rollback(middle));
    assert_eq!((tracked.undo(), tracked.undo()), (Ok(true), Ok(true)));
    assert!(tracked.entries().is_empty());
    let again =
        goes_at_last(&mut tracked, &then, |tracked| tracked.redo().map(|is_done| assert!(is_done)));
    assert!(back + again > 0);
}

#[test]
fn memory_is_refused_at_every_step_of_the_way() {
    is_refused_memory(Tracked::new(Arena::<Spot>::new()));
    is_refused_memory(Tracked::new(DenseArena::<Spot>::new()));
    is_refused_memory(Tracked::new(Pool::<Spot, Serial<Spot>>::with_key(Spot::default)));
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
/// used again, and the checkpoint stays.
#[test]
fn free_slots_are_found_after_a_panic_while_going_back() {
    for reuse in [Reuse::Packed, Reuse::Fifo, Reuse::Lifo] {
        let panics = (0..).take_while(|&steps| going_back_panics(reuse, steps)).count();
        assert!(panics > 2, "{reuse:?}: {panics}");
    }
}

/// Returns whether a drop after this many others panicked.
fn going_back_panics(reuse: Reuse, steps: u32) -> bool {
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
    assert_eq!(tracked.rollback(before), Ok(()));
    assert!(keys.iter().map(|&key| tracked.get(key).map(Value::id)).eq((0..6).map(Some)));
    let now = tracked.checkpoint();
    let (len, key) = (tracked.len(), tracked.insert(Touchy::make(10)));
    assert_eq!(tracked.rollback(now), Ok(()));
    assert!(!tracked.contains_key(key) && tracked.len() == len);
    drop(tracked);
    assert_eq!(count_alive(), 0);
    panicked
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

//! Going back that refused memory, a panic or the last generation cuts short; and keys that stay dead.

use core::cell::Cell;
use core::fmt::Debug;

use larder::containers::Container;
use larder::key::Serial;
use larder::track::{Insert, Reversible, Revert, TrackError, Tracked};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, Key, PagedArena, Pool, Reuse, SoaArena,
};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::attempt;

use crate::going_back::Ship;

/// Keys of slots that have four objects.
type Short = Handle32<Ship, 29>;

/// A slot that is begun after the checkpoint, and comes to its last generation.
macro_rules! last_generations {
    ($($name:ident: $container:ident;)*) => {$(
        #[test]
        fn $name() {
            for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
                let builder = $container::<Ship, Short>::builder_with_key();
                let mut tracked = Tracked::new(builder.reuse(reuse).build());
                tracked.insert(Ship::new(0));
                let before = tracked.checkpoint();
                for number in 0..3 {
                    let key = tracked.insert(Ship::new(number));
                    tracked.remove(key);
                }
                let last = tracked.insert(Ship::new(3));
                assert_eq!((tracked.undo(), tracked.redo()), (Ok(true), Ok(true)));
                assert!(tracked.contains_key(last));
                assert_eq!(tracked.rollback(before), Ok(()));
                tracked.validate();
                let stats = tracked.stats();
                assert_eq!((stats.live, stats.holes), (1, 0), "{reuse:?}");
                let mut container = tracked.into_inner();
                container.insert(Ship::new(1));
                container.validate();
            }
        }
    )*};
}

last_generations! {
    the_last_generation_is_undone_redone_and_rolled_back: Arena;
    the_last_generation_in_blocks_is_undone_redone_and_rolled_back: PagedArena;
    the_last_generation_of_packed_rows_is_undone_redone_and_rolled_back: DenseArena;
    the_last_generation_of_packed_columns_is_undone_redone_and_rolled_back: DenseSoaArena;
    the_last_generation_of_columns_is_undone_redone_and_rolled_back: SoaArena;
}

/// Several steps back, with memory refused at each request once: in the end all is as it was.
fn goes_back_in_the_end<A>(new: impl Fn() -> A)
where
    A: Insert<Value = u32> + Revert + Clone + PartialEq + Debug,
{
    for grants in 0.. {
        let mut tracked = Tracked::new(new());
        let keys: Vec<_> = (0..4).map(|number| tracked.insert(number)).collect();
        let then = (*tracked).clone();
        let first = tracked.checkpoint();
        assert!(tracked.remove(keys[0]).is_some());
        let second = tracked.checkpoint();
        (5..9).for_each(|number| _ = tracked.insert(number));
        assert!(tracked.remove(keys[2]).is_some());
        tracked.checkpoint();
        assert!(tracked.remove(keys[1]).is_some());
        tracked.insert(9);
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
        assert_eq!(*tracked, then, "after {grants} grants");
        assert!(keys.iter().all(|&key| tracked.contains_key(key)));
        if !refused {
            assert!(grants > 0);
            return;
        }
    }
}

#[test]
fn refused_memory_on_the_way_back_loses_nothing() {
    goes_back_in_the_end(Arena::<u32>::new);
    goes_back_in_the_end(PagedArena::<u32>::new);
    goes_back_in_the_end(DenseArena::<u32>::new);
    goes_back_in_the_end(DenseSoaArena::<u32>::new);
    goes_back_in_the_end(SoaArena::<u32>::new);
    goes_back_in_the_end(|| Pool::new(|| 9_u32));
}

thread_local! {
    /// True if the next value that is dropped panics.
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

/// Panics once.
#[derive(Clone, Debug, PartialEq)]
struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!ARMED.replace(false), "dropped");
    }
}

#[test]
fn checkpoints_that_are_given_up_are_lost_whatever_panics() {
    let mut tracked = Tracked::new(Arena::new());
    let keys: Vec<_> = (0..200).map(|number| tracked.insert(Bomb(number))).collect();
    let before = tracked.checkpoint();
    keys[..64].iter().for_each(|&key| tracked.get_mut(key).unwrap().0 = 5_000);
    ARMED.set(true);
    let (refused, panicked) = refusing_after(0, false, || {
        attempt(|| keys[64..].iter().for_each(|&key| tracked.get_mut(key).unwrap().0 += 1)).is_err()
    });
    assert!(refused && panicked && !ARMED.get());
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
    let [one, other] = [1, 10].map(|number| tracked.insert(Bomb(number)));
    tracked.checkpoint();
    tracked.get_mut(one).unwrap().0 = 2;
    tracked.checkpoint();
    tracked.get_mut(other).unwrap().0 = 20;
    assert_eq!(tracked.undo(), Ok(true));
    ARMED.set(true);
    assert!(attempt(|| tracked.forget_all()).is_err());
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

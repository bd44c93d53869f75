//! Checkpoints and subscribers of another container, values that panic, and memory that is refused.

use larder::track::{Insert, Reversible, Revert, Track, TrackError, Tracked};
use larder::{Arena, DenseArena, InlineArena, Pool, Reuse};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::{attempt, panicking_after};
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all, set_nerve};
use larder_testing::values::Value;

#[test]
fn what_is_of_another_container_is_refused() {
    let (mut one, mut other) = (Tracked::new(Arena::new()), Tracked::new(Arena::new()));
    let (key, checkpoint, mut subscriber) = (one.insert(1), other.checkpoint(), other.subscribe());
    one.checkpoint();
    assert_eq!(one.rollback(checkpoint), Err(TrackError::Foreign));
    assert_eq!(one.forget(checkpoint), Err(TrackError::Foreign));
    assert_eq!(one.poll(&mut subscriber).err(), Some(TrackError::Foreign));
    let mut publisher = other.publish(1).expect("there is memory");
    assert_eq!(one.delta(&mut publisher), Err(TrackError::Foreign));
    assert_eq!(one.unpublish(publisher), Err(TrackError::Foreign));
    assert_eq!(one.unsubscribe(subscriber), Err(TrackError::Foreign));
    other.insert(2);
    assert_eq!(one[key], 1);
}

/// The message that `unwrap` prints says what to do next.
#[test]
fn errors_say_what_to_do_next() {
    let foreign = "Foreign (the checkpoint or subscriber belongs to another container: pass it to the one that made it)";
    let (mut one, mut other) = (Tracked::new(Arena::<u8>::new()), Tracked::new(Arena::<u8>::new()));
    let checkpoint = one.checkpoint();
    assert_eq!(format!("{:?}", other.rollback(checkpoint).unwrap_err()), foreign);
    one.forget_all();
    let gone = one.rollback(checkpoint).unwrap_err();
    assert!(gone.to_string().ends_with("or make a new one with `checkpoint`"), "{gone}");
    assert_eq!(format!("{gone:?}"), format!("Gone ({gone})"));
    let lost = TrackError::Lost;
    assert!(lost.to_string().contains("make new checkpoints"), "{lost}");
    assert_eq!(format!("{lost:?}"), format!("Lost ({lost})"));
    let refused = TrackError::Memory(larder::TryReserveError::AllocRefused { bytes: 8 });
    assert!(format!("{refused:?}").starts_with("Memory(") && !refused.to_string().is_empty());
}

/// A history with changes of every kind, and what it leaves.
fn trial<A>(tracked: &mut Tracked<A>)
where
    A: Insert<Value = Touchy> + Revert + for<'a> Track<RefMut<'a> = &'a mut Touchy> + 'static,
{
    let keys: Vec<_> = (0..6).map(|id| tracked.insert(Touchy::make(id))).collect();
    let first = tracked.checkpoint();
    drop(tracked.remove(keys[0]));
    tracked.checkpoint();
    tracked.iter_mut().for_each(|(_, value)| *value = Touchy::make(9));
    tracked.insert(Touchy::make(7));
    let _ = tracked.undo();
    let _ = tracked.redo();
    let _ = tracked.rollback(first);
    drop(tracked.remove(keys[1]));
    tracked.checkpoint();
    tracked.clear();
    let _ = tracked.undo();
    tracked.forget_all();
}

macro_rules! with_values_that_panic {
    ($($name:ident: $container:expr;)*) => {$(
        #[test]
        fn $name() {
            for nerve in [Nerve::Clone, Nerve::Drop] {
                for steps in 0.. {
                    forget_all();
                    let mut tracked = Tracked::new($container);
                    set_nerve(nerve);
                    let panicked = panicking_after(steps, || trial(&mut tracked));
                    set_nerve(Nerve::None);
                    tracked.validate();
                    let alive = tracked.len();
                    tracked.forget_all();
                    let now = tracked.checkpoint();
                    let key = tracked.insert(Touchy::make(3));
                    tracked.rollback(now).expect("it is held");
                    assert!(!tracked.contains_key(key) && tracked.len() == alive);
                    drop(tracked.into_inner());
                    assert_eq!(count_alive(), 0, "after {steps} steps");
                    if !panicked {
                        break;
                    }
                }
            }
        }
    )*};
}

with_values_that_panic! {
    values_that_panic_leave_everything_valid_and_nothing_dropped_twice: Arena::new();
    values_that_panic_leave_a_stack_of_free_slots_valid: Arena::builder().reuse(Reuse::Lifo).build();
    values_that_panic_leave_an_inline_arena_valid: InlineArena::<Touchy, 9>::new();
    values_that_panic_leave_a_pool_valid: Pool::new(|| Touchy::make(0));
    values_that_panic_leave_packed_ones_valid: DenseArena::new();
}

#[test]
fn where_memory_is_refused_what_is_lost_is_said() {
    for grants in 0..60 {
        let mut tracked = Tracked::new(Arena::from_iter(0..300_u32));
        let keys: Vec<_> = tracked.keys().collect();
        let mut subscriber = tracked.subscribe();
        let before = tracked.checkpoint();
        let plain = (*tracked).clone();
        let (_, inserted) = refusing_after(grants, true, || {
            keys.iter().step_by(2).for_each(|&key| assert!(tracked.remove(key).is_some()));
            keys.iter().skip(1).step_by(2).for_each(|&key| *tracked.get_mut(key).unwrap() += 1);
            let _ = tracked.try_checkpoint();
            let _ = tracked.undo();
            tracked.try_insert(7).is_ok()
        });
        tracked.validate();
        let _ = inserted;
        match tracked.poll(&mut subscriber) {
            Ok(changes) => assert!(changes.changed().len() + changes.removed().len() <= 300),
            Err(error) => assert_eq!(error, TrackError::Lost),
        }
        match tracked.rollback(before) {
            Ok(()) => assert!(*tracked == plain),
            Err(error) => assert!(matches!(error, TrackError::Lost | TrackError::Gone)),
        }
        assert!(attempt(|| tracked.checkpoint()).is_ok(), "recording goes on");
    }
}

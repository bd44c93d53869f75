//! Checkpoints and subscribers of another container, values that panic, and memory that is refused.

use larder::indices::UniqueIndex;
use larder::track::{Insert, Reversible, Revert, Table, Track, TrackError, Tracked, Versioned};
use larder::trees::{InsertionOrder, KeyList};
use larder::{Arena, DenseArena, InlineArena, Pool, Reuse, SecondaryMap};
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

/// Side data that is recorded learns of every removal, and has nothing of most objects.
#[test]
fn removing_an_object_without_side_data_is_told_nobody() {
    let mut ages = Tracked::new(SecondaryMap::new());
    let mut told = ages.subscribe();
    let mut birds = Table::with(Arena::new(), ages);
    let [wren, kite] = ["wren", "kite"].map(|bird| birds.insert(bird));
    assert_eq!(birds.remove(wren), Some("wren"));
    birds.edit().1.insert(kite, 3);
    let robin = birds.insert("robin");
    birds.remove(robin);
    let changes = birds.edit().1.poll(&mut told).expect("there was room");
    assert_eq!((changes.inserted(), changes.removed()), (&[kite][..], &[][..]));
    birds.remove(kite);
    assert_eq!(birds.edit().1.poll(&mut told).expect("there was room").removed(), [kite]);
}

/// A refusal changes nothing, nor does asking: so what was undone can still be done again.
#[test]
fn what_is_refused_leaves_what_can_be_redone() {
    let by_number = UniqueIndex::by(|number: &u32| *number);
    let beside = (InsertionOrder::new(), by_number, Versioned::new(KeyList::new()));
    let mut numbers = Table::with(Arena::new(), beside);
    let one = numbers.insert(1);
    numbers.checkpoint();
    let two = numbers.insert(2);
    assert_eq!(numbers.undo(), Ok(true));
    assert!(numbers.try_insert(1).is_err());
    assert!(numbers.replace(two, 3).is_err());
    numbers.try_reserve(10).expect("there is memory");
    assert_eq!(numbers.redo(), Ok(true));
    assert!(numbers.observers().0.iter().eq([one, two]));
}

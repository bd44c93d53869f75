//! Checkpoints and subscribers of another container, values that panic, and memory that is refused.

use larder::indices::UniqueIndex;
use larder::track::{Insert, Reversible, Revert, Table, Track, TrackError, Tracked, Versioned};
use larder::trees::{InsertionOrder, KeyList};
use larder::{Arena, DenseArena, Pool, Reuse, SecondaryMap};
use larder_testing::touchy::{Nerve, Touchy, count_alive};
use larder_testing::trouble::Panics;
use larder_testing::values::Value;

#[test]
fn what_is_of_another_container_is_refused() {
    let (mut one, mut other) = (Tracked::new(Arena::new()), Tracked::new(Arena::new()));
    let (key, checkpoint, mut subscriber) =
        (one.insert(1_u32), other.checkpoint(), other.subscribe());
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

/// Everything is valid, and nothing is dropped twice or lost.
fn with_values_that_panic<A>(new: fn() -> A, validate: fn(&A))
where
    A: Insert<Value = Touchy> + Revert + for<'a> Track<RefMut<'a> = &'a mut Touchy> + 'static,
{
    let held = |tracked: &mut Tracked<A>| {
        let (alive, len) = (count_alive(), tracked.iter_mut().count());
        validate(tracked);
        tracked.forget_all();
        let now = tracked.checkpoint();
        let key = tracked.insert(Touchy::make(3));
        tracked.rollback(now).expect("it is held");
        assert!(!tracked.contains_key(key) && tracked.iter_mut().count() == len);
        alive
    };
    let make = || Tracked::new(new());
    let panics = Panics { make: &make, held: &held, leaks: false };
    for nerve in [Nerve::Clone, Nerve::Drop] {
        assert!(panics.of(nerve, &trial) > 5);
    }
}

#[test]
fn values_that_panic_leave_everything_valid_and_nothing_dropped_twice() {
    with_values_that_panic(Arena::new, Arena::validate);
    with_values_that_panic(|| Arena::builder().reuse(Reuse::Lifo).build(), Arena::validate);
    with_values_that_panic(|| Pool::new(|| Touchy::make(0)), Pool::validate);
    with_values_that_panic(DenseArena::new, DenseArena::validate);
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
    let one = numbers.insert(1_u32);
    numbers.checkpoint();
    let two = numbers.insert(2);
    assert_eq!(numbers.undo(), Ok(true));
    assert!(numbers.try_insert(1).is_err());
    assert!(numbers.replace(two, 3).is_err());
    numbers.try_reserve(10).expect("there is memory");
    assert_eq!(numbers.redo(), Ok(true));
    assert!(numbers.observers().0.iter().eq([one, two]));
}

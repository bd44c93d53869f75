//! The `Drop` of a value or a property panics once: a change is made everywhere all the same, and nothing leaks.

use std::rc::Rc;

use larder::indices::MultiIndex;
use larder::track::{Objects, Observer, Refusal, Replica, Reversible, Table, Tracked, Versioned};
use larder::{Arena, Handle, Pool, SecondaryMap};
use larder_testing::caught::{attempt, panicking_after};

use crate::falling::Falling;

/// Returns whether `act` panics where the first value is dropped.
fn panics(act: impl FnOnce()) -> bool {
    panicking_after(0, act)
}

/// An observer that owns something.
impl Observer<Arena<u32>> for Falling {
    fn remove(&mut self, _: &mut Objects<'_, Arena<u32>>, _: Handle<u32>) {}

    fn rebuild(&mut self, _: &mut Objects<'_, Arena<u32>>) -> Result<(), Refusal<Handle<u32>>> {
        Ok(())
    }
}

#[test]
fn an_undone_state_of_an_observer_panics_and_the_others_learn_of_the_change() {
    let observers = (Versioned::new(Falling(0)), MultiIndex::by(|number: &u32| *number));
    let mut numbers = Table::with(Arena::new(), observers);
    let five = numbers.insert(5_u32);
    numbers.checkpoint();
    numbers.insert(1);
    assert_eq!(numbers.undo(), Ok(true));
    let panicked = panics(|| _ = numbers.insert(7));
    let filed = |number| numbers.observers().1.get(&number).len();
    assert_eq!((panicked, numbers.len(), filed(7)), (true, 2, 1));
    numbers.checkpoint();
    numbers.insert(1);
    assert_eq!(numbers.undo(), Ok(true));
    let panicked = panics(|| drop(numbers.replace(five, 6)));
    let filed = |number| numbers.observers().1.get(&number).len();
    assert_eq!((panicked, numbers[five], filed(5), filed(6)), (true, 6, 0, 1));
}

/// Cannot be recorded.
struct NoClone;

impl Clone for NoClone {
    fn clone(&self) -> Self {
        panic!("no clone");
    }
}

/// The others are not removed while that unwinds, since they would panic, too.
#[test]
fn a_drain_that_panics_leaves_the_rest() {
    let mut things = Tracked::new(Arena::from_iter([NoClone, NoClone, NoClone]));
    things.checkpoint();
    assert!(attempt(|| things.drain().count()).is_err());
    assert_eq!(things.len(), 3);
}

#[test]
fn an_undone_state_panics_and_side_data_leaves_with_its_object() {
    let five = Arena::from_iter([5_u32]);
    let names = five.keys().map(|key| (key, "five")).collect::<SecondaryMap<_, _>>();
    let mut numbers = Table::with(five, Versioned::new((Falling(0), names)));
    let five = numbers.keys().next().unwrap();
    numbers.checkpoint();
    numbers.insert(1);
    assert_eq!(numbers.undo(), Ok(true));
    let panicked = panics(|| _ = numbers.remove(five));
    assert_eq!((panicked, numbers.len(), numbers.observers().1.len()), (true, 0, 0));
}

#[test]
fn a_property_panics_and_the_removed_value_is_dropped() {
    let shared = Rc::new(7);
    let mut rows = Table::with(Arena::new(), MultiIndex::by(|row: &Rc<u32>| Falling(**row)));
    let key = rows.insert(Rc::clone(&shared));
    let panicked = panics(|| drop(rows.remove(key)));
    assert_eq!((panicked, rows.len(), rows.observers().len()), (true, 0, 0));
    assert_eq!(Rc::strong_count(&shared), 1);
}

#[test]
fn a_value_that_filled_a_hole_panics_and_the_delta_is_applied() {
    let mut here = Tracked::new(Pool::new(Falling::default));
    let mut publisher = here.publish(7).unwrap();
    (1..4).for_each(|number| _ = here.insert(Falling(number)));
    let encode = |value: &Falling, bytes: &mut Vec<u8>| {
        bytes.push(value.0 as u8);
        Ok::<_, core::convert::Infallible>(())
    };
    let delta = here.delta_by(&mut publisher, encode).unwrap();
    let mut there = Replica::new(Pool::new(Falling::default));
    let panicked = panics(|| _ = there.apply_by(&delta, |bytes| Some(Falling(bytes[0].into()))));
    let numbers: Vec<_> = there.values().map(|value| value.0).collect();
    assert_eq!((panicked, &numbers[..]), (true, &[1, 2, 3][..]));
    assert_eq!(there.position(), Some(publisher.position()));
}

#[test]
fn a_record_panics_and_all_members_forget() {
    let mut values = Table::with(Arena::new(), MultiIndex::by(|value: &Falling| value.0));
    let key = values.insert(Falling(1));
    values.checkpoint();
    values.modify(key, |value| value.0 = 2).unwrap();
    assert!(panics(|| values.forget_all()));
    assert_eq!(values.undo(), Ok(false));
}

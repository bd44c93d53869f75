//! Observers that come and go while their table is in use.

use larder::indices::{IndexBy, IndexError, MultiIndex, UniqueIndex};
use larder::track::{Reversible, Table, TrackError};
use larder::{Arena, DenseArena, Handle, Tree};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::{panicking_after, step};

type Id = Handle<u32>;
type ByRest = IndexBy<MultiIndex<u32, Id>, fn(&u32) -> u32>;
type ByTens = IndexBy<UniqueIndex<u32, Id>, fn(&u32) -> u32>;

fn by_rest() -> ByRest {
    MultiIndex::by(|number| (step(), number % 3).1)
}

fn by_tens() -> ByTens {
    UniqueIndex::by(|number| (step(), number / 10).1)
}

/// An index is there and complete, or it is not and comes back in the error: if it refuses, panics, or allocation fails.
#[test]
fn an_observer_is_put_in_or_comes_back() {
    let mut numbers = Table::with(Arena::from_iter(0..30_u32), (None, Vec::new()));
    let (mut objects, (mut tens, mut rests)) = numbers.linking();
    let refused = tens.fill(&mut objects, by_tens()).unwrap_err();
    assert!(matches!(refused.reason, IndexError::Duplicate { .. }) && tens.is_none());
    assert!(panicking_after(9, || drop(rests.push(&mut objects, by_rest()))));
    assert!(rests.is_empty());
    let mut refusals = 0;
    for grants in 0.. {
        let (_, pushed) = refusing_after(grants, true, || {
            rests.push(&mut objects, by_rest()).map_err(|refused| refused.reason)
        });
        let Err(reason) = pushed else { break };
        assert!(matches!(reason, IndexError::Memory(_)));
        assert!(rests.is_empty());
        refusals += 1;
    }
    assert!(refusals > 1, "{refusals}");
    assert_eq!((rests.len(), rests[0].len()), (1, 30));

    // One that was refused can be put in later, and another in its place.
    numbers.retain(|numbers, key| numbers[key] % 10 == 7);
    let (mut objects, (mut tens, _)) = numbers.linking();
    assert!(tens.fill(&mut objects, refused.value).unwrap().is_none());
    assert_eq!(tens.fill(&mut objects, by_tens()).unwrap().unwrap().len(), 3);
    assert!(numbers.try_insert(25).is_err() && numbers.try_insert(35).is_ok());
    let (tens, rests) = numbers.observers();
    assert_eq!((tens.as_ref().unwrap().len(), rests[0].len()), (4, 4));
    rests[0].validate();
}

/// An observer that was taken out knows of no changes; put in again, it takes notice of all objects.
#[test]
fn an_observer_that_was_taken_out_is_put_in_again() {
    let mut numbers = Table::with(
        DenseArena::from_iter(0..9_u32),
        (vec![by_rest(), by_rest()], Some(Tree::new())),
    );
    let keys: Vec<Id> = numbers.keys().collect();
    let (objects, (mut rests, tree)) = numbers.edit();
    tree.edited().unwrap().append(objects, keys[0], keys[1]).unwrap();
    assert!(rests.remove(2).is_none());
    let rest = rests.remove(0).unwrap();
    assert!(rests.edited(1).is_none());
    let tree = numbers.edit().1.1.take().unwrap();
    numbers.remove(keys[1]);
    numbers.insert(100);
    assert_eq!((rest.len(), tree.parent(keys[1])), (9, Some(keys[0])));
    let (mut objects, (mut rests, mut trees)) = numbers.linking();
    rests.push(&mut objects, rest).unwrap();
    trees.fill(&mut objects, tree).unwrap();
    let (rests, tree) = numbers.observers();
    assert_eq!((rests[0].len(), rests[1].len()), (9, 9));
    assert!((0..3).all(|rest| rests.iter().all(|index| index.get(&rest).len() == 3 || rest != 2)));
    assert_eq!((rests[1].get(&1).len(), rests[1].get(&0).len()), (3, 3));
    assert_eq!(tree.as_ref().unwrap().first_child(keys[0]), None);
}

/// An index that has been somewhere else meanwhile returns to the checkpoints that it and the table hold.
#[test]
fn an_observer_that_comes_back_has_its_checkpoints() {
    let mut numbers = Table::with(Arena::from_iter(0..9_u32), Some(by_rest()));
    let keys: Vec<Id> = numbers.keys().collect();
    let then = numbers.checkpoint();
    let order = numbers.observers().as_ref().unwrap().get(&0).to_vec();
    let taken = numbers.edit().1.take().unwrap();
    numbers.remove(keys[0]);
    numbers.replace(keys[3], 4).unwrap();
    let (mut objects, mut rest) = numbers.linking();
    rest.fill(&mut objects, taken).unwrap();
    assert_eq!(numbers.observers().as_ref().unwrap().get(&0), [keys[6]]);
    numbers.insert(30);
    numbers.rollback(then).unwrap();
    let rest = numbers.observers().as_ref().unwrap();
    assert_eq!((rest.get(&0), rest.get(&1).len(), rest.len()), (&order[..], 3, 9));
    rest.validate();
}

/// An index that was out while its table was undone has not gone back, and took notice of what was there. So what the
/// table does again reaches the index, or is not done.
#[test]
fn an_index_that_was_out_during_an_undo_knows_what_is_done_again() {
    let mut numbers = Table::with(Arena::from_iter([1_u32]), Some(by_tens()));
    numbers.checkpoint();
    let twenty = numbers.insert(20);
    let tens = numbers.edit().1.take().unwrap();
    assert_eq!(numbers.undo(), Ok(true));
    let (mut objects, mut holder) = numbers.linking();
    assert!(holder.fill(&mut objects, tens).is_ok_and(|before| before.is_none()));
    let _ = numbers.redo();
    let tens = numbers.observers().as_ref().unwrap();
    assert_eq!(tens.get(&2), numbers.contains_key(twenty).then_some(twenty));
    assert!(
        !numbers.contains_key(twenty) || numbers.try_insert(21).is_err(),
        "two of the twenties"
    );
}

/// An index that is put into another table of the group after a checkpoint does not go back there.
#[test]
fn an_index_of_another_table_does_not_go_back_to_its_objects() {
    let mut here = Table::with(Arena::from_iter([1, 2]), Some(by_rest()));
    let mut there = Table::with(Arena::from_iter([3]), None::<ByRest>);
    let then = (&mut here, &mut there).checkpoint();
    let rest = here.edit().1.take().unwrap();
    let (mut objects, mut holder) = there.linking();
    assert!(holder.fill(&mut objects, rest).is_ok());
    assert_eq!((&mut here, &mut there).rollback(then), Err(TrackError::NotShared));
    assert_eq!(there.observers().as_ref().unwrap().len(), there.len());
}

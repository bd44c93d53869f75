//! Memory refused at every point: an error, and everything as it was.

use larder::indices::IndexBy;
use larder::{
    Arena, DenseArena, Handle, Pool, TryReserveError,
    containers::ValueContainer,
    indices::{GridIndex, IndexError, MultiIndex, SortedIndex, UniqueIndex},
    track::{Insert, Observer, Table},
    trees::{InsertionOrder, KeyList},
};

use larder_testing::allocator::{refusing_after, requests_of};
use larder_testing::caught::attempt;
use larder_testing::common::scaled;

type Id = Handle<u32>;

fn keys(count: u32) -> Vec<Id> {
    Arena::from_iter(0..count).keys().collect()
}

fn is_refusal<T>(outcome: &Result<T, IndexError<Id>>) -> bool {
    matches!(outcome, Err(IndexError::Memory(TryReserveError::AllocRefused { .. })))
}

/// Inserts until the index has grown several times, each insertion refused at every point first.
macro_rules! refuse_each {
    ($Index:ident, $property:expr) => {{
        let mut index = $Index::new();
        let mut refusals = 0;
        for (n, &key) in keys(150).iter().enumerate() {
            let property = $property(n);
            for grants in 0.. {
                let (refused, outcome) =
                    refusing_after(grants, true, || index.insert(key, property));
                index.validate();
                assert_eq!(refused, is_refusal(&outcome));
                if !refused {
                    break;
                }
                assert_eq!((index.len(), index.contains_key(key)), (n, false));
                refusals += 1;
            }
            assert_eq!(index.property(key), Some(&property));
        }
        assert!(refusals > 10, "{refusals}");
        index
    }};
}

#[test]
fn unique_keys_are_filed_or_not() {
    refuse_each!(UniqueIndex, |n| n);
}

#[test]
fn groups_are_begun_and_grow_or_not() {
    let index = refuse_each!(MultiIndex, |n| n / 7);
    assert_eq!((index.iter().len(), index.get(&3).len()), (22, 7));
    refuse_each!(MultiIndex, |n| n);
    refuse_each!(MultiIndex, |_| 0);
}

#[test]
fn properties_are_sorted_or_not() {
    refuse_each!(SortedIndex, |n| n * 37 % 101);
    refuse_each!(SortedIndex, |n| n / 7);
    refuse_each!(SortedIndex, |_| 0);
}

/// Enough of them for inner nodes above inner nodes, in order and backwards.
#[test]
fn a_tree_of_many_nodes_grows_or_not() {
    let count = scaled(4_000, 100) as u32;
    for property in [|n: u32| n, |n: u32| !n, |n: u32| n.wrapping_mul(0x9E37_79B9)] {
        let mut index = SortedIndex::new();
        for &key in &keys(count) {
            for grants in 0.. {
                let insert = || index.insert(key, property(key.slot()));
                let (refused, outcome) = refusing_after(grants, true, insert);
                assert_eq!(refused, is_refusal(&outcome));
                assert_eq!(index.contains_key(key), !refused);
                if !refused {
                    break;
                }
            }
        }
        index.validate();
        assert_eq!(index.len(), count as usize);
        assert!(index.iter().map(|(property, _)| property).is_sorted());
    }
}

#[test]
fn keys_of_one_property_are_sorted_or_not() {
    let mut index = SortedIndex::new();
    for &key in &keys(100) {
        if index.is_empty() {
            index.insert(key, 'x').unwrap();
        }
        for grants in 0.. {
            let (refused, outcome) = refusing_after(grants, true, || index.insert(key, 'x'));
            index.validate();
            assert_eq!(refused, is_refusal(&outcome));
            if !refused {
                break;
            }
        }
    }
    assert_eq!(index.get(&'x').len(), 100);
}

#[test]
fn refiling_is_done_or_not() {
    let keys = keys(20);
    for grants in 0.. {
        let mut index = MultiIndex::new();
        for &key in &keys {
            index.insert(key, 0).unwrap();
        }
        let (refused, outcome) = refusing_after(grants, true, || index.insert(keys[3], 1));
        index.validate();
        assert_eq!(index.property(keys[3]), Some(&i32::from(outcome.is_ok())));
        if !refused {
            return;
        }
    }
}

/// The new place is looked for, and room is made there, before the key leaves its old one: in a leaf that is full, in
/// one of its own, and in a long one.
#[test]
fn a_sorted_key_is_refiled_or_stays_where_it_was() {
    let keys = keys(scaled(3_000, 150) as u32);
    let (key, mut refusals) = (keys[keys.len() / 2], 0);
    for property in [|n: u32| 2 * n, |n: u32| n / 50 * 2, |_: u32| 4] {
        let mut filed = SortedIndex::new();
        filed.extend(keys.iter().map(|&key| (key, property(key.slot())))).unwrap();
        let old = property(key.slot());
        for new in [0, 1, old - 1, old + 1, old + 100, property(keys.len() as u32 - 1), u32::MAX] {
            for grants in 0.. {
                let mut index = filed.clone();
                let (refused, outcome) = refusing_after(grants, true, || index.insert(key, new));
                index.validate();
                assert_eq!(refused, is_refusal(&outcome));
                let filed_under = if refused { old } else { new };
                assert_eq!(index.property(key), Some(&filed_under));
                for property in [old, new] {
                    let is_found = index.get(&property).contains(&key);
                    assert_eq!(is_found, property == filed_under, "{property} of {old}, {new}");
                }
                assert_eq!((index.len(), index.iter().count()), (keys.len(), keys.len()));
                if !refused {
                    break;
                }
                refusals += 1;
            }
        }
    }
    assert!(refusals > 20, "{refusals}");
}

/// Whatever of a copy memory is refused for, there is none, and that is a panic that can be caught.
#[test]
fn an_index_by_hash_is_cloned_or_not() {
    fn check<X: Clone>(index: &X, len: fn(&X) -> usize) {
        // (A panic takes memory for its message.)
        let is_refused = |&grants: &usize| {
            let (refused, copy) = refusing_after(grants, false, || attempt(|| index.clone()));
            match copy {
                Ok(copy) => assert_eq!((refused, len(&copy)), (false, len(index))),
                Err(caught) => assert!(refused && caught.message.contains("refused")),
            }
            refused
        };
        let refusals = (0..).take_while(is_refused).count();
        assert!(refusals >= 3, "of entries, of places, of those far from others: {refusals}");
    }
    let (mut unique, mut groups) = (UniqueIndex::new(), MultiIndex::new());
    let far = Id::from_bits((1 << 32) | 1_000_000).unwrap();
    for (number, &key) in keys(100).iter().chain([&far]).enumerate() {
        unique.insert(key, number).unwrap();
        groups.insert(key, number / 7).unwrap();
    }
    check(&unique, |index| index.len());
    check(&groups, |index| index.len());
}

type Indices =
    (IndexBy<UniqueIndex<u32, Id>, fn(&u32) -> u32>, IndexBy<MultiIndex<u32, Id>, fn(&u32) -> u32>);

fn table(rows: u32) -> Table<Arena<u32>, Indices> {
    let indices: Indices = (UniqueIndex::by(|n| *n), MultiIndex::by(|n| n % 4));
    Table::with(Arena::from_iter(0..rows), indices)
}

fn check(table: &Table<Arena<u32>, Indices>) {
    let (unique, groups) = table.observers();
    unique.validate();
    groups.validate();
    assert_eq!((unique.len(), groups.len()), (table.len(), table.len()));
    for (key, number) in &**table {
        assert_eq!(unique.get(number), Some(key));
        assert!(groups.get(&(number % 4)).contains(&key));
    }
}

#[test]
fn removing_and_retaining_need_no_memory() {
    let mut full = table(64);
    let key = full.observers().0.get(&5).unwrap();
    let (refused, removed) = refusing_after(0, true, || full.remove(key));
    assert_eq!((refused, removed), (false, Some(5)));
    check(&full);

    let (refused, ()) = refusing_after(0, true, || full.retain(|rows, key| rows[key] < 9));
    assert_eq!((refused, full.len()), (false, 8));
    check(&full);
    full.remove_where_any(|(_, groups), found| found.extend(groups.get(&2)), |_, _| {});
    // The list of keys is kept.
    let (refused, count) = refusing_after(0, true, || {
        full.remove_where_any(|(_, groups), found| found.extend(groups.get(&1)), |_, _| {})
    });
    assert_eq!((refused, count), (false, 1));
    let (refused, drained) = refusing_after(0, true, || full.drain().count());
    assert_eq!((refused, drained), (false, 5));
    check(&full);
}

/// Filing takes no memory then, and a refusal changes nothing.
#[test]
fn room_is_made_beforehand_or_not() {
    let keys = keys(300);
    let mut unique = UniqueIndex::new();
    unique.insert(keys[0], 0).unwrap();
    for grants in 0.. {
        let (refused, outcome) = refusing_after(grants, true, || unique.try_reserve(299));
        unique.validate();
        assert_eq!((outcome.is_err(), unique.get(&0)), (refused, Some(keys[0])));
        if !refused {
            break;
        }
    }
    let (refused, filed) = refusing_after(0, true, || unique.extend(keys.iter().copied().zip(0..)));
    assert_eq!((refused, filed, unique.len()), (false, Ok(()), 300));

    // All but groups that grow.
    let (mut groups, mut grid) = (MultiIndex::new(), GridIndex::new(1.0));
    assert!(groups.try_reserve(usize::MAX).is_err() && grid.try_reserve(usize::MAX).is_err());
    groups.insert(keys[0], 0).unwrap();
    grid.insert(keys[0], [0.0; 2]).unwrap();
    groups.try_reserve(299).unwrap();
    grid.try_reserve(299).unwrap();
    let (before, on_the_grid) = (groups.stats().memory, grid.stats().memory);
    for &key in &keys[..100] {
        groups.insert(key, 0).unwrap();
        grid.insert(key, [0.0; 2]).unwrap();
    }
    assert_eq!(groups.stats().memory.committed, before.committed);
    assert_eq!(grid.stats().memory.committed, on_the_grid.committed);
}

/// Those are filed that there was room for.
#[test]
fn an_index_is_sorted_at_once_or_not() {
    let keys = keys(100);
    let file = |index: &mut SortedIndex<u32, Id>| index.extend(keys.iter().map(|&key| (key, 7)));
    let (requests, _) = requests_of(|| file(&mut SortedIndex::new()).unwrap());
    let mut refusals = 0;
    for grants in 0..requests {
        let mut index = SortedIndex::new();
        let (refused, outcome) = refusing_after(grants, false, || file(&mut index));
        index.validate();
        assert!(refused);
        // (A list asks again for less, and may be granted that.)
        assert_eq!(is_refusal(&outcome), outcome.is_err());
        assert_eq!(index.len() == 100, outcome.is_ok());
        let (filed, others) = keys.split_at(index.len());
        assert!(filed.iter().all(|&key| index.contains_key(key)));
        assert!(others.iter().all(|&key| !index.contains_key(key)));
        refusals += usize::from(outcome.is_err());
    }
    assert!(refusals > 5, "{refusals}");
}

/// Room is made in the container and in all observers: the insertions that follow ask for no memory, or it was refused
/// before.
#[test]
fn a_table_makes_room_beforehand_or_not() {
    fn check<C, O>(container: impl Fn() -> C, observer: impl Fn() -> O)
    where
        C: Insert<Key = Id, Value = u32> + ValueContainer<Value = u32>,
        O: Observer<C>,
    {
        let mut refusals = 0;
        for grants in 0.. {
            let unique: IndexBy<_, fn(&u32) -> u32> = UniqueIndex::by(|n| *n);
            let observers = (vec![unique.clone()], Some(Box::new(unique)), observer());
            let mut rows = Table::with(container(), observers);
            let (refused, outcome) = refusing_after(grants, true, || rows.try_reserve(200));
            assert_eq!((ValueContainer::keys(&*rows).count(), outcome.is_err()), (0, refused));
            if !refused {
                let (refused, filed) = refusing_after(0, true, || {
                    (0..200).try_for_each(|n| rows.try_insert(n).map(drop))
                });
                assert!(!refused && filed.is_ok());
                break;
            }
            refusals += 1;
            assert!(rows.try_insert(7).is_ok());
        }
        assert!(refusals > 3, "{refusals}");
    }
    check(Arena::new, || ());
    check(DenseArena::new, InsertionOrder::new);
    check(|| Pool::new(|| 0), || (KeyList::new(), SortedIndex::by(|n: &u32| *n)));
}

/// A table that has room for so many and no more says so; filling it is not refused for that.
#[test]
fn a_table_without_so_much_room() {
    let mut rows = Table::with(Arena::fixed(3), MultiIndex::by(|n: &u32| *n));
    assert!(rows.try_reserve(3).is_ok());
    assert!(rows.try_reserve(4).is_err());
    let refused = (0..9).try_for_each(|n| rows.try_insert(n).map(drop)).unwrap_err();
    assert_eq!((refused.value, rows.observers().len()), (3, 3));
}

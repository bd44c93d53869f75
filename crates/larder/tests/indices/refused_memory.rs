//! Memory refused at every point: an error, and everything as it was.

use larder::indices::IndexBy;
use larder::{
    Arena, DenseArena, Pool, TryReserveError,
    containers::ValueContainer,
    indices::{IndexError, MultiIndex, SortedIndex, UniqueIndex},
    track::{Insert, Observer, Table},
    trees::{InsertionOrder, KeyList},
};

use crate::every::{Boxed, Id, Index, Number, Places, keys, mixed, of_properties};
use larder_testing::allocator::{refusing_after, requests_of};
use larder_testing::common::scaled;
use larder_testing::forge::MadeKey;
use larder_testing::trouble::Refusals;

fn is_refusal<T>(outcome: &Result<T, IndexError<Id>>) -> bool {
    matches!(outcome, Err(IndexError::Memory(TryReserveError::AllocRefused { .. })))
}

/// Every index, of which the last is a grid.
fn every_index() -> [Box<dyn Index>; 4] {
    let [unique, groups, sorted] = of_properties::<u32>();
    [unique, groups, sorted, Places::boxed(1.0, |number| [number as f32 / 3.0, 0.0])]
}

/// Inserts until the index has grown several times, each insertion refused at every point first.
fn grows_or_not(index: &mut dyn Index, count: usize, number: Number) {
    let mut refusals = 0;
    for (filed, &key) in keys(count).iter().enumerate() {
        let number = number(key.slot());
        for grants in 0.. {
            let (refused, outcome) = refusing_after(grants, true, || index.file(key, number));
            if filed < 150 {
                index.validate();
            }
            assert_eq!(refused, is_refusal(&outcome));
            if !refused {
                break;
            }
            assert_eq!((index.len(), index.contains(key)), (filed, false));
            refusals += 1;
        }
        assert!(index.has(key, number));
    }
    assert!(refusals > 10, "{refusals}");
    index.validate();
    assert_eq!(index.len(), count);
}

/// Adds keys to groups that begin and grow, and enough of them for inner nodes above inner nodes, in order and
/// backwards.
#[test]
fn keys_are_filed_or_not() {
    let many = scaled(4_000, 100);
    let alone: Number = |n| n;
    let numbers: [(usize, &[Number]); 4] = [
        (150, &[alone]),
        (150, &[alone, |n| n / 7, |_| 0]),
        (many, &[alone, |n| !n, mixed, |n| n / 7, |_| 0]),
        (150, &[alone]),
    ];
    for (of, (count, numbers)) in numbers.into_iter().enumerate() {
        for &number in numbers {
            grows_or_not(&mut *every_index()[of], count, number);
        }
    }
}

/// The new place is looked for, and room is made there, before the key leaves its old one: in a group or a leaf that is
/// full, in one of its own, and in a long one.
#[test]
fn a_key_is_refiled_or_stays_where_it_was() {
    let keys = keys(scaled(3_000, 150));
    let (key, mut requests) = (keys[keys.len() / 2], 0);
    for (of, mut index) in every_index().into_iter().enumerate() {
        let numbers: [Number; 3] = [|n| 2 * n, |n| n / 50 * 2, |_| 4];
        for number in &numbers[..if of == 0 { 1 } else { 3 }] {
            index.clear();
            index.file_all(&mut keys.iter().map(|&key| (key, number(key.slot())))).unwrap();
            let (old, last) = (number(key.slot()), number(keys.len() as u32 - 1));
            for new in [0, 1, old - 1, old + 1, old + 101, last, u32::MAX] {
                // (Where a number is one key's, another has it.)
                if of == 0 && new % 2 == 0 {
                    continue;
                }
                let view = |index: &Boxed| {
                    index.validate();
                    let found = [old, new].map(|number| index.with(number).contains(&key));
                    assert!(old == new || found[0] != found[1], "{old}, {new}");
                    (index.has(key, old), found, index.len())
                };
                let filed = Refusals { make: &|| index.copy(), view: &view };
                requests += filed.of(&|index| match index.file(key, new) {
                    Ok(()) => index.has(key, new),
                    outcome => !is_refusal(&outcome),
                });
            }
        }
    }
    assert!(requests > 30, "{requests}");
}

/// Refuses memory to any part of a copy: the panic can be caught, and nothing of the copy is left. Room is made, given
/// back and used up or not.
#[test]
fn an_index_is_cloned_makes_room_and_shrinks_or_not() {
    let keys = [&keys(100)[..], &[Id::made(1_000_000, 0)]].concat();
    for (of, mut index) in every_index().into_iter().enumerate() {
        let number = |key: Id| if of == 0 { key.slot() } else { key.slot() / 7 };
        index.file_all(&mut keys.iter().map(|&key| (key, number(key)))).unwrap();
        let view = |index: &Boxed| {
            index.validate();
            assert!(keys.iter().all(|&key| index.has(key, number(key))));
            index.len()
        };
        let filed = Refusals { make: &|| index.copy(), view: &view };
        // (A copy of the others takes memory for a `Vec`, without which a program ends.)
        if of < 2 {
            let requests = filed.of_panics(&|index| assert_eq!(index.clone_len(), keys.len()));
            assert!(requests >= 3, "of entries, of places, of those far from others: {requests}");
        }
        assert!(filed.of(&|index| index.try_reserve(299).is_ok()) > 0);
        assert!(index.copy().try_reserve(usize::MAX).is_err());
        filed.of(&|index| (index.shrink_to_fit(), true).1);
    }
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

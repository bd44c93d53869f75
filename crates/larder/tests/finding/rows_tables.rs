//! The demands on tables with several indices, row by row.

use std::collections::BTreeSet;

use larder::indices::{IndexBy, RowIndex};
use larder::{
    Arena, Handle,
    indices::{IndexError, Indexed, MultiIndex, SortedIndex, UniqueIndex},
};

use crate::rows_x::{Watch, watch};

#[test]
fn x13_an_index_is_added_to_a_live_table_and_dropped_again() {
    let rows = Arena::from_iter((0..10).map(|n| watch(n, n % 3)));
    let by_observer = UniqueIndex::by(|row: &Watch| row.observer);
    let mut rows = Indexed::new(rows, (by_observer, None, None));
    rows.add_index::<1>(MultiIndex::by(|row: &Watch| row.observed)).unwrap();
    rows.add_index::<2>(SortedIndex::by(|row: &Watch| (row.observed, row.observer))).unwrap();
    rows.insert(watch(10, 1)).unwrap();
    let (_, by_observed, in_order) = rows.indices();
    assert_eq!(by_observed.as_ref().unwrap().get(&1).len(), 4);
    assert!(in_order.as_ref().unwrap().iter().map(|(pair, _)| *pair).is_sorted());

    let dropped = rows.drop_index::<1>().unwrap();
    assert_eq!(dropped.len(), 11);
    rows.insert(watch(11, 1)).unwrap();
    assert_eq!(rows.indices().2.as_ref().unwrap().len(), 12);

    rows.add_index::<1>(dropped).unwrap(); // it is filled anew
    assert_eq!(rows.indices().1.as_ref().unwrap().len(), 12);

    // Not every index can be built: then nothing is there.
    let twice = Arena::from_iter([watch(1, 2), watch(1, 3)]);
    let mut twice = Indexed::new(twice, None);
    let refused = twice.add_index::<0>(UniqueIndex::by(|row: &Watch| row.observer)).unwrap_err();
    assert!(matches!(refused.reason, IndexError::Duplicate { .. }));
    assert!(twice.indices().is_none());
}

type ByNumber = IndexBy<SortedIndex<u32, Handle<Watch>>, fn(&Watch) -> u32>;

fn by_observer() -> ByNumber {
    SortedIndex::by(|row| row.observer)
}

#[test]
fn x13_eight_in_a_tuple_each_of_which_comes_and_goes() {
    type Perhaps = Option<ByNumber>;
    type Eight = (Perhaps, Perhaps, Perhaps, Perhaps, Perhaps, Perhaps, Perhaps, Perhaps);
    let rows = Arena::from_iter((0..10).map(|n| watch(n, n % 3)));
    let mut rows = Indexed::new(rows, Eight::default());
    macro_rules! at {
        ($($at:tt)*) => {$(
            assert!(rows.add_index::<$at>(by_observer()).is_ok());
            let key = rows.insert(watch(100 + $at, 0)).unwrap();
            assert_eq!(rows.indices().$at.as_ref().unwrap().last(), Some((&(100 + $at), key)));
        )*
            assert_eq!(rows.indices().0.as_ref().unwrap().len(), 18);
        $(
            assert_eq!(rows.drop_index::<$at>().unwrap().len(), 18);
            assert!(rows.indices().$at.is_none());
        )*};
    }
    at!(0 1 2 3 4 5 6 7);
}

#[test]
fn x13_any_number_of_indices_comes_and_goes() {
    let rows = Arena::from_iter((0..10).map(|n| watch(n, n % 3)));
    let mut rows = Indexed::new(rows, Vec::new());
    for n in 0..20 {
        rows.push_index(by_observer()).unwrap();
        rows.insert(watch(100 + n, n)).unwrap();
    }
    assert!(rows.indices().iter().all(|index| index.len() == 30));
    let key = rows.indices()[19].last().unwrap().1;
    rows.modify(key, |row| row.observer = 500).unwrap();
    assert!(rows.indices().iter().all(|index| index.last() == Some((&500, key))));
    assert_eq!(rows.remove_index(3).unwrap().len(), 30);
    rows.remove(key);
    assert_eq!(rows.indices().len(), 19);
    assert!(rows.indices().iter().all(|index| index.len() == 29));

    // A row that cannot be filed in the second index is filed in neither.
    let unique = |of: fn(&Watch) -> u32| UniqueIndex::by(of);
    let both = vec![unique(|row| row.observer), unique(|row| row.observed)];
    let mut rows = Indexed::new(Arena::from_iter([watch(1, 1)]), both);
    let holder = rows.container().keys().next().unwrap();
    let refused = rows.insert(watch(2, 1)).unwrap_err();
    assert_eq!(refused.reason, IndexError::Duplicate { holder });
    assert!(rows.indices().iter().all(|index| index.len() == 1 && index.get(&2).is_none()));
}

/// Indices whose types are chosen while the program runs, and what they are asked.
#[test]
fn x13_indices_of_any_type_behind_a_trait_of_ones_own() {
    trait Count: RowIndex<Handle<Watch>, Watch> {
        fn count(&self, number: u32) -> usize;
    }
    impl Count for IndexBy<MultiIndex<u32, Handle<Watch>>, fn(&Watch) -> u32> {
        fn count(&self, number: u32) -> usize {
            self.get(&number).len()
        }
    }
    impl Count for ByNumber {
        fn count(&self, number: u32) -> usize {
            self.get(&number).len()
        }
    }
    let rows = Arena::from_iter((0..10).map(|n| watch(n, n % 3)));
    let mut rows = Indexed::new(rows, Vec::<Box<dyn Count>>::new());
    let by_observed: IndexBy<_, fn(&Watch) -> u32> = MultiIndex::by(|row| row.observed);
    assert!(rows.push_index(Box::new(by_observed)).is_ok());
    assert!(rows.push_index(Box::new(by_observer())).is_ok());
    rows.insert(watch(2, 2)).unwrap();
    let counts: Vec<_> = rows.indices().iter().map(|index| index.count(2)).collect();
    assert_eq!(counts, [4, 2]);
    rows.clear();
    assert!(rows.indices().iter().all(|index| index.count(2) == 0));

    let mut one: Indexed<_, Option<Box<dyn RowIndex<_, _>>>> = Indexed::new(Arena::new(), None);
    assert!(one.add_index::<0>(Box::new(UniqueIndex::by(|n: &u32| *n))).is_ok());
    one.insert(7).unwrap();
    assert!(one.insert(7).is_err());
}

/// In both indices, twice in what is found, stale and foreign: each row goes once.
#[test]
fn x14_whatever_is_found_is_removed_once() {
    let by_observer = MultiIndex::by(|row: &Watch| row.observer);
    let by_observed = MultiIndex::by(|row: &Watch| row.observed);
    let mut rows = Indexed::new(Arena::new(), (by_observer, by_observed));
    let keys: Vec<_> = (0..9).map(|n| rows.insert(watch(n % 3, n % 3)).unwrap()).collect();
    rows.remove(keys[0]);
    let tenant = rows.insert(watch(1, 0)).unwrap();
    assert_eq!(tenant.slot(), keys[0].slot());
    let mut removed = BTreeSet::new();
    let count = rows.remove_where_any(
        |(by_observer, by_observed), found| {
            found.extend(by_observer.get(&1));
            found.extend(by_observed.get(&1));
            found.extend([keys[0], keys[1], Handle::DANGLING]);
        },
        |key, row| assert!(removed.insert(key) && row.observer == 1),
    );
    assert_eq!((count, removed.len()), (4, 4));
    assert!(removed.contains(&tenant));
    let (by_observer, by_observed) = rows.indices();
    assert_eq!((by_observer.len(), by_observed.len(), rows.container().len()), (5, 5, 5));
    assert_eq!((by_observer.get(&1).len(), by_observed.get(&1).len()), (0, 0));
    by_observer.validate();
    by_observed.validate();
}

#[test]
fn x14_rows_found_by_either_of_two_indices_are_removed_once() {
    let by_observer = MultiIndex::by(|row: &Watch| row.observer);
    let by_observed = MultiIndex::by(|row: &Watch| row.observed);
    let mut rows = Indexed::new(Arena::new(), (by_observer, by_observed));
    for (observer, observed) in [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        rows.insert(watch(observer, observed)).unwrap();
    }
    let mut removed = Vec::new();
    let mut cascade = |gone: u32| {
        rows.remove_where_any(
            |(by_observer, by_observed), found| {
                found.extend(by_observer.get(&gone));
                found.extend(by_observed.get(&gone));
            },
            |_, row| removed.push(row),
        )
    };
    assert_eq!((cascade(2), cascade(2)), (4, 0));
    removed.sort_by_key(|row| (row.observer, row.observed));
    assert_eq!(removed, [watch(1, 2), watch(2, 1), watch(2, 2), watch(3, 2)]);
    assert!(rows.container().values().eq(&[watch(3, 1)]));
}

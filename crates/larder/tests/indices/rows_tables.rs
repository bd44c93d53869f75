//! The demands on tables with several indices, row by row.

use std::collections::BTreeSet;

use larder::indices::IndexBy;
use larder::{
    Arena, Handle,
    indices::{IndexError, MultiIndex, SortedIndex, UniqueIndex},
    track::{Observer, Table},
};

use crate::every::{Id, arena};
use crate::rows_x::{Watch, watch};

type ByNumber = IndexBy<SortedIndex<u32, Id>, fn(&Watch) -> u32>;

fn by_observer() -> ByNumber {
    SortedIndex::by(|row| row.observer)
}

#[test]
fn x13_six_in_a_tuple_each_of_which_comes_and_goes() {
    type Perhaps = Option<ByNumber>;
    type Six = (Perhaps, Perhaps, Perhaps, Perhaps, Perhaps, Perhaps);
    let rows = arena((0..10).map(|n| watch(n, n % 3)));
    let mut rows = Table::with(rows, Six::default());
    macro_rules! at {
        ($($at:tt)*) => {$(
            let (mut objects, mut perhaps) = rows.linking();
            assert!(perhaps.$at.fill(&mut objects, by_observer()).is_ok());
            let key = rows.insert(watch(100 + $at, 0));
            assert_eq!(rows.observers().$at.as_ref().unwrap().last(), Some((&(100 + $at), key)));
        )*
            assert_eq!(rows.observers().0.as_ref().unwrap().len(), 16);
        $(
            assert_eq!(rows.edit().1.$at.take().unwrap().len(), 16);
            assert!(rows.observers().$at.is_none());
        )*};
    }
    at!(0 1 2 3 4 5);
}

#[test]
fn x13_any_number_of_indices_comes_and_goes() {
    let rows = arena((0..10).map(|n| watch(n, n % 3)));
    let mut rows = Table::with(rows, Vec::new());
    for n in 0..20 {
        let (mut objects, mut indices) = rows.linking();
        indices.push(&mut objects, by_observer()).unwrap();
        rows.insert(watch(100 + n, n));
    }
    assert!(rows.observers().iter().all(|index| index.len() == 30));
    let key = rows.observers()[19].last().unwrap().1;
    rows.modify(key, |row| row.observer = 500).unwrap();
    assert!(rows.observers().iter().all(|index| index.last() == Some((&500, key))));
    assert_eq!(rows.edit().1.remove(3).unwrap().len(), 30);
    rows.remove(key);
    assert_eq!(rows.observers().len(), 19);
    assert!(rows.observers().iter().all(|index| index.len() == 29));

    // A row that cannot be filed in the second index is filed in neither.
    let unique = |of: fn(&Watch) -> u32| UniqueIndex::by(of);
    let both = vec![unique(|row| row.observer), unique(|row| row.observed)];
    let mut rows = Table::with(arena([watch(1, 1)]), both);
    let holder = rows.keys().next().unwrap();
    let refused = rows.try_insert(watch(2, 1)).unwrap_err();
    assert_eq!(refused.reason, IndexError::Duplicate { holder });
    assert!(rows.observers().iter().all(|index| index.len() == 1 && index.get(&2).is_none()));
}

/// Indices whose types are chosen while the program runs, and what they are asked.
#[test]
fn x13_indices_of_any_type_behind_a_trait_of_ones_own() {
    trait Count: Observer<Arena<Watch, Id>> {
        fn count(&self, number: u32) -> usize;
    }
    impl Count for IndexBy<MultiIndex<u32, Id>, fn(&Watch) -> u32> {
        fn count(&self, number: u32) -> usize {
            self.get(&number).len()
        }
    }
    impl Count for ByNumber {
        fn count(&self, number: u32) -> usize {
            self.get(&number).len()
        }
    }
    let rows = arena((0..10).map(|n| watch(n, n % 3)));
    let mut rows = Table::with(rows, Vec::<Box<dyn Count>>::new());
    let by_observed: IndexBy<_, fn(&Watch) -> u32> = MultiIndex::by(|row| row.observed);
    let (mut objects, mut indices) = rows.linking();
    assert!(indices.push(&mut objects, Box::new(by_observed)).is_ok());
    assert!(indices.push(&mut objects, Box::new(by_observer())).is_ok());
    rows.insert(watch(2, 2));
    let counts: Vec<_> = rows.observers().iter().map(|index| index.count(2)).collect();
    assert_eq!(counts, [4, 2]);
    rows.clear();
    assert!(rows.observers().iter().all(|index| index.count(2) == 0));

    let mut one: Table<_, Option<Box<dyn Observer<Arena<u32>>>>> = Table::with(Arena::new(), None);
    let (mut objects, mut observer) = one.linking();
    assert!(observer.fill(&mut objects, Box::new(UniqueIndex::by(|n: &u32| *n))).is_ok());
    one.insert(7);
    assert!(one.try_insert(7).is_err());
}

/// In both indices, twice in what is found, stale and foreign: each row goes once.
#[test]
fn x14_whatever_is_found_is_removed_once() {
    let by_observer = MultiIndex::by(|row: &Watch| row.observer);
    let by_observed = MultiIndex::by(|row: &Watch| row.observed);
    let mut rows = Table::with(Arena::<_, Id>::with_key(), (by_observer, by_observed));
    let keys: Vec<_> = (0..9).map(|n| rows.insert(watch(n % 3, n % 3))).collect();
    rows.remove(keys[0]);
    let tenant = rows.insert(watch(1, 0));
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
    let (by_observer, by_observed) = rows.observers();
    assert_eq!((by_observer.len(), by_observed.len(), rows.len()), (5, 5, 5));
    assert_eq!((by_observer.get(&1).len(), by_observed.get(&1).len()), (0, 0));
    by_observer.validate();
    by_observed.validate();
}

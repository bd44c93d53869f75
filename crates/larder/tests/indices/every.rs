//! One interface over all indices, for what is the same of each; `dyn`, so that a test of it is compiled once.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use larder::indices::{GridIndex, IndexError, MultiIndex, SortedIndex, UniqueIndex};
use larder::{Arena, Handle, TryReserveError};
use larder_testing::nervous::Property;

use crate::grid::queries_are_exact;

pub(crate) type Id = Handle<u32>;

/// One of them.
pub(crate) type Boxed = Box<dyn Index>;

/// The number under which an object is filed, by its own.
pub(crate) type Number = fn(u32) -> u32;

/// Keys, and the numbers under which they are filed.
pub(crate) type Pairs<'a> = &'a mut dyn Iterator<Item = (Id, u32)>;

/// A naive index: the number of each key.
pub(crate) type Filed = BTreeMap<Id, u32>;

pub(crate) fn keys(count: usize) -> Vec<Id> {
    Arena::from_iter(0..count as u32).keys().collect()
}

/// An arena of other values under the same type of keys: an index is compiled for each.
pub(crate) fn arena<V>(values: impl IntoIterator<Item = V>) -> Arena<V, Id> {
    let mut arena = Arena::with_key();
    arena.extend(values);
    arena
}

/// Numbers in no order, none of them twice.
pub(crate) const fn mixed(number: u32) -> u32 {
    number.wrapping_mul(0x9E37_79B1).rotate_left(9)
}

/// An index that files keys under numbers.
pub(crate) trait Index {
    fn copy(&self) -> Box<dyn Index>;
    fn file(&mut self, key: Id, number: u32) -> Result<(), IndexError<Id>>;
    fn file_all(&mut self, of: Pairs<'_>) -> Result<(), IndexError<Id>>;
    fn unfile(&mut self, key: Id) -> bool;
    fn contains(&self, key: Id) -> bool;
    /// Returns whether the key is filed under the number.
    fn has(&self, key: Id, number: u32) -> bool;
    /// The keys that are filed under a number.
    fn with(&self, number: u32) -> Vec<Id>;
    fn len(&self) -> usize;
    /// Clones it; the clone's length.
    fn clone_len(&self) -> usize;
    fn validate(&self);
    fn retain_live(&mut self, of: &Arena<u32>);
    fn clear(&mut self);
    fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError>;
    fn shrink_to_fit(&mut self);
    fn committed(&self) -> usize;

    /// Checks whatever else it can do, around a number.
    fn check(&self, filed: &Filed, around: u32);

    /// Takes the first or the last out, where there is an order.
    fn pop(&mut self, _is_last: bool) -> Option<(u32, Id)> {
        None
    }

    /// Takes all keys with a number out.
    fn remove_all_of(&mut self, number: u32) -> Vec<Id> {
        self.with(number).into_iter().filter(|&key| self.unfile(key)).collect()
    }
}

/// The methods that have the same names.
macro_rules! same_names {
    ($($inside:tt)*) => {
        fn copy(&self) -> Box<dyn Index> {
            Box::new(self.clone())
        }

        fn contains(&self, key: Id) -> bool {
            self $($inside)*.contains_key(key)
        }

        fn len(&self) -> usize {
            self $($inside)*.len()
        }

        fn clone_len(&self) -> usize {
            self $($inside)*.clone().len()
        }

        fn validate(&self) {
            self $($inside)*.validate();
        }

        fn retain_live(&mut self, of: &Arena<u32>) {
            self $($inside)*.retain_live(of);
        }

        fn clear(&mut self) {
            self $($inside)*.clear();
        }

        fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
            self $($inside)*.try_reserve(keys)
        }

        fn shrink_to_fit(&mut self) {
            self $($inside)*.shrink_to_fit();
        }

        fn committed(&self) -> usize {
            self $($inside)*.stats().memory.committed
        }
    };
}

/// The methods of those that file keys under properties.
macro_rules! of_properties {
    () => {
        same_names!();

        fn file(&mut self, key: Id, number: u32) -> Result<(), IndexError<Id>> {
            self.insert(key, Q::of(number))
        }

        fn file_all(&mut self, of: Pairs<'_>) -> Result<(), IndexError<Id>> {
            self.extend(of.map(|(key, number)| (key, Q::of(number))))
        }

        fn has(&self, key: Id, number: u32) -> bool {
            self.property(key).is_some_and(|property| property.number() == number)
        }
    };
}

fn in_order(filed: &Filed) -> BTreeSet<(u32, Id)> {
    filed.iter().map(|(&key, &number)| (number, key)).collect()
}

impl<Q: Property> Index for UniqueIndex<Q, Id> {
    of_properties!();

    fn unfile(&mut self, key: Id) -> bool {
        self.remove(key).is_some()
    }

    fn with(&self, number: u32) -> Vec<Id> {
        self.get(&Q::of(number)).into_iter().collect()
    }

    fn check(&self, filed: &Filed, _: u32) {
        let walked: BTreeSet<_> = self.iter().map(|(q, key)| (q.number(), key)).collect();
        assert_eq!(walked, in_order(filed));
    }
}

impl<Q: Property> Index for MultiIndex<Q, Id> {
    of_properties!();

    fn unfile(&mut self, key: Id) -> bool {
        self.remove(key)
    }

    fn with(&self, number: u32) -> Vec<Id> {
        self.get(&Q::of(number)).to_vec()
    }

    fn remove_all_of(&mut self, number: u32) -> Vec<Id> {
        let mut told = Vec::new();
        Self::remove_all_of(self, &Q::of(number), |key| told.push(key));
        told
    }

    fn check(&self, filed: &Filed, _: u32) {
        let each = self.iter().flat_map(|(q, keys)| keys.iter().map(move |&key| (q.number(), key)));
        assert_eq!(each.collect::<BTreeSet<_>>(), in_order(filed));
        let numbers: BTreeSet<_> = filed.values().collect();
        assert_eq!(self.iter().len(), numbers.len(), "a property without a key");
    }
}

impl<Q: Property> Index for SortedIndex<Q, Id> {
    of_properties!();

    fn unfile(&mut self, key: Id) -> bool {
        self.remove(key)
    }

    fn with(&self, number: u32) -> Vec<Id> {
        self.get(&Q::of(number)).to_vec()
    }

    fn pop(&mut self, is_last: bool) -> Option<(u32, Id)> {
        let first = if is_last { self.last() } else { self.first() };
        let expected = first.map(|(q, key)| (q.number(), key));
        let popped = if is_last { self.pop_last() } else { self.pop_first() };
        let popped = popped.map(|(q, key)| (q.number(), key));
        assert_eq!(popped, expected);
        popped
    }

    fn check(&self, filed: &Filed, _: u32) {
        let walked: Vec<_> = self.iter().map(|(q, key)| (q.number(), key)).collect();
        assert!(walked.is_sorted_by_key(|(number, _)| *number));
        assert_eq!(walked.len(), filed.len());
        assert!(self.iter().rev().map(|(q, key)| (q.number(), key)).eq(walked.into_iter().rev()));
        assert_eq!(self.first().map(|(q, _)| q.number()), filed.values().min().copied());
        assert_eq!(self.last().map(|(q, _)| q.number()), filed.values().max().copied());
        for (from, to) in [(0, 0), (0, 2), (1, 2), (1, 4), (0, 4)] {
            let found = self.range(Q::of(from)..Q::of(to)).map(|(q, key)| (q.number(), key));
            let mut expected = in_order(filed);
            expected.retain(|(number, _)| (from..to).contains(number));
            assert_eq!(found.collect::<BTreeSet<_>>(), expected);
        }
    }
}

/// A grid that files keys at the places of numbers.
#[derive(Clone)]
pub(crate) struct Places<const N: usize> {
    grid: GridIndex<Id, N>,
    place: Rc<dyn Fn(u32) -> [f32; N]>,
}

impl<const N: usize> Places<N> {
    pub(crate) fn boxed(cell: f32, place: impl Fn(u32) -> [f32; N] + 'static) -> Box<dyn Index> {
        Box::new(Self { grid: GridIndex::new(cell), place: Rc::new(place) })
    }
}

impl<const N: usize> Index for Places<N> {
    same_names!(.grid);

    fn file(&mut self, key: Id, number: u32) -> Result<(), IndexError<Id>> {
        self.grid.insert(key, (self.place)(number))
    }

    fn file_all(&mut self, of: Pairs<'_>) -> Result<(), IndexError<Id>> {
        self.grid.extend(of.map(|(key, number)| (key, (self.place)(number))))
    }

    fn unfile(&mut self, key: Id) -> bool {
        self.grid.remove(key).is_some()
    }

    fn has(&self, key: Id, number: u32) -> bool {
        self.grid.point(key) == Some((self.place)(number))
    }

    fn with(&self, number: u32) -> Vec<Id> {
        let there = (self.place)(number);
        self.grid.in_box(there, there).expect("they are numbers").map(|(key, _)| key).collect()
    }

    fn check(&self, filed: &Filed, around: u32) {
        let points = filed.iter().map(|(&key, &number)| (key, (self.place)(number)));
        queries_are_exact(&self.grid, &points.collect(), (self.place)(around));
    }
}

/// Each index by properties, of this type.
pub(crate) fn of_properties<Q: Property>() -> [Box<dyn Index>; 3] {
    [
        Box::new(UniqueIndex::<Q, Id>::new()),
        Box::new(MultiIndex::<Q, Id>::new()),
        Box::new(SortedIndex::<Q, Id>::new()),
    ]
}

//! Removing rows from a container and all its indices.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::mem;

use super::{Indexed, example};
use crate::containers::container::ValueContainer;
use crate::explain;
use crate::indices::row_index::RowIndex;

/// Removing. If user code panics (a closure, the `Drop` of a row or a property), each row is removed everywhere or
/// nowhere.
impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// Removes a row, and returns what the container does, usually the row; `None` if the key is stale, foreign or
    /// dangling. O(1), and the cost in the indices, without memory.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert_eq!(birds.remove(wren).unwrap().name, "wren");
    /// assert!(birds.remove(wren).is_none() && birds.indices().is_empty());
    /// ```
    pub fn remove(&mut self, key: C::Key) -> Option<C::Removed> {
        self.indices.settle();
        if !self.container.contains_key(key) {
            return None;
        }
        let removed = self.take(key);
        self.indices.settle();
        removed
    }

    /// Removes a row from the container, and then from the indices, also if the container panics.
    pub(super) fn take(&mut self, key: C::Key) -> Option<C::Removed> {
        let leaving = Leaving { indexed: self, key };
        leaving.indexed.container.remove(key)
    }

    /// Removes the rows for which `keep` returns `false`. O(rows). If `keep` panics, nothing has changed.
    ///
    /// # Panics
    /// If memory for the keys of those rows is refused. Then nothing has changed. The memory is kept for later calls.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// for ring in 0..10 {
    ///     birds.insert(Bird { name: "wren", ring }).unwrap();
    /// }
    /// birds.retain(|_, bird| bird.ring < 5);
    /// assert_eq!((birds.container().len(), birds.indices().len()), (5, 5));
    /// ```
    #[track_caller]
    pub fn retain(&mut self, mut keep: impl FnMut(C::Key, &C::Value) -> bool) {
        let mut doomed = mem::take(&mut self.scratch);
        let Ok(()) = self.container.try_for_each::<Infallible>(|key, value| {
            if !keep(key, value) {
                explain::push::<Self, _>(&mut doomed, key);
            }
            Ok(())
        });
        self.remove_all(doomed, |_, _| {});
    }

    /// Removes all rows. O(rows).
    ///
    /// # Panics
    /// If memory for their keys is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// birds.clear();
    /// assert!(birds.container().is_empty() && birds.indices().is_empty());
    /// ```
    #[doc(alias = "flush")]
    #[track_caller]
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    /// Removes and returns all rows, in the order of the container's walk. Rows not pulled are removed when the
    /// iterator is dropped. O(rows).
    ///
    /// # Panics
    /// If memory for their keys is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert!(birds.drain().map(|(key, bird)| (key, bird.ring)).eq([(wren, 17)]));
    /// assert!(birds.indices().is_empty());
    /// ```
    #[track_caller]
    pub fn drain(&mut self) -> impl Iterator<Item = (C::Key, C::Removed)> {
        let mut keys = mem::take(&mut self.scratch);
        for key in self.container.keys() {
            explain::push::<Self, _>(&mut keys, key);
        }
        Drain { indexed: self, keys, next: 0 }
    }

    /// Removes the rows whose keys `find` puts into a vector, passes each to `each`, and returns how many there were. A
    /// key may occur more than once. O(found).
    ///
    /// The vector is kept from call to call, so that nothing is allocated once it is large enough. If `find` panics,
    /// nothing has changed; if `each` panics, the rows that it was passed are removed.
    ///
    /// # Examples
    /// Removing every row in which number 2 observes or is observed:
    /// ```
    /// use larder::{Arena, indices::{Indexed, MultiIndex}};
    ///
    /// struct Observation {
    ///     observer: u32,
    ///     observed: u32,
    /// }
    /// let by_observer = MultiIndex::by(|row: &Observation| row.observer);
    /// let by_observed = MultiIndex::by(|row: &Observation| row.observed);
    /// let mut rows = Indexed::new(Arena::new(), (by_observer, by_observed));
    /// for (observer, observed) in [(1, 2), (2, 1), (2, 2), (3, 1)] {
    ///     rows.insert(Observation { observer, observed }).unwrap();
    /// }
    /// let removed = rows.remove_where_any(
    ///     |(by_observer, by_observed), found| {
    ///         found.extend(by_observer.get(&2));
    ///         found.extend(by_observed.get(&2));
    ///     },
    ///     |_, row| assert!(row.observer == 2 || row.observed == 2),
    /// );
    /// assert_eq!((removed, rows.container().len()), (3, 1));
    /// ```
    #[doc(alias("cascade", "delete where"))]
    pub fn remove_where_any(
        &mut self,
        find: impl FnOnce(&I, &mut Vec<C::Key>),
        each: impl FnMut(C::Key, C::Removed),
    ) -> usize {
        let mut found = mem::take(&mut self.scratch);
        find(&self.indices, &mut found);
        self.remove_all(found, each)
    }

    /// Removes the rows of keys that have one, and keeps the vector.
    fn remove_all(
        &mut self,
        mut keys: Vec<C::Key>,
        mut each: impl FnMut(C::Key, C::Removed),
    ) -> usize {
        let mut count = 0;
        for &key in &keys {
            if let Some(removed) = self.remove(key) {
                count += 1;
                each(key, removed);
            }
        }
        keys.clear();
        self.scratch = keys;
        count
    }
}

/// Removes a row from the indices in the end, if it has left the container.
struct Leaving<'a, C: ValueContainer, I: RowIndex<C::Key, C::Value>> {
    indexed: &'a mut Indexed<C, I>,
    key: C::Key,
}

impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Drop for Leaving<'_, C, I> {
    fn drop(&mut self) {
        if !self.indexed.container.contains_key(self.key) {
            self.indexed.indices.unfile(self.key);
        }
    }
}

/// Removes rows as it is advanced.
struct Drain<'a, C: ValueContainer, I: RowIndex<C::Key, C::Value>> {
    indexed: &'a mut Indexed<C, I>,
    keys: Vec<C::Key>,
    next: usize,
}

impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Iterator for Drain<'_, C, I> {
    type Item = (C::Key, C::Removed);

    fn next(&mut self) -> Option<Self::Item> {
        let key = *self.keys.get(self.next)?;
        self.next += 1;
        self.indexed.remove(key).map(|removed| (key, removed))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.keys.len() - self.next;
        (left, Some(left))
    }
}

impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Drop for Drain<'_, C, I> {
    fn drop(&mut self) {
        self.for_each(drop);
        self.keys.clear();
        self.indexed.scratch = mem::take(&mut self.keys);
    }
}

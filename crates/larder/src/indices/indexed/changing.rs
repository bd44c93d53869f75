//! Inserting, changing and removing rows, in a container and all its indices.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::mem;

use super::{Indexed, example};
use crate::containers::container::{Container, RowContainer, ValueContainer};
use crate::error::TryReserveError;
use crate::explain;
use crate::indices::row_index::RowIndex;
use crate::indices::{IndexError, Rejected};
use crate::raw::OnDrop;

/// Changing.
impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// Inserts a row and files it. O(1) amortised, and the cost in the indices.
    ///
    /// # Errors
    /// If an index refuses the row, or there is no room. Then nothing has changed, and the row is in the error.
    ///
    /// # Panics
    /// If user code panics. Then nothing has changed; or the row is inserted, if it is the `Drop` of a
    /// property, or of what the container had in the row's place, as a `Pool` does.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// let refused = birds.insert(Bird { name: "kite", ring: 17 }).unwrap_err();
    /// assert_eq!(refused.reason, larder::indices::IndexError::Duplicate { holder: wren });
    /// assert_eq!(refused.value.name, "kite");
    /// ```
    pub fn insert(&mut self, value: C::Value) -> Result<C::Key, Rejected<C::Value, C::Key>> {
        let key = match self.prepare_next(&value) {
            Ok(key) => key,
            Err(reason) => return Err(Rejected { value, reason }),
        };
        let Self { container, indices, .. } = self;
        // Filed also if the container panics when it has the row.
        let entering = OnDrop::new(container, |container| {
            if container.contains_key(key) {
                indices.file();
            }
        });
        let inserted = entering.held.try_insert(value);
        mem::forget(entering);
        match inserted {
            Ok(inserted) => {
                assert!(
                    inserted == key,
                    "a container issued another key than `next_key` announced"
                );
                self.indices.file();
                self.indices.settle();
                Ok(key)
            }
            Err(refused) => {
                self.indices.settle();
                Err(Rejected { value: refused.value, reason: refused.reason.into() })
            }
        }
    }

    /// Makes room for `additional` more rows, in the container and in the indices: so many are inserted then without
    /// allocating, as far as `reserve` of each index promises. O(rows).
    ///
    /// # Errors
    /// If there is no room. Then nothing visible has changed.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// assert!(birds.try_reserve(100).is_ok());
    /// assert!(birds.try_reserve(usize::MAX).is_err());
    /// ```
    #[doc(alias = "reserve")]
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.container.try_reserve(additional)?;
        self.indices.try_reserve(additional)
    }

    /// Inserts rows up to the first that is refused. O(rows).
    ///
    /// # Errors
    /// Fails as [`insert`](Self::insert) does. The rows before are inserted; those after it are not taken from the
    /// iterator.
    ///
    /// # Panics
    /// Panics as [`insert`](Self::insert) does. The rows before are inserted.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let names = ["wren", "robin", "kite"].into_iter().zip([17, 18, 17]);
    /// let refused = birds.extend(names.map(|(name, ring)| Bird { name, ring })).unwrap_err();
    /// assert_eq!((refused.value.name, birds.container().len()), ("kite", 2));
    /// ```
    pub fn extend(
        &mut self,
        values: impl IntoIterator<Item = C::Value>,
    ) -> Result<(), Rejected<C::Value, C::Key>> {
        values.into_iter().try_for_each(|value| self.insert(value).map(|_| ()))
    }

    /// Replaces the row of a key, files the new one and returns the old one. O(1), and the cost in the indices.
    ///
    /// # Errors
    /// If the key has no row, an index refuses the new row, or allocation fails. Then nothing has changed, and the
    /// new row is in the error.
    ///
    /// # Panics
    /// If user code panics. Then nothing has changed; or the row is replaced, if it is a `Drop`.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// let old = birds.replace(wren, Bird { name: "wren", ring: 18 }).unwrap();
    /// assert_eq!(old.ring, 17);
    /// assert_eq!((birds.indices().get(&17), birds.indices().get(&18)), (None, Some(wren)));
    /// ```
    pub fn replace(
        &mut self,
        key: C::Key,
        value: C::Value,
    ) -> Result<C::Value, Rejected<C::Value, C::Key>> {
        self.indices.settle();
        let Some(mut place) = self.container.value_mut(key) else {
            return Err(Rejected { value, reason: IndexError::Missing { key } });
        };
        if let Err(reason) = self.indices.prepare(key, &value) {
            self.indices.settle();
            return Err(Rejected { value, reason });
        }
        let old = C::replace(&mut place, value);
        self.indices.file();
        self.indices.settle();
        Ok(old)
    }

    /// Changes a row, files it, and returns what the closure returns. O(1), a clone, and the cost in the indices.
    ///
    /// The closure changes a clone, which replaces the row. Rows that are not `Clone` are changed by
    /// [`modify_in_place`](Self::modify_in_place).
    ///
    /// # Errors
    /// If the key has no row, an index refuses the changed row, or allocation fails. Then nothing has changed.
    ///
    /// # Panics
    /// Panics as [`replace`](Self::replace) does.
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// birds.modify(wren, |bird| bird.ring += 1).unwrap();
    /// assert_eq!(birds.indices().get(&18), Some(wren));
    /// ```
    #[doc(alias("get_mut", "update"))]
    pub fn modify<R>(
        &mut self,
        key: C::Key,
        change: impl FnOnce(&mut C::Value) -> R,
    ) -> Result<R, IndexError<C::Key>>
    where
        C::Value: Clone,
    {
        let Some(mut changed) = self.container.with_value(key, C::Value::clone) else {
            return Err(IndexError::Missing { key });
        };
        let answer = change(&mut changed);
        self.replace(key, changed).map_err(|refused| refused.reason)?;
        Ok(answer)
    }

    /// Prepares to insert one more row.
    fn prepare_next(&mut self, value: &C::Value) -> Result<C::Key, IndexError<C::Key>> {
        self.indices.settle();
        let key = self.container.next_key()?;
        let prepared = self.indices.prepare(key, value);
        if prepared.is_err() {
            self.indices.settle();
        }
        prepared.map(|()| key)
    }
}

/// Changing in place.
impl<C: RowContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// Changes a row in place, for rows that are not `Clone`, files it, and returns what the closure returns. O(1), and
    /// the cost in the indices.
    ///
    /// A change in place cannot be undone: a changed row that an index refuses is removed from the container and all
    /// indices. So containers that keep their values, as a `Pool` does, have [`replace`](Self::replace) only. For rows
    /// that are `Clone`, [`modify`](Self::modify) changes all or nothing.
    ///
    /// # Errors
    /// If the key has no row: then nothing has changed, and the error has no value. If an index refuses the changed
    /// row, or allocation fails: the row is in the error, as the closure left it, its key is stale, and what the
    /// closure returned is dropped.
    ///
    /// # Panics
    /// If user code panics. A row that was not filed by then is removed and dropped; all others are unchanged.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{IndexError, Indexed, UniqueIndex}};
    ///
    /// struct Channel {
    ///     number: u32,
    ///     file: Option<std::fs::File>, // cannot be cloned
    /// }
    /// let by_number = UniqueIndex::by(|channel: &Channel| channel.number);
    /// let mut channels = Indexed::new(Arena::new(), by_number);
    /// let [a, b] = [1, 2].map(|number| channels.insert(Channel { number, file: None }).unwrap());
    ///
    /// channels.modify_in_place(a, |channel| channel.number = 3).unwrap();
    /// assert_eq!(channels.indices().get(&3), Some(a));
    ///
    /// let refused = channels.modify_in_place(a, |channel| channel.number = 2).unwrap_err();
    /// assert_eq!(refused.reason, IndexError::Duplicate { holder: b });
    /// let mut channel = refused.value.unwrap();
    /// assert!(!channels.contains_key(a) && channel.file.is_none());
    /// channel.number = 4;
    /// channels.insert(channel).unwrap(); // under another key
    /// ```
    #[doc(alias("get_mut", "update"))]
    pub fn modify_in_place<R>(
        &mut self,
        key: C::Key,
        change: impl FnOnce(&mut C::Value) -> R,
    ) -> Result<R, Rejected<Option<C::Value>, C::Key>>
    where
        C: Container<Removed = <C as RowContainer>::Value>,
    {
        self.indices.settle();
        let mut changing = Changing { indexed: self, key, is_done: false };
        match changing.change(change) {
            Ok(answer) => Ok(answer),
            Err(reason) => {
                changing.is_done = true;
                let value = changing.indexed.take(key);
                changing.indexed.indices.settle();
                Err(Rejected { value, reason })
            }
        }
    }
}

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
    fn take(&mut self, key: C::Key) -> Option<C::Removed> {
        let Self { container, indices, .. } = self;
        let leaving = OnDrop::new(container, |container| {
            if !container.contains_key(key) {
                indices.unfile(key);
            }
        });
        leaving.held.remove(key)
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

/// A row that is changed in place, and removed everywhere unless it is filed in the end.
struct Changing<'a, C: RowContainer, I: RowIndex<C::Key, C::Value>> {
    indexed: &'a mut Indexed<C, I>,
    key: C::Key,
    /// Nothing is left to do.
    is_done: bool,
}

impl<C: RowContainer, I: RowIndex<C::Key, C::Value>> Changing<'_, C, I> {
    fn change<R>(
        &mut self,
        change: impl FnOnce(&mut C::Value) -> R,
    ) -> Result<R, IndexError<C::Key>> {
        let Self { indexed: Indexed { container, indices, .. }, key, is_done } = self;
        let Some(value) = container.get_mut(*key) else {
            return Err(IndexError::Missing { key: *key });
        };
        let answer = change(value);
        if let Err(reason) = indices.prepare(*key, value) {
            indices.settle();
            return Err(reason);
        }
        indices.file();
        *is_done = true;
        indices.settle();
        Ok(answer)
    }
}

impl<C: RowContainer, I: RowIndex<C::Key, C::Value>> Drop for Changing<'_, C, I> {
    fn drop(&mut self) {
        if !self.is_done {
            self.indexed.take(self.key);
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

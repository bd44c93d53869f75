//! A container and its indices, changed together.

#[cfg(feature = "trees")]
mod of_containers;
mod optional;
mod removal;

use alloc::vec::Vec;
use core::fmt;
use core::mem;
use core::ops::Index;

use super::error::{IndexError, Rejected};
use super::row_index::{RowIndex, fill};
use crate::containers::container::{Container, RowContainer, ValueContainer};
use crate::error::TryReserveError;
use crate::explain;

/// Hidden lines of the examples: birds by their ring.
macro_rules! example {
    () => {
        "# use larder::{Arena, indices::{Indexed, MultiIndex, SortedIndex, UniqueIndex}};\n\
         # #[derive(Clone, Debug, PartialEq)]\n\
         # struct Bird { name: &'static str, ring: u32 }\n\
         # let mut birds = Indexed::new(Arena::new(), UniqueIndex::by(|bird: &Bird| bird.ring));"
    };
}
use example;

/// A container and its indices, which are updated by every change.
///
/// `C` is any container of rows or columns. `I` is a [`RowIndex`]: an [`IndexBy`](crate::indices::IndexBy), a tuple of up to eight,
/// an `Option`, which can be [filled](Self::add_index) and emptied at any time, or a `Vec`. The container can be read
/// ([`container`](Self::container)). There is no `&mut` to its values, because a change has to be filed: by
/// [`modify`](Self::modify), [`replace`](Self::replace) and, for rows that are not `Clone`,
/// [`modify_in_place`](Self::modify_in_place).
///
/// A change is made in the container and in all indices, or nowhere. If another row has a property in a
/// `UniqueIndex`, the error names that row and contains the refused value. If user code panics (a closure, the
/// function of an index, `Hash`, `Eq`, `Ord`), nothing has changed. (Properties must not depend on `Cell`s and the
/// like, which change without being filed.)
///
/// Each operation costs what it does in the container and in each index.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, indices::{Indexed, MultiIndex, UniqueIndex}};
///
/// #[derive(Clone)]
/// struct Bird {
///     name: String,
///     colour: &'static str,
/// }
///
/// let by_name = UniqueIndex::by(|bird: &Bird| bird.name.clone());
/// let by_colour = MultiIndex::by(|bird: &Bird| bird.colour);
/// let mut birds = Indexed::new(Arena::new(), (by_name, by_colour));
///
/// let wren = birds.insert(Bird { name: "wren".into(), colour: "brown" })?;
/// let kite = birds.insert(Bird { name: "kite".into(), colour: "red" })?;
/// birds.modify(kite, |bird| bird.colour = "brown").unwrap();
/// assert_eq!(birds.indices().1.get("brown"), [wren, kite]);
/// assert_eq!(birds.indices().0.get("kite"), Some(kite));
///
/// let refused = birds.insert(Bird { name: "wren".into(), colour: "blue" }).unwrap_err();
/// assert_eq!(refused.value.colour, "blue"); // nothing has changed
/// # Ok::<(), larder::indices::Rejected<Bird, Handle<Bird>>>(())
/// ```
#[doc(alias("table", "database", "multi_index", "secondary index"))]
#[derive(Clone)]
pub struct Indexed<C: ValueContainer, I> {
    container: C,
    indices: I,
    /// Keys of rows that are to be removed; empty between calls.
    scratch: Vec<C::Key>,
}

/// Making and reading.
impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// Takes a container and its indices, and files all rows. O(rows).
    ///
    /// # Panics
    /// If an index refuses a row, or memory is refused.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, SortedIndex}};
    ///
    /// let birds = Arena::from_iter(["wren", "robin"]);
    /// let birds = Indexed::new(birds, SortedIndex::by(|name: &&str| name.len()));
    /// assert_eq!(birds[birds.indices().last().unwrap().1], "robin");
    /// ```
    #[must_use]
    #[track_caller]
    pub fn new(container: C, indices: I) -> Self {
        match Self::try_new(container, indices) {
            Ok(indexed) => indexed,
            Err(refused) => explain::not_filed::<Self>(&refused.reason),
        }
    }

    /// As [`new`](Self::new), but returns the container in an error. O(rows).
    ///
    /// # Errors
    /// If an index refuses a row, or memory is refused.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{Indexed, UniqueIndex}};
    ///
    /// let birds = Arena::from_iter(["wren", "kite"]);
    /// let by_length = UniqueIndex::by(|name: &&str| name.len());
    /// let refused = Indexed::try_new(birds, by_length).unwrap_err();
    /// assert_eq!(refused.value.len(), 2); // the container
    /// ```
    pub fn try_new(container: C, mut indices: I) -> Result<Self, Rejected<C, C::Key>> {
        match fill(&mut indices, &container) {
            Ok(()) => Ok(Self { container, indices, scratch: Vec::new() }),
            Err(reason) => Err(Rejected { value: container, reason }),
        }
    }

    /// Whether a key has a row. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert!(birds.contains_key(wren));
    /// ```
    #[inline]
    #[must_use]
    pub fn contains_key(&self, key: C::Key) -> bool {
        self.container.contains_key(key)
    }

    /// The row of a key; `None` if the key is stale, foreign or dangling. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert_eq!(birds.get(wren).unwrap().name, "wren");
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: C::Key) -> Option<C::Ref<'_>> {
        self.container.value(key)
    }

    /// The container, for reading. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert!(birds.container().values().any(|bird| bird.name == "wren"));
    /// ```
    #[inline]
    #[must_use]
    pub const fn container(&self) -> &C {
        &self.container
    }

    /// The indices, for looking rows up. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert_eq!(birds.indices().get(&17), Some(wren));
    /// ```
    #[inline]
    #[must_use]
    pub const fn indices(&self) -> &I {
        &self.indices
    }

    /// The container and the indices, which are independent from then on. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = example!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// let (mut birds, by_ring) = birds.into_parts();
    /// birds.remove(wren);
    /// assert_eq!(by_ring.get(&17), Some(wren));
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (C, I) {
        (self.container, self.indices)
    }
}

/// Changing.
impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// Inserts a row and files it. O(1) amortised, and the cost in the indices.
    ///
    /// # Errors
    /// If an index refuses the row, or there is no room. Then nothing has changed, and the row is in the error.
    ///
    /// # Panics
    /// If user code panics. Then nothing has changed; or the row is inserted, if it is the `Drop` of a property, or of what
    /// the container had in the row's place, as a `Pool` does.
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
        let entering = Entering { container, indices, key };
        let inserted = entering.container.try_insert(value);
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

    /// Makes room for this many more rows, in the container and in the indices, as far as each can. O(rows).
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
    /// As [`insert`](Self::insert). The rows before are inserted; those after it are not taken from the iterator.
    ///
    /// # Panics
    /// As [`insert`](Self::insert). The rows before are inserted.
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
    /// If the key has no row, an index refuses the new row, or memory is refused. Then nothing has changed, and the
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
    /// If the key has no row, an index refuses the changed row, or memory is refused. Then nothing has changed.
    ///
    /// # Panics
    /// As [`replace`](Self::replace).
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
    /// row, or memory is refused: the row is in the error, as the closure left it, its key is stale, and what the
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

/// A prepared row that is being inserted: it is filed if the container panics when it has the row.
struct Entering<'a, C: ValueContainer, I: RowIndex<C::Key, C::Value>> {
    container: &'a mut C,
    indices: &'a mut I,
    key: C::Key,
}

impl<C: ValueContainer, I: RowIndex<C::Key, C::Value>> Drop for Entering<'_, C, I> {
    #[cold]
    fn drop(&mut self) {
        if self.container.contains_key(self.key) {
            self.indices.file();
        }
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

impl<C: ValueContainer + Index<C::Key>, I> Index<C::Key> for Indexed<C, I> {
    type Output = C::Output;

    #[inline]
    #[track_caller]
    fn index(&self, key: C::Key) -> &C::Output {
        &self.container[key]
    }
}

impl<C: ValueContainer + fmt::Debug, I: fmt::Debug> fmt::Debug for Indexed<C, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexed")
            .field("container", &self.container)
            .field("indices", &self.indices)
            .finish()
    }
}

//! A container and its indices, changed together.

mod adding;
mod in_place;
mod index_by;
mod linked;
mod order;
mod rejected;
mod removal;
mod several;

use alloc::vec::Vec;
use core::fmt;
use core::mem;
use core::ops::Index;

pub use adding::Rows;
pub use index_by::IndexBy;
pub use rejected::Rejected;
pub use several::OptionalAt;

use adding::fill;

use crate::containers::container::RowContainer;
use crate::error::TryReserveError;
use crate::explain;
use crate::indices::IndexError;

/// Makes the examples short: a table of who observes whom.
macro_rules! observers {
    () => {
        "# use larder::{Arena, indices::{Indexed, MultiIndex, SortedIndex, UniqueIndex}};\n\
         # #[derive(Clone, Debug, PartialEq)]\n\
         # struct Bird { name: &'static str, ring: u32 }\n\
         # let mut birds = Indexed::new(Arena::new(), UniqueIndex::by(|bird: &Bird| bird.ring));"
    };
}
use observers;

/// What an [`Indexed`] has of its rows: a [`IndexBy`], a tuple of up to eight, an `Option` or a `Box` of one, or a
/// `Vec` of them.
///
/// Changing several indices has steps, so that it is done in all of them or in none. First everything is
/// done that can fail: each index is asked to `prepare`. Only then `file` or `unfile` are called, which
/// cannot, and last `settle`, for what may panic and changes nothing that can be seen.
///
/// An index is told of each row that comes, changes or goes, before anything else is done with its key. So
/// keys may be [`BareHandle`](crate::key::BareHandle)s, which have no generation: an entry is never that of an earlier row.
///
/// The trait is for `dyn`, too: a `Box<dyn RowIndex<K, V>>` is an index, and so is the box of a trait of yours
/// that has methods to ask it.
///
/// # Examples
/// An index of your own, over which rows add up; where it stands is no concern of the others:
/// ```
/// use larder::indices::indexed::RowIndex;
/// use larder::{Handle, Arena, SecondaryMap, indices::{IndexError, Indexed}};
///
/// #[derive(Default)]
/// struct Total {
///     filed: SecondaryMap<Handle<u32>, u32>,
///     next: Option<(Handle<u32>, u32)>,
///     total: u32,
/// }
///
/// impl RowIndex<Handle<u32>, u32> for Total {
///     fn prepare(&mut self, key: Handle<u32>, value: &u32) -> Result<(), IndexError<Handle<u32>>> {
///         self.next = Some((key, *value));
///         Ok(())
///     }
///     fn file(&mut self) {
///         if let Some((key, value)) = self.next.take() {
///             self.total += value;
///             self.total -= self.filed.insert(key, value).unwrap_or(0);
///         }
///     }
///     fn unfile(&mut self, key: Handle<u32>) {
///         self.total -= self.filed.remove(key).unwrap_or(0);
///     }
///     fn settle(&mut self) {
///         self.next = None;
///     }
///     fn clear(&mut self) {
///         *self = Self::default();
///     }
/// }
///
/// let mut numbers = Indexed::new(Arena::from_iter([1, 2, 3]), Total::default());
/// let key = numbers.insert(10).unwrap();
/// numbers.modify(key, |number| *number += 1).unwrap();
/// assert_eq!(numbers.indices().total, 17);
/// ```
pub trait RowIndex<K, V> {
    /// Makes ready to file a row, under whatever its value says; it is filed anew if it is filed. User
    /// code runs here, and memory is taken here.
    ///
    /// # Errors
    /// If it cannot be filed. On an error, or a panic, nothing is to have changed that can be seen.
    fn prepare(&mut self, key: K, value: &V) -> Result<(), IndexError<K>>;

    /// Files what was prepared. Cannot fail, and runs no code that may panic. What is left over is kept
    /// for [`settle`](Self::settle).
    fn file(&mut self);

    /// Takes a row out, if it is filed. As [`file`](Self::file), this cannot fail. Something may be prepared
    /// that is not to be filed any more, where a panic cut it off.
    fn unfile(&mut self, key: K);

    /// Forgets what was prepared and not filed, and drops what is left over. Called first and last; what a
    /// panic leaves undone here is done at the next call.
    fn settle(&mut self);

    /// Takes everything out.
    fn clear(&mut self);

    /// Makes room for so many rows more, where an index can.
    ///
    /// # Errors
    /// If memory is refused; then nothing has changed that can be seen.
    fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
        let _ = rows;
        Ok(())
    }

    /// Files all rows of a container, where nothing is filed: one after the other, unless an index does
    /// better.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare). Some of the rows may be filed then, as after a panic; whoever called
    /// it forgets the index, or [clears](Self::clear) it.
    fn fill(&mut self, rows: &dyn Rows<K, V>) -> Result<(), IndexError<K>> {
        rows.try_for_each(&mut |key, value| {
            let prepared = self.prepare(key, value);
            if prepared.is_ok() {
                self.file();
            }
            self.settle();
            prepared
        })
    }
}

/// A container and its indices, which cannot go stale: every change of a row files it anew.
///
/// `C` is any container of rows, `I` a [`IndexBy`], a tuple of up to eight, or whatever else is a [`RowIndex`]; an
/// `Option` in its place can be [added](Self::add_index) and dropped at any time, and so can those of a `Vec`. The container is read as it is ([`container`](Self::container)); there is
/// no `&mut` to its values, because a change has to be filed: [`modify`](Self::modify),
/// [`replace`](Self::replace) and, for rows that cannot be cloned, [`modify_in_place`](Self::modify_in_place) do.
///
/// A change is done in the container and in all indices, or nowhere (in place, the row goes from both). Where a property is taken, by a row of
/// the same property in a `UniqueIndex`, the answer is an error that names the holder,
/// and the value comes back. Where code of the user panics (a closure, the function of an index, `Hash`,
/// `Eq`, `Ord`), everything is as before. (`Cell`s and their like in a row can be changed behind the indices'
/// back; what a row is filed under should not depend on them.)
///
/// # Costs
/// Each operation takes what it does of the container, and of each index.
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
/// assert_eq!(refused.value.colour, "blue"); // it comes back, and nothing has changed
/// # Ok::<(), larder::indices::indexed::Rejected<Bird, Handle<Bird>>>(())
/// ```
#[doc(alias("table", "database", "multi_index", "secondary index"))]
#[derive(Clone)]
pub struct Indexed<C: RowContainer, I> {
    container: C,
    indices: I,
    /// Of rows that are to be removed; empty between calls.
    scratch: Vec<C::Key>,
}

/// Making and reading.
impl<C: RowContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// A container, empty or not, and its indices, in which the rows are filed that are there.
    /// O(rows).
    ///
    /// # Panics
    /// If the rows cannot be filed: two have a property that only one may have, or memory is refused.
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

    /// As [`new`](Self::new), but gives the container back where its rows cannot be filed. O(rows).
    ///
    /// # Errors
    /// If two rows have a property that only one may have, or memory is refused.
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

    /// Whether a key's row is there. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
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
    #[doc = observers!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert_eq!(birds.get(wren).unwrap().name, "wren");
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: C::Key) -> Option<&C::Value> {
        self.container.get(key)
    }

    /// The container, to walk and read it. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
    /// birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert!(birds.container().values().any(|bird| bird.name == "wren"));
    /// ```
    #[inline]
    #[must_use]
    pub const fn container(&self) -> &C {
        &self.container
    }

    /// The indices, to look rows up. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
    /// let wren = birds.insert(Bird { name: "wren", ring: 17 }).unwrap();
    /// assert_eq!(birds.indices().get(&17), Some(wren));
    /// ```
    #[inline]
    #[must_use]
    pub const fn indices(&self) -> &I {
        &self.indices
    }

    /// The container and the indices, which do not learn of changes any more. O(1).
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
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
impl<C: RowContainer, I: RowIndex<C::Key, C::Value>> Indexed<C, I> {
    /// Adds a row and files it. O(1) amortised, and what the indices take.
    ///
    /// # Errors
    /// If a property of the row is taken, a coordinate is not finite, or there is no room. Nothing has changed
    /// then, and the row comes back.
    ///
    /// # Panics
    /// If code of the user does; nothing has changed then, or all of it where it is the `Drop` of a property
    /// that nobody has any more.
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
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
        match self.container.try_insert(value) {
            Ok(inserted) => {
                assert!(inserted == key, "a container handed out another key than `next_key` said");
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

    /// Makes room for so many rows more, in the container and in the indices, as far as each can. O(rows).
    ///
    /// # Panics
    /// If there is no room.
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
    /// birds.reserve(100);
    /// assert!(birds.container().capacity() >= 100 && birds.indices().stats().memory.committed > 0);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        if let Err(reason) = self.try_reserve(additional) {
            explain::refused::<Self>(&reason);
        }
    }

    /// As [`reserve`](Self::reserve), or says why there is no room.
    ///
    /// # Errors
    /// If there is no room. Then nothing has changed that can be seen.
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
    /// assert!(birds.try_reserve(100).is_ok());
    /// assert!(birds.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.container.try_reserve(additional)?;
        self.indices.try_reserve(additional)
    }

    /// Adds rows, up to the first that is refused. O(rows).
    ///
    /// # Errors
    /// If a property of a row is taken, a coordinate is not finite, or there is no room. The rows before are there, this one comes
    /// back, those behind it were not asked for.
    ///
    /// # Panics
    /// If code of the user does; the rows before are there then.
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
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

    /// Puts another row in a key's place and files it; gives the old one out. Keys stay valid. O(1), and
    /// what the indices take.
    ///
    /// # Errors
    /// If the key has no row, a property of the new one is taken, a coordinate is not finite, or memory is
    /// refused. Nothing has changed then, and the new row comes back.
    ///
    /// # Panics
    /// If code of the user does; nothing has changed then, or all of it where it is a `Drop`.
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
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
        let Some(place) = self.container.get_mut(key) else {
            return Err(Rejected { value, reason: IndexError::Missing { key } });
        };
        if let Err(reason) = self.indices.prepare(key, &value) {
            self.indices.settle();
            return Err(Rejected { value, reason });
        }
        let old = mem::replace(place, value);
        self.indices.file();
        self.indices.settle();
        Ok(old)
    }

    /// Changes a row and files it; answers what the closure does. O(1), a clone, and what the indices
    /// take.
    ///
    /// The closure changes a clone, which is put in the row's place when it is filed. What cannot be cloned is
    /// changed by [`modify_in_place`](Self::modify_in_place).
    ///
    /// # Errors
    /// If the key has no row, a property of the changed one is taken, a coordinate is not finite, or memory is
    /// refused. Nothing has changed then.
    ///
    /// # Panics
    /// If the closure or other code of the user does; nothing has changed then, or all of it where it is a
    /// `Drop`.
    ///
    /// # Examples
    /// ```
    #[doc = observers!()]
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
        let Some(value) = self.container.get(key) else {
            return Err(IndexError::Missing { key });
        };
        let mut changed = value.clone();
        let answer = change(&mut changed);
        self.replace(key, changed).map_err(|refused| refused.reason)?;
        Ok(answer)
    }

    /// Makes everything ready for one row more.
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

impl<C: RowContainer + Index<C::Key>, I> Index<C::Key> for Indexed<C, I> {
    type Output = C::Output;

    #[inline]
    #[track_caller]
    fn index(&self, key: C::Key) -> &C::Output {
        &self.container[key]
    }
}

impl<C: RowContainer + fmt::Debug, I: fmt::Debug> fmt::Debug for Indexed<C, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexed")
            .field("container", &self.container)
            .field("indices", &self.indices)
            .finish()
    }
}

//! An index, and what its rows are filed under.

use core::fmt;
use core::ops::Deref;

use super::{RowIndex, Rows};
use crate::error::TryReserveError;
use crate::indices::filing::Filing;
use crate::indices::{IndexError, SortedIndex};
#[cfg(feature = "hashbrown")]
use crate::indices::{MultiIndex, UniqueIndex};
use crate::key::Key;

/// An index of an [`Indexed`](crate::indices::Indexed): which index, and a function that tells the property of a row.
///
/// Made by `by` of an index, such as [`SortedIndex::by`](crate::indices::SortedIndex::by); [`IndexBy::new`] takes an
/// index that was made otherwise. Dereferences to the index, for looking things up. The function may be a
/// closure; a type that is to be named takes a function pointer, `fn(&Row) -> Property`.
///
/// What a function answers for a row is to depend on that row alone, and only on what changes through
/// `&mut`; otherwise rows are found under what they were.
///
/// # Examples
/// ```
/// use larder::indices::indexed::IndexBy;
/// use larder::{Arena, Handle, indices::{Indexed, SortedIndex}};
///
/// struct Bird {
///     weight: u32,
/// }
/// type Birds = Indexed<Arena<Bird>, IndexBy<SortedIndex<u32, Handle<Bird>>, fn(&Bird) -> u32>>;
///
/// let mut birds: Birds = Indexed::new(Arena::new(), SortedIndex::by(|bird| bird.weight));
/// let kite = birds.insert(Bird { weight: 900 }).unwrap();
/// assert_eq!(birds.indices().last(), Some((&900, kite)));
/// ```
#[doc(alias = "By")]
pub struct IndexBy<X: Filing, F> {
    index: X,
    property: F,
    prepared: Option<X::Ticket>,
    leftover: Option<X::Leftover>,
}

impl<X: Filing, F> IndexBy<X, F> {
    /// An index, and the function that tells what rows are filed under. What is filed in it is forgotten
    /// when it becomes the index of a container. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::indices::indexed::IndexBy;
    /// use larder::{Arena, indices::{Indexed, UniqueIndex}};
    /// use std::hash::RandomState;
    ///
    /// let by_name = IndexBy::new(UniqueIndex::with_hasher(RandomState::new()), |name: &String| name.clone());
    /// let names = Indexed::new(Arena::from_iter([String::from("wren")]), by_name);
    /// assert!(names.indices().get("wren").is_some());
    /// ```
    #[must_use]
    pub const fn new(index: X, property: F) -> Self {
        Self { index, property, prepared: None, leftover: None }
    }
}

impl<X: Filing, V, F: Fn(&V) -> X::Property> RowIndex<X::Key, V> for IndexBy<X, F> {
    fn prepare(&mut self, key: X::Key, value: &V) -> Result<(), IndexError<X::Key>> {
        self.prepared = Some(self.index.prepare(key, (self.property)(value))?);
        Ok(())
    }

    fn file(&mut self) {
        self.leftover = self.prepared.take().map(|ticket| self.index.file(ticket));
    }

    fn unfile(&mut self, key: X::Key) {
        self.leftover = Some(self.index.unfile(key));
    }

    fn settle(&mut self) {
        if let Some(ticket) = self.prepared.take() {
            self.index.cancel(ticket);
        }
        if let Some(leftover) = self.leftover.take() {
            self.index.settle(leftover);
        }
    }

    fn clear(&mut self) {
        self.settle();
        self.index.clear();
    }

    fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
        self.index.try_reserve(rows)
    }

    fn fill(&mut self, rows: &dyn Rows<X::Key, V>) -> Result<(), IndexError<X::Key>> {
        self.settle();
        self.index.try_reserve(rows.least())?;
        let mut bulk = X::Bulk::default();
        rows.try_for_each(&mut |key, value| {
            self.index.collect(&mut bulk, key, (self.property)(value))
        })?;
        self.index.finish(bulk)
    }
}

impl<X: Filing, F> Deref for IndexBy<X, F> {
    type Target = X;

    #[inline]
    fn deref(&self) -> &X {
        &self.index
    }
}

impl<X: Filing + Clone, F: Clone> Clone for IndexBy<X, F> {
    fn clone(&self) -> Self {
        Self::new(self.index.clone(), self.property.clone())
    }
}

impl<X: Filing + fmt::Debug, F> fmt::Debug for IndexBy<X, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index.fmt(f)
    }
}

/// `by` of an index.
macro_rules! by {
    ($index:ident, where [$($bounds:tt)*], $holds:literal) => {
        impl<Q: $($bounds)*, K: Key> $index<Q, K> {
            #[doc = concat!("An empty index for an [`Indexed`](crate::indices::Indexed), in which ", $holds)]
            /// under what the function says of them. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{Arena, indices::{Indexed, ", stringify!($index), "}};")]
            ///
            /// let words = Arena::from_iter(["wren", "robin"]);
            #[doc = concat!("let words = Indexed::new(words, ", stringify!($index), "::by(|word: &&str| word.len()));")]
            /// assert_eq!(words.indices().len(), 2);
            /// ```
            #[must_use]
            pub fn by<V, F: Fn(&V) -> Q>(property: F) -> IndexBy<Self, F> {
                IndexBy::new(Self::new(), property)
            }
        }
    };
}

by!(SortedIndex, where [Ord + Clone], "rows are in order");
#[cfg(feature = "hashbrown")]
by!(UniqueIndex, where [core::hash::Hash + Eq], "one row has its place");
#[cfg(feature = "hashbrown")]
by!(MultiIndex, where [core::hash::Hash + Eq], "rows are found");

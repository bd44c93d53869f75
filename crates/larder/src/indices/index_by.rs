//! An index together with the function that returns the property of a row.

use core::fmt;
use core::ops::Deref;

use super::error::IndexError;
use super::row_index::{RowIndex, Rows};
use super::two_phase::TwoPhase;
use crate::error::TryReserveError;

/// An index of an [`Indexed`](crate::indices::Indexed): an index, and a function that returns the property of a row.
///
/// Made by `by` of an index, such as [`SortedIndex::by`](crate::indices::SortedIndex::by); [`IndexBy::new`] takes any
/// index. It dereferences to the index, for lookups. To name the type, use a function pointer,
/// `fn(&Row) -> Property`, instead of a closure.
///
/// The result for a row must depend on that row alone, and not on `Cell`s and the like; otherwise rows are found
/// under former properties.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, indices::{IndexBy, Indexed, SortedIndex}};
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
pub struct IndexBy<X: TwoPhase, F> {
    index: X,
    property: F,
    prepared: Option<X::Ticket>,
    leftover: Option<X::Leftover>,
}

impl<X: TwoPhase, F> IndexBy<X, F> {
    /// Takes an index and a function. What is filed in the index is replaced when it is added to a container. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::{IndexBy, Indexed, UniqueIndex}};
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

impl<X: TwoPhase, V, F: Fn(&V) -> X::Property> RowIndex<X::Key, V> for IndexBy<X, F> {
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
        rows.try_for_each(&mut |key, value| self.index.insert(key, (self.property)(value)))
    }
}

impl<X: TwoPhase, F> Deref for IndexBy<X, F> {
    type Target = X;

    #[inline]
    fn deref(&self) -> &X {
        &self.index
    }
}

impl<X: TwoPhase + Clone, F: Clone> Clone for IndexBy<X, F> {
    fn clone(&self) -> Self {
        Self::new(self.index.clone(), self.property.clone())
    }
}

impl<X: TwoPhase + fmt::Debug, F> fmt::Debug for IndexBy<X, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index.fmt(f)
    }
}

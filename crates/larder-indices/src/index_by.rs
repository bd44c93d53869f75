//! The index that consists of an index of keys and a function, which returns the property of an object.

use core::{fmt, mem};

use super::IndexError;
use super::key_index::KeyIndex;
use super::two_phase::TwoPhase;
use larder_core::containers::ValueContainer;

/// An index of keys, with the values that it keeps between the phases of a change.
#[expect(unnameable_types, reason = "the seal on `IndexBy`")]
pub trait Phased {
    /// The keys that are filed.
    type Key;
    /// A prepared key.
    type Ticket;
    /// Values that have to be dropped after the change.
    type Leftover;
}

impl<L: TwoPhase> Phased for KeyIndex<L> {
    type Key = L::Key;
    type Ticket = L::Ticket;
    type Leftover = L::Leftover;
}

/// A function that returns the property of a value, if the value has one.
#[expect(unnameable_types, reason = "the seal on `IndexBy`")]
pub trait PropertyOf<V, Q> {
    fn of(&self, value: &V) -> Option<Q>;
}

impl<V, Q, F: Fn(&V) -> Q> PropertyOf<V, Q> for F {
    #[inline]
    fn of(&self, value: &V) -> Option<Q> {
        Some(self(value))
    }
}

/// The function of an [`IndexBy`] of some objects only. Made by `by_some` of an index.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, indices::{BySome, IndexBy, SortedIndex}, track::Table};
///
/// type ByAge = IndexBy<SortedIndex<u32, Handle<Option<u32>>>, BySome<fn(&Option<u32>) -> Option<u32>>>;
///
/// let by_age: ByAge = SortedIndex::by_some(|age| *age);
/// let ages = Table::with(Arena::from_iter([Some(3), None, Some(1)]), by_age);
/// assert!(ages.observers().iter().map(|(age, _)| *age).eq([1, 3]));
/// ```
#[derive(Clone, Copy)]
pub struct BySome<F>(F);

impl<V, Q, F: Fn(&V) -> Option<Q>> PropertyOf<V, Q> for BySome<F> {
    #[inline]
    fn of(&self, value: &V) -> Option<Q> {
        self.0(value)
    }
}

impl<F> fmt::Debug for BySome<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BySome").finish_non_exhaustive()
    }
}

/// An index of the objects of a [`Table`](larder_core::track::Table): an index of keys, and a function that returns the
/// property of an object.
///
/// Made by `by` of an index, such as [`SortedIndex::by`](crate::SortedIndex::by), or by `by_some`, for objects
/// of which some have no property and are not filed; [`IndexBy::new`] takes any index. It dereferences to the index,
/// for lookups. To name the type, as that of a field, use a function pointer, `fn(&Row) -> Property` (of `by_some`
/// [`BySome<fn(&Row) -> Option<Property>>`](BySome)): a closure that uses nothing of its surroundings becomes one where
/// that type is expected, and costs a few instructions more then, since it is called through the pointer.
///
/// The result for an object must depend on that object alone, and not on `Cell`s and the like; otherwise objects are
/// found under outdated properties.
///
/// A table tells it of each object that is inserted, changed or removed, before its key is used otherwise. Keys may
/// therefore be [`BareHandle`](larder_core::key::BareHandle)s, without generations: an entry never belongs to an
/// earlier object. Outside a table, [`fill`](IndexBy::fill) files all objects, and
/// [`Changes::refresh`](larder_core::track::Changes::refresh) those that changed.
///
/// # Examples
/// ```
/// # #[cfg(feature = "track")] {
/// use larder::{Arena, Handle, indices::{IndexBy, SortedIndex}, track::Table};
///
/// struct Bird {
///     weight: u32,
/// }
/// type Birds = Table<Arena<Bird>, IndexBy<SortedIndex<u32, Handle<Bird>>, fn(&Bird) -> u32>>;
///
/// let mut birds: Birds = Table::with(Arena::new(), SortedIndex::by(|bird| bird.weight));
/// let kite = birds.insert(Bird { weight: 900 });
/// assert_eq!(birds.observers().last(), Some((&900, kite)));
/// # }
/// ```
#[doc(alias("By", "Indexed", "RowIndex"))]
pub struct IndexBy<X: Phased, F> {
    index: X,
    property: F,
    prepared: Prepared<X>,
    leftover: Option<X::Leftover>,
}

/// A value that is about to be that of a key.
enum Prepared<X: Phased> {
    Nothing,
    /// It has a property.
    Filed(X::Ticket),
    /// It has none.
    Unfiled(X::Key),
}

impl<X: Phased, F> IndexBy<X, F> {
    /// Takes an index and a function. Keys that are filed in the index are replaced when a table is made with
    /// it. O(1).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(all(feature = "track", feature = "hashbrown"))] {
    /// use larder::{Arena, indices::{IndexBy, UniqueIndex}, track::Table};
    /// use std::hash::RandomState;
    ///
    /// let by_name = IndexBy::new(UniqueIndex::with_hasher(RandomState::new()), |name: &String| name.clone());
    /// let names = Table::with(Arena::from_iter([String::from("wren")]), by_name);
    /// assert!(names.observers().get("wren").is_some());
    /// # }
    /// ```
    #[must_use]
    pub const fn new(index: X, property: F) -> Self {
        Self { index, property, prepared: Prepared::Nothing, leftover: None }
    }
}

impl<X: Phased, F> IndexBy<X, BySome<F>> {
    pub(super) const fn of_some(index: X, property: F) -> Self {
        Self::new(index, BySome(property))
    }
}

impl<L: TwoPhase, F> IndexBy<KeyIndex<L>, F> {
    /// Replaces what is filed by the objects of a container: for an index that is in no table. O(objects).
    ///
    /// # Errors
    /// If an object cannot be filed, or allocation fails. Some of the objects are filed then.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, indices::SortedIndex};
    ///
    /// let numbers = Arena::from_iter([7_u32, 3]);
    /// let mut in_order = SortedIndex::by(|number: &u32| *number);
    /// in_order.fill(&numbers).unwrap();
    /// assert!(in_order.iter().map(|(number, _)| *number).eq([3, 7]));
    /// ```
    pub fn fill<C: ValueContainer<Key = L::Key>>(
        &mut self,
        objects: &C,
    ) -> Result<(), IndexError<L::Key>>
    where
        F: PropertyOf<C::Value, L::Property>,
    {
        self.settle();
        self.index.layout.clear();
        self.index.layout.expect(objects.keys().size_hint().0)?;
        objects.try_for_each(|key, value| match self.property.of(value) {
            Some(property) => self.index.layout.insert(key, property),
            None => Ok(()),
        })
    }
}

/// The phases of a change.
#[cfg(feature = "track")]
impl<L: TwoPhase, F> IndexBy<KeyIndex<L>, F> {
    #[inline]
    pub(crate) fn prepare<V>(&mut self, key: L::Key, value: &V) -> Result<(), IndexError<L::Key>>
    where
        F: PropertyOf<V, L::Property>,
    {
        self.prepared = match self.property.of(value) {
            Some(property) => match self.index.layout.prepare(key, property)? {
                Some(ticket) => Prepared::Filed(ticket),
                None => Prepared::Nothing,
            },
            None => Prepared::Unfiled(key),
        };
        Ok(())
    }

    #[inline]
    pub(crate) fn commit(&mut self) {
        if let Prepared::Nothing = self.prepared {
            return;
        }
        let leftover = match mem::replace(&mut self.prepared, Prepared::Nothing) {
            Prepared::Filed(ticket) => self.index.layout.file(ticket),
            Prepared::Unfiled(key) => self.index.layout.unfile(key),
            Prepared::Nothing => return,
        };
        self.put_aside(leftover);
    }

    #[inline]
    pub(crate) fn unfile(&mut self, key: L::Key) {
        let leftover = self.index.layout.unfile(key);
        self.put_aside(leftover);
    }

    /// Keeps what has to be dropped for [`settle`](Self::settle), unless that runs no code.
    #[inline]
    fn put_aside(&mut self, leftover: L::Leftover) {
        if mem::needs_drop::<L::Leftover>() {
            self.leftover = Some(leftover);
        } else {
            self.index.layout.settle(leftover);
        }
    }

    pub(crate) fn try_reserve(
        &mut self,
        additional: usize,
    ) -> Result<(), larder_core::TryReserveError> {
        self.index.layout.try_reserve(additional)
    }

    /// Returns the index, which is about to go back. (An object that is prepared has a place only until something else
    /// changes.)
    pub(crate) fn index_mut(&mut self) -> &mut KeyIndex<L> {
        self.settle();
        &mut self.index
    }
}

impl<L: TwoPhase, F> IndexBy<KeyIndex<L>, F> {
    /// Cancels what is prepared, and drops what is left over.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if !matches!(self.prepared, Prepared::Nothing) {
            self.cancel();
        }
        if mem::needs_drop::<L::Leftover>() {
            if let Some(leftover) = self.leftover.take() {
                self.index.layout.settle(leftover);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn cancel(&mut self) {
        if let Prepared::Filed(ticket) = mem::replace(&mut self.prepared, Prepared::Nothing) {
            self.index.layout.cancel(ticket);
        }
    }
}

impl<X: Phased, F> core::ops::Deref for IndexBy<X, F> {
    type Target = X;

    #[inline]
    fn deref(&self) -> &X {
        &self.index
    }
}

impl<X: Phased + Clone, F: Clone> Clone for IndexBy<X, F> {
    fn clone(&self) -> Self {
        Self::new(self.index.clone(), self.property.clone())
    }
}

impl<X: Phased + fmt::Debug, F> fmt::Debug for IndexBy<X, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index.fmt(f)
    }
}

//! The trait of an index of rows, alone or as one of several; and the index that consists of an index of keys and
//! a function, which returns the property of a row.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::{fmt, iter};

use super::IndexError;
use super::key_index::KeyIndex;
use super::two_phase::TwoPhase;
use crate::containers::container::ValueContainer;
use crate::error::TryReserveError;
use crate::macros::{derefs, each_prefix};

/// An index of the rows of an [`Indexed`](crate::indices::Indexed): an [`IndexBy`], a tuple of up
/// to eight, an `Option` or a `Box` of one, or a `Vec` of them.
///
/// A change of several indices has phases, so that it is made in all of them or in none. First every index is asked to
/// `prepare`, which can fail. Then `file` or `unfile` are called, which cannot fail, and last `settle`, which may panic
/// but changes nothing visible.
///
/// An index is told of each row that is inserted, changed or removed, before its key is used otherwise. Keys
/// may therefore be [`BareHandle`](crate::key::BareHandle)s, without generations: an entry never belongs to
/// an earlier row.
///
/// The trait is dyn-compatible: a `Box<dyn RowIndex<K, V>>` is an index, and so is the box of a trait that extends
/// `RowIndex`.
///
/// # Examples
/// An index of your own, which sums up rows:
/// ```
/// use larder::{Arena, Handle, SecondaryMap, indices::{IndexError, Indexed, RowIndex}};
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index of rows of `{V}`",
    label = "does not say which property of a row it files",
    note = "`by` of an index takes a function that returns the property: `SortedIndex::by(|row: &Row| row.weight)`",
    note = "its type is `IndexBy<SortedIndex<Property, Key>, fn(&Row) -> Property>`"
)]
pub trait RowIndex<K, V> {
    /// Prepares to file a row by its value, also if it is filed already. User code runs here, and memory is allocated
    /// here.
    ///
    /// # Errors
    /// If the row cannot be filed. An error or a panic must leave everything visible unchanged.
    fn prepare(&mut self, key: K, value: &V) -> Result<(), IndexError<K>>;

    /// Files the prepared row. Must not fail or panic: what has to be dropped is kept for
    /// [`settle`](Self::settle).
    fn file(&mut self);

    /// Removes a row, if it is filed. Must not fail or panic, as [`file`](Self::file). After a panic there may be a
    /// prepared row, which must not be filed.
    fn unfile(&mut self, key: K);

    /// Cancels what was prepared and not filed, and drops what is left over. Called first and last, so that the next
    /// call completes what a panic has interrupted.
    fn settle(&mut self);

    /// Removes all rows.
    fn clear(&mut self);

    /// Makes room for this many more rows, if the index can.
    ///
    /// # Errors
    /// If allocation fails. Then nothing visible has changed.
    fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
        let _ = rows;
        Ok(())
    }

    /// Files all rows of a container in an empty index: one after the other by default.
    ///
    /// # Errors
    /// Fails as [`prepare`](Self::prepare) does. Some of the rows may be filed then, as after a panic; the caller drops
    /// or [clears](Self::clear) the index.
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

/// The result of filing a row.
type Outcome<K> = Result<(), IndexError<K>>;

/// The rows of a container, for [`RowIndex::fill`]. Implemented by every container whose values can be
/// referenced.
///
/// # Examples
/// ```
/// use larder::{Arena, indices::{RowIndex, SortedIndex}};
///
/// let arena = Arena::from_iter([7_u32, 3]);
/// let mut in_order = SortedIndex::by(|number: &u32| *number);
/// in_order.fill(&arena).unwrap();
/// assert!(in_order.iter().map(|(number, _)| *number).eq([3, 7]));
/// ```
/// An index of your own that reserves room first:
/// ```
/// use larder::{Arena, Handle, indices::{IndexError, Indexed, RowIndex, Rows}};
/// use std::collections::HashSet;
///
/// type Id = Handle<u32>;
///
/// #[derive(Default)]
/// struct Even {
///     filed: HashSet<Id>,
///     next: Option<(Id, bool)>,
/// }
///
/// impl RowIndex<Id, u32> for Even {
///     fn fill(&mut self, rows: &dyn Rows<Id, u32>) -> Result<(), IndexError<Id>> {
///         self.filed.reserve(rows.least() / 2);
///         rows.try_for_each(&mut |key, number| {
///             if number % 2 == 0 {
///                 self.filed.insert(key);
///             }
///             Ok(())
///         })
///     }
///     fn prepare(&mut self, key: Id, number: &u32) -> Result<(), IndexError<Id>> {
///         self.filed.reserve(1);
///         self.next = Some((key, number % 2 == 0));
///         Ok(())
///     }
///     fn file(&mut self) {
///         match self.next.take() {
///             Some((key, true)) => self.filed.insert(key),
///             Some((key, false)) => self.filed.remove(&key),
///             None => false,
///         };
///     }
///     fn unfile(&mut self, key: Id) {
///         self.filed.remove(&key);
///     }
///     fn settle(&mut self) {
///         self.next = None;
///     }
///     fn clear(&mut self) {
///         *self = Self::default();
///     }
/// }
///
/// let mut numbers = Indexed::new(Arena::from_iter(0..9), Even::default());
/// assert_eq!(numbers.indices().filed.len(), 5);
/// numbers.retain(|_, number| number % 4 != 0);
/// assert_eq!(numbers.indices().filed.len(), 2);
/// ```
pub trait Rows<K, V> {
    /// A lower bound of the number of rows. O(1).
    fn least(&self) -> usize;

    /// Passes each row to `each`, up to the first error, and returns that. O(rows).
    ///
    /// # Errors
    /// The first error of `each`.
    fn try_for_each(&self, each: &mut dyn FnMut(K, &V) -> Outcome<K>) -> Outcome<K>;
}

impl<C: ValueContainer> Rows<C::Key, C::Value> for C {
    fn least(&self) -> usize {
        self.keys().size_hint().0
    }

    fn try_for_each(
        &self,
        each: &mut dyn FnMut(C::Key, &C::Value) -> Outcome<C::Key>,
    ) -> Outcome<C::Key> {
        ValueContainer::try_for_each(self, each)
    }
}

/// Replaces what is filed in an index by the rows of a container.
pub(super) fn fill<C: ValueContainer, I: RowIndex<C::Key, C::Value> + ?Sized>(
    index: &mut I,
    container: &C,
) -> Result<(), IndexError<C::Key>> {
    index.clear();
    index.fill(container)
}

/// Indices with an `Option` at position `AT`: tuples of up to eight, or an `Option` alone, at 0. See
/// [`Indexed::add_index`](crate::indices::Indexed::add_index).
///
/// # Examples
/// ```
/// use larder::indices::OptionalAt;
///
/// fn is_there<I: OptionalAt<1>>(mut indices: I) -> bool {
///     indices.optional().is_some()
/// }
/// assert!(is_there(("first", Some("second"))));
/// ```
pub trait OptionalAt<const AT: usize> {
    /// The index in the `Option`.
    type Index;

    /// The `Option`. O(1).
    fn optional(&mut self) -> &mut Option<Self::Index>;
}

impl<X> OptionalAt<0> for Option<X> {
    type Index = X;

    fn optional(&mut self) -> &mut Self {
        self
    }
}

/// Indices of one type: each function is passed on to all that there are, in order.
macro_rules! each {
    ($(#[$doc:meta])* [$($bound:tt)*] $Indices:ty, |$this:ident| $each:expr) => {
        $(#[$doc])*
        impl<K: Copy, V, X: RowIndex<K, V> $($bound)*> RowIndex<K, V> for $Indices {
            fn prepare(&mut self, key: K, value: &V) -> Result<(), IndexError<K>> {
                let $this = self;
                $each.try_for_each(|index| index.prepare(key, value))
            }

            fn file(&mut self) {
                let $this = self;
                $each.for_each(X::file);
            }

            fn unfile(&mut self, key: K) {
                let $this = self;
                $each.for_each(|index| index.unfile(key));
            }

            fn settle(&mut self) {
                let $this = self;
                $each.for_each(X::settle);
            }

            fn clear(&mut self) {
                let $this = self;
                $each.for_each(X::clear);
            }

            fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
                let $this = self;
                $each.try_for_each(|index| index.try_reserve(rows))
            }

            fn fill(&mut self, rows: &dyn Rows<K, V>) -> Result<(), IndexError<K>> {
                let $this = self;
                $each.try_for_each(|index| index.fill(rows))
            }
        }
    };
}

each!([] Option<X>, |index| index.iter_mut());
each!(
    /// Also of a type that is chosen at run time, `Box<dyn RowIndex<K, V>>`.
    [+ ?Sized] Box<X>, |index| iter::once(&mut **index)
);
each!(
    /// Any number of indices of one type; see [`Indexed::push_index`](crate::indices::Indexed::push_index).
    [] Vec<X>, |indices| indices.iter_mut()
);

/// A tuple of indices.
macro_rules! tuple {
    ($([$X:ident $at:tt])+) => {
        impl<K: Copy, V, $($X: RowIndex<K, V>),+> RowIndex<K, V> for ($($X,)+) {
            fn prepare(&mut self, key: K, value: &V) -> Result<(), IndexError<K>> {
                $(self.$at.prepare(key, value)?;)+
                Ok(())
            }

            fn file(&mut self) {
                $(self.$at.file();)+
            }

            fn unfile(&mut self, key: K) {
                $(self.$at.unfile(key);)+
            }

            fn settle(&mut self) {
                $(self.$at.settle();)+
            }

            fn clear(&mut self) {
                $(self.$at.clear();)+
            }

            fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
                $(self.$at.try_reserve(rows)?;)+
                Ok(())
            }

            fn fill(&mut self, rows: &dyn Rows<K, V>) -> Result<(), IndexError<K>> {
                $(self.$at.fill(rows)?;)+
                Ok(())
            }
        }

        optional!([] $($X $at)+);
    };
}

/// A tuple with an `Option` at each position in turn.
macro_rules! optional {
    ([$($before:ident)*]) => {};
    ([$($before:ident)*] $X:ident $at:tt $($after:ident $later:tt)*) => {
        impl<T, $($before,)* $($after),*> OptionalAt<$at> for ($($before,)* Option<T>, $($after,)*) {
            type Index = T;

            fn optional(&mut self) -> &mut Option<T> {
                &mut self.$at
            }
        }

        optional!([$($before)* $X] $($after $later)*);
    };
}

each_prefix!(tuple: [A 0] [B 1] [C 2] [D 3] [E 4] [F 5] [G 6] [H 7]);

/// An index of keys, with the values that it keeps between the phases of a change.
#[expect(unnameable_types, reason = "the seal on `IndexBy`")]
pub trait Phased {
    /// A prepared key.
    type Ticket;
    /// Values that have to be dropped after the change.
    type Leftover;
}

impl<L: TwoPhase> Phased for KeyIndex<L> {
    type Ticket = L::Ticket;
    type Leftover = L::Leftover;
}

/// An index of an [`Indexed`](crate::indices::Indexed): an index, and a function that returns the property of a row.
///
/// Made by `by` of an index, such as [`SortedIndex::by`](crate::indices::SortedIndex::by); [`IndexBy::new`] takes any
/// index. It dereferences to the index, for lookups. To name the type, use a function pointer,
/// `fn(&Row) -> Property`, instead of a closure.
///
/// The result for a row must depend on that row alone, and not on `Cell`s and the like; otherwise rows are
/// found under outdated properties.
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
pub struct IndexBy<X: Phased, F> {
    index: X,
    property: F,
    prepared: Option<X::Ticket>,
    leftover: Option<X::Leftover>,
}

impl<X: Phased, F> IndexBy<X, F> {
    /// Takes an index and a function. Keys that are filed in the index are replaced when it is added to a container.
    /// O(1).
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

impl<L: TwoPhase, F> IndexBy<KeyIndex<L>, F> {
    /// Cancels a prepared row, and drops what is left over.
    fn finish(&mut self) {
        if let Some(ticket) = self.prepared.take() {
            self.index.layout.cancel(ticket);
        }
        if let Some(leftover) = self.leftover.take() {
            self.index.layout.settle(leftover);
        }
    }
}

impl<L: TwoPhase, V, F: Fn(&V) -> L::Property> RowIndex<L::Key, V> for IndexBy<KeyIndex<L>, F> {
    fn prepare(&mut self, key: L::Key, value: &V) -> Result<(), IndexError<L::Key>> {
        self.prepared = Some(self.index.layout.prepare(key, (self.property)(value))?);
        Ok(())
    }

    fn file(&mut self) {
        self.leftover = self.prepared.take().map(|ticket| self.index.layout.file(ticket));
    }

    fn unfile(&mut self, key: L::Key) {
        self.leftover = Some(self.index.layout.unfile(key));
    }

    fn settle(&mut self) {
        self.finish();
    }

    fn clear(&mut self) {
        self.finish();
        self.index.layout.clear();
    }

    fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
        self.index.layout.try_reserve(rows)
    }

    fn fill(&mut self, rows: &dyn Rows<L::Key, V>) -> Result<(), IndexError<L::Key>> {
        self.finish();
        self.index.layout.expect(rows.least())?;
        rows.try_for_each(&mut |key, value| self.index.layout.insert(key, (self.property)(value)))
    }
}

impl<L: TwoPhase, F> IndexBy<KeyIndex<L>, F> {
    /// Returns the index, which is about to go back. (A row that is prepared has a place only until something else changes.)
    #[cfg(feature = "track")]
    pub(crate) fn index_mut(&mut self) -> &mut KeyIndex<L> {
        self.finish();
        &mut self.index
    }
}

derefs!([X: Phased, F] IndexBy<X, F>, index: X);

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

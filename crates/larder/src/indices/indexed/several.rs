//! Several indices as one, and those that are there or not.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{RowIndex, Rows};
use crate::error::TryReserveError;
use crate::indices::IndexError;

/// Indices of which the one at a position may be there or not. Tuples of up to eight have it, and an
/// `Option` alone, at 0.
///
/// # Examples
/// See [`Indexed::add_index`](crate::indices::Indexed::add_index), for which it is there.
/// ```
/// use larder::indices::indexed::OptionalAt;
///
/// fn is_there<I: OptionalAt<1>>(mut indices: I) -> bool {
///     indices.optional().is_some()
/// }
/// assert!(is_there(("first", Some("second"))));
/// ```
pub trait OptionalAt<const AT: usize> {
    /// What may be there.
    type Index;

    /// Where it is, if it is. O(1).
    fn optional(&mut self) -> &mut Option<Self::Index>;
}

impl<X> OptionalAt<0> for Option<X> {
    type Index = X;

    fn optional(&mut self) -> &mut Self {
        self
    }
}

impl<K, V, X: RowIndex<K, V>> RowIndex<K, V> for Option<X> {
    fn prepare(&mut self, key: K, value: &V) -> Result<(), IndexError<K>> {
        self.as_mut().map_or(Ok(()), |index| index.prepare(key, value))
    }

    fn file(&mut self) {
        if let Some(index) = self {
            index.file();
        }
    }

    fn unfile(&mut self, key: K) {
        if let Some(index) = self {
            index.unfile(key);
        }
    }

    fn settle(&mut self) {
        if let Some(index) = self {
            index.settle();
        }
    }

    fn clear(&mut self) {
        if let Some(index) = self {
            index.clear();
        }
    }

    fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
        self.as_mut().map_or(Ok(()), |index| index.try_reserve(rows))
    }

    fn fill(&mut self, rows: &dyn Rows<K, V>) -> Result<(), IndexError<K>> {
        self.as_mut().map_or(Ok(()), |index| index.fill(rows))
    }
}

/// Of a type that is chosen while the program runs, too: `Box<dyn RowIndex<K, V>>`. Such an index can be told
/// of changes, not asked; a trait of yours that has `RowIndex<K, V>` above it can have methods that ask.
impl<K, V, X: RowIndex<K, V> + ?Sized> RowIndex<K, V> for Box<X> {
    fn prepare(&mut self, key: K, value: &V) -> Result<(), IndexError<K>> {
        (**self).prepare(key, value)
    }

    fn file(&mut self) {
        (**self).file();
    }

    fn unfile(&mut self, key: K) {
        (**self).unfile(key);
    }

    fn settle(&mut self) {
        (**self).settle();
    }

    fn clear(&mut self) {
        (**self).clear();
    }

    fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
        (**self).try_reserve(rows)
    }

    fn fill(&mut self, rows: &dyn Rows<K, V>) -> Result<(), IndexError<K>> {
        (**self).fill(rows)
    }
}

/// Any number of indices of one type: see [`Indexed::push_index`](crate::indices::Indexed::push_index).
impl<K: Copy, V, X: RowIndex<K, V>> RowIndex<K, V> for Vec<X> {
    fn prepare(&mut self, key: K, value: &V) -> Result<(), IndexError<K>> {
        self.iter_mut().try_for_each(|index| index.prepare(key, value))
    }

    fn file(&mut self) {
        self.iter_mut().for_each(X::file);
    }

    fn unfile(&mut self, key: K) {
        self.iter_mut().for_each(|index| index.unfile(key));
    }

    fn settle(&mut self) {
        self.iter_mut().for_each(X::settle);
    }

    fn clear(&mut self) {
        self.iter_mut().for_each(X::clear);
    }

    fn try_reserve(&mut self, rows: usize) -> Result<(), TryReserveError> {
        self.iter_mut().try_for_each(|index| index.try_reserve(rows))
    }

    fn fill(&mut self, rows: &dyn Rows<K, V>) -> Result<(), IndexError<K>> {
        self.iter_mut().try_for_each(|index| index.fill(rows))
    }
}

/// A tuple of indices: each does what all are told.
macro_rules! tuple {
    ($($X:ident $at:tt),+) => {
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

/// Tuples of these, and of fewer.
macro_rules! tuples {
    ([$($X:ident $at:tt)*]) => {};
    ([$($X:ident $at:tt)*] $Next:ident $next:tt $($later:tt)*) => {
        tuple!($($X $at,)* $Next $next);
        optional!([] $($X $at)* $Next $next);
        tuples!([$($X $at)* $Next $next] $($later)*);
    };
}

tuples!([] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);

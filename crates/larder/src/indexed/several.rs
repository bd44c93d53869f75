//! Several indices as one, and those that are there or not.

use super::RowIndex;
use crate::index::IndexError;

/// Indices of which the one at a position may be there or not. Tuples of up to four have it, and an
/// `Option` alone, at 0.
///
/// # Examples
/// See [`Indexed::add_index`](crate::Indexed::add_index), for which it is there.
/// ```
/// use larder::indexed::OptionalAt;
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
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

/// A tuple with an `Option` at a position.
macro_rules! optional {
    ([$($X:ident)*] ($($type:ty),+), $at:tt) => {
        impl<T, $($X),*> OptionalAt<$at> for ($($type,)+) {
            type Index = T;

            fn optional(&mut self) -> &mut Option<T> {
                &mut self.$at
            }
        }
    };
}

optional!([] (Option<T>), 0);
optional!([A] (Option<T>, A), 0);
optional!([A] (A, Option<T>), 1);
optional!([A B] (Option<T>, A, B), 0);
optional!([A B] (A, Option<T>, B), 1);
optional!([A B] (A, B, Option<T>), 2);
optional!([A B C] (Option<T>, A, B, C), 0);
optional!([A B C] (A, Option<T>, B, C), 1);
optional!([A B C] (A, B, Option<T>, C), 2);
optional!([A B C] (A, B, C, Option<T>), 3);

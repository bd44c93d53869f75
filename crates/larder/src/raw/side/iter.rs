//! Iterators over an array and what is far from it: one after the other.
//!
//! **Invariant** of those that give out values: the walk yields slots of the array that have their
//! value, each once.

use core::iter::FusedIterator;

use super::Side;
use crate::key::Key;
use crate::raw::near::Near;
use crate::raw::sparse;
use crate::raw::walk::Walk;

/// What is near, then what is far.
#[derive(Clone, Default)]
pub(crate) struct Chained<A, B> {
    near: A,
    far: B,
}

impl<A, B> Chained<A, B> {
    #[inline]
    pub(crate) const fn new(near: A, far: B) -> Self {
        Self { near, far }
    }
}

impl<A: ExactSizeIterator, B: ExactSizeIterator<Item = A::Item>> Iterator for Chained<A, B> {
    type Item = A::Item;

    #[inline]
    fn next(&mut self) -> Option<A::Item> {
        match self.near.next() {
            None => self.far.next(),
            near => near,
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.near.len() + self.far.len();
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<A::Item> {
        let near = self.near.len();
        if n < near {
            return self.near.nth(n);
        }
        if near > 0 {
            self.near.nth(near - 1);
        }
        self.far.nth(n - near)
    }

    #[inline]
    fn fold<C, F: FnMut(C, A::Item) -> C>(self, init: C, mut f: F) -> C {
        let folded = self.near.fold(init, &mut f);
        self.far.fold(folded, f)
    }
}

impl<A, B> DoubleEndedIterator for Chained<A, B>
where
    A: ExactSizeIterator + DoubleEndedIterator,
    B: ExactSizeIterator<Item = A::Item> + DoubleEndedIterator,
{
    #[inline]
    fn next_back(&mut self) -> Option<A::Item> {
        match self.far.next_back() {
            None => self.near.next_back(),
            far => far,
        }
    }
}

impl<A: ExactSizeIterator, B: ExactSizeIterator<Item = A::Item>> ExactSizeIterator
    for Chained<A, B>
{
}

// (Of each, only those that are fused are chained.)
impl<A: ExactSizeIterator, B: ExactSizeIterator<Item = A::Item>> FusedIterator for Chained<A, B> {}

/// Keys and owned values of an array. (What is left is the array's to drop.)
pub(crate) struct IntoNear<K: Key, V> {
    walk: Walk,
    near: Near<K, V>,
}

/// Takes all values out of an array.
pub(crate) struct DrainNear<'a, K: Key, V> {
    walk: Walk,
    near: &'a mut Near<K, V>,
}

/// Keys and owned values.
pub(crate) type IntoIter<K, V> = Chained<IntoNear<K, V>, sparse::IntoIter<K, V>>;

/// Removes all and gives it out.
pub(crate) type Drain<'a, K, V> = Chained<DrainNear<'a, K, V>, sparse::Drain<'a, K, V>>;

impl<K: Key, V> Side<K, V> {
    #[inline]
    pub(crate) fn into_iter(self) -> IntoIter<K, V> {
        let Self { near, far } = self;
        // SAFETY: the marks move into the iterator; only slots that were yielded lose theirs.
        let walk = unsafe { near.walk() };
        Chained::new(IntoNear { walk, near }, far.into_iter())
    }

    pub(crate) fn drain(&mut self) -> Drain<'_, K, V> {
        let Self { near, far } = self;
        // SAFETY: only slots that were yielded lose their mark, and nothing else reaches the array.
        let walk = unsafe { near.walk() };
        Chained::new(DrainNear { walk, near }, far.drain())
    }
}

macro_rules! taking {
    (impl[$($generics:tt)*] $name:ty) => {
        impl<$($generics)*> Iterator for $name {
            type Item = (K, V);

            #[inline]
            fn next(&mut self) -> Option<(K, V)> {
                let slot = self.walk.next()?;
                // SAFETY: the walk just yielded it.
                Some(unsafe { self.near.take(slot) })
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.walk.size_hint()
            }
        }

        impl<$($generics)*> DoubleEndedIterator for $name {
            #[inline]
            fn next_back(&mut self) -> Option<(K, V)> {
                let slot = self.walk.next_back()?;
                // SAFETY: the walk just yielded it.
                Some(unsafe { self.near.take(slot) })
            }
        }

        impl<$($generics)*> ExactSizeIterator for $name {}
        impl<$($generics)*> FusedIterator for $name {}
    };
}

taking!(impl[K: Key, V] IntoNear<K, V>);
taking!(impl[K: Key, V] DrainNear<'_, K, V>);

impl<K: Key, V> Drop for DrainNear<'_, K, V> {
    /// Removes what was not given out, all of it, even if a value's own `Drop` panics.
    fn drop(&mut self) {
        /// Goes on with the rest while the panic of one value unwinds.
        struct Rest<'a, 'b, K: Key, V>(&'a mut DrainNear<'b, K, V>);

        impl<K: Key, V> Drop for Rest<'_, '_, K, V> {
            fn drop(&mut self) {
                self.0.for_each(drop);
            }
        }

        Rest(self).0.for_each(drop);
    }
}

/// Removes what a closure chooses.
pub(crate) struct ExtractIf<'a, K: Key, V, F> {
    walk: Walk,
    near: &'a mut Near<K, V>,
    far: sparse::ExtractIf<'a, K, V, F>,
}

impl<K: Key, V> Side<K, V> {
    pub(crate) fn extract_if<F>(&mut self, choose: F) -> ExtractIf<'_, K, V, F> {
        let Self { near, far } = self;
        // SAFETY: only slots that were yielded lose their mark, and nothing else reaches the array.
        let walk = unsafe { near.walk() };
        ExtractIf { walk, near, far: far.extract_if(choose) }
    }
}

impl<K: Key, V, F> ExtractIf<'_, K, V, F> {
    /// How many values are yet to be looked at.
    pub(crate) fn len(&self) -> usize {
        self.walk.len() + self.far.len()
    }
}

impl<K: Key, V, F: FnMut(K, &mut V) -> bool> Iterator for ExtractIf<'_, K, V, F> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        for slot in self.walk.by_ref() {
            // SAFETY: the walk yields slots that have their value.
            let (key, value) = unsafe { self.near.entry_mut(slot) };
            if self.far.chooses(key, value) {
                // SAFETY: it still has.
                return Some(unsafe { self.near.take(slot) });
            }
        }
        self.far.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.len()))
    }
}

impl<K: Key, V, F: FnMut(K, &mut V) -> bool> FusedIterator for ExtractIf<'_, K, V, F> {}

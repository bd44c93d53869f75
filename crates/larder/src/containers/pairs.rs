//! Iterators over one half of each pair, the keys or the values: of all containers.

use core::fmt;
use core::iter::FusedIterator;

/// The keys of an iterator over keys and values, in its order. Made by `keys`.
#[derive(Clone, Default)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Keys<I>(pub(super) I);

/// The values of an iterator over keys and values, in its order. Made by `values`, `values_mut` and `into_values`.
#[derive(Clone, Default)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Values<I>(pub(super) I);

/// Implements the iterator traits by those of the pairs.
macro_rules! half {
    ($name:ident, $item:ident, |$pair:ident| $half:expr) => {
        impl<K, V, I: DoubleEndedIterator<Item = (K, V)> + ExactSizeIterator> Iterator
            for $name<I>
        {
            type Item = $item;

            #[inline(always)]
            fn next(&mut self) -> Option<$item> {
                self.0.next().map(|$pair| $half)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }

            #[inline]
            fn count(self) -> usize {
                self.0.len()
            }

            #[inline]
            fn last(mut self) -> Option<$item> {
                self.next_back()
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<$item> {
                self.0.nth(n).map(|$pair| $half)
            }

            #[inline]
            fn fold<B, F: FnMut(B, $item) -> B>(self, init: B, mut f: F) -> B {
                self.0.fold(init, move |folded, $pair| f(folded, $half))
            }
        }

        impl<K, V, I: DoubleEndedIterator<Item = (K, V)> + ExactSizeIterator> DoubleEndedIterator
            for $name<I>
        {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.0.next_back().map(|$pair| $half)
            }
        }

        impl<K, V, I: DoubleEndedIterator<Item = (K, V)> + ExactSizeIterator> ExactSizeIterator
            for $name<I>
        {
        }
        impl<K, V, I: DoubleEndedIterator<Item = (K, V)> + ExactSizeIterator> FusedIterator
            for $name<I>
        {
        }

        impl<I: ExactSizeIterator> fmt::Debug for $name<I> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("remaining", &self.0.len())
                    .finish_non_exhaustive()
            }
        }
    };
}

half!(Keys, K, |pair| pair.0);
half!(Values, V, |pair| pair.1);

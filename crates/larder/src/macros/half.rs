//! Iterators over one half of an iterator's pairs: its keys or its values.

/// Implements the iterator traits of `$name`, a tuple struct around an iterator of pairs, by
/// taking one part of each pair.
macro_rules! half_of_pairs {
    (impl[$($generics:tt)*] $name:ty, $item:ty, |$pair:ident| $part:expr) => {
        impl<$($generics)*> Iterator for $name {
            type Item = $item;

            #[inline(always)]
            fn next(&mut self) -> Option<$item> {
                self.0.next().map(|$pair| $part)
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
                self.0.nth(n).map(|$pair| $part)
            }

            #[inline]
            fn fold<B, F: FnMut(B, $item) -> B>(self, init: B, mut f: F) -> B {
                self.0.fold(init, move |folded, $pair| f(folded, $part))
            }
        }

        impl<$($generics)*> DoubleEndedIterator for $name {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.0.next_back().map(|$pair| $part)
            }
        }

        impl<$($generics)*> ExactSizeIterator for $name {}
        impl<$($generics)*> core::iter::FusedIterator for $name {}
    };
}
pub(crate) use half_of_pairs;

/// Implements `Debug` of iterators as their name and how much is left.
macro_rules! shows_remaining {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        impl<$($generics)*> core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let name = stringify!($name).split('<').next().unwrap_or_default().trim_end();
                f.debug_struct(name)
                    .field("remaining", &self.0.len())
                    .finish_non_exhaustive()
            }
        }
    )*};
}
pub(crate) use shows_remaining;

/// Implements `Debug` of iterators that do not know how much is left, as their name.
macro_rules! shows_type {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        impl<$($generics)*> core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let name = stringify!($name).split('<').next().unwrap_or_default().trim_end();
                f.debug_struct(name).finish_non_exhaustive()
            }
        }
    )*};
}
pub(crate) use shows_type;

//! Taking out what a closure chooses.

use core::fmt;
use core::iter::FusedIterator;

use super::SoaArena;
use crate::key::Key;
use crate::raw::pool as rows;
use crate::soa::{Fill, Soa};

/// Removes what a closure chooses, in slot order. Made by
/// [`SoaArena::extract_if`](crate::SoaArena::extract_if).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ExtractIf<'a, T: Soa + Fill, K: Key, F>(rows::ExtractIf<'a, T, K, F>);

impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Takes out the values that `choose` chooses, as the iterator is advanced; the others, and those
    /// not come to, stay. O(1) a value looked at.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter((0..6).map(|n| (n, 'x')));
    /// let odd: Vec<_> = arena.extract_if(|_, (n, _)| *n % 2 == 1).map(|(_, v)| v.0).collect();
    /// assert_eq!(odd, [1, 3, 5]);
    /// assert_eq!(arena.len(), 3);
    /// ```
    #[doc(alias = "drain_filter")]
    pub fn extract_if<F: FnMut(K, T::RefMut<'_>) -> bool>(
        &mut self,
        choose: F,
    ) -> ExtractIf<'_, T, K, F> {
        ExtractIf(self.rows.extract_if(choose))
    }
}

impl<T: Soa + Fill, K: Key, F: FnMut(K, T::RefMut<'_>) -> bool> Iterator
    for ExtractIf<'_, T, K, F>
{
    type Item = (K, T);

    fn next(&mut self) -> Option<(K, T)> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T: Soa + Fill, K: Key, F: FnMut(K, T::RefMut<'_>) -> bool> FusedIterator
    for ExtractIf<'_, T, K, F>
{
}

impl<T: Soa + Fill, K: Key, F> fmt::Debug for ExtractIf<'_, T, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractIf").field("remaining", &self.0.len()).finish_non_exhaustive()
    }
}

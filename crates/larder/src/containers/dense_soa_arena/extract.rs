//! Taking out what a closure chooses.

use core::fmt;
use core::iter::FusedIterator;

use super::DenseSoaArena;
use crate::key::Key;
use crate::soa::Soa;

/// Removes what a closure chooses. Made by
/// [`DenseSoaArena::extract_if`](crate::DenseSoaArena::extract_if).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ExtractIf<'a, T: Soa, K: Key, F> {
    arena: &'a mut DenseSoaArena<T, K>,
    position: usize,
    choose: F,
}

impl<T: Soa, K: Key> DenseSoaArena<T, K> {
    /// Takes out the values that `choose` chooses, as the iterator is advanced; the others, and those
    /// not come to, stay. Perturbs the order as [`remove`](Self::remove) does: the last value fills
    /// each gap, and is looked at next. O(1) a value looked at.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseSoaArena::from_iter((0..6).map(|n| (n, 'x')));
    /// let odd = arena.extract_if(|_, (n, _)| *n % 2 == 1).count();
    /// assert_eq!(odd, 3);
    /// assert_eq!(arena.len(), 3);
    /// ```
    #[doc(alias = "drain_filter")]
    pub fn extract_if<F: FnMut(K, T::RefMut<'_>) -> bool>(
        &mut self,
        choose: F,
    ) -> ExtractIf<'_, T, K, F> {
        ExtractIf { arena: self, position: 0, choose }
    }
}

impl<T: Soa, K: Key, F: FnMut(K, T::RefMut<'_>) -> bool> Iterator for ExtractIf<'_, T, K, F> {
    type Item = (K, T);

    fn next(&mut self) -> Option<(K, T)> {
        loop {
            let rows = &mut self.arena.rows;
            let key = *rows.keys().get(self.position)?;
            if (self.choose)(key, rows.get_at_mut(self.position)?) {
                return rows.remove_at(self.position);
            }
            self.position += 1;
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.arena.len() - self.position))
    }
}

impl<T: Soa, K: Key, F: FnMut(K, T::RefMut<'_>) -> bool> FusedIterator for ExtractIf<'_, T, K, F> {}

impl<T: Soa, K: Key, F> fmt::Debug for ExtractIf<'_, T, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.arena.len() - self.position;
        f.debug_struct("ExtractIf").field("remaining", &left).finish_non_exhaustive()
    }
}

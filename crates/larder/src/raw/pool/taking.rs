//! Taking values out of columns, and leaving what holes hold. The invariant is that of
//! [`pool`](super).

use super::{Slots, Stock};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::columns::{Columns, InColumns};
use crate::raw::storage::Spot;
use crate::raw::walk::Walk;
use crate::soa::{Fill, Soa};

type StockOf<T, K> = Stock<T, K, Columns<T>>;

/// Keys and owned values, in slot order.
pub(crate) struct IntoIter<T: Soa, K: Key> {
    walk: Walk,
    /// What it yields is replaced, so it drops what is left, as ever.
    stock: StockOf<T, K>,
}

/// Removes all and gives it out, in slot order.
pub(crate) struct Drain<'a, T: Soa + Fill, K: Key> {
    walk: Walk,
    stock: &'a mut StockOf<T, K>,
}

/// Removes what a closure chooses, in slot order.
pub(crate) struct ExtractIf<'a, T: Soa, K: Key, F> {
    walk: Walk,
    stock: &'a mut StockOf<T, K>,
    choose: F,
}

impl<T: Soa + Fill, K: Key> StockOf<T, K> {
    /// Moves the value of a live slot out; the slot is free.
    ///
    /// # Safety
    /// The slot is live.
    #[inline(always)]
    unsafe fn take_at(&mut self, slot: usize) -> (K, T) {
        // SAFETY: the slot is in use.
        let generation = unsafe { self.stored(slot) };
        // SAFETY: so its value was made.
        let value = unsafe { self.spot(slot) }.replace(T::FILL);
        // SAFETY: it is live, in that generation.
        unsafe { self.free(slot, generation) };
        (K::compose(slot as u32, generation), value)
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, key: K) -> Option<T> {
        self.take(key, || T::FILL)
    }

    /// Moves a value out, but keeps the slot for its key. On an error nothing has changed.
    pub(crate) fn try_detach(&mut self, key: K) -> Result<Option<T>, TryReserveError> {
        self.try_detach_with(key, || T::FILL)
    }

    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before is
    /// done, and the rest stays.
    pub(crate) fn retain(&mut self, keep: impl FnMut(K, Spot<'_, T, InColumns<T>>) -> bool) {
        self.retain_or(keep, |mut spot| drop(spot.replace(T::FILL)));
    }

    /// Drops every value and gives up every detached key; the generations stay.
    pub(crate) fn clear(&mut self) {
        self.clear_with(|mut spot| drop(spot.replace(T::FILL)));
    }

    pub(crate) fn into_iter(self) -> IntoIter<T, K> {
        // SAFETY: the book moves into the iterator, its words stay where they are.
        let walk = unsafe { self.ledger.book.walk() };
        IntoIter { walk, stock: self }
    }

    pub(crate) fn drain(&mut self) -> Drain<'_, T, K> {
        // SAFETY: only slots that were yielded are freed, and nobody else reaches the book.
        let walk = unsafe { self.ledger.book.walk() };
        Drain { walk, stock: self }
    }

    pub(crate) fn extract_if<F>(&mut self, choose: F) -> ExtractIf<'_, T, K, F> {
        // SAFETY: only slots that were yielded are freed, and nobody else reaches the book.
        let walk = unsafe { self.ledger.book.walk() };
        ExtractIf { walk, stock: self, choose }
    }
}

impl<T: Soa + Fill, K: Key> Iterator for IntoIter<T, K> {
    type Item = (K, T);

    #[inline]
    fn next(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next()?;
        // SAFETY: the walk yields live slots, each once.
        Some(unsafe { self.stock.take_at(slot) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}

impl<T: Soa + Fill, K: Key> DoubleEndedIterator for IntoIter<T, K> {
    #[inline]
    fn next_back(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next_back()?;
        // SAFETY: the walk yields live slots, each once.
        Some(unsafe { self.stock.take_at(slot) })
    }
}

impl<T: Soa + Fill, K: Key> ExactSizeIterator for IntoIter<T, K> {}

impl<T: Soa + Fill, K: Key> Iterator for Drain<'_, T, K> {
    type Item = (K, T);

    #[inline]
    fn next(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next()?;
        // SAFETY: the walk yields live slots, each once.
        Some(unsafe { self.stock.take_at(slot) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}

impl<T: Soa + Fill, K: Key> DoubleEndedIterator for Drain<'_, T, K> {
    #[inline]
    fn next_back(&mut self) -> Option<(K, T)> {
        let slot = self.walk.next_back()?;
        // SAFETY: the walk yields live slots, each once.
        Some(unsafe { self.stock.take_at(slot) })
    }
}

impl<T: Soa + Fill, K: Key> ExactSizeIterator for Drain<'_, T, K> {}

impl<T: Soa + Fill, K: Key> Drop for Drain<'_, T, K> {
    /// Removes what is left, even if a value's own `Drop` panics.
    fn drop(&mut self) {
        struct Rest<'a, 'b, T: Soa + Fill, K: Key>(&'a mut Drain<'b, T, K>);

        impl<T: Soa + Fill, K: Key> Drop for Rest<'_, '_, T, K> {
            fn drop(&mut self) {
                self.0.for_each(drop);
            }
        }

        let rest = Rest(self);
        rest.0.for_each(drop);
    }
}

impl<T: Soa + Fill, K: Key, F: FnMut(K, T::RefMut<'_>) -> bool> Iterator
    for ExtractIf<'_, T, K, F>
{
    type Item = (K, T);

    fn next(&mut self) -> Option<(K, T)> {
        loop {
            let slot = self.walk.next()?;
            // SAFETY: a live slot is in use.
            let key = K::compose(slot as u32, unsafe { self.stock.stored(slot) });
            // SAFETY: so its value was made.
            if (self.choose)(key, unsafe { self.stock.value_mut(slot) }) {
                // SAFETY: the walk yields live slots, each once.
                return Some(unsafe { self.stock.take_at(slot) });
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.walk.len()))
    }
}

impl<T: Soa, K: Key, F> ExtractIf<'_, T, K, F> {
    /// How many values are still to be looked at.
    pub(crate) fn len(&self) -> usize {
        self.walk.len()
    }
}

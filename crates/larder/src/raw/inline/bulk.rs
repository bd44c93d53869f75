//! Operations on many values inside their owner. The invariant is that of [`inline`](super).

use core::mem;

use super::Inline;
use super::book::Steps;
use crate::error::TryReserveError;
use crate::key::Key;

impl<T, K: Key, const N: usize> Inline<T, K, N> {
    /// Inserts values until the iterator ends or there is no room. On an error, the values so far are
    /// in.
    pub(crate) fn try_extend(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), TryReserveError> {
        values.into_iter().try_for_each(|value| self.insert(value).map(drop))
    }

    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before
    /// is done, and the rest stays.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(K, &mut T) -> bool) {
        let mut steps = Steps::over(&self.book);
        while let Some(slot) = steps.next(&self.book) {
            // SAFETY: the slot is live, and borrowed exclusively; if `keep` returns, it still is.
            unsafe {
                let at = self.at_mut(slot);
                if !keep(at.key(), at.lend_mut()) {
                    drop(self.take(slot));
                }
            }
        }
    }

    /// Drops every value and gives up every detached key; the generations stay.
    pub(crate) fn clear(&mut self) {
        self.retain(|_, _| false);
        for slot in 0..if self.book.detached() > 0 { self.book.slots() } else { 0 } {
            self.release_slot(slot);
        }
    }

    /// Drops every value; no slot is told.
    pub(super) fn drop_values(&mut self) {
        /// Goes on with the rest while the panic of one value's `Drop` unwinds.
        struct Rest<'a, T, K: Key, const N: usize>(&'a mut Inline<T, K, N>, Steps);

        impl<T, K: Key, const N: usize> Rest<'_, T, K, N> {
            fn run(&mut self) {
                while let Some(slot) = self.1.next(&self.0.book) {
                    // SAFETY: the slot is live; its value is not used again.
                    unsafe { self.0.at_mut(slot).values.drop_in_place() };
                }
            }
        }

        impl<T, K: Key, const N: usize> Drop for Rest<'_, T, K, N> {
            fn drop(&mut self) {
                self.run();
            }
        }

        if mem::needs_drop::<T>() {
            let steps = Steps::over(&self.book);
            Rest(self, steps).run();
        }
    }

    /// As `clone`: no memory is needed that could be refused.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        T: Clone,
    {
        Ok(self.cloned())
    }

    /// If a value's `Clone` panics, no value is left.
    pub(crate) fn try_clone_from(&mut self, source: &Self) -> Result<(), TryReserveError>
    where
        T: Clone,
    {
        self.clear();
        *self = source.cloned();
        Ok(())
    }

    /// A copy in which the same keys work. If a value's `Clone` panics, the copies so far are dropped.
    fn cloned(&self) -> Self
    where
        T: Clone,
    {
        let mut copy = Self::new();
        for slot in 0..self.book.slots() {
            copy.book.append_parked();
            // SAFETY: the slot is in use here, and there. (Live generations of slots without values are not
            // looked at.)
            unsafe { copy.store(slot, self.stored(slot)) };
        }
        let mut steps = Steps::over(&self.book);
        while let Some(slot) = steps.next(&self.book) {
            // SAFETY: the slot is live here; there it is in use, without a value.
            unsafe {
                let value = self.at(slot).lend().clone();
                copy.at_mut(slot).values.write(value);
            }
            copy.book.unpark(slot);
        }
        copy.book = self.book;
        copy.mark = self.mark;
        copy
    }
}

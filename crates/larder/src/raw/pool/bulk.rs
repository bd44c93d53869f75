//! Operations on many values at once. The invariant is that of [`pool`](super).

use super::{GenerationOf, Slots, Spot, Stock, Storage};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::occupancy::WORD;
use crate::raw::slots::{Growth, Sweep};
use crate::raw::storage::CloneAt;
use crate::raw::walk::each_bit;

impl<T, K: Key, S: Storage<T>> Stock<T, K, S> {
    /// Adds the values. On an error those before are in.
    #[inline]
    pub(crate) fn try_extend(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), TryReserveError> {
        let values = values.into_iter();
        self.try_expect(values.size_hint().0)?;
        for value in values {
            self.insert(value)?;
        }
        Ok(())
    }

    /// Frees the slots whose values `keep` refuses; `reset` is given those. If one of the two panics,
    /// what came before is done, and the rest stays.
    #[inline]
    pub(crate) fn retain_or(
        &mut self,
        mut keep: impl FnMut(K, Spot<'_, T, S::At>) -> bool,
        mut reset: impl FnMut(Spot<'_, T, S::At>),
    ) {
        for word in 0..self.ledger.book.slots().div_ceil(WORD) {
            // SAFETY: the word lies below `slots`.
            let live = unsafe { self.ledger.book.live_word(word) };
            // SAFETY: as above; `stored` is right for live slots.
            let mut sweep = unsafe { Sweep::<K, _>::new(self, word) };
            each_bit(live, |bit| {
                let slot = word * WORD + bit;
                // SAFETY: the slot is live.
                let key = K::compose(slot as u32, unsafe { sweep.slots.stored(slot) });
                // SAFETY: it is in use, so its value was made.
                let dies = !keep(key, unsafe { sweep.slots.spot(slot) });
                // SAFETY: the slot is live.
                unsafe { sweep.note(u64::from(dies) << bit) };
                if dies {
                    // SAFETY: as above.
                    reset(unsafe { sweep.slots.spot(slot) });
                }
            });
        }
    }

    /// Frees every slot; `reset` is given the values of those that were live. The generations stay.
    pub(crate) fn clear_with(&mut self, reset: impl FnMut(Spot<'_, T, S::At>)) {
        self.retain_or(|_, _| false, reset);
        self.release_all();
        self.ledger.book.vacate_all();
    }

    /// A copy in which the same keys work. The values of free slots are copied, too.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        S::At: CloneAt<T>,
    {
        let mut copy = Self::new(self.ledger.book.reuse());
        (copy.values, copy.generations) = (self.values.alike()?, self.generations.alike()?);
        let fixed = self.ledger.growth == Growth::Fixed;
        let capacity = if fixed { self.values.capacity() } else { self.made };
        copy.generations.resize(capacity)?;
        copy.values.resize(capacity)?;
        let ledger = self.ledger.try_clone(capacity)?;
        for number in 0..self.made {
            // SAFETY: the value is initialised, and borrowed as `self` is.
            let value = unsafe { self.values.at().clone_value(number) };
            // SAFETY: there is room for as many as were made.
            unsafe { copy.push(value) };
        }
        for slot in 0..self.ledger.book.slots() {
            // SAFETY: the slot is in use.
            let generation: GenerationOf<K> = unsafe { self.stored(slot) };
            // SAFETY: there is room; the book is about to say of the slot what it says here.
            unsafe { copy.store(slot, generation) };
        }
        copy.ledger = ledger;
        Ok(copy)
    }
}

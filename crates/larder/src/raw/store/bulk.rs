//! Operations on many slots at once, a word of 64 at a time. The invariant is that of
//! [`store`](super).

use super::{Layout, Refill, Slots, Spot, Store, walk_over};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::occupancy::WORD;
use crate::raw::slots::{Book, Growth, Sweep};
use crate::raw::storage::CloneAt;
use crate::raw::walk::each_bit;

impl<T, K: Key, L: Layout<T, K>, B: Book> Store<T, K, L, B> {
    /// Frees the slots whose values `keep` refuses; `reset` is given those. If one of the two panics,
    /// what came before is done, and the rest stays.
    #[inline]
    pub(crate) fn retain_or(
        &mut self,
        mut keep: impl FnMut(K, Spot<'_, T, L::At>) -> bool,
        mut reset: impl FnMut(Spot<'_, T, L::At>),
    ) {
        for word in 0..self.ledger.book.slots().div_ceil(WORD) {
            // SAFETY: the word lies below `slots`; `stored` is right for live slots.
            let (live, mut sweep) =
                unsafe { (self.ledger.book.live_word(word), Sweep::<K, _>::new(self, word)) };
            each_bit(live, |bit| {
                // SAFETY: the slot is live, so in use, and its value is initialised; it is borrowed
                // exclusively, and once at a time.
                unsafe {
                    let address = sweep.slots.layout.address_mut(word * WORD + bit);
                    let dies = !keep(address.key(), address.spot());
                    // No branch: which values die can seldom be told in advance.
                    sweep.note(u64::from(dies) << bit);
                    if dies {
                        reset(address.spot());
                    }
                }
            });
        }
    }

    /// Frees every slot; `reset` is given the values of those that were live. The generations stay.
    #[cfg(feature = "alloc")]
    pub(crate) fn clear_with(&mut self, reset: impl FnMut(Spot<'_, T, L::At>)) {
        self.retain_or(|_, _| false, reset);
        self.free_all();
    }

    /// Gives up every detached key. No value is live.
    fn free_all(&mut self) {
        self.release_all();
        self.ledger.book.vacate_all();
    }

    /// A copy in which the same keys work.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        L::At: CloneAt<T>,
    {
        let (layout, book) = (self.layout.alike()?, B::new(self.ledger.book.reuse()));
        let mut copy = Self::made_of(layout, book, Growth::Moves);
        let fixed = self.ledger.growth == Growth::Fixed;
        let filled = self.layout.filled(self.ledger.book.slots());
        copy.layout.resize(if fixed { self.layout.capacity() } else { filled })?;
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// Copies the values, then the generations and the book. `self` has room, and no values, and where
    /// holes are filled, no slots in use.
    ///
    /// If a value's `Clone` panics, or memory is refused, `self` is as empty as it was.
    pub(in crate::raw) fn copy_from(&mut self, source: &Self) -> Result<(), TryReserveError>
    where
        L::At: CloneAt<T>,
    {
        let (slots, capacity) = (source.ledger.book.slots(), self.layout.capacity());
        debug_assert!(self.ledger.book.len() == 0 && capacity >= slots);
        #[cfg(feature = "snapshot")]
        if source.ledger.growth == Growth::Mapped {
            // What can be changed has to be whole.
            source.validate();
        }
        let ledger = source.ledger.try_clone(capacity)?;
        // SAFETY: the source does not change meanwhile, and there is room for what it has. Slots in use
        // have their generation there; the book is about to say of them what it says there.
        unsafe {
            self.layout.clone_values(&source.layout, walk_over(source.book()));
            for slot in 0..slots {
                let generation = source.layout.address(slot).generation.read();
                self.layout.address_mut(slot).generation.write(generation);
            }
        }
        self.ledger = ledger;
        Ok(())
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> Store<T, K, L, B> {
    /// Drops the values that `keep` refuses. If `keep` or a value's `Drop` panics, what came before
    /// is done, and the rest stays.
    #[inline]
    pub(crate) fn retain_spots(&mut self, keep: impl FnMut(K, Spot<'_, T, L::At>) -> bool) {
        self.retain_or(keep, |spot| {
            if L::DISCARDS {
                // SAFETY: its slot was just noted as dead, and the value is not used again.
                unsafe { L::discard(spot) };
            }
        });
    }

    /// Drops every value and gives up every detached key; the generations stay.
    pub(crate) fn clear(&mut self) {
        if L::DISCARDS {
            self.retain_spots(|_, _| false);
        } else {
            for word in 0..self.ledger.book.slots().div_ceil(WORD) {
                // SAFETY: the word lies below `slots`; `stored` is right for live slots, which is all
                // that are noted, and nothing has to be done with their values.
                unsafe {
                    let dead = self.ledger.book.live_word(word);
                    Sweep::<K, _>::new(self, word).note(dead);
                }
            }
        }
        self.free_all();
    }
}

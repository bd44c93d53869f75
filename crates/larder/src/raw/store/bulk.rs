//! Operations on many slots at once, a word of 64 at a time. The invariant is that of
//! [`store`](super).

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{ErasedSlots, Layout, Refill, Spot, Store, walk_over};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::occupancy::WORD;
use crate::raw::slots::{Book, GenerationOf, Growth, Ledger, Sweep};
use crate::raw::storage::CloneAt;
use crate::raw::walk::each_bit;

/// Copies so many numbers, each so many bytes after the one before. (Compiled once for rows of whatever size.)
///
/// # Safety
/// They are initialised there, and there is room for them here.
#[inline(never)]
unsafe fn copy_spaced<G: Copy>(from: NonNull<G>, to: NonNull<G>, spacing: usize, count: usize) {
    for number in 0..count {
        let offset = number * spacing;
        // SAFETY: so many numbers, at this distance, are initialised there, and have room here.
        unsafe { to.byte_add(offset).write(from.byte_add(offset).read()) };
    }
}

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
            let live = self.ledger.book.live_word(word);
            let mut sweep = Sweep::<K, _>::new(self, word);
            each_bit(live, |bit| {
                // SAFETY: the slot is live, so in use, and its value is initialised; it is borrowed
                // exclusively, and once at a time. `stored` is right for live slots.
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
        self.erased_mut().release_all();
        self.ledger.book.vacate_all();
    }

    /// A copy in which the same keys work.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        L::At: CloneAt<T>,
    {
        let mut layout = self.layout.alike()?;
        let fixed = self.ledger.growth == Growth::Fixed;
        let filled = self.layout.filled(self.ledger.book.slots());
        layout.resize(if fixed { self.layout.capacity() } else { filled })?;
        let mut ledger = const { Ledger::EMPTY };
        self.copy_to(&mut layout, &mut ledger)?;
        Ok(Self { layout, ledger, owns: PhantomData })
    }

    /// Copies the book, then the values and the generations. The layout has room, and no values.
    ///
    /// If a value's `Clone` panics, or memory is refused, the layout is as empty as it was.
    fn copy_to(
        &self,
        layout: &mut L,
        ledger: &mut Ledger<GenerationOf<K>, B>,
    ) -> Result<(), TryReserveError>
    where
        L::At: CloneAt<T>,
    {
        #[cfg(feature = "snapshot")]
        if self.ledger.growth == Growth::Mapped {
            // What can be changed has to be whole.
            self.validate();
        }
        let (slots, capacity) = (self.ledger.book.slots(), layout.capacity());
        debug_assert!(capacity >= slots);
        ledger.try_clone_from(&self.ledger, capacity)?;
        // SAFETY: this one does not change meanwhile, and there is room for what it has. Slots in use have
        // their generation here; the book that is answered says of them what it says here.
        unsafe {
            layout.clone_values(&self.layout, walk_over(self.book()));
            let (count, spacing) = L::SPACING.map_or((1, 0), |spacing| (slots, spacing));
            let mut slot = 0;
            while slot < slots {
                let from = self.layout.address(slot).generation;
                copy_spaced(from, layout.address_mut(slot).generation, spacing, count);
                slot += count;
            }
        }
        Ok(())
    }

    /// Becomes a copy of `source`. There is room, and no value, and where holes are filled, no slot in use.
    ///
    /// If a value's `Clone` panics, or memory is refused, `self` is as empty as it was.
    pub(in crate::raw) fn copy_from(&mut self, source: &Self) -> Result<(), TryReserveError>
    where
        L::At: CloneAt<T>,
    {
        debug_assert_eq!(self.ledger.book.len(), 0);
        let mut ledger = const { Ledger::EMPTY };
        source.copy_to(&mut self.layout, &mut ledger)?;
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
                let dead = self.ledger.book.live_word(word);
                // SAFETY: live slots are all that are noted, and `stored` is right for them. (Nothing has to be done with
                // their values.)
                unsafe { Sweep::<K, _>::new(self, word).note(dead) };
            }
        }
        self.free_all();
    }
}

//! Moving values from the highest slots into the lowest holes.
//!
//! **Invariant** of an implementor, beside that of [`slots`](super): what [`Slots::stored`] returns of
//! a live slot is its generation.

use core::marker::PhantomData;

use super::Slots;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::generation::Generation;
use crate::raw::occupancy::Occupancy;

/// A container whose values can be moved from slot to slot.
pub(crate) trait Compact<K: Key>: Slots<K, Book = Occupancy> + Sized {
    /// Moves the value of a slot to that of a key, and stores the key's generation there. Cannot
    /// panic.
    ///
    /// # Safety
    /// The slot was live until just now, and is free or retired; the key's slot was a hole until just
    /// now, and is live.
    unsafe fn carry(&mut self, from: usize, to: K);

    /// Moves values down until no hole is left below one, tells of each move when it is done, and
    /// drops the free slots at the end.
    ///
    /// If `moved` panics, or memory is refused, everything that was moved until then is in its place;
    /// the rest stays.
    fn compact(&mut self, mut moved: impl FnMut(&mut Self, K, K)) -> Result<(), TryReserveError> {
        let relink = Relink(self, PhantomData);
        let (mut below, mut end) = (0, usize::MAX);
        while let Some((from, to)) = relink.0.next_move(below, end) {
            // SAFETY: that is what was found.
            let (old, new) = unsafe { relink.0.move_value(from, to) }?;
            (below, end) = (to + 1, from);
            moved(relink.0, old, new);
        }
        drop(relink);
        self.shrink_to(0);
        Ok(())
    }

    /// The highest live slot before `end`, and the lowest hole from `below` on, where it is lower.
    fn next_move(&self, below: usize, end: usize) -> Option<(usize, usize)> {
        let book = &self.ledger().book;
        let to = book.next_hole(below)?;
        let from = book.previous_live(end)?;
        (to < from).then_some((from, to))
    }

    /// Moves a value into a hole; its old key and its new one. On an error nothing has changed.
    ///
    /// # Safety
    /// `from` is live, `to` a hole.
    unsafe fn move_value(&mut self, from: usize, to: usize) -> Result<(K, K), TryReserveError> {
        let mut mark = self.ledger().mark;
        // SAFETY: `from` is live, `to` a hole, so both are in use. First the one is freed, then the other
        // taken: so holes never run out in between.
        unsafe {
            let generation = self.stored(to).occupied(&mut mark);
            if generation.is_last() {
                self.ledger_mut().book.prepare_taken()?;
            }
            self.ledger_mut().mark = mark;
            let left = self.stored(from);
            self.free(from, left);
            self.ledger_mut().book.fill_hole(to);
            let new = K::compose(to as u32, generation);
            self.carry(from, new);
            Ok((K::compose(from as u32, left), new))
        }
    }
}

/// The other orders of reuse learn of the moves at the end, also while a panic unwinds.
struct Relink<'a, K: Key, S: Slots<K, Book = Occupancy>>(&'a mut S, PhantomData<K>);

impl<K: Key, S: Slots<K, Book = Occupancy>> Drop for Relink<'_, K, S> {
    fn drop(&mut self) {
        self.0.ledger_mut().book.relink_in_order();
    }
}

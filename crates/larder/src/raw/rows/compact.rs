//! Moving values from the highest slots into the lowest holes.

use super::{RowOf, Rows, Slots, Store};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::generation::Generation;

impl<T, K: Key, S: Store<RowOf<T, K>>> Rows<T, K, S> {
    /// Moves values down until no hole is left below one, tells of each move when it is done, and
    /// drops the free slots at the end.
    ///
    /// If `moved` panics, or memory is refused, everything that was moved until then is in its place;
    /// the rest stays.
    pub(crate) fn compact(&mut self, mut moved: impl FnMut(K, K)) -> Result<(), TryReserveError> {
        /// The other orders of reuse learn of it at the end, also while a panic unwinds.
        struct Relink<'a, T, K: Key, S: Store<RowOf<T, K>>>(&'a mut Rows<T, K, S>);

        impl<T, K: Key, S: Store<RowOf<T, K>>> Drop for Relink<'_, T, K, S> {
            fn drop(&mut self) {
                self.0.ledger.book.relink_in_order();
            }
        }

        let relink = Relink(self);
        let (mut below, mut end) = (0, usize::MAX);
        while let Some((from, to)) = relink.0.next_move(below, end) {
            // SAFETY: that is what was found.
            let (old, new) = unsafe { relink.0.move_value(from, to) }?;
            (below, end) = (to + 1, from);
            moved(old, new);
        }
        drop(relink);
        self.shrink_to(0);
        Ok(())
    }

    /// The highest live slot before `end`, and the lowest hole from `below` on, where it is lower.
    fn next_move(&self, below: usize, end: usize) -> Option<(usize, usize)> {
        let to = self.ledger.book.next_hole(below)?;
        let from = self.ledger.book.previous_live(end)?;
        (to < from).then_some((from, to))
    }

    /// Moves a value into a hole; its old key and its new one. On an error nothing has changed.
    ///
    /// # Safety
    /// `from` is live, `to` a hole.
    unsafe fn move_value(&mut self, from: usize, to: usize) -> Result<(K, K), TryReserveError> {
        let mut mark = self.ledger.mark;
        // SAFETY: a hole is in use, and not live.
        let generation = unsafe { self.stored(to) }.occupied(&mut mark);
        if generation.is_last() {
            self.ledger.book.prepare_taken()?;
        }
        self.ledger.mark = mark;
        // SAFETY: a live slot is in use.
        let old = K::compose(from as u32, unsafe { self.stored(from) });
        // First the one is freed, then the other taken: so holes never run out in between.
        // SAFETY: it is live.
        let value = unsafe { self.take(from) };
        let new = K::compose(to as u32, generation);
        // SAFETY: it is a hole still.
        unsafe { self.ledger.book.fill_hole(to) };
        // SAFETY: the slot was just taken.
        unsafe { self.fill(new, value) };
        Ok((old, new))
    }
}

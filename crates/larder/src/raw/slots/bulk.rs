//! Many slots at once: values that move down into holes, and slots of one word whose values die together.
//!
//! **Invariant.** That of [`slots`](super). Of [`Compact`]: what [`stored`](super::ErasedSlots::stored) returns of a live
//! slot is its generation. That of [`Sweep`] is said there.

use core::marker::PhantomData;

use super::{Book, Slots};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::raw::occupancy::{Occupancy, WORD};
use crate::raw::walk::{bits, each_bit};

/// A container whose values can be moved from slot to slot.
pub(crate) trait Compact<K: Key>: Slots<K, Book = Occupancy> + Sized {
    /// Moves the value of a slot to that of a key, and stores the key's generation there. Cannot
    /// panic.
    ///
    /// # Safety
    /// 1. The slot was live until just now, and is free or retired.
    /// 2. The key's slot was a hole until just now, and is live.
    unsafe fn carry(&mut self, from: usize, to: K);

    /// Moves values down until no hole is left below one, tells of each move when it is done, and
    /// drops the free slots at the end.
    ///
    /// If `moved` panics, or memory is refused, everything that was moved until then is in its place;
    /// the rest stays.
    fn compact(&mut self, mut moved: impl FnMut(&mut Self, K, K)) -> Result<(), TryReserveError> {
        let relink = Relink(self, PhantomData);
        let (mut below, mut end) = (0, usize::MAX);
        while let Some((old, new)) = relink.0.move_last(below, end)? {
            (below, end) = (new.slot() as usize + 1, old.slot() as usize);
            moved(relink.0, old, new);
        }
        drop(relink);
        self.shrink_to(0);
        Ok(())
    }

    /// Moves the last value before `end` into the lowest hole from `below` on, where that is lower; its old
    /// key and its new one. On an error nothing has changed.
    fn move_last(&mut self, below: usize, end: usize) -> Result<Option<(K, K)>, TryReserveError> {
        let (book, mut mark) = (&self.ledger().book, self.ledger().mark);
        let ends = book.next_hole(below).zip(book.previous_live(end));
        let Some((to, from)) = ends.filter(|(to, from)| to < from) else { return Ok(None) };
        // SAFETY: `from` is live, `to` a hole, so both are in use. First the one is freed, then
        // the other taken, so holes never run out in between, and (1, 2) both are then what
        // carrying asks for.
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
            Ok(Some((K::compose(from as u32, left), new)))
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

/// The slots of one word whose values are gone. Their generations and the book learn of all of them
/// when it is dropped, also while a panic unwinds.
///
/// **Invariant.** The slots of `word` that are set in `dead` are live for the book, although their values
/// are gone. The container's slots are borrowed exclusively, so
/// until this is dropped no other code reaches them.
pub(crate) struct Sweep<'a, K: Key, S: Slots<K>> {
    pub(crate) slots: &'a mut S,
    word: usize,
    dead: u64,
    keys: PhantomData<fn() -> K>,
}

impl<'a, K: Key, S: Slots<K>> Sweep<'a, K, S> {
    /// Begins with none of a word.
    #[inline]
    pub(crate) fn new(slots: &'a mut S, word: usize) -> Self {
        Self { slots, word, dead: 0, keys: PhantomData }
    }

    /// Notes that the slots of these bits die.
    ///
    /// # Safety
    /// 1. They are live.
    /// 2. What [`stored`](super::ErasedSlots::stored) returns is right for live slots, too.
    #[inline]
    pub(crate) unsafe fn note(&mut self, dead: u64) {
        self.dead |= dead;
    }
}

impl<K: Key, S: Slots<K>> Drop for Sweep<'_, K, S> {
    #[inline]
    fn drop(&mut self) {
        let first = self.word * WORD;
        let mut last = 0;
        // SAFETY: to store: (1) the slots are live for the book, so in use; (2) it hears of all of
        // them at once. To retire: (1) they are live still, and (2) in their last generation.
        unsafe {
            each_bit(self.dead, |bit| {
                let generation = self.slots.stored(first + bit);
                if generation.is_last() {
                    last |= 1 << bit;
                } else {
                    self.slots.store(first + bit, generation.vacated());
                }
            });
            self.slots.ledger_mut().book.vacate_word(self.word, self.dead & !last);
            bits(last).for_each(|bit| self.slots.erased_mut().retire(first + bit));
        }
    }
}

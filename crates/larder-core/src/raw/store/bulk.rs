//! All values of a store at once: copied, removed, moved down into holes.
//!
//! **Invariant.** That of [`store`](super). Slots noted in a [`Sweep`] are live for the book until it is dropped,
//! though their values are gone.

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{Layout, Refill, Store, walk_over};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::memory::OnDrop;
use crate::memory::bits::WORD;
use crate::memory::bits::{bits, each_bit};
use crate::memory::storage::{CloneAt, Spot};
use crate::raw::book::Book;
use crate::raw::slots::{ErasedSlots, GenerationOf, Growth, Ledger, SlotStore};

/// Copies `count` numbers, each `spacing` bytes after the one before. (Compiled once for rows of whatever size.)
///
/// # Safety
/// 1. They are initialised there.
/// 2. There is room for them here.
#[inline(never)]
unsafe fn copy_spaced<G: Copy>(from: NonNull<G>, to: NonNull<G>, spacing: usize, count: usize) {
    for number in 0..count {
        let offset = number * spacing;
        // SAFETY: `count` numbers, at this distance, (1) are initialised there, and
        // (2) have room here.
        unsafe { to.byte_add(offset).write(from.byte_add(offset).read()) };
    }
}

impl<T, K: Key, L: Refill<T, K>, B: Book> Store<T, K, L, B> {
    /// Drops or resets the values that `keep` refuses. If `keep`, a value's `Drop` or a pool's function panics, what
    /// came before is done, and the rest stays.
    #[inline]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(K, Spot<'_, T, L::At>) -> bool) {
        for word in 0..self.ledger.book.slots().div_ceil(WORD) {
            let live = self.ledger.book.live_word(word);
            let mut sweep = Sweep::new(self, word);
            each_bit(live, |bit| {
                // SAFETY: (1) the slot is live, so in use, and its value is initialised; (2) it is
                // borrowed exclusively, and once at a time. To note: it is live. To discard: (1) the value is
                // still there; (2) its slot was just noted as dead.
                unsafe {
                    let address = sweep.store.layout.address_mut(word * WORD + bit);
                    let dies = !keep(address.key(), Spot::new(address.value));
                    // No branch: which values die can seldom be told in advance.
                    sweep.note(u64::from(dies) << bit);
                    if dies && L::DISCARDS {
                        sweep.store.layout.discard(address);
                    }
                }
            });
        }
    }

    /// Drops or resets every value and gives up every detached key; the generations stay.
    pub(crate) fn clear(&mut self) {
        if L::DISCARDS {
            self.retain(|_, _| false);
        } else {
            for word in 0..self.ledger.book.slots().div_ceil(WORD) {
                let dead = self.ledger.book.live_word(word);
                // SAFETY: live slots are all that are noted. (Nothing has to be done with their values.)
                unsafe { Sweep::new(self, word).note(dead) };
            }
        }
        // No value is live; and now no key is detached.
        self.erased_mut().release_all();
        self.ledger.book.vacate_all();
    }
}

impl<T, K: Key, L: Layout<T, K>, B: Book> Store<T, K, L, B> {
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
    /// If a value's `Clone` panics, or allocation fails, the layout is as empty as it was.
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
            // A container that can be changed has to be whole.
            self.validate();
        }
        let (slots, capacity) = (self.ledger.book.slots(), layout.capacity());
        debug_assert!(capacity >= slots);
        ledger.try_clone_from(&self.ledger, capacity)?;
        // SAFETY: to clone: (1) the walk is that of the source, which does not change meanwhile;
        // (2) there is room for what it has; (3) no slot here has a value. To copy: (1) slots in
        // use have their generation there; (2) there is room here. The book that is answered says
        // of them what it says there.
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
    /// If a value's `Clone` panics, or allocation fails, `self` is as empty as it was.
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

/// Moving values down into holes.
impl<T, K: Key, L: Layout<T, K>> Store<T, K, L> {
    /// Moves values down until no hole is left below one, tells of each move when it is done, and
    /// drops the free slots at the end.
    ///
    /// If `moved` panics, or allocation fails, everything that was moved until then is in its place;
    /// the rest stays.
    pub(crate) fn compact(
        &mut self,
        mut moved: impl FnMut(&mut Self, K, K),
    ) -> Result<(), TryReserveError> {
        // The other orders of reuse learn of the moves at the end.
        let moving = OnDrop::new(&mut *self, |store| store.ledger.book.relink_in_order());
        let (mut below, mut end) = (0, usize::MAX);
        while let Some((old, new)) = moving.held.move_last(below, end)? {
            (below, end) = (new.slot() as usize + 1, old.slot() as usize);
            moved(moving.held, old, new);
        }
        drop(moving);
        self.shrink_to(0);
        Ok(())
    }

    /// Moves the last value before `end` into the lowest hole from `below` on, where that is lower; its old
    /// key and its new one. On an error nothing has changed.
    fn move_last(&mut self, below: usize, end: usize) -> Result<Option<(K, K)>, TryReserveError> {
        let (book, mut mark) = (&self.ledger.book, self.ledger.mark);
        let ends = book.next_hole(below).zip(book.previous_live(end));
        let Some((to, from)) = ends.filter(|(to, from)| to < from) else { return Ok(None) };
        // SAFETY: `from` is live, `to` a hole, so both are in use. First the one is freed, then the other taken, so
        // holes never run out in between. To carry: 1, 2. the two differ, and the value of the first is there
        // still; 3. the second was a hole.
        unsafe {
            let generation = self.stored(to).occupied(&mut mark);
            if generation.is_last() {
                self.ledger.book.prepare_taken()?;
            }
            self.ledger.mark = mark;
            let left = self.stored(from);
            self.free(from, left);
            self.ledger.book.fill_hole(to);
            self.layout.carry(from, to, generation);
            Ok(Some((K::compose(from as u32, left), K::compose(to as u32, generation))))
        }
    }
}

/// The slots of one word whose values are gone. Their generations and the book learn of all of them
/// when it is dropped, also while a panic unwinds.
///
/// **Invariant.** The slots of `word` that are set in `dead` are live for the book, although their values
/// are gone. The store is borrowed exclusively, so until this is dropped no other code reaches them.
struct Sweep<'a, T, K: Key, L: Layout<T, K>, B: Book> {
    store: &'a mut Store<T, K, L, B>,
    word: usize,
    dead: u64,
}

impl<'a, T, K: Key, L: Layout<T, K>, B: Book> Sweep<'a, T, K, L, B> {
    /// Begins with none of a word.
    #[inline]
    fn new(store: &'a mut Store<T, K, L, B>, word: usize) -> Self {
        Self { store, word, dead: 0 }
    }

    /// Notes that the slots of these bits die.
    ///
    /// # Safety
    /// They are live.
    #[inline]
    unsafe fn note(&mut self, dead: u64) {
        self.dead |= dead;
    }
}

impl<T, K: Key, L: Layout<T, K>, B: Book> Drop for Sweep<'_, T, K, L, B> {
    #[inline]
    fn drop(&mut self) {
        let first = self.word * WORD;
        let mut last = 0;
        // SAFETY: to store: (1) the slots are live for the book, so in use; (2) it hears of all of them at once. To
        // retire: (1) they are live still, and (2) in their last generation.
        unsafe {
            each_bit(self.dead, |bit| {
                let generation = self.store.stored(first + bit);
                if generation.is_last() {
                    last |= 1 << bit;
                } else {
                    self.store.store(first + bit, generation.vacated());
                }
            });
            self.store.ledger.book.vacate_word(self.word, self.dead & !last);
            bits(last).for_each(|bit| self.store.erased_mut().retire(first + bit));
        }
    }
}

//! The life of a slot, written once: which is next, what it becomes, when it is retired.
//!
//! A container says where generations lie (beside the value, or in a table); everything that
//! follows from a generation and the book is here.
//!
//! **Invariant** of an implementor:
//! - `capacity()` slots have room, and the book covers them.
//! - What [`stored`](ErasedSlots::stored) returns of a slot that is not live was stored by
//!   [`store`](ErasedSlots::store).
//! - A slot in its last generation has a place in the book's `taken` words, so that it can be
//!   retired without memory.
//! - Of [`Compact`]: what `stored` returns of a live slot is its generation. That of [`Sweep`] is said there.
//!
//! What [`find_disjoint`] finds has pairwise different slots: keys of the same slot may differ in their
//! generation, so their *slots* are compared. Callers that lend several values exclusively rely on it,
//! though it is safe code.

mod erased;
mod ledger;

use erased::REFUSED;
pub(crate) use erased::claim_at_hand;
pub(crate) use erased::{ErasedSlots, check_slots, erasing, stored_at};
pub(crate) use ledger::{
    Book, GenerationOf, Growth, InMemory, Ledger, MarkOf, Place, Plan, bytes_for,
};

use core::marker::PhantomData;

use crate::error::{GetDisjointMutError, TryReserveError};
use crate::explain::Found;
use crate::key::Key;
use crate::raw::generation::{Generation, Mark};
use crate::raw::occupancy::{Occupancy, WORD};
use crate::raw::walk::{bits, each_bit};
use crate::stats::{MemoryUsage, Stats};

/// A slot as it was saved.
#[cfg(feature = "alloc")]
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
#[derive(Clone)]
pub enum Saved<G, T> {
    /// A value in its generation.
    Live(G, T),
    /// A free slot in its generation.
    Free(G),
    /// Kept for the key of this generation.
    Detached(G),
    /// Never to be used again.
    Retired,
}

/// How many slots a container can have: as many as its keys can name, and as many as there can be
/// elements. (Values and generations without a size take no memory. Where addresses have 32 bits, a
/// book of more could not count the slots of its words.)
pub(crate) const fn most_slots<K: Key>() -> usize {
    const {
        let (named, counted) = (K::MAX_SLOTS as usize, isize::MAX as usize);
        let most = if named < counted { named } else { counted };
        // Walks and joins go from word to word by the number of the first slot.
        let in_groups = most.checked_next_multiple_of(WORD * WORD);
        assert!(most > 0 && in_groups.is_some(), "slots of whole groups are counted");
        most
    }
}

/// How large a block should be that grows: twice as large, so that growing stays rare.
pub(crate) fn doubled(capacity: usize, needed: usize, least: usize) -> usize {
    needed.max(capacity.saturating_mul(2)).max(least)
}

/// A container of slots.
pub(crate) trait Slots<K: Key>: ErasedSlots<GenerationOf<K>> + Sized {
    /// What a live slot holds.
    #[cfg(feature = "alloc")]
    type Value;

    /// How many bytes a slot takes, the book's aside.
    const STRIDE: usize;

    /// How many of them are the value's.
    const VALUE: usize;

    /// The bytes of everything but the book.
    fn own_bytes(&self) -> usize;

    /// The addresses that [`own_bytes`](Self::own_bytes) can grow to in place.
    fn own_space(&self) -> usize;

    /// Writes the value and the generation of a slot.
    ///
    /// # Safety
    /// The slot is the last in use and has no value, and the generation is a live one.
    #[cfg(feature = "alloc")]
    unsafe fn write_live(&mut self, slot: usize, generation: GenerationOf<K>, value: Self::Value);

    /// Appends a slot as it was saved. On an error nothing has changed. (Inlined, so that a value is not
    /// copied on its way.)
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn restore(
        &mut self,
        saved: Saved<GenerationOf<K>, Self::Value>,
    ) -> Result<(), TryReserveError> {
        let slot = self.ledger().book.slots();
        if slot == self.slot_capacity() {
            self.erased_mut().grow(slot + 1)?;
        }
        let needs_taken = match &saved {
            Saved::Live(generation, _) => generation.is_last(),
            Saved::Free(_) => false,
            Saved::Detached(_) | Saved::Retired => true,
        };
        if needs_taken {
            self.ledger_mut().book.prepare_taken()?;
        }
        // SAFETY: there is room for the slot, so the book covers it, and it has a place in the `taken`
        // words where it needs one. Once appended it is live for the book, and becomes at once what it was.
        unsafe {
            self.ledger_mut().book.append_many(1);
            match saved {
                Saved::Live(generation, value) => self.write_live(slot, generation, value),
                Saved::Free(generation) => {
                    self.store(slot, generation);
                    self.ledger_mut().book.vacate(slot);
                }
                Saved::Detached(generation) => self.park(slot, generation),
                Saved::Retired => self.erased_mut().retire(slot),
            }
        }
        Ok(())
    }

    /// How many slots there can be without the container moving or being refused for its size.
    #[inline]
    fn room(&self) -> usize {
        match self.ledger().growth {
            Growth::Moves | Growth::Fixed => self.slot_capacity(),
            #[cfg(feature = "reserved")]
            Growth::Reserved { max } => max as usize,
            #[cfg(feature = "snapshot")]
            Growth::Mapped => self.slot_capacity(),
        }
    }

    /// How many values fit without moving.
    #[inline]
    fn capacity(&self) -> usize {
        self.room() - self.ledger().book.retired()
    }

    /// How many values can be added without moving.
    #[inline]
    fn remaining(&self) -> usize {
        let book = &self.ledger().book;
        self.room() - book.slots() + book.holes()
    }

    /// How many values can be added without asking for memory.
    #[inline]
    fn at_hand(&self) -> usize {
        let book = &self.ledger().book;
        self.slot_capacity() - book.slots() + book.holes()
    }

    /// Whether this one can become a copy of `source` in the memory that it has, and would be of the same kind.
    fn has_room_for(&self, source: &Self) -> bool {
        let (ledger, of) = (self.ledger(), source.ledger());
        let (capacity, needed) = (self.slot_capacity(), source.slot_capacity());
        let same_kind = ledger.growth == of.growth && ledger.book.reuse() == of.book.reuse();
        let same_size = ledger.growth != Growth::Fixed || capacity == needed;
        same_kind && same_size && of.book.slots() <= capacity
    }

    fn stats(&self) -> Stats {
        let book = &self.ledger().book;
        Stats {
            live: book.len(),
            holes: book.holes(),
            detached: book.detached(),
            retired: book.retired(),
            slots: book.slots(),
            capacity: self.capacity(),
            memory: self.memory_usage(),
        }
    }

    fn memory_usage(&self) -> MemoryUsage {
        let (book, own) = (&self.ledger().book, self.own_bytes());
        let beside_slots = size_of::<Self>().saturating_sub(own);
        let (bytes, space) = book.memory().unwrap_or((beside_slots, beside_slots));
        let (live, slots) = (book.len(), book.slots());
        let committed = own + bytes;
        let (values, holes) = (live * Self::VALUE, (slots - live) * Self::VALUE);
        let unused = own - slots * Self::STRIDE;
        let bookkeeping = committed - values - holes - unused;
        let reserved = self.own_space() + space;
        MemoryUsage { values, holes, unused, bookkeeping, committed, reserved }
    }

    /// Makes an empty container exactly as large as asked; if it is fixed, it stays so, and keeping a
    /// key without a value will need no memory either.
    fn furnish(mut self, slots: usize, growth: Growth) -> Result<Self, TryReserveError> {
        self.resize(slots)?;
        if growth == Growth::Fixed {
            self.ledger_mut().book.prepare_taken()?;
        }
        self.ledger_mut().growth = growth;
        Ok(self)
    }

    /// Makes room for `additional` values beside those that are there.
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        if additional <= self.at_hand() {
            return Ok(());
        }
        let book = &self.ledger().book;
        let needed = book.slots().saturating_add(additional - book.holes());
        self.erased_mut().grow(needed)
    }

    /// Makes room for so many values that are about to come, unless there can be no room for all of
    /// them in a container that must not move: then those that fit are still to be inserted.
    fn try_expect(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let moves = self.ledger().growth == Growth::Moves;
        if moves || additional <= self.remaining() { self.try_reserve(additional) } else { Ok(()) }
    }

    /// Forgets the free slots at the end, down to one that has to be remembered, or whose generation
    /// would leave a mark that is not `allowed`. Those that are begun anew continue past every
    /// generation that was forgotten.
    fn forget_free_end(&mut self, allowed: impl Fn(MarkOf<K>) -> bool)
    where
        Self: Slots<K, Book = Occupancy>,
    {
        let mut slots = self.ledger().book.slots();
        let mut mark = self.ledger().mark;
        while slots > 0 && self.ledger().book.is_hole(slots - 1) {
            let free = stored_at(self, slots - 1);
            let mut raised = mark;
            free.raise(&mut raised);
            if !free.may_be_dropped() || !allowed(raised) {
                break;
            }
            mark = raised;
            slots -= 1;
        }
        let ledger = self.ledger_mut();
        ledger.mark = mark;
        if slots < ledger.book.slots() {
            // SAFETY: the loop went down over holes only.
            unsafe { ledger.book.truncate(slots) };
        }
    }

    /// The same container, which is empty, with its generations beginning at a mark.
    fn begun_at(mut self, mark: MarkOf<K>) -> Self {
        self.ledger_mut().mark = mark;
        self
    }

    /// The mark of a container that continues this one: past every generation that a slot of it has had.
    /// `None` where a slot has none left. `key_at` has the key of each live slot.
    fn mark_after(&self, key_at: impl Fn(usize) -> Option<K>) -> Option<MarkOf<K>> {
        let (book, mut mark) = (&self.ledger().book, self.ledger().mark);
        for slot in 0..book.slots() {
            let free = match key_at(slot) {
                Some(key) => key.generation().vacated(),
                None => stored_at(self, slot),
            };
            if self.erased().is_retired(slot) || !free.may_be_dropped() {
                return None;
            }
            free.raise(&mut mark);
        }
        Some(mark)
    }

    /// Drops the free slots at the end, and gives back what memory `capacity` values do not need.
    fn shrink_to(&mut self, capacity: usize)
    where
        Self: Slots<K, Book = Occupancy>,
    {
        if self.ledger().growth == Growth::Fixed {
            return;
        }
        self.forget_free_end(|_| true);
        let slots = self.ledger().book.slots();
        let capacity = slots.max(capacity.saturating_add(self.ledger().book.retired()));
        if capacity < self.slot_capacity() {
            // Where the allocator refuses, the memory stays: nothing is lost.
            let _ = self.resize(capacity);
            let covered = self.slot_capacity();
            self.ledger_mut().book.shrink(covered);
        }
    }

    /// Finds the slot of the next insertion and whatever memory it needs.
    #[inline(always)]
    fn place(&mut self) -> Result<Place<GenerationOf<K>>, TryReserveError> {
        erased::place(self)
    }

    /// The next slot, taken: live for the book; and its generation, which is not stored yet.
    ///
    /// A slot at hand, and one that only has to be appended, are taken in place, any other out of line:
    /// so an insertion stays small, and a value goes from registers straight to its slot.
    ///
    /// # Safety
    /// The value is written, and the generation stored, at once; nothing may panic before.
    #[inline(always)]
    unsafe fn claim(&mut self) -> Result<(usize, GenerationOf<K>), TryReserveError> {
        // SAFETY: the caller writes value and generation at once, whichever slot it is; the book just
        // answered the one at hand.
        unsafe {
            let at_hand = self.ledger().book.at_hand();
            match at_hand.and_then(|slot| claim_at_hand(self, slot)) {
                Some(claimed) => Ok(claimed),
                None => self.claim_elsewhere(at_hand.is_some()),
            }
        }
    }

    /// As [`claim`](Self::claim), where there is none at hand, or one that needs memory.
    ///
    /// # Safety
    /// As [`claim`](Self::claim).
    #[inline(always)]
    unsafe fn claim_elsewhere(
        &mut self,
        is_at_hand: bool,
    ) -> Result<(usize, GenerationOf<K>), TryReserveError> {
        let book = &self.ledger().book;
        // SAFETY: the caller fills the slot at once, whichever it is; the book covers the capacity.
        unsafe {
            if !is_at_hand && !book.has_stored() && book.slots() < self.slot_capacity() {
                let place = self.ledger().fresh_place();
                let ledger = self.ledger_mut();
                ledger.mark = place.mark;
                ledger.book.append_many(1);
                return Ok((place.slot, place.generation));
            }
            let mut refusal = TryReserveError::Full { capacity: 0 };
            let claimed = self.erased_mut().claim_slowly(&mut refusal);
            if claimed.0 == REFUSED { Err(refusal) } else { Ok(claimed) }
        }
    }

    /// A live slot, whose value is gone, becomes free, or is retired after its last generation.
    ///
    /// # Safety
    /// The slot is live, in this generation.
    #[inline(always)]
    unsafe fn free(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: the slot is live, so in use, and in its last generation where it is retired.
        unsafe {
            if generation.is_last() {
                return self.erased_mut().retire(slot);
            }
            self.store(slot, generation.vacated());
            self.ledger_mut().book.vacate(slot);
        }
    }

    /// A live slot, whose value is gone, is kept for its key.
    ///
    /// # Safety
    /// The slot is live, in this generation, and `prepare_taken` was called.
    unsafe fn park(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: the slot is live, so in use, and the book, which has its `taken` words, hears at once what it is now.
        unsafe {
            self.store(slot, generation.parked());
            self.ledger_mut().book.park(slot);
        }
    }

    /// What is to say of a key that has no value; `tenant` is who lives in its slot.
    fn found(&self, key: K, tenant: Option<K>) -> Found<K> {
        let (slot, ledger) = (key.slot() as usize, self.ledger());
        if slot >= ledger.book.slots() {
            return Found::Unused { slots: ledger.book.slots() };
        }
        let generation = key.generation().to_u64();
        let younger = |now: GenerationOf<K>| {
            !ledger.mark.covers(generation) || (!MarkOf::<K>::COUNTS && generation > now.to_u64())
        };
        if let Some(tenant) = tenant {
            return if younger(tenant.generation()) { Found::Younger } else { Found::Live(tenant) };
        }
        let stored = stored_at(self, slot);
        if !ledger.book.is_taken(slot) {
            return if younger(stored) { Found::Younger } else { Found::Free };
        }
        if self.erased().is_retired(slot) {
            return Found::Retired;
        }
        let kept = stored.awaited();
        if younger(kept) { Found::Younger } else { Found::Detached(K::compose(slot as u32, kept)) }
    }

    /// The slot that is kept for a detached key.
    fn find_detached(&self, key: K) -> Option<usize> {
        let slot = key.slot() as usize;
        let parked =
            self.erased().is_detached(slot) && stored_at(self, slot).waits_for(key.generation());
        parked.then_some(slot)
    }

    /// Gives a detached key's slot back. Says whether there was one.
    fn release(&mut self, key: K) -> bool {
        self.find_detached(key).is_some_and(|slot| self.erased_mut().release(slot))
    }
}

/// Finds the place of every key, and refuses two keys that name the same slot.
pub(crate) fn find_disjoint<K: Key, const N: usize>(
    keys: [K; N],
    find: impl Fn(K) -> Option<usize>,
) -> Result<[usize; N], GetDisjointMutError> {
    let mut found = [0; N];
    for (position, &key) in keys.iter().enumerate() {
        found[position] = find(key).ok_or(GetDisjointMutError::NotFound { position })?;
        if let Some(first) =
            keys[..position].iter().position(|earlier| earlier.slot() == key.slot())
        {
            return Err(GetDisjointMutError::Overlapping { first, second: position });
        }
    }
    Ok(found)
}

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
    /// They are live, and what [`ErasedSlots::stored`] returns is right for live slots, too.
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
        // SAFETY: the slots are live for the book, which hears of all of them at once; those in their last
        // generation have given up their values, too.
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

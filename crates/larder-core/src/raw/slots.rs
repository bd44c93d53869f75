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
//!
//! The slots that [`find_disjoint`] finds differ pairwise: keys of the same slot may differ in their
//! generation, so their *slots* are compared. Callers that lend several values exclusively rely on it,
//! though it is safe code.

mod erased;
mod ledger;

pub(crate) use erased::{ErasedSlots, erasing, stored_at};
use erased::{REFUSED, claim_at_hand};
pub(crate) use ledger::{
    GenerationOf, Growth, InMemory, Ledger, MarkOf, NextPlace, Plan, bytes_for,
};

use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::explain::Found;
use crate::key::Key;
use crate::key::generation::{Generation, Mark};
use crate::memory::Extent;
use crate::memory::bits::WORD;
use crate::raw::book::Book;
use crate::raw::occupancy::{FOUND, Occupancy};
use crate::stats::{MemoryUsage, Stats};

/// A slot as it was saved.
#[cfg(feature = "alloc")]
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
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

/// Returns the number of slots that a container can have: those that its keys can name, and no more than there can be
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

/// Checks that there are at most `max` slots.
pub(crate) fn check_slots(slots: usize, max: usize) -> Result<(), TryReserveError> {
    if slots > max {
        return Err(TryReserveError::CapacityOverflow { requested: slots, max });
    }
    Ok(())
}

/// A container of slots.
pub trait SlotStore<K: Key>: ErasedSlots<GenerationOf<K>> + Sized {
    /// The value of a live slot.
    type Value;

    /// The exclusive borrow of a value.
    type ValueMut<'a>
    where
        Self: 'a;

    /// The name by which users know the container.
    const NAME: &'static str;

    /// The number of bytes that a slot takes, the book's aside.
    const STRIDE: usize;

    /// The number of them that are the value's.
    const VALUE: usize;

    /// The number of bytes of a slot that remain where there is no room for its value.
    const CELL: usize = 0;

    /// True if a slot is filled by a write alone: so little code that each path of an insertion has it.
    const FILLS_IN_PLACE: bool;

    /// Returns what everything but the book has of memory.
    fn own_memory(&self) -> Extent;

    /// Writes the value and the generation of a slot. What lay in a filled hole is dropped last.
    ///
    /// # Safety
    /// 1. There is room for the slot, which is live for the book, or becomes so at once.
    /// 2. It has no value yet.
    /// 3. The generation is its next: a live one.
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: Self::Value);

    /// The value that a slot was just given.
    ///
    /// # Safety
    /// 1. The slot was [filled](Self::fill) last.
    /// 2. It is live.
    unsafe fn filled(&mut self, slot: usize) -> Self::ValueMut<'_>;

    /// Appends a slot as it was saved. On an error nothing has changed. (Inlined, so that a value is not
    /// copied on its way.)
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn restore(
        &mut self,
        saved: Saved<GenerationOf<K>, Self::Value>,
    ) -> Result<(), TryReserveError> {
        let slot = self.ledger().book.slots();
        if slot >= self.append_below() {
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
        // SAFETY: there is room for the slot, so the book covers it. Once appended it is live for
        // the book, and becomes at once what it was. To fill: (1) it is live, (2) has no value, and
        // (3) the generation is a live one. To store: (1) it is in use, (2) and free at once. To
        // park and to retire: (1) it is live, and (2) has a place in the `taken` words.
        unsafe {
            self.ledger_mut().book.append_many(1);
            match saved {
                Saved::Live(generation, value) => self.fill(slot, generation, value),
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

    /// Returns the number of values that fit without moving.
    #[inline]
    fn capacity(&self) -> usize {
        let book = &self.ledger().book;
        book.len() + book.detached() + self.remaining()
    }

    /// Returns the number of values that can be added without moving.
    #[inline]
    fn remaining(&self) -> usize {
        match self.ledger().growth {
            #[cfg(feature = "reserved")]
            Growth::Reserved => {
                let book = &self.ledger().book;
                book.reserved() - book.slots() + book.holes()
            }
            _ => self.addable(),
        }
    }

    /// Returns the number of values that can be added without asking for memory: where there are fewer positions than
    /// slots, a lower bound.
    #[inline]
    fn addable(&self) -> usize {
        let book = &self.ledger().book;
        let kept = book.len() + book.detached();
        let room = match self.positions() {
            all if all >= book.slots() => {
                self.append_below().saturating_sub(book.slots()) + book.holes()
            }
            usable if usable >= kept + book.holes() => book.holes(),
            // `FOUND` holes may come to hand at once, and the next insertion fills one of them.
            few => few.saturating_sub(kept + FOUND - 1),
        };
        room.min(self.promised().saturating_sub(kept))
    }

    /// Returns whether this one can become a copy of `source` in the memory that it has, and would be of the same kind.
    fn has_room_for(&self, source: &Self) -> bool {
        let (ledger, of) = (self.ledger(), source.ledger());
        let (capacity, needed) = (self.slot_capacity(), source.slot_capacity());
        let same_kind = ledger.growth == of.growth && ledger.book.reuse() == of.book.reuse();
        #[cfg(feature = "reserved")]
        let same_kind = same_kind && ledger.book.reserved() == of.book.reserved();
        let same_size = ledger.growth != Growth::Fixed || capacity == needed;
        same_kind && same_size && of.book.slots() <= self.append_below()
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
        let (book, own) = (&self.ledger().book, self.own_memory());
        let beside = size_of::<Self>().saturating_sub(own.bytes);
        let all = own + book.memory().unwrap_or(Extent { bytes: beside, space: beside });
        let (live, slots) = (book.len(), book.slots());
        let (committed, reserved) = (all.bytes, all.space);
        let filled = slots.min(self.positions());
        let (values, holes) = (live * Self::VALUE, (filled - live) * Self::VALUE);
        let unused = own.bytes - filled * Self::STRIDE - (slots - filled) * Self::CELL;
        let bookkeeping = committed - values - holes - unused;
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
        if additional <= self.addable() {
            return Ok(());
        }
        let book = &self.ledger().book;
        let (slots, kept) = (book.slots(), book.len() + book.detached() + FOUND - 1);
        match additional.saturating_sub(book.holes()) {
            0 => self.erased_mut().admit((kept + additional).min(slots)),
            fresh => self.erased_mut().grow(slots.saturating_add(fresh)),
        }
    }

    /// Makes room for `additional` values that are about to come, unless there can be no room for all of
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
        Self: SlotStore<K, Book = Occupancy>,
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

    /// Drops the free slots at the end, and gives back what memory `capacity` values do not need, and
    /// those that are there. There is room for `capacity` values then, if there was before, and never
    /// for more than there was.
    fn shrink_to(&mut self, capacity: usize)
    where
        Self: SlotStore<K, Book = Occupancy>,
    {
        if self.ledger().growth == Growth::Fixed {
            return;
        }
        let book = &self.ledger().book;
        let most = book.len() + book.detached() + self.addable();
        self.forget_free_end(|_| true);
        self.give_back(capacity.min(most), most);
    }

    /// Gives back the memory that is needed neither for the slots in use nor for `values` values, and
    /// promises room for no more than `most`.
    fn give_back(&mut self, values: usize, _most: usize)
    where
        Self: SlotStore<K, Book = Occupancy>,
    {
        let book = &self.ledger().book;
        let slots = book.slots().max(values + book.retired());
        if slots < self.slot_capacity() {
            // If the allocator refuses, the memory stays: nothing is lost.
            let _ = self.resize(slots);
            let covered = self.slot_capacity();
            self.ledger_mut().book.shrink(covered);
        }
    }

    /// Finds the slot of the next insertion and whatever memory it needs.
    #[inline(always)]
    fn place(&mut self) -> Result<NextPlace<GenerationOf<K>>, TryReserveError> {
        erased::place(self)
    }

    /// Finds the slot of the next insertion and whatever memory it needs. Changes nothing that can
    /// be seen.
    #[inline(always)]
    fn vacancy(&mut self) -> Result<Vacancy<'_, K, Self>, TryReserveError> {
        let place = self.place()?;
        Ok(Vacancy { slots: self, place })
    }

    /// Gives a free slot a history, for the project's own tests.
    #[cfg(feature = "__test")]
    fn set_generation_for_test(&mut self, slot: u32, generation: u32) {
        let free = GenerationOf::<K>::free_from_u64(generation.into());
        let free = free.expect("not the generation of a free slot");
        self.erased_mut().set_free_generation(slot as usize, free);
    }

    /// Adds the values. On an error those before are in.
    #[inline]
    fn try_extend(
        &mut self,
        values: impl IntoIterator<Item = Self::Value>,
    ) -> Result<(), TryReserveError> {
        self.insert_each(values)
    }

    /// Adds the values one by one. On an error those before are in.
    #[inline]
    fn insert_each(
        &mut self,
        values: impl IntoIterator<Item = Self::Value>,
    ) -> Result<(), TryReserveError> {
        let values = values.into_iter();
        self.try_expect(values.size_hint().0)?;
        for value in values {
            self.insert_or(value, |_, reason| reason)?;
        }
        Ok(())
    }

    /// If there is no room, the value is returned.
    #[inline(always)]
    fn try_insert(&mut self, value: Self::Value) -> Result<K, InsertError<Self::Value>> {
        self.insert_or(value, |value, reason| InsertError { value, reason })
    }

    /// A slot at hand, and one that only has to be appended, are taken in place, any other out of line:
    /// so an insertion stays small, and a value goes from registers straight to its slot.
    #[inline(always)]
    fn insert_or<E>(
        &mut self,
        value: Self::Value,
        refused: impl FnOnce(Self::Value, TryReserveError) -> E,
    ) -> Result<K, E> {
        // SAFETY: (1) the book just answered the slot at hand; (2) whichever slot is claimed is
        // filled at once. For that, (1) there is room, and it is live for the book; (2) it has no
        // value; (3) the generation comes with it.
        unsafe {
            let at_hand = self.ledger().book.at_hand();
            let (slot, generation) = match at_hand.and_then(|slot| claim_at_hand(self, slot)) {
                Some((slot, generation)) if Self::FILLS_IN_PLACE => {
                    // Once in each path: here the slot need not be found again.
                    self.fill(slot, generation, value);
                    return Ok(K::compose(slot as u32, generation));
                }
                Some(claimed) => claimed,
                None => match self.claim_elsewhere(at_hand.is_some()) {
                    Ok(claimed) => claimed,
                    Err(reason) => return Err(refused(value, reason)),
                },
            };
            self.fill(slot, generation, value);
            Ok(K::compose(slot as u32, generation))
        }
    }

    /// The next slot, taken: live for the book; and its generation, which is not stored yet. None is at hand,
    /// or one that needs memory.
    ///
    /// # Safety
    /// The slot is [filled](Self::fill) at once, before anything may panic.
    #[inline(always)]
    unsafe fn claim_elsewhere(
        &mut self,
        is_at_hand: bool,
    ) -> Result<(usize, GenerationOf<K>), TryReserveError> {
        let book = &self.ledger().book;
        // SAFETY: the book covers the capacity; the caller fills the slot at once, whichever it is.
        unsafe {
            if !is_at_hand && !book.has_stored() && book.slots() < self.append_below() {
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
    /// The slot is live in this generation.
    #[inline(always)]
    unsafe fn free(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: (1) the slot is live in this generation, (2) which becomes that.
        unsafe { self.free_as(slot, generation, generation.vacated()) };
    }

    /// Like [`free`](Self::free), given the generation that follows. Computed from a key before the slot is looked at,
    /// it saves loading the slot's.
    ///
    /// # Safety
    /// 1. The slot is live in this generation.
    /// 2. The other is what this becomes.
    #[inline(always)]
    unsafe fn free_as(
        &mut self,
        slot: usize,
        generation: GenerationOf<K>,
        vacated: GenerationOf<K>,
    ) {
        // SAFETY: to store: (1) the slot is in use, and (2) free or retired at once. To free: it is live. To
        // settle: the book asked for it, or (1) the slot is live, and (2) in its last generation, it has a place
        // in the `taken` words.
        unsafe {
            // (One call for both, so that a removal stays small.)
            let retired = if generation.is_last() {
                self.store(slot, GenerationOf::<K>::RETIRED);
                Some(slot)
            } else {
                self.store(slot, vacated);
                if !self.ledger_mut().book.free(slot) {
                    return;
                }
                None
            };
            self.ledger_mut().book.settle(retired);
        }
    }

    /// A live slot, whose value is gone, is kept for its key.
    ///
    /// # Safety
    /// 1. The slot is live in this generation.
    /// 2. [`prepare_taken`](Book::prepare_taken) was called.
    unsafe fn park(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: to store: (1) the slot is live, so in use; (2) the book hears at once what it is
        // now. To park: (1) it is live; (2) there are `taken` words.
        unsafe {
            self.store(slot, generation.parked());
            self.ledger_mut().book.park(slot);
        }
    }

    /// Describes a key that has no value; `tenant` is the key that has one in its slot.
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

    /// Puts a value back under the key that was detached from it.
    fn reattach(&mut self, key: K, value: Self::Value) -> Result<(), ReattachError<Self::Value>> {
        let Some(slot) = self.find_detached(key) else { return Err(ReattachError { value }) };
        // SAFETY: the slot is detached: so (1) it is in use, and live now, and (2) has no value;
        // (3) it gets the generation that it had. Nothing panics before.
        unsafe {
            self.ledger_mut().book.unpark(slot);
            self.fill(slot, key.generation(), value);
        }
        Ok(())
    }

    /// Gives a detached key's slot back. Says whether there was one.
    fn release(&mut self, key: K) -> bool {
        self.find_detached(key).is_some_and(|slot| self.erased_mut().release(slot))
    }
}

/// The place of the next value. Nothing has changed yet; the borrow keeps it so.
///
/// **Invariant.** `place` is the ledger's.
pub struct Vacancy<'a, K: Key, S: SlotStore<K>> {
    pub(super) slots: &'a mut S,
    pub(super) place: NextPlace<GenerationOf<K>>,
}

impl<'a, K: Key, S: SlotStore<K>> Vacancy<'a, K, S> {
    #[inline(always)]
    pub(crate) fn key(&self) -> K {
        self.place.key()
    }

    #[inline(always)]
    pub(crate) fn fill(self, value: S::Value) -> K {
        let key = self.key();
        self.fill_and_get(value);
        key
    }

    /// Like [`fill`](Self::fill), and lends the value.
    #[inline(always)]
    pub(crate) fn fill_and_get(self, value: S::Value) -> S::ValueMut<'a> {
        let Self { slots, place } = self;
        // The book first: what it just said is still at hand.
        // SAFETY: the place is the ledger's, which did not change since; value and generation are
        // written before anything can panic. So (1) there is room for the slot, which is live;
        // (2) it has no value; (3) the generation comes with the place.
        unsafe {
            slots.ledger_mut().commit(&place);
            slots.fill(place.slot, place.generation, value);
            slots.filled(place.slot)
        }
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
        for (first, earlier) in keys[..position].iter().enumerate() {
            if earlier.slot() == key.slot() {
                return Err(GetDisjointMutError::Overlapping { first, second: position });
            }
        }
    }
    Ok(found)
}

//! Putting slots into states that they had, here or in another container: what rollback, undo and
//! deltas have in common.
//!
//! **Invariant.** None of its own. Between [`Rewind::exchange`] taking a slot out and putting it in again no
//! user code runs, so nothing sees a live slot without its value, or a generation that contradicts the
//! book.

use alloc::vec::Vec;
use core::{mem, ptr};

use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::memory::OnDrop;
use crate::memory::storage::Spot;
use crate::raw::book::{Book, RewindBook};
pub(crate) use crate::raw::slots::Saved;
use crate::raw::slots::{ErasedSlots, GenerationOf, MarkOf, SlotStore};
use crate::raw::store::{Refill, Store};
use crate::room::reserve;

/// A slot, and a state that it had.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub struct Record<K: Key, V> {
    pub(crate) slot: u32,
    pub(crate) saved: Saved<GenerationOf<K>, V>,
}

/// Records whose slots are put into other states together: those of a step, and others.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub struct Batch<'a, R> {
    pub(crate) step: &'a mut [R],
    pub(crate) more: &'a mut Vec<R>,
}

impl<'a, R> Batch<'a, R> {
    /// Records that are not of a step.
    pub(crate) fn of(records: &'a mut Vec<R>) -> Self {
        Self { step: &mut [], more: records }
    }

    pub(crate) fn len(&self) -> usize {
        self.step.len() + self.more.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &R> {
        self.step.iter().chain(&*self.more)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.step.iter_mut().chain(&mut *self.more)
    }

    /// All records, in pieces: a loop in another goes over these in fewer instructions than one over all.
    #[inline]
    pub(crate) fn pieces(&mut self) -> [&mut [R]; 2] {
        [self.step, self.more]
    }
}

/// The state that decides on the slots that come next.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub struct Order<K: Key> {
    pub(crate) slots: u32,
    pub(crate) cursor: u32,
    /// The free slots that come first.
    pub(crate) free: Vec<u32>,
    pub(crate) mark: MarkOf<K>,
}

/// A value, and where it lies among others.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub struct Placed<T> {
    pub(crate) at: u32,
    pub(crate) value: T,
}

/// The part of a live slot that a record has: its value, and where that lies, if values have an order of their own.
pub trait KeptValue<T> {
    #[cfg(feature = "snapshot")]
    fn of(value: T, at: u32) -> Self;

    fn into_value(self) -> T;

    /// The value, and where it lies; 0 if values have no order of their own.
    #[cfg(feature = "snapshot")]
    fn value_at(&self) -> (&T, u32);
}

impl<T> KeptValue<T> for T {
    #[cfg(feature = "snapshot")]
    fn of(value: T, _at: u32) -> Self {
        value
    }

    fn into_value(self) -> T {
        self
    }

    #[cfg(feature = "snapshot")]
    fn value_at(&self) -> (&T, u32) {
        (self, 0)
    }
}

impl<T> KeptValue<T> for Placed<T> {
    #[cfg(feature = "snapshot")]
    fn of(value: T, at: u32) -> Self {
        Self { at, value }
    }

    fn into_value(self) -> T {
        self.value
    }

    #[cfg(feature = "snapshot")]
    fn value_at(&self) -> (&T, u32) {
        (&self.value, self.at)
    }
}

/// The positions of a record's value: the one at which it has to be, if any, and the one at which it was.
type Move = (Option<u32>, u32);

/// Values in an order of their own, with their keys: packed ones, and the entries of a sparse map.
pub(crate) trait Ordered<K: Key> {
    type Value;

    /// The key of the value at a position.
    fn key_in(&self, position: usize) -> Option<K>;

    /// The position of a slot's value, if it has one.
    fn position_of(&self, slot: u32) -> Option<usize>;

    /// Another key of the same slot, and its value, take the place of those at a position.
    fn exchange_at(&mut self, position: usize, key: &mut K, value: &mut Self::Value);

    /// Two values change places.
    fn swap_positions(&mut self, one: usize, other: usize);

    /// A slot without a value becomes what was saved, which is then what it was; a value is the last. Such a slot
    /// has no position to be recorded.
    ///
    /// # Safety
    /// The contract is that of [`Rewind::exchange_all`] for one record.
    unsafe fn put_in(&mut self, slot: u32, saved: &mut Saved<GenerationOf<K>, Placed<Self::Value>>);

    /// Takes a value out, of a slot that becomes what was saved: without a value. The last one fills the gap.
    ///
    /// # Safety
    /// The contract is that of [`Rewind::exchange_all`] for one record.
    unsafe fn take_out(
        &mut self,
        position: usize,
        saved: &Saved<GenerationOf<K>, Placed<Self::Value>>,
    ) -> (K, Self::Value);

    /// The position of a slot's value, which it has.
    fn place_of(&self, slot: usize) -> usize {
        let position = u32::try_from(slot).ok().and_then(|slot| self.position_of(slot));
        debug_assert!(position.is_some(), "slot {slot} has a value");
        position.unwrap_or(0)
    }

    /// Puts slots into recorded states, as [`Rewind::exchange_all`] does, and values at the positions of their records,
    /// too. A value without a record is where it was, unless a removal moved it, which then made a record: so it is
    /// enough to move values with one.
    ///
    /// Values that come are appended first. Then each is swapped to its position, so that those that go are at the end.
    ///
    /// # Safety
    /// The contract is that of [`Rewind::exchange_all`].
    unsafe fn exchange_placed(
        &mut self,
        records: &mut Batch<'_, Record<K, Placed<Self::Value>>>,
        moves: &mut Vec<Move>,
    ) {
        for Record { slot, saved } in records.iter_mut() {
            let there = self.position_of(*slot);
            let before = there.unwrap_or(0);
            let target = match (&mut *saved, there) {
                (Saved::Live(_, placed), None) => Some(placed.at),
                (Saved::Live(generation, placed), Some(position)) => {
                    let mut key = K::compose(*slot, *generation);
                    self.exchange_at(position, &mut key, &mut placed.value);
                    *generation = key.generation();
                    Some(mem::replace(&mut placed.at, before as u32))
                }
                _ => None,
            };
            if there.is_none() {
                // SAFETY: it is one of the records, for which the caller answers.
                unsafe { self.put_in(*slot, saved) };
            }
            moves.push((target, before as u32));
        }
        for (record, (target, _)) in records.iter().zip(&*moves) {
            let target = target.map(|at| at as usize).filter(|&at| self.key_in(at).is_some());
            let both = self.position_of(record.slot).zip(target);
            if let Some((now, target)) = both.filter(|(now, target)| now != target) {
                self.swap_positions(now, target);
            }
        }
        for (Record { slot, saved }, (target, before)) in records.iter_mut().zip(moves) {
            if let (None, Some(now)) = (*target, self.position_of(*slot)) {
                // SAFETY: it is one of the records, for which the caller answers.
                let (key, value) = unsafe { self.take_out(now, saved) };
                *saved = Saved::Live(key.generation(), Placed { at: *before, value });
            }
        }
    }
}

/// The memory and values that [`Rewind::exchange_all`] needs, which may have to be allocated or made.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub struct Scratch<'a, S> {
    /// The replacement for each value that is moved out for good, if holes have values.
    spares: &'a mut Vec<S>,
    /// Room for what lay in the holes that are filled.
    holes: &'a mut Vec<S>,
    /// Room for one move for each record, if values have an order.
    pub(super) moves: Vec<Move>,
}

/// Values that lay in holes, and spares that nothing needed: to be dropped when all is done, since that is user code.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub struct LeftOver<S> {
    spares: Vec<S>,
    holes: Vec<S>,
}

impl<S> LeftOver<S> {
    pub(crate) const fn nothing() -> Self {
        Self { spares: Vec::new(), holes: Vec::new() }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.spares.is_empty() && self.holes.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.spares.clear();
        self.holes.clear();
    }
}

/// Slots that can be put into states that they had.
#[expect(unnameable_types, reason = "it seals a public trait")]
pub trait Rewind<K: Key>: SlotStore<K, Book: RewindBook> {
    /// The part of a live slot that a record has.
    type Kept: KeptValue<Self::Value>;

    /// The replacement for a value that is moved out, if holes have values.
    type Spare;

    /// True if values have an order of their own, which is put back, too.
    const PLACED: bool = false;

    /// The key of a live slot. Any number may be asked about.
    fn key_at(&self, slot: usize) -> Option<K>;

    /// Makes room for `additional` values, and has those made that slots have before they are used.
    fn try_provide(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve(additional)
    }

    /// Makes a spare: user code, in a pool.
    fn spare(&mut self) -> Self::Spare;

    /// Moves the value of a key out, has a spare take its place, if holes have values, and frees the slot. If none can
    /// be made, nothing has changed.
    fn remove_value(&mut self, key: K) -> Option<Self::Value>;

    /// Like [`remove_value`](Self::remove_value), given the spare.
    fn take(&mut self, key: K, spare: Self::Spare) -> Option<Self::Value>;

    /// Like [`take`](Self::take), but keeps the slot for its key. On an error nothing has changed.
    fn try_detach_with(
        &mut self,
        key: K,
        spare: Self::Spare,
    ) -> Result<Option<Self::Value>, TryReserveError>;

    /// Exchanges the value of a key, if it has one, for another.
    fn exchange_value(&mut self, key: K, value: &mut Self::Value);

    /// All keys and values, to change these.
    fn lend_all(&mut self) -> impl Iterator<Item = (K, Self::ValueMut<'_>)>;

    /// Returns the place of the value of a live slot.
    fn place_of(&self, slot: usize) -> usize {
        slot
    }

    /// The key of the value at a place, if values have an order of their own.
    fn placed(&self, _place: usize) -> Option<K> {
        None
    }

    /// Returns the number of values that have a place.
    fn placed_count(&self) -> usize {
        0
    }

    /// The state of a slot in use, but for its value.
    #[inline]
    fn state(&self, slot: usize) -> Saved<GenerationOf<K>, ()> {
        let book = &self.ledger().book;
        assert!(slot < book.slots(), "slot {slot} is in use");
        // SAFETY: just checked. (The answer is right for live slots, too, which an
        // implementor states.)
        let generation = unsafe { self.stored_live(slot) };
        if book.is_live(slot) {
            Saved::Live(generation, ())
        } else if !book.is_taken(slot) {
            Saved::Free(generation)
        } else if GenerationOf::<K>::VERSIONED && generation == Generation::RETIRED {
            Saved::Retired
        } else {
            Saved::Detached(generation.awaited())
        }
    }

    /// Returns the generation that a slot stores, live or not. (To ask [`key_at`](Self::key_at) first takes four
    /// instructions more.)
    ///
    /// # Safety
    /// The slot is below `book.slots()`.
    unsafe fn stored_live(&self, slot: usize) -> GenerationOf<K>;

    /// Puts each slot into the state of its record, which then holds the state that the slot had.
    ///
    /// # Safety
    /// 1. The book has begun to be rewound, and has `taken` words for what needs them.
    /// 2. All slots are in use, and none has two records, unless both are of a free slot.
    /// 3. There is a spare for each live slot that is not live afterwards, and room for what lies in each hole that is
    ///    live afterwards.
    unsafe fn exchange_all(
        &mut self,
        records: &mut Batch<'_, Record<K, Self::Kept>>,
        with: &mut Scratch<'_, Self::Spare>,
    );

    /// Begins one more slot, which is free. Returns the spare if the slot has a value already.
    ///
    /// # Safety
    /// There is room for it.
    unsafe fn append_free(&mut self, spare: Self::Spare) -> Option<Self::Spare>;

    /// A slot becomes a hole, whatever it was; that is answered.
    ///
    /// # Safety
    /// 1. The slot is in use.
    /// 2. Its value, if it has one, is moved out before anything looks.
    unsafe fn open(&mut self, slot: usize) -> Saved<GenerationOf<K>, ()> {
        let was = self.state(slot);
        if !matches!(was, Saved::Free(_)) {
            let retired = matches!(was, Saved::Retired);
            // SAFETY: 1. the slot is in use, and no hole; 2. by (2), and
            // `retired` says what it was.
            unsafe { self.ledger_mut().book.open(slot, retired) };
        }
        was
    }

    /// A hole becomes what was saved of a slot without a value; nothing else does.
    ///
    /// # Safety
    /// 1. The slot is a hole.
    /// 2. There are `taken` words if it is to be taken.
    unsafe fn close<V>(&mut self, slot: usize, saved: &Saved<GenerationOf<K>, V>) {
        let (generation, taken, retired) = match saved {
            Saved::Live(..) => return,
            Saved::Free(generation) => (*generation, false, false),
            Saved::Detached(generation) => (generation.parked(), true, false),
            Saved::Retired => (Generation::RETIRED, true, true),
        };
        // SAFETY: to store: (1) by (1) the slot is a hole, so in use; (2) it gets the
        // generation of what it is then. To close: (1) it is a hole, and (2) has a place in the
        // `taken` words by (2).
        unsafe {
            self.store(slot, generation);
            if taken {
                self.ledger_mut().book.close(slot);
            }
        }
        if retired {
            self.ledger_mut().book.retire();
        }
    }

    /// Sets the next generation of a free slot, or retires it. (A slot that is retired had its last
    /// generation, for which it has a place in the `taken` words.)
    fn pass_over(&mut self, slot: usize, next: Option<GenerationOf<K>>) {
        if let Some(next) = next {
            return self.erased_mut().set_free_generation(slot, next);
        }
        assert!(GenerationOf::<K>::HAS_LAST, "slots without a last generation are used for ever");
        assert!(self.ledger().book.is_hole(slot), "slot {slot} is free");
        if self.ledger_mut().book.prepare_taken().is_ok() {
            // SAFETY: the slot is a hole. To retire: (1) it is live then, without a value, and
            // (2) its generations are used up.
            unsafe {
                self.ledger_mut().book.fill_hole(slot);
                self.erased_mut().retire(slot);
            }
            self.ledger_mut().book.relink_in_order();
        }
    }

    /// The free slots in the order in which they come, and all else that decides on the next. They are put into `free`,
    /// which is empty.
    fn order(&self, mut free: Vec<u32>) -> Result<Order<K>, TryReserveError> {
        let book = &self.ledger().book;
        let cursor = book.save_order(&mut free)? as u32;
        Ok(Order { slots: book.slots() as u32, cursor, free, mark: self.ledger().mark })
    }

    /// Puts each slot into the state of its record, which then holds the state that the slot had; with an
    /// order, that is the next, and slots that it does not have are forgotten: what was live there is
    /// added to the records. Says whether the order was possible; if not, free slots come in another.
    ///
    /// No slot has two records; one that the order does not have has none, or one without a value. On an error, or if
    /// no spare can be made, nothing has changed. What is `left` is for the caller to drop when all is done.
    fn exchange(
        &mut self,
        records: &mut Batch<'_, Record<K, Self::Kept>>,
        order: Option<&Order<K>>,
        left: &mut LeftOver<Self::Spare>,
    ) -> Result<bool, TryReserveError> {
        let in_use = self.ledger().book.slots();
        let slots = order.map_or(in_use, |order| order.slots as usize);
        let fresh = slots.saturating_sub(in_use);
        if slots > self.slot_capacity() {
            self.erased_mut().grow(slots)?;
        }
        // Each record may bring a value or a detached key, and the order what is at hand.
        let book = &self.ledger().book;
        let coming = records.len() + order.map_or(0, |order| order.free.len());
        let values = book.len() + book.detached() + coming;
        self.erased_mut().admit(values)?;
        let surplus = slots..in_use.max(slots);
        reserve(records.more, surplus.len())?;
        // (An undo may have left something in a record of a slot that the order does not have. It is of no use, since
        // the slot was not begun then.)
        let unused = Generation::fresh(self.ledger().mark);
        let is_live = |slot: usize| self.ledger().book.is_live(slot);
        let mut dying = surplus.clone().filter(|&slot| is_live(slot)).count();
        let (mut filling, mut needs_taken) = (0, false);
        for piece in &mut records.pieces() {
            for Record { slot, saved } in &mut **piece {
                if let Saved::Live(generation, _) = saved {
                    // (Where holes have values: no other spare has a size.)
                    if size_of::<Self::Spare>() > 0 {
                        filling += usize::from(!is_live(*slot as usize));
                    }
                    needs_taken |= generation.is_last();
                    continue;
                }
                if *slot as usize >= slots {
                    // (Counted with the surplus.)
                    *saved = Saved::Free(unused);
                    continue;
                }
                dying += usize::from(is_live(*slot as usize));
                needs_taken |= !matches!(saved, Saved::Free(_));
            }
        }
        if needs_taken {
            self.ledger_mut().book.prepare_taken()?;
        }
        let LeftOver { spares, holes } = left;
        let mut with = Scratch { spares, holes, moves: Vec::new() };
        reserve(with.spares, fresh + dying)?;
        reserve(with.holes, fresh + filling)?;
        reserve(&mut with.moves, if Self::PLACED { records.len() + surplus.len() } else { 0 })?;
        (0..fresh + dying).for_each(|_| with.spares.push(self.spare()));
        let forgotten = |slot| Record { slot: slot as u32, saved: Saved::Free(unused) };
        records.more.extend(surplus.clone().map(forgotten));
        // Listed again if the check below fails.
        let unlisted = OnDrop::new(&mut *self, |this| this.ledger_mut().book.relink_in_order());
        unlisted.held.ledger_mut().book.begin_rewind();
        for spare in with.spares.drain(..fresh) {
            // SAFETY: there is room.
            with.holes.extend(unsafe { unlisted.held.append_free(spare) });
        }
        // SAFETY: 1. just done, and prepared above. 2. Those of the surplus are free ones. 3. They were counted above.
        unsafe { unlisted.held.exchange_all(records, &mut with) };
        let book = &unlisted.held.ledger().book;
        let is_used = |slot| book.is_live(slot) || book.is_taken(slot);
        assert!(!surplus.clone().any(is_used), "what is cut off is free");
        mem::forget(unlisted);
        let ledger = self.ledger_mut();
        let Some(order) = order else {
            ledger.book.relink_in_order();
            return Ok(true);
        };
        if !surplus.is_empty() {
            // SAFETY: all of the surplus is free, as was just checked.
            unsafe { ledger.book.truncate(slots) };
        }
        ledger.mark = order.mark;
        let restored = ledger.book.restore_order(&order.free, order.cursor as usize);
        if !restored {
            ledger.book.relink_in_order();
        }
        Ok(restored)
    }
}

impl<G> Saved<G, ()> {
    /// Returns the state of a slot that is not live.
    pub(crate) fn without_value<V>(self) -> Saved<G, V> {
        debug_assert!(
            !matches!(self, Self::Live(..)),
            "the value of a live slot is moved with its state"
        );
        match self {
            Self::Free(generation) => Saved::Free(generation),
            Self::Detached(generation) => Saved::Detached(generation),
            Self::Live(..) | Self::Retired => Saved::Retired,
        }
    }
}

impl<T, K: Key, L: Refill<T, K>, B: RewindBook> Rewind<K> for Store<T, K, L, B> {
    type Kept = T;

    type Spare = L::Spare;

    #[inline]
    fn key_at(&self, slot: usize) -> Option<K> {
        self.key_at(slot)
    }

    fn try_provide(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_provide(additional)
    }

    #[inline]
    fn spare(&mut self) -> L::Spare {
        self.layout.spare()
    }

    #[inline(always)]
    fn remove_value(&mut self, key: K) -> Option<T> {
        self.remove(key)
    }

    #[inline(always)]
    fn take(&mut self, key: K, spare: L::Spare) -> Option<T> {
        self.take(key, |_| spare)
    }

    fn try_detach_with(&mut self, key: K, spare: L::Spare) -> Result<Option<T>, TryReserveError> {
        self.try_detach_with(key, |_| spare)
    }

    #[inline]
    fn exchange_value(&mut self, key: K, value: &mut T) {
        if let Some(mut place) = self.spot(key) {
            place.exchange(value);
        }
    }

    #[inline]
    fn lend_all(&mut self) -> impl Iterator<Item = (K, Self::ValueMut<'_>)> {
        self.iter_mut()
    }

    #[inline]
    unsafe fn stored_live(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: the slot is in use; a store answers for live slots, too.
        unsafe { self.stored(slot) }
    }

    unsafe fn exchange_all(
        &mut self,
        records: &mut Batch<'_, Record<K, T>>,
        with: &mut Scratch<'_, L::Spare>,
    ) {
        for piece in &mut records.pieces() {
            for Record { slot, saved } in &mut **piece {
                let slot = *slot as usize;
                let is_live = self.ledger.book.is_live(slot);
                if let (Saved::Live(then, value), true) = (&mut *saved, is_live) {
                    // Most often the value alone has changed, and the book has nothing to learn.
                    // SAFETY: (1) the slot is live, so in use, and (2) borrowed exclusively; each
                    // value is moved once.
                    unsafe {
                        let address = self.layout.address_mut(slot);
                        *then = address.generation.replace(*then);
                        ptr::write(value, Spot::new(address.value).replace(ptr::read(value)));
                    }
                    continue;
                }
                let spare = is_live.then(|| with.spares.pop().expect("one for each that dies"));
                // SAFETY: first the slot becomes a hole: (1) it is in use; (2) its value, if any, is
                // moved out once. Then it becomes what the record says: to fill, (1) it is below the
                // capacity, and (2) has no live value, and is in use; to close, (1) it is a hole, and (2) if it is
                // taken, or in its last generation, it has a place in the `taken` words, by 1. Nothing in between can
                // panic.
                unsafe {
                    let was = match (self.open(slot), spare) {
                        (Saved::Live(generation, ()), Some(spare)) => {
                            Saved::Live(generation, L::take(self.layout.address_mut(slot), spare))
                        }
                        (was, _) => was.without_value(),
                    };
                    match mem::replace(saved, was) {
                        Saved::Live(generation, value) => {
                            self.ledger.book.fill_hole(slot);
                            with.holes.extend(self.layout.fill_hole(slot, generation, value));
                        }
                        then => self.close(slot, &then),
                    }
                }
            }
        }
    }

    unsafe fn append_free(&mut self, spare: L::Spare) -> Option<L::Spare> {
        let (slot, generation) = (self.ledger.book.slots(), Generation::fresh(self.ledger.mark));
        // SAFETY: to begin: (1) there is room for the slot, and (2) those before it are in
        // use. It has a generation, and what holes have, before the book knows it; then it
        // becomes a hole at once.
        unsafe {
            let left = self.layout.begin(slot, generation, spare);
            self.ledger.book.append_many(1);
            self.ledger.book.open(slot, false);
            left
        }
    }
}

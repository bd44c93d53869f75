//! Values in slots, written once for every layout: what [`Arena`](crate::Arena),
//! [`PagedArena`](crate::PagedArena), [`SoaArena`](crate::SoaArena) and `Pool` are made of.
//!
//! A [`Layout`] says where values and generations lie, and whether holes are uninitialised or filled.
//! Insertion and the choice of the next slot are in [`slots`]. Lookups and removal are here, iteration is in [`iter`],
//! and what is done to all values at once in [`bulk`].
//!
//! **Invariant.**
//! - The book covers as many slots as the layout has room for, and the layout has room for all slots in
//!   use.
//! - Every slot below `book.slots()` has its generation initialised. A live slot has its value
//!   initialised; so does any other slot in use, if holes are filled, and none, if they are not.
//! - The generation of a live slot is live (see [`generation`](crate::key::generation)), that of any
//!   other slot equals no key's. With keys that have no generation the book alone decides.
//! - A slot in its last generation has a place in the book's `taken` words, so that it can be
//!   retired without memory.

mod bulk;
mod iter;
mod layout;

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr;

pub(crate) use iter::WalkStep;
#[cfg(feature = "alloc")]
pub(crate) use iter::drop_rest;
pub(crate) use iter::{Choose, taking};
pub use iter::{Drain, ExtractIf, IntoIter, Iter, IterMut, Lending};
pub(crate) use layout::{Address, Finder, Layout, Places, Refill};

use crate::error::{GetDisjointMutError, TryReserveError};
use crate::key::Key;
use crate::key::generation::{Generation, Mark};
use crate::memory::Extent;
use crate::memory::cold_path;
use crate::memory::source::Memory;
use crate::memory::storage::{At, EmptyRoom, Spot};
use crate::raw::book::Book;
use crate::raw::occupancy::Occupancy;
use crate::raw::slots::{
    self, ErasedSlots, GenerationOf, Growth, Ledger, MarkOf, SlotStore, Vacancy, find_disjoint,
};
use crate::raw::walk::Walk;
use crate::stats::Reuse;

/// The borrows of a value of a layout, shared and exclusive.
pub(crate) type Ref<'a, T, K, L> = <<L as Layout<T, K>>::At as At<T>>::Ref<'a>;
pub(crate) type RefMut<'a, T, K, L> = <<L as Layout<T, K>>::At as At<T>>::RefMut<'a>;

/// Slots of values. (What a lookup reads comes first.)
#[repr(C)]
pub struct Store<T, K: Key, L: Layout<T, K>, B: Book = Occupancy> {
    pub(super) layout: L,
    pub(super) ledger: Ledger<GenerationOf<K>, B>,
    pub(super) owns: PhantomData<(T, fn() -> K)>,
}

impl<T, K: Key, L: Layout<T, K>, B: Book> SlotStore<K> for Store<T, K, L, B> {
    const NAME: &'static str = L::NAME;

    const STRIDE: usize = L::STRIDE;

    const VALUE: usize = L::VALUE;

    const FILLS_IN_PLACE: bool = L::FILLS_IN_PLACE;

    type Value = T;

    type ValueMut<'a>
        = RefMut<'a, T, K, L>
    where
        Self: 'a;

    #[inline(always)]
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: T) {
        // SAFETY: (1) the slot is below the capacity; (2) it has no live value, and is in use.
        unsafe { self.layout.fill(slot, generation, value) };
    }

    #[inline(always)]
    unsafe fn filled(&mut self, slot: usize) -> RefMut<'_, T, K, L> {
        // SAFETY: the slot is in use, so below the capacity. (1) It was just filled; (2) it is
        // borrowed exclusively as `self` is.
        unsafe { self.layout.address_mut(slot).value.lend_mut() }
    }

    #[inline]
    fn try_extend(&mut self, values: impl IntoIterator<Item = T>) -> Result<(), TryReserveError> {
        L::extend(self, values)
    }

    fn own_memory(&self) -> Extent {
        self.layout.memory()
    }
}

impl<T, K: Key, L: Layout<T, K>, B: Book> ErasedSlots<GenerationOf<K>> for Store<T, K, L, B> {
    type Book = B;

    slots::erasing!(K, L::STRIDE);

    #[inline(always)]
    fn slot_capacity(&self) -> usize {
        self.layout.capacity()
    }

    fn roomy(&self, slots: usize) -> usize {
        let least = L::FIRST.into_iter().find(|&first| slots <= first);
        self.layout.roomy(slots, least.unwrap_or(0))
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.ledger.book.resize_layout(&mut self.layout, capacity)
    }

    /// The answer is right for live slots, too.
    #[inline(always)]
    unsafe fn stored(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: a slot in use is below the capacity, and has its generation.
        unsafe { self.layout.address(slot).generation.read() }
    }

    #[inline(always)]
    unsafe fn store(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: a slot in use is below the capacity, and borrowed exclusively.
        unsafe { self.layout.address_mut(slot).generation.write(generation) };
    }
}

impl<T, K: Key, L: EmptyRoom + Layout<T, K>> Store<T, K, L> {
    pub(crate) const fn new(reuse: Reuse) -> Self {
        Self::of(L::EMPTY, reuse)
    }
}

impl<T, K: Key, L: Layout<T, K>> Store<T, K, L> {
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.ledger.book.len()
    }

    /// An empty store whose slots will lie there, and its book in that memory.
    pub(super) fn within(
        layout: L,
        reuse: Reuse,
        memory: Memory<'_>,
    ) -> Result<Self, TryReserveError> {
        Ok(Self { layout, ledger: Ledger::within(reuse, memory)?, owns: PhantomData })
    }

    /// An empty store whose slots will lie there.
    pub(crate) const fn of(layout: L, reuse: Reuse) -> Self {
        Self { layout, ledger: Ledger::new(reuse), owns: PhantomData }
    }
}

impl<T, K: Key, L: Layout<T, K>, B: Book> Store<T, K, L, B> {
    /// An empty store of these parts, of which the book has no slot in use.
    pub(in crate::raw) const fn made_of(layout: L, book: B, growth: Growth) -> Self {
        Self {
            layout,
            ledger: Ledger { book, mark: MarkOf::<K>::START, growth },
            owns: PhantomData,
        }
    }

    #[inline]
    pub(crate) const fn book(&self) -> &B {
        &self.ledger.book
    }

    /// The slot of a key whose value is live.
    #[inline(always)]
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        self.find_address(key).map(|address| address.slot)
    }

    /// Returns the address of the slot of a key whose value is live.
    #[inline(always)]
    pub(super) fn find_address(&self, key: K) -> Option<Address<T, K, L::At>> {
        if !self.ledger.book.has(key.slot()) {
            return None;
        }
        let slot = key.slot() as usize;
        // SAFETY: the slot is in use: so it is below the capacity, covered by the book, and its
        // generation is initialised.
        let (address, answers) = unsafe {
            let address = self.layout.address(slot);
            let answers = if GenerationOf::<K>::VERSIONED {
                address.generation.read() == key.generation()
            } else {
                self.ledger.book.is_set(slot)
            };
            (address, answers)
        };
        if !answers {
            // A branch, not a conditional move: the value is fetched before the check is done.
            cold_path();
            return None;
        }
        Some(address)
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K) -> Option<Ref<'_, T, K, L>> {
        let address = self.find_address(key)?;
        // SAFETY: (1) the value is live, and (2) borrowed as `self` is.
        Some(unsafe { address.value.lend() })
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<RefMut<'_, T, K, L>> {
        self.spot(key).map(Spot::into_mut)
    }

    /// The value of a key, to be changed.
    #[inline(always)]
    pub(super) fn spot(&mut self, key: K) -> Option<Spot<'_, T, L::At>> {
        let address = self.find_address(key)?;
        // SAFETY: (1) the value is live, and (2) borrowed exclusively as `self` is; the layout
        // did not change since.
        Some(unsafe { Spot::new(self.layout.renewed(address).value) })
    }

    pub(crate) fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[RefMut<'_, T, K, L>; N], GetDisjointMutError> {
        let slots = find_disjoint(keys, |key| self.find(key))?;
        let mut finder = self.layout.finder_mut();
        // SAFETY: (1) all slots are live, so in use; (2) no two are the same, and `self` is
        // borrowed exclusively.
        Ok(slots.map(|slot| unsafe { finder.find(slot).value.lend_mut() }))
    }

    /// The live slot whose value lies at an address, or in columns its generation.
    pub(crate) fn slot_at(&self, address: usize) -> Option<usize> {
        let slot = self.layout.index_of(address)?;
        self.book().is_live(slot).then_some(slot)
    }

    /// The key of a live slot. Any number may be asked about.
    #[inline]
    pub(crate) fn key_at(&self, slot: usize) -> Option<K> {
        let live = self.ledger.book.is_live(slot);
        live.then(|| K::compose(slot as u32, slots::stored_at(self, slot)))
    }

    /// Puts a value in the place of a key's; where there is none, it is given back.
    #[inline(always)]
    pub(crate) fn replace(&mut self, key: K, value: T) -> Result<T, T> {
        match self.spot(key) {
            Some(mut spot) => Ok(spot.replace(value)),
            None => Err(value),
        }
    }

    /// Moves the value of a key out, has `spare` make what takes its place, and frees the slot. If
    /// `spare` panics, nothing has changed.
    #[inline(always)]
    pub(crate) fn take(&mut self, key: K, spare: impl FnOnce(&mut L) -> L::Spare) -> Option<T> {
        let vacated = key.generation().vacated();
        let address = self.find_address(key)?;
        let spare = spare(&mut self.layout);
        // Read last, the value goes straight to where the caller wants it.
        // SAFETY: to free: (1) the slot is live in the key's generation, (2) which becomes this. To take:
        // (1) its value is still there when it is free, and (2) is moved out once.
        unsafe {
            self.free_as(address.slot, key.generation(), vacated);
            Some(L::take(self.layout.renewed(address), spare))
        }
    }

    /// Like [`take`](Self::take), but keeps the slot for its key. On an error nothing has changed.
    pub(crate) fn try_detach_with(
        &mut self,
        key: K,
        spare: impl FnOnce(&mut L) -> L::Spare,
    ) -> Result<Option<T>, TryReserveError> {
        let Some(address) = self.find_address(key) else { return Ok(None) };
        self.ledger.book.prepare_taken()?;
        let spare = spare(&mut self.layout);
        // SAFETY: to park: (1) the slot is live in the key's generation, and (2) has a place in the
        // `taken` words. To take: (1) its value is still there, and (2) is moved out once.
        unsafe {
            self.park(address.slot, key.generation());
            Ok(Some(L::take(self.layout.renewed(address), spare)))
        }
    }

    /// The same slots, in the layout that `wrap` makes of this one.
    ///
    /// # Safety
    /// It has room for the same slots, at the same addresses.
    #[cfg(feature = "alloc")]
    pub(super) unsafe fn laid_out<M: Layout<T, K>>(
        self,
        wrap: impl FnOnce(L) -> M,
    ) -> Store<T, K, M, B> {
        let (layout, ledger) = self.into_parts();
        Store { layout: wrap(layout), ledger, owns: PhantomData }
    }

    /// Takes the store apart: its values are the caller's to drop.
    #[inline]
    fn into_parts(self) -> (L, Ledger<GenerationOf<K>, B>) {
        let store = ManuallyDrop::new(self);
        // SAFETY: the store is not used again, so each field is read once.
        unsafe { (ptr::read(&raw const store.layout), ptr::read(&raw const store.ledger)) }
    }

    /// Panics if the container is inconsistent.
    #[cfg(any(test, feature = "__test", feature = "snapshot"))]
    pub(crate) fn validate(&self) {
        self.erased().validate();
        self.layout.validate(self.book().slots());
        for slot in (0..self.book().slots()).filter(|&slot| self.book().is_live(slot)) {
            let bits = slots::stored_at(self, slot).to_u64();
            let live = GenerationOf::<K>::live_from_u64(bits).is_some();
            assert!(live, "slot {slot} is live in generation {bits}");
        }
    }
}

/// Removal, where the layout itself knows what holes hold.
impl<T, K: Key, L: Refill<T, K>, B: Book> Store<T, K, L, B> {
    #[inline(always)]
    pub(crate) fn remove(&mut self, key: K) -> Option<T> {
        self.take(key, L::spare)
    }

    /// Moves the value out, but keeps the slot for its key. On an error nothing has changed.
    pub(crate) fn try_detach(&mut self, key: K) -> Result<Option<T>, TryReserveError> {
        self.try_detach_with(key, L::spare)
    }

    /// Makes room for `additional` values, and has those made that slots have before they are used.
    pub(crate) fn try_provide(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve(additional)?;
        let book = &self.ledger.book;
        self.layout.make_ahead(book.slots() + additional.saturating_sub(book.holes()));
        Ok(())
    }

    /// The place of the next value, in which something lies if slots always have values.
    #[inline(always)]
    pub(crate) fn filled_vacancy(&mut self) -> Result<Vacancy<'_, K, Self>, TryReserveError> {
        let vacancy = self.vacancy()?;
        vacancy.slots.layout.make_ahead(vacancy.place.slot + 1);
        Ok(vacancy)
    }

    /// Moves the value of a live slot out; the slot is free. If no spare can be made, nothing has changed.
    ///
    /// # Safety
    /// The slot is live.
    #[inline(always)]
    unsafe fn take_entry(&mut self, slot: usize) -> (K, T) {
        let spare = self.layout.spare();
        // SAFETY: to ask for the key: (1) the slot is in use, (2) and borrowed. It is live in the
        // generation that it has. To take: (1) its value is still there when it is free, and
        // (2) is moved out once.
        unsafe {
            let address = self.layout.address(slot);
            let key = address.key();
            self.free(slot, key.generation());
            (key, L::take(self.layout.renewed(address), spare))
        }
    }
}

impl<T, K: Key, L: Layout<T, K>, B: Book> Drop for Store<T, K, L, B> {
    fn drop(&mut self) {
        let Self { layout, ledger, .. } = self;
        // SAFETY: (1) the walk yields every live slot; the book lives, and does not change.
        // (2) Neither the book nor the values are used after it.
        unsafe { layout.drop_values(|| walk_over(&ledger.book)) };
    }
}

/// A walk over live slots, out of line: for what is done to all of them, and seldom.
///
/// # Safety
/// Calls [`Book::walk`].
#[inline(never)]
unsafe fn walk_over<B: Book>(book: &B) -> Walk {
    // SAFETY: (1, 2) the caller has the book live and stay as it is while the walk is used.
    unsafe { book.walk() }
}

#[cfg(test)]
mod tests {
    //! An inconsistent store is detected.

    use crate::Arena;
    use crate::key::generation::Generation;
    use crate::raw::rows::Row;
    use core::mem::MaybeUninit;

    #[test]
    #[should_panic(expected = "slot 1 is live in generation 2")]
    fn a_live_slot_in_a_generation_of_free_ones_is_told() {
        let mut arena = Arena::<u32>::from_iter(0..3);
        arena.validate();
        let free = Generation::free_from_u64(2).expect("it is a free slot's");
        let row = Row { value: MaybeUninit::new(1), generation: free };
        arena.store.layout.0.all_mut()[1].write(row);
        arena.validate();
    }
}

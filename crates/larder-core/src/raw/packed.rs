//! Values by position without gaps, a table from slots to positions: what
//! [`DenseArena`](crate::DenseArena) is made of, and, its values in columns,
//! [`DenseSoaArena`](crate::DenseSoaArena).
//!
//! **Invariant.**
//! - `values[..len]` and `keys[..len]` are initialised, and `len` is the number of live slots.
//! - The key at a position has the slot whose cell in `table` is that position, and its live
//!   generation: so no two positions have the same key, and every key there is a live one.
//! - Every cell below `book.slots()` is initialised; the cell of a slot that is not live holds its
//!   generation.
//! - `table` and the book have room for every slot in use, `values` and `keys` for every value that
//!   is live, or detached, or may come into a slot at hand. All of them have room for as many as `keys`
//!   has, which may be fewer than are in use: so a slot below its capacity may be appended.
//!
//! So there may be fewer positions than slots once most values were removed and memory was given
//! back. An insertion need not look for that: a slot at hand has its position, a slot that is
//! appended lies below their number, and before the book takes others to hand,
//! [`admit`](ErasedSlots::admit) makes room. To give back positions is to have nothing at hand.
//!
//! Below, a slot *in use* is one below `book.slots()`, and what was *found* is a position below `len`.
//!
//! A lookup reads a cell as a position, whatever it is, and believes it only if the key at that
//! position is the one that was asked for. So a slot needs 4 bytes, a position 8, and keys are a
//! slice of their own. What that costs beside a table of positions and generations, and why it was
//! chosen, is in `docs/decisions/containers.md`.

mod bulk;
#[cfg(feature = "columns")]
mod columns;
mod iter;

use core::marker::PhantomData;
use core::slice;

#[cfg(feature = "columns")]
pub use columns::PackedBlocks;
pub use iter::{ColumnLending, Drain, ExtractIf, IntoIter, Iter, IterMut, Taking};

use crate::error::{GetDisjointMutError, TryReserveError};
use crate::key::Key;
use crate::key::generation::Generation;
use crate::memory::Extent;
use crate::memory::block::BlockLayout;
use crate::memory::buffer::{Buffer, Narrow};
use crate::memory::source::Memory;
use crate::memory::storage::{At, Numbered, Ref, RefMut, Spot, Storage, doubled};
use crate::raw::book::Book;
use crate::raw::occupancy::{FOUND, Occupancy};
pub(crate) use crate::raw::slots::GenerationOf;
use crate::raw::slots::{self, ErasedSlots, InMemory, Ledger, SlotStore, find_disjoint};
use crate::stats::Reuse;

type CellOf<K> = <GenerationOf<K> as Generation>::Cell;

/// Packed values. (What a lookup reads comes first.)
#[repr(C)]
pub struct Packed<T, K: Key, S: Storage<T> = Buffer<T>> {
    pub(super) len: u32,
    /// The largest number of values for which room is promised, since memory was given back.
    promised: u32,
    pub(super) values: S,
    keys: Narrow<K>,
    table: Narrow<CellOf<K>>,
    ledger: Ledger<GenerationOf<K>>,
    owns: PhantomData<T>,
}

impl<T, K: Key, S: Storage<T>> SlotStore<K> for Packed<T, K, S> {
    const STRIDE: usize = S::VALUE + size_of::<K>() + size_of::<CellOf<K>>();

    const VALUE: usize = S::VALUE;

    const NAME: &'static str = S::PACKED_NAME;

    const CELL: usize = size_of::<CellOf<K>>();

    const FILLS_IN_PLACE: bool = false;

    type Value = T;

    type ValueMut<'a>
        = RefMut<'a, T, S>
    where
        Self: 'a;

    /// Writes the value past the last.
    #[inline(always)]
    unsafe fn fill(&mut self, slot: usize, generation: GenerationOf<K>, value: T) {
        let (position, key) = (self.len(), K::compose(slot as u32, generation));
        // SAFETY: (1) there is room for the slot and its value, which was at hand, detached or
        // appended, (2) and nothing lies past the last value; (3) the key is live. (The slot is at hand in a
        // register, that in the key may have to be masked.)
        unsafe {
            self.values.at().push(position, value);
            self.keys.at(position).write(key);
            self.table.at(slot).write(GenerationOf::<K>::cell_at(position));
        }
        self.len = position as u32 + 1;
    }

    #[inline(always)]
    unsafe fn filled(&mut self, _slot: usize) -> RefMut<'_, T, S> {
        // SAFETY: (1) the slot has the last value, (2) which is borrowed exclusively as `self` is.
        unsafe { self.values.at().get_mut(self.len() - 1) }
    }

    fn give_back(&mut self, values: usize, most: usize) {
        let book = &mut self.ledger.book;
        let least = self.len as usize + book.detached();
        let usable = book.slots() - book.retired();
        let slots = book.slots().max(values + book.retired());
        let positions = match values {
            _ if values <= least => least,
            _ if values > usable => slots,
            _ => usable.min(values + FOUND - 1),
        };
        // (Whatever room there is: that of a container that was loaded is another, and the same calls are
        // to give the same keys.)
        book.put_all_back();
        // If allocation fails, the memory stays: nothing is lost.
        if positions != self.positions() {
            let _ = self.resize_positions(positions);
        }
        if slots < self.table.capacity() {
            let _ = self.table.resize(slots);
        }
        self.promised = u32::try_from(most).unwrap_or(u32::MAX);
        self.ledger.book.shrink(self.table.capacity());
    }

    fn own_memory(&self) -> Extent {
        self.values.memory() + self.keys.memory() + self.table.memory()
    }
}

impl<T, K: Key, S: Storage<T>> ErasedSlots<GenerationOf<K>> for Packed<T, K, S> {
    type Book = Occupancy;

    slots::erasing!(K, <Self as SlotStore<K>>::STRIDE);

    #[inline(always)]
    fn slot_capacity(&self) -> usize {
        self.table.capacity()
    }

    #[inline(always)]
    fn append_below(&self) -> usize {
        self.keys.capacity()
    }

    #[inline]
    fn positions(&self) -> usize {
        self.keys.capacity()
    }

    #[inline]
    fn promised(&self) -> usize {
        if self.promised == u32::MAX { usize::MAX } else { self.promised as usize }
    }

    fn admit(&mut self, values: usize) -> Result<(), TryReserveError> {
        self.promised = u32::MAX;
        let (most, positions) = (self.table.capacity(), self.positions());
        if values.min(most) <= positions {
            return Ok(());
        }
        let positions = doubled(positions, values, 1).min(most);
        self.values.check(positions)?;
        self.resize_positions(positions)
    }

    fn roomy(&self, slots: usize) -> usize {
        // There are four blocks: small ones grow in fewer steps than one would.
        let least = match S::VALUE {
            0..=128 => 8,
            129..=1024 => 4,
            _ => 1,
        };
        doubled(self.keys.capacity(), slots, least)
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.values.check(capacity)?;
        self.ledger.book.cover(capacity)?;
        self.promised = u32::MAX;
        self.enlarge_blocks(capacity)
    }

    #[inline(always)]
    unsafe fn stored(&self, slot: usize) -> GenerationOf<K> {
        // SAFETY: the slot is in use, and so has its cell.
        GenerationOf::<K>::from_cell(unsafe { self.table.at(slot).read() })
    }

    #[inline(always)]
    unsafe fn store(&mut self, slot: usize, generation: GenerationOf<K>) {
        // SAFETY: (1) the slot is in use, and so has its cell, which is ours.
        unsafe { self.table.at(slot).write(generation.to_cell()) };
    }
}

impl<T, K: Key, S: Storage<T>> InMemory<K> for Packed<T, K, S> {
    const BLOCKS: &'static [BlockLayout] =
        &[S::LENT, Buffer::<K>::LAYOUT, Buffer::<CellOf<K>>::LAYOUT];

    fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let mut values = S::within(memory)?;
        let (keys, table) = (Narrow::within(memory)?, Narrow::within(memory)?);
        let mut ledger = Ledger::within(reuse, memory)?;
        if let Memory::Lent { max, .. } = memory {
            // The others have their room already.
            values.resize(max)?;
            ledger.book.cover(max)?;
        }
        Ok(Self { values, keys, table, ledger, ..Self::new(reuse) })
    }
}

impl<T, K: Key> Packed<T, K> {
    #[inline(always)]
    pub(crate) fn values(&self) -> &[T] {
        // SAFETY: `len` values are initialised, and borrowed as `self` is.
        unsafe { slice::from_raw_parts(self.values.start().as_ptr(), self.len()) }
    }

    #[inline(always)]
    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        self.both_mut().1
    }

    /// The key of the value that begins at an address.
    pub(crate) fn key_of_address(&self, address: usize) -> Option<K> {
        self.keys().get(self.values.index_of(address)?).copied()
    }

    /// Keys that may be read and values that may be changed.
    #[inline(always)]
    pub(crate) fn both_mut(&mut self) -> (&[K], &mut [T]) {
        let (values, len) = (self.values.start().as_ptr(), self.len());
        // SAFETY: `len` values are initialised, and borrowed as `self` is; keys
        // lie apart from them.
        (self.keys(), unsafe { slice::from_raw_parts_mut(values, len) })
    }
}

impl<T, K: Key, S: Storage<T>> Packed<T, K, S> {
    pub(crate) const fn new(reuse: Reuse) -> Self {
        Self {
            values: S::EMPTY,
            keys: Narrow::new(),
            table: Narrow::new(),
            len: 0,
            ledger: Ledger::new(reuse),
            promised: u32::MAX,
            owns: PhantomData,
        }
    }

    /// Everything but the book, which covers it; what is larger stays. The blocks grow one after the other, the keys
    /// last.
    fn enlarge_blocks(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        if capacity > self.table.capacity() {
            self.table.resize(capacity)?;
        }
        if capacity > self.positions() {
            self.resize_positions(capacity)?;
        }
        Ok(())
    }

    /// Makes room for `slots` slots and `positions` positions, of a container that has none.
    #[cfg(feature = "snapshot")]
    pub(crate) fn furnish_with(
        &mut self,
        slots: usize,
        positions: usize,
    ) -> Result<(), TryReserveError> {
        self.values.check(positions)?;
        self.ledger.book.cover(slots)?;
        self.table.resize(slots)?;
        self.resize_positions(positions)
    }

    /// Makes room for `positions` values and keys, at least those that need it, and no more than there are cells. There is
    /// never room for fewer values than keys, also if only one block was resized.
    fn resize_positions(&mut self, positions: usize) -> Result<(), TryReserveError> {
        assert!(positions <= self.table.capacity(), "a position for each slot at most");
        if positions < self.keys.capacity() {
            self.keys.resize(positions)?;
            self.values.resize(self.keys.capacity())
        } else {
            self.values.resize(positions)?;
            self.keys.resize(positions)
        }
    }

    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.len as usize
    }

    #[inline(always)]
    pub(crate) fn keys(&self) -> &[K] {
        // SAFETY: `len` keys are initialised, and borrowed as `self` is.
        unsafe { slice::from_raw_parts(self.keys.start().as_ptr(), self.len()) }
    }

    /// Says which key is at a position, and tells the table.
    ///
    /// # Safety
    /// 1. There is room for a value at the position.
    /// 2. The key's slot is in use, or about to be, and has a cell.
    #[inline(always)]
    pub(crate) unsafe fn set_key(&mut self, position: usize, key: K) {
        // SAFETY: (1) and (2): there is room for both, which are ours.
        unsafe {
            self.keys.at(position).write(key);
            self.table.at(key.slot() as usize).write(GenerationOf::<K>::cell_at(position));
        }
    }

    /// The key of a live slot.
    pub(crate) fn key_at(&self, slot: usize) -> Option<K> {
        self.keys().get(self.position_in(slot)?).copied().filter(|key| key.slot() as usize == slot)
    }

    /// Reads the cell of a slot as a position, whatever it is.
    #[inline(always)]
    fn position_in(&self, slot: usize) -> Option<usize> {
        let in_use = slot < self.ledger.book.slots();
        // SAFETY: the slot is in use, and so has its cell.
        in_use.then(|| GenerationOf::<K>::position(unsafe { self.table.at(slot).read() }))
    }

    /// The position of a key whose value is live.
    #[inline(always)]
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        let position = self.position_in(key.slot() as usize)?;
        if *self.keys().get(position)? == key { Some(position) } else { None }
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: K) -> Option<Ref<'_, T, S>> {
        self.get_at(self.find(key)?)
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, key: K) -> Option<RefMut<'_, T, S>> {
        self.get_at_mut(self.find(key)?)
    }

    /// The value at a position.
    #[inline(always)]
    pub(crate) fn get_at(&self, position: usize) -> Option<Ref<'_, T, S>> {
        // SAFETY: the value (1) is below `len`, and (2) borrowed as `self` is.
        (position < self.len()).then(|| unsafe { self.values.at().get(position) })
    }

    /// The value at a position, to change it.
    #[inline(always)]
    pub(crate) fn get_at_mut(&mut self, position: usize) -> Option<RefMut<'_, T, S>> {
        self.spot(position).map(Spot::into_mut)
    }

    /// The value at a position, whatever becomes of it.
    #[inline(always)]
    pub(super) fn spot(&mut self, position: usize) -> Option<Spot<'_, T, S::At>> {
        // SAFETY: the value (1) is below `len`, and (2) borrowed exclusively as `self` is.
        (position < self.len())
            .then(|| unsafe { Spot::new(Numbered::new(self.values.at(), position)) })
    }

    pub(crate) fn get_disjoint_mut<const N: usize>(
        &mut self,
        keys: [K; N],
    ) -> Result<[RefMut<'_, T, S>; N], GetDisjointMutError> {
        let positions = find_disjoint(keys, |key| self.find(key))?;
        let values = self.values.at();
        // SAFETY: all are (1) live and (2) of different slots, and `self` is borrowed exclusively.
        Ok(positions.map(|position| unsafe { values.get_mut(position) }))
    }

    /// Puts a value in the place of a key's; where there is none, it is given back.
    #[inline(always)]
    pub(crate) fn replace(&mut self, key: K, value: T) -> Result<T, T> {
        match self.find(key).and_then(|position| self.spot(position)) {
            Some(mut spot) => Ok(spot.replace(value)),
            None => Err(value),
        }
    }

    /// Moves a value out and the last one into the gap; the slot still is live for the book.
    ///
    /// # Safety
    /// 1. `position < len`.
    /// 2. The slot is freed, parked or retired at once.
    #[inline(always)]
    unsafe fn swap_out(&mut self, position: usize) -> (K, T) {
        let (last, values) = (self.len() - 1, self.values.at());
        // SAFETY: by (1) both positions have a value and a live key; they may be the same. The
        // value is overwritten, or cut off below, and the last one was moved down, or out. If the
        // moved key is the one taken out, its cell is written again, by (2).
        unsafe {
            let (key, moved) = (self.keys.at(position).read(), self.keys.at(last).read());
            let value = values.read(position);
            values.copy(last, position);
            values.vacate(last);
            self.set_key(position, moved);
            self.len = last as u32;
            (key, value)
        }
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, key: K) -> Option<T> {
        self.remove_at(self.find(key)?).map(|(_, value)| value)
    }

    /// Takes a value out by its position; the last one fills the gap.
    #[inline(always)]
    pub(crate) fn remove_at(&mut self, position: usize) -> Option<(K, T)> {
        if position >= self.len() {
            return None;
        }
        // SAFETY: (1) just checked; (2) the slot, which the key says is live, is freed at once.
        unsafe {
            let (key, value) = self.swap_out(position);
            self.free(key.slot() as usize, key.generation());
            Some((key, value))
        }
    }

    /// Moves a value out, but keeps the slot for its key. On an error nothing has changed.
    pub(crate) fn try_detach(&mut self, key: K) -> Result<Option<T>, TryReserveError> {
        let Some(position) = self.find(key) else { return Ok(None) };
        self.ledger.book.prepare_taken()?;
        // SAFETY: (1) it was found; (2) the slot is parked at once. For that (1) it is live in the
        // key's generation, and (2) there are `taken` words.
        let value = unsafe {
            let (key, value) = self.swap_out(position);
            self.park(key.slot() as usize, key.generation());
            value
        };
        Ok(Some(value))
    }

    /// Swaps two values and their keys; the keys stay valid.
    pub(crate) fn swap_positions(&mut self, a: usize, b: usize) {
        self.swap_unnumbered(a, b);
        for position in [a, b] {
            self.renumber(position);
        }
    }

    /// Swaps two values and their keys, of which the table has to learn.
    fn swap_unnumbered(&mut self, a: usize, b: usize) {
        self.keys_mut().swap(a, b);
        // SAFETY: the slice of keys, as long as the values, has just checked both.
        unsafe { self.values.at().swap(a, b) };
    }

    /// Keys that are about to change places.
    fn keys_mut(&mut self) -> &mut [K] {
        // SAFETY: `len` keys are initialised, and borrowed as `self` is.
        unsafe { slice::from_raw_parts_mut(self.keys.start().as_ptr(), self.len()) }
    }

    /// The table learns where the key at a position lies.
    fn renumber(&mut self, position: usize) {
        let slot = self.keys()[position].slot() as usize;
        assert!(slot < self.table.capacity(), "a live slot has its cell");
        // SAFETY: just checked.
        unsafe { self.table.at(slot).write(GenerationOf::<K>::cell_at(position)) };
    }

    /// Panics if the container is inconsistent.
    #[cfg(any(test, feature = "__test"))]
    pub(crate) fn validate(&self) {
        self.erased().validate();
        assert_eq!(self.len(), self.ledger.book.len(), "values for all live slots");
        let book = &self.ledger.book;
        let positions = self.len() + book.detached() + book.held();
        assert!(self.keys.capacity() >= positions, "room for keys");
        assert!(self.values.capacity() >= self.keys.capacity(), "room for values");
        assert!(self.table.capacity() >= self.keys.capacity().max(book.slots()), "room for cells");
        for (position, &key) in self.keys().iter().enumerate() {
            assert_eq!(self.find(key), Some(position), "the key at position {position}");
            assert!(self.ledger.book.is_live(key.slot() as usize), "slot of {key:?} is live");
        }
    }
}

impl<T, K: Key, S: Storage<T>> Drop for Packed<T, K, S> {
    fn drop(&mut self) {
        // SAFETY: the values are (1) initialised, and (2) not used again.
        unsafe { self.values.at().drop_range(0..self.len()) };
    }
}

#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests {
    use crate::key::generation::Generation;
    use crate::raw::slots::{ErasedSlots, GenerationOf};
    use crate::{DenseArena, Handle};

    #[test]
    #[should_panic(expected = "values for all live slots")]
    fn a_missing_value_is_noticed() {
        let mut arena = DenseArena::from_iter([1, 2, 3]);
        arena.store.len = 2;
        arena.validate();
    }

    #[test]
    #[should_panic(expected = "slot 2 is free in generation 3")]
    fn a_free_slot_with_the_generation_of_a_live_one_is_noticed() {
        let mut arena = DenseArena::from_iter([1, 2, 3]);
        let last = arena.keys().next_back().expect("there are three");
        arena.remove(last);
        let live = GenerationOf::<Handle<i32>>::live_from_u64(3).expect("it is odd");
        arena.store.erased_mut().set_free_generation(2, live);
        arena.validate();
    }
}

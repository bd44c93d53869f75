//! Rows in blocks that never move, found through a table.
//!
//! **Invariant.**
//! - Blocks `0..count` are ours: block `b` has room for the elements from `shape.first_of(b)` to
//!   `shape.first_of(b + 1)`, in an allocation of exactly these, or in none where they have no size.
//! - `table` has an entry for each block, and may have more that say nothing. Entry `b` is the address
//!   that element 0 would have if the elements before block `b` lay before it: so an element's address is
//!   its entry and its number, and its number within the block is never asked for.
//! - The first `capacity` elements lie in these blocks.
//! - The first `count` numbers of `by_address` are those of the blocks, by ascending address.

use core::alloc::Layout;
use core::marker::PhantomData;
use core::panic::UnwindSafe;
use core::ptr::{self, NonNull};

use super::{Address, Finder, InPages, Paged, Rooms, Row, RowFinder, address, first_rows};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::memory::Extent;
use crate::memory::buffer::{Buffer, Filled};
use crate::memory::storage::doubled;
use crate::memory::storage::{EmptyRoom, Room};
use crate::memory::{cold_path, copies, heap, sys};

/// The size of blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BlockSize {
    /// 16 KiB, but for the first block, which is small.
    Default,
    /// That number of bytes, but at least one element.
    Bytes(usize),
    /// 16 elements, 32, 64, and so on.
    Doubling,
}

/// The rule that assigns elements to blocks. Numbers of elements are below 2³².
#[derive(Clone, Copy)]
pub(super) struct BlocksShape {
    /// (2⁶⁴ - 1) / `elements`, rounded down; 0 where blocks double.
    reciprocal: u64,
    /// The number of elements in each block, or in the first that doubles.
    elements: u32,
    /// One, and how many elements the first block has less.
    offset: u32,
}

impl BlocksShape {
    /// The number of elements in the first of doubling blocks.
    const FIRST: u32 = 16;

    const fn new<E>(size: BlockSize) -> Self {
        let (bytes, is_small) = match size {
            BlockSize::Default => (16 << 10, size_of::<E>() > 0),
            BlockSize::Bytes(bytes) => (bytes, false),
            BlockSize::Doubling => return Self { reciprocal: 0, elements: Self::FIRST, offset: 1 },
        };
        let elements = match bytes.checked_div(size_of::<E>()) {
            Some(0) => 1,
            Some(fit) if fit < u32::MAX as usize => fit as u32,
            _ => u32::MAX,
        };
        let first = first_rows(size_of::<E>()) as u32;
        let missing = if is_small { elements.saturating_sub(first) } else { 0 };
        Self { reciprocal: u64::MAX / elements as u64, elements, offset: 1 + missing }
    }

    /// The block of an element: its number, counted from where a whole first block would begin, divided by `elements`,
    /// or a logarithm.
    ///
    /// With d for `elements`, r for `reciprocal` and i = qd + s: (i + 1)r / 2⁶⁴ is less than
    /// (i + 1) / d = q + (s + 1) / d, which is at most q + 1, and by no more than
    /// (i + 1)d / (d · 2⁶⁴), which is at most 1 / d: so rounded down it is q, while (i + 1)d is at most 2⁶⁴. (Both are
    /// at most 2³²; or the first block is small, and d at most 2¹⁴.)
    #[inline(always)]
    pub(super) const fn block_of(self, index: usize) -> usize {
        if self.reciprocal == 0 {
            cold_path();
            return ((index as u64 + Self::FIRST as u64).ilog2() - Self::FIRST.ilog2()) as usize;
        }
        let product = (index as u64 + self.offset as u64) as u128 * self.reciprocal as u128;
        (product >> 64) as usize
    }

    /// The first element of a block.
    #[inline]
    pub(super) const fn first_of(self, block: usize) -> u64 {
        let elements = self.elements as u64;
        if self.reciprocal == 0 {
            return (elements << block) - elements;
        }
        (block as u64 * elements).saturating_sub(self.offset as u64 - 1)
    }

    /// Returns the number of elements that a block has.
    #[inline]
    const fn elements_of(self, block: usize) -> u64 {
        self.first_of(block + 1) - self.first_of(block)
    }

    /// Returns the number of blocks that `elements` elements need.
    const fn blocks_for(self, elements: usize) -> usize {
        match elements.checked_sub(1) {
            Some(last) => self.block_of(last) + 1,
            None => 0,
        }
    }
}

/// Blocks of elements, each where it was allocated. (What accesses read comes first.)
#[repr(C)]
pub struct Blocks<E> {
    table: Filled<*const E>,
    shape: BlocksShape,
    capacity: usize,
    count: usize,
    by_address: Filled<u32>,
    /// True if large blocks are advised to use huge pages.
    wants_huge: bool,
    owns: PhantomData<E>,
}

// SAFETY: the blocks are ours alone, as a buffer's is.
unsafe impl<E: Send> Send for Blocks<E> {}
// SAFETY: as for a buffer: only addresses are handed out; `E: Sync` covers what is read there.
unsafe impl<E: Sync> Sync for Blocks<E> {}

/// The blocks own values, as a `Vec` does.
impl<E: UnwindSafe> UnwindSafe for Blocks<E> {}

impl<E> Blocks<E> {
    /// No blocks yet.
    pub(crate) const fn new(size: BlockSize, wants_huge: bool) -> Self {
        let shape = BlocksShape::new::<E>(size);
        Self {
            table: Filled::new(),
            shape,
            capacity: 0,
            count: 0,
            by_address: Filled::new(),
            wants_huge,
            owns: PhantomData,
        }
    }

    /// Returns the number of elements that `blocks` blocks hold.
    fn held_by(&self, blocks: usize) -> usize {
        usize::try_from(self.shape.first_of(blocks)).unwrap_or(usize::MAX)
    }

    fn layout(&self, block: usize) -> Result<Layout, TryReserveError> {
        let elements = usize::try_from(self.shape.elements_of(block)).unwrap_or(usize::MAX);
        Layout::array::<E>(elements).map_err(|_| TryReserveError::CapacityOverflow {
            requested: elements,
            max: Buffer::<E>::MAX,
        })
    }

    /// Returns the number of elements in the whole blocks that fit into `bytes` bytes, with the tables and with all
    /// else, which takes `beside` of their number; at most `max`.
    pub(crate) fn fitting(
        &self,
        bytes: usize,
        max: u32,
        beside: impl Fn(usize) -> Option<usize>,
    ) -> usize {
        let held = |blocks| self.held_by(blocks).min(max as usize);
        let fits = |blocks: usize| {
            let own = self.held_by(blocks).checked_mul(size_of::<E>());
            let tables = blocks * (size_of::<*const E>() + size_of::<u32>());
            let needed =
                own.and_then(|own| own.checked_add(tables)?.checked_add(beside(held(blocks))?));
            needed.is_some_and(|needed| needed <= bytes)
        };
        let (mut most, mut too_many) = (0, self.shape.blocks_for(max as usize).min(bytes / 8) + 1);
        while most + 1 < too_many {
            let middle = usize::midpoint(most, too_many);
            if fits(middle) { most = middle } else { too_many = middle }
        }
        held(most)
    }

    pub(super) const fn shape(&self) -> BlocksShape {
        self.shape
    }

    /// Returns the address at which a block begins.
    fn start_of(&self, block: usize) -> *const E {
        self.table[block].wrapping_add(self.shape.first_of(block) as usize)
    }

    /// Adds blocks until there are `blocks`. On an error there are as many as before.
    fn add_up_to(&mut self, blocks: usize) -> Result<(), TryReserveError> {
        let before = self.count;
        if blocks > self.table.len() {
            // The table alone is replaced by a larger one now and then, so it doubles.
            let room = blocks.max(2 * before);
            self.by_address.resize(room, 0)?;
            self.table.resize(room, ptr::null())?;
        }
        while self.count < blocks {
            if let Err(refused) = self.add() {
                self.remove_down_to(before);
                return Err(refused);
            }
        }
        Ok(())
    }

    /// The numbers of the blocks, by ascending address.
    fn by_address(&self) -> &[u32] {
        &self.by_address[..self.count]
    }

    /// Returns the number of blocks that begin at an address or before it.
    fn blocks_up_to(&self, address: usize) -> usize {
        let start_of = |&block: &u32| self.start_of(block as usize).addr();
        self.by_address().partition_point(|block| start_of(block) <= address)
    }

    /// Adds a block, for which the table has room.
    fn add(&mut self) -> Result<(), TryReserveError> {
        let layout = self.layout(self.count)?;
        let start = if layout.size() == 0 {
            NonNull::<E>::dangling()
        } else {
            heap::allocate(layout)?.cast()
        };
        if layout.size() >= sys::HUGE_FROM && self.wants_huge {
            sys::advise_huge_pages(start.cast(), layout.size(), true);
        }
        let first = self.shape.first_of(self.count) as usize;
        let origin = start.as_ptr().cast_const().wrapping_sub(first);
        let (count, rank) = (self.count, self.blocks_up_to(start.addr().get()));
        self.table[count] = origin;
        self.by_address.copy_within(rank..count, rank + 1);
        self.by_address[rank] = count as u32;
        self.count += 1;
        Ok(())
    }

    /// Takes the blocks from there on out of their order.
    fn forget_from(&mut self, blocks: usize) {
        let order = &mut self.by_address[..self.count];
        let mut kept = 0;
        for at in 0..order.len() {
            order[kept] = order[at];
            kept += usize::from((order[at] as usize) < blocks);
        }
    }

    /// Frees the blocks from there on, whose elements are gone.
    fn remove_down_to(&mut self, blocks: usize) {
        if blocks < self.count {
            self.forget_from(blocks);
        }
        while self.count > blocks {
            self.count -= 1;
            // It was made of this once.
            let Ok(layout) = self.layout(self.count) else { unreachable!() };
            if layout.size() > 0 {
                let start = self.start_of(self.count);
                // SAFETY: the entry is still that of the block, and an allocation is not null.
                // (1) The block was allocated with this layout; (2) it is not used again.
                unsafe {
                    heap::deallocate(NonNull::new_unchecked(start.cast_mut().cast()), layout)
                };
            }
        }
    }
}

impl<E> EmptyRoom for Blocks<E> {
    const EMPTY: Self = Self::new(BlockSize::Default, true);
}

impl<E> Room for Blocks<E> {
    fn alike(&self) -> Result<Self, TryReserveError> {
        let mut alike = Self::EMPTY;
        (alike.shape, alike.wants_huge) = (self.shape, self.wants_huge);
        Ok(alike)
    }

    #[inline(always)]
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        let blocks = self.shape.blocks_for(capacity);
        if blocks < self.count {
            self.remove_down_to(blocks);
            // Tables that stay larger than they need be are no harm.
            let _ = self.table.resize(blocks, ptr::null());
            let _ = self.by_address.resize(self.table.len(), 0);
        } else {
            self.add_up_to(blocks)?;
        }
        self.capacity = capacity;
        Ok(())
    }

    fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        Buffer::<E>::new().check(capacity)
    }

    /// The book has memory of its own, since in a block it would be copied with every one; that is
    /// copied whenever it grows, so it doubles.
    fn covering(&self, capacity: usize, covered: usize) -> usize {
        if capacity > covered { capacity.max(2 * covered) } else { capacity }
    }

    /// Whole blocks; but elements without a size would all go into one, and the book not.
    fn roomy(&self, needed: usize, least: usize) -> usize {
        if size_of::<E>() == 0 {
            return doubled(self.capacity, needed, least);
        }
        self.held_by(self.shape.blocks_for(needed))
    }

    fn memory(&self) -> Extent {
        let bytes = self.held_by(self.count) * size_of::<E>();
        Extent { bytes, space: bytes } + self.table.memory() + self.by_address.memory()
    }
}

// SAFETY: by the invariant each row below `capacity` has room in one block, and only there;
// blocks stay where they are.
unsafe impl<T, K: Key> Rooms<T, K> for Paged<T, K> {
    const NAME: &'static str = "PagedArena";

    const STAYS: bool = true;

    type Finder = InPages<T, K>;

    #[inline(always)]
    unsafe fn at(&self, slot: usize) -> NonNull<Row<T, K>> {
        // SAFETY: by the invariant the block of a row below the capacity is there, and
        // has its entry, so that lies in the table; and the sum is the row's address,
        // which is not null.
        unsafe {
            let block = self.shape.block_of(slot);
            let origin = self.table.start().add(block).read();
            NonNull::new_unchecked(origin.wrapping_add(slot).cast_mut())
        }
    }

    #[inline]
    fn finder(&self) -> InPages<T, K> {
        InBlocks { table: self.table.start(), shape: self.shape, ..InBlocks::NOWHERE }
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        self.index_of(address)
    }
}

impl<E> Blocks<E> {
    /// The number of the element that has this address. In a logarithm of the number of blocks.
    fn index_of(&self, address: usize) -> Option<usize> {
        let block = *self.by_address()[..self.blocks_up_to(address)].last()? as usize;
        let offset = address - self.start_of(block).addr();
        let within = offset.checked_div(size_of::<E>())? as u64;
        let is_element = offset % size_of::<E>() == 0 && within < self.shape.elements_of(block);
        is_element.then_some((self.shape.first_of(block) + within) as usize)
    }
}

impl<E> Drop for Blocks<E> {
    fn drop(&mut self) {
        self.remove_down_to(0);
    }
}

/// Finds elements, and remembers in which block the last one lay.
///
/// **Invariant.** The `count` elements from `first` on lie in the block whose entry is `origin`.
#[expect(unnameable_types, missing_debug_implementations, reason = "a view of rows has one")]
pub struct InBlocks<E> {
    table: NonNull<*const E>,
    shape: BlocksShape,
    last: BlockEntry<E>,
}

/// A block: its entry in the table, its first element, and how many there are.
struct BlockEntry<E> {
    origin: *const E,
    first: usize,
    count: usize,
}

copies!([E] BlockEntry<E>);

impl<E> BlockEntry<E> {
    const NONE: Self = Self { origin: ptr::null(), first: 0, count: 0 };

    #[inline(always)]
    fn has(self, index: usize) -> bool {
        index.wrapping_sub(self.first) < self.count
    }
}

copies!([E] InBlocks<E>);

/// The block that an element lies in. (Out of line, and with nothing lent to it, so that a walk
/// need not keep its state in memory.)
///
/// # Safety
/// 1. The table is that of a store.
/// 2. The element lies in it.
#[cold]
#[inline(never)]
unsafe fn block_with<E>(
    table: NonNull<*const E>,
    shape: BlocksShape,
    index: usize,
) -> BlockEntry<E> {
    let block = shape.block_of(index);
    // SAFETY: by (1) and (2) the block of the element is there, and has its entry in the table.
    let origin = unsafe { table.add(block).read() };
    let (first, count) = (shape.first_of(block) as usize, shape.elements_of(block) as usize);
    BlockEntry { origin, first, count }
}

impl<E> InBlocks<E> {
    const NOWHERE: Self = Self {
        table: NonNull::dangling(),
        shape: BlocksShape { reciprocal: 0, elements: BlocksShape::FIRST, offset: 1 },
        last: BlockEntry::NONE,
    };
}

// SAFETY: it finds what `Blocks::at` does, and has nothing but addresses.
unsafe impl<T, K: Key> Finder<T, K> for InPages<T, K> {
    type At = NonNull<T>;

    #[inline(always)]
    unsafe fn find(&mut self, slot: usize) -> Address<T, K, NonNull<T>> {
        // SAFETY: the slot is below the capacity; so its row lies in the block that was entered, and
        // its address is not null.
        unsafe {
            self.enter(slot);
            address(slot, NonNull::new_unchecked(self.beside(slot).cast_mut()))
        }
    }
}

// SAFETY: it finds what `Blocks::at` does, and has nothing but addresses.
unsafe impl<T, K: Key> RowFinder<T, K> for InPages<T, K> {
    const NOWHERE: Self = Self::NOWHERE;

    const CONTIGUOUS: bool = false;

    #[inline(always)]
    unsafe fn enter(&mut self, slot: usize) {
        if !self.last.has(slot) {
            // SAFETY: (1) the table is that of the blocks; (2) the row is below their capacity.
            self.last = unsafe { block_with(self.table, self.shape, slot) };
        }
    }

    #[inline(always)]
    unsafe fn left(&self, slot: usize) -> usize {
        (self.last.first + self.last.count).wrapping_sub(slot)
    }

    #[inline(always)]
    fn beside(&self, slot: usize) -> *const Row<T, K> {
        self.last.origin.wrapping_add(slot)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;

    use super::*;

    /// An address is that of an element if one begins there: right behind a block is none, unless another begins.
    #[test]
    fn elements_are_found_by_their_addresses() {
        for size in [BlockSize::Bytes(96), BlockSize::Doubling, BlockSize::Default] {
            let mut blocks = Blocks::<[u32; 3]>::new(size, false);
            blocks.resize(50).expect("there is memory");
            let (mut expected, mut starts) = (BTreeMap::new(), Vec::new());
            for block in 0..blocks.count {
                let start = blocks.start_of(block).addr();
                let elements = blocks.shape.elements_of(block) as usize;
                let first = blocks.shape.first_of(block) as usize;
                expected.extend((0..elements).map(|at| (start + at * 12, first + at)));
                starts.push(start..start + elements * 12);
            }
            assert!(expected.len() >= 50 && blocks.count >= 2);
            for address in starts.into_iter().flat_map(|block| block.start - 12..=block.end + 12) {
                assert_eq!(blocks.index_of(address), expected.get(&address).copied());
            }
        }
    }
}

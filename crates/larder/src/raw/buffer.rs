//! One contiguous block of memory for elements of one type.
//!
//! **Invariant.** A buffer is a [`Block`], field by field, that is made for [`Buffer::LAYOUT`], and whose
//! address has the type of the elements (so that debuggers show them); without memory it is one that is
//! aligned for `T`. What lies in it, initialised or not, is the owner's business: a buffer never reads,
//! drops or moves an element.
//!
//! Who grows the block, and whether it may grow, is decided on the cold path only, which does not know
//! `T`: an access through [`Buffer::at`] is one address, wherever the memory came from.

#[cfg(test)]
mod tests;

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::panic::UnwindSafe;
use core::ptr::NonNull;
use core::slice;

use crate::error::TryReserveError;
use crate::raw::block::{Block, BlockLayout};
use crate::raw::memory::{Lent, Memory};
use crate::raw::origin::Origin;

/// An owned block with room for `capacity` values of type `T`. (Its fields are those of a [`Block`].)
#[repr(C)]
pub(crate) struct Buffer<T> {
    pointer: NonNull<T>,
    capacity: usize,
    origin: Origin,
    owns: PhantomData<T>,
}

// SAFETY: a buffer owns its block alone, as `Vec` does.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: through a shared buffer only addresses are handed out; `T: Sync` covers what is read there.
unsafe impl<T: Sync> Sync for Buffer<T> {}

/// As `Vec`: an owned block of values.
impl<T: UnwindSafe> UnwindSafe for Buffer<T> {}

impl<T> Buffer<T> {
    /// How many elements a block can ever have.
    pub(crate) const MAX: usize =
        if size_of::<T>() == 0 { usize::MAX } else { isize::MAX as usize / size_of::<T>() };

    /// What the address of a lent block is best a multiple of: the words of a book, and keys, are
    /// aligned to 8 at most. (Blocks on the heap are, too, for a tail that comes and goes.)
    pub(crate) const ALIGNMENT: usize =
        if align_of::<T>() > Lent::GRAIN { align_of::<T>() } else { Lent::GRAIN };

    pub(crate) const LAYOUT: BlockLayout =
        BlockLayout::Whole { size: size_of::<T>(), align: Self::ALIGNMENT, lanes: 1 };

    const NOWHERE: NonNull<u8> = NonNull::<T>::dangling().cast();

    pub(crate) const fn new() -> Self {
        Self::of(Block::on_heap(Self::NOWHERE, true))
    }

    const fn of(block: Block) -> Self {
        let (base, capacity, origin) = block.into_parts();
        Self { pointer: base.cast(), capacity, origin, owns: PhantomData }
    }

    const fn block(&self) -> &Block {
        const { assert!(size_of::<Self>() == size_of::<Block>(), "the fields of a block") };
        // SAFETY: both are `repr(C)`, with fields of the same layout in the same order.
        unsafe { &*(&raw const *self).cast() }
    }

    const fn erased(&mut self) -> &mut Block {
        // SAFETY: as for `block`; a block's base stays aligned for the elements.
        unsafe { &mut *(&raw mut *self).cast() }
    }

    /// An empty block whose memory will come from there. For reserved memory the address space is
    /// taken now.
    pub(crate) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        Block::within(Self::LAYOUT, Self::NOWHERE, memory).map(Self::of)
    }

    /// As [`Block::zeroed`].
    #[cfg(feature = "alloc")]
    pub(crate) fn zeroed(capacity: usize) -> Result<Self, TryReserveError> {
        Block::zeroed(Self::LAYOUT, Self::NOWHERE, capacity).map(Self::of)
    }

    /// A block in memory of another owner.
    ///
    /// # Safety
    /// So many elements from `pointer` on are this block's alone, until it is not used any more.
    pub(crate) const unsafe fn borrowed(pointer: NonNull<T>, capacity: usize) -> Self {
        let bytes = capacity * size_of::<T>();
        // SAFETY: the caller's elements have so many bytes.
        Self::of(unsafe { Block::borrowed(pointer.cast(), capacity, bytes) })
    }

    /// Where a block for so many elements ends that begins after the address `at`.
    pub(crate) const fn end(at: usize, count: usize) -> Option<usize> {
        Self::LAYOUT.end(at, count)
    }

    /// An empty block whose memory comes from where this one's does; of lent memory there is no more,
    /// so it is on the heap.
    pub(crate) fn alike(&self) -> Result<Self, TryReserveError> {
        self.block().alike(Self::LAYOUT, Self::NOWHERE).map(Self::of)
    }

    /// For values without a size this is what was asked for, though nothing was allocated.
    #[inline(always)]
    pub(crate) const fn capacity(&self) -> usize {
        self.capacity
    }

    #[inline(always)]
    pub(crate) const fn start(&self) -> NonNull<T> {
        self.pointer
    }

    /// As [`Block::grain`].
    pub(crate) const fn grain(&self) -> usize {
        self.block().grain()
    }

    /// Whether the system was advised to back it with huge pages.
    #[cfg(test)]
    pub(crate) const fn is_huge(&self) -> bool {
        self.origin.is_huge()
    }

    /// As [`Block::resize_part`].
    ///
    /// # Safety
    /// As [`Block::resize_part`].
    pub(crate) unsafe fn resize_part(
        &mut self,
        offset: usize,
        old: usize,
        new: usize,
    ) -> Result<(), TryReserveError> {
        // SAFETY: the caller says of the part what the block asks for.
        unsafe { self.erased().resize_part(offset, old, new) }
    }

    /// Whether the block stays where it is, whatever size it is given.
    pub(crate) const fn grows_in_place(&self) -> bool {
        self.block().grows_in_place()
    }

    /// The addresses the block can grow to in place; on the heap its memory.
    pub(crate) fn space(&self) -> usize {
        self.block().space(Self::LAYOUT)
    }

    /// How much memory the block takes.
    pub(crate) fn bytes(&self) -> usize {
        self.block().bytes(Self::LAYOUT)
    }

    /// The address of element `index`.
    ///
    /// # Safety
    /// `index <= capacity`.
    #[inline(always)]
    pub(crate) const unsafe fn at(&self, index: usize) -> NonNull<T> {
        // SAFETY: the caller keeps `index` inside the block, or one past its end.
        unsafe { self.start().add(index) }
    }

    /// All of the block, initialised or not.
    #[inline]
    pub(crate) const fn all(&self) -> &[MaybeUninit<T>] {
        // SAFETY: the block has room for so many elements, and is borrowed as `self` is.
        unsafe { slice::from_raw_parts(self.pointer.cast().as_ptr(), self.capacity) }
    }

    /// All of the block, initialised or not, to change it.
    #[inline]
    pub(crate) const fn all_mut(&mut self) -> &mut [MaybeUninit<T>] {
        // SAFETY: the block has room for so many elements, and is borrowed exclusively as `self` is.
        unsafe { slice::from_raw_parts_mut(self.pointer.cast().as_ptr(), self.capacity) }
    }

    /// Makes the block one of `capacity` elements, elsewhere unless it is reserved; the elements that
    /// fit stay the same bytes. On an error nothing has changed.
    pub(crate) fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.erased().resize(Self::LAYOUT, capacity)
    }

    /// The block, and how elements lie in it.
    pub(super) const fn block_mut(&mut self) -> (&mut Block, BlockLayout) {
        (self.erased(), Self::LAYOUT)
    }

    /// Whether a block can have this many elements at all.
    pub(crate) fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        Self::LAYOUT.check(capacity)
    }
}

impl<T> Drop for Buffer<T> {
    #[inline]
    fn drop(&mut self) {
        // Most buffers of a small container have none.
        if self.block().has_memory() {
            // SAFETY: the block is not used again.
            unsafe { self.erased().free(Self::LAYOUT) };
        }
    }
}

//! One contiguous block of memory for elements of one type; and one of plain numbers, all of them initialised: words of
//! bits, links, positions.
//!
//! **Invariant.** A buffer is a [`Block`], field by field, that is made for [`Buffer::LAYOUT`], and whose
//! address has the type of the elements (so that debuggers show them); without memory it is one that is
//! aligned for `T`. What lies in it, initialised or not, is the owner's business: a buffer never reads,
//! drops or moves an element. Of a [`Filled`], all `capacity` elements are initialised.
//!
//! Who grows the block, and whether it may grow, is decided on the cold path only, which does not know
//! `T`: an access through [`Buffer::at`] is one address, wherever the memory came from.

mod narrow;

use core::marker::PhantomData;
use core::mem::{self, MaybeUninit};
use core::ops::{Deref, DerefMut};
use core::panic::UnwindSafe;
use core::ptr::NonNull;
use core::slice;

use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::block::{Block, BlockLayout};
use crate::memory::source::{LentBlock, Memory, Origin};

pub(crate) use narrow::Narrow;

/// An owned block of memory with room for `capacity` values of type `T`.
///
/// The values are their owner's business: a block never reads, drops or moves one by itself, and does not know which of
/// them are initialised. A large block asks the system for huge pages (with the feature `std`).
///
/// # Examples
/// ```
/// use larder::containers::layout::OneBlock;
///
/// let mut block = OneBlock::<u32>::new();
/// block.resize(8)?;
/// // SAFETY: there is room for 8 numbers, the one that is read was written, and nothing else uses the block.
/// let last = unsafe {
///     block.at(7).write(70);
///     block.resize(9)?;
///     block.at(7).read()
/// };
/// assert_eq!((last, block.capacity()), (70, 9));
/// # Ok::<(), larder::TryReserveError>(())
/// ```
// (Its fields are those of a `Block`.)
#[repr(C)]
pub struct Buffer<T> {
    pointer: NonNull<T>,
    capacity: usize,
    origin: Origin,
    owns: PhantomData<T>,
}

// SAFETY: a buffer owns its block alone, as `Vec` does.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: through a shared buffer only addresses are handed out; `T: Sync` covers
// what is read there.
unsafe impl<T: Sync> Sync for Buffer<T> {}

/// It owns its values, as `Vec` does.
impl<T: UnwindSafe> UnwindSafe for Buffer<T> {}

impl<T> Buffer<T> {
    /// The greatest number of values of a block.
    ///
    /// # Examples
    /// ```
    /// use larder::containers::layout::OneBlock;
    ///
    /// assert_eq!(OneBlock::<u16>::MAX, isize::MAX as usize / 2);
    /// ```
    pub const MAX: usize =
        if size_of::<T>() == 0 { usize::MAX } else { isize::MAX as usize / size_of::<T>() };

    /// The best alignment of a lent block, since the words of a book, and keys, are
    /// aligned to 8 at most. (Blocks on the heap are, too, for a tail that comes and goes.)
    pub(crate) const ALIGNMENT: usize =
        if align_of::<T>() > LentBlock::GRAIN { align_of::<T>() } else { LentBlock::GRAIN };

    pub(crate) const LAYOUT: BlockLayout =
        BlockLayout::Whole { size: size_of::<T>(), align: Self::ALIGNMENT, lanes: 1 };

    const NOWHERE: NonNull<u8> = NonNull::<T>::dangling().cast();

    /// Makes a block without room, whose memory will be the allocator's. Nothing is allocated.
    ///
    /// # Examples
    /// ```
    /// use larder::containers::layout::OneBlock;
    ///
    /// assert_eq!(OneBlock::<u16>::new().capacity(), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
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

    /// Makes a block of zeros, by [`Block::zeroed`].
    #[cfg(feature = "alloc")]
    pub(crate) fn zeroed(capacity: usize) -> Result<Self, TryReserveError> {
        Block::zeroed(Self::LAYOUT, Self::NOWHERE, capacity).map(Self::of)
    }

    /// Gives a block of the heap away, which [`from_start`](Self::from_start) takes back.
    pub(crate) const fn into_start(self) -> NonNull<T> {
        let start = self.pointer;
        mem::forget(self);
        start
    }

    /// A block that was given away.
    ///
    /// # Safety
    /// 1. It was a block of the heap with room for `capacity` elements, and no tail, that was [given away](Self::into_start).
    /// 2. It is taken back once.
    pub(crate) const unsafe fn from_start(start: NonNull<T>, capacity: usize) -> Self {
        Self { pointer: start, capacity, origin: Origin::heap(false), owns: PhantomData }
    }

    /// Returns the end of a block for `count` elements that begins after the address `at`.
    pub(crate) const fn end(at: usize, count: usize) -> Option<usize> {
        Self::LAYOUT.end(at, count)
    }

    /// Makes a block without room, whose memory will come from where this one's does; of memory that the caller lends
    /// there is no more, so it will be the allocator's. O(1).
    ///
    /// # Errors
    /// If this one reserves address space, and the system has no more of it.
    ///
    /// # Examples
    /// ```
    /// use larder::containers::layout::OneBlock;
    ///
    /// let mut block = OneBlock::<u16>::new();
    /// block.resize(4)?;
    /// assert_eq!(block.alike()?.capacity(), 0);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn alike(&self) -> Result<Self, TryReserveError> {
        self.block().alike(Self::LAYOUT, Self::NOWHERE).map(Self::of)
    }

    /// Returns the number of values for which there is room. O(1). For values without a size this is the number that
    /// was asked for, though nothing was allocated.
    ///
    /// # Examples
    /// ```
    /// use larder::containers::layout::OneBlock;
    ///
    /// let mut block = OneBlock::<()>::new();
    /// block.resize(4)?;
    /// assert_eq!(block.capacity(), 4);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the address of the first value, aligned for `T` also if there is no room. O(1). It stays the same until
    /// the block is resized or dropped.
    ///
    /// # Examples
    /// ```
    /// use larder::containers::layout::OneBlock;
    ///
    /// assert!(OneBlock::<u64>::new().start().is_aligned());
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn start(&self) -> NonNull<T> {
        self.pointer
    }

    /// Returns the alignment of parts of the block, by [`Block::grain`].
    pub(crate) const fn grain(&self) -> usize {
        self.block().grain()
    }

    /// Returns whether the system was advised to back it with huge pages.
    #[cfg(all(test, target_os = "linux", feature = "std", not(miri)))]
    pub(crate) const fn is_huge(&self) -> bool {
        self.origin.is_huge()
    }

    /// Returns whether the block stays where it is, whatever size it is given.
    pub(crate) const fn grows_in_place(&self) -> bool {
        self.block().grows_in_place()
    }

    /// Returns what the block has of memory.
    pub(crate) fn memory(&self) -> Extent {
        self.block().memory(Self::LAYOUT)
    }

    /// Returns the address of a value, or of the end of the block. O(1). It stays the same until the block is resized
    /// or dropped.
    ///
    /// # Safety
    /// `index` is at most the [capacity](Self::capacity).
    ///
    /// # Examples
    /// ```
    /// use larder::containers::layout::OneBlock;
    ///
    /// let mut block = OneBlock::<u8>::new();
    /// block.resize(4)?;
    /// // SAFETY: there is room for 4.
    /// let third = unsafe { block.at(2) };
    /// assert_eq!(third.addr().get(), block.start().addr().get() + 2);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub const unsafe fn at(&self, index: usize) -> NonNull<T> {
        // SAFETY: the caller keeps `index` inside the block, or one past its end.
        unsafe { self.start().add(index) }
    }

    /// The number of the element that has this address.
    pub(crate) fn index_of(&self, address: usize) -> Option<usize> {
        index_from(self.start(), self.capacity(), address)
    }

    /// All of the block, initialised or not.
    #[inline]
    pub(crate) const fn all(&self) -> &[MaybeUninit<T>] {
        // SAFETY: the block has room for `capacity` elements, and is borrowed as `self` is.
        unsafe { slice::from_raw_parts(self.pointer.cast().as_ptr(), self.capacity) }
    }

    /// All of the block, initialised or not, to change it.
    #[inline]
    pub(crate) const fn all_mut(&mut self) -> &mut [MaybeUninit<T>] {
        // SAFETY: the block has room for `capacity` elements, and is borrowed
        // exclusively as `self` is.
        unsafe { slice::from_raw_parts_mut(self.pointer.cast().as_ptr(), self.capacity) }
    }

    /// Makes the block one with room for exactly `capacity` values, elsewhere unless its address space is reserved. The
    /// values that fit are the same bytes still; addresses of values are not valid any more. O(capacity).
    ///
    /// # Errors
    /// If allocation fails, or `capacity` is more than [`MAX`](Self::MAX). Nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{TryReserveError, containers::layout::OneBlock};
    ///
    /// let mut block = OneBlock::<u16>::new();
    /// block.resize(4)?;
    /// assert_eq!(block.capacity(), 4);
    /// assert!(block.resize(usize::MAX).is_err());
    /// assert_eq!(block.capacity(), 4);
    /// # Ok::<(), TryReserveError>(())
    /// ```
    pub fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        self.erased().resize(Self::LAYOUT, capacity)
    }

    /// The block, and the layout of the elements in it.
    ///
    /// # Safety
    /// 1. If the block is resized, then with that layout.
    /// 2. The elements in use are not cut off.
    pub(crate) const unsafe fn block_mut(&mut self) -> (&mut Block, BlockLayout) {
        (self.erased(), Self::LAYOUT)
    }

    /// Returns an error if no block can have this many elements.
    pub(crate) fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        Self::LAYOUT.check(capacity)
    }
}

/// Like [`new`](Buffer::new).
impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self::new()
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

/// The number of the element that has this address, of `count` that lie side by side from the first on.
pub(crate) fn index_from<E>(first: NonNull<E>, count: usize, address: usize) -> Option<usize> {
    let offset = address.checked_sub(first.addr().get())?;
    let index = offset.checked_div(size_of::<E>())?;
    (offset % size_of::<E>() == 0 && index < count).then_some(index)
}

/// An owned slice that grows and shrinks to what it is told, and can be refused memory.
pub(crate) struct Filled<T: Copy>(Buffer<T>);

impl<T: Copy> Filled<T> {
    pub(crate) const fn new() -> Self {
        Self(Buffer::new())
    }

    /// Empty; its memory will come from there.
    pub(crate) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        Ok(Self(Buffer::within(memory)?))
    }

    /// Empty; its memory comes from where this one's does.
    pub(crate) fn alike(&self) -> Result<Self, TryReserveError> {
        Ok(Self(self.0.alike()?))
    }

    /// On an error nothing has changed.
    pub(crate) fn resize(&mut self, length: usize, fresh: T) -> Result<(), TryReserveError> {
        let kept = self.len().min(length);
        self.0.resize(length)?;
        self.0.all_mut()[kept..length].fill(MaybeUninit::new(fresh));
        Ok(())
    }

    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError> {
        let mut copy = self.alike()?;
        copy.0.resize(self.len())?;
        copy.0.all_mut().copy_from_slice(self.0.all());
        Ok(copy)
    }

    pub(crate) const fn start(&self) -> NonNull<T> {
        self.0.start()
    }

    pub(crate) fn memory(&self) -> Extent {
        self.0.memory()
    }
}

#[cfg(feature = "alloc")]
impl Filled<u64> {
    /// Makes `length` words that are 0.
    pub(crate) fn zeroed(length: usize) -> Result<Self, TryReserveError> {
        Buffer::zeroed(length).map(Self)
    }
}

#[cfg(feature = "alloc")]
impl Filled<[u64; 2]> {
    /// Makes `length` pairs of words that are 0.
    pub(crate) fn zeroed(length: usize) -> Result<Self, TryReserveError> {
        Buffer::zeroed(length).map(Self)
    }
}

impl<T: Copy> Deref for Filled<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let (start, length) = (self.0.start().as_ptr(), self.0.capacity());
        // SAFETY: by the invariant all elements are initialised; they are borrowed as `self` is.
        unsafe { slice::from_raw_parts(start, length) }
    }
}

impl<T: Copy> DerefMut for Filled<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let (start, length) = (self.0.start().as_ptr(), self.0.capacity());
        // SAFETY: by the invariant all elements are initialised; they are borrowed as `self` is.
        unsafe { slice::from_raw_parts_mut(start, length) }
    }
}

#[cfg(test)]
mod tests {
    //! Blocks that grow, shrink, move and have a tail.

    use super::{Buffer, Filled};
    use crate::error::TryReserveError;
    use crate::memory::source::{LentBlock, Memory};
    use alloc::boxed::Box;
    use core::mem::MaybeUninit;
    use core::ptr::NonNull;
    use core::sync::atomic::{AtomicPtr, Ordering};

    /// Writes `number` into every byte from element `from` on, and looks at what was there before.
    fn fill<T: Copy + Eq + core::fmt::Debug>(buffer: &Buffer<T>, from: usize, value: T) {
        for index in 0..buffer.capacity() {
            // SAFETY: the element is in the block; those before `from` were written.
            unsafe {
                if index < from {
                    assert_eq!(buffer.at(index).read(), value, "element {index}");
                }
                buffer.at(index).write(value);
            }
        }
    }

    fn elements_stay<T: Copy + Eq + core::fmt::Debug>(value: T) {
        let mut buffer = Buffer::new();
        let mut kept = 0;
        for capacity in [1, 3, 64, 5, 1_000, 1_000, 2, 0, 7] {
            buffer.resize(capacity).unwrap();
            assert_eq!(
                (buffer.capacity(), buffer.memory().bytes),
                (capacity, capacity * size_of::<T>())
            );
            assert!(buffer.start().is_aligned());
            fill(&buffer, capacity.min(kept), value);
            kept = capacity;
        }
    }

    #[test]
    fn elements_stay_the_same_bytes() {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(align(64))]
        struct Aligned([u8; 64]);

        elements_stay(7_u8);
        elements_stay([3_u32; 3]);
        elements_stay(Aligned([9; 64]));
        elements_stay(());
    }

    #[test]
    fn a_tail_comes_and_goes() {
        for capacity in [1, 2, 9] {
            let mut buffer = Buffer::<[u8; 3]>::new();
            let mut kept = 0;
            for (capacity, numbers) in [(capacity, 2), (2 * capacity, 5), (3 * capacity, 1)] {
                // SAFETY: (1) it is resized with its layout, and (2) nothing in it is used.
                let (block, layout) = unsafe { buffer.block_mut() };
                let tail = block.resize_with_tail(layout, capacity, numbers).unwrap();
                for number in 0..numbers {
                    // SAFETY: the tail has more numbers than that.
                    unsafe { tail.add(number).write(u64::MAX) };
                }
                fill(&buffer, kept, [1, 2, 3]);
                kept = capacity;
                let before_tail = (3 * capacity).next_multiple_of(align_of::<u64>());
                assert_eq!(buffer.memory().bytes, before_tail, "a tail has another owner");
            }
            buffer.resize(capacity).unwrap();
            fill(&buffer, capacity, [1, 2, 3]);
        }
    }

    #[test]
    fn a_block_that_cannot_be_is_refused() {
        let mut buffer = Buffer::<u64>::new();
        buffer.resize(4).unwrap();
        for requested in [Buffer::<u64>::MAX + 1, usize::MAX] {
            let max = Buffer::<u64>::MAX;
            let refused = Err(TryReserveError::CapacityOverflow { requested, max });
            assert_eq!(
                (buffer.check(requested), buffer.resize(requested)),
                (refused.clone(), refused)
            );
            assert_eq!(buffer.capacity(), 4);
        }
        let mut nothing = Buffer::<()>::new();
        nothing.resize(usize::MAX).unwrap();
        assert_eq!((nothing.capacity(), nothing.memory().bytes), (usize::MAX, 0));
    }

    #[test]
    fn lent_blocks_lie_apart_and_stay() {
        #[repr(align(8))]
        struct Block([MaybeUninit<u8>; 1_000]);

        // (An interpreter that looks for leaks sees it there.)
        static LENT: AtomicPtr<Block> = AtomicPtr::new(core::ptr::null_mut());

        let memory = Box::leak(Box::new(Block([MaybeUninit::uninit(); 1_000])));
        LENT.store(memory, Ordering::Relaxed);
        let lent = LentBlock::new(&mut memory.0);
        let make = |max| Buffer::<u32>::within(Memory::Lent { max, from: &lent });
        let (mut one, mut other) = (make(10).unwrap(), make(3).unwrap());
        let start = one.start();
        one.resize(10).unwrap();
        other.resize(3).unwrap();
        fill(&one, 0, 1);
        fill(&other, 0, 2);
        fill(&one, 10, 1);
        assert_eq!((one.start(), one.memory().space, other.memory().space), (start, 40, 16));
        let max = 10;
        assert_eq!(one.resize(11), Err(TryReserveError::CapacityOverflow { requested: 11, max }));
        assert!(matches!(make(1_000), Err(TryReserveError::BlockTooSmall { .. })));
        assert!(!one.alike().unwrap().grows_in_place(), "there is no more lent memory");
    }

    #[test]
    fn fresh_numbers_are_filled() {
        let mut numbers = Filled::new();
        for (length, fresh) in [(3, 1), (5, 2), (2, 3), (4, 4)] {
            numbers.resize(length, fresh).unwrap();
        }
        assert_eq!(numbers[..], [1_u32, 1, 4, 4]);
        assert_eq!(numbers.try_clone().unwrap()[..], numbers[..]);
    }

    #[test]
    fn elements_are_aligned_as_they_are_or_as_a_tail() {
        #[repr(align(64))]
        struct Aligned;

        assert_eq!([Buffer::<u8>::ALIGNMENT, Buffer::<[u64; 2]>::ALIGNMENT], [8; 2]);
        assert_eq!([Buffer::<[Aligned; 0]>::ALIGNMENT, Buffer::<Aligned>::ALIGNMENT], [64; 2]);
        assert_eq!((Buffer::<u8>::MAX, Buffer::<()>::MAX), (isize::MAX as usize, usize::MAX));
        assert_eq!(Buffer::<[u8; 3]>::MAX, isize::MAX as usize / 3);
    }

    /// No bytes are no block: there is nothing to be asked for, nor to be given back.
    #[test]
    fn nothing_zeroed_is_nowhere() {
        let none = Buffer::<u64>::zeroed(0).unwrap();
        assert_eq!(
            (none.start(), none.capacity(), none.memory().bytes),
            (NonNull::dangling(), 0, 0)
        );
        let sizeless = Buffer::<()>::zeroed(9).unwrap();
        assert_eq!((sizeless.start(), sizeless.capacity()), (NonNull::dangling(), 9));
        let some = Buffer::<u64>::zeroed(3).unwrap();
        fill(&some, some.capacity(), 0);
    }

    /// An address is that of an element if one begins there.
    #[test]
    fn elements_are_found_by_their_addresses() {
        let mut buffer = Buffer::<[u32; 3]>::new();
        assert_eq!(buffer.index_of(buffer.start().addr().get()), None, "there is none");
        buffer.resize(7).unwrap();
        let first = buffer.start().addr().get();
        for offset in 0..8 * 12 {
            let found = (offset % 12 == 0 && offset < 7 * 12).then_some(offset / 12);
            assert_eq!(buffer.index_of(first + offset), found, "{offset} bytes from the first");
        }
        assert_eq!((buffer.index_of(first - 12), buffer.index_of(usize::MAX)), (None, None));
        let mut sizeless = Buffer::<()>::new();
        sizeless.resize(3).unwrap();
        assert_eq!(sizeless.index_of(sizeless.start().addr().get()), None, "they are all there");
    }

    #[test]
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    fn huge_pages_are_asked_for_from_four_megabytes_on_where_they_are_wanted() {
        for huge in [true, false] {
            for (bytes, large) in [(1, false), ((4 << 20) - 1, false), (4 << 20, true)] {
                let mut buffer = Buffer::<u8>::within(Memory::Heap { huge }).unwrap();
                buffer.resize(bytes).unwrap();
                assert_eq!(buffer.is_huge(), huge && large, "{bytes} bytes");
            }
        }
    }
}

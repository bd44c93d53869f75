//! A buffer in 16 bytes instead of 24, for the tables of a container that has several of them and is to stay small.
//!
//! **Invariant.** The fields are those of a [`Buffer`] without a tail, of at most `u32::MAX` elements that have a size,
//! and its origin is said [in brief](Origin::brief). A lent one has all the elements that it ever will.

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::panic::UnwindSafe;
use core::ptr::NonNull;

use super::Buffer;
use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::source::{BriefOrigin, Memory, Origin};

/// An owned block with room for `capacity` values of type `T`: a [`Buffer`] that is short. What is done seldom is done
/// by the buffer that it stands for.
pub struct Narrow<T> {
    pointer: NonNull<T>,
    capacity: u32,
    origin: BriefOrigin,
    owns: PhantomData<T>,
}

// SAFETY: it owns its block alone, as a buffer does.
unsafe impl<T: Send> Send for Narrow<T> {}
// SAFETY: through a shared one only addresses are handed out; `T: Sync` covers what is read there.
unsafe impl<T: Sync> Sync for Narrow<T> {}

/// It owns its values, as a buffer does.
impl<T: UnwindSafe> UnwindSafe for Narrow<T> {}

impl<T> Narrow<T> {
    pub(crate) const fn new() -> Self {
        let origin = Origin::heap(true).brief();
        Self { pointer: NonNull::dangling(), capacity: 0, origin, owns: PhantomData }
    }

    /// An empty block whose memory will come from there; in lent memory, one of all elements that there is room for.
    pub(crate) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let mut narrow = Self::new();
        let mut buffer = Buffer::within(memory)?;
        if let Memory::Lent { max, .. } = memory {
            Self::check_count(max)?;
            buffer.resize(max)?;
        }
        narrow.become_of(ManuallyDrop::new(buffer));
        Ok(narrow)
    }

    /// An empty block whose memory comes from where this one's does; of lent memory there is no more,
    /// so it is on the heap.
    #[cfg(feature = "alloc")]
    pub(crate) fn alike(&self) -> Result<Self, TryReserveError> {
        let mut alike = Self::new();
        alike.become_of(ManuallyDrop::new(self.buffer().alike()?));
        Ok(alike)
    }

    /// The buffer that it stands for, which must not outlive it.
    fn buffer(&self) -> ManuallyDrop<Buffer<T>> {
        let (pointer, capacity) = (self.pointer, self.capacity());
        let origin = self.origin.of(capacity * size_of::<T>());
        ManuallyDrop::new(Buffer { pointer, capacity, origin, owns: PhantomData })
    }

    /// Stands for another buffer, or for one that was resized.
    const fn become_of(&mut self, buffer: ManuallyDrop<Buffer<T>>) {
        // SAFETY: a `ManuallyDrop` is its value, which is only read here.
        let buffer: &Buffer<T> = unsafe { &*(&raw const buffer).cast() };
        self.pointer = buffer.pointer;
        self.capacity = buffer.capacity as u32;
        self.origin = buffer.origin.brief();
    }

    fn check_count(requested: usize) -> Result<(), TryReserveError> {
        const { assert!(size_of::<T>() > 0, "the space of lent memory follows from the capacity") };
        let max = u32::MAX as usize;
        if requested <= max {
            return Ok(());
        }
        Err(TryReserveError::CapacityOverflow { requested, max })
    }

    #[inline(always)]
    pub(crate) const fn capacity(&self) -> usize {
        self.capacity as usize
    }

    #[inline(always)]
    pub(crate) const fn start(&self) -> NonNull<T> {
        self.pointer
    }

    /// Returns the address of an element, as [`Buffer::at`] does.
    ///
    /// # Safety
    /// `index <= capacity`.
    #[inline(always)]
    pub(crate) const unsafe fn at(&self, index: usize) -> NonNull<T> {
        // SAFETY: the caller keeps `index` inside the block, or one past its end.
        unsafe { self.pointer.add(index) }
    }

    /// Resizes the block as [`Buffer::resize`] does, but a lent block stays as large as it is.
    pub(crate) fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        if self.origin.is_lent() && capacity <= self.capacity() {
            return Ok(());
        }
        Self::check_count(capacity)?;
        let mut buffer = self.buffer();
        buffer.resize(capacity)?;
        self.become_of(buffer);
        Ok(())
    }

    /// Takes over the bytes of the first elements of another block. Panics if either has fewer.
    #[cfg(feature = "alloc")]
    pub(crate) fn copy_from(&mut self, source: &Self, count: usize)
    where
        T: Copy,
    {
        assert!(count <= self.capacity() && count <= source.capacity(), "there is room");
        // SAFETY: both blocks have `count` elements, initialised or not, and lie apart.
        unsafe { self.pointer.copy_from_nonoverlapping(source.pointer, count) };
    }

    /// Returns what the block has of memory, as [`Buffer::memory`] does.
    pub(crate) fn memory(&self) -> Extent {
        self.buffer().memory()
    }
}

impl<T> Drop for Narrow<T> {
    #[inline]
    fn drop(&mut self) {
        drop(ManuallyDrop::into_inner(self.buffer()));
    }
}

#[cfg(test)]
#[cfg(feature = "alloc")]
mod tests {
    //! A short buffer says of its block what a long one says.

    use super::*;
    use crate::memory::source::LentBlock;
    use alloc::boxed::Box;
    use core::mem::MaybeUninit;

    /// Compares all that can be asked, through growing and shrinking.
    fn same(memory: impl Fn() -> Memory<'static>, sizes: &[usize]) {
        let mut long = Buffer::<u32>::within(memory()).expect("there is memory");
        let mut short = Narrow::<u32>::within(memory()).expect("there is memory");
        for &size in sizes {
            long.resize(size).expect("there is memory");
            short.resize(size).expect("there is memory");
            assert_eq!((short.capacity(), short.memory().bytes), (size, long.memory().bytes));
            assert_eq!(short.memory().space, long.memory().space);
            assert_eq!(short.buffer().origin.is_lent(), long.origin.is_lent());
            assert_eq!(short.buffer().origin.wants_huge(), long.origin.wants_huge());
            assert_eq!(short.buffer().grows_in_place(), long.grows_in_place());
            // SAFETY: the element is the block's, and written before it is read.
            let read = unsafe {
                short.at(size - 1).write(7);
                short.start().add(size - 1).read()
            };
            assert_eq!(read, 7);
        }
        let (like, alike) = (short.alike().expect("it may"), long.alike().expect("it may"));
        assert_eq!((like.memory().space, like.capacity()), (alike.memory().space, 0));
    }

    #[test]
    fn a_short_buffer_says_what_a_long_one_says() {
        for huge in [false, true] {
            same(|| Memory::Heap { huge }, &[1, 100, 3]);
        }
        #[cfg(all(feature = "reserved", not(miri)))]
        for (huge, ahead) in [(false, false), (false, true), (true, false)] {
            same(|| Memory::Reserved { max: 5_000_000, huge, ahead }, &[1, 100_000, 3_000_000, 3]);
        }
    }

    #[test]
    fn a_lent_one_has_its_room_from_the_start() {
        #[repr(align(8))]
        struct Block([MaybeUninit<u8>; 64]);

        for max in [1, 2, 15, 16] {
            let mut memory = Box::new(Block([MaybeUninit::uninit(); 64]));
            let bytes: *mut [MaybeUninit<u8>] = &raw mut memory.0;
            // SAFETY: the block is freed after the last use of what is made in it.
            let lent = LentBlock::new(unsafe { &mut *bytes });
            let mut short =
                Narrow::<u32>::within(Memory::Lent { max, from: &lent }).expect("it fits");
            let start = short.start();
            for size in [max, max / 2, 0] {
                short.resize(size).expect("it has it");
                assert_eq!((short.start(), short.capacity()), (start, max));
                assert_eq!(short.memory().space, (max * 4).next_multiple_of(8));
            }
            assert!(short.resize(max + 2).is_err() && short.capacity() == max);
            assert_eq!(short.alike().map(|alike| alike.memory().space), Ok(0), "it is on the heap");
        }
    }
}

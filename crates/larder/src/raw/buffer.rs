//! One contiguous block of memory from the global allocator.
//!
//! **Invariant.** `pointer` is aligned for `T` and, where `capacity * size_of::<T>()` is not zero,
//! points to an allocation of exactly that layout that nobody else frees. What lies in the block,
//! initialised or not, is the owner's business: a buffer never reads, drops or moves an element.
//!
//! Who grows the block, and whether it may grow, is decided on the cold path only: an access
//! through [`Buffer::at`] is one address, wherever the memory came from.

use core::alloc::Layout;
use core::marker::PhantomData;
use core::mem;
use core::panic::UnwindSafe;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::sys;

/// An owned block with room for `capacity` values of type `T`.
pub(crate) struct Buffer<T> {
    pointer: NonNull<T>,
    capacity: usize,
    /// Whether the system was advised to back the block with huge pages.
    huge: bool,
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

    pub(crate) const fn new() -> Self {
        Self { pointer: NonNull::dangling(), capacity: 0, huge: false, owns: PhantomData }
    }

    /// For values without a size this is what was asked for, though nothing was allocated.
    #[inline]
    pub(crate) const fn capacity(&self) -> usize {
        self.capacity
    }

    #[inline]
    pub(crate) const fn start(&self) -> NonNull<T> {
        self.pointer
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.capacity * size_of::<T>()
    }

    /// The address of element `index`.
    ///
    /// # Safety
    /// `index <= capacity`.
    #[inline]
    pub(crate) const unsafe fn at(&self, index: usize) -> NonNull<T> {
        // SAFETY: the caller keeps `index` inside the block, or one past its end.
        unsafe { self.pointer.add(index) }
    }

    /// Moves the block to one of `capacity` elements; the elements that fit stay the same bytes.
    ///
    /// On an error nothing has changed.
    pub(crate) fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        if capacity == self.capacity {
            return Ok(());
        }
        let layout = Self::layout(capacity)?;
        match (self.bytes(), layout.size()) {
            (_, 0) => self.free(),
            (0, _) => self.begin(layout)?,
            (old, new) if self.huge && old < new => self.copy(layout)?,
            _ => self.reallocate(layout)?,
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Allocates a first block.
    ///
    /// A large one is advised to be of huge pages, one that grew large is not: moving huge pages
    /// takes twice as long as touching new small ones does (`ARCHITECTURE.md`).
    fn begin(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        // SAFETY: the layout's size is not zero.
        let block = NonNull::new(unsafe { alloc::alloc::alloc(layout) });
        let block = block.ok_or(TryReserveError::AllocRefused { bytes: layout.size() })?;
        self.huge = sys::advise_huge_pages(block, layout.size());
        self.pointer = block.cast();
        Ok(())
    }

    /// Moves a block of huge pages to a larger one.
    #[cold]
    fn copy(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        let mut larger = Self::new();
        larger.begin(layout)?;
        let (from, to) = (self.pointer.cast::<u8>(), larger.pointer.cast::<u8>());
        // SAFETY: both are blocks of at least that many bytes, and not the same one.
        unsafe { from.copy_to_nonoverlapping(to, self.bytes()) };
        larger.capacity = layout.size() / size_of::<T>();
        *self = larger;
        Ok(())
    }

    fn reallocate(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        // SAFETY: by the invariant the block was allocated with this size and alignment.
        let old = unsafe { Layout::from_size_align_unchecked(self.bytes(), align_of::<T>()) };
        let block = self.pointer.as_ptr().cast::<u8>();
        // SAFETY: `block` is allocated with `old`; the new size is not zero and within `isize`.
        let block = NonNull::new(unsafe { alloc::alloc::realloc(block, old, layout.size()) });
        let block = block.ok_or(TryReserveError::AllocRefused { bytes: layout.size() })?;
        self.pointer = block.cast();
        Ok(())
    }

    /// Whether a block can have this many elements at all.
    pub(crate) fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        Self::layout(capacity).map(drop)
    }

    fn layout(capacity: usize) -> Result<Layout, TryReserveError> {
        Layout::array::<T>(capacity)
            .map_err(|_| TryReserveError::CapacityOverflow { requested: capacity, max: Self::MAX })
    }

    /// Returns the block to the allocator; the capacity is zero afterwards.
    fn free(&mut self) {
        if self.bytes() != 0 {
            // SAFETY: by the invariant the block was allocated with this size and alignment.
            let layout =
                unsafe { Layout::from_size_align_unchecked(self.bytes(), align_of::<T>()) };
            // SAFETY: the block is ours, and is forgotten below.
            unsafe { alloc::alloc::dealloc(self.pointer.as_ptr().cast(), layout) };
        }
        mem::forget(mem::replace(self, Self::new()));
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        self.free();
    }
}

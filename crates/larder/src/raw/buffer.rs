//! One contiguous block of memory: from the global allocator, in reserved address space, or a piece
//! of what the caller lent.
//!
//! **Invariant.** `pointer` is aligned for `T`. What lies in the block, initialised or not, is the
//! owner's business: a buffer never reads, drops or moves an element.
//! - Where there is no `space` and `capacity * size_of::<T>()` is not zero, `pointer` points to an
//!   allocation of `heap_layout()` that nobody else frees: of the elements, and of a tail where there is
//!   one, which another owner reads and writes.
//! - Where there is, reserved or lent, `pointer` is its start, for good, and it is nobody else's. The
//!   first `capacity` elements lie within it, and its first `bytes()` bytes are memory.
//!
//! Who grows the block, and whether it may grow, is decided on the cold path only: an access
//! through [`Buffer::at`] is one address, wherever the memory came from.

use core::alloc::Layout;
use core::marker::PhantomData;
use core::panic::UnwindSafe;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::heap;
use crate::raw::memory::{Lent, Memory};
use crate::raw::origin::Origin;
use crate::raw::sys;

/// An owned block with room for `capacity` values of type `T`. (What accesses read comes first.)
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
    /// aligned to 8 at most.
    pub(crate) const ALIGNMENT: usize =
        if align_of::<T>() > Lent::GRAIN { align_of::<T>() } else { Lent::GRAIN };

    pub(crate) const fn new() -> Self {
        Self::on_heap(true)
    }

    const fn on_heap(wants_huge: bool) -> Self {
        let origin = Origin::heap(wants_huge);
        Self { pointer: NonNull::dangling(), capacity: 0, origin, owns: PhantomData }
    }

    /// An empty block whose memory will come from there. For reserved memory the address space is
    /// taken now.
    pub(crate) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        match memory {
            Memory::Heap { huge } => Ok(Self::on_heap(huge)),
            #[cfg(feature = "reserved")]
            Memory::Reserved { max, huge, ahead } => {
                Self::reserved(Self::layout(max)?.size(), huge, ahead)
            }
            Memory::Lent { max, from } => Self::lent(Self::layout(max)?, from),
        }
    }

    /// A block in memory of another owner.
    ///
    /// # Safety
    /// So many elements from `pointer` on are this block's alone, until it is not used any more.
    pub(crate) const unsafe fn borrowed(pointer: NonNull<T>, capacity: usize) -> Self {
        let space = (capacity * size_of::<T>()).next_multiple_of(Lent::GRAIN);
        Self { pointer, capacity, origin: Origin::lent(space), owns: PhantomData }
    }

    /// An empty block in a piece of what the caller lent.
    fn lent(layout: Layout, from: &Lent) -> Result<Self, TryReserveError> {
        if layout.size() == 0 {
            return Ok(Self::on_heap(false));
        }
        let space = layout.size().next_multiple_of(Lent::GRAIN);
        let pointer = from.take(layout)?.cast();
        Ok(Self { pointer, capacity: 0, origin: Origin::lent(space), owns: PhantomData })
    }

    /// Where a block for so many elements ends that begins after the address `at`.
    pub(crate) const fn end(at: usize, count: usize) -> Option<usize> {
        match count.checked_mul(size_of::<T>()) {
            Some(size) => Lent::end(at, size, align_of::<T>()),
            None => None,
        }
    }

    /// An empty block whose memory comes from where this one's does; of lent memory there is no more,
    /// so it is on the heap.
    pub(crate) fn alike(&self) -> Result<Self, TryReserveError> {
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            let (huge, ahead) = (self.origin.wants_huge(), self.origin.is_ahead());
            return Self::reserved(self.origin.space(), huge, ahead);
        }
        Ok(Self::on_heap(self.origin.wants_huge()))
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

    /// What parts of the block begin at multiples of, in bytes.
    pub(crate) const fn grain(&self) -> usize {
        self.origin.grain()
    }

    /// Makes memory of so many bytes of a part of the block, instead of so many, where it is reserved;
    /// elsewhere all is memory. On an error nothing has changed.
    ///
    /// # Safety
    /// The block grows in place. The part begins `offset` bytes in, a multiple of the
    /// [grain](Self::grain), lies within its space and beyond its elements, and has been made one of
    /// `old` bytes; nothing else of the block lies in its grains.
    pub(crate) unsafe fn resize_part(
        &mut self,
        offset: usize,
        old: usize,
        new: usize,
    ) -> Result<(), TryReserveError> {
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            let committed = |bytes: usize| bytes.next_multiple_of(self.grain());
            // SAFETY: the part lies within the reservation.
            return unsafe {
                let first = self.pointer.cast::<u8>().add(offset);
                self.origin.change(first, committed(old), committed(new))
            };
        }
        let _ = (offset, old, new);
        Ok(())
    }

    /// Whether the block stays where it is, whatever size it is given.
    pub(crate) const fn grows_in_place(&self) -> bool {
        self.origin.space() != 0
    }

    /// The addresses the block can grow to in place; on the heap its memory.
    pub(crate) fn space(&self) -> usize {
        if self.grows_in_place() { self.origin.space() } else { self.bytes() }
    }

    /// How much memory the block takes.
    pub(crate) fn bytes(&self) -> usize {
        let used = self.capacity * size_of::<T>();
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            return self.origin.committed(used);
        }
        used
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

    /// Makes the block one of `capacity` elements, elsewhere unless it is reserved; the elements that
    /// fit stay the same bytes.
    ///
    /// On an error nothing has changed.
    pub(crate) fn resize(&mut self, capacity: usize) -> Result<(), TryReserveError> {
        if capacity == self.capacity {
            return Ok(());
        }
        let layout = Self::layout(capacity)?;
        self.change(layout)?;
        self.capacity = capacity;
        if !self.grows_in_place() {
            self.origin = self.origin.with_tail(0);
        }
        Ok(())
    }

    /// As [`resize`](Self::resize), with a tail of so many numbers behind the elements; where it lies.
    /// What was in a former tail is lost.
    ///
    /// The block is on the heap, elements have a size, and there is one at least.
    pub(crate) fn resize_with_tail(
        &mut self,
        capacity: usize,
        numbers: usize,
    ) -> Result<NonNull<u64>, TryReserveError> {
        debug_assert!(!self.grows_in_place() && size_of::<T>() > 0 && capacity > 0);
        let (offset, tail) = (Self::layout(capacity)?.size(), numbers * size_of::<u64>());
        let offset = offset.next_multiple_of(align_of::<u64>());
        let layout = Layout::from_size_align(offset + tail, Self::HEAP_ALIGN).map_err(|_| {
            TryReserveError::CapacityOverflow { requested: capacity, max: Self::MAX }
        })?;
        if self.capacity == 0 { self.begin(layout) } else { self.reallocate(layout) }?;
        self.capacity = capacity;
        self.origin = self.origin.with_tail(tail);
        // SAFETY: that much of the block comes before the tail.
        Ok(unsafe { self.pointer.cast::<u8>().add(offset) }.cast())
    }

    /// Wherever the block lies.
    fn change(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        let space = self.origin.space();
        if space == 0 {
            return self.move_to(layout);
        }
        if layout.size() > space {
            let (requested, max) = (layout.size() / size_of::<T>(), space / size_of::<T>());
            return Err(TryReserveError::CapacityOverflow { requested, max });
        }
        #[cfg(feature = "reserved")]
        if !self.origin.is_lent() {
            return self.recommit(layout);
        }
        Ok(())
    }

    /// Moves a block of the global allocator.
    fn move_to(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        match (self.bytes(), layout.size()) {
            (_, 0) => {
                let empty = self.alike()?;
                *self = empty;
                Ok(())
            }
            (0, _) => self.begin(layout),
            (old, new) if self.origin.is_huge() && old < new => self.copy(layout),
            _ => self.reallocate(layout),
        }
    }

    /// Allocates a first block.
    ///
    /// A large one is advised to be of huge pages, one that grew large is not: moving huge pages
    /// takes twice as long as touching new small ones does (`ARCHITECTURE.md`).
    fn begin(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        // SAFETY: the layout's size is not zero.
        let block = unsafe { heap::allocate(layout) }?;
        let large = layout.size() >= sys::HUGE_FROM && self.origin.wants_huge();
        if large && sys::advise_huge_pages(block, layout.size(), true) {
            self.origin = self.origin.advised();
        }
        self.pointer = block.cast();
        Ok(())
    }

    /// Moves a block of huge pages to a larger one.
    #[cold]
    fn copy(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        let mut larger = self.alike()?;
        larger.begin(layout)?;
        let (from, to) = (self.pointer.cast::<u8>(), larger.pointer.cast::<u8>());
        // SAFETY: both are blocks of at least that many bytes, and not the same one.
        unsafe { from.copy_to_nonoverlapping(to, self.bytes()) };
        larger.capacity = layout.size() / size_of::<T>();
        *self = larger;
        Ok(())
    }

    fn reallocate(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        // SAFETY: the block is allocated with that layout; the new size is not zero, within `isize`,
        // and for the same alignment.
        let block =
            unsafe { heap::reallocate(self.pointer.cast(), self.heap_layout(), layout.size()) }?;
        self.pointer = block.cast();
        Ok(())
    }

    /// Whether a block can have this many elements at all.
    pub(crate) fn check(&self, capacity: usize) -> Result<(), TryReserveError> {
        Self::layout(capacity).map(drop)
    }

    /// The alignment of blocks on the heap: that of a tail at least, which comes and goes.
    const HEAP_ALIGN: usize =
        if align_of::<T>() > align_of::<u64>() { align_of::<T>() } else { align_of::<u64>() };

    /// The layout of this block of the heap.
    fn heap_layout(&self) -> Layout {
        let (mut size, tail) = (self.bytes(), self.origin.tail());
        if tail > 0 {
            size = size.next_multiple_of(align_of::<u64>()) + tail;
        }
        // SAFETY: such a block was allocated.
        unsafe { Layout::from_size_align_unchecked(size, Self::HEAP_ALIGN) }
    }

    fn layout(capacity: usize) -> Result<Layout, TryReserveError> {
        let size = Layout::array::<T>(capacity).map(|layout| layout.size());
        size.and_then(|size| Layout::from_size_align(size, Self::HEAP_ALIGN))
            .map_err(|_| TryReserveError::CapacityOverflow { requested: capacity, max: Self::MAX })
    }
}

/// Blocks in reserved address space.
#[cfg(feature = "reserved")]
impl<T> Buffer<T> {
    /// Takes address space for `bytes` bytes, of which none is memory yet; for none at all, an empty
    /// block of the heap will do.
    fn reserved(bytes: usize, wants_huge: bool, ahead: bool) -> Result<Self, TryReserveError> {
        if bytes == 0 {
            return Ok(Self::on_heap(wants_huge));
        }
        let (first, origin) = Origin::reserve(bytes, align_of::<T>(), wants_huge, ahead)?;
        let this = Self { pointer: first.cast(), capacity: 0, origin, owns: PhantomData };
        // SAFETY: what is committed without a value lies within the reservation.
        unsafe { origin.change(first, 0, this.bytes()) }?;
        Ok(this)
    }

    /// Commits, or gives back, what lies between the old capacity and the new one, in place.
    fn recommit(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        let (old, new) = (self.bytes(), self.origin.committed(layout.size()));
        // SAFETY: both are within the reservation; what does not fit is given up by the owner.
        unsafe { self.origin.change(self.pointer.cast(), old, new) }
    }
}

impl<T> Drop for Buffer<T> {
    /// Returns the block to where it came from. (What was lent stays where it is, for good.)
    fn drop(&mut self) {
        if self.origin.is_lent() {
            return;
        }
        #[cfg(feature = "reserved")]
        if self.origin.is_reserved() {
            // SAFETY: the reservation is ours, for this alignment, and is not used again.
            return unsafe { self.origin.release(self.pointer.cast(), align_of::<T>()) };
        }
        if self.bytes() != 0 {
            // SAFETY: the block is ours, of that layout, and is not used again.
            unsafe { heap::deallocate(self.pointer.cast(), self.heap_layout()) };
        }
    }
}

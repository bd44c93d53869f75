//! One contiguous block of memory, from the global allocator or in reserved address space.
//!
//! **Invariant.** `pointer` is aligned for `T`. What lies in the block, initialised or not, is the
//! owner's business: a buffer never reads, drops or moves an element.
//! - Where no `space` is reserved and `capacity * size_of::<T>()` is not zero, `pointer` points to an
//!   allocation of exactly that layout that nobody else frees.
//! - Where some is, `pointer` is its start, for good. The first `capacity` elements lie within it,
//!   and its first `bytes()` bytes are committed.
//!
//! Who grows the block, and whether it may grow, is decided on the cold path only: an access
//! through [`Buffer::at`] is one address, wherever the memory came from.

use core::alloc::Layout;
use core::marker::PhantomData;
use core::panic::UnwindSafe;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::memory::Memory;
use crate::raw::sys;

/// An owned block with room for `capacity` values of type `T`. (What accesses read comes first.)
#[repr(C)]
pub(crate) struct Buffer<T> {
    pointer: NonNull<T>,
    capacity: usize,
    origin: Origin,
    owns: PhantomData<T>,
}

/// Where a block lies, in one number: how many bytes of address space are reserved (none: it is on
/// the heap), a multiple of 4, and two flags. Containers have many blocks, and are to stay small.
#[derive(Clone, Copy)]
struct Origin(usize);

impl Origin {
    /// Whether the system was advised to back this block with huge pages.
    const HUGE: usize = 1;
    /// Whether it is to be, where a block begins large.
    const WANTS_HUGE: usize = 2;

    const fn heap(wants_huge: bool) -> Self {
        Self(if wants_huge { Self::WANTS_HUGE } else { 0 })
    }

    const fn is_huge(self) -> bool {
        self.0 & Self::HUGE != 0
    }

    const fn wants_huge(self) -> bool {
        self.0 & Self::WANTS_HUGE != 0
    }

    /// How much address space is reserved; none where the block is the allocator's.
    #[cfg(feature = "reserved")]
    const fn space(self) -> usize {
        self.0 & !(Self::HUGE | Self::WANTS_HUGE)
    }
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
        Self::on_heap(true)
    }

    const fn on_heap(wants_huge: bool) -> Self {
        let origin = Origin::heap(wants_huge);
        Self { pointer: NonNull::dangling(), capacity: 0, origin, owns: PhantomData }
    }

    /// An empty block whose memory will come from there. For reserved memory the address space is
    /// taken now.
    pub(crate) fn within(memory: Memory) -> Result<Self, TryReserveError> {
        match memory {
            Memory::Heap { huge } => Ok(Self::on_heap(huge)),
            #[cfg(feature = "reserved")]
            Memory::Reserved { max, huge } => Self::reserved(Self::layout(max)?.size(), huge),
        }
    }

    /// An empty block whose memory comes from where this one's does.
    pub(crate) fn alike(&self) -> Result<Self, TryReserveError> {
        #[cfg(feature = "reserved")]
        if self.origin.space() != 0 {
            return Self::reserved(self.origin.space(), self.origin.wants_huge());
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

    /// How much memory the block takes.
    pub(crate) const fn bytes(&self) -> usize {
        let used = self.capacity * size_of::<T>();
        #[cfg(feature = "reserved")]
        if self.origin.space() != 0 {
            return committed(used, self.origin);
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
        Ok(())
    }

    /// Wherever the block lies.
    fn change(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        #[cfg(feature = "reserved")]
        if self.origin.space() != 0 {
            return self.recommit(layout, self.origin.space());
        }
        self.move_to(layout)
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
        let block = NonNull::new(unsafe { alloc::alloc::alloc(layout) });
        let block = block.ok_or(TryReserveError::AllocRefused { bytes: layout.size() })?;
        let large = layout.size() >= sys::HUGE_FROM && self.origin.wants_huge();
        if large && sys::advise_huge_pages(block, layout.size(), true) {
            self.origin.0 |= Origin::HUGE;
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
}

/// Blocks in reserved address space.
#[cfg(feature = "reserved")]
impl<T> Buffer<T> {
    /// Takes address space for `bytes` bytes, of which none is memory yet; for none at all, an empty
    /// block of the heap will do.
    fn reserved(bytes: usize, wants_huge: bool) -> Result<Self, TryReserveError> {
        if bytes == 0 {
            return Ok(Self::on_heap(wants_huge));
        }
        let huge = wants_huge && bytes >= sys::HUGE_FROM;
        let space = bytes.next_multiple_of(if huge { sys::HUGE_PAGE } else { sys::GRAIN });
        let first = sys::reserve(space, Self::alignment(huge))?;
        if space >= sys::HUGE_PAGE {
            // Short insertions are what reserved memory is for: a first touch of a huge page, which
            // some systems give unasked, is not one.
            sys::advise_huge_pages(first, space, huge);
        }
        let flags = if huge { Origin::HUGE } else { 0 };
        let origin = Origin(space | Origin::heap(wants_huge).0 | flags);
        Ok(Self { pointer: first.cast(), capacity: 0, origin, owns: PhantomData })
    }

    /// What a reservation is aligned to.
    const fn alignment(huge: bool) -> usize {
        if huge && align_of::<T>() < sys::HUGE_PAGE { sys::HUGE_PAGE } else { align_of::<T>() }
    }

    /// Commits, or gives back, what lies between the old capacity and the new one, in place.
    fn recommit(&mut self, layout: Layout, space: usize) -> Result<(), TryReserveError> {
        if layout.size() > space {
            let (requested, max) = (layout.size() / size_of::<T>(), space / size_of::<T>());
            return Err(TryReserveError::CapacityOverflow { requested, max });
        }
        let (old, new) = (self.bytes(), committed(layout.size(), self.origin));
        // SAFETY: both are within the reservation.
        let from = unsafe { self.pointer.cast::<u8>().add(old.min(new)) };
        if new > old {
            // SAFETY: the part lies within the reservation.
            unsafe { sys::commit(from, new - old) }?;
        } else if new < old {
            // SAFETY: the part is committed, and the owner gave up what is in it.
            unsafe { sys::decommit(from, old - new) };
        }
        Ok(())
    }
}

/// How many bytes of a reservation are committed where so many are used.
#[cfg(feature = "reserved")]
const fn committed(used: usize, origin: Origin) -> usize {
    let grain = if origin.is_huge() { sys::HUGE_PAGE } else { sys::GRAIN };
    used.next_multiple_of(grain)
}

impl<T> Drop for Buffer<T> {
    /// Returns the block to where it came from.
    fn drop(&mut self) {
        #[cfg(feature = "reserved")]
        if self.origin.space() != 0 {
            let (space, align) = (self.origin.space(), Self::alignment(self.origin.is_huge()));
            // SAFETY: the reservation is ours, of this size and alignment, and is not used again.
            return unsafe { sys::release(self.pointer.cast(), space, align) };
        }
        if self.bytes() != 0 {
            // SAFETY: by the invariant the block was allocated with this size and alignment.
            let layout =
                unsafe { Layout::from_size_align_unchecked(self.bytes(), align_of::<T>()) };
            // SAFETY: the block is ours, and is not used again.
            unsafe { alloc::alloc::dealloc(self.pointer.as_ptr().cast(), layout) };
        }
    }
}

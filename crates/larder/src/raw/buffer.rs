//! One contiguous block of memory: from the global allocator, in reserved address space, or a piece
//! of what the caller lent.
//!
//! **Invariant.** `pointer` is aligned for `T`. What lies in the block, initialised or not, is the
//! owner's business: a buffer never reads, drops or moves an element.
//! - Where there is no `space` and `capacity * size_of::<T>()` is not zero, `pointer` points to an
//!   allocation of exactly that layout that nobody else frees.
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
use crate::raw::sys;

/// An owned block with room for `capacity` values of type `T`. (What accesses read comes first.)
#[repr(C)]
pub(crate) struct Buffer<T> {
    pointer: NonNull<T>,
    capacity: usize,
    origin: Origin,
    owns: PhantomData<T>,
}

/// Where a block lies, in one number: how many bytes of its own it has, reserved or lent (none: it is
/// on the heap), a multiple of 8, and flags. Containers have many blocks, and are to stay small.
#[derive(Clone, Copy)]
struct Origin(usize);

impl Origin {
    /// Whether the system was advised to back this block with huge pages.
    const HUGE: usize = 1;
    /// Whether it is to be, where a block begins large.
    const WANTS_HUGE: usize = 2;
    /// Whether a helper touches pages before they are needed.
    const AHEAD: usize = 4;
    const FLAGS: usize = Self::HUGE | Self::WANTS_HUGE | Self::AHEAD;
    /// Lent: huge pages that nobody wanted, which there are not otherwise.
    const LENT: usize = Self::HUGE;

    const fn heap(wants_huge: bool) -> Self {
        Self(if wants_huge { Self::WANTS_HUGE } else { 0 })
    }

    const fn is_huge(self) -> bool {
        self.0 & Self::HUGE != 0 && self.wants_huge()
    }

    const fn wants_huge(self) -> bool {
        self.0 & Self::WANTS_HUGE != 0
    }

    const fn is_lent(self) -> bool {
        self.0 & Self::FLAGS == Self::LENT
    }

    #[cfg(feature = "reserved")]
    const fn is_ahead(self) -> bool {
        self.0 & Self::AHEAD != 0
    }

    /// How many bytes are reserved or lent; none where the block is the allocator's.
    const fn space(self) -> usize {
        self.0 & !Self::FLAGS
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

    /// An empty block in a piece of what the caller lent.
    fn lent(layout: Layout, from: &Lent) -> Result<Self, TryReserveError> {
        if layout.size() == 0 {
            return Ok(Self::on_heap(false));
        }
        let space = layout.size().next_multiple_of(Lent::GRAIN);
        let pointer = from.take(layout)?.cast();
        Ok(Self { pointer, capacity: 0, origin: Origin(space | Origin::LENT), owns: PhantomData })
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
        if self.origin.space() != 0 && !self.origin.is_lent() {
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
        if self.origin.space() != 0 && !self.origin.is_lent() {
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
        // SAFETY: the block is allocated with `old`; the new size is not zero and within `isize`.
        let block = unsafe { heap::reallocate(self.pointer.cast(), old, layout.size()) }?;
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
    fn reserved(bytes: usize, wants_huge: bool, ahead: bool) -> Result<Self, TryReserveError> {
        if bytes == 0 {
            return Ok(Self::on_heap(wants_huge));
        }
        let huge = wants_huge && bytes >= sys::HUGE_FROM;
        let space = bytes.next_multiple_of(if huge { sys::HUGE_PAGE } else { sys::GRAIN });
        let first = sys::reserve(space + sys::GUARD, Self::alignment(huge))?;
        if space >= sys::HUGE_PAGE {
            // Short insertions are what reserved memory is for: a first touch of a huge page, which
            // some systems give unasked, is not one.
            sys::advise_huge_pages(first, space, huge);
        }
        let flags = if huge { Origin::HUGE } else { 0 } | if ahead { Origin::AHEAD } else { 0 };
        let origin = Origin(space | Origin::heap(wants_huge).0 | flags);
        let this = Self { pointer: first.cast(), capacity: 0, origin, owns: PhantomData };
        // SAFETY: what is committed without a value lies within the reservation.
        unsafe { this.commit(0, this.bytes()) }?;
        Ok(this)
    }

    /// Makes the bytes from `old` to `new` memory.
    ///
    /// # Safety
    /// Both are within the reservation.
    unsafe fn commit(&self, old: usize, new: usize) -> Result<(), TryReserveError> {
        if new <= old {
            return Ok(());
        }
        // SAFETY: by the contract.
        let from = unsafe { self.pointer.cast::<u8>().add(old) };
        // SAFETY: the part lies within the reservation.
        unsafe { sys::commit(from, new - old) }?;
        if self.origin.is_ahead() {
            sys::touch_ahead(from, new - old);
        }
        Ok(())
    }

    /// What a reservation is aligned to.
    const fn alignment(huge: bool) -> usize {
        if huge && align_of::<T>() < sys::HUGE_PAGE { sys::HUGE_PAGE } else { align_of::<T>() }
    }

    /// Commits, or gives back, what lies between the old capacity and the new one, in place.
    fn recommit(&mut self, layout: Layout) -> Result<(), TryReserveError> {
        let (old, new) = (self.bytes(), committed(layout.size(), self.origin));
        if new >= old {
            // SAFETY: both are within the reservation.
            return unsafe { self.commit(old, new) };
        }
        // SAFETY: as above.
        let from = unsafe { self.pointer.cast::<u8>().add(new) };
        if self.origin.is_ahead() {
            sys::leave_alone(from, old - new);
        }
        // SAFETY: the part is committed, and the owner gave up what is in it.
        unsafe { sys::decommit(from, old - new) };
        Ok(())
    }
}

/// How many bytes of a reservation are committed where so many are used.
#[cfg(feature = "reserved")]
fn committed(used: usize, origin: Origin) -> usize {
    let grain = if origin.is_huge() { sys::HUGE_PAGE } else { sys::GRAIN };
    if origin.is_ahead() {
        // Ahead of use by as much as is used, within bounds; a quarter of that at a time.
        let stretch = used.next_power_of_two().clamp(1 << 20, 16 << 20);
        return (used + stretch).next_multiple_of(grain.max(stretch / 4)).min(origin.space());
    }
    used.next_multiple_of(grain)
}

impl<T> Drop for Buffer<T> {
    /// Returns the block to where it came from. (What was lent stays where it is, for good.)
    fn drop(&mut self) {
        if self.origin.is_lent() {
            return;
        }
        #[cfg(feature = "reserved")]
        if self.origin.space() != 0 {
            let (space, align) = (self.origin.space(), Self::alignment(self.origin.is_huge()));
            if self.origin.is_ahead() {
                sys::leave_alone(self.pointer.cast(), space);
            }
            // SAFETY: the reservation is ours, of this size and alignment, and is not used again.
            return unsafe { sys::release(self.pointer.cast(), space + sys::GUARD, align) };
        }
        if self.bytes() != 0 {
            // SAFETY: by the invariant the block was allocated with this size and alignment.
            let layout =
                unsafe { Layout::from_size_align_unchecked(self.bytes(), align_of::<T>()) };
            // SAFETY: the block is ours, and is not used again.
            unsafe { heap::deallocate(self.pointer.cast(), layout) };
        }
    }
}

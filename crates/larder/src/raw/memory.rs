//! Where the blocks of a container come from.
//!
//! **Invariant** of [`Lent`]: the bytes from `next` to the end of the block are free; each piece
//! that was handed out lies before, and overlaps no other.

use core::alloc::Layout;
use core::cell::Cell;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::after;

/// What was asked for.
pub(crate) enum Source {
    /// The global allocator; `huge`: large blocks are advised to use huge pages.
    Heap { huge: bool },
    /// Reserved address space, of huge pages or not; `ahead`: a helper touches pages beforehand.
    #[cfg(feature = "reserved")]
    Reserved { huge: bool, ahead: bool },
    /// The caller's own block.
    Lent(&'static mut [MaybeUninit<u8>]),
}

/// Chosen when a container is made; looked at when a block is made, never by an access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memory<'a> {
    /// The global allocator; `huge`: large blocks are advised to use huge pages.
    Heap { huge: bool },
    /// Reserved address space for `max` elements, of huge pages or not; `ahead`: a helper touches
    /// pages beforehand.
    #[cfg(feature = "reserved")]
    Reserved { max: usize, huge: bool, ahead: bool },
    /// A piece for `max` elements of a block that the caller lent.
    Lent { max: usize, from: &'a Lent },
}

impl Memory<'_> {
    /// For a block beside the slots, with another number of elements: too small a one to be worth a
    /// helper.
    pub(crate) fn scaled(self, elements: impl FnOnce(usize) -> usize) -> Self {
        match self {
            Self::Heap { .. } => self,
            #[cfg(feature = "reserved")]
            Self::Reserved { max, huge, .. } => {
                Self::Reserved { max: elements(max), huge, ahead: false }
            }
            Self::Lent { max, from } => Self::Lent { max: elements(max), from },
        }
    }

    /// How many elements there can be for good; `None` where blocks may grow elsewhere.
    pub(crate) const fn max(self) -> Option<usize> {
        match self {
            Self::Heap { .. } => None,
            #[cfg(feature = "reserved")]
            Self::Reserved { max, .. } => Some(max),
            Self::Lent { max, .. } => Some(max),
        }
    }
}

/// A block that the caller lent for good; a container is made of pieces of it.
#[derive(Debug)]
pub(crate) struct Lent {
    block: NonNull<u8>,
    bytes: usize,
    next: Cell<usize>,
}

impl Lent {
    /// What a piece's size is a multiple of.
    pub(crate) const GRAIN: usize = 8;

    pub(crate) const fn new(block: &'static mut [MaybeUninit<u8>]) -> Self {
        let bytes = block.len();
        let Some(block) = NonNull::new(block.as_mut_ptr().cast()) else { unreachable!() };
        Self { block, bytes, next: Cell::new(0) }
    }

    /// The address that the last piece may end at.
    pub(crate) fn limit(&self) -> usize {
        self.address() + self.bytes
    }

    /// The address that the first piece may begin at.
    pub(crate) fn address(&self) -> usize {
        self.block.addr().get()
    }

    /// Where the piece after `at` ends, an address, if it has that layout; the size is a multiple of
    /// [`GRAIN`](Self::GRAIN) afterwards. `None` where no memory is so large.
    pub(crate) const fn end(at: usize, size: usize, align: usize) -> Option<usize> {
        let Some(size) = size.checked_next_multiple_of(Self::GRAIN) else { return None };
        if size == 0 {
            return Some(at);
        }
        let Some(start) = at.checked_next_multiple_of(align) else { return None };
        start.checked_add(size)
    }

    /// Hands out a free piece.
    pub(crate) fn take(&self, layout: Layout) -> Result<NonNull<u8>, TryReserveError> {
        let end = Self::end(self.address() + self.next.get(), layout.size(), layout.align());
        let end = end.and_then(|end| end.checked_sub(self.address()));
        let missing = |end: usize| end.saturating_sub(self.bytes);
        match end {
            Some(end) if end <= self.bytes => {
                self.next.set(end);
                let size = layout.size().next_multiple_of(Self::GRAIN);
                Ok(after(self.block, end - size))
            }
            end => Err(TryReserveError::BlockTooSmall { missing: end.map_or(usize::MAX, missing) }),
        }
    }
}

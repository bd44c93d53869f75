//! The sources of a container's blocks: the allocator, or none (without the feature `alloc` every allocation fails),
//! reserved address space, or memory that the caller lent; and a record of which of these a block has.
//!
//! **Invariant** of [`LentBlock`]: the bytes from `next` to the end of the block are free; each piece
//! that was handed out lies before, and overlaps no other. An [`Origin`] is a number that its block's owner keeps. The
//! functions that touch memory ask their caller for what the system asks, or check it.

use core::alloc::Layout;
use core::cell::Cell;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::memory::after;
#[cfg(feature = "reserved")]
use crate::memory::sys;

/// The kind of memory that was asked for.
pub(crate) enum MemorySource {
    /// The global allocator; `huge`: large blocks are advised to use huge pages.
    Heap { huge: bool },
    /// Reserved address space, of huge pages or not; `ahead`: a helper touches pages beforehand.
    #[cfg(feature = "reserved")]
    Reserved { huge: bool, ahead: bool },
    /// The caller's own block.
    Lent(&'static mut [MaybeUninit<u8>]),
}

/// Chosen when a container is made; looked at when a block is made, never by an access.
#[derive(Clone, Copy)]
pub enum Memory<'a> {
    /// The global allocator; `huge`: large blocks are advised to use huge pages.
    Heap { huge: bool },
    /// Reserved address space for `max` elements, of huge pages or not; `ahead`: a helper touches
    /// pages beforehand.
    #[cfg(feature = "reserved")]
    Reserved { max: usize, huge: bool, ahead: bool },
    /// A piece for `max` elements of a block that the caller lent.
    Lent { max: usize, from: &'a LentBlock },
}

impl Memory<'_> {
    /// For a block beside the slots, with another number of elements: too small a one to be worth a
    /// helper.
    #[inline]
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

    /// Returns the number of elements that there can ever be; `None` if blocks may grow elsewhere.
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
pub struct LentBlock {
    block: NonNull<u8>,
    bytes: usize,
    next: Cell<usize>,
}

impl LentBlock {
    /// The size of every piece is a multiple of this.
    pub(crate) const GRAIN: usize = 8;

    #[inline]
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

    /// Returns the address at which the piece after `at` ends, if it has that layout; its size is rounded up to a
    /// multiple of [`GRAIN`](Self::GRAIN). `None` if no memory is so large.
    #[inline]
    pub(crate) const fn end(at: usize, size: usize, align: usize) -> Option<usize> {
        let Some(size) = size.checked_next_multiple_of(Self::GRAIN) else { return None };
        if size == 0 {
            return Some(at);
        }
        let Some(start) = at.checked_next_multiple_of(align) else { return None };
        start.checked_add(size)
    }

    /// Hands out a free piece.
    #[inline]
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

/// The kind of a block's memory, in one number: its bytes, a multiple of 8, if they are reserved or lent (0 if it is on
/// the heap), and flags. Containers have many blocks, and are to stay small.
#[derive(Clone, Copy)]
pub(crate) struct Origin(usize);

impl Origin {
    /// Set if the system was advised to back this block with huge pages.
    const HUGE: usize = 1;
    /// Set if it is to be advised once the block is large.
    const WANTS_HUGE: usize = 2;
    /// Set if a helper touches pages before they are needed.
    const AHEAD: usize = 4;
    const FLAGS: usize = Self::HUGE | Self::WANTS_HUGE | Self::AHEAD;
    /// Lent: huge pages that were not wanted, which there are not otherwise.
    const LENT: usize = Self::HUGE;
    /// On the heap, with a tail: what would be the space is its size. (No space is so large.)
    const TAILED: usize = 1 << (usize::BITS - 1);

    pub(crate) const fn heap(wants_huge: bool) -> Self {
        Self(if wants_huge { Self::WANTS_HUGE } else { 0 })
    }

    /// Records `space` bytes that the caller lent, a multiple of 8.
    pub(crate) const fn lent(space: usize) -> Self {
        Self(space | Self::LENT)
    }

    /// The system was advised to back the block with huge pages.
    pub(crate) const fn advised(self) -> Self {
        Self(self.0 | Self::HUGE)
    }

    pub(crate) const fn is_huge(self) -> bool {
        self.0 & Self::HUGE != 0 && self.wants_huge()
    }

    pub(crate) const fn wants_huge(self) -> bool {
        self.0 & Self::WANTS_HUGE != 0
    }

    pub(crate) const fn is_lent(self) -> bool {
        self.0 & Self::FLAGS == Self::LENT
    }

    /// Returns the number of bytes that are reserved or lent; 0 if the block is the allocator's.
    pub(crate) const fn space(self) -> usize {
        if self.0 & Self::TAILED != 0 { 0 } else { self.0 & !Self::FLAGS }
    }

    /// Records that a block of the heap has a tail of this many bytes, a multiple of 8, or none.
    pub(crate) const fn with_tail(self, bytes: usize) -> Self {
        Self(self.0 & Self::FLAGS | bytes | Self::TAILED)
    }

    /// Returns the number of bytes in the tail of a block of the heap.
    pub(crate) const fn tail(self) -> usize {
        self.0 & !(Self::TAILED | Self::FLAGS)
    }

    /// Says the kind in 32 bits, of a block without a tail.
    pub(crate) const fn brief(self) -> BriefOrigin {
        let grains = if self.is_lent() { 0 } else { self.space() / BriefOrigin::GRAIN };
        BriefOrigin((grains << Self::FLAGS.count_ones() | self.0 & Self::FLAGS) as u32)
    }

    /// Returns the alignment of the parts of such a block.
    pub(crate) const fn grain(self) -> usize {
        #[cfg(feature = "reserved")]
        if self.is_reserved() {
            return if self.is_huge() { sys::HUGE_PAGE } else { sys::GRAIN };
        }
        1
    }
}

/// An [`Origin`] in 32 bits: the grains of a reservation, and flags. The space of a lent block follows from its
/// capacity. (2²⁹ grains are more than any table of a container takes, whose slots have numbers of 32 bits.)
#[derive(Clone, Copy)]
pub(crate) struct BriefOrigin(u32);

impl BriefOrigin {
    #[cfg(feature = "reserved")]
    const GRAIN: usize = sys::GRAIN;
    #[cfg(not(feature = "reserved"))]
    const GRAIN: usize = 1;

    pub(crate) const fn is_lent(self) -> bool {
        self.0 as usize & Origin::FLAGS == Origin::LENT
    }

    /// Returns what was said in brief of a block of `bytes` bytes.
    pub(crate) const fn of(self, bytes: usize) -> Origin {
        let flags = self.0 as usize & Origin::FLAGS;
        let grains = self.0 as usize >> Origin::FLAGS.count_ones();
        let reserved = grains * Self::GRAIN;
        let space =
            if self.is_lent() { bytes.next_multiple_of(LentBlock::GRAIN) } else { reserved };
        Origin(space | flags)
    }
}

/// Reserved address space.
#[cfg(feature = "reserved")]
impl Origin {
    pub(crate) const fn is_ahead(self) -> bool {
        self.0 & Self::AHEAD != 0
    }

    pub(crate) const fn is_reserved(self) -> bool {
        self.space() != 0 && !self.is_lent()
    }

    /// Returns the unit in which this many bytes would be committed.
    pub(crate) const fn grain_for(bytes: usize, wants_huge: bool) -> usize {
        if wants_huge && bytes >= sys::HUGE_FROM { sys::HUGE_PAGE } else { sys::GRAIN }
    }

    /// Returns the alignment of a reservation whose contents want `align`.
    const fn alignment(self, align: usize) -> usize {
        if self.is_huge() && align < sys::HUGE_PAGE { sys::HUGE_PAGE } else { align }
    }

    /// Takes address space for `bytes` bytes, not none, of which none is memory yet.
    pub(crate) fn reserve(
        bytes: usize,
        align: usize,
        wants_huge: bool,
        ahead: bool,
    ) -> Result<(NonNull<u8>, Self), TryReserveError> {
        let grain = Self::grain_for(bytes, wants_huge);
        let huge = grain == sys::HUGE_PAGE;
        let space = bytes.next_multiple_of(grain);
        // (Rounded up, it may be more than any block is.)
        let max = isize::MAX as usize;
        if space > max {
            return Err(TryReserveError::CapacityOverflow { requested: space, max });
        }
        let flags = if huge { Self::HUGE } else { 0 } | if ahead { Self::AHEAD } else { 0 };
        let origin = Self(space | Self::heap(wants_huge).0 | flags);
        let first = sys::reserve(space + sys::GUARD, origin.alignment(align))?;
        if space >= sys::HUGE_PAGE {
            // Short insertions are what reserved memory is for: a first touch of a huge page, which
            // some systems give unasked, is not one.
            sys::advise_huge_pages(first, space, huge);
        }
        Ok((first, origin))
    }

    /// Returns the origin of a part of a reservation, of `bytes` bytes, a multiple of the grain.
    pub(crate) const fn part(self, bytes: usize) -> Self {
        Self(bytes | self.0 & Self::FLAGS)
    }

    /// Returns the number of bytes that are committed if `used` are used.
    pub(crate) fn committed(self, used: usize) -> usize {
        if self.is_ahead() {
            // Ahead of use by as much as is used, within bounds; a quarter of that at a time.
            let stretch = used.next_power_of_two().clamp(1 << 20, 16 << 20);
            let grain = self.grain().max(stretch / 4);
            return (used + stretch).next_multiple_of(grain).min(self.space());
        }
        used.next_multiple_of(self.grain())
    }

    /// Commits what lies between `old` bytes and `new` ones, or gives it back.
    ///
    /// # Safety
    /// 1. `first` begins a reservation, or a part of one, of this origin.
    /// 2. Both are at most its space, and multiples of the grain.
    /// 3. The first `old` bytes are memory, and beyond `new` none is needed.
    pub(crate) unsafe fn change(
        self,
        first: NonNull<u8>,
        old: usize,
        new: usize,
    ) -> Result<(), TryReserveError> {
        let (from, bytes) = (old.min(new), old.abs_diff(new));
        let from = first.map_addr(|first| first.saturating_add(from));
        // SAFETY: by (1) and (2) what lies between is within the reservation; where there is to be
        // less, by (3) it is memory, and none of it is needed.
        unsafe {
            if new > old {
                sys::commit(from, bytes)?;
                if self.is_ahead() {
                    sys::touch_ahead(from, bytes);
                }
            } else if new < old {
                if self.is_ahead() {
                    sys::leave_alone(from, bytes);
                }
                sys::decommit(from, bytes);
            }
        }
        Ok(())
    }

    /// Returns the address space.
    ///
    /// # Safety
    /// 1. `first` is what [`reserve`](Self::reserve) answered with this origin, for contents of this alignment.
    /// 2. It is not used again.
    pub(crate) unsafe fn release(self, first: NonNull<u8>, align: usize) {
        if self.is_ahead() {
            sys::leave_alone(first, self.space());
        }
        // SAFETY: (1) `reserve` took it by the same numbers; (2) it is not used again.
        unsafe { sys::release(first, self.space() + sys::GUARD, self.alignment(align)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_says_what_block_it_is_of() {
        for wants_huge in [false, true] {
            let heap = Origin::heap(wants_huge);
            for block in
                [heap, heap.with_tail(0), heap.with_tail(64), heap.with_tail(8).with_tail(24)]
            {
                assert_eq!((block.space(), block.grain(), block.is_lent()), (0, 1, false));
                assert_eq!((block.wants_huge(), block.is_huge()), (wants_huge, false));
                let huge = block.advised().advised();
                assert_eq!(
                    (huge.wants_huge(), huge.is_huge(), huge.space()),
                    (wants_huge, wants_huge, 0)
                );
                assert_eq!(huge.tail(), block.tail());
            }
            assert_eq!((heap.tail(), heap.with_tail(64).tail()), (0, 64));
            assert_eq!(
                (heap.with_tail(64).with_tail(24).tail(), heap.with_tail(8).with_tail(0).tail()),
                (24, 0)
            );
        }
        let lent = Origin::lent(72);
        assert_eq!((lent.space(), lent.grain(), lent.is_lent()), (72, 1, true));
        assert_eq!(
            (lent.wants_huge(), lent.is_huge(), Origin::lent(0).is_lent()),
            (false, false, true)
        );
    }

    #[cfg(feature = "reserved")]
    #[test]
    #[cfg_attr(miri, ignore = "there is no address space to reserve")]
    fn reservations_are_multiples_of_their_pages_and_huge_ones_begin_at_one() {
        for (wants_huge, ahead) in [(false, false), (false, true), (true, false), (true, true)] {
            for bytes in [1, sys::GRAIN + 1, sys::HUGE_FROM, 3 * sys::HUGE_PAGE + 1] {
                let (first, origin) = Origin::reserve(bytes, 8, wants_huge, ahead).unwrap();
                let huge = wants_huge && bytes >= sys::HUGE_FROM;
                let grain = if huge { sys::HUGE_PAGE } else { sys::GRAIN };
                assert_eq!((origin.is_reserved(), origin.is_lent()), (true, false));
                assert_eq!((origin.is_ahead(), origin.wants_huge()), (ahead, wants_huge));
                assert_eq!((origin.is_huge(), origin.grain()), (huge, grain));
                assert_eq!(origin.space(), bytes.next_multiple_of(grain));
                assert!(!huge || first.addr().get() % sys::HUGE_PAGE == 0);
                assert_eq!(origin.alignment(8), if huge { sys::HUGE_PAGE } else { 8 });
                assert_eq!(origin.alignment(4 * sys::HUGE_PAGE), 4 * sys::HUGE_PAGE);
                let part = origin.part(5 * grain);
                assert_eq!(
                    (part.space(), part.grain(), part.is_ahead()),
                    (5 * grain, grain, ahead)
                );
                // SAFETY: (1) it was just reserved, and (2) is not used again.
                unsafe { origin.release(first, 8) };
            }
        }
    }

    #[cfg(feature = "reserved")]
    #[test]
    fn a_reservation_that_no_block_can_be_is_refused_as_such() {
        let max = isize::MAX as usize;
        for bytes in [max, max - 1] {
            let refused = Origin::reserve(bytes, 8, false, false).map(|_| ());
            let requested = max + 1;
            assert_eq!(refused, Err(TryReserveError::CapacityOverflow { requested, max }));
        }
    }

    /// Ahead of use by what is used, up to the next power of two and 1 to 16 MiB, in quarters of that.
    #[cfg(feature = "reserved")]
    #[test]
    fn memory_is_committed_ahead_in_quarters_of_what_is_used() {
        const MIB: usize = 1 << 20;
        let origin = Origin((64 * MIB) | Origin::AHEAD);
        for (used, quarters, of) in [
            (1, 5, MIB / 4),
            (MIB, 8, MIB / 4),
            (MIB + 1, 7, MIB / 2),
            (5 * MIB, 7, 2 * MIB),
            (33 * MIB, 13, 4 * MIB),
            (50 * MIB, 16, 4 * MIB),
        ] {
            assert_eq!(origin.committed(used), quarters * of, "{used} bytes");
        }
        let plain = Origin(64 * MIB);
        assert_eq!((plain.committed(1), plain.committed(MIB)), (sys::GRAIN, MIB));
    }
}

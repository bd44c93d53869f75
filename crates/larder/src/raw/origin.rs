//! Where a block lies: on the heap, in reserved address space, or in what the caller lent.
//!
//! **Invariant.** None of its own: an origin is a number that its block's owner keeps. The functions
//! that touch memory say what they need.

#[cfg(feature = "reserved")]
use core::ptr::NonNull;

#[cfg(feature = "reserved")]
use crate::error::TryReserveError;
#[cfg(feature = "reserved")]
use crate::raw::sys;

/// Where a block lies, in one number: how many bytes of its own it has, reserved or lent (none: it is
/// on the heap), a multiple of 8, and flags. Containers have many blocks, and are to stay small.
#[derive(Clone, Copy)]
pub(crate) struct Origin(usize);

impl Origin {
    /// Whether the system was advised to back this block with huge pages.
    const HUGE: usize = 1;
    /// Whether it is to be, where a block begins large.
    const WANTS_HUGE: usize = 2;
    /// Whether a helper touches pages before they are needed.
    const AHEAD: usize = 4;
    const FLAGS: usize = Self::HUGE | Self::WANTS_HUGE | Self::AHEAD;
    /// Lent: huge pages that were not wanted, which there are not otherwise.
    const LENT: usize = Self::HUGE;
    /// On the heap, with a tail: what would be the space is its size. (No space is so large.)
    const TAILED: usize = 1 << (usize::BITS - 1);

    pub(crate) const fn heap(wants_huge: bool) -> Self {
        Self(if wants_huge { Self::WANTS_HUGE } else { 0 })
    }

    /// So many bytes that the caller lent, a multiple of 8.
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

    /// How many bytes are reserved or lent; none where the block is the allocator's.
    pub(crate) const fn space(self) -> usize {
        if self.0 & Self::TAILED != 0 { 0 } else { self.0 & !Self::FLAGS }
    }

    /// Of a block of the heap: it has a tail of so many bytes, a multiple of 8, or none.
    pub(crate) const fn with_tail(self, bytes: usize) -> Self {
        Self(self.0 & Self::FLAGS | bytes | if bytes > 0 { Self::TAILED } else { 0 })
    }

    /// How many bytes the tail of a block of the heap has.
    pub(crate) const fn tail(self) -> usize {
        if self.0 & Self::TAILED != 0 { self.0 & !(Self::TAILED | Self::FLAGS) } else { 0 }
    }

    /// What the parts of such a block begin at multiples of.
    pub(crate) const fn grain(self) -> usize {
        #[cfg(feature = "reserved")]
        if self.is_reserved() {
            return if self.is_huge() { sys::HUGE_PAGE } else { sys::GRAIN };
        }
        1
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

    /// What so many bytes would be committed in multiples of.
    pub(crate) const fn grain_for(bytes: usize, wants_huge: bool) -> usize {
        if wants_huge && bytes >= sys::HUGE_FROM { sys::HUGE_PAGE } else { sys::GRAIN }
    }

    /// What a reservation is aligned to, where its contents want `align`.
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

    /// A part of a reservation, of so many bytes, a multiple of the grain.
    pub(crate) const fn part(self, bytes: usize) -> Self {
        Self(bytes | self.0 & Self::FLAGS)
    }

    /// How many bytes are committed where so many are used.
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
    /// `first` begins a reservation, or a part of one, of this origin. Both are at most its space, and
    /// multiples of the grain; the first `old` bytes are memory, and beyond `new` none is needed.
    pub(crate) unsafe fn change(
        self,
        first: NonNull<u8>,
        old: usize,
        new: usize,
    ) -> Result<(), TryReserveError> {
        let (from, bytes) = (old.min(new), old.abs_diff(new));
        // SAFETY: by the contract.
        let from = unsafe { first.add(from) };
        if new > old {
            // SAFETY: what lies between is within the reservation.
            unsafe { sys::commit(from, bytes) }?;
            if self.is_ahead() {
                sys::touch_ahead(from, bytes);
            }
        } else if new < old {
            if self.is_ahead() {
                sys::leave_alone(from, bytes);
            }
            // SAFETY: the part is committed, and the owner gave up what is in it.
            unsafe { sys::decommit(from, bytes) };
        }
        Ok(())
    }

    /// Returns the address space.
    ///
    /// # Safety
    /// `first` is what [`reserve`](Self::reserve) answered with this origin, for contents of this
    /// alignment; it is not used again.
    pub(crate) unsafe fn release(self, first: NonNull<u8>, align: usize) {
        if self.is_ahead() {
            sys::leave_alone(first, self.space());
        }
        // SAFETY: by the contract.
        unsafe { sys::release(first, self.space() + sys::GUARD, self.alignment(align)) };
    }
}

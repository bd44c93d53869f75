//! How a list is known.
//!
//! **Invariant.** None.

/// A list: from above its generation, the number of its pool, and the slot of its head. Zero is no list.
///
/// The upper half is the *tag*, which the head has too: so one comparison checks the generation and most of the number. The
/// lower half has the rest of the number above the slot: a pool turns it into a slot by its *twist*, and makes a number
/// beyond all slots of that of another pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ListKey(pub(crate) u64);

const SLOT_BITS: u32 = 28;
const BRAND_BITS: u32 = 16;

/// How many bits of a pool's number lie in the lower half.
const LOW_BITS: u32 = u32::BITS - SLOT_BITS;

impl ListKey {
    /// Where the generation lies in the tag.
    pub(crate) const GENERATION_AT: u32 = BRAND_BITS - LOW_BITS;

    /// How many bits a generation has.
    pub(crate) const GENERATION_BITS: u32 = u32::BITS - Self::GENERATION_AT;

    /// How many lists a pool can have.
    pub(super) const MAX_SLOTS: u32 = (1 << SLOT_BITS) - 1;

    /// No list.
    pub(crate) const NONE: Self = Self(0);

    /// The list of this head in a pool.
    #[inline]
    pub(super) const fn of(tag: u32, slot: u32, brand: u16) -> Self {
        Self((tag as u64) << 32 | (slot ^ Self::twist(brand)) as u64)
    }

    #[inline]
    pub(super) const fn tag_of(generation: u32, brand: u16) -> u32 {
        generation << Self::GENERATION_AT | brand as u32 >> LOW_BITS
    }

    #[inline]
    pub(super) const fn twist(brand: u16) -> u32 {
        (brand as u32) << SLOT_BITS
    }

    #[inline]
    pub(super) const fn tag(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    pub(super) const fn low(self) -> u32 {
        self.0 as u32
    }

    /// The slot of the head, in the list's own pool.
    #[inline]
    pub(crate) const fn slot(self) -> u32 {
        self.low() & Self::MAX_SLOTS
    }

    /// Odd, but of no list.
    #[inline]
    pub(crate) const fn generation(self) -> u32 {
        self.tag() >> Self::GENERATION_AT
    }

    /// The number of its pool.
    #[inline]
    pub(crate) const fn brand(self) -> u16 {
        (self.0 >> SLOT_BITS) as u16
    }
}

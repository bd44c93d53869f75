//! How a list is known within its pool.
//!
//! **Invariant.** None.

use crate::key::{Key, sealed};
use crate::raw::generation::Counter;

/// The slot of a list's head, and its generation: so few bits that a handle of 8 bytes has room for
/// the number of the pool beside them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ListKey {
    slot: u32,
    generation: u32,
}

impl ListKey {
    /// How many bits a slot needs.
    pub(crate) const SLOT_BITS: u32 = 28;

    /// How many bits a generation needs.
    pub(crate) const GENERATION_BITS: u32 = 20;

    /// The key of any two numbers, of which those that no list has are stale.
    #[inline]
    pub(crate) const fn of(slot: u32, generation: u32) -> Self {
        Self { slot, generation }
    }

    #[inline]
    pub(crate) const fn bits(self) -> (u32, u32) {
        (self.slot, self.generation)
    }
}

impl sealed::Compose for ListKey {
    type Generation = Counter<{ 32 - ListKey::GENERATION_BITS }>;

    #[inline]
    fn compose(slot: u32, generation: Self::Generation) -> Self {
        Self { slot, generation: generation.get() }
    }

    #[inline]
    fn generation(self) -> Self::Generation {
        Counter::of(self.generation)
    }
}

impl Default for ListKey {
    fn default() -> Self {
        Self::DANGLING
    }
}

impl Key for ListKey {
    type Bits = u64;

    const MAX_SLOTS: u32 = (1 << Self::SLOT_BITS) - 1;

    const DANGLING: Self = Self { slot: u32::MAX, generation: u32::MAX };

    #[inline]
    fn slot(self) -> u32 {
        self.slot
    }

    fn to_bits(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }

    fn from_bits(bits: u64) -> Option<Self> {
        Some(Self::of(bits as u32, (bits >> 32) as u32))
    }
}

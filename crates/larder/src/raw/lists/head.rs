//! How a list is known, and what is known of it.
//!
//! **Invariant.** None.

use crate::raw::lives::Slot;

/// A list: from above its generation, the number of its pool, and the slot of its head. Zero is no list.
///
/// The upper half is the *tag*, which the head has too: so one comparison checks the generation and most of the number. The
/// lower half has the rest of the number above the slot: a pool turns it into a slot by its *twist*, and makes a number
/// beyond all slots of that of another pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
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

/// How many classes there are; class 0 is that of no piece.
pub(super) const CLASSES: usize = 1 << CLASS_BITS;
const CLASS_BITS: u32 = 5;

/// How many elements the smallest piece has: room for a link, and not much less than the smallest block that an allocator
/// gives out.
pub(super) const fn least<T>() -> u32 {
    match size_of::<T>() {
        0 | 1 => 8,
        2..=1024 => 2,
        _ => 1,
    }
}

/// How many elements fit into a piece of this class.
#[inline(always)]
pub(super) const fn room_of<T>(class: u32) -> u32 {
    match size_of::<T>() {
        0 => u32::MAX,
        // 0 for class 0, without asking.
        _ => ((least::<T>() << class) >> 1) & !(least::<T>() - 1),
    }
}

/// The smallest class with room for so many elements, which are at most as many as a list can have.
#[inline]
pub(super) const fn class_for<T>(len: u32) -> u32 {
    if size_of::<T>() == 0 || len == 0 {
        return 0;
    }
    u32::BITS + 1 - ((len - 1) / least::<T>()).leading_zeros()
}

/// Where a list lies.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// As in a key: 20 bits of generation, and the upper bits of the pool's number.
    pub(super) tag: u32,
    pub(super) start: u32,
    /// From above: length, class.
    pub(super) fill: u32,
}

/// One generation, in a tag.
pub(super) const GENERATION: u32 = 1 << ListKey::GENERATION_AT;

impl Head {
    pub(super) const fn generation(self) -> u32 {
        self.tag / GENERATION
    }

    #[inline(always)]
    pub(super) const fn class(self) -> u32 {
        self.fill % CLASSES as u32
    }

    #[inline(always)]
    pub(super) const fn room<T>(self) -> u32 {
        room_of::<T>(self.class())
    }

    #[inline(always)]
    pub(super) const fn len<T>(self) -> u32 {
        if size_of::<T>() == 0 { self.start } else { self.fill >> CLASS_BITS }
    }

    #[inline(always)]
    pub(super) const fn set_len<T>(&mut self, len: u32) {
        if size_of::<T>() == 0 {
            self.start = len;
        } else {
            let more = len.wrapping_sub(self.len::<T>());
            self.fill = self.fill.wrapping_add(more << CLASS_BITS);
        }
    }

    /// Without values or a piece.
    pub(super) const fn emptied(self) -> Self {
        Self { start: 0, fill: 0, ..self }
    }
}

impl Slot for Head {
    #[inline(always)]
    fn life(self) -> u32 {
        self.generation()
    }

    #[inline(always)]
    fn end(&mut self) {
        self.tag = self.tag.wrapping_add(GENERATION);
    }

    #[inline(always)]
    fn link(&mut self) -> &mut u32 {
        &mut self.start
    }
}

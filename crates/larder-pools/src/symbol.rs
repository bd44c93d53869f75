//! The number of a text, and its conversion to a slot and a life.
//!
//! **Invariant.** Bit 24 of a [`Numbering`] is clear. It is set in the life of every text, so no text has the symbol 0.

use core::fmt;
use core::num::NonZeroU32;

/// A text in a [`StringPool`](crate::StringPool): 4 bytes, copyable, compared as a number.
///
/// Two symbols of one pool are equal if and only if their texts are. Their order is not that of the texts.
/// `Option<Symbol>` has 4 bytes, too.
///
/// # Examples
/// ```
/// use larder::pools::{StringPool, Symbol};
///
/// let mut names = StringPool::new();
/// let (a, b) = (names.intern("wren"), names.intern("wren"));
/// assert_eq!(a, b);
/// assert_eq!(size_of::<Option<Symbol>>(), 4);
/// ```
#[doc(alias("atom", "interned", "string id", "name"))]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Symbol(NonZeroU32);

impl Symbol {
    /// Returns the symbol as a number. O(1). It is valid for this pool, and one that is loaded of it: where the pool is
    /// not saved, save the text instead.
    ///
    /// # Examples
    /// ```
    /// use larder::pools::{StringPool, Symbol};
    ///
    /// let symbol = StringPool::new().intern("wren");
    /// assert_eq!(Symbol::from_bits(symbol.to_bits()), Some(symbol));
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0.get()
    }

    /// Returns the symbol with this number; `None` for 0. O(1). Any symbol is safe to use.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::pools::Symbol::from_bits(0), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        match NonZeroU32::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

impl fmt::Display for Symbol {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:x}", self.0)
    }
}

impl fmt::Debug for Symbol {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The position of the life, above a slot.
pub(crate) const LIFE_AT: u32 = 24;

/// The difference between a symbol and the number of its life and its slot, in 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering(u32);

const SLOT_MASK: u32 = (1 << LIFE_AT) - 1;

/// The number of texts that a slot can have. The first life differs between pools.
const LIVES: u32 = 1 << (31 - LIFE_AT);

impl Numbering {
    /// The numbering of the pool with this number. Pools start far from each other: the `k`th pool after another at a
    /// distance of at least 5,000,000 / `k` slots, for `k` up to 75,000. (Multiples of the golden ratio, here
    /// 2³² divided by it, are furthest apart.)
    pub(crate) const fn of_pool(number: u32) -> Self {
        let life = number % LIVES;
        let slot = number.wrapping_mul(0x9e37_79b9) >> (32 - LIFE_AT);
        Self(life << (LIFE_AT + 1) | slot)
    }

    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) const fn to_bits(self) -> u32 {
        self.0
    }

    /// Returns the symbol of this number, if one has it.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) const fn from_bits(bits: u32) -> Option<Self> {
        if bits >> LIFE_AT & 1 == 0 { Some(Self(bits)) } else { None }
    }

    /// The slot and the life.
    #[inline(always)]
    pub(crate) const fn parts(self, symbol: Symbol) -> (u32, u32) {
        let parts = symbol.to_bits().wrapping_add(self.0);
        (parts & SLOT_MASK, parts >> LIFE_AT)
    }

    /// The symbol of a slot in a life, an odd one.
    #[inline(always)]
    pub(crate) const fn symbol(self, slot: u32, life: u32) -> Symbol {
        match NonZeroU32::new((life << LIFE_AT | slot).wrapping_sub(self.0)) {
            Some(symbol) => Symbol(symbol),
            // By the invariant this is not so.
            None => Symbol(NonZeroU32::MIN),
        }
    }

    /// Skips the numbers of the first `slots` slots, until all others were skipped too.
    pub(crate) fn leave(&mut self, slots: usize) {
        let slot = self.0.wrapping_sub(slots as u32) & SLOT_MASK;
        self.0 = self.0 & !SLOT_MASK | slot;
    }
}

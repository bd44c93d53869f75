//! The number of a text.

use core::fmt;
use core::num::NonZeroU32;

/// A text in a [`StringPool`](crate::pools::StringPool): 4 bytes, copyable, compared as a number.
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
    /// The symbol as a number. O(1). It is valid for this pool in this run of the program: save the text instead.
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

    /// The symbol with this number; `None` for 0. O(1). Any symbol is safe to use.
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:x}", self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

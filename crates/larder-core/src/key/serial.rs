//! A key whose version is never issued twice.

use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU64;

use super::{Key, key, key_traits, sealed};
use crate::key::generation::Number;

/// A slot and the number of its insertion, counted over the container's whole life: 1, 2, 3, ….
///
/// No slot is ever retired, no version is ever repeated, and versions tell which of two values is older. The
/// cost is 16 bytes per key and 8 per slot. The idea of one counter for a whole arena is from the source
/// document "Memory Arena" (`records/sources.md`, C10).
///
/// `Option<Serial<M>>` has 16 bytes too. Prints as `12v3`.
///
/// # Examples
/// ```
/// use larder::{Arena, key::Serial};
///
/// let mut arena: Arena<char, Serial<char>> = Arena::with_key();
/// let a = arena.insert('a');
/// arena.remove(a);
/// let b = arena.insert('b');
/// assert_eq!((a.version().get(), b.version().get()), (1, 2));
/// assert_eq!(a.slot(), b.slot());
/// ```
#[repr(align(8))] // so that it is the same on targets that align 64 bits to 4
pub struct Serial<M> {
    version: NonZeroU64,
    slot: u32,
    marker: PhantomData<fn() -> M>,
}

const _: () = assert!(size_of::<Serial<u8>>() == 16);
const _: () = assert!(size_of::<Option<Serial<u8>>>() == 16);

impl<M> Serial<M> {
    /// Returns the number of the slot, from 0. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::Serial};
    ///
    /// let mut arena: Arena<char, Serial<char>> = Arena::with_key();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!((a.slot(), b.slot()), (0, 1));
    /// ```
    #[inline]
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.slot
    }

    /// Returns the number of the insertion that issued this key, counted from 1. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::Serial};
    ///
    /// let mut arena: Arena<char, Serial<char>> = Arena::with_key();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert!(a.version() < b.version()); // `a` is older
    /// ```
    #[inline]
    #[must_use]
    pub const fn version(self) -> NonZeroU64 {
        self.version
    }

    /// Returns the key as a number: the version above the lowest 32 bits, the slot in them. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::Serial};
    ///
    /// let mut arena: Arena<char, Serial<char>> = Arena::with_key();
    /// let key = arena.insert('x');
    /// assert_eq!(key.to_bits(), 1 << 32);
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u128 {
        (self.version.get() as u128) << 32 | self.slot as u128
    }

    /// Returns the key whose number this is; `None` where a key cannot have this number. O(1).
    ///
    /// Any key is safe to use: one that was never issued is stale. Versions are below 2⁶³. The only key with
    /// slot `u32::MAX` is the dangling one.
    ///
    /// # Examples
    /// ```
    /// use larder::{Key, key::Serial};
    ///
    /// let key = Serial::<char>::from_bits(3 << 32 | 12).unwrap();
    /// assert_eq!(key.to_string(), "12v3");
    /// assert_eq!(Serial::<char>::from_bits(12), None); // versions begin at 1
    /// assert_eq!(Serial::<char>::from_bits(1 << 95 | 12), None); // and are below 2^63
    /// assert_eq!(Serial::<char>::from_bits(3 << 32 | 0xFFFF_FFFF), Some(Serial::DANGLING));
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u128) -> Option<Self> {
        let (version, slot) = ((bits >> 32) as u64, bits as u32);
        // From `PARKED` on are the numbers of slots that wait for their key: no key may equal one.
        // (No container has the slot of the dangling key.)
        let dangling = slot == u32::MAX;
        if bits >> 96 != 0 || (version >= Number::PARKED && !dangling) {
            return None;
        }
        match NonZeroU64::new(version) {
            Some(_) if dangling => Some(Self::DANGLING),
            Some(version) => Some(Self { version, slot, marker: PhantomData }),
            None => None,
        }
    }

    #[inline]
    const fn order(self) -> (u32, u64) {
        (self.slot, self.version.get())
    }

    #[inline]
    const fn hash_bits(self) -> u64 {
        self.version.get() ^ (self.slot as u64) << 32
    }
}

impl<M> sealed::Compose for Serial<M> {
    type Generation = Number;

    #[inline]
    fn compose(slot: u32, generation: Number) -> Self {
        // The number of a live slot is never 0, and below `PARKED`; a row of a mapped file may say anything.
        let version = NonZeroU64::new(generation.0 & !Number::PARKED).unwrap_or(NonZeroU64::MIN);
        Self { version, slot, marker: PhantomData }
    }

    #[inline]
    fn generation(self) -> Number {
        Number(self.version.get())
    }
}

key! {
    Serial<M>, u128,
    max_slots: u32::MAX,
    dangling: Self { version: NonZeroU64::MAX, slot: u32::MAX, marker: PhantomData }
}

key_traits!(Serial<M>, dangling: |key| key.slot == u32::MAX, show: |key, f: &mut fmt::Formatter<'_>| {
    write!(f, "{}v{}", key.slot, key.version)
});

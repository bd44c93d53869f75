//! A key without a generation.

use core::fmt;
use core::marker::PhantomData;
use core::num::{NonZeroU32, TryFromIntError};

use super::{Key, key, key_traits, sealed};
use crate::raw::generation::Unversioned;

/// The number of a slot and nothing else: 4 bytes, and nothing stored beside the value.
///
/// As in `slab` and Rea's unversioned lists, the key of a removed value refers to the value that its slot has
/// now. For data whose owner knows when it was removed.
///
/// `Option<BareHandle<M>>` has 4 bytes too. Prints as `12`.
///
/// # Examples
/// ```
/// use larder::{Arena, key::BareHandle};
///
/// let mut arena: Arena<char, BareHandle<char>> = Arena::with_key();
/// let a = arena.insert('a');
/// arena.remove(a);
/// assert_eq!(arena.get(a), None);
/// arena.insert('b');
/// assert_eq!(arena.get(a), Some(&'b')); // no generation tells them apart
/// ```
#[repr(transparent)]
#[doc(alias = "Slot")]
pub struct BareHandle<M> {
    /// One more than the slot's number, for the niche.
    next: NonZeroU32,
    marker: PhantomData<fn() -> M>,
}

const _: () = assert!(size_of::<BareHandle<u64>>() == 4);
const _: () = assert!(size_of::<Option<BareHandle<u64>>>() == 4);

impl<M> BareHandle<M> {
    /// The key of a slot; `None` for `u32::MAX`, which no slot has. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::BareHandle};
    ///
    /// let mut arena: Arena<char, BareHandle<char>> = Arena::with_key();
    /// let key = arena.insert('x');
    /// assert_eq!(BareHandle::from_index(0), Some(key));
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_index(slot: u32) -> Option<Self> {
        match NonZeroU32::MIN.checked_add(slot) {
            Some(next) => Some(Self { next, marker: PhantomData }),
            None => None,
        }
    }

    /// The number of the slot, from 0. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::BareHandle};
    ///
    /// let mut arena: Arena<char, BareHandle<char>> = Arena::with_key();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!((a.slot(), b.slot()), (0, 1));
    /// ```
    #[inline]
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.next.get() - 1
    }

    /// The key as a number: the slot's. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::BareHandle};
    ///
    /// let mut arena: Arena<char, BareHandle<char>> = Arena::with_key();
    /// let key = arena.insert('x');
    /// assert_eq!(key.to_bits(), 0);
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.slot()
    }

    /// The key whose number this is; `None` where a key cannot have this number. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::key::BareHandle;
    ///
    /// assert_eq!(BareHandle::<char>::from_bits(12).unwrap().slot(), 12);
    /// assert_eq!(BareHandle::<char>::from_bits(u32::MAX), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        Self::from_index(bits)
    }

    #[inline]
    const fn order(self) -> u32 {
        self.next.get()
    }

    #[inline]
    const fn hash_bits(self) -> u64 {
        self.slot() as u64
    }
}

/// The index as a number.
impl<M> From<BareHandle<M>> for usize {
    #[inline]
    fn from(key: BareHandle<M>) -> Self {
        key.slot() as Self
    }
}

/// The key of an index below 2³² - 1; an error for one above.
///
/// ```
/// use larder::{Arena, key::BareHandle};
///
/// let words: Arena<&str, BareHandle<&str>> = [(3, "ox")].into_iter().collect();
/// assert_eq!(words[BareHandle::try_from(3_usize)?], "ox");
/// assert!(BareHandle::<&str>::try_from(usize::MAX).is_err());
/// # Ok::<(), core::num::TryFromIntError>(())
/// ```
impl<M> TryFrom<usize> for BareHandle<M> {
    type Error = TryFromIntError;

    #[inline]
    fn try_from(index: usize) -> Result<Self, TryFromIntError> {
        let next = NonZeroU32::try_from(u32::try_from(index)?.wrapping_add(1))?;
        Ok(Self { next, marker: PhantomData })
    }
}

impl<M> sealed::Compose for BareHandle<M> {
    type Generation = Unversioned;

    #[inline]
    fn compose(slot: u32, _: Unversioned) -> Self {
        Self::from_index(slot).unwrap_or(Self::DANGLING)
    }

    #[inline]
    fn generation(self) -> Unversioned {
        Unversioned
    }
}

// The last number that the niche leaves is for the dangling key.
key! {
    BareHandle<M>, u32,
    max_slots: u32::MAX - 1, dangling: Self { next: NonZeroU32::MAX, marker: PhantomData }
}

key_traits!(BareHandle<M>, show: |key, f: &mut fmt::Formatter<'_>| write!(f, "{}", key.slot()));

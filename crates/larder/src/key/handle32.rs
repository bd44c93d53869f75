//! A handle in 4 bytes.

use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use super::{Key, key, key_traits, sealed};
use crate::raw::generation::{Counter, IndexBits, Width};

/// A [`Handle`](crate::Handle) in 4 bytes: `INDEX_BITS` bits of slot, the rest of generation.
///
/// With the default of 20 bits a container has up to 1,048,575 slots, each of which lives 2,048
/// times before it is retired. Stale handles never answer again, as with `Handle`; what runs out
/// sooner is the container's room. `INDEX_BITS` is at most 30.
///
/// A slot stores as narrow a generation: 2 bytes from 17 `INDEX_BITS` on, 1 byte from 25 on. So an `Arena` of
/// `u8` has 4 bytes a slot, where it has 8 with `Handle`.
///
/// `Option<Handle32<M>>` has 4 bytes too. Prints as `12v3`.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle32};
///
/// let mut arena: Arena<char, Handle32<char>> = Arena::with_key();
/// let x = arena.insert('x');
/// assert_eq!(arena[x], 'x');
/// assert_eq!(size_of_val(&x), 4);
/// ```
#[repr(transparent)]
pub struct Handle32<M, const INDEX_BITS: u32 = 20> {
    bits: NonZeroU32,
    marker: PhantomData<fn() -> M>,
}

const _: () = assert!(size_of::<Handle32<u64>>() == 4);
const _: () = assert!(size_of::<Option<Handle32<u64>>>() == 4);

impl<M, const INDEX_BITS: u32> Handle32<M, INDEX_BITS> {
    const SLOT_MASK: u32 = {
        assert!(INDEX_BITS >= 1 && INDEX_BITS <= 30, "INDEX_BITS is from 1 to 30");
        (1 << INDEX_BITS) - 1
    };

    /// The number of the slot, from 0. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle32};
    ///
    /// let mut arena: Arena<char, Handle32<char>> = Arena::with_key();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!((a.slot(), b.slot()), (0, 1));
    /// ```
    #[inline]
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.bits.get() & Self::SLOT_MASK
    }

    /// The generation of the slot while it holds this handle's value; always odd. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle32};
    ///
    /// let mut arena: Arena<char, Handle32<char>> = Arena::with_key();
    /// let a = arena.insert('a');
    /// arena.remove(a);
    /// let b = arena.insert('b'); // in the same slot
    /// assert_eq!((a.generation(), b.generation()), (1, 3));
    /// ```
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.bits.get() >> INDEX_BITS
    }

    /// The handle as a number: the generation in the upper bits, the slot in the lower
    /// `INDEX_BITS`. O(1). The form will not change.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Handle32};
    ///
    /// let mut arena: Arena<char, Handle32<char>> = Arena::with_key();
    /// let key = arena.insert('x');
    /// assert_eq!(key.to_bits(), 1 << 20);
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.bits.get()
    }

    /// The handle whose number this is; `None` where a handle cannot have this number. O(1).
    ///
    /// Of the highest slot there is one handle, the dangling one.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle32, Key};
    ///
    /// let handle = Handle32::<char>::from_bits(3 << 20 | 12).unwrap();
    /// assert_eq!(handle.to_string(), "12v3");
    /// assert_eq!(Handle32::<char>::from_bits(2 << 20 | 12), None); // generations are odd
    /// assert_eq!(Handle32::<char>::from_bits(3 << 20 | 0xF_FFFF), Some(Handle32::DANGLING));
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        match NonZeroU32::new(bits) {
            Some(bits) if (bits.get() >> INDEX_BITS) % 2 == 1 => {
                let dangling = bits.get() & Self::SLOT_MASK == Self::SLOT_MASK;
                let bits = if dangling { NonZeroU32::MAX } else { bits };
                Some(Self { bits, marker: PhantomData })
            }
            _ => None,
        }
    }

    #[inline]
    const fn order(self) -> u32 {
        self.bits.get().rotate_right(INDEX_BITS)
    }

    #[inline]
    const fn hash_bits(self) -> u64 {
        self.bits.get() as u64
    }
}

impl<M, const INDEX_BITS: u32> sealed::Compose for Handle32<M, INDEX_BITS>
where
    IndexBits<INDEX_BITS>: Width,
{
    type Generation = Counter<INDEX_BITS>;

    #[inline]
    fn compose(slot: u32, generation: Counter<INDEX_BITS>) -> Self {
        // The generation of a live slot is odd, so `| 1` changes nothing but the proof.
        let bits = NonZeroU32::MIN | generation.get();
        let bits = NonZeroU32::new(bits.get() << INDEX_BITS | slot).unwrap_or(NonZeroU32::MAX);
        Self { bits, marker: PhantomData }
    }

    #[inline]
    fn generation(self) -> Counter<INDEX_BITS> {
        Counter::of(self.bits.get() >> INDEX_BITS)
    }
}

// One slot less than the bits could name: the last is for the dangling handle.
key! {
    Handle32<M, const INDEX_BITS: u32> where [IndexBits<INDEX_BITS>: Width], u32,
    max_slots: Self::SLOT_MASK, dangling: Self { bits: NonZeroU32::MAX, marker: PhantomData }
}

key_traits!(Handle32<M, const INDEX_BITS: u32>, show: |key, f: &mut fmt::Formatter<'_>| {
    write!(f, "{}v{}", key.slot(), key.generation())
});

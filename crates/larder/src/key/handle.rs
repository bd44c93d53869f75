//! The default key: slot and generation in 8 bytes.

use core::fmt;
use core::marker::PhantomData;
use core::num::{NonZeroU32, NonZeroU64};

use super::{Key, key, key_traits, sealed};
use crate::raw::generation::Counter;

/// A weak reference to a value: 8 bytes, copyable, harmless once the value is gone.
///
/// Not a pointer and not reference counted: a handle keeps nothing alive. It holds the slot of its value and
/// the slot's *generation*, which changes on every insertion and removal. A handle of an earlier generation
/// is *stale*: it never refers to another value. A slot whose generations are used up (after 2³¹ values) is
/// retired.
///
/// `Option<Handle<M>>` has 8 bytes too, `==` is one comparison of 64 bits, and the marker `M` needs no
/// traits. The `Default` is dangling. Prints as `12v3`, slot 12 in generation 3.
///
/// # Examples
/// ```
/// use larder::{Arena, Handle};
///
/// struct Missile {
///     target: Handle<Enemy>,
/// }
/// struct Enemy;
///
/// let mut enemies = Arena::new();
/// let missile = Missile { target: enemies.insert(Enemy) };
/// enemies.remove(missile.target);
/// enemies.insert(Enemy); // uses the same slot
/// assert!(enemies.get(missile.target).is_none());
/// ```
#[doc(alias("key", "index", "weak reference", "id", "generational index"))]
#[repr(C, align(8))]
pub struct Handle<M> {
    /// The generation above, the slot below. One number, so that it is stored and loaded whole.
    bits: NonZeroU64,
    marker: PhantomData<fn() -> M>,
}

const _: () = assert!(size_of::<Handle<[u8; 99]>>() == 8);
const _: () = assert!(align_of::<Handle<u8>>() == 8);
const _: () = assert!(size_of::<Option<Handle<()>>>() == 8);

impl<M> Handle<M> {
    /// The number of the slot, from 0. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!((a.slot(), b.slot()), (0, 1));
    /// ```
    #[inline]
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.bits.get() as u32
    }

    /// The generation of the slot while it holds this handle's value; always odd. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::new();
    /// let a = arena.insert('a');
    /// arena.remove(a);
    /// let b = arena.insert('b'); // in the same slot
    /// assert_eq!((a.generation().get(), b.generation().get()), (1, 3));
    /// ```
    #[inline]
    #[must_use]
    pub const fn generation(self) -> NonZeroU32 {
        match NonZeroU32::new((self.bits.get() >> 32) as u32) {
            Some(generation) => generation,
            None => unreachable!(), // it is odd
        }
    }

    /// The handle as a number, for files, networks and scripts: the generation in the upper half,
    /// the slot in the lower. O(1). The form will not change.
    ///
    /// # Examples
    /// ```
    /// # use larder::{Arena, Handle};
    /// let handle = Arena::new().insert('x');
    /// assert_eq!(handle.to_bits(), 1 << 32);
    /// assert_eq!(Handle::from_bits(handle.to_bits()), Some(handle));
    /// ```
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.bits.get()
    }

    /// The handle whose number this is; `None` where a handle cannot have this number. O(1).
    ///
    /// Any handle is safe to use: one that was never issued has no value. Of slot `u32::MAX` there is one
    /// handle, the dangling one.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Key};
    ///
    /// let handle = Handle::<char>::from_bits(3 << 32 | 12).unwrap();
    /// assert_eq!(handle.to_string(), "12v3");
    /// assert_eq!(Handle::<char>::from_bits(2 << 32 | 12), None); // generations are odd
    /// let null = 1 << 32 | 0xFFFF_FFFF; // of slotmap
    /// assert_eq!(Handle::<char>::from_bits(null), Some(Handle::DANGLING));
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match NonZeroU64::new(bits) {
            Some(bits) if (bits.get() >> 32) % 2 == 1 => {
                let dangling = bits.get() as u32 == u32::MAX;
                let bits = if dangling { NonZeroU64::MAX } else { bits };
                Some(Self { bits, marker: PhantomData })
            }
            _ => None,
        }
    }

    #[inline]
    const fn order(self) -> u64 {
        self.to_bits().rotate_left(32)
    }

    #[inline]
    const fn hash_bits(self) -> u64 {
        self.to_bits()
    }
}

impl<M> sealed::Compose for Handle<M> {
    type Generation = Counter<0>;

    #[inline]
    fn compose(slot: u32, generation: Counter<0>) -> Self {
        // The generation of a live slot is odd: setting its lowest bit changes nothing, and makes
        // the number one that cannot be zero.
        let bits = u64::from(generation.get() | 1) << 32 | u64::from(slot);
        Self { bits: NonZeroU64::new(bits).unwrap_or(NonZeroU64::MAX), marker: PhantomData }
    }

    #[inline]
    fn generation(self) -> Counter<0> {
        Counter::of((self.bits.get() >> 32) as u32)
    }
}

key! {
    Handle<M>, u64,
    max_slots: u32::MAX, dangling: Self { bits: NonZeroU64::MAX, marker: PhantomData }
}

key_traits!(Handle<M>, show: |key, f: &mut fmt::Formatter<'_>| {
    write!(f, "{}v{}", key.slot(), key.generation())
});

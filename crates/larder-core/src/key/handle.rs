//! The handles: slot and generation in 8 bytes ([`Handle`]) or 4 ([`Handle32`]), and a slot without a generation
//! ([`BareHandle`]).

use core::fmt;
use core::marker::PhantomData;
use core::num::{NonZeroU32, NonZeroU64, TryFromIntError};

use super::{Key, key, key_traits, sealed};
use crate::key::generation::{Counter, IndexBits, Unversioned, Width};

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
/// With `bytemuck`'s derives a field is a `Handle`, with [`DANGLING`](Self::DANGLING) for none: an `Option` is not
/// plain data to them.
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
///
/// A struct can contain its own handle. A type without a name cannot: `Arena<Option<Handle<_>>>` would be an arena
/// whose values are options of handles of options of handles and so on, and the compiler reports an overflow (E0275).
/// Make a struct, or a key type of its own:
/// ```
/// use larder::Arena;
///
/// larder::key_type! { struct Id; }
///
/// let mut links: Arena<Option<Id>, Id> = Arena::with_key();
/// let first = links.insert(None);
/// let second = links.insert(Some(first));
/// assert_eq!(links[second], Some(first));
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
    /// Returns the number of the slot, from 0. O(1).
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

    /// Returns the generation of the slot while it holds this handle's value; always odd. O(1).
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

    /// Returns the handle as a number, for files, networks and scripts: the generation in the upper half,
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

    /// Returns the handle whose number this is; `None` where a handle cannot have this number. O(1).
    ///
    /// Any handle is safe to use: one that was never issued has no value. The only handle with slot
    /// `u32::MAX` is the dangling one.
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

key_traits!(Handle<M>, dangling: |key| key.bits == NonZeroU64::MAX, show: |key, f: &mut fmt::Formatter<'_>| {
    write!(f, "{}v{}", key.slot(), key.generation())
});

/// A [`Handle`] in 4 bytes: `INDEX_BITS` bits of slot, the rest of generation.
///
/// With the default of 20 bits a container has up to 1,048,575 slots, each of which holds 2,048 values before it is
/// retired. A stale handle never refers to another value, which holds for `Handle`, too, but slots run out sooner.
/// `INDEX_BITS` is at most 30.
///
/// Slots store their generation in as few bytes as suffice: 2 from 17 `INDEX_BITS` on, 1 from 25 on. An
/// `Arena` of `u8` therefore takes 4 bytes per slot, instead of 8 with `Handle`.
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

    /// Returns the number of the slot, from 0. O(1).
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

    /// Returns the generation of the slot while it holds this handle's value; always odd. O(1).
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

    /// Returns the handle as a number: the generation in the upper bits, the slot in the lower
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

    /// Returns the handle whose number this is; `None` where a handle cannot have this number. O(1).
    ///
    /// The only handle with the highest slot is the dangling one.
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

key_traits!(Handle32<M, const INDEX_BITS: u32>, dangling: |key| key.bits == NonZeroU32::MAX,
    show: |key, f: &mut fmt::Formatter<'_>| {
    write!(f, "{}v{}", key.slot(), key.generation())
});

/// The number of a slot and nothing else: 4 bytes, and nothing stored beside the value.
///
/// The key of a removed value refers to the value that its slot has now, as in `slab` and Rea's unversioned lists. Use
/// it where the owner of a key knows when its value is removed.
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
    /// Returns the key of a slot; `None` for `u32::MAX`, which no slot has. O(1).
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

    /// Returns the number of the slot, from 0. O(1).
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

    /// Returns the key as a number: the slot's. O(1).
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

    /// Returns the key whose number this is; `None` where a key cannot have this number. O(1).
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

key_traits!(BareHandle<M>, dangling: |key| key.next == NonZeroU32::MAX,
    show: |key, f: &mut fmt::Formatter<'_>| write!(f, "{}", key.slot()));

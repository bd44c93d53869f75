//! Handles that are addresses. What they find in containers is in the module of those, `pinned`.

use core::fmt;
use core::marker::PhantomData;
use core::num::{NonZeroU32, NonZeroUsize};

use super::key_traits;

/// A weak reference to a value by its address: what a [`Handle`](super::Handle) does by the number of a slot. 16 bytes
/// (8 where addresses have 32 bits), copyable, harmless once the value is gone.
///
/// Available where memory does not move, in a [`PinnedContainer`](crate::containers::PinnedContainer): an
/// [`Arena`](crate::Arena), a `Pool` or a `SoaArena` that is fixed or reserved, or a [`PagedArena`](crate::PagedArena).
/// They are made from keys ([`of`](Self::of)). In an arena a lookup computes no address: the value can be fetched while
/// its generation is checked. A value in columns has no address of its own: there it is that of the slot's generation.
/// If the value was removed, or moved by [`compact`](crate::Arena::compact), the pointer handle is stale permanently.
///
/// It is a number, not a pointer: only its arena, which checks it, can dereference it. `Option<PtrHandle<M>>`
/// has the same size, the marker `M` needs no traits, and there is no `Default`. An address is meaningless in
/// another run of a program: save the key instead ([`key`](Self::key)). Prints as `0x7f3a10v3`, the address
/// and the generation.
///
/// # Examples
/// ```
/// use larder::{Arena, key::PtrHandle};
///
/// let mut sounds = Arena::fixed(100);
/// let key = sounds.insert("thunder");
/// let pointer = PtrHandle::of(&sounds, key).unwrap();
/// assert_eq!(pointer.get(&sounds), Some(&"thunder"));
/// assert_eq!(pointer.key(&sounds), Some(key));
///
/// sounds.remove(key);
/// sounds.insert("rain"); // moves into the same slot
/// assert_eq!(pointer.get(&sounds), None);
/// ```
#[doc(alias("pointer handle", "fat pointer", "entity ref"))]
pub struct PtrHandle<M> {
    address: NonZeroUsize,
    /// Always odd.
    generation: NonZeroU32,
    marker: PhantomData<fn() -> M>,
}

const _: () = assert!(size_of::<PtrHandle<[u8; 99]>>() == 2 * size_of::<usize>());
const _: () = assert!(size_of::<Option<PtrHandle<()>>>() == 2 * size_of::<usize>());

impl<M> PtrHandle<M> {
    /// The generation is that of a live slot, so odd.
    #[inline]
    pub(crate) const fn new(address: NonZeroUsize, generation: NonZeroU32) -> Self {
        Self { address, generation, marker: PhantomData }
    }

    /// Returns the address of the value, or of its slot's generation if it lies in columns. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::PtrHandle};
    ///
    /// let mut arena = Arena::fixed(1);
    /// let key = arena.insert('x');
    /// let pointer = PtrHandle::of(&arena, key).unwrap();
    /// assert_eq!(pointer.address().get(), (&raw const arena[key]).addr());
    /// ```
    #[inline]
    #[must_use]
    pub const fn address(self) -> NonZeroUsize {
        self.address
    }

    /// Returns the generation of the slot while it holds this handle's value; always odd. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::PtrHandle};
    ///
    /// let mut arena = Arena::fixed(1);
    /// let key = arena.insert('x');
    /// assert_eq!(PtrHandle::of(&arena, key).unwrap().generation(), key.generation());
    /// ```
    #[inline]
    #[must_use]
    pub const fn generation(self) -> NonZeroU32 {
        self.generation
    }

    /// Returns the handle of an address and a generation; `None` where there can be no such handle: for
    /// address 0 and for even generations. O(1).
    ///
    /// Any pointer handle is safe to use: lookups return `None` unless the arena has a value of that
    /// generation at that address.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::PtrHandle};
    ///
    /// let mut arena = Arena::fixed(1);
    /// let key = arena.insert('x');
    /// let pointer = PtrHandle::of(&arena, key).unwrap();
    /// let (address, generation) = (pointer.address().get(), pointer.generation().get());
    /// assert_eq!(PtrHandle::from_parts(address, generation), Some(pointer));
    ///
    /// let junk = PtrHandle::from_parts(address + 1, generation).unwrap();
    /// assert_eq!(junk.get(&arena), None);
    /// assert_eq!(PtrHandle::<char>::from_parts(0, 1), None);
    /// assert_eq!(PtrHandle::<char>::from_parts(address, 2), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_parts(address: usize, generation: u32) -> Option<Self> {
        match (NonZeroUsize::new(address), NonZeroU32::new(generation)) {
            (Some(address), Some(live)) if generation % 2 == 1 => Some(Self::new(address, live)),
            _ => None,
        }
    }

    /// One number for both parts, that sorts by address, then by generation.
    #[inline]
    const fn to_bits(self) -> u128 {
        (self.address.get() as u128) << 32 | self.generation.get() as u128
    }

    #[inline]
    const fn order(self) -> u128 {
        self.to_bits()
    }

    #[inline]
    const fn hash_bits(self) -> u64 {
        // Addresses leave the uppermost bits alone.
        self.address.get() as u64 ^ (self.generation.get() as u64) << 48
    }
}

key_traits!(PtrHandle<M>, dangling: |_| false, show: |key, f: &mut fmt::Formatter<'_>| {
    write!(f, "{:#x}v{}", key.address, key.generation)
});

//! Handles that are addresses, and the containers that have them: those whose values, or generations, do not move.

use core::fmt;
use core::marker::PhantomData;
use core::num::{NonZeroU32, NonZeroUsize};

#[cfg(feature = "alloc")]
use crate::Pool;
use crate::containers::container::ValueContainer;
use crate::explain::{self, Named};
use crate::key::{Handle, key_traits};
use crate::{Arena, PagedArena};
#[cfg(feature = "columns")]
use crate::{
    SoaArena,
    raw::columns::shape::CloneShape,
    soa::{Fill, Soa},
};

/// A weak reference to a value by its address: what a [`Handle`] does by the number of a slot. 16 bytes (8
/// where addresses have 32 bits), copyable, harmless once the value is gone.
///
/// Available where memory does not move, in a [`PinnedContainer`]: an [`Arena`], a [`Pool`] or a `SoaArena` that is fixed or
/// reserved, or a [`PagedArena`]. They are made from keys ([`of`](Self::of)). In an arena a lookup computes no address: the
/// value can be fetched while its generation is checked. A value in columns has no address of its own: there it is that of
/// the slot's generation. If the value was removed, or moved by [`compact`](crate::Arena::compact), the pointer handle is
/// stale permanently.
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
    const fn new(address: NonZeroUsize, generation: NonZeroU32) -> Self {
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

/// Between keys, addresses and values of a [`PinnedContainer`].
impl<M> PtrHandle<M> {
    /// Returns the pointer handle of a key's value, a weak reference like the key; `None` if the key is
    /// stale, foreign or dangling. O(1).
    ///
    /// # Panics
    /// If growing can move the container's values, or they lie in a pool and have no size.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::PtrHandle};
    ///
    /// let mut arena = Arena::fixed(1_000);
    /// let key = arena.insert('x');
    /// let pointer = PtrHandle::of(&arena, key).unwrap();
    /// arena.extend("and many more".chars());
    /// assert_eq!(pointer.get(&arena), Some(&'x'));
    /// arena.remove(key);
    /// assert_eq!(PtrHandle::of(&arena, key), None);
    /// assert_eq!(pointer.get(&arena), None);
    /// ```
    #[doc(alias = "pointer_of")]
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn of<C: PinnedContainer<M>>(container: &C, key: Handle<M>) -> Option<Self> {
        if !container.is_pinned() {
            explain::may_move(&Named::of::<C::Value>(C::NAME));
        }
        let address = NonZeroUsize::new(container.address_of(key)?)?;
        Some(Self::new(address, key.generation()))
    }

    /// Returns the value, or a reference to each field; `None` if the pointer handle is stale, foreign or made of other numbers.
    /// O(1): in an [`Arena`] one cache line, whose address need not be computed, in a [`Pool`] two, in columns one more than
    /// there are fields. In a [`PagedArena`] the block is searched for: O(log(blocks)), so a key is quicker there.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::PtrHandle};
    ///
    /// let mut arena = Arena::fixed(2);
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// let [to_a, to_b] = [a, b].map(|key| PtrHandle::of(&arena, key).unwrap());
    /// arena.remove(a);
    /// assert_eq!(to_a.get(&arena), None);
    /// assert_eq!(to_b.get(&arena), Some(&'b'));
    /// ```
    #[doc(alias = "get_by_pointer")]
    #[inline]
    #[must_use]
    pub fn get<C: PinnedContainer<M>>(self, container: &C) -> Option<C::Ref<'_>> {
        container.by_pointer(self)
    }

    /// Returns the value, or a reference to each field, for mutation; `None` if the pointer handle is stale, foreign or made of
    /// other numbers. Costs what [`get`](Self::get) does.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::PtrHandle};
    ///
    /// let mut arena = Arena::fixed(1);
    /// let key = arena.insert(1);
    /// let pointer = PtrHandle::of(&arena, key).unwrap();
    /// *pointer.get_mut(&mut arena).unwrap() += 1;
    /// assert_eq!(arena[key], 2);
    /// ```
    #[doc(alias = "get_by_pointer_mut")]
    #[inline]
    #[must_use]
    pub fn get_mut<C: PinnedContainer<M>>(self, container: &mut C) -> Option<C::RefMut<'_>> {
        container.by_pointer_mut(self)
    }

    /// Returns the key of the value; `None` if the pointer handle is stale, foreign or made of other
    /// numbers. Costs what [`get`](Self::get) does. What refers to values by pointer handles is saved by keys, and
    /// loaded with [`of`](Self::of).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::PtrHandle};
    ///
    /// let mut arena = Arena::fixed(1);
    /// let key = arena.insert('x');
    /// let pointer = PtrHandle::of(&arena, key).unwrap();
    /// assert_eq!(pointer.key(&arena), Some(key));
    /// arena.remove(key);
    /// assert_eq!(pointer.key(&arena), None);
    /// ```
    #[doc(alias = "key_of_pointer")]
    #[inline]
    #[must_use]
    pub fn key<C: PinnedContainer<M>>(self, container: &C) -> Option<Handle<M>> {
        let key = container.key_at(self.address().get())?;
        (key.generation() == self.generation()).then_some(key)
    }
}

/// A container whose values have [`PtrHandle`]s: an [`Arena`], a [`Pool`] or a `SoaArena` that is fixed, reserved or in the
/// caller's memory, and every [`PagedArena`]. Keys are [`Handle`]s, and fields in columns are `Clone`. Sealed.
///
/// If growing moved values, the value of another slot could end up at an old address with the same
/// generation. The values of an [`InlineArena`](crate::InlineArena) move with their owner, and `mem::swap` of
/// two owners would exchange what the addresses refer to: use a `static` block and [`Arena::in_memory`]
/// instead.
///
/// # Examples
/// ```
/// use larder::{PagedArena, Pool, containers::PinnedContainer, key::PtrHandle};
///
/// fn read<C: PinnedContainer<u32, Value = u32>>(values: &C, of: &[PtrHandle<u32>]) -> u32 {
///     let keys = of.iter().filter_map(|pointer| pointer.key(values));
///     keys.filter_map(|key| values.with_value(key, |number| *number)).sum()
/// }
/// let (mut paged, mut pool) = (PagedArena::new(), Pool::fixed(1, || 0));
/// let (a, b) = (paged.insert(1), pool.insert(2));
/// let pointers = [PtrHandle::of(&paged, a).unwrap(), PtrHandle::of(&pool, b).unwrap()];
/// assert_eq!((read(&paged, &pointers), read(&pool, &pointers)), (1, 2));
/// ```
pub trait PinnedContainer<M>: ValueContainer<Key = Handle<M>> + Sized + sealed::Sealed {
    /// Whether values stay where they are, and each has an address of its own.
    #[doc(hidden)]
    fn is_pinned(&self) -> bool;

    /// The address of a key's value, or of its slot's generation.
    #[doc(hidden)]
    fn address_of(&self, key: Handle<M>) -> Option<usize>;

    /// The key of the live slot at an address.
    #[doc(hidden)]
    fn key_at(&self, address: usize) -> Option<Handle<M>>;

    #[doc(hidden)]
    #[inline]
    fn by_pointer(&self, pointer: PtrHandle<M>) -> Option<Self::Ref<'_>> {
        pointer.key(self).and_then(|key| self.value(key))
    }

    #[doc(hidden)]
    #[inline]
    fn by_pointer_mut(&mut self, pointer: PtrHandle<M>) -> Option<Self::RefMut<'_>> {
        pointer.key(self).and_then(|key| self.value_mut(key))
    }
}

mod sealed {
    /// Seals [`PinnedContainer`](super::PinnedContainer).
    #[expect(unnameable_types, reason = "it seals a public trait")]
    pub trait Sealed {
        /// The name by which users know the container.
        const NAME: &'static str;
    }
}

impl<T, M> sealed::Sealed for Arena<T, Handle<M>> {
    const NAME: &'static str = "Arena";
}

impl<T, M> sealed::Sealed for PagedArena<T, Handle<M>> {
    const NAME: &'static str = "PagedArena";
}

#[cfg(feature = "alloc")]
impl<T, M> sealed::Sealed for Pool<T, Handle<M>> {
    const NAME: &'static str = "Pool";
}

#[cfg(feature = "columns")]
impl<T: Soa + Fill, M> sealed::Sealed for SoaArena<T, Handle<M>> {
    const NAME: &'static str = "SoaArena";
}

impl<T, M> PinnedContainer<M> for Arena<T, Handle<M>> {
    fn is_pinned(&self) -> bool {
        self.store.stays()
    }

    #[inline]
    fn address_of(&self, key: Handle<M>) -> Option<usize> {
        self.get(key).map(|value| core::ptr::from_ref(value).addr())
    }

    #[inline]
    fn key_at(&self, address: usize) -> Option<Handle<M>> {
        self.store.key_at(self.store.slot_at(address)?)
    }

    #[inline(always)]
    fn by_pointer(&self, pointer: PtrHandle<M>) -> Option<&T> {
        self.store.get_by_pointer(pointer)
    }

    #[inline(always)]
    fn by_pointer_mut(&mut self, pointer: PtrHandle<M>) -> Option<&mut T> {
        self.store.get_by_pointer_mut(pointer)
    }
}

impl<T, M> PinnedContainer<M> for PagedArena<T, Handle<M>> {
    fn is_pinned(&self) -> bool {
        true
    }

    #[inline]
    fn address_of(&self, key: Handle<M>) -> Option<usize> {
        self.get(key).map(|value| core::ptr::from_ref(value).addr())
    }

    #[inline]
    fn key_at(&self, address: usize) -> Option<Handle<M>> {
        self.store.key_at(self.store.slot_at(address)?)
    }
}

#[cfg(feature = "alloc")]
impl<T, M> PinnedContainer<M> for Pool<T, Handle<M>> {
    fn is_pinned(&self) -> bool {
        self.store.stays() && size_of::<T>() > 0
    }

    #[inline]
    fn address_of(&self, key: Handle<M>) -> Option<usize> {
        self.get(key).map(|value| core::ptr::from_ref(value).addr())
    }

    #[inline]
    fn key_at(&self, address: usize) -> Option<Handle<M>> {
        self.store.key_at(self.store.slot_at(address)?)
    }
}

/// The generations lie side by side, and each is its slot's alone.
#[cfg(feature = "columns")]
impl<T: Soa + Fill, M> PinnedContainer<M> for SoaArena<T, Handle<M>>
where
    T::Shape: CloneShape,
{
    fn is_pinned(&self) -> bool {
        self.store.stays()
    }

    #[inline]
    fn address_of(&self, key: Handle<M>) -> Option<usize> {
        self.store.generation_address(key)
    }

    #[inline]
    fn key_at(&self, address: usize) -> Option<Handle<M>> {
        self.store.key_at(self.store.slot_of_generation(address)?)
    }
}

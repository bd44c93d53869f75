//! Handles that are addresses, and the containers that have them: those whose values, or generations, do not move.

use core::any::type_name;
use core::num::NonZeroUsize;

#[cfg(feature = "alloc")]
use crate::Pool;
use crate::containers::container::ValueContainer;
use crate::explain::{self, Named};
use crate::key::{Handle, PtrHandle};
use crate::{Arena, PagedArena};
#[cfg(feature = "columns")]
use crate::{
    SoaArena,
    soa::raw::shape::CloneShape,
    soa::{Fill, Soa},
};

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
            explain::may_move(&Named(C::NAME, type_name::<C::Value>()));
        }
        let address = NonZeroUsize::new(container.address_of(key)?)?;
        Some(Self::new(address, key.generation()))
    }

    /// Returns the value, or a reference to each field; `None` if the pointer handle is stale, foreign or made of other
    /// numbers. O(1): in an [`Arena`] one cache line, whose address need not be computed, in a [`Pool`] two, in columns
    /// one more than there are fields. In a [`PagedArena`] the block is searched for: O(log(blocks)), so a key is
    /// quicker there.
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

    /// Returns the value, or a reference to each field, for mutation; `None` if the pointer handle is stale, foreign or
    /// made of other numbers. Costs what [`get`](Self::get) does.
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

/// A container whose values have [`PtrHandle`]s: an [`Arena`], a [`Pool`] or a `SoaArena` that is fixed, reserved or in
/// the caller's memory, and every [`PagedArena`]. Keys are [`Handle`]s, and fields in columns are `Clone`. Sealed.
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
    /// True if values stay where they are, and each has an address of its own.
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
        self.store.key_at(self.store.slot_at(address)?)
    }
}

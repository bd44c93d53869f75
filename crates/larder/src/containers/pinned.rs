//! Containers whose values do not move, and the handles that are addresses of them.

use core::num::NonZeroUsize;

#[cfg(feature = "alloc")]
use crate::Pool;
use crate::containers::container::RowContainer;
use crate::explain;
use crate::key::{Handle, PtrHandle};
use crate::{Arena, PagedArena};

/// A container whose values have [`PtrHandle`]s: an [`Arena`] or a [`Pool`] that is fixed, reserved or in
/// the caller's memory, and every [`PagedArena`]. Keys are [`Handle`]s. Sealed.
///
/// Where growing moves values, a value of another slot could come to lie at an old address in the same generation.
/// The values of an [`InlineArena`](crate::InlineArena) move with their owner, and `mem::swap` of two owners would
/// exchange what the addresses refer to: a `static` block and [`Arena::in_memory`] give what is needed there.
///
/// # Examples
/// ```
/// use larder::{PagedArena, Pool, containers::PinnedContainer, key::PtrHandle};
///
/// fn read<C: PinnedContainer<u32, Value = u32>>(values: &C, of: &[PtrHandle<u32>]) -> u32 {
///     of.iter().filter_map(|pointer| pointer.get(values)).sum()
/// }
/// let (mut paged, mut pool) = (PagedArena::new(), Pool::fixed(1, || 0));
/// let (a, b) = (paged.insert(1), pool.insert(2));
/// let pointers = [PtrHandle::of(&paged, a).unwrap(), PtrHandle::of(&pool, b).unwrap()];
/// assert_eq!((read(&paged, &pointers), read(&pool, &pointers)), (1, 2));
/// ```
pub trait PinnedContainer<M>: RowContainer<Key = Handle<M>> + Sized {
    /// Whether values stay where they are, and each has an address of its own.
    #[doc(hidden)]
    fn is_pinned(&self) -> bool;

    /// The key of the live slot at an address.
    #[doc(hidden)]
    fn key_at(&self, address: usize) -> Option<Handle<M>>;

    #[doc(hidden)]
    #[inline]
    fn by_pointer(&self, pointer: PtrHandle<M>) -> Option<&Self::Value> {
        pointer.key(self).and_then(|key| self.get(key))
    }

    #[doc(hidden)]
    #[inline]
    fn by_pointer_mut(&mut self, pointer: PtrHandle<M>) -> Option<&mut Self::Value> {
        pointer.key(self).and_then(|key| self.get_mut(key))
    }
}

impl<T, M> PinnedContainer<M> for Arena<T, Handle<M>> {
    fn is_pinned(&self) -> bool {
        self.rows.stays()
    }

    #[inline]
    fn key_at(&self, address: usize) -> Option<Handle<M>> {
        self.rows.key_at(self.rows.slot_at(address)?)
    }

    #[inline(always)]
    fn by_pointer(&self, pointer: PtrHandle<M>) -> Option<&T> {
        self.rows.get_by_pointer(pointer)
    }

    #[inline(always)]
    fn by_pointer_mut(&mut self, pointer: PtrHandle<M>) -> Option<&mut T> {
        self.rows.get_by_pointer_mut(pointer)
    }
}

impl<T, M> PinnedContainer<M> for PagedArena<T, Handle<M>> {
    fn is_pinned(&self) -> bool {
        true
    }

    #[inline]
    fn key_at(&self, address: usize) -> Option<Handle<M>> {
        self.rows.key_at(self.rows.slot_at(address)?)
    }
}

#[cfg(feature = "alloc")]
impl<T, M> PinnedContainer<M> for Pool<T, Handle<M>> {
    fn is_pinned(&self) -> bool {
        self.rows.stays() && size_of::<T>() > 0
    }

    #[inline]
    fn key_at(&self, address: usize) -> Option<Handle<M>> {
        self.rows.key_at(self.rows.slot_at(address)?)
    }
}

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
            explain::may_move::<C>();
        }
        let address = NonZeroUsize::new(core::ptr::from_ref(container.get(key)?).addr())?;
        Some(Self::new(address, key.generation()))
    }

    /// Returns the value; `None` if the pointer handle is stale, foreign or made of other numbers.
    /// O(1): in an [`Arena`] one cache line, whose address need not be computed, in a [`Pool`] two. In a
    /// [`PagedArena`] the block is searched for: O(log(blocks)), so a key is quicker there.
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
    pub fn get<C: PinnedContainer<M>>(self, container: &C) -> Option<&C::Value> {
        container.by_pointer(self)
    }

    /// Returns the value for mutation; `None` if the pointer handle is stale, foreign or made of other
    /// numbers. Costs what [`get`](Self::get) does.
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
    pub fn get_mut<C: PinnedContainer<M>>(self, container: &mut C) -> Option<&mut C::Value> {
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

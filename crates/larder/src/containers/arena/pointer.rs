//! Handles that are addresses, for memory that does not move.

use super::Arena;
use crate::explain;
use crate::key::{Handle, PtrHandle};

/// Between keys, addresses and values, for an [`Arena`] that is fixed or reserved, with the key
/// [`Handle`]. A growing arena has no pointer handles: after it has moved, a value of another slot
/// could be at an old address in the same generation.
impl<M> PtrHandle<M> {
    /// Returns the pointer handle of a key's value, a weak reference like the key; `None` if the key is
    /// stale, foreign or dangling. O(1).
    ///
    /// # Panics
    /// If the arena can grow by moving its values.
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
    pub fn of<T>(arena: &Arena<T, Handle<M>>, key: Handle<M>) -> Option<Self> {
        if !arena.rows.stays() {
            explain::may_move::<Arena<T, Handle<M>>>();
        }
        arena.rows.pointer_of(key)
    }

    /// Returns the value; `None` if the pointer handle is stale, foreign or made of other numbers.
    /// O(1): one cache line, whose address need not be computed.
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
    pub fn get<T>(self, arena: &Arena<T, Handle<M>>) -> Option<&T> {
        arena.rows.get_by_pointer(self)
    }

    /// Returns the value for mutation; `None` if the pointer handle is stale, foreign or made of other
    /// numbers. O(1).
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
    pub fn get_mut<T>(self, arena: &mut Arena<T, Handle<M>>) -> Option<&mut T> {
        arena.rows.get_by_pointer_mut(self)
    }

    /// Returns the key of the value; `None` if the pointer handle is stale, foreign or made of other
    /// numbers. O(1). What refers to values by pointer handles is saved by keys, and loaded with
    /// [`of`](Self::of).
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
    pub fn key<T>(self, arena: &Arena<T, Handle<M>>) -> Option<Handle<M>> {
        arena.rows.key_of_pointer(self)
    }
}

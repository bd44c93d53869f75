//! Handles that are addresses, for memory that does not move.

use super::Arena;
use crate::explain;
use crate::key::{Handle, Key, PtrHandle};

/// Memory that does not move.
impl<T, K: Key> Arena<T, K> {
    /// Makes a growing arena a [fixed](Self::fixed) one with the room that it has now: no value moves
    /// any more. A fixed or reserved one stays as it is. O(1), but allocates a bit a slot.
    ///
    /// For what was loaded or collected, and is to have [pointer handles](PtrHandle).
    /// [`reserve`](Self::reserve) before, where more is to come.
    ///
    /// # Panics
    /// If memory for those bits is refused.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::with_capacity(3);
    /// arena.insert('a');
    /// let mut arena = arena.into_fixed();
    /// let a = arena.first_key().unwrap();
    /// assert!(arena.pointer_of(a).is_some());
    /// arena.extend(['b', 'c']);
    /// assert!(arena.try_insert('d').is_err());
    /// ```
    #[must_use]
    #[track_caller]
    pub fn into_fixed(mut self) -> Self {
        match self.rows.fix() {
            Ok(()) => self,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }
}

/// Access by address.
///
/// For arenas that are fixed or reserved, with the key [`Handle`]. A growing arena hands out no pointer
/// handles: once it has moved, a value of another slot could lie at an old address, in the same
/// generation.
impl<T, M> Arena<T, Handle<M>> {
    /// The address of a key's value and its generation: a weak reference that is as good as the key;
    /// `None` if the key is stale, foreign or dangling. O(1).
    ///
    /// # Panics
    /// If the arena is a growing one, whose values may move.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::reserved(1_000);
    /// let key = arena.insert('x');
    /// let pointer = arena.pointer_of(key).unwrap();
    /// arena.extend("and many more".chars());
    /// assert_eq!(arena.get_by_pointer(pointer), Some(&'x'));
    /// arena.remove(key);
    /// assert_eq!(arena.pointer_of(key), None);
    /// assert_eq!(arena.get_by_pointer(pointer), None);
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn pointer_of(&self, key: Handle<M>) -> Option<PtrHandle<M>> {
        if !self.rows.stays() {
            explain::may_move::<Self>();
        }
        self.rows.pointer_of(key)
    }

    /// The value of a pointer handle; `None` if it is stale, foreign or junk. O(1): one cache line,
    /// whose address need not be computed.
    ///
    /// As a key of another arena, a pointer handle of another one is never more than a wrong answer;
    /// while both arenas are there it is `None`.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::fixed(2);
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// let [to_a, to_b] = [a, b].map(|key| arena.pointer_of(key).unwrap());
    /// arena.remove(a);
    /// assert_eq!(arena.get_by_pointer(to_a), None);
    /// assert_eq!(arena.get_by_pointer(to_b), Some(&'b'));
    /// ```
    #[inline]
    #[must_use]
    pub fn get_by_pointer(&self, pointer: PtrHandle<M>) -> Option<&T> {
        self.rows.get_by_pointer(pointer)
    }

    /// The value of a pointer handle, to change it; `None` if it is stale, foreign or junk. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::fixed(1);
    /// let key = arena.insert(1);
    /// let pointer = arena.pointer_of(key).unwrap();
    /// *arena.get_by_pointer_mut(pointer).unwrap() += 1;
    /// assert_eq!(arena[key], 2);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_by_pointer_mut(&mut self, pointer: PtrHandle<M>) -> Option<&mut T> {
        self.rows.get_by_pointer_mut(pointer)
    }

    /// The key of a pointer handle's value; `None` if it is stale, foreign or junk. O(1). What refers
    /// by pointer handles is saved by keys, and gets them back from
    /// [`pointer_of`](Self::pointer_of) when it is loaded.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::fixed(1);
    /// let key = arena.insert('x');
    /// let pointer = arena.pointer_of(key).unwrap();
    /// assert_eq!(arena.key_of_pointer(pointer), Some(key));
    /// arena.remove(key);
    /// assert_eq!(arena.key_of_pointer(pointer), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn key_of_pointer(&self, pointer: PtrHandle<M>) -> Option<Handle<M>> {
        self.rows.key_of_pointer(pointer)
    }
}

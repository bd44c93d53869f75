//! How much a dense arena holds and could hold.

use super::DenseArena;
use crate::error::TryReserveError;
use crate::explain;
use crate::key::Key;
use crate::raw::slots::Slots;
use crate::stats::{MemoryUsage, Stats};

/// Capacity.
impl<T, K: Key> DenseArena<T, K> {
    /// How many values there are. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseArena::from_iter(['a', 'b']);
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.packed.len()
    }

    /// Whether there are none. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// assert!(arena.is_empty());
    /// arena.insert('a');
    /// assert!(!arena.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values fit without moving: in a reserved arena its maximum. Retired slots do not
    /// count. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::DenseArena::<u8>::new().capacity(), 0);
    /// assert_eq!(larder::DenseArena::<u8>::fixed(10).capacity(), 10);
    /// ```
    #[inline]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.packed.capacity()
    }

    /// How many values can be added without moving, in a reserved arena up to its maximum. Slots of
    /// detached keys do not count. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::fixed(10);
    /// let key = arena.insert('a');
    /// assert_eq!(arena.remaining(), 9);
    /// arena.remove(key);
    /// assert_eq!(arena.remaining(), 10);
    /// ```
    #[inline]
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.packed.remaining()
    }

    /// Makes room for `additional` values beside those that are there, and for a share more.
    /// O(capacity) where it grows. Handles stay valid; values may move. In a reserved arena they do
    /// not, and it is O(additional): memory is committed.
    ///
    /// # Panics
    /// If memory is refused, there cannot be so many slots, or the arena is fixed or reserved
    /// and has less room.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter(0..10);
    /// arena.reserve(1_000);
    /// assert!(arena.remaining() >= 1_000);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        if let Err(reason) = self.try_reserve(additional) {
            explain::refused::<Self>(&reason);
        }
    }

    /// As [`reserve`](Self::reserve), but says so where there is no room. Nothing has changed then.
    ///
    /// # Errors
    /// If memory is refused, there cannot be so many slots, or the arena is fixed or reserved
    /// and has less room.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::<u64>::new();
    /// assert!(arena.try_reserve(100).is_ok() && arena.remaining() >= 100);
    /// assert!(arena.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.packed.try_reserve(additional)
    }

    /// Gives back what memory the slots in use do not need. Free slots at the end are dropped, also
    /// those that handles remember: a slot that is begun anew continues past every generation that
    /// was dropped. Handles stay valid; values may move. O(slots). A reserved arena gives its pages
    /// back and keeps the addresses; nothing moves. A fixed arena stays as it is.
    ///
    /// There is no `compact` as [`Arena`](crate::Arena::compact) has it: values lie side by side
    /// already, and a slot that moved would need another key.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter(0..1_000);
    /// let last = arena.last_key().unwrap();
    /// arena.retain(|_, number| *number < 10);
    /// arena.shrink_to_fit();
    /// assert_eq!(arena.capacity(), 10);
    /// arena.extend(0..1_000);
    /// assert_eq!(arena.get(last), None); // the same slot, another generation
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.packed.shrink_to(0);
    }

    /// As [`shrink_to_fit`](Self::shrink_to_fit), but keeps room for `capacity` values. O(slots).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::<u8>::with_capacity(1_000);
    /// arena.shrink_to(100);
    /// assert_eq!(arena.capacity(), 100);
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.packed.shrink_to(capacity);
    }

    /// How slots and memory are used. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert('x');
    /// arena.insert('y');
    /// arena.remove(key);
    /// let stats = arena.stats();
    /// assert_eq!((stats.live, stats.holes, stats.slots), (1, 1, 2));
    /// ```
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.packed.stats()
    }

    /// Where its memory goes: values, holes, bookkeeping, what is committed and reserved. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseArena::from_iter([1_u64, 2, 3]);
    /// let usage = arena.memory_usage();
    /// assert_eq!((usage.values, usage.holes), (24, 0));
    /// ```
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        self.packed.memory_usage()
    }
}

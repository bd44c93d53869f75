//! How much a pool holds and could hold.

use super::Pool;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::pool::Slots;
use crate::stats::{MemoryUsage, Stats};
use crate::{explain, macros};

/// Capacity.
impl<T, K: Key> Pool<T, K> {
    /// How many values are in use. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::with_capacity(10, || ' ');
    /// pool.extend(['a', 'b']);
    /// assert_eq!(pool.len(), 2);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.stock.len()
    }

    /// Whether there are none. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// assert!(pool.is_empty());
    /// pool.insert('a');
    /// assert!(!pool.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values fit without moving: in a reserved pool its maximum. Retired slots do not
    /// count. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::Pool::new(|| 0).capacity(), 0);
    /// assert_eq!(larder::Pool::fixed(10, || 0).capacity(), 10);
    /// ```
    #[inline]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.stock.capacity()
    }

    /// How many values can be added without moving, in a reserved pool up to its maximum. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::fixed(10, || 'x');
    /// let key = pool.insert('a');
    /// assert_eq!(pool.remaining(), 9);
    /// pool.remove(key);
    /// assert_eq!(pool.remaining(), 10);
    /// ```
    #[inline]
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.stock.remaining()
    }

    /// Makes room for `additional` values beside those in use, and for a share more, and has the
    /// values made that are to lie there (not those of the share): so many insertions then ask for no
    /// memory, and find what was made. O(capacity) where it grows, and a call of the pool's function
    /// for each value made. Handles stay valid; values may move. In a reserved pool they do not, and it
    /// is O(additional).
    ///
    /// If the function panics, what it made before stays.
    ///
    /// # Panics
    /// If memory is refused, there cannot be so many slots, or the pool is fixed or reserved
    /// and has less room.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 3.14159);
    /// pool.insert(1.0);
    /// pool.reserve(2);
    /// assert_eq!(pool.slots(), [1.0, 3.14159, 3.14159]);
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
    /// If memory is refused, there cannot be so many slots, or the pool is fixed or reserved
    /// and has less room.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0_u64);
    /// assert!(pool.try_reserve(100).is_ok() && pool.remaining() >= 100);
    /// assert!(pool.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let Self { stock, recipe } = self;
        stock.try_provide(additional, || recipe.make())
    }

    /// Gives back what memory the slots in use do not need. Free slots at the end are dropped with
    /// what lies in them, also those that handles remember: a slot that is begun anew continues past
    /// every generation that was dropped. Handles stay valid; values may move. O(slots). A reserved
    /// pool gives its pages back and keeps the addresses; nothing moves. A fixed pool stays as it is.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// pool.extend(0..1_000);
    /// let last = pool.last_key().unwrap();
    /// pool.retain(|_, number| *number < 10);
    /// pool.shrink_to_fit();
    /// assert_eq!((pool.capacity(), pool.slots().len()), (10, 10));
    /// pool.extend(0..1_000);
    /// assert_eq!(pool.get(last), None); // the same slot, another generation
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.stock.shrink_to(0);
    }

    /// As [`shrink_to_fit`](Self::shrink_to_fit), but keeps room for `capacity` values, and what was
    /// made to lie there. O(slots).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::with_capacity(1_000, || 0);
    /// pool.shrink_to(100);
    /// assert_eq!((pool.capacity(), pool.slots().len()), (100, 100));
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.stock.shrink_to(capacity);
    }

    /// How slots and memory are used; what values own is not counted. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// let key = pool.insert('x');
    /// pool.insert('y');
    /// pool.remove(key);
    /// let stats = pool.stats();
    /// assert_eq!((stats.live, stats.holes, stats.slots), (1, 1, 2));
    /// ```
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stock.stats()
    }

    /// Where its memory goes; what values own is not counted. Empty slots, whose values were made,
    /// count as holes once they were used, as unused before. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::with_capacity(100, || 0_u64);
    /// pool.insert(7);
    /// let usage = pool.memory_usage();
    /// assert_eq!((usage.values, usage.unused), (8, 99 * 12)); // 4 bytes for the generation
    /// ```
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        self.stock.memory_usage()
    }
}

macros::compacting! {
    [T, K: Key] Pool<T, K>, stock, "larder::Pool::new(|| \"\")", kind: "pool",
    holes: "What lay in a hole then lies where the value was that came there. "
}

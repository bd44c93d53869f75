//! Methods of a pool as a whole.

use core::fmt;

use super::{FIRST, ListHandle, ListPool, NUMBERS, Recorder};
use crate::Counted;
use crate::raw::lists::Account;
use larder_core::TryReserveError;
use larder_core::room;

/// The memory of a [`ListPool`] by use, in bytes. All but the first two fields add up to `bytes`.
///
/// Memory that values own is not counted. Made by [`ListPool::stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListStats {
    /// The number of lists, without [`ListHandle::EMPTY`].
    pub lists: usize,
    /// The number of values in all lists together.
    pub values: usize,
    /// Bytes of values.
    pub used: usize,
    /// Room in lists beyond their values.
    pub wasted: usize,
    /// Free pieces, for other lists.
    pub free: usize,
    /// Room at the end of the block.
    pub unused: usize,
    /// Starts, lengths and generations of lists.
    pub heads: usize,
    /// All memory that is allocated.
    pub bytes: usize,
}

/// All lists at once.
impl<T> ListPool<T> {
    /// Returns how many lists there are, without [`ListHandle::EMPTY`]. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let _ = (lists.make([1]), lists.make([2, 3]), lists.make([]));
    /// assert_eq!(lists.len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Returns whether there is no list. O(1).
    ///
    /// # Examples
    /// ```
    /// assert!(larder::pools::ListPool::<u8>::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many values there is memory for, in lists and outside. O(1).
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::pools::ListPool::<u32>::with_capacity(100).capacity(), 100);
    /// ```
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.lists.capacity()
    }

    /// Makes room for `lists` lists more of up to `len` values each: as long as there are no more lists and none is
    /// longer, nothing is allocated, however often lists are made, grow and are freed. O(slots + free pieces).
    ///
    /// A list that grows leaves smaller pieces behind, so this takes up to four times the memory of the values. The
    /// slot of a list, which is [retired](Self#costs) after 2¹⁸ lists or more, needs another then.
    /// [`splice`](Self::splice) has the old values and the new ones in the list at once, and [`compact`](Self::compact)
    /// gives the room back.
    ///
    /// # Panics
    /// If allocation fails, or there would be too many lists or values.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// lists.reserve_lists(10, 5);
    /// let capacity = lists.capacity();
    /// let all: Vec<_> = (0..10).map(|n| lists.make([n; 5])).collect();
    /// all.into_iter().for_each(|list| lists.free(list));
    /// let _ = lists.make([1, 2, 3, 4, 5]);
    /// assert_eq!(lists.capacity(), capacity);
    /// ```
    #[track_caller]
    pub fn reserve_lists(&mut self, lists: usize, len: usize) {
        room::granted::<Self, _>(self.try_reserve_lists(lists, len));
    }

    /// Like [`reserve_lists`](Self::reserve_lists), but returns an error instead of panicking. O(slots + free pieces).
    ///
    /// # Errors
    /// If allocation fails, or there would be too many lists or values. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::<u8>::new();
    /// assert!(lists.try_reserve_lists(10, 5).is_ok());
    /// assert!(lists.try_reserve_lists(usize::MAX, 5).is_err());
    /// ```
    pub fn try_reserve_lists(&mut self, lists: usize, len: usize) -> Result<(), TryReserveError> {
        self.lists.reserve_lists(lists, len)
    }

    /// Walks the lists and their values, in the order of their slots. O(slots) in all.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let (a, b) = (lists.make([1]), lists.make([2, 3]));
    /// let all: Vec<_> = lists.iter().collect();
    /// assert_eq!(all, [(a, &[1][..]), (b, &[2, 3][..])]);
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ListHandle<T>, &[T])> {
        Counted { left: self.len(), walk: self.lists.iter() }
            .map(|(key, values)| (ListHandle::of(key), values))
    }

    /// Frees the lists for which `keep` returns `false`. O(slots + values dropped).
    ///
    /// If `keep` or a value's `Drop` panics, the lists visited before the panic are kept or freed as
    /// requested. Unvisited lists remain.
    ///
    /// # Examples
    /// Freeing lists without an owner:
    /// ```
    /// use larder::{Arena, pools::ListPool};
    /// use std::collections::HashSet;
    ///
    /// let mut lists = ListPool::new();
    /// let mut objects = Arena::from_iter((0..9).map(|n| lists.make(0..n)));
    /// objects.retain(|_, list| lists[*list].len() % 2 == 0);
    ///
    /// let owned: HashSet<_> = objects.values().copied().collect();
    /// lists.retain(|list, _| owned.contains(&list));
    /// assert_eq!(lists.len(), 4); // of 2, 4, 6 and 8 values; without values it is `EMPTY`
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(ListHandle<T>, &mut [T]) -> bool) {
        if self.recorder.is_watchful() {
            return self.retain_watched(keep);
        }
        self.lists.retain(|key, values| keep(ListHandle::of(key), values));
        self.renew_slots();
    }

    /// Frees all lists and keeps the memory. O(slots), and O(values) if they need `Drop`. All handles are stale
    /// then.
    ///
    /// If a value's `Drop` panics, the others are dropped too.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let list = lists.make([1]);
    /// lists.free_all();
    /// assert!(lists.is_empty() && !lists.contains(list));
    /// ```
    #[doc(alias("clear", "flush"))]
    pub fn free_all(&mut self) {
        if self.recorder.is_watchful() {
            self.free_all_watched();
        }
        if !self.recorder.is_on() {
            self.lists.free_all();
            self.renew_slots();
        }
    }

    /// Moves all lists together, in the order of their slots, each into the smallest piece for it, and gives unused
    /// memory back, except for free slots below that of the last list. O(slots + values). Handles stay valid.
    ///
    /// # Panics
    /// If memory for the second block is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::new();
    /// let (a, b) = (lists.make(0..100), lists.make(0..4));
    /// lists.free(a);
    /// lists.compact();
    /// assert_eq!(lists.stats().free, 0);
    /// assert_eq!(lists[b], [0, 1, 2, 3]);
    /// ```
    #[doc(alias("shrink_to_fit", "defragment"))]
    #[track_caller]
    pub fn compact(&mut self) {
        room::granted::<Self, _>(self.lists.compact(self.recorder.is_on()));
    }

    /// Returns what the memory is used for. O(lists + free pieces).
    ///
    /// # Examples
    /// ```
    /// let mut lists = larder::pools::ListPool::<u32>::with_capacity(64);
    /// let (a, _) = (lists.make(0..5), lists.make(0..3));
    /// lists.free(a);
    /// let stats = lists.stats();
    /// assert_eq!((stats.lists, stats.values), (1, 3));
    /// assert_eq!((stats.used, stats.wasted), (3 * 4, 4)); // in a piece of 4
    /// assert_eq!(stats.free, 8 * 4); // the piece of 8 that `a` was in
    /// assert_eq!(stats.unused, (64 - 4 - 8) * 4);
    /// ```
    #[must_use]
    pub fn stats(&self) -> ListStats {
        let Account { values, in_lists, in_free_pieces, mark, capacity, head_bytes } =
            self.lists.account();
        let size = size_of::<T>();
        ListStats {
            lists: self.len(),
            values,
            used: values * size,
            wasted: in_lists.saturating_sub(values) * size,
            free: in_free_pieces * size,
            unused: (capacity - mark) * size,
            heads: head_bytes,
            bytes: capacity * size + head_bytes,
        }
    }

    /// Panics if the pool is inconsistent, for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        self.lists.validate();
    }
}

impl<T> Default for ListPool<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Handles of the pool are valid in the clone, for the clone's lists.
impl<T: Clone> Clone for ListPool<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        let lists = room::granted::<Self, _>(self.lists.try_clone());
        if self.has_number() {
            NUMBERS.share(self.lists.brand() - FIRST);
        }
        Self { recorder: Recorder::new(lists.are_raised()), lists }
    }
}

impl<T: fmt::Debug> fmt::Debug for ListPool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

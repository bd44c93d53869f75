//! Statistics of a container, and the order in which it reuses slots.

/// The order in which freed slots are reused.
///
/// In any order, a new slot is begun only when no freed one is left. Chosen with a
/// [`Builder`](crate::containers::Builder).
///
/// # Examples
/// ```
/// use larder::{Arena, Reuse};
///
/// let mut arena = Arena::builder().reuse(Reuse::Lifo).build();
/// let keys: Vec<_> = arena.insert_many(["a", "b", "c"]).collect();
/// arena.remove(keys[2]);
/// arena.remove(keys[0]);
/// assert_eq!(arena.insert("d").slot(), 0); // freed last
/// assert_eq!(arena.insert("e").slot(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reuse {
    /// The most recently freed slots first, as long as they are remembered; then neighbouring holes in
    /// ascending order: the rest of the current span of 1,024 slots, then the lowest of all.
    ///
    /// Between 16 and 1,024 slots are remembered, depending on the number of slots: 64 of 1,000, one in 128
    /// of 100,000. When one more is freed, all are forgotten. Slots that are freed many at once (`retain`,
    /// `clear`) are not remembered. Costs 4 bytes for each that can be, and keeps walks dense.
    #[default]
    Packed,
    /// The slot that was freed last, as a stack does. 4 bytes a slot.
    #[doc(alias = "LastFreed")]
    Lifo,
    /// The slot that has been free for longest, as a queue does: slots wear evenly. 4 bytes a slot.
    #[doc(alias = "Oldest")]
    Fifo,
}

/// The slots and memory of a container at the time of the call.
///
/// Made by `stats`, which all containers, maps, trees, lists and indices have. All but the containers set
/// only `live`, their length, and `memory`.
///
/// # Examples
/// ```
/// let mut arena = larder::Arena::from_iter(0..100);
/// arena.retain(|_, number| *number % 4 == 0);
/// let stats = arena.stats();
/// assert_eq!((stats.live, stats.holes, stats.slots), (25, 75, 100));
/// assert!(stats.memory.committed > 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Values in the container.
    pub live: usize,
    /// Free slots that were used before.
    pub holes: usize,
    /// Slots kept for a detached key.
    pub detached: usize,
    /// Slots whose generations are used up; they are never used again.
    pub retired: usize,
    /// Slots ever used: the sum of the above.
    pub slots: usize,
    /// Values that fit without moving; in a reserved container its maximum.
    pub capacity: usize,
    /// The use of its memory.
    pub memory: MemoryUsage,
}

/// The memory of a container by use, in bytes.
///
/// `values`, `holes`, `unused` and `bookkeeping` add up to `committed`. Memory that values own elsewhere (the
/// text of a `String`) is not counted, nor is the container itself, except that an `InlineArena` counts its
/// own bytes. Part of [`Stats`].
///
/// # Examples
/// ```
/// let mut arena = larder::Arena::with_capacity(128);
/// let keys: Vec<_> = arena.insert_many(0..100_u64).collect();
/// arena.remove(keys[7]);
/// let usage = arena.stats().memory;
/// assert_eq!((usage.values, usage.holes), (99 * 8, 8));
/// assert_eq!(usage.unused, 28 * 16); // room for 28 more, a slot of 16 bytes each
/// assert_eq!(usage.reserved, usage.committed);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryUsage {
    /// Bytes of the values themselves.
    pub values: usize,
    /// Bytes of values in used slots without a value: free, detached, retired.
    pub holes: usize,
    /// Bytes of slots that were never used.
    pub unused: usize,
    /// Everything else: generations, occupancy, tables, padding.
    pub bookkeeping: usize,
    /// All memory: allocated, lent, or committed where address space is reserved.
    pub committed: usize,
    /// All address space: `committed`, and what is reserved beyond it.
    pub reserved: usize,
}

impl Stats {
    /// Returns the statistics of a structure that stands beside a container, as an index does: of `live` elements, and
    /// of its memory. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::containers::{MemoryUsage, Stats};
    ///
    /// let stats = Stats::beside(3, MemoryUsage::new(24, 0, 8, 0));
    /// assert_eq!((stats.live, stats.memory.committed), (3, 32));
    /// ```
    #[must_use]
    pub fn beside(live: usize, memory: MemoryUsage) -> Self {
        Self { live, memory, ..Self::default() }
    }
}

impl MemoryUsage {
    /// Returns the usage of a structure that reserves no address space: what it has committed is the sum of these
    /// bytes. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::containers::MemoryUsage;
    ///
    /// let usage = MemoryUsage::new(24, 0, 8, 4);
    /// assert_eq!((usage.unused, usage.committed, usage.reserved), (8, 36, 36));
    /// ```
    #[must_use]
    pub const fn new(values: usize, holes: usize, unused: usize, bookkeeping: usize) -> Self {
        let committed = values + holes + unused + bookkeeping;
        Self { values, holes, unused, bookkeeping, committed, reserved: committed }
    }
}

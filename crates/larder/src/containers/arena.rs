//! Values that stay in their slot; removal leaves a hole.

mod lent;
mod pointer;

use crate::containers::builder::{self, Build, Builder, Options};
use crate::error::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
use crate::key::{Handle, Key};
use crate::macros;
use crate::raw::rows::{self, Contiguous, InBlock, InMemory, Rows, Slots};
use crate::stats::{Reuse, Stats};

/// Many values of a kind, each in a slot of its own, reached through handles that know when their
/// value is gone.
///
/// A *generational arena* (or *slot map*), not a bump allocator: values come and go one by one.
/// A value stays in its slot until it is removed; then the slot is a hole, which a later value
/// fills under a new handle. Handles of removed values never answer again.
///
/// Choose [`DenseArena`](crate::DenseArena) instead where the values must lie side by side as a
/// slice, and pay for it in lookups and removals.
///
/// # Layout
/// ```text
/// slots      ┌ value 0 │ gen ┬ value 1 │ gen ┬ (hole)  │ gen ┬ value 3 │ gen ┐   one allocation
/// occupancy  1 1 0 1 …                                                           one bit a slot
/// ```
/// A slot is the value and its generation (4 bytes for [`Handle`]), padded to the alignment of
/// the value; beside it there are 0.13 bytes a slot. A lookup touches one slot; a walk reads 64
/// slots' occupancy at once and touches no hole.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1); `insert` amortised where the arena grows |
/// | walk | O(live + slots / 64), with empty stretches of 4,096 slots skipped |
/// | `clear`, `retain` | O(live + slots / 64) |
///
/// Growing may move the values; a [fixed](Arena::fixed) arena never does, nor does one in reserved
/// address space (`Arena::reserved`, with the feature of that name). [`compact`](Arena::compact) moves
/// them on request.
///
/// # Examples
/// ```
/// use larder::Arena;
///
/// let mut trees = Arena::new();
/// let oak = trees.insert("oak");
/// let elm = trees.insert("elm");
/// assert_eq!(trees[oak], "oak");
///
/// assert_eq!(trees.remove(oak), Some("oak"));
/// assert_eq!(trees.get(oak), None);
///
/// let ash = trees.insert("ash"); // in the oak's slot
/// assert_eq!(trees.get(oak), None); // and still the oak's handle does not answer
/// assert_eq!(trees.values().collect::<Vec<_>>(), [&"ash", &"elm"]);
/// # let _ = (elm, ash);
/// ```
#[doc(alias(
    "slot map",
    "slotmap",
    "pool",
    "slab",
    "colony",
    "hive",
    "free list",
    "generational arena",
    "generation pool"
))]
pub struct Arena<T, K: Key = Handle<T>> {
    pub(crate) rows: Rows<T, K>,
}

macros::container! {
    Arena,
    store: Contiguous, finder: InBlock,
    new: "larder::Arena::new()",
    from: "larder::Arena::from_iter",
    for_one: "larder::Arena::fixed(1)",
    full: "the arena is fixed or reserved and full",
    moves: "growing may move the values",
    get: "O(1): one cache line.",
    key_of: "O(1).",
    capacity: "How many values fit without moving: in a reserved arena its maximum.",
    remaining: "How many values can be added without moving, in a reserved arena up to its maximum.",
    reserve: "Makes room for a share more, where it grows. O(capacity) then. Handles stay valid; values \
        may move. In a reserved arena they do not, and it is O(additional): memory is committed.",
    shrink: "Values may move. A reserved arena gives its pages back and keeps the addresses; \
        nothing moves.",
}

impl<T, K: Key> Build for Arena<T, K> {
    type Needs = ();

    #[track_caller]
    fn from_options(options: Options, (): ()) -> Result<Self, TryReserveError> {
        Ok(Self { rows: Rows::make(options.plan::<T>())? })
    }
}

impl<T, K: Key> builder::Contiguous for Arena<T, K> {}

/// Constructors that fix where the values lie, for the default key.
impl<T> Arena<T> {
    /// Makes an empty arena with room for `capacity` values, for good: all memory is allocated now,
    /// none ever after, and no value ever moves. When it is full, [`insert`](Self::insert) panics
    /// and [`try_insert`](Self::try_insert) gives the value back. O(capacity / 64).
    ///
    /// Beside the slots it takes 0.25 bytes each, so that [`detach`](Self::detach) and retired
    /// slots need no memory later.
    ///
    /// # Panics
    /// If memory is refused, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::fixed(2);
    /// arena.insert('a');
    /// let b = arena.insert('b');
    /// assert!(arena.try_insert('c').is_err());
    /// arena.remove(b);
    /// arena.insert('c');
    /// ```
    #[must_use]
    #[track_caller]
    pub fn fixed(capacity: usize) -> Self {
        Self::builder().fixed(capacity).build()
    }

    /// Makes a [fixed](Self::fixed) arena for as many values as fit into `bytes` bytes. What the
    /// arena needs beside the values is not counted. O(capacity / 64).
    ///
    /// # Panics
    /// If memory is refused, or the values have no size.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(larder::Arena::<u64>::fixed_bytes(1_000).capacity(), 125);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn fixed_bytes(bytes: usize) -> Self {
        Self::builder().fixed_bytes(bytes).build()
    }

    /// Makes an empty arena that grows in place, up to `max` values: address space for all of them is
    /// reserved now, memory is taken as it is used, and no value ever moves because the arena grows.
    /// When it is full, [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert)
    /// gives the value back. O(1): a few calls to the system. Needs the feature `reserved`.
    ///
    /// `max` may be far more than will ever be needed: addresses cost nothing. Memory is committed in
    /// steps of an eighth, from 64 KiB to 1 MiB; [`shrink_to_fit`](Self::shrink_to_fit) gives it back
    /// and keeps the addresses. Where there is no virtual memory (wasm, Miri) all of it is allocated
    /// now. Many small arenas are better on the heap: the first touch of a page takes a microsecond.
    ///
    /// # Panics
    /// If address space is refused, or `max` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Arena::reserved(1_000_000);
    /// let key = arena.insert('a');
    /// let before: *const char = &arena[key];
    /// arena.extend((1..1_000_000).map(|_| 'b'));
    /// assert_eq!(before, &arena[key] as *const char);
    /// assert!(arena.try_insert('c').is_err());
    /// ```
    #[cfg(feature = "reserved")]
    #[must_use]
    #[track_caller]
    pub fn reserved(max: usize) -> Self {
        Self::builder().reserved(max).build()
    }

    /// As [`reserved`](Self::reserved), but says so where the addresses are refused. O(1).
    /// Needs the feature `reserved`.
    ///
    /// # Errors
    /// If address space is refused (by a limit of the process, a container, or 32 bits), with the
    /// system's own words; if `max` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// use larder::Arena;
    ///
    /// let refused = Arena::<[u8; 1 << 30]>::try_reserved(1 << 30).unwrap_err();
    /// assert!(refused.to_string().contains("refused"));
    /// assert!(Arena::<u64>::try_reserved(1_000).is_ok());
    /// ```
    #[cfg(feature = "reserved")]
    pub fn try_reserved(max: usize) -> Result<Self, TryReserveError> {
        Self::builder().reserved(max).try_build()
    }
}

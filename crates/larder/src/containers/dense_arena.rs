//! Values that lie side by side; the last one fills each gap.

mod capacity;
mod entry;
mod iter;
mod lent;
mod lookup;
mod order;
mod removal;
mod temporary;
mod traits;

pub use entry::VacantEntry;
pub use iter::{
    Drain, ExtractIf, InsertMany, IntoIter, IntoKeys, IntoValues, Iter, IterMut, Keys, Values,
    ValuesMut,
};

use crate::containers::builder::Builder;
use crate::error::{InsertError, TryReserveError};
use crate::explain;
use crate::key::{Handle, Key};
use crate::raw::generation::Generation;
use crate::raw::packed::Packed;
use crate::raw::slots::{GenerationOf, Slots};
use crate::stats::Reuse;

/// Many values of a kind, side by side as a slice, reached through handles that know when their
/// value is gone.
///
/// A removal moves the last value into the gap, so the values have no order of their own; a table
/// leads from slots to positions, so handles stay valid all the same. Handles of removed values
/// never answer again.
///
/// Choose [`Arena`](crate::Arena) instead where lookups, insertions and removals matter more than
/// the slice: it has no table to go through, and its values stay where they are.
///
/// # Layout
/// ```text
/// values     │ value │ value │ value │          one slice
/// keys       │ 3v1   │ 0v5   │ 4v1   │          8 bytes a value
/// table      │ 1 │ – │ – │ 0 │ 2 │              4 bytes a slot: position, or generation where free
/// occupancy  1 0 0 1 1                          one bit a slot
/// ```
/// With [`Handle`] that is 12.2 bytes beside each value.
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `remove`, `get` | O(1), `insert` amortised where the arena grows |
/// | walk | that of a slice |
/// | `sort_by` and its like | O(n log n), and 4 bytes a value for the time it takes |
///
/// # Examples
/// ```
/// use larder::DenseArena;
///
/// let mut bullets = DenseArena::new();
/// let first = bullets.insert(1.0_f32);
/// let second = bullets.insert(2.0);
/// let third = bullets.insert(3.0);
///
/// bullets.remove(first);
/// assert_eq!(bullets.as_slice(), [3.0, 2.0]);
/// assert_eq!(bullets[third], 3.0);
/// assert_eq!(bullets.get(first), None);
/// # let _ = second;
/// ```
#[doc(alias(
    "slot map",
    "slotmap",
    "dense slot map",
    "sparse set",
    "packed",
    "pool",
    "slab",
    "colony",
    "hive",
    "free list",
    "generational arena",
    "generation pool"
))]
pub struct DenseArena<T, K: Key = Handle<T>> {
    pub(crate) packed: Packed<T, K>,
}

/// Constructors for the default key, so that it need not be named.
impl<T> DenseArena<T> {
    /// Makes an empty arena. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::DenseArena;
    ///
    /// static EMPTY: DenseArena<u32> = DenseArena::new();
    /// assert!(EMPTY.is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::with_key()
    }

    /// Makes an empty arena with room for `capacity` values; it grows beyond. O(capacity / 64): one
    /// bit a slot is written, the slots are not touched.
    ///
    /// # Panics
    /// If memory is refused, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::with_capacity(100);
    /// assert!(arena.capacity() >= 100);
    /// arena.extend(0..1_000);
    /// assert_eq!(arena.len(), 1_000);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::builder().capacity(capacity).build()
    }

    /// Makes an empty arena with room for `capacity` values, for good: all memory is allocated now,
    /// none ever after. When it is full, [`insert`](Self::insert) panics
    /// and [`try_insert`](Self::try_insert) gives the value back. O(capacity / 64).
    ///
    /// Beside what any dense arena takes it has a bit more a slot, so that [`detach`](Self::detach)
    /// and retired slots need no memory later.
    ///
    /// # Panics
    /// If memory is refused, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::fixed(2);
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
    /// assert_eq!(larder::DenseArena::<u64>::fixed_bytes(1_000).capacity(), 125);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn fixed_bytes(bytes: usize) -> Self {
        Self::builder().fixed_bytes(bytes).build()
    }

    /// Makes an empty arena that grows in place, up to `max` values: address space for all of them is
    /// reserved now, memory is taken as it is used, and no value ever moves because the arena grows.
    /// (Removals move the last one, as ever.) When it is full, [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert)
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
    /// let mut arena = larder::DenseArena::reserved(1_000_000);
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
    /// use larder::DenseArena;
    ///
    /// let refused = DenseArena::<[u8; 1 << 30]>::try_reserved(1 << 30).unwrap_err();
    /// assert!(refused.to_string().contains("refused"));
    /// assert!(DenseArena::<u64>::try_reserved(1_000).is_ok());
    /// ```
    #[cfg(feature = "reserved")]
    pub fn try_reserved(max: usize) -> Result<Self, TryReserveError> {
        Self::builder().reserved(max).try_build()
    }

    /// Begins to describe an arena: its room, whether it grows, its order of reuse. See
    /// [`Builder`]. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, Reuse};
    ///
    /// let mut arena = DenseArena::builder().capacity(100).reuse(Reuse::Lifo).build();
    /// arena.insert('a');
    /// assert!(arena.remaining() >= 99);
    /// ```
    pub const fn builder() -> Builder<Self> {
        Builder::new()
    }
}

/// Constructors for any key.
impl<T, K: Key> DenseArena<T, K> {
    /// Makes an empty arena with keys of type `K`. O(1): allocates nothing.
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, Handle32};
    ///
    /// let mut arena: DenseArena<&str, Handle32<&str>> = DenseArena::with_key();
    /// assert_eq!(size_of_val(&arena.insert("small")), 4);
    /// ```
    #[must_use]
    pub const fn with_key() -> Self {
        Self { packed: Packed::new(Reuse::Packed) }
    }

    /// Begins to describe an arena with keys of type `K`. See [`Builder`]. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, key::BareHandle};
    ///
    /// let mut arena: DenseArena<u8, BareHandle<u8>> = DenseArena::builder_with_key().fixed(10).build();
    /// let key = arena.insert(7);
    /// assert_eq!(arena[key], 7);
    /// ```
    pub const fn builder_with_key() -> Builder<Self> {
        Builder::new()
    }
}

/// Inserting.
impl<T, K: Key> DenseArena<T, K> {
    /// Adds a value and returns its key. O(1) amortised. Other keys stay valid; growing may move
    /// the values.
    ///
    /// # Panics
    /// If the arena is fixed or reserved and full, memory is refused, or no slot is left that the key
    /// could name. The value is dropped then; [`try_insert`](Self::try_insert) gives it back.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let key = arena.insert("value");
    /// assert_eq!(arena.get(key), Some(&"value"));
    /// ```
    #[doc(alias("add", "push", "alloc", "emplace", "create"))]
    #[inline(always)]
    #[track_caller]
    pub fn insert(&mut self, value: T) -> K {
        match self.packed.insert(value) {
            Ok(key) => key,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`insert`](Self::insert), but gives the value back where there is no room. O(1)
    /// amortised.
    ///
    /// # Errors
    /// If the arena is fixed or reserved and full, memory is refused, or no slot is left. Nothing
    /// has changed.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::fixed(0);
    /// assert_eq!(arena.try_insert(5).unwrap_err().into_value(), 5);
    /// ```
    #[inline]
    pub fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
        self.packed.try_insert(value)
    }

    /// Adds the value that `make` makes of its own key-to-be. O(1) amortised. If `make` panics,
    /// nothing has changed.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, Handle};
    ///
    /// struct Node { me: Handle<Node> }
    /// let mut nodes = DenseArena::new();
    /// let node = nodes.insert_with_key(|me| Node { me });
    /// assert_eq!(nodes[node].me, node);
    /// ```
    #[inline]
    #[track_caller]
    pub fn insert_with_key(&mut self, make: impl FnOnce(K) -> T) -> K {
        match self.packed.vacancy() {
            Ok(vacancy) => {
                let value = make(vacancy.key());
                vacancy.fill(value)
            }
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`insert_with_key`](Self::insert_with_key), for a `make` that can fail. O(1) amortised.
    /// (Where there may be no room, begin with [`try_vacant_entry`](Self::try_vacant_entry).)
    ///
    /// # Errors
    /// What `make` returns. Nothing has changed then.
    ///
    /// # Panics
    /// As [`insert`](Self::insert), before `make` is called.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let failed = arena.try_insert_with_key(|_| "x".parse::<i32>());
    /// assert!(failed.is_err() && arena.is_empty());
    /// let key = arena.try_insert_with_key(|_| "7".parse::<i32>()).unwrap();
    /// assert_eq!(arena[key], 7);
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_insert_with_key<E>(&mut self, make: impl FnOnce(K) -> Result<T, E>) -> Result<K, E> {
        match self.packed.vacancy() {
            Ok(vacancy) => {
                let value = make(vacancy.key())?;
                Ok(vacancy.fill(value))
            }
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// Finds room for a value whose key is wanted first. Dropping the entry changes nothing. O(1)
    /// amortised.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let entry = arena.vacant_entry();
    /// let key = entry.key();
    /// entry.insert(format!("I am {key}"));
    /// assert_eq!(arena[key], "I am 0v1");
    /// ```
    #[track_caller]
    pub fn vacant_entry(&mut self) -> VacantEntry<'_, T, K> {
        match self.packed.vacancy() {
            Ok(vacancy) => VacantEntry(vacancy),
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`vacant_entry`](Self::vacant_entry), where there may be no room. O(1), amortised.
    ///
    /// # Errors
    /// If the arena is full or memory is refused; nothing has changed then.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::fixed(1);
    /// arena.try_vacant_entry()?.insert('x');
    /// assert!(arena.try_vacant_entry().is_err());
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn try_vacant_entry(&mut self) -> Result<VacantEntry<'_, T, K>, TryReserveError> {
        self.packed.vacancy().map(VacantEntry)
    }

    /// Adds many values and gives out their keys, in the order of the values. What of it is not
    /// asked for is inserted when the iterator is dropped. O(1) a value, amortised.
    ///
    /// # Panics
    /// As [`insert`](Self::insert): at once, with nothing inserted, where the iterator says beforehand
    /// that there is no room for all; otherwise the values before are in.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let keys: Vec<_> = arena.insert_many(["a", "b", "c"]).collect();
    /// assert_eq!(arena[keys[2]], "c");
    /// ```
    #[track_caller]
    pub fn insert_many<I: IntoIterator<Item = T>>(
        &mut self,
        values: I,
    ) -> InsertMany<'_, T, K, I::IntoIter> {
        InsertMany::new(self, values.into_iter())
    }
}

/// Iterating, always in position order.
impl<T, K: Key> DenseArena<T, K> {
    /// Keys and values, two slices stepped through together. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let (a, b) = (arena.insert(1), arena.insert(2));
    /// assert!(arena.iter().eq([(a, &1), (b, &2)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, K> {
        Iter(self.packed.keys().iter().copied().zip(self.packed.values()))
    }

    /// Keys and values, to change the values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([1, 2]);
    /// for (key, value) in arena.iter_mut() {
    ///     *value += key.slot();
    /// }
    /// assert!(arena.values().eq(&[1, 3]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, K> {
        let (keys, values) = self.packed.both_mut();
        IterMut(keys.iter().copied().zip(values))
    }

    /// Keys. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert!(arena.keys().eq([a, b]));
    /// ```
    #[inline]
    pub fn keys(&self) -> Keys<'_, K> {
        Keys(self.packed.keys().iter().copied())
    }

    /// Values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseArena::from_iter([1, 2, 3]);
    /// assert_eq!(arena.values().sum::<i32>(), 6);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<'_, T> {
        Values(self.packed.values().iter())
    }

    /// Values, to change them. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([1, 2]);
    /// arena.values_mut().for_each(|value| *value *= 10);
    /// assert!(arena.values().eq(&[10, 20]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, T> {
        ValuesMut(self.packed.values_mut().iter_mut())
    }

    /// The keys of an arena that is not needed any more; its values are dropped. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.into_keys().collect::<Vec<_>>(), [a, b]);
    /// ```
    #[inline]
    pub fn into_keys(self) -> IntoKeys<T, K> {
        IntoKeys(self.packed.into_iter())
    }

    /// The values of an arena that is not needed any more. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseArena::from_iter(['a', 'b']);
    /// assert_eq!(arena.into_values().collect::<String>(), "ab");
    /// ```
    #[inline]
    pub fn into_values(self) -> IntoValues<T, K> {
        IntoValues(self.packed.into_iter())
    }
}

/// For the project's own tests.
#[doc(hidden)]
impl<T, K: Key> DenseArena<T, K> {
    /// Panics where the arena contradicts itself.
    pub fn validate(&self) {
        self.packed.validate();
    }

    /// Gives a free slot a history.
    pub fn set_generation_for_test(&mut self, slot: u32, generation: u32) {
        let free = GenerationOf::<K>::free_from_u64(generation.into());
        let free = free.expect("not the generation of a free slot");
        self.packed.set_free_generation(slot as usize, free);
    }

    /// What `Index` says of a key that has no value.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn no_value(&self, key: K) -> ! {
        let found = self.packed.found(key, self.packed.key_at(key.slot() as usize));
        explain::no_value::<Self, K>(key, &found)
    }
}

//! Values packed side by side: what [`DenseArena`] and `DenseSoaArena` are. They differ in how their values lie
//! alone, so each method is written once: here is what is the same for both, in `rows` what lends values as `&T`,
//! in `columns` what lends their fields.

mod iter;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt;
use core::mem::MaybeUninit;

pub use iter::{Iter, IterMut};

#[cfg(doc)]
use crate::DenseArena;
use crate::containers::builder::{Build, Builder, Contiguous, Options};
use crate::containers::entry::{InsertMany, VacantEntry};
use crate::containers::pairs::{Keys, Values};
use crate::error::{InsertError, ReattachError, TryReserveError};
use crate::explain::{self, Grants, Named};
use crate::key::generation::Mark;
use crate::key::{Handle, Key};
use crate::memory::buffer::Buffer;
use crate::memory::storage::Storage;
use crate::raw::packed as raw;
pub use crate::raw::packed::{
    ColumnLending, Drain, ExtractIf, IntoIter, Iter as ColumnIter, IterMut as ColumnIterMut, Taking,
};
use crate::raw::slots::{self, InMemory, SlotStore as _};
#[cfg(feature = "alloc")]
use crate::room;
use crate::stats::{Reuse, Stats};

/// Lends the values of a storage.
pub(crate) type DenseIter<'a, T, K, S> = raw::Iter<'a, T, K, <S as Storage<T>>::At>;

/// Values packed side by side, accessed by handles that become stale when their value is removed.
///
/// A removal moves the last value into the gap; a table maps slots to positions, so handles stay valid. The type is
/// named by what it is for:
///
/// | | values lie | are lent as |
/// |---|---|---|
/// | [`DenseArena`] | whole, as a slice | `&T` |
/// | `DenseSoaArena` | each field in a column, which is a slice | a reference to each field |
///
/// `S` is where values lie.
///
/// # Examples
/// ```
/// use larder::DenseArena;
///
/// let mut bullets = DenseArena::from_iter([1.0_f32, 2.0, 3.0]);
/// let first = bullets.keys().next().unwrap();
/// bullets.remove(first);
/// assert_eq!(bullets.as_slice(), [3.0, 2.0]);
/// ```
pub struct Dense<T, K = Handle<T>, S = Buffer<T>>
where
    K: Key,
    S: Storage<T>,
{
    pub(crate) store: raw::Packed<T, K, S>,
}

/// Constructors for the default key, so that it need not be named.
impl<T, S: Storage<T>> Dense<T, Handle<T>, S> {
    /// Makes an empty arena without allocating. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// static EMPTY: Arena<u32> = Arena::new();
    /// assert!(EMPTY.is_empty());
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub const fn new() -> Self {
        Self::with_key()
    }

    /// Makes an empty arena with room for `capacity` values; it grows beyond. O(capacity / 64):
    /// one bit a slot is written.
    ///
    /// # Panics
    /// If allocation fails, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::with_capacity(100);
    /// assert!(arena.capacity() >= 100);
    /// arena.extend(0..1_000_u32);
    /// assert_eq!(arena.len(), 1_000);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::builder().capacity(capacity).build()
    }

    /// Returns a [`Builder`], which sets memory and order of reuse. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::Reuse;
    ///
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::builder().capacity(100).reuse(Reuse::Lifo).build();
    /// arena.insert('a');
    /// assert!(arena.capacity() >= 100);
    /// ```
    pub const fn builder() -> Builder<Self> {
        Builder::new()
    }

    /// Makes an empty arena with room for exactly `capacity` values. All memory is allocated
    /// now and none later, and growing never moves a value. When it is full,
    /// [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert) gives the value
    /// back. O(capacity / 64).
    ///
    /// It has one bit a slot more than a growing arena, so that [`detach`](Self::detach) and
    /// retired slots need no memory later.
    ///
    /// # Panics
    /// If allocation fails, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::fixed(2);
    /// arena.insert('a');
    /// let b = arena.insert('b');
    /// assert!(arena.try_insert('c').is_err());
    /// arena.remove(b);
    /// arena.insert('c');
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    #[track_caller]
    pub fn fixed(capacity: usize) -> Self {
        Self::builder().fixed(capacity).build()
    }

    /// Makes an empty arena that grows in place, up to `max` values: address space for all of
    /// them is reserved now, memory is committed as it is used, and growing never moves a
    /// value. When it is full, [`insert`](Self::insert) panics and
    /// [`try_insert`](Self::try_insert) gives the value back. O(1): a few system calls. Needs
    /// the feature `reserved`.
    ///
    /// `max` may be far more than will be needed: address space is free. Memory is committed in
    /// steps of an eighth, from 64 KiB to 1 MiB; [`shrink_to_fit`](Self::shrink_to_fit) returns
    /// it and keeps the addresses. Without virtual memory (wasm, Miri) all of it is allocated
    /// now. Many small arenas are better on the heap: the first touch of a page takes a
    /// microsecond. To handle a refusal, use
    /// [`Builder::try_build`](crate::containers::Builder::try_build).
    ///
    /// # Panics
    /// If address space is refused, or `max` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::reserved(1_000_000);
    /// let key = arena.insert('a');
    /// let before: *const char = arena.get(key).unwrap();
    /// arena.extend((1..1_000_000).map(|_| 'b'));
    /// assert_eq!(before, arena.get(key).unwrap() as *const char);
    /// assert!(arena.try_insert('c').is_err());
    /// ```
    #[cfg(feature = "reserved")]
    #[must_use]
    #[track_caller]
    pub fn reserved(max: usize) -> Self {
        Self::builder().reserved(max).build()
    }

    /// Makes an empty arena in the caller's own memory block, with room for as many values as
    /// fit. It never allocates, and growing never moves a value. When it is full,
    /// [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert) gives the value
    /// back. O(capacity / 64).
    ///
    /// The block belongs to the arena for the rest of the program;
    /// [`bytes_for`](Self::bytes_for) computes its size. This works without an allocator, that
    /// is, without the feature `alloc`.
    ///
    /// # Errors
    /// If not a single value fits. The error says how many bytes are missing, including those
    /// before the first aligned address.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    ///
    /// # use larder::DenseArena as Arena;
    /// const BYTES: usize = Arena::<u64>::bytes_for(100);
    /// let block = Box::leak(Box::new([MaybeUninit::uninit(); BYTES])); // or `static_cell`
    /// let mut arena = Arena::in_memory(block)?;
    /// assert!(arena.capacity() >= 100);
    /// let key = arena.insert(7_u64);
    /// assert_eq!(arena.get(key), Some(&7));
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn in_memory(block: &'static mut [MaybeUninit<u8>]) -> Result<Self, TryReserveError> {
        Self::builder().in_memory(block).try_build()
    }
}

/// Making a container of values.
#[cfg(feature = "alloc")]
impl<T, S: Storage<T>> Dense<T, Handle<T>, S> {
    /// Makes a container of values, in slots 0, 1, 2 and so on, in their order; with the default
    /// key, so that it need not be named. O(values). For another key there is `collect`.
    ///
    /// # Panics
    /// See `insert`.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    ///
    /// let arena = Arena::from_iter(["ox", "wren"]);
    /// assert_eq!(arena.values().next(), Some(&"ox"));
    /// ```
    #[inline]
    #[track_caller]
    #[expect(clippy::should_implement_trait, reason = "that is there, too, for any key")]
    pub fn from_iter(values: impl IntoIterator<Item = T>) -> Self {
        values.into_iter().collect()
    }
}

/// Constructors for any key.
impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// Makes an empty arena with keys of type `K`, without allocating. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::Handle32;
    /// use larder::DenseArena;
    ///
    /// let mut arena: DenseArena<char, Handle32<char>> = DenseArena::with_key();
    /// assert_eq!(size_of_val(&arena.insert('a')), 4);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub const fn with_key() -> Self {
        Self { store: const { raw::Packed::new(Reuse::Packed) } }
    }

    /// Makes an empty arena with keys of type `K` and room for `capacity` values; it grows
    /// beyond. O(capacity / 64): one bit a slot is written.
    ///
    /// # Panics
    /// If allocation fails, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, key::Serial};
    ///
    /// let mut arena: DenseArena<u8, Serial<u8>> = DenseArena::with_capacity_and_key(100);
    /// assert!(arena.capacity() >= 100);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        Self::builder_with_key().capacity(capacity).build()
    }

    /// Returns a [`Builder`] for keys of type `K`. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, key::BareHandle};
    ///
    /// let mut arena: DenseArena<u8, BareHandle<u8>> = DenseArena::builder_with_key().fixed(10).build();
    /// let key = arena.insert(7);
    /// assert_eq!(arena.get(key), Some(&7));
    /// ```
    pub const fn builder_with_key() -> Builder<Self> {
        Builder::new()
    }

    /// Returns how many bytes a block must have for `count` values, at least one, to fit at any
    /// address; `usize::MAX` if no block is so large. O(1).
    ///
    /// An order of reuse other than [`Packed`](crate::Reuse::Packed) needs 4 bytes a value more,
    /// rounded up to 64 values.
    ///
    /// # Examples
    /// ```
    /// const BYTES: usize = larder::DenseArena::<u64>::bytes_for(100);
    /// assert!(BYTES >= 800);
    /// ```
    #[must_use]
    pub const fn bytes_for(count: usize) -> usize {
        slots::bytes_for(<raw::Packed<T, K, S> as InMemory<K>>::BLOCKS, count)
    }
}

/// Capacity.
impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// Returns the number of values. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let arena = Arena::from_iter(['a', 'b']);
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns whether there are no values. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// assert!(arena.is_empty());
    /// arena.insert('a');
    /// assert!(!arena.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many values fit without moving; of a reserved container its maximum.
    /// Retired slots do not count; those of [detached](crate::containers::Stats::detached) keys do. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::fixed(1);
    /// assert_eq!(arena.capacity(), 1);
    /// arena.insert('a');
    /// assert_eq!(arena.capacity(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.store.capacity()
    }

    /// Makes room for at least `additional` more values.
    /// When it grows it makes more room than asked for, and values may move: O(capacity). In a reserved container
    /// nothing moves and memory is committed: O(additional). Keys stay valid.
    ///
    /// # Panics
    /// If the container is fixed or reserved and full, allocation fails, or there cannot be so many slots.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(0..10_u32);
    /// arena.reserve(50);
    /// assert!(arena.capacity() >= 60);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        Self::granted(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error if there is no room.
    ///
    /// # Errors
    /// If the container is fixed or reserved and full, allocation fails, or there cannot be so many slots;
    /// no value has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// arena.insert('a');
    /// assert!(arena.try_reserve(50).is_ok() && arena.capacity() >= 51);
    /// assert!(arena.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.store.try_reserve(additional)
    }

    /// Returns how slots and memory are used. What values own elsewhere is not counted. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert(1_u64);
    /// arena.extend([2, 3, 4]);
    /// arena.remove(key);
    /// let stats = arena.stats();
    /// assert_eq!((stats.live, stats.holes, stats.slots), (3, 1, 4));
    /// assert_eq!((stats.memory.values, stats.memory.holes), (24, 8));
    /// ```
    #[doc(alias("memory_usage", "mem_usage"))]
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.store.stats()
    }

    /// Frees the memory that no used slot needs. Free slots at the end are forgotten: when such
    /// a slot is begun again, it continues past every generation that was forgotten, so stale
    /// keys stay stale. Other keys stay valid.
    /// Values may move. A reserved container returns its pages and keeps the addresses; nothing moves.
    /// A fixed container keeps its memory. O(slots).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(0..1_000_u32);
    /// let last = arena.keys().last().unwrap();
    /// arena.retain(|_, number| *number < 10);
    /// arena.shrink_to_fit();
    /// assert_eq!(arena.capacity(), 10);
    /// arena.extend(0..1_000_u32);
    /// assert_eq!(arena.get(last), None); // the same slot, another generation
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.store.shrink_to(0);
    }

    /// Like [`shrink_to_fit`](Self::shrink_to_fit), but keeps room for `capacity` values.
    /// O(slots).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(0..1_000_u32);
    /// arena.clear();
    /// arena.shrink_to(100);
    /// assert_eq!(arena.capacity(), 100);
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.store.shrink_to(capacity);
    }
}

/// Access by key and position.
impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// Returns whether the key has a value. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// assert!(arena.contains_key(key));
    /// arena.remove(key);
    /// assert!(!arena.contains_key(key));
    /// ```
    #[doc(alias("is_valid", "contains", "id_is_valid"))]
    #[inline]
    #[must_use]
    pub fn contains_key(&self, key: K) -> bool {
        self.store.find(key).is_some()
    }

    /// Returns the position of a key's value; `None` if the key is stale, foreign or dangling.
    /// It is the value's position until the next removal or rearrangement. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.get_index_of(b), Some(1));
    /// arena.remove(a); // `b` moves into the gap
    /// assert_eq!(arena.get_index_of(b), Some(0));
    /// ```
    #[doc(alias("iterator_of_id", "index_of", "dense_index", "position_of"))]
    #[inline]
    #[must_use]
    pub fn get_index_of(&self, key: K) -> Option<usize> {
        self.store.find(key)
    }

    /// Returns the keys as a slice, each at the position of its value. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.keys_as_slice(), [a, b]);
    /// assert_eq!(arena.get_index_of(b), Some(1));
    /// ```
    #[doc(alias("key_at", "key_of_index"))]
    #[inline]
    #[must_use]
    pub fn keys_as_slice(&self) -> &[K] {
        self.store.keys()
    }

    /// Returns the key of the next value, in position order; `None` for the last, and for a key
    /// without a value. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert_eq!(arena.next_key(a), Some(b));
    /// assert_eq!(arena.next_key(b), None);
    /// ```
    #[doc(alias = "first_key")]
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        self.keys_as_slice().get(self.get_index_of(key)? + 1).copied()
    }

    /// Iterates over keys. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert!(arena.keys().eq([a, b]));
    /// ```
    #[inline]
    pub fn keys(&self) -> Keys<DenseIter<'_, T, K, S>> {
        Keys::of(self.store.iter())
    }
}

/// Inserting.
impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// Adds a value and returns its key. Other keys stay valid; growing may move values. O(1) amortised.
    ///
    /// # Panics
    /// If the container is fixed or reserved and full, allocation fails, or no slot is left.
    /// The value is dropped; [`try_insert`](Self::try_insert) gives it back.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert("value");
    /// assert_eq!(arena.get(key), Some(&"value"));
    /// ```
    #[doc(alias("add", "push", "alloc", "emplace", "create"))]
    #[inline(always)]
    #[track_caller]
    pub fn insert(&mut self, value: T) -> K {
        Self::granted(self.store.insert_or(value, |_, reason| reason))
    }

    /// Like [`insert`](Self::insert), but gives the value back if there is no room. O(1)
    /// amortised.
    ///
    /// # Errors
    /// If the container is fixed or reserved and full, allocation fails, or no slot is left;
    /// nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::fixed(1);
    /// assert!(arena.try_insert(4_u32).is_ok());
    /// assert_eq!(arena.try_insert(5_u32).unwrap_err().value, 5);
    /// ```
    #[inline]
    pub fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
        self.store.try_insert(value)
    }

    /// Adds the value that `make` returns for its key. If `make` panics, nothing has changed. For
    /// one that can fail there is [`vacant_entry`](Self::vacant_entry). O(1) amortised.
    ///
    /// A value that contains its key is a struct of the caller's (`struct Node { me: Handle<Node> }`),
    /// or has a key with a name of its own: with the default key the type of `|me| (me, 1)` would
    /// contain itself, which the compiler reports as E0275. [`key_type!`](crate::key_type) makes one.
    ///
    /// # Panics
    /// See [`insert`](Self::insert).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert_with_key(|me| me.to_string());
    /// assert_eq!(arena.get(key), Some(&key.to_string()));
    /// ```
    #[inline]
    #[track_caller]
    pub fn insert_with_key(&mut self, make: impl FnOnce(K) -> T) -> K {
        let vacancy = Self::granted(self.store.vacancy());
        let value = make(vacancy.key());
        vacancy.fill(value)
    }

    /// Makes room for a value whose key is needed first. Dropping the entry changes nothing.
    /// O(1) amortised.
    ///
    /// # Panics
    /// See [`insert`](Self::insert).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let entry = arena.vacant_entry();
    /// let key = entry.key();
    /// entry.insert(format!("I am {key}"));
    /// assert_eq!(arena.get(key).unwrap(), "I am 0v1");
    /// ```
    #[track_caller]
    pub fn vacant_entry(&mut self) -> VacantEntry<'_, K, raw::Packed<T, K, S>> {
        VacantEntry(Self::granted(self.store.vacancy()))
    }

    /// Like [`vacant_entry`](Self::vacant_entry), but returns an error if there is no room.
    /// O(1) amortised.
    ///
    /// # Errors
    /// If the arena is full or allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::fixed(1);
    /// arena.try_vacant_entry()?.insert('x');
    /// assert!(arena.try_vacant_entry().is_err());
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn try_vacant_entry(
        &mut self,
    ) -> Result<VacantEntry<'_, K, raw::Packed<T, K, S>>, TryReserveError> {
        self.store.vacancy().map(VacantEntry)
    }

    /// Adds many values and yields their keys, in the order of the values. Values not pulled
    /// are inserted when the iterator is dropped. O(1) amortised a value.
    ///
    /// # Panics
    /// See [`insert`](Self::insert). If the lower bound of the iterator's `size_hint` does not
    /// fit, at once and with nothing inserted; otherwise the values before are in.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let keys: Vec<_> = arena.insert_many(["a", "b", "c"]).collect();
    /// assert_eq!(arena.get(keys[2]), Some(&"c"));
    /// ```
    #[track_caller]
    pub fn insert_many<I: IntoIterator<Item = T>>(
        &mut self,
        values: I,
    ) -> InsertMany<'_, K, raw::Packed<T, K, S>, I::IntoIter> {
        InsertMany::new(&mut self.store, values.into_iter())
    }
}

/// Removing.
impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// Removes a value and returns it; `None` if the key is stale, foreign or dangling. Other
    /// keys stay valid; **the last value moves into its position**.
    /// O(1), and never allocates.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.remove(key), Some('x'));
    /// assert_eq!(arena.remove(key), None);
    /// ```
    #[doc(alias("erase", "delete", "free", "destroy", "try_remove"))]
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<T> {
        self.store.remove(key)
    }

    /// Removes a value and returns it with the key to visit next: that of the last value, which moved into
    /// the gap; `None` if it was the last, or the key has no value. So a loop over keys may remove values,
    /// and visits each once. All other keys stay valid. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(["drop", "keep", "drop"]);
    /// let mut next = arena.keys().next();
    /// while let Some(key) = next {
    ///     next = match arena.get(key) {
    ///         Some(&"drop") => arena.remove_and_next(key).1,
    ///         _ => arena.next_key(key),
    ///     };
    /// }
    /// assert_eq!(arena.len(), 1);
    /// ```
    #[doc(alias = "erase")]
    pub fn remove_and_next(&mut self, key: K) -> (Option<T>, Option<K>) {
        let position = self.get_index_of(key);
        let removed = self.remove(key);
        (removed, position.and_then(|position| self.keys_as_slice().get(position).copied()))
    }

    /// Removes the value at a position and returns it with its key; `None` if the position is
    /// not below `len()`. The last value moves there; all other keys stay valid. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(["a", "b", "c"]);
    /// assert_eq!(arena.swap_remove_index(0).map(|(_, value)| value), Some("a"));
    /// assert!(arena.values().eq(&["c", "b"]));
    /// ```
    #[doc(alias("swap_remove", "remove_at"))]
    pub fn swap_remove_index(&mut self, position: usize) -> Option<(K, T)> {
        self.store.remove_at(position)
    }

    /// Removes a value and returns it; the values after it move up by one, so the order is
    /// kept. `None` if the key is stale, foreign or dangling. O(len).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(["a", "b", "c"]);
    /// arena.remove_ordered(arena.keys_as_slice()[0]);
    /// assert!(arena.values().eq(&["b", "c"]));
    /// ```
    #[doc(alias = "shift_remove")]
    pub fn remove_ordered(&mut self, key: K) -> Option<T> {
        self.store.remove_ordered(key)
    }

    /// Removes all values and yields them, in position order.
    /// Values not pulled are removed when the iterator is dropped, even if a destructor panics.
    /// O(1) a value. (If the iterator is leaked, the remaining values stay, or are leaked.)
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(["a", "b"]);
    /// assert_eq!(arena.drain().map(|(_, value)| value).collect::<String>(), "ab");
    /// assert!(arena.is_empty());
    /// ```
    pub fn drain(&mut self) -> Drain<'_, T, K, S::At> {
        self.store.drain()
    }

    /// Removes all values and discards all detached keys. Memory and generations are kept: no
    /// key that was ever issued becomes valid again. The lowest slots are used first
    /// afterwards. O(len).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// arena.clear();
    /// assert!(arena.is_empty());
    /// arena.insert('y');
    /// assert_eq!(arena.get(key), None);
    /// ```
    #[doc(alias = "flush")]
    pub fn clear(&mut self) {
        self.store.clear();
    }

    /// Takes a value out but keeps its slot, so that [`reattach`](Self::reattach) can put it
    /// back under the same key; `None` if the key is stale, foreign or dangling. Until then the
    /// key has no value; **the last value moves into its position**. O(1),
    /// but allocates one bit a slot the first time (not in a fixed arena).
    ///
    /// # Panics
    /// If memory for those bits is refused; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert(String::from("a"));
    /// let mut value = arena.detach(key).unwrap();
    /// value.push_str(&arena.len().to_string()); // the arena is not borrowed
    /// arena.reattach(key, value).unwrap();
    /// assert_eq!(arena.get(key).unwrap(), "a0");
    /// ```
    #[track_caller]
    pub fn detach(&mut self, key: K) -> Option<T> {
        Self::granted(self.store.try_detach(key))
    }

    /// Puts a value back under its detached key. O(1).
    ///
    /// # Errors
    /// If the key is not detached: the value is given back.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// let value = arena.detach(key).unwrap();
    /// assert!(arena.reattach(key, value).is_ok());
    /// let refused = arena.reattach(key, 'y').unwrap_err(); // `x` is back already
    /// assert_eq!(refused.value, 'y');
    /// ```
    pub fn reattach(&mut self, key: K, value: T) -> Result<(), ReattachError<T>> {
        self.store.reattach(key, value)
    }

    /// Frees a detached key's slot; the key becomes stale. Returns whether it was detached.
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// arena.detach(key);
    /// assert!(arena.discard_detached(key));
    /// assert!(arena.reattach(key, 'x').is_err());
    /// ```
    #[doc(alias = "release")]
    pub fn discard_detached(&mut self, key: K) -> bool {
        self.store.release(key)
    }

    /// Consumes the container and iterates over its values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let arena = Arena::from_iter(['a', 'b']);
    /// assert_eq!(arena.into_values().collect::<String>(), "ab");
    /// ```
    #[inline]
    pub fn into_values(self) -> Values<IntoIter<T, K, S, S::At>> {
        Values::of(self.into_iter())
    }
}

/// Rearranging. Keys stay with their values.
impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// Swaps the values at two positions together with their keys, which stay valid. O(1).
    ///
    /// # Panics
    /// If a position is not below `len()`.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// arena.swap_indices(0, 1);
    /// assert!(arena.values().eq(&['b', 'a']));
    /// assert_eq!((arena.get(a), arena.get(b)), (Some(&'a'), Some(&'b')));
    /// ```
    #[doc(alias = "swap_positions")]
    #[track_caller]
    pub fn swap_indices(&mut self, a: usize, b: usize) {
        let len = self.len();
        assert!(a < len && b < len, "swap_indices: {a} and {b} must be below the length, {len}");
        self.store.swap_positions(a, b);
    }
}

/// For the project's own tests.
impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// Panics if the container is inconsistent, for the project's own tests.
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn validate(&self) {
        self.store.validate();
    }

    /// Gives a free slot a history, for the project's own tests. (A key that is stale may have a value again.)
    #[cfg(feature = "__test")]
    #[doc(hidden)]
    pub fn set_generation_for_test(&mut self, slot: u32, generation: u32) {
        self.store.set_generation_for_test(slot, generation);
    }
}

impl<T, K: Key, S: Storage<T>> Grants for Dense<T, K, S> {
    type Of = T;

    const NAME: &'static str = S::PACKED_NAME;
}

impl<T, K: Key, S: Storage<T>> Dense<T, K, S> {
    /// An empty vector with room for `count` elements, for the time of a call.
    #[cfg(feature = "alloc")]
    #[track_caller]
    pub(super) fn scratch<E>(count: usize) -> Vec<E> {
        let mut elements = Vec::new();
        Self::granted(room::reserve_exact(&mut elements, count));
        elements
    }

    /// The panic of a lookup by a key that must have a value.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn no_value(&self, key: K) -> ! {
        let found = self.store.found(key, self.store.key_at(key.slot() as usize));
        explain::no_value(&Named(S::PACKED_NAME, type_name::<T>()), key, &found)
    }
}

/// The keys are found by iterating, or returned by `insert_many`.
impl<T, K: Key, S: Storage<T>> Extend<T> for Dense<T, K, S> {
    /// # Panics
    /// See `insert`; the values before are in.
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        Self::granted(self.store.try_extend(values));
    }
}

impl<T, K: Key, S: Storage<T>> IntoIterator for Dense<T, K, S> {
    type Item = (K, T);
    type IntoIter = IntoIter<T, K, S, S::At>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.store.into_iter()
    }
}

#[cfg(feature = "alloc")]
impl<T, K: Key, S: Storage<T>> Default for Dense<T, K, S> {
    /// An empty arena. Does not allocate.
    fn default() -> Self {
        Self::with_key()
    }
}

/// The values are in slots 0, 1, 2 and so on, in their order.
#[cfg(feature = "alloc")]
impl<T, K: Key, S: Storage<T>> FromIterator<T> for Dense<T, K, S> {
    /// # Panics
    /// See `insert`.
    #[inline]
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut container = Self::default();
        container.extend(values);
        container
    }
}

/// The values are in slots 0, 1, 2 and so on, in their order.
#[cfg(feature = "alloc")]
impl<T, K: Key, S: Storage<T>, const COUNT: usize> From<[T; COUNT]> for Dense<T, K, S> {
    /// # Panics
    /// See `insert`.
    #[inline]
    #[track_caller]
    fn from(values: [T; COUNT]) -> Self {
        values.into_iter().collect()
    }
}

impl<T, K: Key, S: Storage<T>> Build for Dense<T, K, S> {
    type Needs = ();

    #[track_caller]
    fn from_options(options: Options, (): ()) -> Result<Self, TryReserveError> {
        let mark = options.mark::<K>()?;
        Ok(Self { store: raw::Packed::make(options.plan::<T>())?.begun_at(mark) })
    }

    fn mark_after(&self) -> Option<u64> {
        Some(self.store.mark_after(|slot| self.store.key_at(slot))?.to_u64())
    }
}

impl<T, K: Key, S: Storage<T>> Contiguous for Dense<T, K, S> {}

impl<T, K: Key, F, S: Storage<T>> fmt::Debug for ExtractIf<'_, T, K, F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractIf").field("remaining", &self.len()).finish_non_exhaustive()
    }
}

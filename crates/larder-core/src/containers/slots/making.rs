//! Making values in slots.

use core::mem::MaybeUninit;

use super::Slots;
use crate::containers::builder::{Build, Builder, Contiguous, Options};
use crate::error::TryReserveError;
use crate::key::generation::Mark;
use crate::key::{Handle, Key};
use crate::memory::buffer::Buffer;
use crate::memory::storage::EmptyRoom;
use crate::raw::book::Book;
use crate::raw::rows::{Blocks, Row, Whole};
use crate::raw::slots::{self, InMemory, SlotStore as _};
use crate::raw::store::{Refill, Store};
use crate::stats::Reuse;

/// A layout that can be made without more than a builder says, which a pool's is not.
/// (Its constructors have the same names, and [`Rooms`](crate::raw::rows::Rooms) says why bounds name `EmptyRoom`,
/// too.)
#[expect(unnameable_types, reason = "it says which layouts have the constructors")]
pub trait MadeLayout<T, K: Key>: EmptyRoom + Refill<T, K> {
    /// Slots as a builder says.
    fn made(options: Options) -> Result<Store<T, K, Self>, TryReserveError>;
}

impl<T, K: Key> MadeLayout<T, K> for Whole<Buffer<Row<T, K>>> {
    #[track_caller]
    fn made(options: Options) -> Result<Store<T, K, Self>, TryReserveError> {
        made_in_blocks(options)
    }
}

impl<T, K: Key> MadeLayout<T, K> for Whole<Blocks<Row<T, K>>> {
    #[track_caller]
    fn made(options: Options) -> Result<Store<T, K, Self>, TryReserveError> {
        let (size, mark) = (options.block_size, options.mark::<K>()?);
        Ok(Store::make_blocks(options.plan::<T>(), size)?.begun_at(mark))
    }
}

/// Slots in a number of blocks that is known beforehand.
#[track_caller]
pub(in crate::containers) fn made_in_blocks<K: Key, C: InMemory<K>>(
    options: Options,
) -> Result<C, TryReserveError> {
    let mark = options.mark::<K>()?;
    Ok(C::make(options.plan::<C::Value>())?.begun_at(mark))
}

/// Constructors for the default key, so that it need not be named.
impl<T, L: EmptyRoom + MadeLayout<T, Handle<T>>> Slots<T, Handle<T>, L> {
    /// Makes an empty arena without allocating. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
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
    /// # use larder::Arena;
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
    /// # use larder::Arena;
    /// let mut arena = Arena::builder().capacity(100).reuse(Reuse::Lifo).build();
    /// arena.insert('a');
    /// assert!(arena.capacity() >= 100);
    /// ```
    pub const fn builder() -> Builder<Self> {
        Builder::new()
    }
}

/// Constructors for any key.
impl<T, K: Key, L: EmptyRoom + MadeLayout<T, K>> Slots<T, K, L> {
    /// Makes an empty arena with keys of type `K`, without allocating. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::Handle32;
    /// use larder::Arena;
    ///
    /// let mut arena: Arena<char, Handle32<char>> = Arena::with_key();
    /// assert_eq!(size_of_val(&arena.insert('a')), 4);
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub const fn with_key() -> Self {
        Self { store: const { Store::new(Reuse::Packed) } }
    }

    /// Makes an empty arena with keys of type `K` and room for `capacity` values; it grows
    /// beyond. O(capacity / 64): one bit a slot is written.
    ///
    /// # Panics
    /// If allocation fails, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, key::Serial};
    ///
    /// let mut arena: Arena<u8, Serial<u8>> = Arena::with_capacity_and_key(100);
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
    /// use larder::{Arena, key::BareHandle};
    ///
    /// let mut arena: Arena<u8, BareHandle<u8>> = Arena::builder_with_key().fixed(10).build();
    /// let key = arena.insert(7);
    /// assert_eq!(arena.get(key), Some(&7));
    /// ```
    pub const fn builder_with_key() -> Builder<Self> {
        Builder::new()
    }
}

/// Making a container of values.
impl<T, L: Refill<T, Handle<T>>, B: Book> Slots<T, Handle<T>, L, B>
where
    Self: Default,
{
    /// Makes a container of values, in slots 0, 1, 2 and so on, in their order; with the default
    /// key, so that it need not be named. O(values). For another key there is `collect`.
    ///
    /// # Panics
    /// See `insert`.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
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

#[cfg(feature = "alloc")]
impl<T, K: Key, L: EmptyRoom + MadeLayout<T, K>> Default for Slots<T, K, L> {
    /// An empty arena. Does not allocate.
    fn default() -> Self {
        Self::with_key()
    }
}

/// The values are in slots 0, 1, 2 and so on, in their order.
impl<T, K: Key, L: Refill<T, K>, B: Book> FromIterator<T> for Slots<T, K, L, B>
where
    Self: Default,
{
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
impl<T, K: Key, L: Refill<T, K>, B: Book, const COUNT: usize> From<[T; COUNT]> for Slots<T, K, L, B>
where
    Self: Default,
{
    /// # Panics
    /// See `insert`.
    #[inline]
    #[track_caller]
    fn from(values: [T; COUNT]) -> Self {
        values.into_iter().collect()
    }
}

impl<T, K: Key, L: EmptyRoom + MadeLayout<T, K>> Build for Slots<T, K, L> {
    type Needs = ();

    #[track_caller]
    fn from_options(options: Options, (): ()) -> Result<Self, TryReserveError> {
        Ok(Self { store: L::made(options)? })
    }

    fn mark_after(&self) -> Option<u64> {
        Some(self.store.mark_after(|slot| self.store.key_at(slot))?.to_u64())
    }
}

impl<T, K: Key> Contiguous for Slots<T, K, Whole<Buffer<Row<T, K>>>> {}

/// Constructors that determine where the values are, for the default key.
impl<T> Slots<T, Handle<T>, Whole<Buffer<Row<T>>>> {
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
    /// # use larder::Arena;
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
    /// # use larder::Arena;
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
    /// # use larder::Arena;
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

/// The size of a lent block.
impl<T, K: Key> Slots<T, K, Whole<Buffer<Row<T, K>>>> {
    /// Returns how many bytes a block must have for `count` values, at least one, to fit at any
    /// address; `usize::MAX` if no block is so large. O(1).
    ///
    /// An order of reuse other than [`Packed`](crate::Reuse::Packed) needs 4 bytes a value more,
    /// rounded up to 64 values.
    ///
    /// # Examples
    /// ```
    /// const BYTES: usize = larder::Arena::<u64>::bytes_for(100);
    /// assert!(BYTES >= 800);
    /// ```
    #[must_use]
    pub const fn bytes_for(count: usize) -> usize {
        slots::bytes_for(<Store<T, K, Whole<Buffer<Row<T, K>>>> as InMemory<K>>::BLOCKS, count)
    }
}

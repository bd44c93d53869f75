//! Makes pools, with functions that make a value and that reset one which is removed.

use core::mem::MaybeUninit;

use super::{Pool, Store};
use crate::containers::builder::{Build, Builder, Contiguous, Options};
use crate::containers::slots::making;
use crate::error::TryReserveError;
use crate::explain::Grants;
use crate::key::Key;
use crate::key::generation::Mark;
use crate::raw::slots::{self, InMemory, SlotStore};
use crate::raw::split::{Recipe, SplitStore};

/// Constructors for the default key, so that it need not be named.
impl<T> Pool<T> {
    /// Makes an empty pool. `empty` makes the value of every empty slot: of reserved slots, and of slots
    /// whose value is removed and dropped. O(1): no value is made yet.
    ///
    /// # Examples
    /// ```
    /// let mut heights = larder::Pool::new(|| 3.14159);
    /// let key = heights.insert(2.0);
    /// heights.insert(1.0);
    /// heights.recycle(key);
    /// assert_eq!(heights.slots(), [3.14159, 1.0]);
    /// ```
    #[must_use]
    pub fn new(empty: impl FnMut() -> T + Clone + Send + Sync + 'static) -> Self {
        Self::with_key(empty)
    }

    /// Makes an empty pool. `make` makes values; `reset` resets each removed one, which stays in its slot.
    /// O(1): no value is made yet.
    ///
    /// # Examples
    /// ```
    /// use larder::Pool;
    ///
    /// let mut names = Pool::recycling(String::new, |name| name.clear());
    /// let key = names.insert(String::from("a long name"));
    /// names.recycle(key);
    /// let key = names.insert_with(|name| name.push_str("short"));
    /// assert!(names[key].capacity() >= "a long name".len());
    ///
    /// let mut as_they_were = Pool::recycling(|| 0, |_| {});
    /// let key = as_they_were.insert(7);
    /// as_they_were.recycle(key);
    /// assert_eq!(as_they_were.slots(), [7]);
    /// ```
    #[must_use]
    pub fn recycling(
        make: impl FnMut() -> T + Clone + Send + Sync + 'static,
        reset: impl FnMut(&mut T) + Clone + Send + Sync + 'static,
    ) -> Self {
        Self::builder(make).recycling(reset).build()
    }

    /// Like [`new`](Self::new), with room for `capacity` values, which are made now; it grows beyond.
    /// O(capacity): a call of `empty` for each.
    ///
    /// # Panics
    /// If allocation fails, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// let pool = larder::Pool::with_capacity(100, || [0.0_f32; 4]);
    /// assert_eq!(pool.slots().len(), 100);
    /// assert!(pool.is_empty());
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with_capacity(
        capacity: usize,
        empty: impl FnMut() -> T + Clone + Send + Sync + 'static,
    ) -> Self {
        Self::builder(empty).capacity(capacity).build()
    }

    /// Like [`new`](Self::new), with room for exactly `capacity` values: all memory is allocated and all
    /// values are made now, and no value ever moves. When it is full, [`insert`](Self::insert)
    /// panics and [`try_insert`](Self::try_insert) gives the value back. O(capacity).
    ///
    /// # Panics
    /// If allocation fails, or `capacity` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// let mut buffers = larder::Pool::fixed(2, || Vec::<u8>::with_capacity(4096));
    /// let a = buffers.insert_with(|buffer| buffer.push(1));
    /// buffers.insert_with(|buffer| buffer.push(2));
    /// assert!(buffers.try_insert_with(|_| ()).is_err());
    /// assert!(buffers[a].capacity() >= 4096);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn fixed(
        capacity: usize,
        empty: impl FnMut() -> T + Clone + Send + Sync + 'static,
    ) -> Self {
        Self::builder(empty).fixed(capacity).build()
    }

    /// Like [`new`](Self::new), but grows in place up to `max` values: address space for all of them is
    /// reserved now, memory is taken and values are made as they are used, and no value ever moves
    /// because the pool grows. O(1): a few calls to the system. Needs the feature `reserved`.
    ///
    /// # Panics
    /// If address space is refused, or `max` is more than there can be slots.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::reserved(1_000_000, || 0_u64);
    /// let first = pool.insert(1);
    /// let before: *const u64 = &pool[first];
    /// pool.extend(0..100_000);
    /// assert_eq!(before, &pool[first] as *const u64);
    /// ```
    #[cfg(feature = "reserved")]
    #[must_use]
    #[track_caller]
    pub fn reserved(max: usize, empty: impl FnMut() -> T + Clone + Send + Sync + 'static) -> Self {
        Self::builder(empty).reserved(max).build()
    }

    /// Returns a [`Builder`], which sets memory, order of reuse and what becomes of removed values. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Pool, Reuse};
    ///
    /// let mut pool = Pool::builder(String::new)
    ///     .recycling(String::clear)
    ///     .reuse(Reuse::Lifo)
    ///     .fixed(10)
    ///     .build();
    /// let key = pool.insert_with(|text| text.push('a'));
    /// assert_eq!(pool[key], "a");
    /// ```
    pub fn builder(make: impl FnMut() -> T + Clone + Send + Sync + 'static) -> Builder<Self> {
        Self::builder_with_key(make)
    }
}

/// Constructors for any key.
impl<T, K: Key> Pool<T, K> {
    /// Like [`Pool::new`], with keys of type `K`. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Pool, key::BareHandle};
    ///
    /// let mut pool: Pool<f32, BareHandle<f32>> = Pool::with_key(|| 0.0);
    /// assert_eq!(size_of_val(&pool.insert(1.0)), 4);
    /// ```
    #[must_use]
    pub fn with_key(empty: impl FnMut() -> T + Clone + Send + Sync + 'static) -> Self {
        Self { store: Store::made_by(Recipe::new(empty)) }
    }

    /// Like [`Pool::builder`], for a pool with keys of type `K`. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle32, Pool};
    ///
    /// let mut pool: Pool<u8, Handle32<u8>> = Pool::builder_with_key(|| 0).fixed(10).build();
    /// let key = pool.insert(7);
    /// assert_eq!(pool[key], 7);
    /// ```
    pub fn builder_with_key(
        make: impl FnMut() -> T + Clone + Send + Sync + 'static,
    ) -> Builder<Self> {
        Builder::with(Recipe::new(make))
    }
}

/// The options of a pool alone.
impl<T, K: Key> Builder<Pool<T, K>> {
    /// Resets each removed value in place, instead of replacing and dropping it. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::Pool;
    ///
    /// let mut pool = Pool::builder(Vec::new).recycling(Vec::clear).build();
    /// let key = pool.insert(vec![1, 2, 3]);
    /// pool.recycle(key);
    /// assert!(pool.slots()[0].is_empty() && pool.slots()[0].capacity() >= 3);
    /// ```
    pub fn recycling(mut self, reset: impl FnMut(&mut T) + Clone + Send + Sync + 'static) -> Self {
        self.needs = self.needs.resetting(reset);
        self
    }
}

/// The size of a block of the caller's.
impl<T, K: Key> Pool<T, K> {
    /// Returns how many bytes a block must have for `count` values, at least one, to fit at any
    /// address; `usize::MAX` if no block is so large. O(1).
    ///
    /// An order of reuse other than [`Packed`](crate::Reuse::Packed) needs 4 bytes a value more,
    /// rounded up to 64 values.
    ///
    /// # Examples
    /// ```
    /// const BYTES: usize = larder::Pool::<u64>::bytes_for(100);
    /// assert!(BYTES >= 800);
    /// ```
    #[must_use]
    pub const fn bytes_for(count: usize) -> usize {
        slots::bytes_for(<SplitStore<T, K> as InMemory<K>>::BLOCKS, count)
    }
}

/// In the caller's own memory.
impl<T> Pool<T> {
    /// Like [`new`](Self::new), in the caller's own memory block, with room for as many values as fit, which
    /// are made now. The pool allocates only for what `empty` captures, and no value moves. When it is full,
    /// [`insert`](Self::insert) panics and [`try_insert`](Self::try_insert) gives the value back. O(capacity).
    ///
    /// The block belongs to the pool for the rest of the program. [`bytes_for`](Self::bytes_for) says how
    /// large it has to be.
    ///
    /// # Errors
    /// If not a single value fits: the error says how many bytes are missing, those included that
    /// come before the first aligned address.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use larder::Pool;
    ///
    /// const BYTES: usize = Pool::<[f32; 4]>::bytes_for(100);
    /// let block = Box::leak(Box::new([MaybeUninit::uninit(); BYTES])); // or `static_cell`
    /// let mut pool = Pool::in_memory(block, || [0.0_f32; 4])?;
    /// assert!(pool.slots().len() >= 100);
    /// let key = pool.insert([1.0; 4]);
    /// assert_eq!(pool[key], [1.0; 4]);
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn in_memory(
        block: &'static mut [MaybeUninit<u8>],
        empty: impl FnMut() -> T + Clone + Send + Sync + 'static,
    ) -> Result<Self, TryReserveError> {
        Self::builder(empty).in_memory(block).try_build()
    }
}

/// A clone has the same values in the same slots under the same keys, including those of free slots,
/// and copies of the pool's functions. It issues the same keys from then on.
impl<T: Clone, K: Key> Clone for Pool<T, K> {
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn clone(&self) -> Self {
        Self { store: Self::granted(self.store.try_clone()) }
    }
}

/// An empty slot holds `T::default()`.
impl<T: Default, K: Key> Default for Pool<T, K> {
    /// An empty pool. Does not allocate.
    fn default() -> Self {
        Self::with_key(|| T::default())
    }
}

impl<T, K: Key> Build for Pool<T, K> {
    type Needs = Recipe<T>;

    /// The values for which there is memory are made at once.
    #[track_caller]
    fn from_options(options: Options, recipe: Recipe<T>) -> Result<Self, TryReserveError> {
        let mut store = Store::of_split(making::made_in_blocks(options)?, recipe);
        store.make_all();
        Ok(Self { store })
    }

    fn mark_after(&self) -> Option<u64> {
        Some(self.store.mark_after(|slot| self.store.key_at(slot))?.to_u64())
    }
}

impl<T, K: Key> Contiguous for Pool<T, K> {}

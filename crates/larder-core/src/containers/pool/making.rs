//! Makes pools, with functions that make a value and that reset one which is removed.

use alloc::boxed::Box;
use core::fmt;
use core::mem::MaybeUninit;

use super::{Pool, Store};
use crate::containers::builder::{Build, Builder, Contiguous, Options};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Mark;
use crate::raw::split::{InMemory, SlotStore};
use crate::room;
use crate::stats::Reuse;

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
        Self { store: Store::new(Reuse::Packed), recipe: Recipe::new(empty) }
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
        self.needs.reset = Some(Box::new(reset));
        self
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

// An empty slot holds `T::default()`.
impl<T: Default> Pool<T> {
    /// Makes a pool of values, in slots 0, 1, 2 and so on, in their order; with the default key, so that it need not
    /// be named. O(values). For another key there is `collect`.
    ///
    /// # Panics
    /// See `insert`.
    ///
    /// # Examples
    /// ```
    /// let pool = larder::Pool::from_iter(["ox", "wren"]);
    /// assert_eq!(pool.values().next(), Some(&"ox"));
    /// ```
    #[inline]
    #[track_caller]
    #[expect(clippy::should_implement_trait, reason = "that is there, too, for any key")]
    pub fn from_iter(values: impl IntoIterator<Item = T>) -> Self {
        values.into_iter().collect()
    }
}

/// The values are in slots 0, 1, 2 and so on, in their order.
impl<T: Default, K: Key> FromIterator<T> for Pool<T, K> {
    /// # Panics
    /// See `insert`.
    #[inline]
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut pool = Self::default();
        pool.extend(values);
        pool
    }
}

/// The values are in slots 0, 1, 2 and so on, in their order.
impl<T: Default, K: Key, const COUNT: usize> From<[T; COUNT]> for Pool<T, K> {
    /// # Panics
    /// See `insert`.
    #[inline]
    #[track_caller]
    fn from(values: [T; COUNT]) -> Self {
        values.into_iter().collect()
    }
}

/// A clone has the same values in the same slots under the same keys, including those of free slots,
/// and copies of the pool's functions. It issues the same keys from then on.
impl<T: Clone, K: Key> Clone for Pool<T, K> {
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn clone(&self) -> Self {
        let store = room::granted::<Self, _>(self.store.try_clone());
        Self { store, recipe: self.recipe.clone() }
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
        let mark = options.mark::<K>()?;
        let mut pool = Self { store: Store::make(options.plan::<T>())?.begun_at(mark), recipe };
        pool.store.make_all(|| pool.recipe.make());
        Ok(pool)
    }

    fn mark_after(&self) -> Option<u64> {
        Some(self.store.mark_after(|slot| self.store.key_at(slot))?.to_u64())
    }
}

impl<T, K: Key> Contiguous for Pool<T, K> {}

/// A function that makes values, which can be copied with its pool.
trait Make<T>: FnMut() -> T + Send + Sync {
    fn boxed(&self) -> Box<dyn Make<T>>;
}

impl<T, F: FnMut() -> T + Clone + Send + Sync + 'static> Make<T> for F {
    fn boxed(&self) -> Box<dyn Make<T>> {
        Box::new(self.clone())
    }
}

/// A function that resets values, which can be copied with its pool.
trait Reset<T>: FnMut(&mut T) + Send + Sync {
    fn boxed(&self) -> Box<dyn Reset<T>>;
}

impl<T, F: FnMut(&mut T) + Clone + Send + Sync + 'static> Reset<T> for F {
    fn boxed(&self) -> Box<dyn Reset<T>> {
        Box::new(self.clone())
    }
}

/// The functions of a pool. They are values, not type parameters: a pool is the same type whatever
/// its functions are, so that a field can have it. (A function without state takes no memory.)
#[expect(unnameable_types, reason = "what a pool's builder needs; see `Build`")]
pub struct Recipe<T> {
    make: Box<dyn Make<T>>,
    /// Resets a removed value; if there is none, one that `make` makes replaces it.
    reset: Option<Box<dyn Reset<T>>>,
}

impl<T> Recipe<T> {
    fn new(make: impl FnMut() -> T + Clone + Send + Sync + 'static) -> Self {
        Self { make: Box::new(make), reset: None }
    }

    /// A value of a slot that holds no object.
    #[inline]
    pub(crate) fn make(&mut self) -> T {
        (self.make)()
    }

    /// Resets or replaces the value of an object that was removed.
    #[inline]
    pub(super) fn recycle(&mut self, value: &mut T) {
        match &mut self.reset {
            Some(reset) => reset(value),
            // The old value is dropped when the new one is in its place.
            None => drop(core::mem::replace(value, (self.make)())),
        }
    }
}

impl<T> Clone for Recipe<T> {
    fn clone(&self) -> Self {
        let reset = self.reset.as_ref().map(|reset| (**reset).boxed());
        Self { make: (*self.make).boxed(), reset }
    }
}

impl<T> fmt::Debug for Recipe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipe").field("resets", &self.reset.is_some()).finish_non_exhaustive()
    }
}

//! Slots that always hold a valid value; removal recycles it in place.

mod entry;
mod recipe;

pub use entry::VacantEntry;

use core::mem::MaybeUninit;

use crate::containers::builder::Builder;
use crate::error::{GetDisjointMutError, InsertError, TryReserveError};
use crate::key::{Handle, Key};
use crate::raw::pool::{self as rows, Slots};
use crate::stats::{Reuse, Stats};
use crate::{explain, macros};
use recipe::Recipe;

type Rows<T, K> = rows::Stock<T, K>;

/// Values in slots that are never empty: a free slot holds a value made by the pool's function, or a removed
/// one that was reset.
///
/// It has two uses. *Buffers are kept*: a removed value is reset in place instead of dropped, and the next
/// [`insert_with`](Self::insert_with) fills the buffers it owns. *Holes are safe*: all slots are one slice
/// ([`slots`](Self::slots)), which SIMD code, a GPU or C can process without knowing which are in use.
///
/// Otherwise use [`Arena`](crate::Arena): a lookup there reads one cache line, in a pool two.
///
/// In the examples of methods that all containers have, `Arena::new()` stands for `Pool::default()`.
///
/// # Layout
/// ```text
/// values       ┌ value 0 │ value 1 │ (empty) │ value 3 │ (empty) ┐   all valid, a slice
/// generations  ┌ gen │ gen │ gen │ gen ┐                             none with `BareHandle` keys
/// occupancy    1 1 0 1 …                                             one bit a slot
/// ```
///
/// # The functions
/// A pool is made with a function that makes the value of an empty slot. [`new`](Self::new) replaces each
/// removed value by such a one and drops it. [`recycling`](Self::recycling) takes a second function, which
/// resets a removed value in place: `Vec::clear` keeps its buffer, `|_| {}` leaves it as it was. Both may
/// have state. They are called through a pointer and are not part of the pool's type, so a struct field can
/// be a `Pool<T>`. They must be `Send`, `Sync`, `Clone` and `'static`, so that the pool can be sent, shared
/// and cloned. They are boxed (one without captures takes no memory), so pools need the feature `alloc`.
///
/// | slot | its value |
/// |---|---|
/// | in use | the object |
/// | free, or retired | what the removal left: a new one, or the removed one as it was reset |
/// | reserved, with room asked for (`with_capacity`, `fixed`, `reserve`) | made then |
/// | beyond | none yet: made when the slot is first used, unless `insert` brings one |
///
/// # Costs
/// | | |
/// |---|---|
/// | `insert`, `insert_with`, `get` | O(1); insertions amortised where the pool grows |
/// | `remove`, `take` | O(1), and a call of the pool's function |
/// | iteration | O(live + slots / 64); over all slots by `slots`, that of a slice |
/// | `clear`, `retain` | O(live + slots / 64), and a call for each removed value |
/// | `with_capacity(n)`, `reserve(n)` | a call for each value made |
///
/// Beside the values there are 4 bytes a slot for [`Handle`], none for [`BareHandle`](crate::key::BareHandle), and
/// 0.13. Growing may move the values.
///
/// # Examples
/// ```
/// use larder::Pool;
///
/// let mut paths = Pool::recycling(Vec::new, Vec::clear);
/// let path = paths.insert_with(|path: &mut Vec<u32>| path.extend([1, 2, 3]));
/// assert_eq!(paths[path], [1, 2, 3]);
///
/// paths.remove(path); // cleared, its buffer kept
/// let next = paths.insert_with(|path| {
///     assert!(path.is_empty() && path.capacity() >= 3);
///     path.push(4);
/// });
/// assert_eq!(paths[next], [4]);
/// assert_eq!(paths.get(path), None);
/// ```
#[doc(alias("object pool", "slot_list", "controlled_slot_list", "regulated_slot_list"))]
pub struct Pool<T, K: Key = Handle<T>> {
    pub(crate) rows: Rows<T, K>,
    pub(crate) recipe: Recipe<T>,
}

/// The methods that other containers have too, by the macros of `macros`.
macro_rules! pool {
    ($face:tt) => {
        macros::adding! { $face }
        macros::lookup! { $face, get: "O(1): a cache line of the values and one of the generations." }
        macros::by_slot! { $face }
        macros::by_address! {
            $face, key_of: "O(1).", |this, value| this.rows.key_at(this.rows.slot_at(core::ptr::from_ref(value).addr())?)
        }
        macros::capacity! {
            $face, reserve: |this, additional| {
                let Self { rows, recipe } = this;
                rows.try_provide(additional, || recipe.make())
            }
        }
        macros::shrinking! { $face }
        macros::compacting! {
            $face, holes: "The former content of a hole is then where the moved value was. "
        }
        macros::bytes_for! { $face }
        macros::iterating! {
            $face,
            iter: rows::Iter<'a, T, K> = |this| this.rows.iter(),
            iter_mut: rows::IterMut<'a, T, K> = |this| this.rows.iter_mut(), none: Default::default()
        }
        #[cfg(feature = "rayon")]
        crate::impls::rayon::divided! { ['a, T, K: Key] Iter<'a, T, K>; ['a, T, K: Key] IterMut<'a, T, K>; }
        macros::traits! { $face }
        macros::row_traits! { $face }
    };
}

pool! {
    {
        Pool [T, K: Key] [T, K] row slots block
        "# struct Arena;
# impl Arena {
#     fn new<T: Default>() -> larder::Pool<T> { larder::Pool::default() }
#     fn fixed<T: Default>(count: usize) -> larder::Pool<T> { larder::Pool::fixed(count, || T::default()) }
#     fn from_iter<T: Default>(values: impl IntoIterator<Item = T>) -> larder::Pool<T> {
#         larder::Pool::from_iter(values)
#     }
# }" "Arena::fixed(1)"
    }
}

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
    /// heights.remove(key);
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
    /// names.remove(key);
    /// let key = names.insert_with(|name| name.push_str("short"));
    /// assert!(names[key].capacity() >= "a long name".len());
    ///
    /// let mut as_they_were = Pool::recycling(|| 0, |_| {});
    /// let key = as_they_were.insert(7);
    /// as_they_were.remove(key);
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
    /// If memory is refused, or `capacity` is more than there can be slots.
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
    /// If memory is refused, or `capacity` is more than there can be slots.
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
        Self { rows: Rows::new(Reuse::Packed), recipe: Recipe::new(empty) }
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

/// What only the builder of a pool can be told.
impl<T, K: Key> Builder<Pool<T, K>> {
    /// Resets each removed value in place, instead of replacing and dropping it. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::Pool;
    ///
    /// let mut pool = Pool::builder(Vec::new).recycling(Vec::clear).build();
    /// let key = pool.insert(vec![1, 2, 3]);
    /// pool.remove(key);
    /// assert!(pool.slots()[0].is_empty() && pool.slots()[0].capacity() >= 3);
    /// ```
    pub fn recycling(mut self, reset: impl FnMut(&mut T) + Clone + Send + Sync + 'static) -> Self {
        self.needs_mut().reset_with(reset);
        self
    }
}

/// Inserting, filling what lies in a slot already.
impl<T, K: Key> Pool<T, K> {
    /// Uses a free slot: `fill` turns the value in it into the new one, and can reuse what it owns. In a slot
    /// that was never used it is a newly made value. If `fill` panics, the slot stays free, with its value as
    /// `fill` left it. O(1) amortised; does not allocate if a slot is free.
    ///
    /// # Panics
    /// As [`insert`](Self::insert), before `fill` is called.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::recycling(Vec::new, Vec::clear);
    /// let key = pool.insert_with(|values| values.extend(0..100));
    /// assert_eq!(pool[key].len(), 100);
    /// ```
    #[inline]
    #[track_caller]
    pub fn insert_with(&mut self, fill: impl FnOnce(&mut T)) -> K {
        let mut entry = self.vacant_entry();
        fill(entry.value_mut());
        let key = entry.key();
        entry.occupy();
        key
    }

    /// Like [`insert_with`](Self::insert_with), but returns an error if there is no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is fixed or reserved and full, memory is refused, or no slot is left. `fill` is not
    /// called, and nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::fixed(1, String::new);
    /// let key = pool.try_insert_with(|text| text.push('a'))?;
    /// assert!(pool.try_insert_with(|text| text.push('b')).is_err());
    /// assert_eq!(pool[key], "a");
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[inline]
    pub fn try_insert_with(&mut self, fill: impl FnOnce(&mut T)) -> Result<K, TryReserveError> {
        let mut entry = self.try_vacant_entry()?;
        fill(entry.value_mut());
        let key = entry.key();
        entry.occupy();
        Ok(key)
    }

    /// Returns a free slot for a value whose key is needed first, or whose construction can fail. Dropping
    /// the entry leaves the slot free. O(1) amortised.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    ///
    /// # Examples
    /// ```
    /// let mut numbers = larder::Pool::new(|| 0);
    /// let mut entry = numbers.vacant_entry();
    /// let key = entry.key();
    /// *entry.value_mut() = "7".parse()?; // an error here, and nothing is inserted
    /// entry.occupy();
    /// assert_eq!(numbers[key], 7);
    /// # Ok::<(), core::num::ParseIntError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn vacant_entry(&mut self) -> VacantEntry<'_, T, K> {
        explain::granted::<Self, _>(self.try_vacant_entry())
    }

    /// Like [`vacant_entry`](Self::vacant_entry), but returns an error if there is no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is full or memory is refused; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::fixed(1, || 'x');
    /// pool.try_vacant_entry()?.occupy();
    /// assert!(pool.try_vacant_entry().is_err());
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    #[inline]
    pub fn try_vacant_entry(&mut self) -> Result<VacantEntry<'_, T, K>, TryReserveError> {
        let Self { rows, recipe } = self;
        let vacancy = rows.vacancy()?;
        Ok(VacantEntry(vacancy.prepare(|| recipe.make())))
    }
}

/// All slots, in use or not.
impl<T, K: Key> Pool<T, K> {
    /// Returns the values of all slots as one slice: used, free, retired, and then reserved ones. A key's
    /// value is at [`Key::slot`]. The first `stats().slots` were used at some time; those after them were made
    /// ahead. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut weights = larder::Pool::new(|| 0.0);
    /// let (a, b) = (weights.insert(1.5), weights.insert(2.0));
    /// weights.remove(a);
    /// assert_eq!(weights.slots(), [0.0, 2.0]);
    /// assert_eq!(weights.slots()[b.slot() as usize], 2.0);
    /// assert_eq!(weights.slots().iter().sum::<f64>(), 2.0); // holes add nothing
    /// ```
    #[inline]
    #[must_use]
    pub fn slots(&self) -> &[T] {
        self.rows.all()
    }

    /// Returns the values of all slots as one mutable slice. The next [`insert_with`](Self::insert_with)
    /// finds what was written to a free slot. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut positions = larder::Pool::new(|| 0.0);
    /// let (a, b) = (positions.insert(1.0), positions.insert(2.0));
    /// positions.remove(a);
    /// for position in positions.slots_mut() {
    ///     *position += 0.5; // no branch: free ones are numbers as well
    /// }
    /// assert_eq!(positions[b], 2.5);
    /// ```
    #[inline]
    #[must_use]
    pub fn slots_mut(&mut self) -> &mut [T] {
        self.rows.all_mut()
    }
}

/// Removing.
impl<T, K: Key> Pool<T, K> {
    /// Frees a key's slot and replaces or resets its value, as the pool was made to; returns what is in
    /// the slot then, or `None` if the key is stale, foreign or dangling. Other keys stay valid, and no
    /// other value moves. O(1), and a call of the pool's function.
    ///
    /// If the function panics, the slot is free. It then holds the removed value: as the function that
    /// resets left it, or unchanged if no other could be made.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(String::new);
    /// let key = pool.insert(String::from("x"));
    /// assert_eq!(pool.remove(key).unwrap(), "");
    /// assert!(pool.remove(key).is_none());
    /// assert_eq!(pool.slots(), [""]);
    /// ```
    #[doc(alias("erase", "delete", "free", "destroy"))]
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<&mut T> {
        let Self { rows, recipe } = self;
        if rows.recycle(key, |spot| recipe.recycle(spot.into_mut())) {
            rows.all_mut().get_mut(key.slot() as usize)
        } else {
            None
        }
    }

    /// Removes a value and returns it, leaving a newly made one in its slot; `None` if the key is stale,
    /// foreign or dangling. O(1), and a call of the pool's function.
    ///
    /// If the function panics, nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let key = pool.insert(7);
    /// assert_eq!(pool.take(key), Some(7));
    /// assert_eq!(pool.take(key), None);
    /// assert_eq!(pool.slots(), [0]);
    /// ```
    #[inline]
    pub fn take(&mut self, key: K) -> Option<T> {
        let Self { rows, recipe } = self;
        rows.take(key, || recipe.make())
    }

    /// Removes the values for which `keep` returns `false`, in slot order, as [`remove`](Self::remove)
    /// does. If `keep` or the pool's function panics, the values visited before are removed or kept as
    /// decided, and the others are kept.
    /// O(live + slots / 64), and a call for each removed value.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| -1);
    /// pool.extend(0..4);
    /// pool.retain(|_, number| *number % 2 == 0);
    /// assert_eq!(pool.slots(), [0, -1, 2, -1]);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(K, &mut T) -> bool) {
        let Self { rows, recipe } = self;
        rows.retain_or(
            |key, spot| keep(key, spot.into_mut()),
            |spot| recipe.recycle(spot.into_mut()),
        );
    }

    /// Removes all values, as [`remove`](Self::remove) does. Memory, values and generations are kept: no
    /// key that was ever issued becomes valid again. The lowest slots are used first afterwards. If the
    /// pool's function panics, the values before are removed, and the others are kept.
    /// O(live + slots / 64), and a call for each value.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let key = pool.insert(7);
    /// pool.clear();
    /// assert!(pool.is_empty() && pool.slots() == [0]);
    /// pool.insert(8);
    /// assert_eq!(pool.get(key), None);
    /// ```
    #[doc(alias = "flush")]
    pub fn clear(&mut self) {
        let Self { rows, recipe } = self;
        rows.clear_with(|spot| recipe.recycle(spot.into_mut()));
    }
}

/// In the caller's own memory.
impl<T> Pool<T> {
    /// Like [`new`](Self::new), in the caller's own memory block, with room for as many values as fit, which
    /// are made now. The pool allocates only for what `empty` captures, and no value moves. When it is full, [`insert`](Self::insert) panics and
    /// [`try_insert`](Self::try_insert) gives the value back. O(capacity).
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
macros::collecting! {
    Pool [T: Default] [T] [T: Default, K: Key] [T, K] "# use larder::Pool as Arena;"
}

/// A clone has the same values in the same slots under the same keys, including those of free slots,
/// and copies of the pool's functions. It issues the same keys from then on.
impl<T: Clone, K: Key> Clone for Pool<T, K> {
    /// # Panics
    /// If memory is refused.
    #[track_caller]
    fn clone(&self) -> Self {
        let rows = explain::granted::<Self, _>(self.rows.try_clone());
        Self { rows, recipe: self.recipe.clone() }
    }
}

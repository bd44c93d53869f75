//! Slots that always hold a valid value; removal recycles it in place.

mod capacity;
mod entry;
mod iter;
mod lent;
mod lookup;
mod recipe;
mod removal;
mod temporary;
mod traits;

pub use entry::VacantEntry;
pub use iter::{Iter, IterMut, Keys, Values, ValuesMut};

use crate::containers::builder::Builder;
use crate::error::{InsertError, TryReserveError};
use crate::explain;
use crate::key::{Handle, Key};
use crate::raw::generation::Generation;
use crate::raw::pool::{GenerationOf, Slots, Stock};
use crate::stats::Reuse;
use recipe::Recipe;

/// Many values of a kind whose slots are never empty: a free slot holds a value too, one that the
/// pool's own function made, or a removed one made ready for use again.
///
/// Two uses. *Buffers are kept*: a removed value is reset in place instead of dropped, and the next
/// [`insert_with`](Self::insert_with) fills what it owns already. *Holes are safe*: all slots are one
/// slice ([`slots`](Self::slots)), which SIMD code, a GPU or C may process without asking which of
/// them are in use.
///
/// Choose [`Arena`](crate::Arena) instead where a removed value is to be dropped at once and nobody
/// needs the slice: it looks values up in one cache line, where a pool needs two.
///
/// # Layout
/// ```text
/// values       ┌ value 0 │ value 1 │ (empty) │ value 3 │ (empty) ┐   all valid, a slice
/// generations  ┌ gen │ gen │ gen │ gen ┐                             none with `BareHandle` keys
/// occupancy    1 1 0 1 …                                             one bit a slot
/// ```
///
/// # The functions
/// A pool is made with a function for the value of an empty slot. [`new`](Self::new) replaces each
/// removed value by one of those, and drops it. [`recycling`](Self::recycling) takes a second
/// function, which resets a removed value where it lies: `Vec::clear` keeps its buffer, `|_| {}`
/// leaves it as it was. Both may have state. They are called through a pointer, only where values are
/// made and removed: they are no part of the pool's type, so that a field of a struct can be a
/// `Pool<T>`. So that the pool can be sent, shared and cloned, they must be `Send`, `Sync` and
/// `Clone`, as closures are whose captures are; and they own what they capture. They are boxed (one
/// without captures takes no memory), so pools need the feature `alloc`.
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
/// | walk | O(live + slots / 64); of all slots by `slots`, a slice's |
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
    pub(crate) stock: Stock<T, K>,
    recipe: Recipe<T>,
}

/// Constructors for the default key, so that it need not be named.
impl<T> Pool<T> {
    /// Makes an empty pool; `empty` makes the value of every empty slot: of those that are reserved,
    /// and of each whose value is removed, which is dropped. O(1): makes no value yet.
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

    /// Makes an empty pool; `make` makes values, `reset` is given each removed one, which stays in its
    /// slot as `reset` leaves it. O(1): makes no value yet.
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

    /// As [`new`](Self::new), with room for `capacity` values, all of them made now; it grows beyond.
    /// O(capacity): a call of `empty` each.
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

    /// As [`new`](Self::new), with room for `capacity` values, for good: all memory is allocated and
    /// all values are made now, and no value ever moves. When it is full, [`insert`](Self::insert)
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

    /// As [`new`](Self::new), growing in place up to `max` values: address space for all of them is
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

    /// Begins to describe a pool: its room, whether it grows, what becomes of removed values. See
    /// [`Builder`]. O(1).
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
    /// As [`Pool::new`], with keys of type `K`. O(1).
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
        Self { stock: Stock::new(Reuse::Packed), recipe: Recipe::new(empty) }
    }

    /// As [`Pool::builder`], for a pool with keys of type `K`. O(1).
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
    /// Has each removed value reset where it lies, instead of replaced and dropped. O(1).
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

/// Inserting.
impl<T, K: Key> Pool<T, K> {
    /// Adds a value and returns its key. What lay in its slot is dropped, when the value is in. O(1)
    /// amortised. Other keys stay valid; growing may move the values.
    ///
    /// # Panics
    /// If the pool is fixed or reserved and full, memory is refused, or no slot is left that the key
    /// could name. The value is dropped then; [`try_insert`](Self::try_insert) gives it back.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(String::new);
    /// let key = pool.insert(String::from("value"));
    /// assert_eq!(pool[key], "value");
    /// ```
    #[doc(alias("add", "push", "alloc", "emplace", "create"))]
    #[inline(always)]
    #[track_caller]
    pub fn insert(&mut self, value: T) -> K {
        match self.stock.insert(value) {
            Ok(key) => key,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`insert`](Self::insert), but gives the value back where there is no room. O(1)
    /// amortised.
    ///
    /// # Errors
    /// If the pool is fixed or reserved and full, memory is refused, or no slot is left. Nothing
    /// has changed.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::fixed(0, || 0);
    /// assert_eq!(pool.try_insert(5).unwrap_err().into_value(), 5);
    /// ```
    #[inline]
    pub fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
        self.stock.try_insert(value)
    }

    /// Takes a free slot into use: `fill` makes what lies there the new value, so that it can reuse
    /// what that owns. In a slot that was never used it is a value that was just made. O(1) amortised;
    /// asks for no memory where a slot is free. If `fill` panics, the slot stays free, with its value
    /// as `fill` left it.
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
        self.insert_with_key(|_, value| fill(value))
    }

    /// As [`insert_with`](Self::insert_with), where there may be no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is fixed or reserved and full, memory is refused, or no slot is left. Then `fill`
    /// is not called and nothing has changed.
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

    /// As [`insert_with`](Self::insert_with), for a value that knows its key. O(1) amortised.
    ///
    /// # Panics
    /// As [`insert`](Self::insert), before `fill` is called.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Pool};
    ///
    /// #[derive(Default)]
    /// struct Node { me: Option<Handle<Node>>, children: Vec<Handle<Node>> }
    /// let mut nodes = Pool::new(Node::default);
    /// let node = nodes.insert_with_key(|me, node| node.me = Some(me));
    /// assert_eq!(nodes[node].me, Some(node));
    /// ```
    #[inline]
    #[track_caller]
    pub fn insert_with_key(&mut self, fill: impl FnOnce(K, &mut T)) -> K {
        let mut entry = self.vacant_entry();
        let key = entry.key();
        fill(key, entry.value_mut());
        entry.occupy();
        key
    }

    /// Finds a slot for a value whose key is wanted first, or whose making can fail. Dropping the
    /// entry leaves the slot free. O(1) amortised.
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
        match self.try_vacant_entry() {
            Ok(entry) => entry,
            Err(reason) => explain::refused::<Self>(&reason),
        }
    }

    /// As [`vacant_entry`](Self::vacant_entry), where there may be no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is full or memory is refused; nothing has changed then.
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
        let Self { stock, recipe } = self;
        let vacancy = stock.vacancy()?;
        Ok(VacantEntry(vacancy.prepare(|| recipe.make())))
    }
}

/// All slots, in use or not.
impl<T, K: Key> Pool<T, K> {
    /// The values of all slots, one slice: of those in use, of free and retired ones, then of those
    /// that were reserved. A key's value is at [`Key::slot`]. The first `stats().slots` were in use at
    /// some time; what is past them was made ahead. O(1).
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
        self.stock.all()
    }

    /// The values of all slots, to change them: whatever is done to a free slot's value is what the
    /// next [`insert_with`](Self::insert_with) finds there. O(1).
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
        self.stock.all_mut()
    }
}

/// Iterating over the slots in use, always in slot order.
impl<T, K: Key> Pool<T, K> {
    /// Keys and values. O(live + slots / 64) for all; inner iteration (`for_each`, `fold`, `sum`)
    /// is faster than a `for` loop.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// let (a, b) = (pool.insert(1), pool.insert(2));
    /// assert!(pool.iter().eq([(a, &1), (b, &2)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, K> {
        Iter(self.stock.iter())
    }

    /// Keys and values, to change the values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// pool.extend([1, 2]);
    /// for (key, value) in pool.iter_mut() {
    ///     *value += key.slot();
    /// }
    /// assert!(pool.values().eq(&[1, 3]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, K> {
        IterMut(self.stock.iter_mut())
    }

    /// Keys. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| ' ');
    /// let (a, b) = (pool.insert('a'), pool.insert('b'));
    /// assert!(pool.keys().eq([a, b]));
    /// ```
    #[inline]
    pub fn keys(&self) -> Keys<'_, T, K> {
        Keys(self.iter())
    }

    /// Values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// pool.extend([1, 2, 3]);
    /// assert_eq!(pool.values().sum::<i32>(), 6);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<'_, T, K> {
        Values(self.iter())
    }

    /// Values, to change them. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 0);
    /// pool.extend([1, 2]);
    /// pool.values_mut().for_each(|value| *value *= 10);
    /// assert!(pool.values().eq(&[10, 20]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, T, K> {
        ValuesMut(self.iter_mut())
    }
}

/// For the project's own tests.
#[doc(hidden)]
impl<T, K: Key> Pool<T, K> {
    /// Panics where the pool contradicts itself.
    pub fn validate(&self) {
        self.stock.validate();
    }

    /// Gives a free slot a history.
    pub fn set_generation_for_test(&mut self, slot: u32, generation: u32) {
        let free = GenerationOf::<K>::free_from_u64(generation.into());
        let free = free.expect("not the generation of a free slot");
        self.stock.set_free_generation(slot as usize, free);
    }

    /// What `Index` says of a key that has no value.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn no_value(&self, key: K) -> ! {
        let found = self.stock.found(key, self.stock.key_at(key.slot() as usize));
        explain::no_value::<Self, K>(key, &found)
    }
}

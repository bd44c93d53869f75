//! Slots that always hold a valid value; removal recycles it in place.

mod making;

use core::fmt;
use core::ops::{Index, IndexMut};
use core::ptr::NonNull;

use crate::containers::{pairs, slots};
use crate::error::{GetDisjointMutError, InsertError, TryReserveError};
use crate::explain;
use crate::key::{Handle, Key};
use crate::raw::slots::bytes_for;
use crate::raw::split::{self, Prepared, SlotStore, SplitWalk};
use crate::room;
use crate::stats::Stats;
use making::Recipe;

type Store<T, K> = split::SplitStore<T, K>;

/// Values in slots that are never empty: a free slot holds a value made by the pool's function, or a removed
/// one that was reset.
///
/// It has two uses. *Buffers are kept*: a removed value is reset in place instead of dropped, and the next
/// [`insert_with`](Self::insert_with) fills the buffers it owns. *Holes are safe*: all slots are one slice
/// ([`slots`](Self::slots)), which SIMD code, a GPU or C can process without knowing which are in use.
///
/// If you need neither, use [`Arena`](crate::Arena): a lookup there reads one cache line, in a pool two.
///
/// # Layout
/// ```text
/// values       ┌ value 0 │ value 1 │ (empty) │ value 3 │ (empty) ┐   all valid, a slice
/// generations  ┌ gen │ gen │ gen │ gen ┐                             none with `BareHandle` keys
/// occupancy    1 1 0 1 …                                             one bit a slot
/// ```
///
/// # The functions
/// A pool has a function that makes the value of an empty slot. With [`new`](Self::new), each removed value
/// is dropped and replaced by one that the function makes. [`recycling`](Self::recycling) takes a second
/// function, which resets a removed value in place: `Vec::clear` keeps its buffer, `|_| {}` leaves it as it
/// was. Both may have state. They are called through a pointer and are not part of the pool's type, so a
/// struct field can be a `Pool<T>`. They must be `Send`, `Sync`, `Clone` and `'static`, so that the pool can
/// be sent, shared and cloned. They are boxed (one without captures takes no memory), so pools need the
/// feature `alloc`.
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
/// | `recycle`, `remove` | O(1), and a call of the pool's function |
/// | iteration | O(live + slots / 64); over all slots by `slots`, that of a slice |
/// | `clear`, `retain` | O(live + slots / 64), and a call for each removed value |
/// | `with_capacity(n)`, `reserve(n)` | a call for each value made |
///
/// Beside its value a slot takes 0.13 bytes, and 4 for the generation of [`Handle`] (none for
/// [`BareHandle`](crate::key::BareHandle)). Growing may move the values. A pool is invariant in `T`, since it has a
/// function that makes values.
///
/// # Examples
/// ```
/// use larder::Pool;
///
/// let mut paths = Pool::recycling(Vec::new, Vec::clear);
/// let path = paths.insert_with(|path: &mut Vec<u32>| path.extend([1, 2, 3]));
/// assert_eq!(paths[path], [1, 2, 3]);
///
/// paths.recycle(path); // cleared, its buffer kept
/// let next = paths.insert_with(|path| {
///     assert!(path.is_empty() && path.capacity() >= 3);
///     path.push(4);
/// });
/// assert_eq!(paths[next], [4]);
/// assert_eq!(paths.get(path), None);
/// ```
#[doc(alias("object pool", "slot_list", "controlled_slot_list", "regulated_slot_list"))]
pub struct Pool<T, K: Key = Handle<T>> {
    pub(crate) store: Store<T, K>,
    pub(crate) recipe: Recipe<T>,
}

/// Keys and values, in slot order.
pub type Iter<'a, T, K> = slots::Iter<'a, T, K, SplitWalk<T, K, NonNull<T>>>;

/// Keys and mutable values, in slot order.
pub type IterMut<'a, T, K> = slots::IterMut<'a, T, K, SplitWalk<T, K, NonNull<T>>>;

/// Keys, in slot order.
pub type Keys<'a, T, K> = pairs::Keys<Iter<'a, T, K>>;

/// Values, in slot order.
pub type Values<'a, T, K> = pairs::Values<Iter<'a, T, K>>;

/// Mutable values, in slot order.
pub type ValuesMut<'a, T, K> = pairs::Values<IterMut<'a, T, K>>;

/// Inserting.
impl<T, K: Key> Pool<T, K> {
    /// Adds a value and returns its key. Other keys stay valid; growing may move values. O(1) amortised.
    ///
    /// # Panics
    /// If the pool is fixed or reserved and full, allocation fails, or no slot is left.
    /// The value is dropped; [`try_insert`](Self::try_insert) gives it back.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// let key = arena.insert("value");
    /// assert_eq!(arena.get(key), Some(&"value"));
    /// ```
    #[doc(alias("add", "push", "alloc", "emplace", "create"))]
    #[inline(always)]
    #[track_caller]
    pub fn insert(&mut self, value: T) -> K {
        room::granted::<Self, _>(self.store.insert(value))
    }

    /// Like [`insert`](Self::insert), but gives the value back if there is no room. O(1)
    /// amortised.
    ///
    /// # Errors
    /// If the pool is fixed or reserved and full, allocation fails, or no slot is left;
    /// nothing has changed.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::fixed(1, Default::default);
    /// assert!(arena.try_insert(4_u32).is_ok());
    /// assert_eq!(arena.try_insert(5_u32).unwrap_err().value, 5);
    /// ```
    #[inline]
    pub fn try_insert(&mut self, value: T) -> Result<K, InsertError<T>> {
        self.store.try_insert(value)
    }
}

/// Access by key.
impl<T, K: Key> Pool<T, K> {
    /// Returns the value of a key; `None` if the key is stale, foreign or dangling.
    /// O(1): a cache line of the values and one of the generations.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.get(key), Some(&'x'));
    /// arena.remove(key);
    /// assert_eq!(arena.get(key), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<&T> {
        self.store.get(key)
    }

    /// Returns the value of a key for mutation; `None` if the key is stale, foreign or
    /// dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// let key = arena.insert(1_u32);
    /// if let Some(value) = arena.get_mut(key) {
    ///     *value += 1;
    /// }
    /// assert_eq!(arena.get(key), Some(&2));
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, key: K) -> Option<&mut T> {
        self.store.get_mut(key)
    }

    /// Returns whether the key has a value. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
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

    /// Returns several values at once for mutation. O(n²) for n keys.
    ///
    /// # Errors
    /// If a key has no value, or two keys name the same slot.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// let (a, b) = (arena.insert(1_u32), arena.insert(2_u32));
    /// let [x, y] = arena.get_disjoint_mut([a, b]).unwrap();
    /// core::mem::swap(x, y);
    /// assert_eq!((arena.get(a), arena.get(b)), (Some(&2), Some(&1)));
    /// assert!(arena.get_disjoint_mut([a, a]).is_err());
    /// ```
    #[doc(alias("get2_mut", "get_many_mut"))]
    pub fn get_disjoint_mut<const KEYS: usize>(
        &mut self,
        keys: [K; KEYS],
    ) -> Result<[&mut T; KEYS], GetDisjointMutError> {
        self.store.get_disjoint_mut(keys)
    }

    /// Returns the key of the value in a slot, whatever its generation; `None` if the slot has none. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.key_of_slot(key.slot()), Some(key));
    /// assert_eq!(arena.key_of_slot(1), None);
    /// ```
    #[doc(alias("key_at", "get_at", "get_by_slot", "get_unknown_gen"))]
    #[inline]
    #[must_use]
    pub fn key_of_slot(&self, slot: u32) -> Option<K> {
        self.store.key_at(slot as usize)
    }

    /// Returns the key of the next value after a key's slot. The key itself may be stale, so a
    /// loop over keys may remove values. O(1), and one step for every 64 empty slots
    /// between.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::from_iter(["keep", "drop", "keep"]);
    /// let mut next = arena.keys().next();
    /// while let Some(key) = next {
    ///     if arena.get(key) == Some(&"drop") {
    ///         arena.remove(key);
    ///     }
    ///     next = arena.next_key(key);
    /// }
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[doc(alias = "first_key")]
    #[must_use]
    pub fn next_key(&self, key: K) -> Option<K> {
        let after = (key.slot() as usize).checked_add(1)?;
        self.store.key_at(self.store.book().next_live(after)?)
    }

    /// Removes a value and returns it with the key to visit next, so that a loop over keys may remove values.
    /// (The same loop is right for every container, also where the last value fills the gap.) O(1), and one
    /// step for every 64 empty slots between.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::from_iter(["keep", "drop", "keep"]);
    /// let mut next = arena.keys().next();
    /// while let Some(key) = next {
    ///     next = match arena.get(key) {
    ///         Some(&"drop") => arena.remove_and_next(key).1,
    ///         _ => arena.next_key(key),
    ///     };
    /// }
    /// assert_eq!(arena.len(), 2);
    /// ```
    #[doc(alias = "erase")]
    pub fn remove_and_next(&mut self, key: K) -> (Option<T>, Option<K>) {
        (self.remove(key), self.next_key(key))
    }

    /// Returns the key of one of the container's own values, found by its address; `None` for
    /// any other value, and for values of size zero.
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// let key = arena.insert(7_u32);
    /// assert_eq!(arena.key_of(&arena[key]), Some(key));
    /// assert_eq!(arena.key_of(&7), None);
    /// ```
    #[must_use]
    pub fn key_of(&self, value: &T) -> Option<K> {
        self.store.key_at(self.store.slot_at(core::ptr::from_ref(value).addr())?)
    }
}

/// Capacity.
impl<T, K: Key> Pool<T, K> {
    /// Returns the number of values. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::Pool::from_iter(['a', 'b']);
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
    /// let mut arena = larder::Pool::<_>::default();
    /// assert!(arena.is_empty());
    /// arena.insert('a');
    /// assert!(!arena.is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many values fit without moving; of a reserved pool its maximum.
    /// Retired slots do not count; those of [detached](crate::containers::Stats::detached) keys do. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::fixed(1, Default::default);
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
    /// They are made now: a call of the pool's function for each. When it grows it makes more room than asked for, and
    /// values may move: O(capacity). In a reserved pool nothing moves and memory is committed: O(additional). Keys
    /// stay valid.
    ///
    /// # Panics
    /// If the pool is fixed or reserved and full, allocation fails, or there cannot be so many slots.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::from_iter(0..10_u32);
    /// arena.reserve(50);
    /// assert!(arena.capacity() >= 60);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        room::granted::<Self, _>(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error if there is no room.
    ///
    /// # Errors
    /// If the pool is fixed or reserved and full, allocation fails, or there cannot be so many slots;
    /// no value has changed.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// arena.insert('a');
    /// assert!(arena.try_reserve(50).is_ok() && arena.capacity() >= 51);
    /// assert!(arena.try_reserve(usize::MAX).is_err());
    /// ```
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let Self { store, recipe } = self;
        store.try_provide(additional, || recipe.make())
    }

    /// Returns how slots and memory are used. What values own elsewhere is not counted. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
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
    /// Values may move. A reserved pool returns its pages and keeps the addresses; nothing moves.
    /// A fixed container keeps its memory. O(slots).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::from_iter(0..1_000_u32);
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
    /// let mut arena = larder::Pool::from_iter(0..1_000_u32);
    /// arena.clear();
    /// arena.shrink_to(100);
    /// assert_eq!(arena.capacity(), 100);
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.store.shrink_to(capacity);
    }

    /// Moves values from the highest slots into the lowest holes until no hole is left below a
    /// value, and then frees memory as [`shrink_to_fit`](Self::shrink_to_fit) does. A fixed
    /// pool keeps its memory. The former content of a hole is then where the moved value was. O(slots).
    ///
    /// After each move `moved` is called with the value's old key, which is now stale, its new one, and
    /// the value, so that the caller can update stored keys. Values that are not moved keep their
    /// keys. Slots of detached keys, and retired slots, stay where they are. If `moved` panics,
    /// the moves it was called for are done, and no others.
    ///
    /// This moves values even in memory that otherwise never moves. An order of reuse other than
    /// packed starts again with the lowest free slot.
    ///
    /// # Panics
    /// If a hole is in its last generation and memory for the bits of retired slots is refused.
    /// The moves that `moved` was called for are done.
    ///
    /// # Examples
    /// ```
    /// use std::collections::HashMap;
    ///
    /// let mut trees = larder::Pool::<_>::default();
    /// let mut by_name = HashMap::new();
    /// for name in ["ash", "elm", "fir", "oak"] {
    ///     by_name.insert(name, trees.insert(name));
    /// }
    /// trees.remove(by_name.remove("ash").unwrap());
    ///
    /// trees.compact(|old, new, _| {
    ///     let stored = by_name.values_mut().find(|key| **key == old).unwrap();
    ///     *stored = new;
    /// });
    /// assert_eq!(trees.capacity(), 3);
    /// assert!(trees.values().eq(&["oak", "elm", "fir"]));
    /// assert!(by_name.iter().all(|(name, key)| trees.get(*key) == Some(name)));
    /// ```
    #[doc(alias("defragment", "consolidate"))]
    #[track_caller]
    pub fn compact(&mut self, mut moved: impl FnMut(K, K, &mut T)) {
        let compacted = self.store.compact(|store, old, new| {
            if let Some(value) = store.get_mut(new) {
                moved(old, new, value);
            }
        });
        room::granted::<Self, _>(compacted);
    }

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
        bytes_for(<Store<T, K> as split::InMemory<K>>::BLOCKS, count)
    }
}

/// Iterating, always in slot order.
impl<T, K: Key> Pool<T, K> {
    /// Iterates over keys and values, in slot order. O(live + slots / 64) for all. Inner iteration (`for_each`,
    /// `fold`, `sum`) is faster than a `for` loop.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// let (a, b) = (arena.insert(1_u32), arena.insert(2_u32));
    /// assert!(arena.iter().eq([(a, &1), (b, &2)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, K> {
        self.store.iter()
    }

    /// Iterates over keys and mutable values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::from_iter([1_u32, 2]);
    /// for (key, value) in arena.iter_mut() {
    ///     *value += key.slot();
    /// }
    /// assert!(arena.values().eq(&[1, 3]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, K> {
        self.store.iter_mut()
    }

    /// Iterates over keys. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::<_>::default();
    /// let (a, b) = (arena.insert('a'), arena.insert('b'));
    /// assert!(arena.keys().eq([a, b]));
    /// ```
    #[inline]
    pub fn keys(&self) -> Keys<'_, T, K> {
        pairs::Keys::of(self.iter())
    }

    /// Iterates over values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// let arena = larder::Pool::from_iter([1_u32, 2, 3]);
    /// assert_eq!(arena.values().sum::<u32>(), 6);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<'_, T, K> {
        pairs::Values::of(self.iter())
    }

    /// Iterates over mutable values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::Pool::from_iter([1_u32, 2]);
    /// arena.values_mut().for_each(|value| *value *= 10);
    /// assert!(arena.values().eq(&[10, 20]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, T, K> {
        pairs::Values::of(self.iter_mut())
    }
}

/// For the project's own tests.
impl<T, K: Key> Pool<T, K> {
    /// Panics if the pool is inconsistent, for the project's own tests.
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

impl<T, K: Key> Pool<T, K> {
    /// The panic of a lookup by a key that must have a value.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn no_value(&self, key: K) -> ! {
        let found = self.store.found(key, self.store.key_at(key.slot() as usize));
        explain::no_value(&room::name_of::<Self>(), key, &found)
    }
}

/// The keys are found by iterating.
impl<T, K: Key> Extend<T> for Pool<T, K> {
    /// # Panics
    /// See `insert`; the values before are in.
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        room::granted::<Self, _>(self.store.try_extend(values));
    }
}

/// Panics if the key has no value; the message says what its slot holds now.
impl<T, K: Key> Index<K> for Pool<T, K> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &T {
        match self.store.get(key) {
            Some(value) => value,
            None => self.no_value(key),
        }
    }
}

/// Panics if the key has no value; the message says what its slot holds now.
impl<T, K: Key> IndexMut<K> for Pool<T, K> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut T {
        if !self.contains_key(key) {
            self.no_value(key);
        }
        match self.store.get_mut(key) {
            Some(value) => value,
            None => unreachable!(),
        }
    }
}

impl<'a, T: Copy + 'a, K: Key> Extend<&'a T> for Pool<T, K> {
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T: fmt::Debug, K: Key> fmt::Debug for Pool<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Two containers are equal if the same keys have equal values.
impl<T: PartialEq, K: Key> PartialEq for Pool<T, K> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq, K: Key> Eq for Pool<T, K> {}

impl<'a, T, K: Key> IntoIterator for &'a Pool<T, K> {
    type Item = (K, &'a T);
    type IntoIter = Iter<'a, T, K>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T, K> {
        self.iter()
    }
}

impl<'a, T, K: Key> IntoIterator for &'a mut Pool<T, K> {
    type Item = (K, &'a mut T);
    type IntoIter = IterMut<'a, T, K>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, T, K> {
        self.iter_mut()
    }
}

/// Inserting, filling what lies in a slot already.
impl<T, K: Key> Pool<T, K> {
    /// Uses a free slot: `fill` turns the value in it into the new one, and can reuse what it owns. In a slot
    /// that was never used it is a newly made value. If `fill` panics, the slot stays free, with its value as
    /// `fill` left it. O(1) amortised; does not allocate if a slot is free.
    ///
    /// # Panics
    /// See [`insert`](Self::insert); before `fill` is called.
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
        room::granted::<Self, _>(self.try_insert_with(fill))
    }

    /// Like [`insert_with`](Self::insert_with), but returns an error if there is no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is fixed or reserved and full, allocation fails, or no slot is left. `fill` is not
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
    /// See [`insert`](Self::insert).
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
        room::granted::<Self, _>(self.try_vacant_entry())
    }

    /// Like [`vacant_entry`](Self::vacant_entry), but returns an error if there is no room. O(1) amortised.
    ///
    /// # Errors
    /// If the pool is full or allocation fails; nothing has changed.
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
        let Self { store, recipe } = self;
        let vacancy = store.vacancy()?;
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
    /// weights.recycle(a);
    /// assert_eq!(weights.slots(), [0.0, 2.0]);
    /// assert_eq!(weights.slots()[b.slot() as usize], 2.0);
    /// assert_eq!(weights.slots().iter().sum::<f64>(), 2.0); // holes add nothing
    /// ```
    #[inline]
    #[must_use]
    pub fn slots(&self) -> &[T] {
        self.store.all()
    }

    /// Returns the values of all slots as one mutable slice. The next [`insert_with`](Self::insert_with)
    /// finds what was written to a free slot. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut positions = larder::Pool::new(|| 0.0);
    /// let (a, b) = (positions.insert(1.0), positions.insert(2.0));
    /// positions.recycle(a);
    /// for position in positions.slots_mut() {
    ///     *position += 0.5; // no branch: free ones are numbers as well
    /// }
    /// assert_eq!(positions[b], 2.5);
    /// ```
    #[inline]
    #[must_use]
    pub fn slots_mut(&mut self) -> &mut [T] {
        self.store.all_mut()
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
    /// assert_eq!(pool.recycle(key).unwrap(), "");
    /// assert!(pool.recycle(key).is_none());
    /// assert_eq!(pool.slots(), [""]);
    /// ```
    #[doc(alias("free", "reset", "despawn"))]
    #[inline]
    pub fn recycle(&mut self, key: K) -> Option<&mut T> {
        let Self { store, recipe } = self;
        if store.recycle(key, |spot| recipe.recycle(spot.into_mut())) {
            store.all_mut().get_mut(key.slot() as usize)
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
    /// assert_eq!(pool.remove(key), Some(7));
    /// assert_eq!(pool.remove(key), None);
    /// assert_eq!(pool.slots(), [0]);
    /// ```
    #[doc(alias("take", "erase", "delete", "destroy"))]
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<T> {
        let Self { store, recipe } = self;
        store.take(key, || recipe.make())
    }

    /// Removes the values for which `keep` returns `false`, in slot order, as [`recycle`](Self::recycle)
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
        let Self { store, recipe } = self;
        store.retain_or(
            |key, spot| keep(key, spot.into_mut()),
            |spot| recipe.recycle(spot.into_mut()),
        );
    }

    /// Removes all values, as [`recycle`](Self::recycle) does. Memory, values and generations are kept: no
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
        let Self { store, recipe } = self;
        store.clear_with(|spot| recipe.recycle(spot.into_mut()));
    }
}

/// A free slot that is about to be used. Made by [`Pool::vacant_entry`](crate::Pool::vacant_entry).
///
/// The slot stays free until [`occupy`](Self::occupy) or [`insert`](Self::insert) is called.
///
/// # Examples
/// ```
/// let mut pool = larder::Pool::new(|| 1);
/// drop(pool.vacant_entry());
/// assert!(pool.is_empty());
/// let mut entry = pool.vacant_entry();
/// let key = entry.key();
/// *entry.value_mut() += 1;
/// entry.occupy();
/// assert_eq!(pool[key], 2);
/// ```
#[must_use = "the slot stays free until `occupy` or `insert` is called"]
pub struct VacantEntry<'a, T, K: Key>(Prepared<'a, T, K>);

impl<'a, T, K: Key> VacantEntry<'a, T, K> {
    /// Returns the key that the value will have. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 'x');
    /// let entry = pool.vacant_entry();
    /// let key = entry.key();
    /// entry.occupy();
    /// assert_eq!(pool.keys().next(), Some(key));
    /// ```
    #[inline]
    #[must_use]
    pub fn key(&self) -> K {
        self.0.key()
    }

    /// Returns what lies in the slot now, to be made the new value; what is changed stays changed, also where
    /// the entry is dropped. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(Vec::new);
    /// let mut entry = pool.vacant_entry();
    /// entry.value_mut().push(1);
    /// assert_eq!(entry.occupy(), &[1]);
    /// ```
    #[inline]
    #[must_use]
    pub fn value_mut(&mut self) -> &mut T {
        self.0.value_mut()
    }

    /// Takes the slot into use with what lies in it, and gives that out to change it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 1);
    /// *pool.vacant_entry().occupy() += 1;
    /// assert!(pool.values().eq(&[2]));
    /// ```
    #[inline]
    pub fn occupy(self) -> &'a mut T {
        self.0.occupy()
    }

    /// Puts a value in, drops what lay there, and gives the value out to change it. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut pool = larder::Pool::new(|| 1);
    /// *pool.vacant_entry().insert(5) += 1;
    /// assert!(pool.values().eq(&[6]));
    /// ```
    #[inline]
    pub fn insert(mut self, value: T) -> &'a mut T {
        *self.value_mut() = value;
        self.occupy()
    }
}

impl<T, K: Key> fmt::Debug for VacantEntry<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VacantEntry").field(&self.key()).finish()
    }
}

//! Values that lie whole: they are lent as `&T` and `&mut T`.

use core::fmt;
use core::ops::{Index, IndexMut};
use core::ptr::{self, NonNull};

use super::{ExtractIf, IterMutOf, IterOf, Slots};
use crate::containers::pairs::Values;
use crate::error::GetDisjointMutError;
use crate::explain::Grants;
use crate::key::Key;
use crate::memory::storage::Room;
use crate::raw::book::Book;
use crate::raw::rows::{Rooms, Whole};
use crate::raw::store::Refill;

/// Access by key.
impl<T, K: Key, R, B: Book> Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    /// Returns the value of a key; `None` if the key is stale, foreign or dangling.
    /// O(1); [the table](Slots#costs) says what a lookup reads.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
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
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
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

    /// Returns several values at once for mutation. O(n²) for n keys.
    ///
    /// # Errors
    /// If a key has no value, or two keys name the same slot.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
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
}

/// Access by address.
impl<T, K: Key, R, B: Book> Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    /// Returns the key of one of the container's own values, found by its address; `None` for
    /// any other value, and for values of size zero.
    /// O(1); in many blocks O(log(blocks)).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert(7_u32);
    /// assert_eq!(arena.key_of(&arena[key]), Some(key));
    /// assert_eq!(arena.key_of(&7), None);
    /// ```
    #[must_use]
    pub fn key_of(&self, value: &T) -> Option<K> {
        if size_of::<T>() == 0 {
            return None;
        }
        self.store.key_at(self.store.slot_at(ptr::from_ref(value).addr())?)
    }
}

/// Iterating, always in slot order.
impl<T, K: Key, R, B: Book> Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    /// Iterates over keys and values, in slot order. O(live + slots / 64) for all. Inner iteration (`for_each`,
    /// `fold`, `sum`) is faster than a `for` loop.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert(1_u32), arena.insert(2_u32));
    /// assert!(arena.iter().eq([(a, &1), (b, &2)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> IterOf<'_, T, K, Whole<R>> {
        self.store.iter()
    }

    /// Iterates over keys and mutable values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// for (key, value) in arena.iter_mut() {
    ///     *value += key.slot();
    /// }
    /// assert!(arena.values().eq(&[1, 3]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMutOf<'_, T, K, Whole<R>> {
        self.store.iter_mut()
    }

    /// Iterates over values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let arena = Arena::from_iter([1_u32, 2, 3]);
    /// assert_eq!(arena.values().sum::<u32>(), 6);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<IterOf<'_, T, K, Whole<R>>> {
        Values::of(self.iter())
    }

    /// Iterates over mutable values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// arena.values_mut().for_each(|value| *value *= 10);
    /// assert!(arena.values().eq(&[10, 20]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> Values<IterMutOf<'_, T, K, Whole<R>>> {
        Values::of(self.iter_mut())
    }
}

/// Removing what a closure chooses.
impl<T, K: Key, R, B: Book> Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    /// Removes the values for which `keep` returns `false`, in slot order.
    /// If `keep` or a destructor panics, the values visited before are removed or kept as
    /// decided, and the others are kept. O(live + slots / 64).
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(0..100_u32);
    /// arena.retain(|_, number| *number % 2 == 0);
    /// assert_eq!(arena.len(), 50);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(K, &mut T) -> bool) {
        self.store.retain(|key, spot| keep(key, spot.into_mut()));
    }

    /// Removes the values for which `choose` returns `true`, and yields them. Unvisited values
    /// remain. O(1) a visited value.
    ///
    /// # Examples
    /// ```
    /// # use larder::Arena;
    /// let mut arena = Arena::from_iter(0..6_u32);
    /// let odd = arena.extract_if(|_, n| *n % 2 == 1).count();
    /// assert_eq!(odd, 3);
    /// assert_eq!(arena.len(), 3);
    /// ```
    #[doc(alias = "drain_filter")]
    pub fn extract_if<F: FnMut(K, &mut T) -> bool>(
        &mut self,
        choose: F,
    ) -> ExtractIf<'_, T, K, F, Whole<R>, B> {
        self.store.extract_if(choose)
    }
}

/// Compacting.
impl<T, K: Key, R> Slots<T, K, Whole<R>>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    /// Moves values from the highest slots into the lowest holes until no hole is left below a
    /// value, and then frees memory as [`shrink_to_fit`](Self::shrink_to_fit) does. A fixed
    /// container keeps its memory. O(slots).
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
    /// # use larder::Arena;
    /// let mut trees = Arena::new();
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
        Self::granted(compacted);
    }
}

/// Panics if the key has no value; the message says what its slot holds now.
impl<T, K: Key, R, B: Book> Index<K> for Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
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
impl<T, K: Key, R, B: Book> IndexMut<K> for Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
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

impl<'a, T: Copy + 'a, K: Key, R, B: Book> Extend<&'a T> for Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T: fmt::Debug, K: Key, R, B: Book> fmt::Debug for Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Two containers are equal if the same keys have equal values.
impl<T: PartialEq, K: Key, R, B: Book> PartialEq for Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    fn eq(&self, other: &Self) -> bool {
        self.store.book().len() == other.store.book().len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq, K: Key, R, B: Book> Eq for Slots<T, K, Whole<R>, B> where
    Whole<R>: Refill<T, K, At = NonNull<T>>
{
}

impl<'a, T, K: Key, R, B: Book> IntoIterator for &'a Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    type Item = (K, &'a T);
    type IntoIter = IterOf<'a, T, K, Whole<R>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T, K: Key, R, B: Book> IntoIterator for &'a mut Slots<T, K, Whole<R>, B>
where
    Whole<R>: Refill<T, K, At = NonNull<T>>,
{
    type Item = (K, &'a mut T);
    type IntoIter = IterMutOf<'a, T, K, Whole<R>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// A clone has the same values under the same keys, and issues the same keys from then on. It grows, is fixed or is
/// reserved as the original; the clone of an arena in the caller's block is a fixed one in allocated memory.
#[cfg(feature = "alloc")]
impl<T: Clone, K: Key, S: Room + Rooms<T, K>, B: Book> Clone for Slots<T, K, Whole<S>, B> {
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn clone(&self) -> Self {
        Self { store: Self::granted(self.store.try_clone()) }
    }

    /// Does the same as `*self = source.clone()`, and takes over whether it may grow. The memory of `self` is used if
    /// it suffices and is of the same kind. If a value's `Clone` panics, `self` is unchanged or empty.
    #[track_caller]
    fn clone_from(&mut self, source: &Self) {
        Self::granted(self.store.try_clone_from(&source.store));
    }
}

//! Packed values that lie whole: they are lent as `&T` and `&mut T`, and all of them as a slice.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Index, IndexMut};

use super::DenseArena;
use crate::containers::dense::{ExtractIf, Iter, IterMut};
use crate::containers::pairs::Values;
use crate::containers::sorting::GradualSort;
use crate::error::GetDisjointMutError;
use crate::explain::Grants;
use crate::key::Key;
use crate::memory::buffer::Buffer;
use crate::raw::parts::ItemParts;

/// Access by key.
impl<T, K: Key> DenseArena<T, K> {
    /// Returns the value of a key; `None` if the key is stale, foreign or dangling.
    /// O(1): three cache lines, two of them at once.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
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
    /// # use larder::DenseArena as Arena;
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
    /// # use larder::DenseArena as Arena;
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

    /// Returns the value at a position; `None` if the position is not below `len()`. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let arena = Arena::from_iter(['a', 'b']);
    /// assert_eq!(arena.get_index(1), Some(&'b'));
    /// assert_eq!(arena.get_index(2), None);
    /// ```
    #[doc(alias = "get_at")]
    #[inline]
    #[must_use]
    pub fn get_index(&self, position: usize) -> Option<&T> {
        self.store.get_at(position)
    }

    /// Returns the value at a position for mutation; `None` if the position is not below
    /// `len()`. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// *arena.get_index_mut(1).unwrap() = 20;
    /// assert!(arena.values().eq(&[1, 20]));
    /// ```
    #[doc(alias = "get_at_mut")]
    #[inline]
    #[must_use]
    pub fn get_index_mut(&mut self, position: usize) -> Option<&mut T> {
        self.store.get_at_mut(position)
    }

    /// Returns the key of one of the container's own values, found by its address; `None` for
    /// any other value, and for values of size zero.
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert(7_u32);
    /// assert_eq!(arena.key_of(&arena[key]), Some(key));
    /// assert_eq!(arena.key_of(&7), None);
    /// ```
    #[must_use]
    pub fn key_of(&self, value: &T) -> Option<K> {
        self.store.key_of_address(core::ptr::from_ref(value).addr())
    }
}

/// Iterating, always in position order.
impl<T, K: Key> DenseArena<T, K> {
    /// Iterates over keys and values, in position order. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert(1_u32), arena.insert(2_u32));
    /// assert!(arena.iter().eq([(a, &1), (b, &2)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, K> {
        Iter::of(self.store.keys().iter().copied().zip(self.store.values()))
    }

    /// Iterates over keys and mutable values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// for (key, value) in arena.iter_mut() {
    ///     *value += key.slot();
    /// }
    /// assert!(arena.values().eq(&[1, 3]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, K> {
        let (keys, values) = self.store.both_mut();
        ItemParts::of(keys.iter().copied().zip(values))
    }

    /// Iterates over values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let arena = Arena::from_iter([1_u32, 2, 3]);
    /// assert_eq!(arena.values().sum::<u32>(), 6);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<Iter<'_, T, K>> {
        Values::of(self.iter())
    }

    /// Iterates over mutable values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// arena.values_mut().for_each(|value| *value *= 10);
    /// assert!(arena.values().eq(&[10, 20]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> Values<IterMut<'_, T, K>> {
        Values::of(self.iter_mut())
    }
}

/// Removing what a closure chooses.
impl<T, K: Key> DenseArena<T, K> {
    /// Removes the values for which `keep` returns `false`, in position order.
    /// If `keep` or a destructor panics, the values visited before are removed or kept as
    /// decided, and the others are kept. O(len).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(0..100_u32);
    /// arena.retain(|_, number| *number % 2 == 0);
    /// assert_eq!(arena.len(), 50);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(K, &mut T) -> bool) {
        self.store.retain(|key, spot| keep(key, spot.into_mut()));
    }

    /// Removes the values for which `choose` returns `true`, and yields them. Unvisited values
    /// remain. The last value fills each gap, as with [`remove`](Self::remove), and is visited next. O(1) a visited
    /// value.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter(0..6_u32);
    /// let odd = arena.extract_if(|_, n| *n % 2 == 1).count();
    /// assert_eq!(odd, 3);
    /// assert_eq!(arena.len(), 3);
    /// ```
    #[doc(alias = "drain_filter")]
    pub fn extract_if<F: FnMut(K, &mut T) -> bool>(
        &mut self,
        choose: F,
    ) -> ExtractIf<'_, T, K, F, Buffer<T>> {
        self.store.extract_if(choose)
    }
}

/// Sorting a little at a time.
impl<T, K: Key> DenseArena<T, K> {
    /// Compares up to `budget` pairs of values and swaps those that are out of order. Keys stay
    /// valid; the order of equal values is not kept. Does not allocate. O(`budget`);
    /// [`GradualSort`] says how many steps a round takes.
    ///
    /// Returns `true` when a round has ended: the values are in order unless something else
    /// changed them since it began. The next step begins the next round. If `compare` panics,
    /// the next step repeats the comparison.
    ///
    /// # Examples
    /// ```
    /// use larder::containers::GradualSort;
    ///
    /// # use larder::DenseArena as Arena;
    /// let mut sounds = Arena::from_iter([3_u32, 1, 2]);
    /// let mut sorting = GradualSort::new();
    /// for _frame in 0..10 {
    ///     sounds.sort_step(&mut sorting, 2, |a, b| a.cmp(b));
    /// }
    /// assert!(sounds.values().eq(&[1, 2, 3]));
    /// ```
    pub fn sort_step(
        &mut self,
        sorting: &mut GradualSort,
        budget: usize,
        mut compare: impl FnMut(&T, &T) -> Ordering,
    ) -> bool {
        sorting.step(self.len(), budget, |lower, upper| {
            let (Some(low), Some(high)) = (self.store.get_at(lower), self.store.get_at(upper))
            else {
                unreachable!("both are below the length")
            };
            let swaps = compare(low, high).is_gt();
            if swaps {
                self.store.swap_positions(lower, upper);
            }
            swaps
        })
    }
}

/// Sorting (feature `alloc`). Keys stay valid. If a comparison panics, nothing has changed.
#[cfg(feature = "alloc")]
impl<T, K: Key> DenseArena<T, K> {
    /// Sorts the values, keeping the order of equal ones. O(n log n), and 4 bytes a value
    /// meanwhile.
    ///
    /// # Panics
    /// If that allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::new();
    /// let (b, a) = (arena.insert("b"), arena.insert("a"));
    /// arena.sort_by(|x, y| x.cmp(y));
    /// assert!(arena.keys().eq([a, b]));
    /// assert_eq!(arena.get(b), Some(&"b"));
    /// ```
    #[doc(alias = "sort")]
    #[track_caller]
    pub fn sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        // A sort that keeps the order of equal values would ask for memory of its own.
        self.sort_positions(|(left, a), (right, b)| compare(left, right).then(a.cmp(&b)));
    }

    /// Sorts the values by a rank, keeping the order of equal ones. `rank` is called
    /// O(n log n) times. O(n log n), and 4 bytes a value meanwhile.
    ///
    /// # Panics
    /// If that allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter([-3_i32, 1, 2]);
    /// arena.sort_by_key(|number| number.abs());
    /// assert!(arena.values().eq(&[1, 2, -3]));
    /// ```
    #[track_caller]
    pub fn sort_by_key<O: Ord>(&mut self, mut rank: impl FnMut(&T) -> O) {
        self.sort_by(|a, b| rank(a).cmp(&rank(b)));
    }

    /// Sorts the values; the order of equal ones is not kept. Faster than
    /// [`sort_by`](Self::sort_by). O(n log n), and 4 bytes a value meanwhile.
    ///
    /// # Panics
    /// See [`sort_by`](Self::sort_by).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter([2.5, 0.5, 1.5]);
    /// arena.sort_unstable_by(|a, b| f64::total_cmp(a, b));
    /// assert!(arena.values().eq(&[0.5, 1.5, 2.5]));
    /// ```
    #[doc(alias = "sort_unstable_by_key")]
    #[track_caller]
    pub fn sort_unstable_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.sort_positions(|(left, _), (right, _)| compare(left, right));
    }

    /// Like [`sort_by_key`](Self::sort_by_key), but calls `rank` once a value. O(n log n), and
    /// memory for the ranks meanwhile.
    ///
    /// # Panics
    /// See [`sort_by`](Self::sort_by).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseArena as Arena;
    /// let mut arena = Arena::from_iter([10_u32, 9, 100]);
    /// arena.sort_by_cached_key(|number| number.to_string());
    /// assert!(arena.values().eq(&[10, 100, 9]));
    /// ```
    #[track_caller]
    pub fn sort_by_cached_key<O: Ord>(&mut self, mut rank: impl FnMut(&T) -> O) {
        let mut positions = Self::scratch(self.len());
        let mut ranks = Self::scratch(self.len());
        ranks.extend(self.values().zip(0_u32..).map(|(value, at)| (rank(value), at)));
        ranks.sort_unstable();
        positions.extend(ranks.into_iter().map(|(_, position)| position));
        self.store.rearrange(&mut positions);
    }

    /// Sorts by values and where they are.
    #[track_caller]
    fn sort_positions(&mut self, mut compare: impl FnMut((&T, u32), (&T, u32)) -> Ordering) {
        let mut positions = Self::scratch(self.len());
        positions.extend(0..self.len() as u32);
        let store = &self.store;
        positions.sort_unstable_by(|&a, &b| {
            match (store.get_at(a as usize), store.get_at(b as usize)) {
                (Some(left), Some(right)) => compare((left, a), (right, b)),
                _ => unreachable!(),
            }
        });
        self.store.rearrange(&mut positions);
    }
}

/// The values as a slice.
impl<T, K: Key> DenseArena<T, K> {
    /// Returns the values as a slice, in position order. O(1).
    ///
    /// # Examples
    /// ```
    /// let arena = larder::DenseArena::from_iter([1, 2, 3]);
    /// assert_eq!(arena.as_slice().iter().max(), Some(&3));
    /// ```
    #[doc(alias("values_as_slice", "data"))]
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        self.store.values()
    }

    /// Returns the values as a mutable slice. Swapping values in it swaps them between keys; use
    /// [`swap_indices`](Self::swap_indices) to keep keys and values together. O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::DenseArena::from_iter([1, 2, 3]);
    /// arena.as_mut_slice().fill(0);
    /// assert_eq!(arena.as_slice(), [0, 0, 0]);
    /// ```
    #[doc(alias = "values_as_mut_slice")]
    #[inline]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.store.values_mut()
    }
}

/// Panics if the key has no value; the message says what its slot holds now.
impl<T, K: Key> Index<K> for DenseArena<T, K> {
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
impl<T, K: Key> IndexMut<K> for DenseArena<T, K> {
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

impl<'a, T: Copy + 'a, K: Key> Extend<&'a T> for DenseArena<T, K> {
    #[inline]
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T: fmt::Debug, K: Key> fmt::Debug for DenseArena<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Two containers are equal if the same keys have equal values.
impl<T: PartialEq, K: Key> PartialEq for DenseArena<T, K> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<T: Eq, K: Key> Eq for DenseArena<T, K> {}

/// A clone has the same values under the same keys, and issues the same keys from then on. It grows, is fixed or is
/// reserved as the original; the clone of an arena in the caller's block is a fixed one in allocated memory.
#[cfg(feature = "alloc")]
impl<T: Clone, K: Key> Clone for DenseArena<T, K> {
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

impl<'a, T, K: Key> IntoIterator for &'a DenseArena<T, K> {
    type Item = (K, &'a T);
    type IntoIter = Iter<'a, T, K>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T, K> {
        self.iter()
    }
}

impl<'a, T, K: Key> IntoIterator for &'a mut DenseArena<T, K> {
    type Item = (K, &'a mut T);
    type IntoIter = IterMut<'a, T, K>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, T, K> {
        self.iter_mut()
    }
}

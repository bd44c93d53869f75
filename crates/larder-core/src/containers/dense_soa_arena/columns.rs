//! Packed values whose fields lie in columns: they are lent as a reference to each field.

use core::cmp::Ordering;
use core::fmt;

use super::{Blocks, BlocksMut, DenseSoaArena};
use crate::containers::dense::ExtractIf;
use crate::containers::pairs::Values;
use crate::containers::sorting::GradualSort;
use crate::error::GetDisjointMutError;
use crate::explain::Grants;
use crate::key::Key;
#[cfg(feature = "rayon")]
use crate::memory::storage::{At, Borrowed};
#[cfg(feature = "rayon")]
use crate::parallel::Divide;
#[cfg(feature = "rayon")]
use crate::raw::packed::ColumnLending;
use crate::raw::packed::{Iter, IterMut};
#[cfg(feature = "alloc")]
use crate::soa::raw::shape::CloneShape;
use crate::soa::raw::{Columns, InColumns};
use crate::soa::{Lanes, Soa, Split, view};

/// Access by key.
impl<T: Soa, K: Key> DenseSoaArena<T, K> {
    /// Returns the value of a key; `None` if the key is stale, foreign or dangling.
    /// O(1): one cache line for each field that is read.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert('x');
    /// assert_eq!(arena.get(key), Some(&'x'));
    /// arena.remove(key);
    /// assert_eq!(arena.get(key), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<view::Ref<'_, T>> {
        self.store.get(key)
    }

    /// Returns the value of a key for mutation; `None` if the key is stale, foreign or
    /// dangling. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert(1_u32);
    /// if let Some(value) = arena.get_mut(key) {
    ///     *value += 1;
    /// }
    /// assert_eq!(arena.get(key), Some(&2));
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, key: K) -> Option<view::RefMut<'_, T>> {
        self.store.get_mut(key)
    }

    /// Returns several values at once for mutation. O(n²) for n keys.
    ///
    /// # Errors
    /// If a key has no value, or two keys name the same slot.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
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
    ) -> Result<[view::RefMut<'_, T>; KEYS], GetDisjointMutError> {
        self.store.get_disjoint_mut(keys)
    }

    /// Returns the value at a position; `None` if the position is not below `len()`. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let arena = Arena::from_iter(['a', 'b']);
    /// assert_eq!(arena.get_index(1), Some(&'b'));
    /// assert_eq!(arena.get_index(2), None);
    /// ```
    #[doc(alias = "get_at")]
    #[inline]
    #[must_use]
    pub fn get_index(&self, position: usize) -> Option<view::Ref<'_, T>> {
        self.store.get_at(position)
    }

    /// Returns the value at a position for mutation; `None` if the position is not below
    /// `len()`. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// *arena.get_index_mut(1).unwrap() = 20;
    /// assert!(arena.values().eq(&[1, 20]));
    /// ```
    #[doc(alias = "get_at_mut")]
    #[inline]
    #[must_use]
    pub fn get_index_mut(&mut self, position: usize) -> Option<view::RefMut<'_, T>> {
        self.store.get_at_mut(position)
    }

    /// Returns a reference to each field of a key's value. O(1).
    ///
    /// # Panics
    /// If the key has no value; the message says what its slot holds now.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert((1.5_f32, 'a'));
    /// assert_eq!(arena.at(key).1, &'a');
    /// ```
    #[doc(alias("index"))]
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn at(&self, key: K) -> view::Ref<'_, T> {
        match self.store.get(key) {
            Some(value) => value,
            None => self.no_value(key),
        }
    }

    /// Returns a mutable reference to each field of a key's value. O(1).
    ///
    /// # Panics
    /// If the key has no value; the message says what its slot holds now.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert((1.5_f32, 'a'));
    /// *arena.at_mut(key).1 = 'b';
    /// assert_eq!(arena.at(key), (&1.5, &'b'));
    /// ```
    #[doc(alias("index_mut"))]
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn at_mut(&mut self, key: K) -> view::RefMut<'_, T> {
        if !self.contains_key(key) {
            self.no_value(key);
        }
        match self.store.get_mut(key) {
            Some(value) => value,
            None => unreachable!(),
        }
    }

    /// Replaces a key's value and returns the old one. O(1).
    ///
    /// # Errors
    /// If the key is stale, foreign or dangling: the new value is given back.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::new();
    /// let key = arena.insert((1.5_f32, 'a'));
    /// assert_eq!(arena.replace(key, (2.5, 'b')), Ok((1.5, 'a')));
    /// assert_eq!(arena.at(key), (&2.5, &'b'));
    /// ```
    #[doc(alias = "set")]
    #[inline]
    pub fn replace(&mut self, key: K, value: T) -> Result<T, T> {
        self.store.replace(key, value)
    }
}

/// Iterating, always in position order.
impl<T: Soa, K: Key> DenseSoaArena<T, K> {
    /// Iterates over keys and values, in position order. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert(1_u32), arena.insert(2_u32));
    /// assert!(arena.iter().eq([(a, &1), (b, &2)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, K, InColumns<T>> {
        self.store.iter()
    }

    /// Iterates over keys and mutable values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// for (key, value) in arena.iter_mut() {
    ///     *value += key.slot();
    /// }
    /// assert!(arena.values().eq(&[1, 3]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, K, InColumns<T>> {
        self.store.iter_mut()
    }

    /// Iterates over values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let arena = Arena::from_iter([1_u32, 2, 3]);
    /// assert_eq!(arena.values().sum::<u32>(), 6);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<Iter<'_, T, K, InColumns<T>>> {
        Values::of(self.iter())
    }

    /// Iterates over mutable values. O(len) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// arena.values_mut().for_each(|value| *value *= 10);
    /// assert!(arena.values().eq(&[10, 20]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> Values<IterMut<'_, T, K, InColumns<T>>> {
        Values::of(self.iter_mut())
    }
}

/// Removing what a closure chooses.
impl<T: Soa, K: Key> DenseSoaArena<T, K> {
    /// Removes the values for which `keep` returns `false`, in position order.
    /// If `keep` or a destructor panics, the values visited before are removed or kept as
    /// decided, and the others are kept. O(len).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter(0..100_u32);
    /// arena.retain(|_, number| *number % 2 == 0);
    /// assert_eq!(arena.len(), 50);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(K, view::RefMut<'_, T>) -> bool) {
        self.store.retain(|key, spot| keep(key, spot.into_mut()));
    }

    /// Removes the values for which `choose` returns `true`, and yields them. Unvisited values
    /// remain. The last value fills each gap, as with [`remove`](Self::remove), and is visited next. O(1) a visited
    /// value.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter(0..6_u32);
    /// let odd = arena.extract_if(|_, n| *n % 2 == 1).count();
    /// assert_eq!(odd, 3);
    /// assert_eq!(arena.len(), 3);
    /// ```
    #[doc(alias = "drain_filter")]
    pub fn extract_if<F: FnMut(K, view::RefMut<'_, T>) -> bool>(
        &mut self,
        choose: F,
    ) -> ExtractIf<'_, T, K, F, Columns<T>> {
        self.store.extract_if(choose)
    }
}

/// Sorting a little at a time.
impl<T: Soa, K: Key> DenseSoaArena<T, K> {
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
    /// # use larder::DenseSoaArena as Arena;
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
        mut compare: impl FnMut(view::Ref<'_, T>, view::Ref<'_, T>) -> Ordering,
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
impl<T: Soa, K: Key> DenseSoaArena<T, K> {
    /// Sorts the values, keeping the order of equal ones. O(n log n), and 4 bytes a value
    /// meanwhile.
    ///
    /// # Panics
    /// If that allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::new();
    /// let (b, a) = (arena.insert("b"), arena.insert("a"));
    /// arena.sort_by(|x, y| x.cmp(y));
    /// assert!(arena.keys().eq([a, b]));
    /// assert_eq!(arena.get(b), Some(&"b"));
    /// ```
    #[doc(alias = "sort")]
    #[track_caller]
    pub fn sort_by(
        &mut self,
        mut compare: impl FnMut(view::Ref<'_, T>, view::Ref<'_, T>) -> Ordering,
    ) {
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
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter([-3_i32, 1, 2]);
    /// arena.sort_by_key(|number| number.abs());
    /// assert!(arena.values().eq(&[1, 2, -3]));
    /// ```
    #[track_caller]
    pub fn sort_by_key<O: Ord>(&mut self, mut rank: impl FnMut(view::Ref<'_, T>) -> O) {
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
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter([2.5, 0.5, 1.5]);
    /// arena.sort_unstable_by(|a, b| f64::total_cmp(a, b));
    /// assert!(arena.values().eq(&[0.5, 1.5, 2.5]));
    /// ```
    #[doc(alias = "sort_unstable_by_key")]
    #[track_caller]
    pub fn sort_unstable_by(
        &mut self,
        mut compare: impl FnMut(view::Ref<'_, T>, view::Ref<'_, T>) -> Ordering,
    ) {
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
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter([10_u32, 9, 100]);
    /// arena.sort_by_cached_key(|number| number.to_string());
    /// assert!(arena.values().eq(&[10, 100, 9]));
    /// ```
    #[track_caller]
    pub fn sort_by_cached_key<O: Ord>(&mut self, mut rank: impl FnMut(view::Ref<'_, T>) -> O) {
        let mut positions = Self::scratch(self.len());
        let mut ranks = Self::scratch(self.len());
        ranks.extend(self.values().zip(0_u32..).map(|(value, at)| (rank(value), at)));
        ranks.sort_unstable();
        positions.extend(ranks.into_iter().map(|(_, position)| position));
        self.store.rearrange(&mut positions);
    }

    /// Sorts by values and where they are.
    #[track_caller]
    fn sort_positions(
        &mut self,
        mut compare: impl FnMut((view::Ref<'_, T>, u32), (view::Ref<'_, T>, u32)) -> Ordering,
    ) {
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

/// Whole columns, for types without lanes.
impl<T: Soa<Arrangement = Split>, K: Key> DenseSoaArena<T, K> {
    /// Returns each column as a slice, in position order. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let arena = Arena::from_iter([(1.5_f32, 'a'), (2.5, 'b')]);
    /// let (numbers, letters) = arena.columns();
    /// assert_eq!((numbers, letters), (&[1.5, 2.5][..], &['a', 'b'][..]));
    /// ```
    #[doc(alias("slices", "items"))]
    #[inline]
    #[must_use]
    pub fn columns(&self) -> view::Columns<'_, T> {
        self.store.columns()
    }

    /// Returns each column as a mutable slice, all at once. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::DenseSoaArena as Arena;
    /// let mut arena = Arena::from_iter([(1.0_f32, 0.5_f32), (2.0, 0.25)]);
    /// let (places, speeds) = arena.columns_mut();
    /// places.iter_mut().zip(speeds).for_each(|(place, speed)| *place += *speed);
    /// assert_eq!(arena.columns().0, [1.5, 2.25]);
    /// ```
    #[inline]
    #[must_use]
    pub fn columns_mut(&mut self) -> view::ColumnsMut<'_, T> {
        self.store.columns_mut()
    }
}

/// Blocks of lanes, for types with `#[soa(lanes = …)]`.
impl<const L: usize, T: Soa<Arrangement = Lanes<L>>, K: Key> DenseSoaArena<T, K> {
    /// Iterates over groups of `L` values, each field an array of lanes, with the lanes that
    /// have values. Groups without a value are skipped. Lanes without a value hold what
    /// [`Fill`](crate::soa::Fill) says. O(groups).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use larder::Soa;
    /// # use larder::DenseSoaArena as Arena;
    ///
    /// #[derive(Soa)]
    /// #[soa(lanes = 4)]
    /// struct Body { place: f32, speed: f32 }
    ///
    /// let mut bodies = Arena::new();
    /// bodies.insert(Body { place: 1.0, speed: 0.5 });
    /// let (live, lanes) = bodies.blocks().next().unwrap();
    /// assert_eq!((live.bits(), lanes.place), (0b1, &[1.0, 0.0, 0.0, 0.0]));
    /// # }
    /// ```
    #[inline]
    pub fn blocks(&self) -> Blocks<'_, T, L> {
        self.store.blocks()
    }

    /// Iterates over groups of `L` values, each field a mutable array of lanes, with the lanes
    /// that have values. What is written to the other lanes is lost. O(groups).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use larder::Soa;
    /// # use larder::DenseSoaArena as Arena;
    ///
    /// #[derive(Soa)]
    /// #[soa(lanes = 8)]
    /// struct Body { place: f32, speed: f32 }
    ///
    /// let mut bodies = Arena::new();
    /// let body = bodies.insert(Body { place: 1.0, speed: 0.5 });
    /// for (_, lanes) in bodies.blocks_mut() {
    ///     for (place, speed) in lanes.place.iter_mut().zip(lanes.speed) {
    ///         *place += *speed;
    ///     }
    /// }
    /// assert_eq!(bodies.at(body).place, &1.5);
    /// # }
    /// ```
    #[inline]
    pub fn blocks_mut(&mut self) -> BlocksMut<'_, T, L> {
        self.store.blocks_mut()
    }
}

impl<T: Soa, K: Key> fmt::Debug for DenseSoaArena<T, K>
where
    for<'r> view::Ref<'r, T>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T: Soa, K: Key> fmt::Debug for IterMut<'_, T, K, InColumns<T>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("remaining", &self.len()).finish_non_exhaustive()
    }
}

impl<T: Soa, K: Key> fmt::Debug for Iter<'_, T, K, InColumns<T>>
where
    for<'r> view::Ref<'r, T>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

/// Two containers are equal if the same keys have equal values.
impl<T: Soa, K: Key> PartialEq for DenseSoaArena<T, K>
where
    for<'r> view::Ref<'r, T>: PartialEq,
{
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<T: Soa, K: Key> Eq for DenseSoaArena<T, K> where for<'r> view::Ref<'r, T>: Eq {}

/// A clone has the same values under the same keys, and issues the same keys from then on. It grows, is fixed or is
/// reserved as the original; the clone of an arena in the caller's block is a fixed one in allocated memory.
#[cfg(feature = "alloc")]
impl<T: Soa<Shape: CloneShape>, K: Key> Clone for DenseSoaArena<T, K> {
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn clone(&self) -> Self {
        Self { store: Self::granted(self.store.try_clone()) }
    }
}

impl<'a, T: Soa, K: Key> IntoIterator for &'a DenseSoaArena<T, K> {
    type Item = (K, view::Ref<'a, T>);
    type IntoIter = Iter<'a, T, K, InColumns<T>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Soa, K: Key> IntoIterator for &'a mut DenseSoaArena<T, K> {
    type Item = (K, view::RefMut<'a, T>);
    type IntoIter = IterMut<'a, T, K, InColumns<T>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(feature = "rayon")]
impl<B: Borrowed, K: Key, A: At<B::Value>> Divide for ColumnLending<'_, B, K, A> {
    fn divide(self) -> (Self, Option<Self>) {
        Self::divide(self)
    }
}

//! Values whose fields lie in columns: they are lent as a reference to each field.

use core::fmt;
use core::mem::MaybeUninit;

use super::{Blocks, BlocksMut, ByField, ColumnWalk, Groups, GroupsMut, Runs, RunsMut, SoaArena};
use crate::containers::builder::{Contiguous, Options};
use crate::containers::pairs::Values;
use crate::containers::slots::making::{MadeLayout, made_in_blocks};
use crate::containers::slots::{ExtractIf, Iter, IterMut};
use crate::error::{GetDisjointMutError, TryReserveError};
use crate::explain::Grants;
use crate::key::Key;
use crate::raw::book::Book;
use crate::raw::slots;
use crate::raw::store::Store;
#[cfg(feature = "alloc")]
use crate::soa::raw::shape::CloneShape;
use crate::soa::{Fill, Lanes, Soa, Split, view};

impl<T: Soa + Fill, K: Key> MadeLayout<T, K> for ByField<T, K> {
    #[track_caller]
    fn made(options: Options) -> Result<Store<T, K, Self>, TryReserveError> {
        made_in_blocks(options)
    }
}

impl<T: Soa + Fill, K: Key> Contiguous for SoaArena<T, K> {}

/// Constructors that determine where the values are, for the default key.
impl<T: Soa + Fill> SoaArena<T> {
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
    /// # use larder::SoaArena as Arena;
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
    /// # use larder::SoaArena as Arena;
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
    /// # use larder::SoaArena as Arena;
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
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Returns how many bytes a block must have for `count` values, at least one, to fit at any
    /// address; `usize::MAX` if no block is so large. O(1).
    ///
    /// An order of reuse other than [`Packed`](crate::Reuse::Packed) needs 4 bytes a value more,
    /// rounded up to 64 values.
    ///
    /// # Examples
    /// ```
    /// const BYTES: usize = larder::SoaArena::<u64>::bytes_for(100);
    /// assert!(BYTES >= 800);
    /// ```
    #[must_use]
    pub const fn bytes_for(count: usize) -> usize {
        slots::bytes_for(<Store<T, K, ByField<T, K>> as slots::InMemory<K>>::BLOCKS, count)
    }
}

/// Access by key.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Returns the value of a key; `None` if the key is stale, foreign or dangling.
    /// O(1); [the table](crate::containers::Slots#costs) says what a lookup reads.
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
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
    /// # use larder::SoaArena as Arena;
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
    /// # use larder::SoaArena as Arena;
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
}

/// Access by a key that must be live: what `arena[key]` is to rows.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Returns a reference to each field of a key's value. O(1).
    ///
    /// # Panics
    /// If the key has no value; the message says what its slot holds now.
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
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
    /// # use larder::SoaArena as Arena;
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
    /// # use larder::SoaArena as Arena;
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

/// Iterating, always in slot order.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Iterates over keys and values, in slot order. O(live + slots / 64) for all. Inner iteration (`for_each`,
    /// `fold`, `sum`) is faster than a `for` loop.
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
    /// let mut arena = Arena::new();
    /// let (a, b) = (arena.insert(1_u32), arena.insert(2_u32));
    /// assert!(arena.iter().eq([(a, &1), (b, &2)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, K, ColumnWalk<T, K>> {
        self.store.iter()
    }

    /// Iterates over keys and mutable values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// for (key, value) in arena.iter_mut() {
    ///     *value += key.slot();
    /// }
    /// assert!(arena.values().eq(&[1, 3]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, K, ColumnWalk<T, K>> {
        self.store.iter_mut()
    }

    /// Iterates over values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
    /// let arena = Arena::from_iter([1_u32, 2, 3]);
    /// assert_eq!(arena.values().sum::<u32>(), 6);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<Iter<'_, T, K, ColumnWalk<T, K>>> {
        Values::of(self.iter())
    }

    /// Iterates over mutable values. O(live + slots / 64) for all.
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
    /// let mut arena = Arena::from_iter([1_u32, 2]);
    /// arena.values_mut().for_each(|value| *value *= 10);
    /// assert!(arena.values().eq(&[10, 20]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> Values<IterMut<'_, T, K, ColumnWalk<T, K>>> {
        Values::of(self.iter_mut())
    }
}

/// Removing what a closure chooses.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Removes the values for which `keep` returns `false`, in slot order.
    /// If `keep` or a destructor panics, the values visited before are removed or kept as
    /// decided, and the others are kept. O(live + slots / 64).
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
    /// let mut arena = Arena::from_iter(0..100_u32);
    /// arena.retain(|_, number| *number % 2 == 0);
    /// assert_eq!(arena.len(), 50);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(K, view::RefMut<'_, T>) -> bool) {
        self.store.retain(|key, spot| keep(key, spot.into_mut()));
    }

    /// Removes the values for which `choose` returns `true`, and yields them. Unvisited values
    /// remain. O(1) a visited value.
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
    /// let mut arena = Arena::from_iter(0..6_u32);
    /// let odd = arena.extract_if(|_, n| *n % 2 == 1).count();
    /// assert_eq!(odd, 3);
    /// assert_eq!(arena.len(), 3);
    /// ```
    #[doc(alias = "drain_filter")]
    pub fn extract_if<F: FnMut(K, view::RefMut<'_, T>) -> bool>(
        &mut self,
        choose: F,
    ) -> ExtractIf<'_, T, K, F, ByField<T, K>> {
        self.store.extract_if(choose)
    }
}

/// Compacting.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
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
    /// # use larder::SoaArena as Arena;
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
    pub fn compact(&mut self, mut moved: impl FnMut(K, K, view::RefMut<'_, T>)) {
        let compacted = self.store.compact(|store, old, new| {
            if let Some(value) = store.get_mut(new) {
                moved(old, new, value);
            }
        });
        Self::granted(compacted);
    }
}

/// Whole columns, for types without lanes.
impl<T: Soa<Arrangement = Split> + Fill, K: Key> SoaArena<T, K> {
    /// Returns each column as a slice, in slot order: one element for each slot ever used. Holes hold what [`Fill`]
    /// says, or what was written to them since. O(1).
    ///
    /// # Examples
    /// ```
    /// # use larder::SoaArena as Arena;
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
    /// # use larder::SoaArena as Arena;
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

    /// Iterates over the columns of each run of live slots, as slices without holes, in slot order.
    /// O(runs + slots / 64).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(0..5_u32);
    /// arena.remove(arena.key_of_slot(2).unwrap());
    /// assert!(arena.runs().eq([&[0, 1][..], &[3, 4]]));
    /// ```
    #[inline]
    pub fn runs(&self) -> Runs<'_, T> {
        self.store.runs()
    }

    /// Iterates over the columns of each run of live slots, as mutable slices. O(runs + slots / 64).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(0..5_u32);
    /// arena.remove(arena.key_of_slot(2).unwrap());
    /// arena.runs_mut().for_each(|run| run.reverse());
    /// assert!(arena.values().eq(&[1, 0, 4, 3]));
    /// ```
    #[inline]
    pub fn runs_mut(&mut self) -> RunsMut<'_, T> {
        self.store.runs_mut()
    }

    /// Iterates over the columns of 64 slots each, and which of them are live; groups that are all holes are left
    /// out. The last group is shorter where there are no more slots. O(groups).
    ///
    /// Computing on whole groups, holes and all, is quick where most slots are live.
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(0..100_u32);
    /// arena.retain(|_, number| *number >= 70);
    /// let (live, numbers) = arena.groups().next().unwrap(); // that of slots 64 to 99
    /// assert_eq!((live.first(), live.count(), numbers.len()), (64, 30, 36));
    /// ```
    #[inline]
    pub fn groups(&self) -> Groups<'_, T> {
        self.store.groups()
    }

    /// Iterates over the columns of 64 slots each, mutable, and which of them are live; groups that are all
    /// holes are left out. O(groups).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter([1.0_f32, 2.0]);
    /// for (_, numbers) in arena.groups_mut() {
    ///     numbers.iter_mut().for_each(|number| *number *= 10.0);
    /// }
    /// assert_eq!(arena.columns(), [10.0, 20.0]);
    /// ```
    #[inline]
    pub fn groups_mut(&mut self) -> GroupsMut<'_, T> {
        self.store.groups_mut()
    }
}

/// Blocks of lanes, for types with `#[soa(lanes = …)]`.
impl<const L: usize, T: Soa<Arrangement = Lanes<L>> + Fill, K: Key> SoaArena<T, K> {
    /// Iterates over groups of `L` values, each field an array of lanes, with the lanes that
    /// have values. Groups without a value are skipped. Lanes without a value hold what
    /// [`Fill`] says. O(groups).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use larder::Soa;
    /// # use larder::SoaArena as Arena;
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
        Blocks::of(self.store.groups())
    }

    /// Iterates over groups of `L` values, each field a mutable array of lanes, with the lanes
    /// that have values. What is written to the other lanes is lost. O(groups).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use larder::Soa;
    /// # use larder::SoaArena as Arena;
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
        BlocksMut::of(self.store.groups_mut())
    }
}

/// The live slots as bits.
impl<T: Soa + Fill, K: Key> SoaArena<T, K> {
    /// Returns which of the 64 slots from `group * 64` on are live, the lowest bit first; 0 past the last.
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// let mut arena = larder::SoaArena::from_iter(['a', 'b', 'c']);
    /// arena.remove(arena.key_of_slot(1).unwrap());
    /// assert_eq!(arena.live_mask(0), 0b101);
    /// assert_eq!(arena.live_mask(1), 0);
    /// ```
    #[inline]
    #[must_use]
    pub fn live_mask(&self, group: usize) -> u64 {
        self.store.book().live_word(group)
    }
}

impl<T: Soa + Fill, K: Key> fmt::Debug for SoaArena<T, K>
where
    for<'r> view::Ref<'r, T>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T: Soa + Fill, K: Key> fmt::Debug for Iter<'_, T, K, ColumnWalk<T, K>>
where
    for<'r> view::Ref<'r, T>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

/// Two containers are equal if the same keys have equal values.
impl<T: Soa + Fill, K: Key> PartialEq for SoaArena<T, K>
where
    for<'r> view::Ref<'r, T>: PartialEq,
{
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Soa + Fill, K: Key> Eq for SoaArena<T, K> where for<'r> view::Ref<'r, T>: Eq {}

/// A clone has the same values under the same keys, and issues the same keys from then on. It grows, is fixed or is
/// reserved as the original; the clone of an arena in the caller's block is a fixed one in allocated memory.
#[cfg(feature = "alloc")]
impl<T: Soa<Shape: CloneShape> + Fill, K: Key> Clone for SoaArena<T, K> {
    /// # Panics
    /// If allocation fails.
    #[track_caller]
    fn clone(&self) -> Self {
        Self { store: Self::granted(self.store.try_clone()) }
    }
}

impl<'a, T: Soa + Fill, K: Key> IntoIterator for &'a SoaArena<T, K> {
    type Item = (K, view::Ref<'a, T>);
    type IntoIter = Iter<'a, T, K, ColumnWalk<T, K>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Soa + Fill, K: Key> IntoIterator for &'a mut SoaArena<T, K> {
    type Item = (K, view::RefMut<'a, T>);
    type IntoIter = IterMut<'a, T, K, ColumnWalk<T, K>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

//! Side data whose changes are recorded, and side data of the objects of a table. A map has no slots of its own, and no
//! order of free ones: it takes part with all that keys can name, most of which have no value.

use alloc::vec::Vec;
use core::mem;

use super::member::Internal;
use super::observer::{Blind, Change, Edit, Objects, Observer};
use super::recorded::Recorded;
use super::table::Table;
#[cfg(feature = "hashbrown")]
use super::trackable::placed;
use super::trackable::{Revert, Track};
use crate::SecondaryMap;
use crate::error::{Refusal, SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError};
use crate::key::Key;
use crate::key::generation::{Generation, Mark};
use crate::maps::SideMap;
#[cfg(feature = "hashbrown")]
use crate::maps::SparseSecondaryMap;
#[cfg(feature = "snapshot")]
use crate::maps::layout::Array;
use crate::maps::layout::SideLayout;
use crate::memory::bits::WORD;
#[cfg(feature = "snapshot")]
use crate::parts::TooSparse;
use crate::raw::rewind::{Batch, LeftOver, Order, Record, Saved};
#[cfg(feature = "hashbrown")]
use crate::raw::rewind::{Ordered, Placed};
use crate::raw::slots::{GenerationOf, MarkOf};
use crate::room;

/// Returns the state of a slot: the generation of the key whose value is there.
fn state<K: Key>(key: Option<K>) -> Saved<GenerationOf<K>, ()> {
    key.map_or(Saved::Free(Generation::RETIRED), |key| Saved::Live(key.generation(), ()))
}

/// The order of all slots that keys can name.
fn order<K: Key>(free: Vec<u32>) -> Order<K> {
    Order { slots: K::MAX_SLOTS, cursor: 0, free, mark: MarkOf::<K>::START }
}

impl<K: Key, T> Track for SecondaryMap<K, T> {
    type Value = T;
    type RefMut<'a>
        = &'a mut T
    where
        Self: 'a;
    type Kept = T;

    const ISSUES: bool = false;

    fn slot_capacity(&self) -> usize {
        self.capacity()
    }

    #[cfg(feature = "snapshot")]
    fn is_far(&self, slot: u32, added: usize) -> bool {
        let row = <Array<K, T> as SideLayout<K, T>>::SLOT_BYTES;
        let row = row.filter(|_| slot as usize >= self.capacity());
        row.is_some_and(|row| TooSparse::check(slot, row, self.len() + added).is_err())
    }

    fn live_words(&self) -> impl Iterator<Item = (usize, u64)> {
        (0..self.capacity().div_ceil(WORD)).map(|word| (word, self.map.live_bits(word)))
    }

    fn places(&self) -> usize {
        self.capacity()
    }

    #[inline]
    fn key_at(&self, slot: usize) -> Option<K> {
        u32::try_from(slot).ok().and_then(|slot| self.key_of_slot(slot))
    }

    type Spare = ();

    fn spare(&mut self) {}

    fn take(&mut self, key: K, (): ()) -> Option<T> {
        self.remove(key)
    }

    fn remove_value(&mut self, key: K) -> Option<T> {
        self.remove(key)
    }

    fn exchange_value(&mut self, key: K, value: &mut Option<T>) {
        if let (Some(place), Some(value)) = (self.get_mut(key), value) {
            mem::swap(place, value);
        }
    }

    fn lend_all_mut(&mut self) -> impl Iterator<Item = (K, &mut T)> {
        self.iter_mut()
    }

    fn state(&self, slot: usize) -> Saved<GenerationOf<K>, ()> {
        state(self.key_at(slot))
    }

    fn order(&self, free: Vec<u32>) -> Result<Order<K>, TryReserveError> {
        Ok(order(free))
    }

    fn exchange(
        &mut self,
        records: &mut Batch<'_, Record<K, T>>,
        _order: Option<&Order<K>>,
        _: &mut LeftOver<Self::Spare>,
        _: Internal,
    ) -> Result<bool, TryReserveError> {
        let live = records.iter().filter(|record| matches!(record.saved, Saved::Live(..)));
        let needed = live.map(|record| record.slot as usize + 1).max().unwrap_or(0);
        if needed > self.capacity() {
            self.try_set_capacity(needed.max(2 * self.capacity().min(K::MAX_SLOTS as usize / 2)))?;
        }
        for Record { slot, saved } in records.iter_mut() {
            let key = self.key_of_slot(*slot);
            let was = key.and_then(|key| Some(Saved::Live(key.generation(), self.remove(key)?)));
            let was = was.unwrap_or(Saved::Free(Generation::RETIRED));
            if let Saved::Live(generation, value) = mem::replace(saved, was) {
                let put = self.try_insert(K::compose(*slot, generation), value);
                debug_assert!(put.is_ok(), "slot {slot} has room, and no value");
            }
        }
        Ok(true)
    }

    type Source = T;

    #[inline]
    fn source(&self, key: K) -> Option<&T> {
        self.get(key)
    }

    #[inline]
    fn lend_kept(&mut self, key: K, keep: impl FnOnce(&T)) -> Option<&mut T> {
        self.get_mut(key).inspect(|value| keep(value))
    }
}

impl<K: Key, T: Clone> Revert for SecondaryMap<K, T> {
    #[inline]
    fn keep_of(_key: K, value: &T) -> Option<T> {
        Some(value.clone())
    }
}

/// A walk is in the order of the entries, which decides on what a simulation does: so they return to their places.
#[cfg(feature = "hashbrown")]
impl<K: Key, T> Track for SparseSecondaryMap<K, T> {
    type Value = T;
    type RefMut<'a>
        = &'a mut T
    where
        Self: 'a;
    type Kept = Placed<T>;

    const ISSUES: bool = false;

    fn slot_bound(&self) -> usize {
        self.keys().map(|key| key.slot() as usize + 1).max().unwrap_or(0)
    }

    fn live_words(&self) -> impl Iterator<Item = (usize, u64)> {
        self.keys().map(|key| (key.slot() as usize / WORD, 1 << (key.slot() as usize % WORD)))
    }

    fn places(&self) -> usize {
        self.len()
    }

    fn key_in(&self, place: usize) -> Option<K> {
        self.map.key_in(place)
    }

    #[inline]
    fn key_at(&self, slot: usize) -> Option<K> {
        u32::try_from(slot).ok().and_then(|slot| self.key_of_slot(slot))
    }

    type Spare = ();

    fn spare(&mut self) {}

    fn take(&mut self, key: K, (): ()) -> Option<T> {
        self.remove(key)
    }

    fn remove_value(&mut self, key: K) -> Option<T> {
        self.remove(key)
    }

    fn exchange_value(&mut self, key: K, value: &mut Option<T>) {
        if let (Some(place), Some(value)) = (self.get_mut(key), value) {
            mem::swap(place, value);
        }
    }

    fn lend_all_mut(&mut self) -> impl Iterator<Item = (K, &mut T)> {
        self.iter_mut()
    }

    fn state(&self, slot: usize) -> Saved<GenerationOf<K>, ()> {
        state(self.key_at(slot))
    }

    fn order(&self, free: Vec<u32>) -> Result<Order<K>, TryReserveError> {
        Ok(order(free))
    }

    fn exchange(
        &mut self,
        records: &mut Batch<'_, Record<K, Placed<T>>>,
        _order: Option<&Order<K>>,
        _: &mut LeftOver<Self::Spare>,
        _: Internal,
    ) -> Result<bool, TryReserveError> {
        self.map.exchange(records).map(|()| true)
    }

    type Source = Self;

    #[inline]
    fn source(&self, key: K) -> Option<&Self> {
        self.contains_key(key).then_some(self)
    }

    #[inline]
    fn lend_kept(&mut self, key: K, keep: impl FnOnce(&Self)) -> Option<&mut T> {
        keep(self.source(key)?);
        self.get_mut(key)
    }

    const PLACED: bool = true;

    fn place_of(&self, slot: usize) -> usize {
        self.map.place_of(slot)
    }

    fn placed(&self, place: usize) -> Option<K> {
        self.map.key_in(place)
    }

    fn placed_count(&self) -> usize {
        self.len()
    }
}

#[cfg(feature = "hashbrown")]
impl<K: Key, T: Clone> Revert for SparseSecondaryMap<K, T> {
    fn keep_of(key: K, map: &Self) -> Option<Placed<T>> {
        placed(map, key, map.get(key).cloned())
    }
}

/// Side data.
impl<K: Key, T, L: SideLayout<K, T>> Table<SideMap<K, T, L>>
where
    SideMap<K, T, L>: Track<Key = K, Value = T>,
{
    /// Sets a key's value and returns the former one, as the map's own `insert`. O(1) amortised.
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, SecondaryMap, track::{Reversible, Tracked}};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let mut ages = Tracked::new(SecondaryMap::new());
    /// let wren = birds.insert("wren");
    /// ages.insert(wren, 2);
    /// let then = (birds.checkpoint(), ages.checkpoint());
    ///
    /// ages.insert(wren, 3);
    /// birds.remove(wren);
    /// birds.rollback(then.0)?;
    /// ages.rollback(then.1)?;
    /// assert_eq!((birds[wren], ages.get(wren)), ("wren", Some(&2)));
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[track_caller]
    pub fn insert(&mut self, key: K, value: T) -> Option<T> {
        match self.try_insert(key, value) {
            Ok(before) => before,
            Err(SecondaryInsertError { reason, .. }) => match reason {
                SecondaryInsertErrorKind::Memory(reason) => room::refused::<L::Shown>(&reason),
                _ => None,
            },
        }
    }

    /// Like [`insert`](Self::insert), but returns the value in the error. O(1) amortised.
    ///
    /// # Errors
    /// If the key is stale or dangling, or allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Key, maps::SparseSecondaryMap, track::Tracked};
    ///
    /// let mut ages = Tracked::new(SparseSecondaryMap::<Handle<u8>, i32>::new());
    /// assert_eq!(ages.try_insert(Handle::DANGLING, 2).unwrap_err().value, 2);
    /// ```
    pub fn try_insert(
        &mut self,
        key: K,
        value: T,
    ) -> Result<Option<T>, SecondaryInsertError<K, T>> {
        if let Err(reason) = self.objects.prepare_put(key) {
            return Err(SecondaryInsertError { key, value, reason });
        }
        self.objects.container.try_insert(key, value)
    }
}

impl<C: Track> Recorded<C> {
    /// Records that a key is about to have a value, if it can.
    fn prepare_put(&mut self, key: C::Key) -> Result<(), SecondaryInsertErrorKind<C::Key>> {
        let slot = key.slot() as usize;
        let tenant = self.container.key_at(slot);
        if tenant != Some(key) {
            SecondaryInsertErrorKind::of(key, tenant).map_or(Ok(()), Err)?;
        }
        self.subscribers.cover_slot(slot).map_err(SecondaryInsertErrorKind::Memory)?;
        if tenant == Some(key) {
            self.touch(slot);
        } else {
            self.touch_moved(slot, tenant);
        }
        Ok(())
    }
}

/// Side data leaves with its object.
impl<C: Track, V, L: SideLayout<C::Key, V>> Observer<C> for SideMap<C::Key, V, L> {
    #[inline]
    fn ignores(&self, change: Change) -> bool {
        matches!(change, Change::Insertion)
    }

    #[inline]
    fn remove(&mut self, _: &mut Objects<'_, C>, _: C::Key) {}

    #[inline]
    fn settle(&mut self, gone: Option<C::Key>) {
        drop(gone.and_then(|key| self.remove(key)));
    }

    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        self.retain(|key, _| objects.source(key).is_some());
        Ok(())
    }
}

/// Side data whose changes are recorded.
impl<C: Track, V, L: SideLayout<C::Key, V>> Observer<C> for Table<SideMap<C::Key, V, L>>
where
    SideMap<C::Key, V, L>: Track<Key = C::Key, Value = V>,
{
    #[inline]
    fn ignores(&self, change: Change) -> bool {
        matches!(change, Change::Insertion)
    }

    /// Records what it has of the object, if a checkpoint asks for it.
    fn prepare_remove(&mut self, _: &mut Objects<'_, C>, key: C::Key) {
        if self.objects.container.source(key).is_some() {
            self.objects.prepare_take(key);
        }
    }

    #[inline]
    fn remove(&mut self, _: &mut Objects<'_, C>, _: C::Key) {}

    #[inline]
    fn settle(&mut self, gone: Option<C::Key>) {
        drop(gone.and_then(|key| self.remove(key)));
    }

    fn rebuild(&mut self, objects: &mut Objects<'_, C>) -> Result<(), Refusal<C::Key>> {
        self.retain(|_, key| objects.source(key).is_some());
        Ok(())
    }
}

impl<C: Track, V, L: SideLayout<C::Key, V>> Blind<C> for SideMap<C::Key, V, L> {}

impl<C: Track, V, L: SideLayout<C::Key, V>> Blind<C> for Table<SideMap<C::Key, V, L>> where
    SideMap<C::Key, V, L>: Track<Key = C::Key, Value = V>
{
}

impl<K: Key, V, L> Edit for SideMap<K, V, L> {
    type Edited<'a>
        = &'a mut Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> &mut Self {
        self
    }
}

impl<K: Key, V, L> Edit for Table<SideMap<K, V, L>>
where
    SideMap<K, V, L>: Track,
{
    type Edited<'a>
        = &'a mut Self
    where
        Self: 'a;

    #[inline]
    fn edited(&mut self) -> &mut Self {
        self
    }
}

//! Side data whose changes are recorded. A map has no slots of its own, and no order of free ones: it takes part with
//! all that keys can name, most of which have no value.

use alloc::vec::Vec;
use core::mem;

use super::trackable::{Revert, Track};
use super::tracked::Tracked;
use crate::SecondaryMap;
use crate::error::{SecondaryInsertError, SecondaryInsertErrorKind, TryReserveError};
use crate::explain;
use crate::key::Key;
use crate::raw::generation::{Generation, Mark};
use crate::raw::keyed::refusal;
use crate::raw::rewind::{Order, Record, Saved};
use crate::raw::slots::{GenerationOf, MarkOf};
#[cfg(feature = "trees")]
use crate::trees::{LinkStore, LinkStoreMut};

impl<K: Key, V> Track for SecondaryMap<K, V> {
    type Key = K;
    type Value = V;
    type RefMut<'a>
        = &'a mut V
    where
        Self: 'a;
    type Kept = V;
    type Source = V;

    const ISSUES: bool = false;

    fn slots(&self) -> usize {
        self.capacity()
    }

    fn slot_capacity(&self) -> usize {
        self.capacity()
    }

    #[inline]
    fn live_bits(&self, word: usize) -> u64 {
        self.map.live_bits(word)
    }

    #[inline]
    fn key_at(&self, slot: usize) -> Option<K> {
        u32::try_from(slot).ok().and_then(|slot| self.map.key_at(slot))
    }

    fn take(&mut self, key: K) -> Option<V> {
        self.remove(key)
    }

    #[inline]
    fn source(&self, key: K) -> Option<&V> {
        self.get(key)
    }

    #[inline]
    fn lend_kept(&mut self, key: K, keep: impl FnOnce(&V)) -> Option<&mut V> {
        let value = self.get_mut(key)?;
        keep(value);
        Some(value)
    }

    fn lend_all_mut(&mut self) -> impl Iterator<Item = (K, &mut V)> {
        self.iter_mut()
    }

    fn state(&self, slot: usize) -> Saved<GenerationOf<K>, ()> {
        let key = self.key_at(slot);
        key.map_or(Saved::Free(Generation::RETIRED), |key| Saved::Live(key.generation(), ()))
    }

    fn order(&self) -> Result<Order<K>, TryReserveError> {
        let mark = MarkOf::<K>::START;
        Ok(Order { slots: K::MAX_SLOTS, cursor: 0, free: Vec::new(), mark })
    }

    fn exchange(
        &mut self,
        records: &mut Vec<Record<K, V>>,
        order: Option<&Order<K>>,
    ) -> Result<bool, TryReserveError> {
        let live = records.iter().filter(|record| matches!(record.saved, Saved::Live(..)));
        let needed = live.map(|record| record.slot as usize + 1).max().unwrap_or(0);
        if needed > self.capacity() {
            self.try_set_capacity(needed.max(2 * self.capacity().min(K::MAX_SLOTS as usize / 2)))?;
        }
        for Record { slot, saved } in records {
            let key = self.map.key_at(*slot);
            let was = key.and_then(|key| Some(Saved::Live(key.generation(), self.remove(key)?)));
            let was = was.unwrap_or(Saved::Free(Generation::RETIRED));
            if let Saved::Live(generation, value) = mem::replace(saved, was) {
                let put = self.try_insert(K::compose(*slot, generation), value);
                debug_assert!(put.is_ok(), "slot {slot} has room, and no value");
            }
        }
        Ok(order.is_none_or(|order| order.free.is_empty() && order.slots == K::MAX_SLOTS))
    }

    #[cfg(feature = "snapshot")]
    fn write_over(&mut self, key: K, value: V) {
        if let Some(place) = self.get_mut(key) {
            *place = value;
        }
    }

    #[cfg(feature = "snapshot")]
    fn keep(value: V, _at: u32) -> V {
        value
    }

    #[cfg(feature = "snapshot")]
    fn kept(kept: &V) -> (&V, u32) {
        (kept, 0)
    }
}

impl<K: Key, V: Clone> Revert for SecondaryMap<K, V> {
    #[inline]
    fn keep_of(_key: K, value: &V) -> Option<V> {
        Some(value.clone())
    }
}

/// Side data.
impl<K: Key, V> Tracked<SecondaryMap<K, V>> {
    /// Sets a key's value and returns the former one, as the map's own [`insert`](SecondaryMap::insert). O(1) amortised.
    ///
    /// # Panics
    /// If memory is refused.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, SecondaryMap, track::Tracked};
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
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.try_insert(key, value) {
            Ok(before) => before,
            Err(SecondaryInsertError { reason, .. }) => match reason {
                SecondaryInsertErrorKind::NoMemory(reason) => explain::refused::<Self>(&reason),
                _ => None,
            },
        }
    }

    /// As [`insert`](Self::insert), but returns the value in the error. O(1) amortised.
    ///
    /// # Errors
    /// If the key is stale or dangling, or memory is refused. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Key, SecondaryMap, track::Tracked};
    ///
    /// let mut ages = Tracked::new(SecondaryMap::<Handle<u8>, i32>::new());
    /// assert_eq!(ages.try_insert(Handle::DANGLING, 2).unwrap_err().value, 2);
    /// ```
    pub fn try_insert(
        &mut self,
        key: K,
        value: V,
    ) -> Result<Option<V>, SecondaryInsertError<K, V>> {
        let slot = key.slot() as usize;
        let tenant = self.container.key_at(slot);
        let refused = match tenant {
            Some(tenant) if tenant == key => None,
            tenant => refusal(key, tenant),
        };
        let refused = refused.or_else(|| {
            let covered = self.subscribers.cover_slot(slot);
            covered.err().map(SecondaryInsertErrorKind::NoMemory)
        });
        if let Some(reason) = refused {
            return Err(SecondaryInsertError { key, value, reason });
        }
        if tenant == Some(key) {
            self.touch(slot);
        } else {
            self.touch_moved(slot, tenant);
        }
        self.container.try_insert(key, value)
    }
}

/// Links beside a container that take part in rollback and undo: the methods of
/// [`Links`](crate::trees::Links) and [`IntrusiveList`](crate::trees::IntrusiveList) take such a map.
#[cfg(feature = "trees")]
impl<K: Key, V: AsRef<L>, L> LinkStore<L> for Tracked<SecondaryMap<K, V>> {
    type Key = K;

    #[inline]
    fn links(&self, key: K) -> Option<&L> {
        self.container.get(key).map(AsRef::as_ref)
    }
}

#[cfg(feature = "trees")]
impl<K: Key, V: AsRef<L> + AsMut<L>, L> LinkStoreMut<L> for Tracked<SecondaryMap<K, V>> {
    #[inline]
    fn links_mut(&mut self, key: K) -> Option<&mut L> {
        self.get_mut(key).map(AsMut::as_mut)
    }
}

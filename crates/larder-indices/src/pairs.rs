//! Entries with one key each, found by hash.

use core::slice;

use hashbrown::hash_table;

use crate::hashing::{self, Entries, Entry, NoRoom, Number, Removed, Table};
use larder_core::TryReserveError;
use larder_core::containers::MemoryUsage;
use larder_core::key::Key;

// (By slot is what is kept of the property's hash.)

/// Properties with one key each, as those of a [`UniqueIndex`](crate::UniqueIndex).
///
/// # Examples
/// ```
/// use larder::{Handle, indices::{KeyIndex, UniqueIndex, layout::{ByHash, Pairs}}};
/// use std::hash::RandomState;
///
/// type Rings = ByHash<u32, Handle<&'static str>, RandomState, Pairs<u32, Handle<&'static str>>>;
///
/// let by_ring: KeyIndex<Rings> = UniqueIndex::with_hasher(RandomState::new());
/// assert!(by_ring.is_empty());
/// ```
#[expect(missing_debug_implementations, reason = "an index has it")]
pub struct Pairs<Q, K>(Table<(Q, K)>);

impl<Q, K> Entry<Q, K> for (Q, K) {
    #[inline]
    fn get(&self) -> (&Q, &[K]) {
        (&self.0, slice::from_ref(&self.1))
    }
}

impl<Q, K: Key> Entries<Q, K> for Pairs<Q, K> {
    type Entry = (Q, K);
    type Place = u32;
    type Shown<S> = hashing::UniqueIndex<Q, K, S>;

    const ONE_EACH: bool = true;

    const NEW: Self = Self(Table::new());

    #[inline]
    fn table(&self) -> &Table<(Q, K)> {
        &self.0
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.0.has_room()
    }

    #[inline]
    fn add(
        &mut self,
        hash: u64,
        property: Q,
        key: K,
        place: &mut u32,
    ) -> Result<Option<Q>, NoRoom<K>>
    where
        Q: Eq,
    {
        let position = self.0.position_of(hash);
        let is_it = |other: &(Q, K)| other.0 == property;
        match self.0.entry(position, is_it, |_| unreachable!("there is room")) {
            hash_table::Entry::Occupied(entry) => Err(NoRoom::Unique(entry.get().1)),
            hash_table::Entry::Vacant(entry) => {
                *place = hashing::kept(hash);
                entry.insert((property, key));
                Ok(None)
            }
        }
    }

    #[inline(always)]
    fn make_room(
        &mut self,
        entry: Option<Number>,
        kept: impl Fn(K) -> u32,
    ) -> Result<(), NoRoom<K>> {
        match entry.and_then(|entry| self.0.get_bucket(entry)) {
            Some(&(_, holder)) => Err(NoRoom::Unique(holder)),
            None => Ok(self.0.make_room(1, move |&(_, key)| kept(key))?),
        }
    }

    #[inline(always)]
    fn begin(&mut self, kept: u32, property: Q, key: K) -> u32 {
        self.0.insert(kept, (property, key));
        kept
    }

    fn push(&mut self, _: Number, _: K) -> u32 {
        unreachable!("there is no room")
    }

    #[inline(always)]
    fn set(&mut self, entry: Number, _: u32, key: K) {
        if let Some(entry) = self.0.get_bucket_mut(entry) {
            entry.1 = key;
        }
    }

    #[inline(always)]
    fn remove(&mut self, entry: Number, _: u32) -> Removed<Q, K> {
        let Ok(entry) = self.0.get_bucket_entry(entry) else { unreachable!("it was found") };
        let ((property, _), _) = entry.remove();
        Removed::Entry(property)
    }

    #[inline]
    fn remove_at(
        &mut self,
        kept: u32,
        _: u32,
        is_it: impl Fn(&(Q, K)) -> bool,
    ) -> Option<Removed<Q, K>> {
        let position = self.0.position_of_kept(kept);
        let entry = self.0.find_entry(position, is_it).ok()?;
        Some(Removed::Entry(entry.remove().0.0))
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn try_reserve(&mut self, keys: usize, kept: impl Fn(K) -> u32) -> Result<(), TryReserveError> {
        self.0.try_reserve(keys, |&(_, key)| kept(key))
    }

    fn shrink_to_fit(&mut self, kept: impl Fn(K) -> u32) {
        self.0.shrink_to_fit(|&(_, key)| kept(key));
    }

    fn expect(&mut self, keys: usize, kept: impl Fn(K) -> u32) -> Result<(), TryReserveError> {
        self.0.make_room(keys, |&(_, key)| kept(key))
    }

    fn try_clone(&self, kept: impl Fn(K) -> u32) -> Result<Self, TryReserveError>
    where
        Q: Clone,
    {
        let mut copy = Table::new();
        copy.make_room(self.0.len(), |_| unreachable!("it is empty"))?;
        for (property, key) in self.0.iter() {
            copy.insert(kept(*key), (property.clone(), *key));
        }
        Ok(Self(copy))
    }

    fn memory_usage(&self) -> MemoryUsage {
        let values = self.0.len() * size_of::<K>();
        MemoryUsage::new(values, 0, 0, self.0.allocation_size() - values)
    }
}

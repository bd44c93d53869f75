//! A hash table of properties and a value for each, in which each entry stores its hash.
//!
//! User code (`Hash` and `Eq`) runs only in [`hash`](Table::hash) and [`find`](Table::find), which change nothing.
//! Everything else finds entries by hash and value.

use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};

use hashbrown::HashTable;

use crate::error::TryReserveError;
use crate::hashing::{hash_of, no_room, wide};

#[derive(Clone, Debug)]
struct Entry<Q, V> {
    property: Q,
    value: V,
    hash: u32,
}

/// Values by property. No two entries have the same value.
#[derive(Clone, Debug)]
pub(crate) struct Table<Q, V, S> {
    entries: HashTable<Entry<Q, V>>,
    hasher: S,
}

impl<Q, V, S: BuildHasher> Table<Q, V, S> {
    pub(crate) fn hash<B: Hash + ?Sized>(&self, property: &B) -> u32
    where
        Q: Borrow<B>,
    {
        hash_of(&self.hasher, property)
    }
}

impl<Q, V: Copy + Eq, S> Table<Q, V, S> {
    pub(crate) const fn new(hasher: S) -> Self {
        Self { entries: HashTable::new(), hasher }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn find<B: Eq + ?Sized>(&self, hash: u32, property: &B) -> Option<V>
    where
        Q: Borrow<B>,
    {
        let same = |entry: &Entry<Q, V>| entry.hash == hash && entry.property.borrow() == property;
        self.entries.find(wide(hash), same).map(|entry| entry.value)
    }

    /// The property of a value, without user code.
    pub(crate) fn property(&self, hash: u32, value: V) -> Option<&Q> {
        let entry = self.entries.find(wide(hash), |entry| entry.value == value)?;
        Some(&entry.property)
    }

    /// Makes room for this many more entries. On an error nothing has changed.
    pub(crate) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let requested = self.len().saturating_add(additional);
        let reserved = self.entries.try_reserve(additional, |entry| wide(entry.hash));
        reserved.map_err(|refused| no_room(refused, requested, isize::MAX as usize))
    }

    /// Inserts an entry for which there is room.
    pub(crate) fn insert(&mut self, hash: u32, property: Q, value: V) {
        let entry = Entry { property, value, hash };
        self.entries.insert_unique(wide(hash), entry, |entry| wide(entry.hash));
    }

    /// Removes the entry of a value, without user code: the caller drops the property.
    pub(crate) fn take(&mut self, hash: u32, value: V) -> Option<Q> {
        let found = self.entries.find_entry(wide(hash), |entry| entry.value == value);
        Some(found.ok()?.remove().0.property)
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(V) -> bool) {
        self.entries.retain(|entry| keep(entry.value));
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, V)> + Clone {
        self.entries.iter().map(|entry| (&entry.property, entry.value))
    }

    /// Its memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.allocation_size()
    }

    /// Whether the value is found by this hash.
    pub(crate) fn has(&self, hash: u32, value: V) -> bool {
        self.property(hash, value).is_some()
    }
}

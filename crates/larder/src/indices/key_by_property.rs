//! Properties with one key each.
//!
//! ```text
//! table     property, hash, key │ …     found by hash
//! hashes    hash │ hash │ …             by slot: of the key's entry
//! ```
//! **Invariant.** The keys of the table and those that have a hash are the same, and the hash is that of the entry.
//! Changes have the phases of [`TwoPhase`](super::two_phase::TwoPhase).

use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};

use super::error::IndexError;
use super::property_table::Table;
use crate::containers::container::Container;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::maps::secondary::SecondaryMap;
use crate::stats::MemoryUsage;

#[derive(Clone, Debug)]
pub(crate) struct KeyByProperty<Q, K: Key, S> {
    table: Table<Q, K, S>,
    hashes: SecondaryMap<K, u32>,
}

/// A key for which there is room. Valid until anything else is changed.
#[must_use = "nothing is filed yet"]
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of the seal on `IndexBy`")]
pub struct Ticket<Q, K> {
    key: K,
    property: Q,
    hash: u32,
    /// The key is filed under this property already.
    is_filed: bool,
}

impl<Q: Hash + Eq, K: Key, S: BuildHasher> KeyByProperty<Q, K, S> {
    #[inline]
    pub(crate) fn find<B: Hash + Eq + ?Sized>(&self, property: &B) -> Option<K>
    where
        Q: Borrow<B>,
    {
        self.table.find(self.table.hash(property), property)
    }

    pub(crate) fn prepare(&mut self, key: K, property: Q) -> Result<Ticket<Q, K>, IndexError<K>> {
        let hash = self.table.hash(&property);
        let holder = self.table.find(hash, &property);
        self.hashes.map.make_room_for(key)?;
        // A stale key in the same slot will be removed.
        if let Some(holder) = holder.filter(|holder| holder.slot() != key.slot()) {
            return Err(IndexError::Duplicate { holder });
        }
        let is_filed = holder == Some(key);
        if !is_filed {
            self.table.try_reserve(1)?;
        }
        Ok(Ticket { key, property, hash, is_filed })
    }
}

impl<Q, K: Key, S> KeyByProperty<Q, K, S> {
    pub(crate) const fn new(hasher: S) -> Self {
        Self { table: Table::new(hasher), hashes: SecondaryMap::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the property that is not needed any more.
    pub(crate) fn file(&mut self, ticket: Ticket<Q, K>) -> Option<Q> {
        let Ticket { key, property, hash, is_filed } = ticket;
        if is_filed {
            return Some(property);
        }
        let before = self.hashes.key_of_slot(key.slot()).and_then(|tenant| self.remove(tenant));
        self.hashes.insert(key, hash);
        self.table.insert(hash, property, key);
        before
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<Q> {
        let hash = self.hashes.remove(key)?;
        self.table.take(hash, key)
    }

    pub(crate) fn contains_key(&self, key: K) -> bool {
        self.hashes.contains_key(key)
    }

    pub(crate) fn property(&self, key: K) -> Option<&Q> {
        self.table.property(*self.hashes.get(key)?, key)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&Q, K)> + Clone {
        self.table.iter()
    }

    pub(crate) fn retain_live(&mut self, of: &impl Container<Key = K>) {
        let hashes = &mut self.hashes;
        self.table.retain(|key| {
            let is_live = of.contains_key(key);
            if !is_live {
                hashes.remove(key);
            }
            is_live
        });
    }

    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.table.clear();
    }

    pub(crate) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.hashes.map.try_reserve(additional)?;
        self.table.try_reserve(additional)
    }

    pub(crate) fn memory_usage(&self) -> MemoryUsage {
        let values = self.len() * size_of::<K>();
        let committed = self.table.bytes() + self.hashes.stats().memory.committed;
        MemoryUsage {
            values,
            bookkeeping: committed - values,
            committed,
            reserved: committed,
            ..MemoryUsage::default()
        }
    }

    /// Panics if it is inconsistent.
    pub(crate) fn validate(&self) {
        self.hashes.validate();
        assert_eq!(self.table.len(), self.hashes.len(), "a key is filed twice, or has no hash");
        for (key, &hash) in &self.hashes {
            assert!(self.table.has(hash, key), "{key:?} does not lead to its property");
        }
    }
}

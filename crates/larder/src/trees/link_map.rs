//! Links of `Buckets` beside a container: a map of side data, in which stale links are replaced by those of the next object
//! in the slot.
//!
//! **Invariant.** Links are stored with the key whose they are; for another key of the slot there are none.

use super::link_store::{LinkStore, LinkStoreMut};
use crate::error::SecondaryInsertErrorKind;
use crate::key::Key;
use crate::maps::secondary::SecondaryMap;
use crate::stats::Stats;

/// Links of type `L` for keys, each held by the slot.
#[derive(Clone)]
pub(crate) struct LinkMap<K: Key, L> {
    nodes: SecondaryMap<K, L>,
}

impl<K: Key, L> LinkMap<K, L> {
    pub(crate) const fn new() -> Self {
        Self { nodes: SecondaryMap::new() }
    }

    pub(crate) fn stats(&self) -> Stats {
        self.nodes.stats()
    }
}

impl<K: Key, L: Copy + Default + PartialEq> LinkMap<K, L> {
    /// The key whose links are in a slot.
    pub(crate) fn tenant(&self, slot: u32) -> Option<K> {
        self.nodes.key_of_slot(slot)
    }

    /// Makes room for a key's links, if its slot has none. On an error nothing has changed.
    pub(crate) fn make_room(&mut self, key: K) -> Result<(), SecondaryInsertErrorKind<K>> {
        match self.tenant(key.slot()) {
            Some(_) => Ok(()),
            None => self.place(key),
        }
    }

    /// Gives a key links, in place of those of another key of its slot. On an error nothing has changed.
    pub(crate) fn place(&mut self, key: K) -> Result<(), SecondaryInsertErrorKind<K>> {
        if self.nodes.contains_key(key) {
            return Ok(());
        }
        if let Some(tenant) = self.tenant(key.slot()) {
            self.nodes.remove(tenant);
        }
        let placed = self.nodes.try_insert(key, L::default());
        placed.map(drop).map_err(|refused| refused.reason)
    }

    /// Removes a key's links.
    pub(crate) fn vacate(&mut self, key: K) {
        self.nodes.remove(key);
    }

    /// Removes all links and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// The keys that are linked.
    pub(crate) fn keys(&self) -> impl Iterator<Item = K> {
        self.nodes.iter().filter(|(_, links)| **links != L::default()).map(|(key, _)| key)
    }

    /// Gives back the memory that is not needed for linked keys.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.nodes.retain(|_, links| *links != L::default());
        self.nodes.shrink_to_fit();
    }
}

impl<K: Key, L> LinkStore<L> for LinkMap<K, L> {
    type Key = K;

    #[inline]
    fn links(&self, key: K) -> Option<&L> {
        self.nodes.get(key)
    }
}

impl<K: Key, L> LinkStoreMut<L> for LinkMap<K, L> {
    #[inline]
    fn links_mut(&mut self, key: K) -> Option<&mut L> {
        self.nodes.get_mut(key)
    }
}

//! The naive model of the maps of side data.

use larder::Key;
use larder::maps::layout::SideLayout;
use larder::maps::{Entry, SecondaryInsertErrorKind, SideMap};
use larder_testing::forge::MadeKey;
use std::collections::BTreeMap;

/// Slots near each other, at the borders of words, and far from all others.
pub(crate) const SLOTS: [u32; 20] =
    [0, 1, 2, 3, 5, 8, 9, 15, 16, 31, 62, 63, 64, 65, 100, 127, 128, 500, 4_096, 70_000];

/// One of these keys.
pub(crate) fn some_key<K: MadeKey>(number: u32) -> K {
    let slots = SLOTS.len() as u32;
    K::made(SLOTS[(number % slots) as usize], number / slots % K::LIVES.min(4))
}

/// Inserts a value if the key has none, and lends the key's value; `None` if the key is refused.
pub(crate) fn or_insert_with<K: Key, V, L: SideLayout<K, V>>(
    map: &mut SideMap<K, V, L>,
    key: K,
    make: impl FnOnce() -> V,
) -> Option<&mut V> {
    let entry = map.entry(key)?;
    assert_eq!(entry.key(), key);
    Some(entry.or_insert_with(make))
}

/// Removes by way of the occupied entry.
pub(crate) fn remove_entry<K: Key, V, L: SideLayout<K, V>>(
    map: &mut SideMap<K, V, L>,
    key: K,
) -> Option<(K, V)> {
    match map.entry(key)? {
        Entry::Occupied(entry) => Some((entry.key(), entry.remove())),
        Entry::Vacant(entry) => {
            assert_eq!(entry.key(), key);
            None
        }
    }
}

/// For each slot whose value it has: the key, and the number from which the value was made.
#[derive(Clone, Debug)]
pub(crate) struct Model<K: Key>(pub(crate) BTreeMap<u32, (K, u32)>);

impl<K: MadeKey> Model<K> {
    pub(crate) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    pub(crate) fn get(&self, key: K) -> Option<u32> {
        self.0.get(&key.slot()).filter(|(tenant, _)| *tenant == key).map(|&(_, id)| id)
    }

    /// Returns the slot's key if it is a later one.
    pub(crate) fn later(&self, key: K) -> Option<K> {
        let &(tenant, _) = self.0.get(&key.slot())?;
        (key.life() < tenant.life()).then_some(tenant)
    }

    pub(crate) fn try_insert(
        &mut self,
        key: K,
        id: u32,
    ) -> Result<Option<u32>, SecondaryInsertErrorKind<K>> {
        if let Some(tenant) = self.later(key) {
            return Err(SecondaryInsertErrorKind::Stale { tenant });
        }
        let before = self.get(key);
        self.0.insert(key.slot(), (key, id));
        Ok(before)
    }

    pub(crate) fn remove(&mut self, key: K) -> Option<u32> {
        let id = self.get(key)?;
        self.0.remove(&key.slot());
        Some(id)
    }
}

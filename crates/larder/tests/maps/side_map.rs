//! The common parts of the maps of side data, for tests, and the naive model.

use core::fmt::Debug;
use larder::{
    Key, SecondaryMap, TryReserveError,
    containers::{Container, GetDisjointMutError},
    maps::{SecondaryInsertError, SecondaryInsertErrorKind, SparseSecondaryMap},
};
use larder_testing::forge::MadeKey;
use larder_testing::values::Value;
use std::collections::BTreeMap;

/// Slots near each other, at the borders of words, and far from all others.
pub(crate) const SLOTS: [u32; 20] =
    [0, 1, 2, 3, 5, 8, 9, 15, 16, 31, 62, 63, 64, 65, 100, 127, 128, 500, 4_096, 70_000];

/// One of these keys.
pub(crate) fn some_key<K: MadeKey>(number: u32) -> K {
    let slots = SLOTS.len() as u32;
    K::made(SLOTS[(number % slots) as usize], number / slots % K::LIVES.min(4))
}

/// The result of an insertion.
type Inserted<K, V> = Result<Option<V>, SecondaryInsertError<K, V>>;

/// The methods that both maps have.
pub(crate) trait SideMap: Sized + Clone + PartialEq + Debug {
    type Key: MadeKey;
    type Value: Value;

    fn new() -> Self;
    fn with_capacity(capacity: usize) -> Self;
    fn validate(&self);
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn capacity(&self) -> usize;
    fn try_set_capacity(&mut self, capacity: usize) -> Result<(), TryReserveError>;
    fn shrink_to_fit(&mut self);
    fn committed(&self) -> usize;
    fn insert(&mut self, key: Self::Key, value: Self::Value) -> Option<Self::Value>;
    fn try_insert(
        &mut self,
        key: Self::Key,
        value: Self::Value,
    ) -> Inserted<Self::Key, Self::Value>;
    fn get(&self, key: Self::Key) -> Option<&Self::Value>;
    fn get_mut(&mut self, key: Self::Key) -> Option<&mut Self::Value>;
    fn contains_key(&self, key: Self::Key) -> bool;
    fn key_at(&self, slot: u32) -> Option<Self::Key>;
    fn get_disjoint_mut(
        &mut self,
        keys: [Self::Key; 3],
    ) -> Result<[&mut Self::Value; 3], GetDisjointMutError>;
    fn remove(&mut self, key: Self::Key) -> Option<Self::Value>;
    fn retain(&mut self, keep: impl FnMut(Self::Key, &mut Self::Value) -> bool);
    fn retain_live(&mut self, of: &impl Container<Key = Self::Key>);
    fn clear(&mut self);
    fn drain(&mut self) -> impl DoubleEndedIterator<Item = (Self::Key, Self::Value)>;
    fn extract_if(
        &mut self,
        choose: impl FnMut(Self::Key, &mut Self::Value) -> bool,
    ) -> impl Iterator<Item = (Self::Key, Self::Value)>;
    fn or_insert_with(
        &mut self,
        key: Self::Key,
        make: impl FnOnce() -> Self::Value,
    ) -> Option<&mut Self::Value>;
    /// By way of the occupied entry.
    fn remove_entry(&mut self, key: Self::Key) -> Option<(Self::Key, Self::Value)>;
    fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Self::Key, &Self::Value)> + ExactSizeIterator + Clone;
    fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Self::Key, &mut Self::Value)>;
    fn into_pairs(self) -> impl DoubleEndedIterator<Item = (Self::Key, Self::Value)>;
}

macro_rules! side_map {
    ($map:ident) => {
        impl<K: MadeKey, V: Value> SideMap for $map<K, V> {
            type Key = K;
            type Value = V;

            fn new() -> Self {
                $map::new()
            }

            fn with_capacity(capacity: usize) -> Self {
                $map::with_capacity(capacity)
            }

            fn validate(&self) {
                $map::validate(self);
            }

            fn len(&self) -> usize {
                $map::len(self)
            }

            fn is_empty(&self) -> bool {
                $map::is_empty(self)
            }

            fn capacity(&self) -> usize {
                $map::capacity(self)
            }

            fn try_set_capacity(&mut self, capacity: usize) -> Result<(), TryReserveError> {
                $map::try_set_capacity(self, capacity)
            }

            fn shrink_to_fit(&mut self) {
                $map::shrink_to_fit(self);
            }

            fn committed(&self) -> usize {
                self.stats().memory.committed
            }

            fn insert(&mut self, key: K, value: V) -> Option<V> {
                $map::insert(self, key, value)
            }

            fn try_insert(
                &mut self,
                key: K,
                value: V,
            ) -> Result<Option<V>, SecondaryInsertError<K, V>> {
                $map::try_insert(self, key, value)
            }

            fn get(&self, key: K) -> Option<&V> {
                $map::get(self, key)
            }

            fn get_mut(&mut self, key: K) -> Option<&mut V> {
                $map::get_mut(self, key)
            }

            fn contains_key(&self, key: K) -> bool {
                $map::contains_key(self, key)
            }

            fn key_at(&self, slot: u32) -> Option<K> {
                $map::key_of_slot(self, slot)
            }

            fn get_disjoint_mut(
                &mut self,
                keys: [K; 3],
            ) -> Result<[&mut V; 3], GetDisjointMutError> {
                $map::get_disjoint_mut(self, keys)
            }

            fn remove(&mut self, key: K) -> Option<V> {
                $map::remove(self, key)
            }

            fn retain(&mut self, keep: impl FnMut(K, &mut V) -> bool) {
                $map::retain(self, keep);
            }

            fn retain_live(&mut self, of: &impl Container<Key = K>) {
                $map::retain_live(self, of);
            }

            fn clear(&mut self) {
                $map::clear(self);
            }

            fn drain(&mut self) -> impl DoubleEndedIterator<Item = (K, V)> {
                $map::drain(self)
            }

            fn extract_if(
                &mut self,
                choose: impl FnMut(K, &mut V) -> bool,
            ) -> impl Iterator<Item = (K, V)> {
                $map::extract_if(self, choose)
            }

            fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> Option<&mut V> {
                let entry = self.entry(key)?;
                assert_eq!(entry.key(), key);
                Some(entry.or_insert_with(make))
            }

            fn remove_entry(&mut self, key: K) -> Option<(K, V)> {
                match self.entry(key)? {
                    larder::maps::Entry::Occupied(entry) => Some((entry.key(), entry.remove())),
                    larder::maps::Entry::Vacant(entry) => {
                        assert_eq!(entry.key(), key);
                        None
                    }
                }
            }

            fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator + Clone {
                $map::iter(self)
            }

            fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (K, &mut V)> {
                $map::iter_mut(self)
            }

            fn into_pairs(self) -> impl DoubleEndedIterator<Item = (K, V)> {
                self.into_iter()
            }
        }
    };
}

side_map!(SecondaryMap);
side_map!(SparseSecondaryMap);

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

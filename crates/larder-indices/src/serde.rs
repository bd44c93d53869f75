//! Indices with serde, as their [parts].
//!
//! The keys belong to the container that was saved with them: those without an object there are stale, and removed by
//! `retain_live`.

#[cfg(feature = "hashbrown")]
use core::hash::{BuildHasher, Hash};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::SortedIndex;
#[cfg(feature = "hashbrown")]
use super::{GridIndex, MultiIndex, UniqueIndex};
use larder_core::key::Key;
use larder_core::parts;

impl<Q: Serialize, K: Key + Serialize> Serialize for SortedIndex<Q, K> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

impl<'de, Q: Deserialize<'de> + Ord + Clone, K: Key + Deserialize<'de>> Deserialize<'de>
    for SortedIndex<Q, K>
{
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(feature = "hashbrown")]
impl<Q: Serialize, K: Key + Serialize, S> Serialize for UniqueIndex<Q, K, S> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(feature = "hashbrown")]
impl<'de, Q: Deserialize<'de> + Hash + Eq, K: Key + Deserialize<'de>, S: BuildHasher + Default>
    Deserialize<'de> for UniqueIndex<Q, K, S>
{
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(feature = "hashbrown")]
impl<Q: Serialize, K: Key + Serialize, S> Serialize for MultiIndex<Q, K, S> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(feature = "hashbrown")]
impl<'de, Q: Deserialize<'de> + Hash + Eq, K: Key + Deserialize<'de>, S: BuildHasher + Default>
    Deserialize<'de> for MultiIndex<Q, K, S>
{
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(feature = "hashbrown")]
impl<K: Key + Serialize, const N: usize> Serialize for GridIndex<K, N> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(feature = "hashbrown")]
impl<'de, K: Key + Deserialize<'de>, const N: usize> Deserialize<'de> for GridIndex<K, N> {
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

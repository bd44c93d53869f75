//! Structures beside a container, and pools, as their [parts](super::parts). Buckets are a list of keys each.
//!
//! Entries and keys are inserted one by one when they are loaded: a dangling key, a second key of a slot, and slots too
//! far apart for an array are errors. The keys belong to the container that was saved with them: those without an object
//! there are stale, and removed by `retain_live`. Links in the objects are saved with these and cannot be checked one by
//! one; `Links::check` and `IntrusiveList::check` check all of them.

use alloc::vec::Vec;
#[cfg(all(feature = "track", feature = "trees"))]
use core::fmt;
#[cfg(all(feature = "hashbrown", feature = "indices"))]
use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;

use serde::de::Error;
#[cfg(all(feature = "track", feature = "trees"))]
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::parts::SideData;
#[cfg(feature = "indices")]
use crate::indices::SortedIndex;
#[cfg(all(feature = "hashbrown", feature = "indices"))]
use crate::indices::{GridIndex, MultiIndex, UniqueIndex};
use crate::key::Key;
use crate::maps::SideMap;
use crate::maps::layout::SideLayout;
use crate::parts::{self, FromParts, Loaded, Pairs};
#[cfg(feature = "pools")]
use crate::pools::ListPool;
#[cfg(all(feature = "track", feature = "trees"))]
use crate::trees::InObjects;
#[cfg(feature = "trees")]
use crate::trees::{Buckets, KeyList, Tree};

impl<K: Key + Serialize, V: Serialize, L: SideLayout<K, V>> Serialize for SideMap<K, V, L> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

impl<'de, K: Key + Deserialize<'de>, V: Deserialize<'de>, L: SideLayout<K, V>> Deserialize<'de>
    for SideMap<K, V, L>
{
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        let list = from.deserialize_seq(SideData(PhantomData))?;
        Self::load(Loaded { found: Vec::new(), list }).map_err(Z::Error::custom)
    }
}

#[cfg(feature = "trees")]
impl<K: Key + Serialize> Serialize for Tree<K> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(feature = "trees")]
impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for Tree<K> {
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(feature = "trees")]
impl<K: Key + Serialize> Serialize for KeyList<K> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(feature = "trees")]
impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for KeyList<K> {
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(feature = "indices")]
impl<Q: Serialize, K: Key + Serialize> Serialize for SortedIndex<Q, K> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(feature = "indices")]
impl<'de, Q: Deserialize<'de> + Ord + Clone, K: Key + Deserialize<'de>> Deserialize<'de>
    for SortedIndex<Q, K>
{
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(all(feature = "hashbrown", feature = "indices"))]
impl<Q: Serialize, K: Key + Serialize, S> Serialize for UniqueIndex<Q, K, S> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(all(feature = "hashbrown", feature = "indices"))]
impl<'de, Q: Deserialize<'de> + Hash + Eq, K: Key + Deserialize<'de>, S: BuildHasher + Default>
    Deserialize<'de> for UniqueIndex<Q, K, S>
{
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(all(feature = "hashbrown", feature = "indices"))]
impl<Q: Serialize, K: Key + Serialize, S> Serialize for MultiIndex<Q, K, S> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(all(feature = "hashbrown", feature = "indices"))]
impl<'de, Q: Deserialize<'de> + Hash + Eq, K: Key + Deserialize<'de>, S: BuildHasher + Default>
    Deserialize<'de> for MultiIndex<Q, K, S>
{
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(all(feature = "hashbrown", feature = "indices"))]
impl<K: Key + Serialize, const N: usize> Serialize for GridIndex<K, N> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(all(feature = "hashbrown", feature = "indices"))]
impl<'de, K: Key + Deserialize<'de>, const N: usize> Deserialize<'de> for GridIndex<K, N> {
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

#[cfg(feature = "pools")]
impl<T: Serialize> Serialize for ListPool<T> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

#[cfg(feature = "pools")]
impl<'de, T: Deserialize<'de>> Deserialize<'de> for ListPool<T> {
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

/// The keys of each bucket.
#[cfg(feature = "trees")]
impl<K: Key + Serialize, const N: usize> Serialize for Buckets<K, N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let members = (0..N).map(|bucket| self.iter(bucket).collect::<Vec<_>>());
        members.collect::<Vec<_>>().serialize(to)
    }
}

#[cfg(feature = "trees")]
impl<'de, K: Key + Deserialize<'de>, const N: usize> Deserialize<'de> for Buckets<K, N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let saved = Vec::<Vec<K>>::deserialize(from)?;
        if saved.len() != N {
            let count = saved.len();
            return Err(D::Error::custom(format_args!("there are {N} buckets, not {count}")));
        }
        let members = (0..).zip(saved);
        let members =
            members.flat_map(|(bucket, keys)| keys.into_iter().map(move |key| (key, bucket)));
        let parts = Loaded { found: Vec::new(), list: Pairs(members.collect()) };
        Self::load(parts).map_err(D::Error::custom)
    }
}

/// Nothing, whichever way a format says that: in memory serde has it as it was said.
#[cfg(all(feature = "track", feature = "trees"))]
impl<'de> Deserialize<'de> for InObjects {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            from.deserialize_any(Nothing)
        } else {
            from.deserialize_unit_struct("InObjects", Nothing)
        }
    }
}

/// Reads nothing.
#[cfg(all(feature = "track", feature = "trees"))]
struct Nothing;

#[cfg(all(feature = "track", feature = "trees"))]
impl<'de> Visitor<'de> for Nothing {
    type Value = InObjects;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing, which stands for `InObjects`")
    }

    fn visit_unit<E: Error>(self) -> Result<InObjects, E> {
        Ok(InObjects)
    }

    fn visit_none<E: Error>(self) -> Result<InObjects, E> {
        Ok(InObjects)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<InObjects, A::Error> {
        match parts.next_element::<IgnoredAny>()? {
            None => Ok(InObjects),
            Some(_) => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }

    /// In a type that is tagged or flattened, the fields of others may be here.
    fn visit_map<A: MapAccess<'de>>(self, mut others: A) -> Result<InObjects, A::Error> {
        while others.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(InObjects)
    }
}

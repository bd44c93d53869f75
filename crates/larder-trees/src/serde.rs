//! Trees, lists and buckets with serde, as their [parts]; buckets as a list of keys each.
//!
//! Keys are linked one by one when they are loaded: a dangling key, and a second key of a slot are errors. The keys
//! belong to the container that was saved with them: those without an object there are stale, and removed by
//! `retain_live`. Links in the objects are saved with these and cannot be checked one by one; `Links::check` and
//! `IntrusiveList::check` check all of them.

use alloc::vec::Vec;
#[cfg(feature = "track")]
use core::fmt;

use serde::de::Error;
#[cfg(feature = "track")]
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[cfg(feature = "track")]
use super::InObjects;
use super::{Buckets, KeyList, Tree};
use larder_core::key::Key;
use larder_core::parts;

impl<K: Key + Serialize> Serialize for Tree<K> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for Tree<K> {
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

impl<K: Key + Serialize> Serialize for KeyList<K> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        parts::serialize(self, to)
    }
}

impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for KeyList<K> {
    fn deserialize<Z: Deserializer<'de>>(from: Z) -> Result<Self, Z::Error> {
        parts::deserialize(from)
    }
}

/// The keys of each bucket.
impl<K: Key + Serialize, const N: usize> Serialize for Buckets<K, N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let members = (0..N).map(|bucket| self.iter(bucket).collect::<Vec<_>>());
        members.collect::<Vec<_>>().serialize(to)
    }
}

impl<'de, K: Key + Deserialize<'de>, const N: usize> Deserialize<'de> for Buckets<K, N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let saved = Vec::<Vec<K>>::deserialize(from)?;
        if saved.len() != N {
            let count = saved.len();
            return Err(D::Error::custom(format_args!("there are {N} buckets, not {count}")));
        }
        let members = saved.into_iter().enumerate();
        let members =
            members.flat_map(|(bucket, keys)| keys.into_iter().map(move |key| (bucket, key)));
        Self::of_members(members).map_err(D::Error::custom)
    }
}

/// Nothing, whichever way a format says that: in memory serde has it as it was said.
#[cfg(feature = "track")]
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
#[cfg(feature = "track")]
struct Nothing;

#[cfg(feature = "track")]
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

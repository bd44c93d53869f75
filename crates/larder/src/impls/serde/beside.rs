//! Structures beside a container: side data, trees, lists and buckets.
//!
//! - A map of side data is a list of keys and values. Entries are inserted one by one when they are loaded: a dangling
//!   key, a second key of a slot, and slots too far apart for an array are errors. Formats that name their fields can
//!   also hold a map of side data of the crate `slotmap`, whose encoding is a list of slots, with a value and a version
//!   each.
//! - Trees, lists and buckets are saved as keys in their order, and linked again when they are loaded, so that no file
//!   can contain inconsistent links. The keys belong to the container that was saved with them: those without an
//!   object there are stale, and removed by `retain_live`. Links in the objects are saved with these and cannot be
//!   checked one by one; `Links::check` and `IntrusiveList::check` check all of them.

#[cfg(feature = "trees")]
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
#[cfg(feature = "trees")]
use serde::de::{IgnoredAny, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::forms::SlotmapSlot;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::maps::SideMap;
use crate::maps::filling::Filling;
use crate::maps::layout::SideLayout;
use crate::raw::slots::GenerationOf;
#[cfg(all(feature = "track", feature = "trees"))]
use crate::trees::InObjects;
#[cfg(feature = "trees")]
use crate::trees::{Buckets, KeyList, Tree};

/// Reads a list of entries into a map.
struct Entries<M>(PhantomData<M>);

/// One element of the list: an entry, or a slot as `slotmap` saves it.
enum Saved<K, V> {
    Entry(K, V),
    Slot(SlotmapSlot<V>),
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Saved<K, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return from.deserialize_any(Either(PhantomData));
        }
        let (key, value) = Deserialize::deserialize(from)?;
        Ok(Self::Entry(key, value))
    }
}

/// Reads either.
struct Either<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Either<K, V> {
    type Value = Saved<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key and a value, or a slot of a slotmap")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, entry: A) -> Result<Saved<K, V>, A::Error> {
        let (key, value) = Deserialize::deserialize(SeqAccessDeserializer::new(entry))?;
        Ok(Saved::Entry(key, value))
    }

    fn visit_map<A: MapAccess<'de>>(self, slot: A) -> Result<Saved<K, V>, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(slot)).map(Saved::Slot)
    }
}

impl<K: Key, V> Saved<K, V> {
    /// The entry, if there is one, of the element with this number.
    fn entry<E: Error>(self, number: usize) -> Result<Option<(K, V)>, E> {
        let SlotmapSlot { value, version } = match self {
            Self::Entry(key, value) => return Ok(Some((key, value))),
            Self::Slot(slot) => slot,
        };
        let inconsistent = || {
            let has = if value.is_some() { "a value" } else { "no value" };
            E::custom(format_args!("slot {number} has version {version}, and {has}"))
        };
        if value.is_some() != (version % 2 == 1) {
            return Err(inconsistent());
        }
        let slot = u32::try_from(number).map_err(E::custom)?;
        let live = GenerationOf::<K>::live_from_u64(version.into());
        let key = live.filter(|_| slot < K::MAX_SLOTS).map(|live| K::compose(slot, live));
        match (key, value) {
            (_, None) => Ok(None),
            (Some(key), Some(value)) => Ok(Some((key, value))),
            (None, Some(_)) => {
                Err(E::custom(format_args!("no key has slot {slot} and version {version}")))
            }
        }
    }
}

impl<K: Key + Serialize, V: Serialize, L: SideLayout<K, V>> Serialize for SideMap<K, V, L> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self)
    }
}

impl<'de, K, V, L> Visitor<'de> for Entries<SideMap<K, V, L>>
where
    K: Key + Deserialize<'de>,
    V: Deserialize<'de>,
    L: SideLayout<K, V>,
{
    type Value = SideMap<K, V, L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of keys and values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<SideMap<K, V, L>, A::Error> {
        let (mut map, mut number) = (Filling::new(), 0);
        while let Some(saved) = from.next_element::<Saved<K, V>>()? {
            let entry = saved.entry(number)?;
            number += 1;
            let Some((key, value)) = entry else { continue };
            map.push(key, value).map_err(A::Error::custom)?;
        }
        map.finish().map_err(A::Error::custom)
    }
}

impl<'de, K, V, L> Deserialize<'de> for SideMap<K, V, L>
where
    K: Key + Deserialize<'de>,
    V: Deserialize<'de>,
    L: SideLayout<K, V>,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Entries(PhantomData::<Self>))
    }
}

/// Depth and key, in pre-order; a root has depth 0.
#[cfg(feature = "trees")]
impl<K: Key + Serialize> Serialize for Tree<K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.in_order().map_err(serde::ser::Error::custom)?.serialize(to)
    }
}

#[cfg(feature = "trees")]
impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for Tree<K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::of_order(Vec::deserialize(from)?).map_err(D::Error::custom)
    }
}

#[cfg(feature = "trees")]
impl<K: Key + Serialize> Serialize for KeyList<K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.iter().collect::<Vec<_>>().serialize(to)
    }
}

#[cfg(feature = "trees")]
impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for KeyList<K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::of_keys(Vec::<K>::deserialize(from)?).map_err(D::Error::custom)
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
        let members = saved.into_iter().enumerate();
        let members =
            members.flat_map(|(bucket, keys)| keys.into_iter().map(move |key| (bucket, key)));
        Self::of_members(members).map_err(D::Error::custom)
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

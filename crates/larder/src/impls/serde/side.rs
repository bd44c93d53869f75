//! Maps of side data: a list of keys and values. Entries are inserted one by one when they are loaded: a dangling key
//! and a second key of a slot are errors.
//!
//! Formats that name their fields can also hold a map of side data of the crate `slotmap`, whose encoding is a list of
//! slots, with a value and a version each.

use core::fmt;
use core::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::SlotmapSlot;
use crate::key::Key;
use crate::maps::secondary::SecondaryMap;
#[cfg(feature = "hashbrown")]
use crate::maps::sparse_secondary::SparseSecondaryMap;
use crate::raw::generation::Generation;
use crate::raw::slots::GenerationOf;

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

macro_rules! side_map {
    ($map:ident) => {
        impl<K: Key + Serialize, V: Serialize> Serialize for $map<K, V> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(self)
            }
        }

        impl<'de, K: Key + Deserialize<'de>, V: Deserialize<'de>> Visitor<'de>
            for Entries<$map<K, V>>
        {
            type Value = $map<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of keys and values")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<$map<K, V>, A::Error> {
                let (mut map, mut number) = (<$map<K, V>>::new(), 0);
                while let Some(saved) = from.next_element::<Saved<K, V>>()? {
                    let entry = saved.entry(number)?;
                    number += 1;
                    let Some((key, value)) = entry else { continue };
                    if let Some(tenant) = map.key_of_slot(key.slot()) {
                        return Err(A::Error::custom(format_args!(
                            "{key:?} and {tenant:?} are of one slot"
                        )));
                    }
                    map.try_insert(key, value).map_err(A::Error::custom)?;
                }
                Ok(map)
            }
        }

        impl<'de, K: Key + Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for $map<K, V> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_seq(Entries(PhantomData::<Self>))
            }
        }
    };
}

side_map!(SecondaryMap);
#[cfg(feature = "hashbrown")]
side_map!(SparseSecondaryMap);

//! Maps of side data: a list of keys and values. Entries are inserted one by one when they are loaded: a dangling key
//! and a second key of a slot are errors.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::key::Key;
use crate::maps::secondary::SecondaryMap;
use crate::maps::sparse_secondary::SparseSecondaryMap;

/// Reads a list of entries into a map.
struct Entries<M>(PhantomData<M>);

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
                let mut map = <$map<K, V>>::new();
                while let Some((key, value)) = from.next_element::<(K, V)>()? {
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
side_map!(SparseSecondaryMap);

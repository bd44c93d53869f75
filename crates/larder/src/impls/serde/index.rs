//! Indices that stand alone: a list of keys and properties. What is loaded is filed one by one: a key that
//! no container hands out, a second one of a slot, and a second one of a unique property are errors.

use core::fmt;
#[cfg(feature = "hashbrown")]
use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::index::SortedIndex;
use crate::index::filing::Filing;
#[cfg(feature = "hashbrown")]
use crate::index::{MultiIndex, UniqueIndex};
use crate::key::Key;

/// Reads a list of keys and properties into an index.
struct Filed<X>(PhantomData<X>);

impl<'de, X> Visitor<'de> for Filed<X>
where
    X: Filing<Key: Deserialize<'de>, Property: Deserialize<'de>> + Default,
{
    type Value = X;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of keys and properties")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<X, A::Error> {
        let mut index = X::default();
        let mut count = 0;
        while let Some((key, property)) = from.next_element()? {
            index.insert(key, property).map_err(A::Error::custom)?;
            count += 1;
            if index.len() != count {
                return Err(A::Error::custom(format_args!("{key:?} has the slot of another key")));
            }
        }
        Ok(index)
    }
}

impl<Q: Serialize, K: Key + Serialize> Serialize for SortedIndex<Q, K> {
    fn serialize<W: Serializer>(&self, to: W) -> Result<W::Ok, W::Error> {
        let mut list = to.serialize_seq(Some(self.iter().count()))?;
        self.iter().try_for_each(|(property, key)| list.serialize_element(&(key, property)))?;
        list.end()
    }
}

impl<'de, Q, K> Deserialize<'de> for SortedIndex<Q, K>
where
    Q: Deserialize<'de> + Ord + Clone,
    K: Key + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Filed(PhantomData))
    }
}

#[cfg(feature = "hashbrown")]
impl<Q: Serialize, K: Key + Serialize, S> Serialize for UniqueIndex<Q, K, S> {
    fn serialize<W: Serializer>(&self, to: W) -> Result<W::Ok, W::Error> {
        to.collect_seq(self.iter().map(|(property, key)| (key, property)))
    }
}

#[cfg(feature = "hashbrown")]
impl<'de, Q, K, S> Deserialize<'de> for UniqueIndex<Q, K, S>
where
    Q: Deserialize<'de> + Hash + Eq,
    K: Key + Deserialize<'de>,
    S: BuildHasher + Default,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Filed(PhantomData))
    }
}

#[cfg(feature = "hashbrown")]
impl<Q: Serialize, K: Key + Serialize, S> Serialize for MultiIndex<Q, K, S> {
    fn serialize<W: Serializer>(&self, to: W) -> Result<W::Ok, W::Error> {
        let mut list = to.serialize_seq(Some(self.len()))?;
        for (property, keys) in self.iter() {
            keys.iter().try_for_each(|key| list.serialize_element(&(key, property)))?;
        }
        list.end()
    }
}

#[cfg(feature = "hashbrown")]
impl<'de, Q, K, S> Deserialize<'de> for MultiIndex<Q, K, S>
where
    Q: Deserialize<'de> + Hash + Eq,
    K: Key + Deserialize<'de>,
    S: BuildHasher + Default,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Filed(PhantomData))
    }
}

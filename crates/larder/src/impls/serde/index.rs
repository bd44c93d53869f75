//! Indices that stand alone: a list of keys and properties, and for a grid the size of its cells. Keys are filed one by
//! one when they are loaded: a dangling key, a second key of a slot or of a unique property, and a point that is not
//! finite are errors.

#[cfg(feature = "hashbrown")]
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "hashbrown")]
use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
#[cfg(feature = "hashbrown")]
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[cfg(feature = "hashbrown")]
use crate::indices::{GridIndex, MultiIndex, UniqueIndex};
use crate::indices::{KeyIndex, SortedIndex, TwoPhase};
use crate::key::Key;

/// Reads a list of keys and properties into an index.
struct Filed<X>(PhantomData<X>);

impl<'de, L> Visitor<'de> for Filed<KeyIndex<L>>
where
    L: TwoPhase<Key: Deserialize<'de>, Property: Deserialize<'de>> + Default,
{
    type Value = KeyIndex<L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of keys and properties")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<KeyIndex<L>, A::Error> {
        let mut index = KeyIndex::<L>::default();
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

/// The form in which a grid is saved.
#[cfg(feature = "hashbrown")]
#[derive(Serialize, Deserialize)]
#[serde(rename = "GridIndex", deny_unknown_fields)]
struct GridForm<P> {
    cell_size: f32,
    points: Vec<P>,
}

/// Coordinates, as many as there are dimensions.
#[cfg(feature = "hashbrown")]
struct Point<const N: usize>([f32; N]);

#[cfg(feature = "hashbrown")]
impl<const N: usize> Serialize for Point<N> {
    fn serialize<W: Serializer>(&self, to: W) -> Result<W::Ok, W::Error> {
        let mut tuple = to.serialize_tuple(N)?;
        self.0.iter().try_for_each(|coordinate| tuple.serialize_element(coordinate))?;
        tuple.end()
    }
}

#[cfg(feature = "hashbrown")]
impl<'de, const N: usize> Deserialize<'de> for Point<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_tuple(N, Coordinates)
    }
}

/// Reads coordinates.
#[cfg(feature = "hashbrown")]
struct Coordinates<const N: usize>;

#[cfg(feature = "hashbrown")]
impl<'de, const N: usize> Visitor<'de> for Coordinates<N> {
    type Value = Point<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{N} coordinates")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Point<N>, A::Error> {
        let mut point = [0.0; N];
        for (axis, coordinate) in point.iter_mut().enumerate() {
            let next = from.next_element()?;
            *coordinate = next.ok_or_else(|| A::Error::invalid_length(axis, &self))?;
        }
        Ok(Point(point))
    }
}

#[cfg(feature = "hashbrown")]
impl<K: Key + Serialize, const N: usize> Serialize for GridIndex<K, N> {
    fn serialize<W: Serializer>(&self, to: W) -> Result<W::Ok, W::Error> {
        let points = self.iter().map(|(key, point)| (key, Point(point))).collect();
        GridForm { cell_size: self.cell_size(), points }.serialize(to)
    }
}

#[cfg(feature = "hashbrown")]
impl<'de, K: Key + Deserialize<'de>, const N: usize> Deserialize<'de> for GridIndex<K, N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let form = GridForm::<(K, Point<N>)>::deserialize(from)?;
        if !Self::is_cell_size(form.cell_size) {
            return Err(D::Error::custom("the size of cells must be above 0 and finite"));
        }
        let mut index = Self::new(form.cell_size);
        for (count, (key, Point(point))) in form.points.into_iter().enumerate() {
            index.insert(key, point).map_err(D::Error::custom)?;
            if index.len() == count {
                return Err(D::Error::custom(format_args!("{key:?} has the slot of another key")));
            }
        }
        Ok(index)
    }
}

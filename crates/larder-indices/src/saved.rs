//! Indices as keys and their properties. Keys are filed one by one when they are loaded: a dangling key, a second key
//! of a slot or of a unique property, and a point that is not finite are errors.

#[cfg(feature = "hashbrown")]
use alloc::vec::Vec;
#[cfg(feature = "hashbrown")]
use core::hash::{BuildHasher, Hash};

use super::two_phase::TwoPhase;
#[cfg(feature = "hashbrown")]
use super::{GridIndex, MultiIndex, UniqueIndex};
use super::{IndexError, KeyIndex, SortedIndex};
use larder_core::key::Key;
use larder_core::parts::{Encoder, FromParts, LoadError, Loaded, Pairs, Parts};
#[cfg(feature = "hashbrown")]
use larder_core::parts::{Part, Points};
#[cfg(feature = "hashbrown")]
use larder_core::room::reserve_exact;

/// Files keys under their properties in an index that has none.
fn filed<L: TwoPhase>(
    mut index: KeyIndex<L>,
    pairs: impl IntoIterator<Item = (L::Key, L::Property)>,
) -> Result<KeyIndex<L>, LoadError> {
    for (count, (key, property)) in pairs.into_iter().enumerate() {
        index.layout.insert(key, property).map_err(|error| match error {
            IndexError::Memory(reason) => reason.into(),
            error => LoadError::entry(error),
        })?;
        if index.len() == count {
            return Err(LoadError::entry(format_args!("{key:?} has the slot of another key")));
        }
    }
    Ok(index)
}

impl<Q, K: Key> Parts for SortedIndex<Q, K> {
    const KIND: &'static str = "sorted index";
    type List = Pairs<K, Q>;

    fn save<E: Encoder<Pairs<K, Q>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.list(self.iter().map(|(property, key)| (key, property)))
    }
}

impl<Q: Ord + Clone, K: Key> FromParts for SortedIndex<Q, K> {
    fn load(parts: Loaded<Pairs<K, Q>>) -> Result<Self, LoadError> {
        filed(Self::new(), parts.list.0)
    }
}

#[cfg(feature = "hashbrown")]
impl<Q, K: Key, S> Parts for UniqueIndex<Q, K, S> {
    const KIND: &'static str = "unique index";
    type List = Pairs<K, Q>;

    fn save<E: Encoder<Pairs<K, Q>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.list(self.iter().map(|(property, key)| (key, property)))
    }
}

#[cfg(feature = "hashbrown")]
impl<Q: Hash + Eq, K: Key, S: BuildHasher + Default> FromParts for UniqueIndex<Q, K, S> {
    fn load(parts: Loaded<Pairs<K, Q>>) -> Result<Self, LoadError> {
        filed(Self::default(), parts.list.0)
    }
}

#[cfg(feature = "hashbrown")]
impl<Q, K: Key, S> Parts for MultiIndex<Q, K, S> {
    const KIND: &'static str = "multi index";
    type List = Pairs<K, Q>;

    fn save<E: Encoder<Pairs<K, Q>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.list(
            self.iter().flat_map(|(property, keys)| keys.iter().map(move |&key| (key, property))),
        )
    }
}

#[cfg(feature = "hashbrown")]
impl<Q: Hash + Eq, K: Key, S: BuildHasher + Default> FromParts for MultiIndex<Q, K, S> {
    fn load(parts: Loaded<Pairs<K, Q>>) -> Result<Self, LoadError> {
        filed(Self::default(), parts.list.0)
    }
}

#[cfg(feature = "hashbrown")]
impl<K: Key, const N: usize> Parts for GridIndex<K, N> {
    const KIND: &'static str = "grid";
    const PARTS: &'static [Part] = &[Part::float("cell size").field("cell_size")];
    const NAME: &'static str = "GridIndex";
    const LIST: &'static str = "points";
    type List = Points<K, N>;

    fn save<E: Encoder<Points<K, N>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.float("cell size", self.cell_size())?;
        let mut all = Vec::new();
        reserve_exact(&mut all, self.len()).map_err(|reason| to.refused(reason))?;
        all.extend(self.iter());
        to.list(all.iter().copied())
    }
}

#[cfg(feature = "hashbrown")]
impl<K: Key, const N: usize> FromParts for GridIndex<K, N> {
    fn load(parts: Loaded<Points<K, N>>) -> Result<Self, LoadError> {
        let cell_size = parts.float("cell size");
        if !Self::is_cell_size(cell_size) {
            return Err(LoadError::Invalid {
                what: "the size of cells must be above 0 and finite",
            });
        }
        filed(Self::new(cell_size), parts.list.0)
    }
}

//! Trees, lists and buckets beside a container: saved as keys in their order, and linked again when they are
//! loaded, so that no file can contain inconsistent links.
//!
//! What is loaded belongs to the container that was saved with it: keys without an object there are stale, and
//! removed by `retain_live`. Links in the objects are saved with these and cannot be checked one by one;
//! `Links::check` and `IntrusiveList::check` check all of them.

use alloc::vec::Vec;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::containers::container::Container;
use crate::key::Key;
use crate::trees::{AutoUnlink, Buckets, KeyList, Tree, Unlink};

/// Depth and key, in pre-order; a root has depth 0.
impl<K: Key + Serialize> Serialize for Tree<K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.in_order().serialize(to)
    }
}

impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for Tree<K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::of_order(Vec::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl<K: Key + Serialize> Serialize for KeyList<K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.iter().collect::<Vec<_>>().serialize(to)
    }
}

impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for KeyList<K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::of_keys(Vec::<K>::deserialize(from)?).map_err(D::Error::custom)
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

/// Links of keys that the container does not have are removed.
impl<'de, C, L> Deserialize<'de> for AutoUnlink<C, L>
where
    C: Container + Deserialize<'de>,
    L: Unlink<C> + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "AutoUnlink", deny_unknown_fields)]
        struct Form<C, L> {
            container: C,
            links: L,
        }

        let Form { container, links } = Form::deserialize(from)?;
        Ok(Self::new(container, links))
    }
}

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
        let mut nodes: Vec<(u32, K)> = Vec::new();
        for root in self.roots() {
            let mut above = Vec::from([root]);
            nodes.push((0, root));
            for key in self.descendants(root) {
                let parent = self.parent(key);
                while above.last().copied() != parent {
                    above.pop();
                }
                nodes.push((above.len() as u32, key));
                above.push(key);
            }
        }
        nodes.serialize(to)
    }
}

impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for Tree<K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut tree = Self::new();
        let mut above: Vec<K> = Vec::new();
        for (depth, key) in Vec::<(u32, K)>::deserialize(from)? {
            if depth as usize > above.len() {
                return Err(D::Error::custom(format_args!(
                    "{key:?} is more than one level below the key before it"
                )));
            }
            above.truncate(depth as usize);
            if tree.contains_key(key) {
                return Err(D::Error::custom(format_args!("{key:?} is in the tree twice")));
            }
            if let Some(&parent) = above.last() {
                tree.append_loaded(parent, key).map_err(D::Error::custom)?;
            }
            above.push(key);
        }
        tree.shrink_to_fit();
        Ok(tree)
    }
}

impl<K: Key + Serialize> Serialize for KeyList<K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.iter().collect::<Vec<_>>().serialize(to)
    }
}

impl<'de, K: Key + Deserialize<'de>> Deserialize<'de> for KeyList<K> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut list = Self::new();
        for key in Vec::<K>::deserialize(from)? {
            list.push_loaded(key).map_err(D::Error::custom)?;
        }
        list.shrink_to_fit();
        Ok(list)
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
        let mut buckets = Self::new();
        for (bucket, keys) in saved.into_iter().enumerate() {
            for key in keys {
                buckets.set_loaded(key, bucket).map_err(D::Error::custom)?;
            }
        }
        buckets.shrink_to_fit();
        Ok(buckets)
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

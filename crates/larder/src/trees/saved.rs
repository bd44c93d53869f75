//! Trees, lists and buckets as keys in their order. They are linked again from these, so that no file can contain
//! inconsistent links.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Buckets, KeyList, Tree};
use crate::key::Key;

impl<K: Key> Tree<K> {
    /// Depth and key, in pre-order; a root has depth 0.
    pub(crate) fn in_order(&self) -> Vec<(u32, K)> {
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
        nodes
    }

    pub(crate) fn of_order(nodes: impl IntoIterator<Item = (u32, K)>) -> Result<Self, String> {
        let mut tree = Self::new();
        let mut above: Vec<K> = Vec::new();
        for (depth, key) in nodes {
            if depth as usize > above.len() {
                return Err(alloc::format!(
                    "{key:?} is more than one level below the key before it"
                ));
            }
            above.truncate(depth as usize);
            if tree.contains_key(key) {
                return Err(alloc::format!("{key:?} is in the tree twice"));
            }
            if let Some(&parent) = above.last() {
                tree.append_loaded(parent, key).map_err(|error| alloc::format!("{error}"))?;
            }
            above.push(key);
        }
        tree.shrink_to_fit();
        Ok(tree)
    }
}

impl<K: Key> KeyList<K> {
    pub(crate) fn of_keys(keys: impl IntoIterator<Item = K>) -> Result<Self, String> {
        let mut list = Self::new();
        for key in keys {
            list.push_loaded(key).map_err(|error| alloc::format!("{error}"))?;
        }
        list.shrink_to_fit();
        Ok(list)
    }
}

impl<K: Key, const N: usize> Buckets<K, N> {
    /// Of members, bucket by bucket.
    pub(crate) fn of_members(
        members: impl IntoIterator<Item = (usize, K)>,
    ) -> Result<Self, String> {
        let mut buckets = Self::new();
        for (bucket, key) in members {
            if bucket >= N {
                return Err(alloc::format!("there are {N} buckets, and none of number {bucket}"));
            }
            buckets.set_loaded(key, bucket).map_err(|error| alloc::format!("{error}"))?;
        }
        buckets.shrink_to_fit();
        Ok(buckets)
    }
}

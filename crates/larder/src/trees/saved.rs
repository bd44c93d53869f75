//! Trees, lists and buckets as keys in their order. They are linked again from these, whether objects have the keys or
//! not, so that no file can contain inconsistent links.

use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;
#[cfg(feature = "snapshot")]
use core::num::NonZeroU32;

#[cfg(feature = "snapshot")]
use super::IntrusiveList;
#[cfg(feature = "snapshot")]
use super::list_head::ListHead;
use super::pieces::Unnoted;
use super::{Buckets, KeyList, Tree};
use super::{LinkError, LinkErrorKind, ListError, edit};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::scratch::{reserve, text};

/// The reason why keys could not be linked as they were saved.
pub(crate) enum LoadError {
    Memory(TryReserveError),
    Contradiction(String),
}

impl LoadError {
    fn of(what: impl fmt::Display) -> Self {
        text(what).map_or_else(Self::Memory, Self::Contradiction)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(reason) => reason.fmt(f),
            Self::Contradiction(what) => f.write_str(what),
        }
    }
}

impl From<TryReserveError> for LoadError {
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}

impl<K: fmt::Debug> From<LinkError<K>> for LoadError {
    fn from(error: LinkError<K>) -> Self {
        match error.reason {
            LinkErrorKind::Memory(reason) => Self::Memory(reason),
            _ => Self::of(error),
        }
    }
}

impl<K: fmt::Debug> From<ListError<K>> for LoadError {
    fn from(error: ListError<K>) -> Self {
        match error {
            ListError::Memory(reason) => Self::Memory(reason),
            error => Self::of(error),
        }
    }
}

/// The head of a list, whose links are saved with the objects: its number, how many members it has, and the first. A
/// torn list may have fewer, or none.
#[cfg(feature = "snapshot")]
impl<K: Copy> IntrusiveList<K> {
    pub(crate) fn parts(&self) -> (u32, u32, Option<K>) {
        (self.head.number.get() - 1, self.head.length, self.head.first)
    }

    /// `None` if no list has that number.
    pub(crate) fn of_parts(number: u32, length: u32, first: Option<K>) -> Option<Self> {
        let number = NonZeroU32::MIN.checked_add(number)?;
        Some(Self { head: ListHead { number, length, first } })
    }
}

impl<K: Key> Tree<K> {
    /// Depth and key, in pre-order; a root has depth 0.
    pub(crate) fn in_order(&self) -> Result<Vec<(u32, K)>, TryReserveError> {
        let mut nodes: Vec<(u32, K)> = Vec::new();
        for root in self.roots() {
            let mut above = Vec::new();
            for key in core::iter::once(root).chain(self.descendants(root)) {
                let parent = self.parent(key);
                while above.last().copied() != parent {
                    above.pop();
                }
                reserve(&mut nodes, 1)?;
                nodes.push((above.len() as u32, key));
                reserve(&mut above, 1)?;
                above.push(key);
            }
        }
        Ok(nodes)
    }

    pub(crate) fn of_order(nodes: impl IntoIterator<Item = (u32, K)>) -> Result<Self, LoadError> {
        let mut tree = Self::new();
        let mut above: Vec<K> = Vec::new();
        for (depth, key) in nodes {
            if depth as usize > above.len() {
                return Err(LoadError::of(format_args!(
                    "{key:?} is more than one level below the key before it"
                )));
            }
            above.truncate(depth as usize);
            if tree.contains_key(key) {
                return Err(LoadError::of(format_args!("{key:?} is in the tree twice")));
            }
            if let Some(&parent) = above.last() {
                tree.append_loaded(parent, key)?;
            }
            reserve(&mut above, 1)?;
            above.push(key);
        }
        tree.shrink_to_fit();
        Ok(tree)
    }

    fn append_loaded(&mut self, to: K, key: K) -> Result<(), LinkError<K>> {
        let is_other = |key: K| self.nodes.tenant(key.slot()).is_some_and(|tenant| tenant != key);
        let places = if is_other(to) || is_other(key) {
            Err(LinkErrorKind::Missing) // one slot, two keys
        } else {
            self.place_both(to, key)
        };
        let linked = places.and_then(|(to, key)| edit::append(&mut self.nodes, to, key));
        linked.map_err(|reason| LinkError { key, to, reason })
    }
}

impl<K: Key> KeyList<K> {
    pub(crate) fn of_keys(keys: impl IntoIterator<Item = K>) -> Result<Self, LoadError> {
        let mut list = Self::new();
        for key in keys {
            if list.nodes.tenant(key.slot()).is_some() {
                return Err(ListError::InList { key }.into());
            }
            let place = list.place(key)?.ok_or(ListError::InList { key })?;
            let put = list.head.push_back(&mut list.nodes, place);
            put.map_err(|error| error.of(|_| key))?;
        }
        list.shrink_to_fit();
        Ok(list)
    }
}

impl<K: Key, const N: usize> Buckets<K, N> {
    /// Makes buckets of loaded members, which come bucket by bucket.
    pub(crate) fn of_members(
        members: impl IntoIterator<Item = (usize, K)>,
    ) -> Result<Self, LoadError> {
        let mut buckets = Self::new();
        for (bucket, key) in members {
            if bucket >= N {
                return Err(LoadError::of(format_args!(
                    "there are {N} buckets, and none of number {bucket}"
                )));
            }
            if buckets.tenant(key.slot()).is_some() {
                return Err(ListError::InList { key }.into());
            }
            buckets.make_room(key)?;
            buckets.push(bucket, key, &mut Unnoted);
        }
        buckets.shrink_to_fit();
        Ok(buckets)
    }
}

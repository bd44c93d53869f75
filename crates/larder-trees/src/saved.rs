//! Trees, lists and buckets as keys in their order. They are linked again from these, whether objects have the keys or
//! not, so that no file can contain inconsistent links.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;

#[cfg(feature = "track")]
use super::InsertionOrder;
use super::list_head::ListHead;
use super::pieces::Unnoted;
use super::{Buckets, IntrusiveList, KeyList, LinkError, LinkErrorKind, ListError, Tree, edit};
use larder_core::TryReserveError;
use larder_core::key::Key;
use larder_core::parts::{Encoder, FromParts, Keys, Levels, LoadError, Loaded, Pairs, Part, Parts};
use larder_core::room::reserve;

impl<K: fmt::Debug> From<LinkError<K>> for LoadError {
    fn from(error: LinkError<K>) -> Self {
        match error.reason {
            LinkErrorKind::Memory(reason) => Self::Memory(reason),
            _ => Self::entry(error),
        }
    }
}

impl<K: fmt::Debug> From<ListError<K>> for LoadError {
    fn from(error: ListError<K>) -> Self {
        match error {
            ListError::Memory(reason) => Self::Memory(reason),
            error => Self::entry(error),
        }
    }
}

/// The head of a list, whose links are saved with the objects: its number, how many members it has, and the first. A
/// torn list may have fewer, or none.
impl<K: Key> Parts for IntrusiveList<K> {
    const KIND: &'static str = "list in objects";
    const PARTS: &'static [Part] = &[Part::number("number"), Part::number("length")];
    type List = Keys<K>;

    fn save<E: Encoder<Keys<K>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.number("number", (self.head.number.get() - 1).into())?;
        to.number("length", self.head.length.into())?;
        to.list(self.head.first.into_iter())
    }
}

impl<K: Key> FromParts for IntrusiveList<K> {
    fn load(parts: Loaded<Keys<K>>) -> Result<Self, LoadError> {
        let [number, length] = ["number", "length"].map(|name| u32::try_from(parts.number(name)));
        let first = match &parts.list.0[..] {
            [] => Some(None),
            [first] => Some(Some(*first)),
            _ => None,
        };
        let number = number.ok().and_then(|number| NonZeroU32::MIN.checked_add(number));
        match (number, length, first) {
            (Some(number), Ok(length), Some(first)) => {
                Ok(Self { head: ListHead { number, length, first } })
            }
            _ => Err(LoadError::Invalid {
                what: "no list has such a number, length or first member",
            }),
        }
    }
}

impl<K: Key> Parts for Tree<K> {
    const KIND: &'static str = "tree";
    type List = Levels<K>;

    fn save<E: Encoder<Levels<K>>>(&self, to: &mut E) -> Result<(), E::Error> {
        let nodes = self.in_order().map_err(|reason| to.refused(reason))?;
        to.list(nodes.iter().copied())
    }
}

impl<K: Key> FromParts for Tree<K> {
    fn load(parts: Loaded<Levels<K>>) -> Result<Self, LoadError> {
        Self::of_order(parts.list.0)
    }
}

impl<K: Key> Parts for KeyList<K> {
    const KIND: &'static str = "list";
    type List = Keys<K>;

    fn save<E: Encoder<Keys<K>>>(&self, to: &mut E) -> Result<(), E::Error> {
        to.list(self.iter())
    }
}

impl<K: Key> FromParts for KeyList<K> {
    fn load(parts: Loaded<Keys<K>>) -> Result<Self, LoadError> {
        Self::of_keys(parts.list.0)
    }
}

/// The list of the objects.
#[cfg(feature = "track")]
impl<K: Key> Parts for InsertionOrder<K> {
    const KIND: &'static str = <KeyList<K> as Parts>::KIND;
    type List = Keys<K>;

    fn save<E: Encoder<Keys<K>>>(&self, to: &mut E) -> Result<(), E::Error> {
        (**self).save(to)
    }
}

#[cfg(feature = "track")]
impl<K: Key> FromParts for InsertionOrder<K> {
    fn load(parts: Loaded<Keys<K>>) -> Result<Self, LoadError> {
        KeyList::load(parts).map(Self::of_list)
    }
}

/// The members of one bucket after the other, with its number.
impl<K: Key, const N: usize> Parts for Buckets<K, N> {
    const KIND: &'static str = "buckets";
    type List = Pairs<K, u64>;

    fn save<E: Encoder<Pairs<K, u64>>>(&self, to: &mut E) -> Result<(), E::Error> {
        let numbers: [u64; N] = core::array::from_fn(|bucket| bucket as u64);
        let members = |(bucket, number)| self.iter(bucket).map(move |key| (key, number));
        to.list(numbers.iter().enumerate().flat_map(members))
    }
}

impl<K: Key, const N: usize> FromParts for Buckets<K, N> {
    fn load(parts: Loaded<Pairs<K, u64>>) -> Result<Self, LoadError> {
        let bucket = |number| usize::try_from(number).unwrap_or(usize::MAX);
        Self::of_members(parts.list.0.into_iter().map(|(key, number)| (bucket(number), key)))
    }
}

impl<K: Key> Tree<K> {
    /// Depth and key, in pre-order; a root has depth 0.
    fn in_order(&self) -> Result<Vec<(u32, K)>, TryReserveError> {
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

    fn of_order(nodes: impl IntoIterator<Item = (u32, K)>) -> Result<Self, LoadError> {
        let mut tree = Self::new();
        let mut above: Vec<K> = Vec::new();
        for (depth, key) in nodes {
            if depth as usize > above.len() {
                return Err(LoadError::entry(format_args!(
                    "{key:?} is more than one level below the key before it"
                )));
            }
            above.truncate(depth as usize);
            if tree.contains_key(key) {
                return Err(LoadError::entry(format_args!("{key:?} is in the tree twice")));
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
    fn of_keys(keys: impl IntoIterator<Item = K>) -> Result<Self, LoadError> {
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
                return Err(LoadError::entry(format_args!(
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

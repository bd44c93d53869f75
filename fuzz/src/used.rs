//! Loaded values in use: whatever a file says, nothing is undefined, and the value is whole.

use larder::containers::Container;
use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::key::{BareHandle, Serial};
use larder::maps::SparseSecondaryMap;
use larder::pools::{ListPool, NameHash, StringPool};
use larder::track::Table;
use larder::trees::{Buckets, IntrusiveList, KeyList, Link, RemovalQueue};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, PagedArena, Pool,
    SecondaryMap, SoaArena, Tree,
};

/// A value that was loaded and is then used: whatever it says, nothing is undefined.
pub trait Used {
    fn used(self);
}

macro_rules! used_containers {
    ($($container:ty),* $(,)?) => {$(
        impl Used for $container {
            fn used(mut self) {
                self.validate();
                let keys: Vec<_> = self.keys().collect();
                assert_eq!(keys.len(), self.len());
                for &key in &keys {
                    assert!(self.contains_key(key));
                }
                let Ok(new) = self.try_insert(Default::default()) else { return };
                assert!(self.contains_key(new) && !keys.contains(&new));
                for key in keys {
                    let _ = self.remove(key);
                    assert!(!self.contains_key(key));
                }
                self.validate();
            }
        }
    )*};
}

used_containers! {
    Arena<u8>,
    Arena<String, Handle32<String, 30>>,
    Arena<u8, Serial<u8>>,
    PagedArena<u8>,
    DenseArena<u8>,
    DenseArena<u8, Serial<u8>>,
    SoaArena<(u8, u64)>,
    SoaArena<(u8, u64), Serial<()>>,
    DenseSoaArena<(u8, u64)>,
    Arena<bool, BareHandle<bool>>,
    Arena<Link<Handle<u8>>, Handle<u8>>,
    DenseArena<char>,
    InlineArena<u8, 64>,
}

macro_rules! used_maps {
    ($($map:ty),*) => {$(
        impl Used for $map {
            fn used(mut self) {
                self.validate();
                let keys: Vec<_> = self.keys().collect();
                for &key in &keys {
                    assert!(self.contains_key(key));
                }
                for key in keys {
                    assert!(self.remove(key).is_some());
                }
                assert!(self.is_empty());
                self.validate();
            }
        }
    )*};
}

used_maps! {
    SecondaryMap<Handle<()>, u8>,
    SparseSecondaryMap<Handle<()>, u8>,
    SecondaryMap<Handle<u8>, u8>,
    SparseSecondaryMap<Handle<u8>, u8>
}

impl Used for Pool<u8, Handle32<u8>> {
    fn used(mut self) {
        self.validate();
        let keys: Vec<_> = self.keys().collect();
        assert!(keys.iter().all(|&key| self.contains_key(key)));
        let new = self.try_insert(1).ok();
        for key in keys.into_iter().chain(new) {
            assert!(Container::remove(&mut self, key).is_some());
        }
        self.validate();
    }
}

impl Used for ListPool<u8> {
    fn used(mut self) {
        self.validate();
        let lists: Vec<_> = self.iter().map(|(list, values)| (list, values.to_vec())).collect();
        let mut new = self.make([1, 2]);
        self.push(&mut new, 3);
        assert_eq!(self.get(new), Some(&[1, 2, 3][..]));
        for (list, values) in lists {
            assert!(list != new && self.get(list) == Some(&values[..]));
            self.free(list);
            assert_eq!(self.get(list), None);
        }
        self.validate();
    }
}

impl Used for StringPool {
    fn used(mut self) {
        self.validate();
        let texts: Vec<_> = self.iter().map(|(symbol, text)| (symbol, text.to_owned())).collect();
        let new = self.acquire("a text that no input has");
        for (symbol, text) in texts {
            assert!(symbol != new && self.find(&text) == Some(symbol));
            assert_eq!(self.get(symbol), Some(&text[..]));
            if self.release(symbol) {
                assert_eq!((self.get(symbol), self.find(&text)), (None, None));
            }
        }
        assert!(self.release(new) && self.get(new).is_none());
        self.validate();
    }
}

impl Used for NameHash {
    fn used(self) {
        assert_eq!(Self::from_bits(self.to_bits()), self);
        let text = serde_json::to_string(&self).expect("it is saved");
        assert_eq!(serde_json::from_str::<Self>(&text).expect("it is loaded"), self);
    }
}

/// Keys that are to be removed, over objects of which some are there.
impl Used for RemovalQueue<Handle<u8>> {
    fn used(mut self) {
        let mut arena: Arena<u8> = (0..20).collect();
        let (all, pending) = (arena.len(), self.pending());
        let mut removed = 0;
        self.apply(|key| removed += usize::from(arena.remove(key).is_some()));
        assert!(removed <= pending && arena.len() == all - removed && self.pending() == 0);
        arena.validate();
    }
}

/// A container that was loaded with what refers to its values: no link is left of what is removed.
impl Used for Table<Arena<u8>, (Tree<Handle<u8>>, KeyList<Handle<u8>>)> {
    fn used(mut self) {
        self.validate();
        let new = self.try_insert(1).ok();
        for key in self.keys().collect::<Vec<_>>() {
            assert!(self.remove(key).is_some());
            let (tree, list) = self.observers();
            assert!(tree.parent(key).is_none() && list.iter().all(|other| other != key));
        }
        let (container, (tree, list)) = self.into_parts();
        container.validate();
        assert!(container.is_empty() && list.is_empty());
        assert!(new.is_none_or(|new| tree.children(new).next().is_none()));
    }
}

macro_rules! used_keys {
    ($($key:ty),*) => {$(
        impl Used for $key {
            fn used(self) {
                let mut arena = Arena::<u8, $key>::with_key();
                assert!(arena.get(self).is_none());
                let first = arena.insert(1);
                assert_eq!(arena.get(self).is_some(), self == first);
                arena.remove(first);
                assert!(arena.get(self).is_none());
                let text = serde_json::to_string(&self).expect("it is saved");
                assert_eq!(serde_json::from_str::<$key>(&text).expect("it is loaded"), self);
            }
        }
    )*};
}

used_keys!(Handle<u8>, Handle32<u8>, Serial<u8>);

impl Used for BareHandle<u8> {
    fn used(self) {
        assert!(Arena::<u8, Self>::with_key().get(self).is_none());
    }
}

/// A tree that was loaded, over objects of which some are there.
impl Used for Tree<Handle<u8>> {
    fn used(mut self) {
        let mut arena = Arena::<u8>::new();
        let keys: Vec<_> = (0..6).map(|number| arena.insert(number)).collect();
        for &key in &keys {
            assert!(self.descendants(key).take(1_000).count() < 1_000, "a walk goes round");
            assert!(self.ancestors(key).take(1_000).count() < 1_000, "a walk goes round");
            let _ = self.children(key).count();
        }
        self.retain_live(&arena);
        for &key in &keys {
            self.make_root(key);
        }
        let _ = self.append(&arena, keys[0], keys[1]);
        assert!(
            self.children(keys[0]).any(|child| child == keys[1]) || self.parent(keys[1]).is_none()
        );
    }
}

impl Used for KeyList<Handle<u8>> {
    fn used(mut self) {
        assert!(self.iter().take(10_000).count() < 10_000, "a walk goes round");
        while self.pop_front().is_some() {}
        assert!(self.iter().next().is_none());
    }
}

/// A head that was loaded, over objects that may be in its list, or in another.
impl Used for IntrusiveList<Handle<u8>> {
    fn used(mut self) {
        let (mut things, _) = crate::snapshots::listed(1, 8);
        let keys: Vec<_> = things.keys().collect();
        assert!(self.iter(&things).take(1_000).count() <= 8, "a walk goes round");
        let (before, was_whole) = (self.clone(), self.check(&things, &keys).is_ok());
        self.mend(&mut things, &keys);
        assert!(self.check(&things, &keys).is_ok());
        assert!(!was_whole || self == before);
        let new = things.insert(Link::new());
        self.push_back(&mut things, new).expect("it is in no list");
        assert_eq!(self.pop_back(&mut things), Some(new));
        while self.pop_front(&mut things).is_some() {}
        assert!(self.is_empty());
    }
}

impl Used for Buckets<Handle<u8>, 3> {
    fn used(self) {
        for bucket in 0..3 {
            let _ = self.iter(bucket).take(10_000).count();
        }
    }
}

macro_rules! used_indices {
    ($($index:ty),*) => {$(
        impl Used for $index {
            fn used(mut self) {
                self.validate();
                let mut arena = Arena::<u8>::new();
                arena.extend(0..20);
                self.retain_live(&arena);
                for key in arena.keys() {
                    let _ = self.remove(key);
                }
                assert!(self.is_empty());
                self.validate();
            }
        }
    )*};
}

used_indices! {
    UniqueIndex<u16, Handle<u8>>,
    MultiIndex<u16, Handle<u8>>,
    SortedIndex<u16, Handle<u8>>,
    GridIndex<Handle<u8>, 2>
}

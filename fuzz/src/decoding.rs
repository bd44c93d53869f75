//! Every decoder: arbitrary JSON and Postcard into every type that is loaded, texts into a pool, and arbitrary deltas
//! into a container. The loaded value is then used. (Files of snapshots, those of pools among them, have a target of
//! their own.)

use core::fmt::Debug;

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::key::{BareHandle, Serial};
use larder::maps::SparseSecondaryMap;
use larder::pools::{NameHash, StringPool};
use larder::track::{Replica, Revert, Table, Tracked};
use larder::trees::{Buckets, IntrusiveList, KeyList, Link, RemovalQueue};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, PagedArena, SecondaryMap, SoaArena, Tree,
};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer};

use crate::bytes::Bytes;
use crate::snapshots::Filled;
use crate::used::Used;

/// Loads a `T` from the bytes, as text or not, and uses it.
fn load<T: Used + DeserializeOwned>(data: &[u8], is_text: bool) {
    let loaded = if is_text {
        serde_json::from_slice::<T>(data).ok()
    } else {
        postcard::from_bytes(data).ok()
    };
    if let Some(loaded) = loaded {
        loaded.used();
    }
}

/// Interns one text after the other, until there is none.
fn load_texts(data: &[u8], is_text: bool) {
    fn intern<'de, D>(mut from: D)
    where
        for<'a> &'a mut D: Deserializer<'de>,
    {
        let mut pool = StringPool::new();
        while let Ok(symbol) = pool.seed_acquired().deserialize(&mut from) {
            assert!(pool.get(symbol).is_some());
        }
        pool.used();
    }

    if is_text {
        intern(serde_json::Deserializer::from_slice(data));
    } else {
        intern(postcard::Deserializer::from_bytes(data));
    }
}

/// Applies a delta whose header and checksum are right to a copy of a container: it is refused and changes nothing, or
/// the copy is whole. The bytes say all else, and with `has_mark` also which generations were issued.
fn apply<A>(data: &[u8], has_mark: bool)
where
    A: Revert<Value = u8> + Filled + Used + Clone + PartialEq + Debug,
{
    let objects: Arena<u8> = (0..20).collect();
    let mut bytes = Bytes::new(data);
    // (Its first byte chooses the order of reuse, which both have.)
    let mut there = Replica::new(A::filled(&mut Bytes::new(&data[..data.len().min(1)]), &objects));
    let mut here = Tracked::new(A::filled(&mut bytes, &objects));
    let mut publisher = here.publish(7).expect("there is memory");
    let mut next = || here.delta(&mut publisher).expect("there is memory");
    let (first, second) = (next(), next());
    assert_eq!(there.apply(&first), Ok(()));
    let mut forged = second[..if has_mark { 48 } else { 56 }].to_vec();
    if has_mark {
        forged.extend_from_slice(&bytes.long().to_le_bytes());
    }
    forged.extend_from_slice(&second[56..60]);
    forged.extend_from_slice(bytes.rest());
    forged.extend_from_slice(&crc32fast::hash(&forged).to_le_bytes());
    let applied = there.apply(&forged);
    let there = there.into_inner();
    assert!(applied.is_ok() || there == *here, "{applied:?}");
    there.used();
}

/// A table of the functions that load a type.
macro_rules! loaders {
    ($($type:ty),* $(,)?) => {
        [$(load::<$type> as fn(&[u8], bool)),*]
    };
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let loaders = loaders! {
        Arena<u8>,
        Arena<String, Handle32<String, 30>>,
        Arena<u8, Serial<u8>>,
        PagedArena<u8>,
        DenseArena<u8>,
        DenseArena<u8, Serial<u8>>,
        SecondaryMap<Handle<()>, u8>,
        SparseSecondaryMap<Handle<()>, u8>,
        Handle<u8>,
        Handle32<u8>,
        Serial<u8>,
        BareHandle<u8>,
        Tree<Handle<u8>>,
        KeyList<Handle<u8>>,
        Buckets<Handle<u8>, 3>,
        UniqueIndex<u16, Handle<u8>>,
        MultiIndex<u16, Handle<u8>>,
        SortedIndex<u16, Handle<u8>>,
        GridIndex<Handle<u8>, 2>,
        SoaArena<(u8, u64)>,
        DenseSoaArena<(u8, u64)>,
        Arena<bool, BareHandle<bool>>,
        DenseArena<char>,
        SoaArena<(u8, u64), Serial<()>>,
        StringPool,
        NameHash,
        RemovalQueue<Handle<u8>>,
        IntrusiveList<Handle<u8>>,
        Arena<Link<Handle<u8>>, Handle<u8>>,
        Table<Arena<u8>, (Tree<Handle<u8>>, KeyList<Handle<u8>>)>,
    };
    let others = [
        load_texts as fn(&[u8], bool),
        apply::<Arena<u8>>,
        apply::<Arena<u8, Serial<u8>>>,
        apply::<PagedArena<u8>>,
        apply::<DenseArena<u8>>,
        apply::<SparseSecondaryMap<Handle<u8>, u8>>,
    ];
    let loaders: Vec<_> = loaders.into_iter().chain(others).collect();
    let choice = bytes.byte();
    loaders[usize::from(choice >> 1) % loaders.len()](bytes.rest(), choice % 2 == 1);
}

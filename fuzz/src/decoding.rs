//! Every decoder: arbitrary JSON and Postcard into every type that is loaded, which is then used.

use larder::indices::{GridIndex, MultiIndex, SortedIndex, UniqueIndex};
use larder::key::{BareHandle, Serial};
use larder::maps::SparseSecondaryMap;
use larder::trees::{Buckets, KeyList};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, PagedArena, SecondaryMap, SoaArena, Tree,
};
use serde::de::DeserializeOwned;

use crate::bytes::Bytes;
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
    };
    let choice = bytes.byte();
    loaders[usize::from(choice >> 1) % loaders.len()](bytes.rest(), choice % 2 == 1);
}

//! Each type that holds or lends values can stand in for one of shorter-lived values, as a `Vec` can. Those that cannot give
//! the reason on their pages: `SoaArena`, `DenseSoaArena`, `Pool`, `ListPool` and `Table`.

use larder::containers::{ReattachError, arena, dense_arena, inline_arena, pool};
use larder::indices::{MultiIndex, Rejected, SortedIndex, SortedKeys, UniqueIndex};
use larder::key::{BareHandle, PtrHandle, Serial};
use larder::maps::{SecondaryInsertError, SparseSecondaryMap, secondary, sparse_secondary};
use larder::pools::list_pool::ListHandle;
use larder::pools::string_pool::StringPool;
use larder::snapshot::{Mapped, Snapshot};
use larder::track::{Changes, Subscriber};
use larder::trees::{
    Buckets, Cursor, Field, InsertionOrder, IntrusiveList, KeyList, Link, Links, RemovalQueue, Tree,
};
use larder::{
    Arena, DenseArena, Handle, Handle32, InlineArena, InsertError, PagedArena, SecondaryMap,
    containers::paged_arena,
};

type K = Handle<u8>;

/// Each of these types of a `&'static str` is one of a `&'a str`, too.
macro_rules! covariant {
    ($($type:ty),* $(,)?) => {$(
        const _: () = {
            type Of<T> = $type;
            #[expect(dead_code, reason = "it compiles")]
            fn shorter<'a>(of: Of<&'static str>) -> Of<&'a str> {
                of
            }
        };
    )*};
}

covariant![
    Arena<T, K>,
    Arena<T, BareHandle<u8>>,
    Arena<T, Serial<u8>>,
    PagedArena<T, K>,
    InlineArena<T, 3, K>,
    DenseArena<T, K>,
    Mapped<Arena<T, K>>,
    Field<Arena<T, K>, u8, u8>,
    Snapshot<T>,
    SecondaryMap<K, T>,
    SparseSecondaryMap<K, T>,
    StringPool<T>,
    InsertError<T>,
    ReattachError<T>,
    SecondaryInsertError<K, T>,
    Rejected<T, K>,
    UniqueIndex<T, K>,
    MultiIndex<T, K>,
    SortedIndex<T, K>,
    SortedIndex<u8, Handle<T>>,
    Handle<T>,
    Handle32<T>,
    BareHandle<T>,
    Serial<T>,
    PtrHandle<T>,
    ListHandle<T>,
    Links<Handle<T>>,
    Link<Handle<T>>,
    IntrusiveList<Handle<T>>,
    Tree<Handle<T>>,
    Buckets<Handle<T>, 4>,
    KeyList<Handle<T>>,
    RemovalQueue<Handle<T>>,
    InsertionOrder<Handle<T>>,
    Cursor<Handle<T>>,
    SortedKeys<Handle<T>>,
    Subscriber<Handle<T>>,
    Changes<'static, Handle<T>>,
    arena::Iter<'static, T, K>,
    arena::Keys<'static, T, K>,
    arena::Values<'static, T, K>,
    arena::IntoIter<T, K>,
    arena::IntoValues<T, K>,
    arena::Drain<'static, T, K>,
    paged_arena::Iter<'static, T, K>,
    paged_arena::IntoIter<T, K>,
    dense_arena::Iter<'static, T, K>,
    dense_arena::IntoIter<T, K>,
    inline_arena::Iter<'static, T, 3, K>,
    inline_arena::IntoIter<T, 3, K>,
    pool::Iter<'static, T, K>,
    secondary::Iter<'static, K, T>,
    secondary::IntoIter<K, T>,
    sparse_secondary::Iter<'static, K, T>,
    sparse_secondary::IntoIter<K, T>,
];

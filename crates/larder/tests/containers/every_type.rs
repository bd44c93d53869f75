//! The traits of every public type. Auto traits, with elements that have all, and with elements that lack some: each type
//! is compared with one of the standard library's that holds or lends its elements alike. A type that this file does not
//! name fails a test. Then those of walks, keys and errors, and which types can stand in for one of shorter-lived values.

use core::cell::Cell;
use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::iter::FusedIterator;
use core::marker::PhantomPinned;
use larder::containers::{Builder, GradualSort, ParIter, Pool, ReattachError};
use larder::indices::{
    BySome, GridIndex, IndexBy, KeyIndex, MultiIndex, Rejected, SortedIndex, SortedKeys,
    UniqueIndex,
    layout::{ByHash, Groups, InOrder, OnGrid, Pairs},
};
use larder::key::{BareHandle, PtrHandle, Serial};
use larder::maps::join::Join;
use larder::maps::{
    Entry, OccupiedEntry, SecondaryInsertError, SideMap, SparseSecondaryMap, VacantEntry,
    layout::Array, layout::Sparse, secondary, sparse_secondary,
};
use larder::parts::{Keys, Levels, Lists, LoadError, Loaded, Part, Points, Texts, Values};
use larder::pools::list_pool::{ListHandle, ListPool, ListStats};
use larder::pools::string_pool::{StringPool, StringStats, Symbol, SymbolSeed};
use larder::snapshot::{Mapped, Saver, Snapshot, SnapshotError, SnapshotErrorKind, Value};
use larder::soa::view::Same;
use larder::soa::{InLanes, Lanes, Live, Split};
use larder::track::{
    Change, Changes, Checkpoint, DeltaError, Holder, Lent, Objects, Position, Publisher, Refusal,
    Replica, SpentKeys, Subscriber, Table, TrackError, Tracked, Versioned,
};
use larder::trees::{
    Ancestors, Buckets, CheckError, Children, Cursor, Descendants, Field, InObjects,
    InsertionOrder, IntrusiveList, KeyList, Link, LinkError, LinkErrorKind, LinkKind, Links,
    ListError, Members, RemovalQueue, Traverse, Tree, Visit,
};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, InsertError, Key, PagedArena,
    SecondaryMap, Soa, SoaArena,
    containers::{arena, dense_arena, dense_soa_arena, inline_arena, paged_arena, pool, soa_arena},
};
use std::rc::Rc;
use std::sync::MutexGuard;

use larder_testing::auto_traits;

/// An element in columns, which is as `T` is.
#[derive(Soa)]
struct Row<T> {
    value: Option<T>,
}

/// The same in lanes.
#[derive(Soa)]
#[soa(lanes = 8)]
struct InLane<T> {
    value: Option<T>,
}

/// Keys that all types share, so that only elements make a difference.
type K = Handle<u8>;
/// A function, as it is kept by what filters and finds: it is `Send`, `Sync` and all the rest.
type F = fn(&u8) -> u8;

/// (A function, which is compiled once.)
#[track_caller]
fn expect(answers: &[bool], std: &[bool], name: &str) {
    assert_eq!(answers, std, "{name}");
}

/// Each of the types has the auto traits of the other.
macro_rules! as_std {
    ($std:ty: $($type:ty),* $(,)?) => {{
        let std = auto_traits!($std);
        $(expect(&auto_traits!($type), &std, stringify!($type));)*
    }};
}

/// Compares auto traits like [`as_std`], except unwind safety: other tests decide whether a value can be seen after a
/// panic.
macro_rules! sent_as_std {
    ($std:ty: $($type:ty),* $(,)?) => {{
        let std = auto_traits!($std);
        $(expect(&auto_traits!($type)[..3], &std[..3], stringify!($type));)*
    }};
}

fn is_walk<I: DoubleEndedIterator + ExactSizeIterator + FusedIterator>() {}

/// Shared walks can be cloned whatever they walk over.
fn is_shared_walk<I: DoubleEndedIterator + ExactSizeIterator + FusedIterator + Clone>() {}

/// The iterators and entries of a container.
macro_rules! module {
    ($module:ident, $element:ty, [$value:ty $(, $n:literal)?]) => {
        is_shared_walk::<$module::Iter<'static, $value, $($n,)? K>>();
        is_shared_walk::<$module::Keys<'static, $value, $($n,)? K>>();
        is_shared_walk::<$module::Values<'static, $value, $($n,)? K>>();
        is_walk::<$module::IterMut<'static, $value, $($n,)? K>>();
        is_walk::<$module::ValuesMut<'static, $value, $($n,)? K>>();
        as_std!(core::slice::Iter<'static, $element>:
            $module::Iter<'static, $value, $($n,)? K>,
            $module::Keys<'static, $value, $($n,)? K>,
            $module::Values<'static, $value, $($n,)? K>,
        );
        as_std!(core::slice::IterMut<'static, $element>:
            $module::IterMut<'static, $value, $($n,)? K>,
            $module::ValuesMut<'static, $value, $($n,)? K>,
        );
    };
}

macro_rules! owning_module {
    ($module:ident, $element:ty, $vec:ty, $into_iter:ty, [$value:ty $(, $n:literal)?]) => {
        module!($module, $element, [$value $(, $n)?]);
        is_walk::<$module::IntoIter<$value, $($n,)? K>>();
        is_walk::<$module::IntoValues<$value, $($n,)? K>>();
        is_walk::<$module::Drain<'static, $value, $($n,)? K>>();
        as_std!($into_iter:
            $module::IntoIter<$value, $($n,)? K>,
            $module::IntoValues<$value, $($n,)? K>,
        );
        // A drain of packed values has one of them at hand.
        let draining = [auto_traits!(&'static mut $vec)[0], auto_traits!(&'static mut $vec)[1]];
        assert_eq!(auto_traits!($module::Drain<'static, $value, $($n,)? K>)[..2], draining);
        sent_as_std!(&'static mut $vec:
            $module::ExtractIf<'static, $value, $($n,)? K, F>,
            $module::VacantEntry<'static, $value, $($n,)? K>,
        );
        sent_as_std!((&'static mut $vec, std::vec::IntoIter<$value>):
            $module::InsertMany<'static, $value, $($n,)? K, std::vec::IntoIter<$value>>,
        );
    };
}

macro_rules! module_of_map {
    ($module:ident, $value:ty, $vec:ty) => {
        as_std!(core::slice::Iter<'static, $value>:
            $module::Iter<'static, K, $value>,
            $module::Keys<'static, K, $value>,
            $module::Values<'static, K, $value>,
        );
        as_std!(core::slice::IterMut<'static, $value>:
            $module::IterMut<'static, K, $value>,
            $module::ValuesMut<'static, K, $value>,
        );
        as_std!(std::vec::IntoIter<$value>:
            $module::IntoIter<K, $value>,
            $module::IntoValues<K, $value>,
        );
        sent_as_std!(&'static mut $vec:
            $module::Drain<'static, K, $value>,
            $module::ExtractIf<'static, K, $value, F>,
        );
    };
}

macro_rules! types_of {
    ($($element:ty),* $(,)?) => {$({
        type T = $element;
        type Parts = Row<T>;

        // These types own elements.
        as_std!(Vec<T>:
            larder::containers::Slots<T, K>,
            larder::containers::Dense<T, K>,
            Arena<T, K>,
            Arena<T, BareHandle<T>>,
            Arena<T, Serial<T>>,
            PagedArena<T, K>,
            DenseArena<T, K>,
            SecondaryMap<K, T>,
            SparseSecondaryMap<K, T>,
            SideMap<K, T, Array<K, T>>,
            ListPool<T>,
            SoaArena<Row<T>, K>,
            DenseSoaArena<Row<T>, K>,
            DenseSoaArena<InLane<T>, K>,
            Tracked<Arena<T, K>>,
            Table<Arena<T, K>, Tree<K>>,
            Table<Arena<T, K>, (IndexBy<SortedIndex<u8, K>, F>, InObjects)>,
            Versioned<T>,
            Replica<Arena<T, K>>,
            Mapped<Arena<T, K>>,
            Field<Arena<T, K>, F, F>,
            Snapshot<T>,
            Value<T>,
            Values<T>,
            larder::parts::Pairs<K, T>,
            Lists<T>,
            Loaded<Values<T>>,
            InsertError<T>,
            ReattachError<T>,
            SecondaryInsertError<K, T>,
            Rejected<T, K>,
            InLanes<T, 4>,
        );
        as_std!(Vec<T>: larder::maps::BySlot<T>);
        as_std!(Box<T>: larder::past::Past<T, T>);
        as_std!([T; 9]: InlineArena<T, 9, K>);
        // A pool has a function of its user's, of which only this is demanded.
        sent_as_std!(Vec<T>: Pool<T, K>);

        // These types lend elements, or take them out.
        owning_module!(arena, T, Vec<T>, std::vec::IntoIter<T>, [T]);
        owning_module!(paged_arena, T, Vec<T>, std::vec::IntoIter<T>, [T]);
        owning_module!(dense_arena, T, Vec<T>, std::vec::IntoIter<T>, [T]);
        owning_module!(soa_arena, T, Vec<T>, std::vec::IntoIter<T>, [Parts]);
        owning_module!(dense_soa_arena, T, Vec<T>, std::vec::IntoIter<T>, [Parts]);
        owning_module!(inline_arena, T, [T; 9], core::array::IntoIter<T, 9>, [T, 9]);
        module!(pool, T, [T]);
        module_of_map!(secondary, T, Vec<T>);
        module_of_map!(sparse_secondary, T, Vec<T>);
        sent_as_std!(&'static mut Vec<T>:
            Objects<'static, Arena<T, K>>,
            Lent<'static, Arena<T, K>>,
            Holder<'static, Vec<T>>,
            pool::VacantEntry<'static, T, K>,
            Entry<'static, K, T>,
            OccupiedEntry<'static, K, T>,
            VacantEntry<'static, K, T>,
            Entry<'static, K, T, Sparse<K, T>>,
            OccupiedEntry<'static, K, T, Sparse<K, T>>,
            VacantEntry<'static, K, T, Sparse<K, T>>,
        );
        as_std!(core::slice::Iter<'static, T>:
            ParIter<arena::Iter<'static, T, K>>,
            soa_arena::Runs<'static, Parts>,
            soa_arena::Groups<'static, Parts>,
            soa_arena::Blocks<'static, InLane<T>, 8>,
            dense_soa_arena::Blocks<'static, InLane<T>, 8>,
        );
        as_std!(core::slice::IterMut<'static, T>:
            ParIter<arena::IterMut<'static, T, K>>,
            soa_arena::RunsMut<'static, Parts>,
            soa_arena::GroupsMut<'static, Parts>,
            soa_arena::BlocksMut<'static, InLane<T>, 8>,
            dense_soa_arena::BlocksMut<'static, InLane<T>, 8>,
        );
        sent_as_std!((&'static Arena<u8, K>, &'static T):
            Join<(&'static Arena<u8, K>, &'static SecondaryMap<K, T>)>,
            Join<(&'static Arena<u8, K>, &'static SparseSecondaryMap<K, T>)>,
            Join<(&'static DenseArena<T, K>, &'static Arena<u8, K>)>,
        );
        sent_as_std!((&'static Arena<u8, K>, &'static mut T):
            Join<(&'static Arena<u8, K>, &'static mut SecondaryMap<K, T>)>,
            Join<(&'static mut DenseArena<T, K>, &'static Arena<u8, K>)>,
        );

        // An inserter lends what it inserts while others insert: a value is sent, and shared.
        let both = auto_traits!(T)[..2] == [true; 2];
        assert_eq!(auto_traits!(arena::Inserter<'static, T, K>)[..2], [both, false]);
        assert_eq!(auto_traits!(paged_arena::Inserter<'static, T, K>)[..2], [both, false]);
        assert_eq!(auto_traits!(arena::SharedInserter<'static, T, K>)[..2], [both, both]);
        assert_eq!(auto_traits!(paged_arena::SharedInserter<'static, T, K>)[..2], [both, both]);

        // A property and what hashes it are kept as they are.
        as_std!(Vec<(T, K)>: SortedIndex<T, K>, KeyIndex<InOrder<T, K>>);
        as_std!(Vec<(T, K)>: Pairs<T, K>, Groups<T, K>, KeyIndex<ByHash<T, K>>);
        as_std!(Vec<(T, K, std::hash::RandomState)>:
            UniqueIndex<T, K, std::hash::RandomState>,
            MultiIndex<T, K, std::hash::RandomState>,
        );
        as_std!((Vec<K>, T):
            UniqueIndex<u8, K, T>,
            MultiIndex<u8, K, T>,
            StringPool<T>,
            IndexBy<SortedIndex<u8, K>, T>,
            BySome<T>,
        );
        sent_as_std!(&'static mut T: SymbolSeed<'static, T>);

        // A key is a number: what it is a key of makes no difference.
        as_std!(u8:
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
            Visit<Handle<T>>,
            LinkError<Handle<T>>,
            CheckError<Handle<T>>,
            ListError<Handle<T>>,
            SortedKeys<Handle<T>>,
            GridIndex<Handle<T>, 3>,
            OnGrid<Handle<T>, 3>,
            Subscriber<Handle<T>>,
            Changes<'static, Handle<T>>,
            Children<'static, Tree<Handle<T>>, Handle<T>>,
            Ancestors<'static, Tree<Handle<T>>, Handle<T>>,
            Descendants<'static, Tree<Handle<T>>, Handle<T>>,
            Traverse<'static, Tree<Handle<T>>, Handle<T>>,
            Members<'static, KeyList<Handle<T>>, Handle<T>>,
            Refusal<Handle<T>>,
            larder::maps::SecondaryInsertErrorKind<Handle<T>>,
        );
        // It makes containers, and has none.
        assert_eq!(auto_traits!(Builder<Arena<T, K>>)[..3], [true; 3]);
    })*};
}

#[test]
fn the_probe_tells_yes_from_no() {
    assert_eq!(auto_traits!(u8), [true; 5]);
    assert_eq!(auto_traits!(Rc<u8>)[..2], [false, false]);
    assert_eq!(auto_traits!(Cell<u8>), [true, false, true, true, false]);
}

#[test]
fn types_have_the_auto_traits_of_those_of_the_standard_library() {
    types_of![u8, Rc<u8>, Cell<u8>, MutexGuard<'static, u8>, &'static mut u8, PhantomPinned,];
}

#[test]
fn types_without_elements_have_all() {
    as_std!(u8:
        larder::Reuse,
        larder::TryReserveError,
        larder::containers::GetDisjointMutError,
        larder::containers::Stats,
        larder::containers::MemoryUsage,
        GradualSort,
        LinkErrorKind,
        LinkKind,
        InObjects,
        ListStats,
        StringStats,
        Symbol,
        larder::pools::NameHash,
        Change,
        Checkpoint,
        larder::past::Way,
        Publisher,
        DeltaError,
        Position,
        SpentKeys<K>,
        TrackError,
        Part,
        Keys<K>,
        Levels<K>,
        Points<K, 2>,
        Texts,
        LoadError,
        Lanes<4>,
        Split,
        Same,
    );
    as_std!(&'static u8: Live<'static>);
    // An error has a `std::io::Error`, or what a caller's code made; a saver lends containers
    // by what saves them.
    as_std!(std::io::Error: SnapshotError, SnapshotErrorKind);
    assert_eq!(auto_traits!(Saver<'static>)[..3], [false, false, true]);
}

/// Files of types that users cannot name.
const SEALS: [&str; 3] = ["indices/hashing.rs", "key/generation.rs", "maps/side_layout.rs"];

/// The public types, by the source: names after `pub struct` and `pub enum` where they are not hidden in a private module,
/// as those of `memory/`, of modules `raw` and of files of [`SEALS`], and those that say that they cannot be named.
#[test]
fn no_type_is_left_out() {
    /// Behind public traits that are sealed, and what macros of `larder` expand to.
    const NOT_NAMED: [&str; 3] = ["Options", "Sink", "Source"];
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let this = std::fs::read_to_string(here.join("tests/containers/every_type.rs")).unwrap();
    let (this, _) = this.split_once("\n// Variance.\n").unwrap();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let named: std::collections::HashSet<_> = this.split(|c| !is_word(c)).collect();
    let mut asked = 0;
    for (path, text) in larder_testing::common::library_files() {
        let is_hidden = path.split(['/', '.']).any(|part| part == "raw" || part == "memory");
        if is_hidden || SEALS.contains(&path.as_str()) {
            continue;
        }
        let mut is_nameable = true;
        for line in text.lines() {
            let line = line.trim_start();
            is_nameable &= !line.contains("unnameable_types");
            let public =
                line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "));
            let Some(rest) = public else { continue };
            if !core::mem::replace(&mut is_nameable, true) {
                continue;
            }
            let name = rest.split(|c| !is_word(c)).next().unwrap();
            asked += 1;
            assert!(
                named.contains(name) || NOT_NAMED.contains(&name),
                "{path}: the auto traits of `{name}` are not compared here"
            );
        }
    }
    assert!(asked > 80, "{asked}");
}

/// Keys have these traits whatever their marker lacks.
#[test]
fn keys_ask_nothing_of_their_marker() {
    fn is_key<K: Copy + Ord + Hash + Debug + Display + Send + Sync + Unpin + 'static>() {}
    struct Plain;
    is_key::<Handle<Plain>>();
    is_key::<Handle32<Plain, 24>>();
    is_key::<BareHandle<Plain>>();
    is_key::<Serial<Plain>>();
    is_key::<PtrHandle<Plain>>();
    assert_eq!(Handle::<Plain>::DANGLING, <Handle<Plain> as Key>::DANGLING);
}

/// Each error and each reason says in words what is wrong. (That they are errors is in `public-api.txt`.)
#[test]
fn errors_and_their_reasons_are_in_words() {
    use larder::TryReserveError;
    use larder::maps::SecondaryInsertErrorKind;

    type Id = Handle<u8>;

    let tenant = Id::from_bits(3 << 32 | 7).unwrap();
    let memory = || TryReserveError::Full { capacity: 2 };
    for (reason, words) in [
        (
            SecondaryInsertErrorKind::Stale { tenant },
            "the key is stale: its slot now holds a value of 7v3",
        ),
        (SecondaryInsertErrorKind::Dangling, "the key is dangling: no container issues it"),
        (SecondaryInsertErrorKind::Memory(memory()), &memory().to_string()),
    ] {
        assert_eq!(reason.to_string(), words);
        let whole = SecondaryInsertError { key: tenant, value: 1, reason }.to_string();
        assert!(whole.starts_with("value not inserted: "), "{whole}");
    }
    let kinds = [
        LinkErrorKind::Itself,
        LinkErrorKind::Descendant,
        LinkErrorKind::Missing,
        LinkErrorKind::TargetMissing,
        LinkErrorKind::TargetIsRoot,
        LinkErrorKind::Torn,
        LinkErrorKind::Memory(memory()),
    ];
    let words: std::collections::BTreeSet<_> = kinds.iter().map(ToString::to_string).collect();
    assert!(words.len() == kinds.len() && words.iter().all(|words| words.len() > 20), "{words:?}");
}

// Variance.

/// Each type that holds or lends values can stand in for one of shorter-lived values, as a `Vec` can. (Those that cannot
/// give the reason on their pages: `SoaArena`, `DenseSoaArena`, `Pool`, `ListPool` and `Table`.)
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

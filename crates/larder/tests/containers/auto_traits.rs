//! The properties of the types themselves: auto traits exactly as `Vec`'s, sizes, niches, bounds.

use core::cell::Cell;
use core::fmt::Debug;
use core::hash::Hash;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::panic::{RefUnwindSafe, UnwindSafe};
use larder::containers::arena::{Inserter, SharedInserter};
use larder::maps::join::Join;
use larder::{
    Arena, DenseArena, Handle, Handle32, InlineArena, Key, PagedArena, SecondaryMap,
    key::{BareHandle, PtrHandle, Serial},
    maps::SparseSecondaryMap,
};
use std::rc::Rc;
use std::sync::MutexGuard;

// Auto traits.

/// Answers whether a concrete type has a trait: an inherent constant, where the bound lets there be
/// one, goes before the one of [`Otherwise`].
pub(super) struct Probe<T: ?Sized>(PhantomData<T>);

pub(super) trait Otherwise {
    const SEND: bool = false;
    const SYNC: bool = false;
    const UNPIN: bool = false;
    const UNWIND_SAFE: bool = false;
    const REF_UNWIND_SAFE: bool = false;
}

impl<T: ?Sized> Otherwise for Probe<T> {}

impl<T: ?Sized + Send> Probe<T> {
    pub(super) const SEND: bool = true;
}

impl<T: ?Sized + Sync> Probe<T> {
    pub(super) const SYNC: bool = true;
}

impl<T: ?Sized + Unpin> Probe<T> {
    pub(super) const UNPIN: bool = true;
}

impl<T: ?Sized + UnwindSafe> Probe<T> {
    pub(super) const UNWIND_SAFE: bool = true;
}

impl<T: ?Sized + RefUnwindSafe> Probe<T> {
    pub(super) const REF_UNWIND_SAFE: bool = true;
}

/// The five answers for a type.
macro_rules! auto_traits {
    ($type:ty) => {
        [
            Probe::<$type>::SEND,
            Probe::<$type>::SYNC,
            Probe::<$type>::UNPIN,
            Probe::<$type>::UNWIND_SAFE,
            Probe::<$type>::REF_UNWIND_SAFE,
        ]
    };
}
pub(super) use auto_traits;

/// Containers and their iterators against `Vec` and its iterators.
macro_rules! assert_as_vec {
    ($($element:ty),* $(,)?) => {$(
        let vec = auto_traits!(Vec<$element>);
        assert_eq!(auto_traits!(Arena<$element>), vec);
        assert_eq!(auto_traits!(Arena<$element, BareHandle<$element>>), vec);
        assert_eq!(auto_traits!(Arena<$element, Serial<$element>>), vec);
        assert_eq!(auto_traits!(PagedArena<$element>), vec);
        assert_eq!(auto_traits!(PagedArena<$element, BareHandle<$element>>), vec);
        assert_eq!(auto_traits!(DenseArena<$element>), vec);
        assert_eq!(auto_traits!(SecondaryMap<Handle<u8>, $element>), vec);
        assert_eq!(auto_traits!(SecondaryMap<BareHandle<$element>, $element>), vec);
        assert_eq!(auto_traits!(SparseSecondaryMap<Handle<$element>, $element>), vec);
        assert_eq!(auto_traits!(larder::pools::ListPool<$element>), vec);
        assert_eq!(auto_traits!(InlineArena<$element, 9>), auto_traits!([$element; 9]));
        assert_eq!(
            auto_traits!(larder::containers::inline_arena::IterMut<'static, $element, 9, Handle<$element>>),
            auto_traits!(core::slice::IterMut<'static, $element>)
        );
        assert_eq!(
            auto_traits!(larder::containers::inline_arena::Iter<'static, $element, 9, Handle<$element>>),
            auto_traits!(core::slice::Iter<'static, $element>)
        );
        assert_eq!(auto_traits!(DenseArena<$element, Handle32<$element>>), vec);

        let shared = auto_traits!(core::slice::Iter<'static, $element>);
        assert_eq!(auto_traits!(larder::containers::arena::Iter<'static, $element, Handle<$element>>), shared);
        assert_eq!(auto_traits!(larder::containers::paged_arena::Iter<'static, $element, Handle<$element>>), shared);
        assert_eq!(auto_traits!(larder::containers::dense_arena::Iter<'static, $element, Handle<$element>>), shared);
        let unique = auto_traits!(core::slice::IterMut<'static, $element>);
        assert_eq!(auto_traits!(larder::containers::arena::IterMut<'static, $element, Handle<$element>>), unique);
        assert_eq!(auto_traits!(larder::containers::paged_arena::IterMut<'static, $element, Handle<$element>>), unique);
        assert_eq!(auto_traits!(larder::containers::dense_arena::IterMut<'static, $element, Handle<$element>>), unique);
        let owning = auto_traits!(std::vec::IntoIter<$element>);
        assert_eq!(auto_traits!(larder::containers::arena::IntoIter<$element, Handle<$element>>), owning);
        assert_eq!(auto_traits!(larder::containers::paged_arena::IntoIter<$element, Handle<$element>>), owning);
        assert_eq!(auto_traits!(larder::containers::dense_arena::IntoIter<$element, Handle<$element>>), owning);
        let draining = auto_traits!(std::vec::Drain<'static, $element>);
        assert_eq!(auto_traits!(larder::containers::arena::Drain<'static, $element, Handle<$element>>)[..2], draining[..2]);
        assert_eq!(auto_traits!(larder::containers::paged_arena::Drain<'static, $element, Handle<$element>>)[..2], draining[..2]);
        assert_eq!(auto_traits!(larder::containers::dense_arena::Drain<'static, $element, Handle<$element>>)[..2], draining[..2]);
    )*};
}

#[test]
fn the_probe_tells_yes_from_no() {
    assert_eq!(auto_traits!(u8), [true; 5]);
    assert_eq!(auto_traits!(Rc<u8>)[..2], [false, false]);
    assert_eq!(auto_traits!(Cell<u8>), [true, false, true, true, false]);
}

#[test]
fn auto_traits_are_those_of_vec() {
    assert_as_vec![
        u8,
        String,
        Rc<u8>,
        Cell<u8>,
        MutexGuard<'static, u8>,
        *const u8,
        Box<dyn Fn() + Send>,
        &'static Cell<u8>,
        core::marker::PhantomPinned,
        &'static mut u8,
    ];
}

/// A key is data: what it is a key of does not matter.
#[test]
fn keys_have_all_auto_traits() {
    assert_eq!(auto_traits!(Handle<Rc<u8>>), [true; 5]);
    assert_eq!(auto_traits!(Handle32<Cell<u8>>), [true; 5]);
    assert_eq!(auto_traits!(BareHandle<*mut u8>), [true; 5]);
    assert_eq!(auto_traits!(Serial<MutexGuard<'static, u8>>), [true; 5]);
    assert_eq!(auto_traits!(PtrHandle<Rc<u8>>), [true; 5]);
    assert_eq!(auto_traits!(larder::pools::list_pool::ListHandle<Rc<u8>>), [true; 5]);
}

/// Inserters lend what they insert: whoever gets one on another thread shares values with the first.
/// A join is sent as the references are that it was made of.
#[test]
fn joins_are_sent_as_their_references() {
    type Lent<'a, T> = Join<(&'a Arena<u8, Handle<u8>>, &'a SecondaryMap<Handle<u8>, T>)>;
    type LentOut<'a, T> = Join<(&'a Arena<u8, Handle<u8>>, &'a mut SecondaryMap<Handle<u8>, T>)>;
    assert_eq!(auto_traits!(Lent<'static, u8>)[..2], [true, true]);
    assert_eq!(auto_traits!(Lent<'static, Cell<u8>>)[..2], [false, false]);
    assert_eq!(auto_traits!(LentOut<'static, Cell<u8>>)[..2], [true, false]);
    assert_eq!(auto_traits!(LentOut<'static, Rc<u8>>)[..2], [false, false]);
}

#[test]
fn inserters_are_for_values_that_are_sent_and_shared() {
    macro_rules! inserters {
        ($element:ty) => {
            [
                auto_traits!(Inserter<'static, $element, Handle<$element>>),
                auto_traits!(SharedInserter<'static, $element, BareHandle<$element>>),
            ]
            .map(|[send, sync, ..]| [send, sync])
        };
    }

    assert_eq!(inserters!(String), [[true, false], [true, true]]);
    assert_eq!(inserters!(Cell<u8>), [[false; 2]; 2]); // not Sync
    assert_eq!(inserters!(MutexGuard<'static, u8>), [[false; 2]; 2]); // not Send
    assert_eq!(inserters!(Rc<u8>), [[false; 2]; 2]);
    assert_eq!(inserters!(*const u8), [[false; 2]; 2]);
    assert_eq!(inserters!(&'static Cell<u8>), [[false; 2]; 2]);
}

// Sizes and niches.

#[test]
fn sizes_and_niches() {
    const fn sizes<K>() -> [usize; 2] {
        [size_of::<K>(), size_of::<Option<K>>()]
    }

    type Large = [u64; 100];
    assert_eq!((sizes::<Handle<Large>>(), align_of::<Handle<Large>>()), ([8, 8], 8));
    assert_eq!((sizes::<Handle32<Large>>(), align_of::<Handle32<Large>>()), ([4, 4], 4));
    assert_eq!((sizes::<BareHandle<Large>>(), align_of::<BareHandle<Large>>()), ([4, 4], 4));
    assert_eq!(sizes::<Serial<Large>>(), [16, 16]);
    assert_eq!(sizes::<PtrHandle<Large>>(), [2 * size_of::<usize>(); 2]);
    assert_eq!(size_of::<Option<Arena<Large>>>(), size_of::<Arena<Large>>());
    assert_eq!(size_of::<Option<PagedArena<Large>>>(), size_of::<PagedArena<Large>>());
    assert_eq!(size_of::<Option<DenseArena<Large>>>(), size_of::<DenseArena<Large>>());
}

// Traits that keys have whatever their marker lacks.

fn is_key<K: Copy + Ord + Hash + Debug + core::fmt::Display + Send + Sync + Unpin + 'static>() {}

#[test]
fn keys_ask_nothing_of_their_marker() {
    struct Plain;
    is_key::<Handle<Plain>>();
    is_key::<Handle32<Plain, 24>>();
    is_key::<BareHandle<Plain>>();
    is_key::<Serial<Plain>>();
    is_key::<PtrHandle<Plain>>();
    assert_eq!(Handle::<Plain>::DANGLING, <Handle<Plain> as Key>::DANGLING);
}

// Traits of iterators.

struct NotClone;

fn is_walk<I: DoubleEndedIterator + ExactSizeIterator + FusedIterator>(walk: I) -> I {
    walk
}

fn is_shared_walk<I>(walk: I) -> I
where
    I: DoubleEndedIterator + ExactSizeIterator + FusedIterator + Clone,
{
    walk
}

/// Shared walks can be cloned whatever they walk over; all walks are exact, fused, double-ended.
macro_rules! walks_of {
    ($container:ident) => {{
        let mut subject = $container::<NotClone>::new();
        subject.insert(NotClone);
        assert_eq!(is_shared_walk(subject.iter()).clone().len(), 1);
        assert_eq!(is_shared_walk(subject.keys()).clone().len(), 1);
        assert_eq!(is_shared_walk(subject.values()).clone().len(), 1);
        assert_eq!(is_shared_walk((&subject).into_iter()).clone().len(), 1);
        assert_eq!(is_walk(subject.iter_mut()).len(), 1);
        assert_eq!(is_walk(subject.values_mut()).len(), 1);
        assert_eq!(is_walk((&mut subject).into_iter()).len(), 1);
        assert_eq!(subject.insert_many([NotClone]).len(), 1);
        assert_eq!(is_walk(subject.drain()).len(), 2);
        assert_eq!(is_walk(subject.into_iter()).len(), 0);
        assert_eq!(is_walk($container::<NotClone>::new().into_values()).len(), 0);
    }};
}

#[test]
fn walks_are_exact_fused_double_ended_and_cloneable() {
    walks_of!(Arena);
    walks_of!(PagedArena);
    walks_of!(DenseArena);
}

/// A container of shorter-lived values can stand in for one of longer-lived ones, as a `Vec` can.
#[test]
fn containers_are_covariant() {
    fn shorter<'a>(
        arena: Arena<&'static str, BareHandle<u8>>,
        _: &'a str,
    ) -> Arena<&'a str, BareHandle<u8>> {
        arena
    }
    fn shorter_dense<'a>(
        dense: DenseArena<&'static str, BareHandle<u8>>,
        _: &'a str,
    ) -> DenseArena<&'a str, BareHandle<u8>> {
        dense
    }

    fn shorter_paged<'a>(
        paged: PagedArena<&'static str, BareHandle<u8>>,
        _: &'a str,
    ) -> PagedArena<&'a str, BareHandle<u8>> {
        paged
    }
    fn shorter_inline<'a>(
        inline: InlineArena<&'static str, 3, BareHandle<u8>>,
        _: &'a str,
    ) -> InlineArena<&'a str, 3, BareHandle<u8>> {
        inline
    }
    fn shorter_walk<'a, 'b>(
        walk: larder::containers::paged_arena::Iter<'a, &'static str, BareHandle<u8>>,
        _: &'b str,
    ) -> larder::containers::paged_arena::Iter<'a, &'b str, BareHandle<u8>> {
        walk
    }

    let local = String::from("local");
    let mut paged = shorter_paged(PagedArena::with_key(), &local);
    let key = paged.insert(&local);
    assert_eq!(paged[key], "local");
    let lasting = PagedArena::<&'static str, BareHandle<u8>>::with_key();
    assert_eq!(shorter_walk(lasting.iter(), &local).count(), 0);
    let mut inline = shorter_inline(InlineArena::with_key(), &local);
    let key = inline.insert(&local);
    assert_eq!(inline[key], "local");
    let mut arena = shorter(Arena::with_key(), &local);
    let key = arena.insert(&local);
    assert_eq!(arena[key], "local");
    let mut dense = shorter_dense(DenseArena::with_key(), &local);
    let key = dense.insert(&local);
    assert_eq!(dense[key], "local");
}

/// Each error and each reason says in words what is wrong, and can be boxed as an error.
#[test]
fn errors_and_their_reasons_are_errors() {
    use core::error::Error;

    use larder::containers::{GetDisjointMutError, InsertError, ReattachError, TryReserveError};
    use larder::indices::{IndexError, Rejected};
    use larder::maps::{SecondaryInsertError, SecondaryInsertErrorKind};
    use larder::snapshot::{SnapshotError, SnapshotErrorKind};
    use larder::track::{DeltaError, TrackError};
    use larder::trees::{CheckError, LinkError, LinkErrorKind, ListError};

    type Id = Handle<u8>;

    fn are_errors<E: Error>() {}
    are_errors::<TryReserveError>();
    are_errors::<GetDisjointMutError>();
    are_errors::<InsertError<u8>>();
    are_errors::<ReattachError<u8>>();
    are_errors::<SecondaryInsertError<Id, u8>>();
    are_errors::<SecondaryInsertErrorKind<Id>>();
    are_errors::<IndexError<Id>>();
    are_errors::<Rejected<u8, Id>>();
    are_errors::<LinkError<Id>>();
    are_errors::<LinkErrorKind>();
    are_errors::<ListError<Id>>();
    are_errors::<CheckError<Id>>();
    are_errors::<TrackError>();
    are_errors::<DeltaError>();
    are_errors::<SnapshotError>();
    are_errors::<SnapshotErrorKind>();

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

//! The messages of panics. Each is one cold function that names the container, what happened, and what the caller can
//! check.

use core::any::type_name;
use core::fmt::Display;

use crate::error::{Count, TryReserveError};
use crate::key::Key;
#[cfg(feature = "alloc")]
use crate::room::name_of;

/// The contents of a slot, for a key that has no value.
#[expect(unnameable_types, missing_debug_implementations, reason = "part of a seal")]
pub enum Found<K> {
    /// The value of this key.
    Live(K),
    /// Nothing: it is kept for this key.
    Detached(K),
    /// Nothing, and never again anything.
    Retired,
    /// Nothing.
    Free,
    /// The slot was never in use.
    Unused { slots: usize },
    /// The slot has not had the key's generation yet.
    Younger,
}

/// A container as users name it: by its layout's name, and the type of its values.
pub(crate) struct Named(pub &'static str, pub &'static str);

impl Display for Named {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}<{}>", self.0, self.1)
    }
}

/// Rows that cannot be filed in an index, or that another observer refuses.
#[cfg(feature = "track")]
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn not_filed<C>(reason: &impl Display) -> ! {
    panic!("{}: the rows cannot be filed: {reason}", name_of::<C>())
}

/// Panics as [`room::refused`](crate::room::refused) does, with the name of the container as a value.
#[track_caller]
pub(crate) fn refused_by(container: &dyn Display, reason: &TryReserveError) -> ! {
    panic!("{container}: {reason}")
}

/// Containers and inserters, which panic under the name by which users know them where there is no room.
pub(crate) trait Grants {
    /// The values, whose type is part of the name.
    type Of;

    const NAME: &'static str;

    /// The answer; a failed allocation is a panic, at the caller's line.
    #[inline(always)]
    #[track_caller]
    fn granted<R>(result: Result<R, TryReserveError>) -> R {
        match result {
            Ok(answer) => answer,
            Err(reason) => Self::refused(&reason),
        }
    }

    /// The panic of a failed allocation.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn refused(reason: &TryReserveError) -> ! {
        refused_by(&Named(Self::NAME, type_name::<Self::Of>()), reason)
    }
}

/// Something was asked that only memory that stays can answer.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn may_move(container: &dyn Display) -> ! {
    panic!(
        "{container}: pointer handles need values that never move, and in a pool values that are not zero-sized: \
         make the container `fixed` or `reserved`, call `into_fixed`, or use a `PagedArena`"
    )
}

/// The caller's scratch for temporary columns has not even room for one value.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn scratch_too_small(missing: usize) -> ! {
    panic!("gather: the scratch is too small for one value: {} missing", Count(missing, "byte"))
}

/// A key without a value was used where there must be one.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_value<K: Key>(container: &dyn Display, key: K, found: &Found<K>) -> ! {
    let slot = key.slot();
    if key.is_dangling() {
        panic!("{container}: the key is dangling: it names no value in any container");
    }
    match found {
        Found::Live(tenant) => {
            panic!("{container}: key {key:?} is stale: slot {slot} now holds {tenant:?}")
        }
        Found::Free => panic!("{container}: key {key:?} is stale: slot {slot} is free"),
        Found::Detached(kept) if *kept == key => {
            panic!("{container}: key {key:?} has no value: it is detached")
        }
        Found::Detached(kept) => {
            panic!("{container}: key {key:?} is stale: slot {slot} is kept for {kept:?}")
        }
        Found::Retired => {
            panic!(
                "{container}: key {key:?} is stale: slot {slot} is retired, its generations used up"
            )
        }
        Found::Unused { slots } => {
            panic!(
                "{container}: key {key:?} is foreign: slot {slot} was never used ({slots} slots)"
            )
        }
        Found::Younger => {
            panic!("{container}: key {key:?} is foreign: it was not issued by this container")
        }
    }
}

/// A key without an entry was used where there must be one; `tenant` has one in its slot.
#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_entry<C, K: Key>(key: K, tenant: Option<K>) -> ! {
    let (map, slot) = (name_of::<C>(), key.slot());
    if key.is_dangling() {
        panic!("{map}: the key is dangling: nothing is inserted under it");
    }
    match tenant {
        None => panic!("{map}: nothing was inserted for key {key:?}: slot {slot} is empty"),
        Some(tenant) if key.is_older_than(tenant) => {
            panic!("{map}: key {key:?} is stale: slot {slot} now holds {tenant:?}")
        }
        Some(tenant) => panic!(
            "{map}: nothing was inserted for key {key:?}: slot {slot} still holds {tenant:?}, \
             which is stale"
        ),
    }
}

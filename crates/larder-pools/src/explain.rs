//! The messages of panics. Each is one cold function that names the pool, and what happened.

use core::fmt::Display;

use larder_core::room::name_of;

/// A list was used that this pool does not have.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_list<C>(list: impl Display, is_foreign: bool) -> ! {
    let why = if is_foreign { "of another pool, or was freed long ago" } else { "freed" };
    panic!("{}: list {list} is {why}", name_of::<C>())
}

/// An index that is out of range for a list.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_position<C>(index: usize, len: usize) -> ! {
    let values = if len == 1 { "value" } else { "values" };
    panic!("{}: index {index} is out of range for a list of {len} {values}", name_of::<C>())
}

/// A range that starts after its end.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_range<C>(start: usize, end: usize) -> ! {
    panic!("{}: positions {start}..{end} of a list: the range starts after its end", name_of::<C>())
}

/// A symbol was used that has no text in this pool.
#[cfg(feature = "hashbrown")]
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_text(symbol: impl Display) -> ! {
    panic!(
        "StringPool: symbol {symbol} has no text: it was released or cleared, or is of another pool"
    )
}

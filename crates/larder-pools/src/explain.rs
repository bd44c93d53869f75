//! The messages of panics. Each is one cold function that names the pool, and what happened.

use core::fmt::Display;

use larder_core::room::refused;

/// A list was used that this pool does not have.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_list<C>(list: impl Display, is_foreign: bool) -> ! {
    let why = if is_foreign { "of another pool, or was freed long ago" } else { "freed" };
    refused::<C>(&format_args!("list {list} is {why}"))
}

/// An index that is out of range for a list.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_position<C>(index: usize, len: usize) -> ! {
    let values = if len == 1 { "value" } else { "values" };
    refused::<C>(&format_args!("index {index} is out of range for a list of {len} {values}"))
}

/// A range that starts after its end.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_range<C>(start: usize, end: usize) -> ! {
    refused::<C>(&format_args!(
        "positions {start}..{end} of a list: the range starts after its end"
    ))
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

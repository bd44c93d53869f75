//! The messages of panics. Each is one cold function that names the pool, and what happened.

use core::any::type_name;
use core::fmt::{self, Display};

use crate::TryReserveError;

/// `ListPool<u8>` of `larder::pools::list_pool::ListPool<u8>`.
fn short_name<C: ?Sized>() -> impl Display {
    struct Short(&'static str);

    impl Display for Short {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let path = self.0.split('<').next().unwrap_or_default();
            let name = path.rsplit("::").next().unwrap_or_default();
            write!(f, "{name}{}", &self.0[path.len()..])
        }
    }

    Short(type_name::<C>())
}

/// No room for a value.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn refused<C: ?Sized>(reason: &TryReserveError) -> ! {
    panic!("{}: {reason}", short_name::<C>())
}

/// The answer; a failed allocation is a panic, at the caller's line.
#[inline(always)]
#[track_caller]
pub(crate) fn granted<C: ?Sized, R>(result: Result<R, TryReserveError>) -> R {
    match result {
        Ok(answer) => answer,
        Err(reason) => refused::<C>(&reason),
    }
}

/// A list was used that this pool does not have.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_list<C>(list: impl Display, is_foreign: bool) -> ! {
    let why = if is_foreign { "of another pool, or was freed long ago" } else { "freed" };
    panic!("{}: list {list} is {why}", short_name::<C>())
}

/// An index that is out of range for a list.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_position<C>(index: usize, len: usize) -> ! {
    let values = if len == 1 { "value" } else { "values" };
    panic!("{}: index {index} is out of range for a list of {len} {values}", short_name::<C>())
}

/// A range that starts after its end.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_range<C>(start: usize, end: usize) -> ! {
    panic!(
        "{}: positions {start}..{end} of a list: the range starts after its end",
        short_name::<C>()
    )
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

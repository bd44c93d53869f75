//! The messages of panics. Each is one cold function that names the index, and what happened.

use core::any::type_name;
use core::fmt::{self, Display};

use crate::TryReserveError;

/// `SortedKeys<my::Key>` of `larder::indices::sorted_keys::SortedKeys<my::Key>`.
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

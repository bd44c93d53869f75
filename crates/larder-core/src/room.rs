//! Room for what a structure consists of: a failed allocation is an error, or a panic that names the structure.
//!
//! The maps, trees, indices and pools of this library keep their numbers in vectors, for which they make room so.
//! Structures of a program's own can, too: then they have `try_` methods that return an error and change nothing, and
//! others that panic with the same message.
//!
//! # Examples
//! ```
//! use larder::{Handle, TryReserveError, room};
//!
//! /// The keys that were selected last.
//! struct Selected<T>(Vec<Handle<T>>);
//!
//! impl<T> Selected<T> {
//!     fn try_add(&mut self, key: Handle<T>) -> Result<(), TryReserveError> {
//!         room::reserve(&mut self.0, 1)?;
//!         self.0.push(key);
//!         Ok(())
//!     }
//!
//!     fn add(&mut self, key: Handle<T>) {
//!         room::granted::<Self, _>(self.try_add(key));
//!     }
//! }
//!
//! let mut selected = Selected(Vec::new());
//! selected.add(larder::Arena::new().insert("wren"));
//! assert_eq!(selected.0.len(), 1);
//! ```

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt::{self, Display};

use crate::error::TryReserveError;

/// Makes room for this many more elements, and for later ones, as `Vec::try_reserve` does. Amortised O(1) for each.
///
/// # Errors
/// If allocation fails. The vector is as it was.
///
/// # Examples
/// ```
/// use larder::{TryReserveError, room};
///
/// let mut numbers = vec![1_u32];
/// room::reserve(&mut numbers, 7)?;
/// assert!(numbers.capacity() >= 8);
///
/// let refused = room::reserve(&mut numbers, usize::MAX / 4).unwrap_err();
/// assert!(matches!(refused, TryReserveError::AllocRefused { .. }));
/// # Ok::<(), TryReserveError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn reserve<E>(vec: &mut Vec<E>, additional: usize) -> Result<(), TryReserveError> {
    let bytes = additional.saturating_mul(size_of::<E>());
    vec.try_reserve(additional).map_err(|_| TryReserveError::AllocRefused { bytes })
}

/// Makes room for this many more elements, and for no others. O(elements).
///
/// # Errors
/// If allocation fails. The vector is as it was.
///
/// # Examples
/// ```
/// let mut numbers = Vec::<u32>::new();
/// larder::room::reserve_exact(&mut numbers, 5)?;
/// assert_eq!(numbers.capacity(), 5);
/// # Ok::<(), larder::TryReserveError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn reserve_exact<E>(vec: &mut Vec<E>, additional: usize) -> Result<(), TryReserveError> {
    let bytes = additional.saturating_mul(size_of::<E>());
    vec.try_reserve_exact(additional).map_err(|_| TryReserveError::AllocRefused { bytes })
}

/// Copies elements. O(elements).
///
/// # Errors
/// If allocation fails.
///
/// # Examples
/// ```
/// assert_eq!(larder::room::copy(&[1, 2, 3])?, [1, 2, 3]);
/// # Ok::<(), larder::TryReserveError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn copy<E: Copy>(of: &[E]) -> Result<Vec<E>, TryReserveError> {
    let mut copy = Vec::new();
    reserve_exact(&mut copy, of.len())?;
    copy.extend_from_slice(of);
    Ok(copy)
}

/// Gives back the room beyond the elements; it stays if allocation fails, for which `Vec::shrink_to_fit` ends the
/// program. O(elements).
///
/// # Examples
/// ```
/// let mut numbers = Vec::with_capacity(100);
/// numbers.push(7);
/// larder::room::shrink(&mut numbers);
/// assert_eq!((numbers.len(), numbers.capacity()), (1, 1));
/// ```
#[cfg(feature = "alloc")]
pub fn shrink<E: Copy>(vec: &mut Vec<E>) {
    let mut fitting = Vec::new();
    if vec.capacity() > vec.len() && fitting.try_reserve_exact(vec.len()).is_ok() {
        fitting.extend_from_slice(vec);
        *vec = fitting;
    }
}

/// Returns the error of a hash table that has no room for `requested` entries, of at most `max`. O(1).
///
/// # Examples
/// ```
/// use larder::{TryReserveError, room};
///
/// let mut table = hashbrown::HashTable::<u8>::new();
/// let refused = table.try_reserve(usize::MAX, |_| 0).unwrap_err();
/// let refused = room::of_table(refused, usize::MAX, 1 << 20);
/// assert_eq!(refused, TryReserveError::CapacityOverflow { requested: usize::MAX, max: 1 << 20 });
/// ```
#[cfg(feature = "hashbrown")]
#[must_use]
pub fn of_table(
    reason: hashbrown::TryReserveError,
    requested: usize,
    max: usize,
) -> TryReserveError {
    match reason {
        hashbrown::TryReserveError::AllocError { layout } => {
            TryReserveError::AllocRefused { bytes: layout.size() }
        }
        hashbrown::TryReserveError::CapacityOverflow => {
            TryReserveError::CapacityOverflow { requested, max }
        }
    }
}

/// Returns the answer of a structure of type `C`, which had room. O(1).
///
/// # Panics
/// If it had none, as [`refused`] does, at the caller's line.
///
/// # Examples
/// ```
/// use larder::{TryReserveError, room};
///
/// let mut numbers = Vec::<u8>::new();
/// room::granted::<Vec<u8>, _>(room::reserve(&mut numbers, 9));
///
/// let overflow = TryReserveError::AllocRefused { bytes: 9 };
/// let panic = std::panic::catch_unwind(|| room::granted::<Vec<u8>, ()>(Err(overflow)));
/// let message = panic.unwrap_err().downcast::<String>().unwrap();
/// assert!(message.starts_with("Vec<u8>: "), "{message}");
/// ```
#[inline(always)]
#[track_caller]
pub fn granted<C: ?Sized, R>(result: Result<R, TryReserveError>) -> R {
    match result {
        Ok(answer) => answer,
        Err(reason) => refused::<C>(&reason),
    }
}

/// Panics with the [name](name_of) of a structure of type `C`, and the reason why it has no room.
///
/// # Panics
/// Always, at the caller's line.
///
/// # Examples
/// ```
/// use larder::{TryReserveError, room};
///
/// let refused = || room::refused::<Vec<u8>>(&TryReserveError::Full { capacity: 2 });
/// let message = std::panic::catch_unwind(refused).unwrap_err().downcast::<String>().unwrap();
/// assert!(message.starts_with("Vec<u8>: the container is full"), "{message}");
/// ```
#[cold]
#[inline(never)]
#[track_caller]
pub fn refused<C: ?Sized>(reason: &TryReserveError) -> ! {
    // (Reasons of any type would be lent as `dyn Display`, which costs its callers instructions where nothing is
    // refused.)
    panic!("{}: {reason}", name_of::<C>())
}

/// Returns the name of a type as users know it, for messages: without modules, with its parameters. O(1).
///
/// # Examples
/// ```
/// use larder::room::name_of;
///
/// assert_eq!(name_of::<Option<&String>>().to_string(), "Option<&String>");
/// ```
#[must_use]
pub fn name_of<C: ?Sized>() -> impl Display {
    struct Name(&'static str);

    impl Display for Name {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let ends_path = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
            self.0.split_inclusive(ends_path).try_for_each(|path| {
                f.write_str(&path[path.rfind("::").map_or(0, |before| before + 2)..])
            })
        }
    }

    Name(type_name::<C>())
}

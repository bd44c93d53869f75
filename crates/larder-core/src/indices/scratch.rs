//! Filling vectors; a failed allocation is an error.

use alloc::vec::Vec;

use crate::TryReserveError;

/// Replaces the contents of a vector. If allocation fails, or `from` panics, it has some of the elements.
pub(crate) fn fill<E>(
    vec: &mut Vec<E>,
    from: impl Iterator<Item = E>,
) -> Result<(), TryReserveError> {
    vec.clear();
    reserve(vec, from.size_hint().0)?;
    for element in from {
        if vec.len() == vec.capacity() {
            reserve(vec, 1)?;
        }
        vec.push(element);
    }
    Ok(())
}

/// Makes room for this many more elements.
pub(crate) fn reserve<E>(vec: &mut Vec<E>, additional: usize) -> Result<(), TryReserveError> {
    let bytes = additional.saturating_mul(size_of::<E>());
    vec.try_reserve(additional).map_err(|_| TryReserveError::AllocRefused { bytes })
}

/// Makes room for this many more elements, and for no others.
pub(crate) fn reserve_exact<E>(vec: &mut Vec<E>, additional: usize) -> Result<(), TryReserveError> {
    let bytes = additional.saturating_mul(size_of::<E>());
    vec.try_reserve_exact(additional).map_err(|_| TryReserveError::AllocRefused { bytes })
}

/// Gives back the room beyond the elements. If allocation fails, it stays.
pub(crate) fn shrink<E: Copy>(vec: &mut Vec<E>) {
    let mut fitting = Vec::new();
    if vec.capacity() > vec.len() && fitting.try_reserve_exact(vec.len()).is_ok() {
        fitting.extend_from_slice(vec);
        *vec = fitting;
    }
}

/// Returns the error of a hash table that has no room for `requested` entries, of at most `max`.
#[cfg(feature = "hashbrown")]
pub(crate) fn no_room(
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

//! Filling vectors; a failed allocation is an error.

use alloc::vec::Vec;

use crate::TryReserveError;

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

/// A copy of elements.
pub(crate) fn copy<E: Copy>(of: &[E]) -> Result<Vec<E>, TryReserveError> {
    let mut copy = Vec::new();
    reserve_exact(&mut copy, of.len())?;
    copy.extend_from_slice(of);
    Ok(copy)
}

/// Makes room for `slots` elements in all, as [`grown`] says.
pub(crate) fn cover<E>(vec: &mut Vec<E>, slots: usize) -> Result<(), TryReserveError> {
    if slots <= vec.capacity() {
        return Ok(());
    }
    let roomy = grown(vec.capacity(), slots, 8);
    reserve_exact(vec, roomy - vec.len())
}

/// Returns the room that there should be for `needed` elements: twice as much as there is if that is little, otherwise
/// a quarter more, since the room beyond the last is never used.
pub(crate) fn grown(capacity: usize, needed: usize, least: usize) -> usize {
    let more = if capacity < 256 { capacity } else { capacity / 4 };
    needed.max(capacity.saturating_add(more)).max(least)
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

/// Checks that there are at most `max` slots.
pub(crate) fn check_slots(slots: usize, max: usize) -> Result<(), TryReserveError> {
    if slots > max {
        return Err(TryReserveError::CapacityOverflow { requested: slots, max });
    }
    Ok(())
}

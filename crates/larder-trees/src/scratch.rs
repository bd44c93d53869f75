//! Filling vectors; a failed allocation is an error.

use alloc::vec::Vec;

use larder_core::TryReserveError;

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

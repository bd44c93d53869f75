//! Filling vectors that are kept from call to call; a failed allocation is an error.

use alloc::vec::Vec;

use larder_core::TryReserveError;
use larder_core::room::reserve;

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

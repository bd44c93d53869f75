//! Room by number of slots; a failed allocation is an error.

use alloc::vec::Vec;

use larder_core::TryReserveError;
use larder_core::room::reserve_exact;

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

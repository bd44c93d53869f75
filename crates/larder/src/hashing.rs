//! Hashes of 4 bytes that are kept beside hash tables, so that neither growing a table nor removing from it runs user
//! code.

#[cfg(feature = "indices")]
pub(crate) mod table;

use hashbrown::TryReserveError as TableError;

use crate::error::TryReserveError;

/// hashbrown looks at the lowest bits of a hash, as many as there are of a bucket's number, and at the seven highest of a
/// word.
#[cfg(feature = "pools")]
const HIGHEST: u32 = if cfg!(target_pointer_width = "64") { 7 } else { 0 };

/// What is kept of a hash: its highest bits, and its lowest, enough for 2²⁵ buckets.
#[cfg(feature = "pools")]
pub(crate) const fn kept(hash: u64) -> u32 {
    hash.rotate_left(HIGHEST) as u32
}

/// The hash for the table, which has nothing but what was kept.
#[cfg(feature = "pools")]
pub(crate) const fn wide(kept: u32) -> u64 {
    (kept as u64).rotate_right(HIGHEST)
}

/// The error of a table that has no room for `requested` entries.
pub(crate) fn no_room(refused: TableError, requested: usize, max: usize) -> TryReserveError {
    match refused {
        TableError::AllocError { layout } => TryReserveError::AllocRefused { bytes: layout.size() },
        TableError::CapacityOverflow => TryReserveError::CapacityOverflow { requested, max },
    }
}

//! Hashes of 4 bytes that are kept beside hash tables, so that neither growing a table nor removing from it runs user
//! code.

#[cfg(feature = "indices")]
pub(crate) mod entries;
#[cfg(feature = "indices")]
pub(crate) mod table;

use hashbrown::TryReserveError as TableError;

use crate::error::TryReserveError;

/// A stored hash for the table, which uses both ends of it.
#[cfg(feature = "pools")]
pub(crate) fn wide(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// The error of a table that has no room for `requested` entries.
pub(crate) fn no_room(refused: TableError, requested: usize, max: usize) -> TryReserveError {
    match refused {
        TableError::AllocError { layout } => TryReserveError::AllocRefused { bytes: layout.size() },
        TableError::CapacityOverflow => TryReserveError::CapacityOverflow { requested, max },
    }
}

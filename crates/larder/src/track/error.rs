//! Why changes could not be told, or taken back.

use core::error::Error;
use core::fmt;

use crate::error::TryReserveError;

/// Why a container was not put back, or a subscriber was not told what changed. Nothing was changed.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{TrackError, Tracked}};
///
/// let (mut birds, mut fish) = (Tracked::new(Arena::new()), Tracked::new(Arena::new()));
/// birds.insert("wren");
/// fish.insert("tench");
/// let empty = birds.checkpoint();
/// assert_eq!(fish.rollback(empty), Err(TrackError::Foreign));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrackError {
    /// The checkpoint or the subscriber is of another container.
    Foreign,
    /// The checkpoint was forgotten, or is later than one that was returned to.
    Gone,
    /// Memory was refused when something had to be recorded, or a panic interrupted going back. Every checkpoint was given
    /// up then, or the subscriber has to read the whole container; from here on changes are recorded again.
    Lost,
    /// Memory was refused.
    Memory(TryReserveError),
}

impl fmt::Display for TrackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("it is of another container"),
            Self::Gone => {
                f.write_str("the checkpoint was forgotten, or is later than one returned to")
            }
            Self::Lost => f.write_str("memory was refused when a change had to be recorded, or a panic interrupted going back"),
            Self::Memory(reason) => reason.fmt(f),
        }
    }
}

impl Error for TrackError {}

impl From<TryReserveError> for TrackError {
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}

//! The reasons why a snapshot could not be read.

use alloc::string::String;
use core::error::Error;
use core::fmt;
use std::io;

use crate::TryReserveError;
use crate::parts::LoadError;
use crate::parts::TooSparse;
use crate::scratch::text;

/// The error of a snapshot, or of a section of it, that could not be read. Nothing was loaded.
///
/// # Examples
/// ```
/// use larder::snapshot::{Snapshot, SnapshotErrorKind};
///
/// let error = Snapshot::from_reader(std::io::Cursor::new(b"something else")).unwrap_err();
/// assert!(matches!(error.reason, SnapshotErrorKind::NotASnapshot));
/// assert_eq!(error.to_string(), "not a larder snapshot");
/// ```
#[derive(Debug)]
pub struct SnapshotError {
    /// The name of the section; empty if the error is about the whole file, or if there was no memory for the
    /// name.
    pub section: String,
    /// The reason.
    pub reason: SnapshotErrorKind,
}

/// The reasons why a snapshot cannot be used. Made by everything that returns a [`SnapshotError`].
///
/// # Examples
/// ```
/// use larder::snapshot::{Saver, Snapshot, SnapshotErrorKind};
///
/// let (mut file, arena) = (std::io::Cursor::new(Vec::new()), larder::Arena::from_iter([7_u32]));
/// Saver::new().section("numbers", &arena).write_to(&mut file).unwrap();
/// let mut snapshot = Snapshot::from_reader(file).unwrap();
/// let error = snapshot.load::<larder::Arena<u64>>("numbers").unwrap_err();
/// assert!(matches!(error.reason, SnapshotErrorKind::Element { .. }));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum SnapshotErrorKind {
    /// The file could not be read. Try again, or check the medium.
    Io(io::Error),
    /// The file is not a larder snapshot.
    NotASnapshot,
    /// The file was written by another version of larder, in a format that this one does not know: read it
    /// with that version.
    Version {
        /// The format version of the file. This version of larder reads and writes 1.
        found: u16,
    },
    /// The file was written by a machine of the opposite byte order: load it on such a machine, and save it
    /// with serde.
    ByteOrder,
    /// The file ends too early: a copy of it that was not completed, for example. Take another copy.
    Truncated {
        /// The number of bytes that it should have, at least.
        bytes: u64,
        /// The number of bytes that it has.
        found: u64,
    },
    /// The file was corrupted. Take another copy.
    Damaged {
        /// The damaged part.
        what: &'static str,
    },
    /// An array was corrupted. Take another copy.
    Checksum {
        /// The array.
        name: String,
    },
    /// An array in the file exceeds this platform's address space.
    TooLarge,
    /// There is no section of that name.
    NoSection,
    /// The section has another kind of container. Load it as that kind.
    Container {
        /// The kind that was asked for.
        expected: &'static str,
        /// The kind of the section.
        found: String,
    },
    /// The section has no such column, array or number: a field was added since, or renamed. Load the section as the
    /// type that it was saved as, and move its values.
    Missing {
        /// Its name.
        name: String,
    },
    /// The elements of a column or array are of another type: a field was widened, for example. Load the section as
    /// the type that it was saved as, and move its values.
    Element {
        /// The column or array.
        name: String,
        /// The type that was asked for.
        expected: String,
        /// The type in the file.
        found: String,
    },
    /// The keys are of another type: load the section with that.
    Keys {
        /// The property of the keys that differs.
        what: &'static str,
        /// Its value for the key type.
        expected: u64,
        /// Its value in the file.
        found: u64,
    },
    /// The section is inconsistent, though its checksums are right: the file was not written by larder.
    Invalid {
        /// The contradiction.
        what: &'static str,
    },
    /// An entry of side data, a hierarchy or an index contradicts those before it, though its checksums are
    /// right: the file was not written by larder, or the property's hashes or comparisons have changed since.
    Entry {
        /// The entry and the contradiction.
        what: String,
    },
    /// The slots of side data are too far apart for a [`SecondaryMap`](crate::SecondaryMap), which would be much larger
    /// than the file. If that is to be trusted, load it as a `SparseSecondaryMap`, and collect that.
    ///
    /// Or a [`DenseArena`](crate::DenseArena) or `DenseSoaArena` keeps slots for detached keys, and room for their
    /// values would have more than 2 KiB for each byte of the file. Save that with serde.
    TooSparse {
        /// The largest slot.
        slot: u32,
        /// The number of entries or values.
        entries: usize,
        /// The number of bytes that the map, or the room for values, would have.
        bytes: usize,
    },
    /// There is no memory for the container, or the requested capacity is too small for it.
    Memory(TryReserveError),
}

pub(crate) use SnapshotErrorKind as Kind;

impl SnapshotError {
    #[inline]
    pub(super) fn of(section: &str, reason: Kind) -> Self {
        Self { section: text(section).unwrap_or_default(), reason }
    }
}

impl Kind {
    /// Checks that the `bytes` of room for values, of which there are `entries`, are not much more than the `length` of
    /// their bytes and those of all slots in the file.
    #[inline]
    pub(crate) fn check_room(
        slots: usize,
        bytes: usize,
        entries: usize,
        length: usize,
    ) -> Result<(), Self> {
        Ok(TooSparse::check_room(slots, bytes, entries, length)?)
    }

    /// There is no column, array or number of that name.
    #[inline]
    pub(super) fn missing(name: &str) -> Self {
        text(name).map_or_else(Self::Memory, |name| Self::Missing { name })
    }

    /// An entry contradicts those before it.
    #[inline]
    pub(crate) fn entry(what: impl fmt::Display) -> Self {
        text(what).map_or_else(Self::Memory, |what| Self::Entry { what })
    }
}

impl From<io::Error> for Kind {
    #[inline]
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<LoadError> for Kind {
    #[inline]
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Invalid { what } => Self::Invalid { what },
            LoadError::Entry { what } => Self::Entry { what },
            LoadError::TooSparse { slot, entries, bytes } => {
                Self::TooSparse { slot, entries, bytes }
            }
            LoadError::Memory(reason) => Self::Memory(reason),
        }
    }
}

impl From<TooSparse> for Kind {
    #[inline]
    fn from(TooSparse { slot, entries, bytes }: TooSparse) -> Self {
        Self::TooSparse { slot, entries, bytes }
    }
}

impl From<TryReserveError> for Kind {
    #[inline]
    fn from(error: TryReserveError) -> Self {
        Self::Memory(error)
    }
}

impl fmt::Display for SnapshotError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.section.is_empty() {
            write!(f, "section `{}`: ", self.section)?;
        }
        fmt::Display::fmt(&self.reason, f)
    }
}

impl fmt::Display for SnapshotErrorKind {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the file cannot be read: {error}"),
            Self::NotASnapshot => f.write_str("not a larder snapshot"),
            Self::Version { found } => {
                write!(
                    f,
                    "this is a snapshot of version {found}, not 1: read it with the version that wrote it"
                )
            }
            Self::ByteOrder => f.write_str(
                "the file has the opposite byte order: load it where it was written, and save it with serde",
            ),
            Self::Truncated { bytes, found } => {
                write!(f, "the file is truncated: {found} of {bytes} bytes; take another copy")
            }
            Self::Damaged { what } => write!(f, "{what} is damaged: take another copy"),
            Self::Checksum { name } => write!(f, "`{name}` is damaged: take another copy"),
            Self::TooLarge => f.write_str("an array exceeds this platform's address space"),
            Self::NoSection => f.write_str("there is no such section; `sections` tells which there are"),
            Self::Container { expected, found } => {
                write!(f, "this is of the kind `{found}`, not `{expected}`: load it as that")
            }
            Self::Missing { name } => {
                write!(f, "there is no `{name}`: load it as the type that was saved")
            }
            Self::Element { name, expected, found } => {
                write!(f, "`{name}` is {found}, not {expected}: load it as the type that was saved")
            }
            Self::Keys { what, expected, found } => {
                write!(
                    f,
                    "the keys have {found} {what}, not {expected}: load it with the key type that was saved"
                )
            }
            Self::Invalid { what } => f.write_str(what),
            Self::Entry { what } => f.write_str(what),
            &Self::TooSparse { slot, entries, bytes } => {
                TooSparse { slot, entries, bytes }.fmt(f)?;
                f.write_str(
                    "; if it is to be trusted, load a `SparseSecondaryMap`, and collect that; or save a dense \
                     container with serde",
                )
            }
            Self::Memory(error) => error.fmt(f),
        }
    }
}

impl Error for SnapshotError {
    #[inline]
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.reason.source()
    }
}

impl Error for SnapshotErrorKind {
    #[inline]
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Memory(error) => Some(error),
            _ => None,
        }
    }
}

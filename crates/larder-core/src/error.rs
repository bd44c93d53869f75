//! Errors, and the values that they return to the caller.

use core::error::Error;
use core::fmt;

#[cfg(feature = "alloc")]
use crate::key::Key;

/// The error of a container that could not make room.
///
/// Returned by the `try_` methods; the other methods panic with the same message.
///
/// # Examples
/// ```
/// use larder::{Arena, TryReserveError};
///
/// let mut arena = Arena::fixed(1);
/// arena.insert("first");
/// let refused = arena.try_insert("second").unwrap_err();
/// assert_eq!(refused.reason, TryReserveError::Full { capacity: 1 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TryReserveError {
    /// The container is fixed or reserved, and full.
    Full {
        /// The container's capacity.
        capacity: usize,
    },
    /// The inserter is full: another insertion would have to move values.
    InserterFull {
        /// The number of values that fit without moving any: in the whole arena, or in the slots of a shared inserter.
        capacity: usize,
    },
    /// No generations are left: every slot of a container that does not grow has had all of them; or those of fresh
    /// slots would not differ from the ones of a leaked inserter, or of the container that is continued. (With keys
    /// that have two bits of generation, an inserter never has any.)
    GenerationsUsedUp,
    /// More slots were requested than keys can name or memory can address.
    CapacityOverflow {
        /// The number of slots that were requested (at least; saturated).
        requested: usize,
        /// The number of slots that a container with this key and element type can have.
        max: usize,
    },
    /// Slots, or points in a grid, were chosen so that their hashes meet, as slots that a container issues and places
    /// of objects never do: finding one in a table would take as long as a walk over all. Take none from a file that is
    /// not to be trusted.
    HashesMeet,
    /// The allocator refused memory, or there is no allocator, without the feature `alloc`.
    AllocRefused {
        /// The number of bytes that were asked for.
        bytes: usize,
    },
    /// The caller's block has no room for a single value.
    BlockTooSmall {
        /// The number of additional bytes that are needed, including those before the first aligned address.
        missing: usize,
    },
    /// The operating system refused address space for a reserved container.
    ReserveRefused {
        /// The number of bytes of address space that were asked for.
        bytes: usize,
        /// The operating system's error number.
        code: i32,
    },
    /// The operating system refused memory for address space that is reserved already.
    CommitRefused {
        /// The number of bytes of memory that were asked for.
        bytes: usize,
        /// The operating system's error number.
        code: i32,
    },
}

/// The operating system's message for an error number.
struct SystemWords(i32);

impl fmt::Display for SystemWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "std")]
        return std::io::Error::from_raw_os_error(self.0).fmt(f);
        #[cfg(not(feature = "std"))]
        write!(f, "os error {}", self.0)
    }
}

impl fmt::Display for TryReserveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // (Each text is in two halves, so that this is one piece of code that writes, not nine.)
        let (before, count, after) = match *self {
            Self::Full { capacity } => (
                "the container is full: it has room for ",
                Some(Count(capacity, "value")),
                " and does not grow",
            ),
            Self::InserterFull { capacity } => (
                "the inserter is full: it has room for ",
                Some(Count(capacity, "value")),
                " and cannot move values to grow; call `reserve` first",
            ),
            Self::GenerationsUsedUp => (
                "the generations are used up: every slot has had all of them, or keys of fresh slots could not be \
                 told from those of a leaked inserter, or of the container that is to be continued; use a key with \
                 more bits for them, insert without an inserter, clear the container instead of replacing it",
                None,
                "",
            ),
            Self::CapacityOverflow { requested, .. } => (
                "capacity overflow: ",
                Some(Count(requested, "slot")),
                " asked for, but this container can have at most ",
            ),
            Self::HashesMeet => (
                "the hashes of slots or points meet, which were chosen for that: no container issues such keys, and no \
                 objects are at such places; take none from a file that is not to be trusted",
                None,
                "",
            ),
            #[cfg(feature = "alloc")]
            Self::AllocRefused { bytes } => {
                ("the allocator refused ", Some(Count(bytes, "byte")), "")
            }
            #[cfg(not(feature = "alloc"))]
            Self::AllocRefused { bytes } => (
                "there is no allocator for ",
                Some(Count(bytes, "byte")),
                ": larder was built without its feature `alloc`",
            ),
            Self::BlockTooSmall { missing } => (
                "the block is too small or badly aligned: one value needs ",
                Some(Count(missing, "byte")),
                " more; `bytes_for(n)` is how many bytes n values need",
            ),
            Self::ReserveRefused { bytes, .. } => (
                "the system refused to reserve ",
                Some(Count(bytes, "byte")),
                " of address space: ",
            ),
            Self::CommitRefused { bytes, .. } => (
                "the system refused ",
                Some(Count(bytes, "byte")),
                " of memory for reserved address space: ",
            ),
        };
        f.write_str(before)?;
        count.map_or(Ok(()), |count| count.fmt(f))?;
        f.write_str(after)?;
        match *self {
            Self::CapacityOverflow { max, .. } => max.fmt(f),
            Self::ReserveRefused { code, .. } => {
                SystemWords(code).fmt(f)?;
                f.write_str("; reserve for fewer values, or lift the process's limit")
            }
            Self::CommitRefused { code, .. } => SystemWords(code).fmt(f),
            _ => Ok(()),
        }
    }
}

impl Error for TryReserveError {}

/// A value that could not be inserted, and why.
///
/// Returned by [`Arena::try_insert`](crate::Arena::try_insert) and
/// [`DenseArena::try_insert`](crate::DenseArena::try_insert), with the value.
///
/// # Examples
/// ```
/// use larder::Arena;
///
/// let mut arena = Arena::fixed(1);
/// arena.insert("first");
/// let refused = arena.try_insert("second").unwrap_err();
/// assert_eq!(refused.value, "second");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct InsertError<T> {
    /// The value, unchanged.
    pub value: T,
    /// The reason why there was no room for it.
    pub reason: TryReserveError,
}

impl<T> fmt::Debug for InsertError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InsertError").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl<T> fmt::Display for InsertError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value not inserted: {}", self.reason)
    }
}

impl<T> Error for InsertError<T> {}

/// A value that could not be put back under its key, because the key is not detached.
///
/// Returned by `reattach`. Either the key was never detached, or its slot was discarded or cleared since.
///
/// # Examples
/// ```
/// let mut arena = larder::Arena::new();
/// let key = arena.insert("value");
/// let refused = arena.reattach(key, "another").unwrap_err(); // nothing was detached
/// assert_eq!(refused.value, "another");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ReattachError<T> {
    /// The value, unchanged.
    pub value: T,
}

impl<T> fmt::Debug for ReattachError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReattachError").finish_non_exhaustive()
    }
}

impl<T> fmt::Display for ReattachError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key is not detached: no slot is waiting for this value")
    }
}

impl<T> Error for ReattachError<T> {}

/// A value that could not be inserted in a secondary map, and why.
///
/// Returned by `try_insert` of [`SecondaryMap`](crate::SecondaryMap) and
/// `SparseSecondaryMap`, with the value.
///
/// # Examples
/// ```
/// use larder::{Arena, SecondaryMap, maps::SecondaryInsertErrorKind};
///
/// let mut arena = Arena::new();
/// let old = arena.insert("first");
/// arena.remove(old);
/// let new = arena.insert("second"); // in the same slot
///
/// let mut ages = SecondaryMap::new();
/// ages.insert(new, 2);
/// let refused = ages.try_insert(old, 1).unwrap_err();
/// assert_eq!(refused.reason, SecondaryInsertErrorKind::Stale { tenant: new });
/// assert_eq!(refused.to_string(), "value not inserted: key 0v1 is stale: slot 0 now holds a value of 0v3");
/// assert_eq!(refused.value, 1);
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, PartialEq, Eq)]
pub struct SecondaryInsertError<K, V> {
    /// The key.
    pub key: K,
    /// The value, unchanged.
    pub value: V,
    /// The reason.
    pub reason: SecondaryInsertErrorKind<K>,
}

/// The reason why a secondary map refuses a value under a key.
///
/// # Examples
/// ```
/// use larder::{Handle, Key, SecondaryMap, maps::SecondaryInsertErrorKind};
///
/// let mut ages = SecondaryMap::new();
/// let refused = ages.try_insert(Handle::<u8>::DANGLING, 1).unwrap_err();
/// assert_eq!(refused.reason, SecondaryInsertErrorKind::Dangling);
/// assert_eq!(refused.reason.to_string(), "the key is dangling: no container issues it");
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias = "Refusal")]
pub enum SecondaryInsertErrorKind<K> {
    /// The key is stale: its slot has a value of a later key.
    Stale {
        /// The later key.
        tenant: K,
    },
    /// The key is dangling.
    Dangling,
    /// Allocation fails, or there is no room.
    Memory(TryReserveError),
}

#[cfg(feature = "alloc")]
impl<K: Key, V> fmt::Debug for SecondaryInsertError<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecondaryInsertError")
            .field("key", &self.key)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
impl<K: Key, V> fmt::Display for SecondaryInsertError<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, slot) = (self.key, self.key.slot());
        match &self.reason {
            SecondaryInsertErrorKind::Stale { tenant } => write!(
                f,
                "value not inserted: key {key:?} is stale: slot {slot} now holds a value of {tenant:?}"
            ),
            SecondaryInsertErrorKind::Dangling => {
                f.write_str("value not inserted: the key is dangling: no container issues it")
            }
            SecondaryInsertErrorKind::Memory(reason) => write!(f, "value not inserted: {reason}"),
        }
    }
}

#[cfg(feature = "alloc")]
impl<K: Key, V> Error for SecondaryInsertError<K, V> {}

#[cfg(feature = "alloc")]
impl<K: fmt::Debug> fmt::Display for SecondaryInsertErrorKind<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale { tenant } => {
                write!(f, "the key is stale: its slot now holds a value of {tenant:?}")
            }
            Self::Dangling => f.write_str("the key is dangling: no container issues it"),
            Self::Memory(reason) => reason.fmt(f),
        }
    }
}

#[cfg(feature = "alloc")]
impl<K: fmt::Debug> Error for SecondaryInsertErrorKind<K> {}

#[cfg(feature = "alloc")]
impl<K: Key> SecondaryInsertErrorKind<K> {
    /// Returns the reason why a key can have no value in a slot with the value of `tenant`, if there is one.
    #[inline]
    pub(crate) fn of(key: K, tenant: Option<K>) -> Option<Self> {
        if !key.can_be_live() {
            return Some(Self::Dangling);
        }
        let tenant = tenant?;
        key.is_older_than(tenant).then_some(Self::Stale { tenant })
    }
}

/// The reason why several values could not be borrowed at once.
///
/// # Examples
/// ```
/// use larder::{Arena, containers::GetDisjointMutError};
///
/// let mut arena = Arena::new();
/// let (a, b) = (arena.insert(1), arena.insert(2));
/// let twice = arena.get_disjoint_mut([a, b, a]).unwrap_err();
/// assert_eq!(twice, GetDisjointMutError::Overlapping { first: 0, second: 2 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetDisjointMutError {
    /// A key is stale, foreign or dangling.
    NotFound {
        /// The position of the key in the array of keys.
        position: usize,
    },
    /// Two keys name the same slot.
    Overlapping {
        /// The position in the array of keys at which the slot is named first.
        first: usize,
        /// The position at which it is named again.
        second: usize,
    },
}

impl fmt::Display for GetDisjointMutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { position } => write!(f, "key number {position} has no value"),
            Self::Overlapping { first, second } => {
                write!(f, "keys number {first} and {second} name the same slot")
            }
        }
    }
}

impl Error for GetDisjointMutError {}

/// "1 value", "2 values".
pub(crate) struct Count(pub usize, pub &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, noun) = self;
        write!(f, "{count} {noun}{}", if *count == 1 { "" } else { "s" })
    }
}

/// The reason why an index, or another observer of a table, refused a change or a query. Nothing was changed.
///
/// # Examples
/// ```
/// use larder::{Arena, indices::{IndexError, UniqueIndex}};
///
/// let mut birds = Arena::new();
/// let (wren, kite) = (birds.insert("wren"), birds.insert("kite"));
/// let mut by_ring = UniqueIndex::new();
/// by_ring.insert(wren, 17)?;
/// let refused = by_ring.insert(kite, 17).unwrap_err();
/// assert_eq!(refused, IndexError::Duplicate { holder: wren });
/// assert_eq!(refused.to_string(), "0v1 is filed under this property already");
/// # Ok::<(), IndexError<larder::Handle<&str>>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias = "IndexError")]
pub enum Refusal<K> {
    /// Another key has the property, in an index of unique properties.
    Duplicate {
        /// The other key.
        holder: K,
    },
    /// A coordinate is infinite or not a number.
    NotFinite,
    /// A radius is negative or not a number.
    BadRadius,
    /// There is no row with this key.
    Missing {
        /// The key, which is stale, foreign or dangling.
        key: K,
    },
    /// The key is stale: a later key of the same slot is filed.
    Stale {
        /// The later key.
        tenant: K,
    },
    /// The key is dangling: no container issues it.
    Dangling,
    /// An observer of the program's own refused it, and says why.
    Other(&'static str),
    /// Allocation fails, or there is no room.
    Memory(TryReserveError),
}

impl<K: fmt::Debug> fmt::Display for Refusal<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { holder } => {
                write!(f, "{holder:?} is filed under this property already")
            }
            Self::NotFinite => f.write_str("a coordinate is infinite or not a number"),
            Self::BadRadius => f.write_str("the radius is negative or not a number"),
            Self::Missing { key } => {
                write!(f, "there is no {key:?}: the key is stale, foreign or dangling")
            }
            Self::Stale { tenant } => {
                write!(f, "the key is stale: the later key {tenant:?} is filed")
            }
            Self::Dangling => f.write_str("the key is dangling: no container issues it"),
            Self::Other(reason) => f.write_str(reason),
            Self::Memory(reason) => write!(f, "no room: {reason}"),
        }
    }
}

impl<K: fmt::Debug> Error for Refusal<K> {}

#[cfg(feature = "alloc")]
impl<K> From<SecondaryInsertErrorKind<K>> for Refusal<K> {
    fn from(refusal: SecondaryInsertErrorKind<K>) -> Self {
        match refusal {
            SecondaryInsertErrorKind::Stale { tenant } => Self::Stale { tenant },
            SecondaryInsertErrorKind::Dangling => Self::Dangling,
            SecondaryInsertErrorKind::Memory(reason) => Self::Memory(reason),
        }
    }
}

impl<K> From<TryReserveError> for Refusal<K> {
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}

/// A value that a [`Table`](crate::track::Table) refused, and why; or a container or an observer whose objects were
/// refused.
///
/// # Examples
/// ```
/// use larder::{Arena, indices::UniqueIndex, track::Table};
///
/// let mut names = Table::with(Arena::new(), UniqueIndex::by(|name: &&'static str| *name));
/// names.insert("wren");
/// let refused = names.try_insert("wren").unwrap_err();
/// assert_eq!(refused.to_string(), "value refused: 0v1 is filed under this property already");
/// assert_eq!(refused.value, "wren");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[doc(alias = "Unfiled")]
pub struct Rejected<T, K> {
    /// The value that was refused.
    pub value: T,
    /// The reason.
    pub reason: Refusal<K>,
}

impl<T, K: fmt::Debug> fmt::Debug for Rejected<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl<T, K: fmt::Debug> fmt::Display for Rejected<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value refused: {}", self.reason)
    }
}

impl<T, K: fmt::Debug> Error for Rejected<T, K> {}

impl<T, K> From<InsertError<T>> for Rejected<T, K> {
    fn from(InsertError { value, reason }: InsertError<T>) -> Self {
        Self { value, reason: reason.into() }
    }
}

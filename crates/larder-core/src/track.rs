//! Containers together with everything that refers to their objects, whose changes are recorded.
//!
//! A [`Table`] is a container of any layout with its [observers](Observer): indices, hierarchies and lists, side data,
//! caches of a program's own. It derefs to the container for reading, and has methods of its own to change it, of which
//! all observers take notice. A [`Tracked`] is a table without observers. Tables record changes for the following
//! purposes, each only while it is in use:
//!
//! - A [`Subscriber`] learns which keys were inserted, removed and changed since it last
//!   [polled](Table::poll): to refresh a cache, to copy [ranges](Changes::ranges) to a GPU, to
//!   save or send what is new. There can be any number of subscribers, each of which polls when it likes.
//! - A [`Checkpoint`] is a state to go [back](Reversible::rollback) to, exactly: values, keys, generations,
//!   links, and the order in which free slots are reused. [`undo`](Reversible::undo) and [`redo`](Reversible::redo) are
//!   the alternative, in which generations keep increasing.
//! - With the feature `snapshot`, a [delta](Table::delta) is what changed, as bytes: to be saved, or
//!   applied to a [`Replica`] elsewhere, once and in order. Values are [plain data](crate::snapshot::Plain),
//!   and may contain keys and `Links`.
//!
//! # What takes part
//! | | |
//! |---|---|
//! | all containers | in a [`Table`], with its observers if all of them take part |
//! | [`SecondaryMap`](crate::SecondaryMap), `SparseSecondaryMap` | in a [`Tracked`], also as observers |
//! | `Tree`, `KeyList`, `Buckets`, `ListPool`, `StringPool` | by themselves: they are [`Reversible`], as a `Tracked` is |
//! | any other value, such as the number of a frame, and an observer of a program's own | in a [`Versioned`] |
//! | `Links` and `Link`s in objects | with the container: their methods accept a table of rows or columns, and `InObjects` beside it unlinks what is removed; an `IntrusiveList` itself is a few numbers: it takes part in a `Versioned` |
//! | hierarchies and lists that are to be sent, too | the same methods accept a `Tracked<SecondaryMap<K, Links<K>>>`, and the map of a replica |
//! | `UniqueIndex`, `MultiIndex`, `SortedIndex`, `GridIndex`, alone and in an `IndexBy` | by themselves, too, with the order of keys that share a property, and of queries |
//! | other structures that are derived from values, and an index that is only sometimes brought up to date | [`Changes::refresh`] after a rollback, as after any change; keys that share a property may then be in another order |
//!
//! Members that belong together are one group, a tuple or a struct, with one history: see [`Reversible`].
//!
//! ```
//! # #[cfg(feature = "pools")] {
//! use larder::pools::ListPool;
//! use larder::track::{Reversible, Tracked, Versioned};
//! use larder::{Arena, Tree};
//!
//! let (mut parts, mut tree, mut lists) = (Tracked::new(Arena::new()), Tree::new(), ListPool::new());
//! let [car, wheel] = ["car", "wheel"].map(|part| parts.insert(part));
//! tree.append(&*parts, car, wheel)?;
//! let mut spares = Versioned::new(lists.make([wheel]));
//! let then = (&mut parts, &mut tree, &mut lists, &mut spares).checkpoint();
//!
//! lists.push(&mut spares, car);
//! tree.remove_subtree(&mut parts, car);
//! (&mut parts, &mut tree, &mut lists, &mut spares).rollback(then)?;
//! assert_eq!((parts[wheel], tree.parent(wheel)), ("wheel", Some(car)));
//! assert_eq!(lists[*spares], [wheel]);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Costs
//! | | |
//! |---|---|
//! | a write, with subscribers | one bit |
//! | a write, with checkpoints | one bit; the first to a slot since the last checkpoint clones its value |
//! | a walk that changes all | a word for each 64 slots; with checkpoints, a copy of what changed |
//! | `poll` | O(changes + slots / 4,096) |
//! | `checkpoint` | O(slots begun since the last / 64 + slots / 4,096): no value is copied |
//! | `rollback`, `undo`, `redo` | O(slots changed since) |
//! | an edit of what is [`Reversible`] | nothing without checkpoints; with them, a copy of each node that it changes, or of a list before its first change since the last checkpoint |
//! | a delta, written and applied | O(changes); of packed values O(changes · log(changes)) |
//!
//! In containers and maps with packed values, such as `SparseSecondaryMap`, a removal moves the last value
//! into the gap, which counts as a change of that value too. Side data has as many slots as the largest that
//! a key named.
//!
//! Memory: two bits per slot with checkpoints, and two with subscribers and for each of them; a checkpoint takes what
//! changed after it, and 24 bytes for each 64 slots of which some changed; an undo keeps 8 bytes or so for each slot
//! that it took keys back from.
//! (Where changes are few and far apart, only the pages of their bits are touched, one per 16,384 or 32,768 slots, if
//! the system provides the allocator's pages on first use.)
//!
//! # Examples
//! ```
//! use larder::{Arena, track::{Reversible, Tracked}};
//!
//! let mut birds = Tracked::new(Arena::new());
//! let wren = birds.insert("wren");
//! let mut screen = birds.subscribe();
//! let before = birds.checkpoint();
//!
//! let kite = birds.insert("kite");
//! *birds.get_mut(wren).unwrap() = "wren, singing";
//! let changes = birds.poll(&mut screen)?;
//! assert_eq!((changes.inserted(), changes.changed()), (&[kite][..], &[wren][..]));
//!
//! birds.rollback(before)?;
//! assert_eq!((birds.get(kite), birds[wren]), (None, "wren"));
//! assert_eq!(birds.insert("kite"), kite); // as then
//! # Ok::<(), larder::track::TrackError>(())
//! ```

// Modules import from groups above, or from their own; no two import each other.
mod kept;
mod member;
mod trackable;

mod reversible;
mod spent;

mod versioned;

mod history;
mod subscribers;

mod recorded;

mod observer;

mod holder;
mod table;

mod linked;

mod going_back;
mod side;

#[cfg(feature = "snapshot")]
mod delta;
#[cfg(feature = "snapshot")]
mod replica;

use core::error::Error;
use core::fmt;

pub use crate::error::{Refusal, Rejected};
pub use crate::past::Checkpoint;
#[cfg(feature = "snapshot")]
pub use delta::{DeltaError, Position};
pub use holder::Holder;
#[cfg(feature = "derive")]
pub use larder_derive::{Observer, Reversible};
pub use linked::Subtrees;
pub use member::{Each, Member};
pub use observer::{Blind, Change, Edit, Objects, Observer};
#[cfg(feature = "snapshot")]
pub use replica::{Publisher, Replica};
pub use reversible::Reversible;
pub use subscribers::{Changes, Refresh, Subscriber};
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub use table::SpentKeys;
pub use table::{Lent, Table, Tracked};
pub use trackable::{Insert, Revert, Track};
pub use versioned::Versioned;

use crate::error::TryReserveError;

/// Why a container was not rolled back, or a subscriber was not told what changed. Nothing was changed,
/// except that [`Lost`](Self::Lost) discards what it names, and as [`Reversible::rollback`] says of its errors.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Reversible, TrackError, Tracked}};
///
/// let (mut birds, mut fish) = (Tracked::new(Arena::new()), Tracked::new(Arena::new()));
/// birds.insert("wren");
/// fish.insert("tench");
/// let empty = birds.checkpoint();
/// assert_eq!(fish.rollback(empty), Err(TrackError::Foreign));
/// ```
///
/// `Debug`, which `unwrap` prints, says the same as `Display` behind the name of the variant:
///
/// ```should_panic
/// use larder::{Arena, track::{Reversible, Tracked}};
///
/// let mut birds = Tracked::new(Arena::<&str>::new());
/// let then = birds.checkpoint();
/// birds.forget_all();
/// birds.rollback(then).unwrap(); // … `Err` value: Gone (the checkpoint was forgotten, …
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrackError {
    /// The checkpoint or subscriber belongs to another container. Pass it to the one that made it.
    Foreign,
    /// The checkpoint was forgotten, undone, or is later than one that was returned to. Make a new one.
    Gone,
    /// A member of a group does not have the checkpoint of the others: it was replaced, or went back by itself; or
    /// members have changed places. Return to an earlier one, or make a new one of the group.
    NotShared,
    /// Memory was refused when a change had to be recorded, or a panic interrupted a rollback. All
    /// checkpoints were discarded, or the subscriber has to read the whole container; changes are recorded
    /// again from now on.
    Lost,
    /// A value could not be encoded for a delta; the next one contains it, too.
    Encoding,
    /// Memory was refused.
    Memory(TryReserveError),
}

impl fmt::Display for TrackError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str(
                "the checkpoint or subscriber belongs to another container: pass it to the one that made it",
            ),
            Self::Gone => f.write_str(
                "the checkpoint was forgotten, undone, or is later than one returned to: \
                 return to an earlier one, or make a new one with `checkpoint`",
            ),
            Self::NotShared => f.write_str(
                "a member of the group does not have the checkpoint of the others, since it was replaced, went back by \
                 itself, or has changed places with another: return to an earlier one, or make a new one of the group \
                 with `checkpoint`",
            ),
            Self::Lost => f.write_str(
                "an allocation failed when a change had to be recorded, or a panic interrupted going back: \
                 make new checkpoints, and have the subscriber read the whole container",
            ),
            Self::Encoding => f.write_str("a value could not be encoded for a delta"),
            Self::Memory(reason) => reason.fmt(f),
        }
    }
}

impl fmt::Debug for TrackError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => write!(f, "Foreign ({self})"),
            Self::Gone => write!(f, "Gone ({self})"),
            Self::NotShared => write!(f, "NotShared ({self})"),
            Self::Lost => write!(f, "Lost ({self})"),
            Self::Encoding => write!(f, "Encoding ({self})"),
            Self::Memory(reason) => f.debug_tuple("Memory").field(reason).finish(),
        }
    }
}

impl Error for TrackError {}

impl From<TryReserveError> for TrackError {
    #[inline]
    fn from(reason: TryReserveError) -> Self {
        Self::Memory(reason)
    }
}

//! Structures beside containers that record their changes themselves.

use core::mem;

use super::TrackError;
use super::history::Checkpoint;
use crate::error::TryReserveError;
use crate::explain;
#[cfg(feature = "trees")]
use crate::key::Key;
#[cfg(all(feature = "pools", feature = "hashbrown"))]
use crate::pools::StringPool;

#[cfg(feature = "pools")]
use crate::pools::ListPool;
use crate::raw::past::{NoStep, Past, Reverse};
use crate::raw::{Internal, OnDrop};
#[cfg(feature = "trees")]
use crate::trees::{Buckets, KeyList, Tree};

/// A structure beside containers that can go back to checkpoints, as a [`Tracked`](super::Tracked) container does: `Tree`,
/// `KeyList`, `Buckets`, `ListPool` and `StringPool`. Sealed.
///
/// It records changes only while it has checkpoints; meanwhile slots are not renewed, and `shrink_to_fit` may keep memory. A
/// clone of it has none. A `ListPool` clones the values of a list before its first change since the latest checkpoint; if a
/// `Clone` panics, that change is not made.
///
/// # Examples
/// ```
/// use larder::{Arena, Tree, track::{Reversible, Tracked}};
///
/// let mut parts = Tracked::new(Arena::new());
/// let [car, wheel] = ["car", "wheel"].map(|part| parts.insert(part));
/// let mut tree = Tree::new();
/// tree.append(&*parts, car, wheel)?;
/// let then = (parts.checkpoint(), tree.checkpoint());
///
/// tree.remove_subtree(&mut parts, car);
/// parts.rollback(then.0)?;
/// tree.rollback(then.1)?;
/// assert_eq!((parts[wheel], tree.parent(wheel)), ("wheel", Some(car)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Reversible: Reverse {
    /// Returns a checkpoint that [`rollback`](Self::rollback) can go back to. O(1), for
    /// `Buckets` O(N).
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{pools::ListPool, track::Reversible};
    ///
    /// let mut lists = ListPool::new();
    /// let primes = lists.make([2, 3, 5]);
    /// let then = lists.checkpoint();
    /// lists[primes][0] = 7;
    /// lists.free(primes);
    /// lists.rollback(then)?;
    /// assert_eq!(lists[primes], [2, 3, 5]);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[track_caller]
    fn checkpoint(&mut self) -> Checkpoint {
        explain::granted::<Self, _>(self.try_checkpoint())
    }

    /// As [`checkpoint`](Self::checkpoint), but returns an error where allocation fails.
    ///
    /// # Errors
    /// If allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Tree, track::Reversible};
    ///
    /// let mut tree = Tree::<Handle<u8>>::new();
    /// assert!(tree.try_checkpoint().is_ok());
    /// ```
    fn try_checkpoint(&mut self) -> Result<Checkpoint, TryReserveError> {
        let state = self.state(Internal(()));
        let (owner, number) = self.past(Internal(())).begin(state)?;
        Ok(Checkpoint { owner, number })
    }

    /// Puts it back to what it was at a checkpoint, as [`Tracked::rollback`](super::Tracked::rollback): the same calls
    /// have the same effects then, and return the same handles; other ones where handles issued since were undone, which
    /// stay stale. Checkpoints made since are gone; this one remains. O(changes since).
    ///
    /// # Errors
    /// If the checkpoint is of another structure or gone, or if memory was refused when a change had to be recorded:
    /// nothing has changed. If allocation fails now: nothing has changed, or it was put back to a later checkpoint on the
    /// way; repeat the call to complete it. (If allocation fails for taking a part back, too, every checkpoint is
    /// [lost](TrackError::Lost).)
    ///
    /// # Panics
    /// If the `Drop` of a value panics. Then every checkpoint is [lost](TrackError::Lost).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, trees::Buckets, track::{Reversible, TrackError}};
    ///
    /// let birds = Arena::from_iter(["wren", "kite"]);
    /// let [wren, kite] = [0, 1].map(|at| birds.keys().nth(at).unwrap());
    /// let mut kinds = Buckets::<_, 2>::new();
    /// kinds.set(&birds, wren, 0)?;
    /// let [first, second] = [(); 2].map(|()| kinds.checkpoint());
    /// kinds.set(&birds, kite, 0)?;
    /// kinds.set(&birds, wren, 1)?;
    ///
    /// kinds.rollback(first)?;
    /// assert!(kinds.iter(0).eq([wren]) && kinds.iter(1).eq([]));
    /// assert_eq!(kinds.rollback(second), Err(TrackError::Gone));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn rollback(&mut self, to: Checkpoint) -> Result<(), TrackError> {
        let step = find(self, to)?;
        Ok(apart(self, |this, past| past.go_back(this, step))?)
    }

    /// Takes back what was done since the latest checkpoint, which is gone: [`redo`](Self::redo) brings both back. Says
    /// whether there was a checkpoint. O(changes since).
    ///
    /// Handles that a pool has issued since stay stale permanently, unless they are redone, as after
    /// [`Tracked::undo`](super::Tracked::undo). Any change or new checkpoint discards the redo steps. (A pool that is loaded
    /// from a snapshot may issue them again.)
    ///
    /// # Errors
    /// If allocation fails; nothing has changed, or every checkpoint is lost, as for [`rollback`](Self::rollback).
    ///
    /// # Panics
    /// As [`rollback`](Self::rollback).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, Tree, track::Reversible};
    ///
    /// let parts = Arena::from_iter(["car", "wheel"]);
    /// let [car, wheel] = [0, 1].map(|at| parts.keys().nth(at).unwrap());
    /// let mut tree = Tree::new();
    /// tree.checkpoint();
    /// tree.append(&parts, car, wheel)?;
    ///
    /// assert!(tree.undo()?);
    /// assert_eq!(tree.parent(wheel), None);
    /// assert!(tree.redo()?);
    /// assert_eq!(tree.parent(wheel), Some(car));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn undo(&mut self) -> Result<bool, TrackError> {
        Ok(apart(self, |this, past| past.undo(this))?)
    }

    /// Does again what was undone last, and brings back its checkpoint; says whether there was anything. O(changes).
    ///
    /// # Errors
    /// As [`undo`](Self::undo).
    ///
    /// # Panics
    /// As [`rollback`](Self::rollback).
    ///
    /// # Examples
    /// ```
    /// use larder::{pools::ListPool, track::Reversible};
    ///
    /// let mut lists = ListPool::new();
    /// lists.checkpoint();
    /// let primes = lists.make([2, 3, 5]);
    /// assert!(lists.undo()?);
    /// assert_eq!(lists.get(primes), None);
    /// assert!(lists.redo()?);
    /// assert_eq!(lists[primes], [2, 3, 5]);
    /// assert!(!lists.redo()?);
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    fn redo(&mut self) -> Result<bool, TrackError> {
        Ok(apart(self, |this, past| past.redo(this))?)
    }

    /// Forgets the checkpoints before this one, and drops what they hold. O(what that is). Later checkpoints use the
    /// memory of 16 of them again: so frames that are recorded and forgotten allocate only what changed lists and texts
    /// of pools need.
    ///
    /// # Errors
    /// If the checkpoint is of another structure or gone; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Tree, track::{Reversible, TrackError}};
    ///
    /// let mut tree = Tree::<Handle<u8>>::new();
    /// let [first, second] = [(); 2].map(|()| tree.checkpoint());
    /// tree.forget(second)?;
    /// assert_eq!((tree.rollback(first), tree.rollback(second)), (Err(TrackError::Gone), Ok(())));
    /// # Ok::<(), TrackError>(())
    /// ```
    fn forget(&mut self, older_than: Checkpoint) -> Result<(), TrackError> {
        let step = find(self, older_than)?;
        self.past(Internal(())).forget(step);
        Ok(())
    }

    /// Forgets every checkpoint, so that nothing more is recorded until the next. O(what they hold).
    ///
    /// # Examples
    /// ```
    /// use larder::{Handle, Tree, track::{Reversible, TrackError}};
    ///
    /// let mut tree = Tree::<Handle<u8>>::new();
    /// let first = tree.checkpoint();
    /// tree.forget_all();
    /// assert_eq!(tree.rollback(first), Err(TrackError::Gone));
    /// ```
    fn forget_all(&mut self) {
        self.past(Internal(())).forget_all();
    }
}

#[cfg(feature = "trees")]
impl<K: Key> Reversible for Tree<K> {}

#[cfg(feature = "trees")]
impl<K: Key> Reversible for KeyList<K> {}

#[cfg(feature = "trees")]
impl<K: Key, const N: usize> Reversible for Buckets<K, N> {}

#[cfg(all(feature = "pools", feature = "hashbrown"))]
impl<S> Reversible for StringPool<S> {}

#[cfg(feature = "pools")]
impl<T: Clone> Reversible for ListPool<T> {}

fn find<T: Reverse>(of: &mut T, checkpoint: Checkpoint) -> Result<usize, TrackError> {
    let found = of.past(Internal(())).find(checkpoint.owner, checkpoint.number);
    found.map_err(|no_step| match no_step {
        NoStep::Foreign => TrackError::Foreign,
        NoStep::Gone => TrackError::Gone,
        NoStep::Lost => TrackError::Lost,
    })
}

/// Calls `act` with the past apart from the structure, which records nothing meanwhile. If it panics, the structure may be
/// between two checkpoints: all are lost then.
fn apart<T: Reverse, R>(
    of: &mut T,
    act: impl FnOnce(&mut T, &mut Past<T::Change, T::State>) -> R,
) -> R {
    let past = mem::take(of.past(Internal(())));
    let mut apart = OnDrop::new((of, past, false), |(of, past, is_done)| {
        if !*is_done {
            past.abandon();
        }
        *of.past(Internal(())) = mem::take(past);
    });
    let (of, past, is_done) = &mut apart.held;
    let result = act(of, past);
    *is_done = true;
    result
}

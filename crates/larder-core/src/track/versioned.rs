//! A plain value that goes back to checkpoints, for groups.

use core::ops::{Deref, DerefMut};
use core::{fmt, mem};

use super::TrackError;
use super::member::Each;
use super::reversible::Reversible;
use crate::error::TryReserveError;
use crate::past::{Past, Reverse, Way};

/// A value that goes back to checkpoints as a container does, for what a program keeps beside its containers: the
/// number of the frame, the state of a random number generator, an `IntrusiveList`. (Lending it mutably ends redo, as
/// any change does. A value that moves between edits, such as a caret, is best kept outside the group.)
///
/// It derefs to the value. Each checkpoint clones it, whether it changes or not: for a value that is large, use a
/// container. A clone has no checkpoints.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Reversible, Tracked, Versioned}};
///
/// let (mut ships, mut frame) = (Tracked::new(Arena::new()), Versioned::new(0));
/// let then = (&mut ships, &mut frame).checkpoint();
/// ships.insert("frigate");
/// *frame += 1;
/// (&mut ships, &mut frame).rollback(then)?;
/// assert_eq!((ships.len(), *frame), (0, 0));
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[derive(Clone, Default)]
pub struct Versioned<T> {
    value: T,
    past: Past<(), T>,
}

impl<T> Versioned<T> {
    /// Takes a value. O(1).
    ///
    /// # Examples
    /// ```
    /// use larder::track::Versioned;
    ///
    /// assert_eq!(*Versioned::new(7), 7);
    /// ```
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self { value, past: Past::new() }
    }

    /// Returns the value, and discards its checkpoints. O(checkpoints).
    ///
    /// # Examples
    /// ```
    /// use larder::track::Versioned;
    ///
    /// assert_eq!(Versioned::new(7).into_inner(), 7);
    /// ```
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Versioned<T> {
    /// Lends the value for work that changes nothing which a checkpoint would go back to. User code may run: states are
    /// dropped that [`changed`](Self::changed) has left.
    #[inline]
    pub(super) fn settled(&mut self) -> &mut T {
        self.past.settle();
        &mut self.value
    }

    /// Lends the value. What was undone cannot be redone then, and is left to [`settled`](Self::settled): no user code
    /// runs.
    #[inline]
    pub(super) fn changed(&mut self) -> &mut T {
        self.past.give_up_undone();
        &mut self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Versioned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T> Deref for Versioned<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Versioned<T> {
    /// Lends the value. What was undone cannot be redone then.
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.past.forget_undone();
        &mut self.value
    }
}

/// A value as it goes back: its past can be reached by the group that goes back, and from nowhere else.
struct Returning<'a, T>(&'a mut Versioned<T>);

impl<T: Clone> Reverse for Returning<'_, T> {
    type Change = ();
    type State = T;
    type Kept = ();

    fn past(&mut self) -> &mut Past<(), T> {
        &mut self.0.past
    }

    fn state(&mut self) -> T {
        self.0.value.clone()
    }

    fn exchange(&mut self, state: &mut T) {
        mem::swap(&mut self.0.value, state);
    }

    fn reverse(&mut self, (): &mut (), (): &mut (), _: Way) -> Result<(), TryReserveError> {
        Ok(())
    }
}

impl<T: Clone> Reversible for Versioned<T> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut Returning(self))
    }
}

//! The part of a member, a container, a structure beside it, or a value, when its group takes a checkpoint, goes back,
//! undoes and redoes.
//!
//! **Invariant.** A member has a step for each checkpoint that it holds, in ascending order of their numbers. All
//! members of a group have the steps of the group's checkpoints, under the same numbers, so that each says by itself
//! whether it has gone back to one already: a return that was interrupted is completed by repeating it.

use core::mem;

use super::TrackError;
use crate::error::TryReserveError;
use crate::memory::OnDrop;
use crate::past::{Checkpoint, Journal, Past, Way};

/// A value that only this crate can make: an argument of functions of sealed traits that are not to be called
/// elsewhere, since code with a bound on such a trait can name its functions.
#[derive(Debug)]
#[expect(unnameable_types, reason = "part of sealed traits")]
pub struct Internal(pub(super) ());

/// Called with each member of a group. See [`Reversible::members`](super::Reversible::members).
pub type Each<'a> = dyn FnMut(&mut dyn Member) -> Result<(), TrackError> + 'a;

/// A container, structure or value that goes back by itself, as a [group](super::Reversible) asks it to. Sealed.
///
/// # Examples
/// ```
/// use larder::track::{Reversible, Versioned};
///
/// let (mut members, mut both) = (0, (Versioned::new(1), Versioned::new(2)));
/// both.members(&mut |_member| {
///     members += 1;
///     Ok(())
/// })?;
/// assert_eq!(members, 2);
/// # Ok::<(), larder::track::TrackError>(())
/// ```
pub trait Member {
    /// A checkpoint of this member, of the least number that may come next.
    #[doc(hidden)]
    fn next(&mut self, _: Internal) -> Checkpoint;

    /// Begins the step of a checkpoint, whose number is at least that of the [next](Self::next), as the member with
    /// that many before it. On an error nothing has changed, but that what was undone may be discarded.
    #[doc(hidden)]
    fn begin(&mut self, at: Checkpoint, place: u32, _: Internal) -> Result<(), TryReserveError>;

    /// Ends the step of a checkpoint that was just begun, as if it had not been.
    #[doc(hidden)]
    fn cancel(&mut self, at: Checkpoint, _: Internal);

    /// Returns the place in its group of the step of a checkpoint, or says why there is none.
    #[doc(hidden)]
    fn find(&mut self, at: Checkpoint, _: Internal) -> Result<u32, TrackError>;

    /// Returns whether a checkpoint of that number, if there was one, was given up because allocation failed.
    #[doc(hidden)]
    fn has_lost(&mut self, number: u64, _: Internal) -> bool;

    /// The latest checkpoint, and the place in its group.
    #[doc(hidden)]
    fn latest(&mut self, _: Internal) -> Option<(Checkpoint, u32)>;

    /// The checkpoint that was undone last, if it can be done again, and the place in its group.
    #[doc(hidden)]
    fn latest_undone(&mut self, _: Internal) -> Option<(Checkpoint, u32)>;

    /// The checkpoint with this many others behind it.
    #[doc(hidden)]
    fn before_latest(&mut self, count: usize, _: Internal) -> Option<Checkpoint>;

    /// Goes back to a checkpoint, which there is; or undoes the latest step, or redoes what was undone last, if that is
    /// the step of the checkpoint: otherwise a call that was interrupted has done so. Returns whether that has left
    /// something over, to be dropped when all members have passed.
    #[doc(hidden)]
    fn pass(&mut self, way: Way, at: Checkpoint, _: Internal) -> Result<bool, TryReserveError>;

    #[doc(hidden)]
    fn settle(&mut self, _: Internal);

    /// Forgets the checkpoints before one.
    #[doc(hidden)]
    fn forget(&mut self, before: Checkpoint, _: Internal);

    /// Has nothing to redo.
    #[doc(hidden)]
    fn forget_undone(&mut self, _: Internal);

    #[doc(hidden)]
    fn forget_all(&mut self, _: Internal);
}

/// A member takes part with the steps in its past.
#[diagnostic::do_not_recommend]
impl<T: Journal> Member for T {
    fn next(&mut self, _: Internal) -> Checkpoint {
        self.past().next()
    }

    fn begin(&mut self, at: Checkpoint, place: u32, _: Internal) -> Result<(), TryReserveError> {
        self.past().reserve_step(at)?;
        let state = self.present()?;
        self.past().begin(state, at, place);
        Ok(())
    }

    fn cancel(&mut self, at: Checkpoint, _: Internal) {
        let has_gone_on = self.has_gone_on();
        self.past().cancel(at, has_gone_on);
        if !self.past().is_on() {
            self.forgot();
        }
    }

    fn find(&mut self, at: Checkpoint, _: Internal) -> Result<u32, TrackError> {
        let past = self.past();
        match past.find(at) {
            Some((_, place)) => Ok(place),
            None if past.is_foreign(at) => Err(TrackError::Foreign),
            None if past.has_lost(at.number) => Err(TrackError::Lost),
            None => Err(TrackError::Gone),
        }
    }

    fn has_lost(&mut self, number: u64, _: Internal) -> bool {
        self.past().has_lost(number)
    }

    fn latest(&mut self, _: Internal) -> Option<(Checkpoint, u32)> {
        self.past().latest()
    }

    fn latest_undone(&mut self, _: Internal) -> Option<(Checkpoint, u32)> {
        self.past().latest_undone()
    }

    fn before_latest(&mut self, count: usize, _: Internal) -> Option<Checkpoint> {
        self.past().before_latest(count)
    }

    fn pass(&mut self, way: Way, at: Checkpoint, _: Internal) -> Result<bool, TryReserveError> {
        let Some(step) = self.past().position(at, way) else { return Ok(false) };
        self.prepare()?;
        apart(self, |this, past| match way {
            Way::Back => past.go_back(this, step),
            Way::Undo | Way::Redo => past.pass_over(this, step, way),
        })?;
        Ok(self.has_left())
    }

    fn settle(&mut self, _: Internal) {
        Journal::settle(self);
    }

    fn forget(&mut self, before: Checkpoint, _: Internal) {
        let past = self.past();
        past.find(before).into_iter().for_each(|(step, _)| past.forget(step));
    }

    fn forget_undone(&mut self, _: Internal) {
        self.past().forget_undone();
    }

    fn forget_all(&mut self, _: Internal) {
        self.past().forget_all();
        self.forgot();
    }
}

/// Calls `act` with the past apart from the structure, which records nothing meanwhile.
fn apart<T: Journal, R>(
    of: &mut T,
    act: impl FnOnce(&mut T, &mut Past<T::Change, T::State, T::Kept>) -> R,
) -> R {
    let past = mem::take(of.past());
    let mut apart = OnDrop::new((of, past), |(of, past)| mem::swap(of.past(), past));
    let (of, past) = &mut apart.held;
    act(of, past)
}

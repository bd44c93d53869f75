//! Going back to a checkpoint, and undoing.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::mem;

use super::TrackError;
use super::history::{Checkpoint, History, Notes, Step};
use super::spent::Spent;
use super::subscribers::Subscribers;
use super::trackable::{Records, Revert, Track};
use super::tracked::Tracked;
use crate::error::TryReserveError;
use crate::explain;
use crate::key::sealed::Compose;
use crate::raw::rewind::Saved;
use crate::raw::{Internal, OnDrop};
use crate::scratch::reserve;

/// Going back.
impl<A: Track> Tracked<A> {
    /// Returns a checkpoint that [`rollback`](Self::rollback) can go back to. No value is copied: the first
    /// change of a slot after it clones what is there. O(slots begun since the last checkpoint / 64 + slots / 4,096), and
    /// with another [order of reuse](crate::Reuse) than the packed one O(free slots).
    ///
    /// # Panics
    /// If allocation fails.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::new());
    /// let empty = birds.checkpoint();
    /// birds.insert("wren");
    /// birds.rollback(empty)?;
    /// assert!(birds.is_empty());
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    #[track_caller]
    pub fn checkpoint(&mut self) -> Checkpoint
    where
        A: Revert,
    {
        explain::granted::<Self, _>(self.try_checkpoint())
    }

    /// As [`checkpoint`](Self::checkpoint), but returns an error where allocation fails.
    ///
    /// # Errors
    /// If allocation fails; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut birds = Tracked::new(Arena::<&str>::new());
    /// let empty = birds.try_checkpoint()?;
    /// # let _ = empty;
    /// # Ok::<(), larder::TryReserveError>(())
    /// ```
    pub fn try_checkpoint(&mut self) -> Result<Checkpoint, TryReserveError>
    where
        A: Revert,
    {
        let number = self.history.begin(&self.container)?;
        Ok(Checkpoint { owner: self.number, number })
    }

    /// Puts the container back to what it was at a checkpoint: values, keys, generations, and the order in
    /// which free slots are used. The same calls then return the same keys again. **Keys issued since the
    /// checkpoint are stale; when they are reissued they name other values.** Checkpoints made since are
    /// gone; this one remains, and can be returned to again. O(slots that changed since).
    ///
    /// Subscribers are told of these changes as of any others. Keys that were [undone](Self::undo) since stay stale:
    /// their slots stay in use, free ones with later generations than they had, so that the same calls return other
    /// keys. A [`Pool`](crate::Pool) keeps the values that it has made since the checkpoint, in slots beyond those in
    /// use.
    ///
    /// # Errors
    /// If the checkpoint is of another container or gone, or if memory was refused when a change had to be
    /// recorded: nothing has changed. If allocation fails now: nothing has changed, or the container was put
    /// back to a later checkpoint on the way; repeat the call to complete it.
    ///
    /// # Panics
    /// If the `Drop` of a value or a pool's function panics. Then every checkpoint may be
    /// [lost](TrackError::Lost), and the container may be between two of them.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::new());
    /// let a = ships.insert(1);
    /// let first = ships.checkpoint();
    /// let b = ships.insert(2);
    /// let second = ships.checkpoint();
    /// ships.remove(a);
    ///
    /// ships.rollback(first)?;
    /// assert_eq!((ships.get(a), ships.get(b)), (Some(&1), None));
    /// assert_eq!(ships.rollback(second), Err(TrackError::Gone));
    /// assert_eq!(ships.insert(3), b); // the same key again
    /// # Ok::<(), TrackError>(())
    /// ```
    pub fn rollback(&mut self, to: Checkpoint) -> Result<(), TrackError> {
        self.check_owner(to.owner)?;
        let step = self.history.find(to.number)?;
        let done = self.with_steps(|this| this.go_back(step));
        self.history.went_back(self.container.slots());
        Ok(done?)
    }

    /// Calls `change`, which may change steps, while nothing is recorded. If it panics, a step may say what
    /// the container was or what it is: every checkpoint is lost then.
    fn with_steps(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<(), TryReserveError>,
    ) -> Result<(), TryReserveError> {
        let slots = self.container.slots();
        self.history.prepare_pause(slots)?;
        self.history.pause(slots);
        let torn = OnDrop::new(self, |this| this.history.abandon());
        let result = change(torn.held);
        mem::forget(torn);
        result
    }

    /// Puts the container back, one step after the other.
    fn go_back(&mut self, step: usize) -> Result<(), TryReserveError> {
        let Self { container, subscribers, history, .. } = self;
        history.prepare(step, container.slots())?;
        for number in (step..history.steps.len()).rev() {
            let History { steps, spent, .. } = &mut *history;
            let Step { order, notes: Notes { records, .. }, .. } = &mut steps[number];
            cover_return::<A>(subscribers, records)?;
            let held = spent.hold(container, order, records)?;
            note_return(subscribers, container, records);
            note_end(subscribers, container, order.slots as usize);
            let exchanged = container.exchange(records, Some(order), Internal(()));
            if let Err(refused) = exchanged {
                Spent::let_go::<A>(held, order, records);
                return Err(refused);
            }
            history.passed(number);
        }
        Ok(())
    }

    /// Takes back what was done since the latest checkpoint, so that the values are what they were, and the
    /// checkpoint is gone: [`redo`](Self::redo) brings both back. Says whether there was a checkpoint.
    /// O(slots that changed since), and with another [order of reuse](crate::Reuse) than the packed one O(slots).
    ///
    /// Unlike after a [`rollback`](Self::rollback), generations keep increasing: **keys issued since stay
    /// stale permanently**, unless they are redone, also if an earlier checkpoint is returned to; and the next insertion
    /// returns a key that was never issued. Keys of removed values are valid again. Free slots are used in another order than they would
    /// have been. (Keys without generations cannot be told apart, here as anywhere.)
    ///
    /// Only the `Tracked` knows which keys were undone: a container that is taken out of it, cloned, saved or
    /// sent may issue them again.
    ///
    /// Any change or new checkpoint discards the redo steps.
    ///
    /// # Errors
    /// If allocation fails; nothing has changed.
    ///
    /// # Panics
    /// As [`rollback`](Self::rollback).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut shapes = Tracked::new(Arena::new());
    /// shapes.checkpoint();
    /// let circle = shapes.insert("circle");
    ///
    /// assert!(shapes.undo()?);
    /// assert_eq!(shapes.get(circle), None);
    /// assert!(shapes.redo()?);
    /// assert_eq!(shapes.get(circle), Some(&"circle"));
    ///
    /// assert!(shapes.undo()?);
    /// let square = shapes.insert("square"); // in the same slot
    /// assert_eq!((shapes.get(circle), shapes.get(square)), (None, Some(&"square")));
    /// assert_eq!((shapes.redo()?, shapes.undo()?), (false, false));
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    pub fn undo(&mut self) -> Result<bool, TrackError> {
        self.step_over(|steps, _| steps.back_mut(), History::undid)
    }

    /// Does again what was undone last, and brings back its checkpoint; says whether there was anything. Keys that were
    /// made by it are valid again. O(slots that it changes), and with another [order of reuse](crate::Reuse) than
    /// the packed one O(slots).
    ///
    /// # Errors
    /// If allocation fails; nothing has changed.
    ///
    /// # Panics
    /// As [`rollback`](Self::rollback).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::Tracked};
    ///
    /// let mut words = Tracked::new(Arena::new());
    /// for word in ["to", "be"] {
    ///     words.checkpoint();
    ///     words.insert(word);
    /// }
    /// while words.undo()? {}
    /// assert!(words.redo()?);
    /// assert!(words.values().eq(&["to"]));
    /// # Ok::<(), larder::track::TrackError>(())
    /// ```
    pub fn redo(&mut self) -> Result<bool, TrackError> {
        self.step_over(|_, undone| undone.last_mut(), History::redid)
    }

    /// Exchanges what the container is with what a step says, but for generations, which count on; and says
    /// whether there was one. Then the step has been `passed`.
    fn step_over(
        &mut self,
        step: impl for<'s> Fn(
            &'s mut VecDeque<Step<A>>,
            &'s mut Vec<Step<A>>,
        ) -> Option<&'s mut Step<A>>,
        passed: impl FnOnce(&mut History<A>),
    ) -> Result<bool, TrackError> {
        let History { steps, undone, .. } = &mut self.history;
        if step(steps, undone).is_none() {
            return Ok(false);
        }
        reserve(undone, 1)?;
        let done = self.with_steps(|Self { container, subscribers, history, .. }| {
            let History { steps, undone, spent, .. } = history;
            let Some(Step { order, notes, .. }) = step(steps, undone) else { return Ok(()) };
            let Notes { records, begun, .. } = notes;
            cover_return::<A>(subscribers, records)?;
            let counted = spent.count_on(container, order, begun, records)?;
            note_return(subscribers, container, records);
            let exchanged = container.exchange(records, None, Internal(()));
            if exchanged.is_err() {
                spent.take_back::<A>(counted, records);
            }
            exchanged.map(drop)
        });
        if done.is_ok() {
            passed(&mut self.history);
        }
        self.history.resume(self.container.slots());
        Ok(done.map(|()| true)?)
    }

    /// Forgets the checkpoints before this one, and drops what they hold. O(what that is). Later checkpoints use the memory
    /// of 16 of them again: so frames that are recorded and forgotten do not allocate.
    ///
    /// # Errors
    /// If the checkpoint is of another container or gone; nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::<u8>::new());
    /// let [first, second] = [ships.checkpoint(), ships.checkpoint()];
    /// ships.forget(second)?;
    /// assert_eq!(ships.rollback(first), Err(TrackError::Gone));
    /// assert_eq!(ships.rollback(second), Ok(()));
    /// # Ok::<(), TrackError>(())
    /// ```
    pub fn forget(&mut self, older_than: Checkpoint) -> Result<(), TrackError> {
        self.check_owner(older_than.owner)?;
        let step = self.history.find(older_than.number)?;
        self.history.forget(step);
        Ok(())
    }

    /// Forgets every checkpoint, so that nothing more is recorded until the next. O(what they hold).
    ///
    /// # Examples
    /// ```
    /// use larder::{Arena, track::{TrackError, Tracked}};
    ///
    /// let mut ships = Tracked::new(Arena::<u8>::new());
    /// let first = ships.checkpoint();
    /// ships.forget_all();
    /// assert_eq!(ships.rollback(first), Err(TrackError::Gone));
    /// ```
    pub fn forget_all(&mut self) {
        self.history.forget_all();
    }
}

/// Makes room to tell subscribers of the slots of records: those of side data may be any.
fn cover_return<A: Track>(
    subscribers: &mut Subscribers<A::Key>,
    records: &Records<A>,
) -> Result<(), TryReserveError> {
    let last = if A::ISSUES { None } else { records.iter().map(|record| record.slot).max() };
    last.map_or(Ok(()), |last| subscribers.cover_slot(last as usize))
}

/// Tells subscribers what putting slots back changes.
fn note_return<A: Track>(
    subscribers: &mut Subscribers<A::Key>,
    container: &A,
    records: &Records<A>,
) {
    if subscribers.is_empty() {
        return;
    }
    for record in records {
        let slot = record.slot as usize;
        let now = container.key_at(slot);
        let then = match &record.saved {
            Saved::Live(generation, _) => Some(A::Key::compose(record.slot, *generation)),
            _ => None,
        };
        if now == then {
            subscribers.note_slot(slot);
        } else {
            subscribers.note_moved(slot, now);
        }
    }
}

/// Tells subscribers that slots from this one on are given up.
fn note_end<A: Track>(subscribers: &mut Subscribers<A::Key>, container: &A, slots: usize) {
    if subscribers.is_empty() {
        return;
    }
    for slot in slots..container.slots() {
        if let Some(now) = container.key_at(slot) {
            subscribers.note_moved(slot, Some(now));
        }
    }
}

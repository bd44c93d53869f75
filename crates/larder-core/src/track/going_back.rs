//! Going back to a checkpoint, and undoing.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::mem;

use super::TrackError;
use super::history::{History, Notes, Step};
use super::member::Internal;
use super::member::{Each, Member};
use super::observer::Observer;
use super::reversible::Reversible;
use super::spent::Spent;
use super::subscribers::Subscribers;
use super::table::{Recorded, Table};
use super::trackable::{Records, Revert, Track};
use crate::error::TryReserveError;
use crate::key::sealed::Compose;
use crate::memory::OnDrop;
use crate::past::{Checkpoint, Way};
use crate::raw::rewind::Saved;
use crate::room::reserve;

/// A container takes part with the records of its slots.
impl<A: Revert> Member for Recorded<A> {
    fn next(&mut self, _: Internal) -> Checkpoint {
        Checkpoint { owner: self.number, number: self.history.next() }
    }

    fn begin(&mut self, at: Checkpoint, _: Internal) -> Result<(), TryReserveError> {
        self.history.begin(&self.container, at)
    }

    fn cancel(&mut self, at: Checkpoint, _: Internal) {
        self.history.cancel(at, self.container.slots());
    }

    fn find(&mut self, at: Checkpoint, _: Internal) -> Result<(), TrackError> {
        match self.history.find(at) {
            Some(_) => Ok(()),
            None if at.owner != self.number => Err(TrackError::Foreign),
            None if self.history.has_lost(at.number) => Err(TrackError::Lost),
            None => Err(TrackError::Gone),
        }
    }

    fn has_lost(&mut self, number: u64, _: Internal) -> bool {
        self.history.has_lost(number)
    }

    fn latest(&mut self, _: Internal) -> Option<Checkpoint> {
        self.history.latest()
    }

    fn latest_undone(&mut self, _: Internal) -> Option<Checkpoint> {
        self.history.latest_undone()
    }

    fn before_latest(&mut self, count: usize, _: Internal) -> Option<Checkpoint> {
        self.history.before_latest(count)
    }

    fn pass(&mut self, way: Way, at: Checkpoint, _: Internal) -> Result<(), TryReserveError> {
        match way {
            Way::Back => {
                let Some(step) = self.history.find(at) else { return Ok(()) };
                self.history.prepare_pause(self.container.slots())?;
                let done = self.with_steps(|this| this.go_back(step));
                self.history.went_back(self.container.slots());
                done
            }
            Way::Undo => self.step_over(|steps, _| steps.back_mut(), History::undid),
            Way::Redo => self.step_over(|_, undone| undone.last_mut(), History::redid),
        }
    }

    fn forget(&mut self, before: Checkpoint, _: Internal) {
        self.history.find(before).into_iter().for_each(|step| self.history.forget(step));
    }

    fn forget_undone(&mut self, _: Internal) {
        self.history.forget_undone();
    }

    fn forget_all(&mut self, _: Internal) {
        self.history.forget_all();
    }
}

/// A table goes back with its observers.
impl<C: Revert, O: Observer<C> + Reversible> Reversible for Table<C, O> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut self.objects)?;
        self.observers_mut().members(each)
    }
}

impl<A: Track> Recorded<A> {
    /// Calls `change`, which may change steps, while nothing is recorded: [`History::prepare_pause`] comes before, and
    /// [`History::resume`] after it. If it panics, a step may say what the container was or what it is: every
    /// checkpoint is lost then.
    fn with_steps(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<(), TryReserveError>,
    ) -> Result<(), TryReserveError> {
        self.history.pause(self.container.slots());
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

    /// Exchanges what the container is with what a step says, but for generations, which count on. Then the step has been
    /// `passed`.
    fn step_over(
        &mut self,
        step: impl for<'s> Fn(
            &'s mut VecDeque<Step<A>>,
            &'s mut Vec<Step<A>>,
        ) -> Option<&'s mut Step<A>>,
        passed: impl FnOnce(&mut History<A>),
    ) -> Result<(), TryReserveError> {
        reserve(&mut self.history.undone, 1)?;
        self.history.prepare_pause(self.container.slots())?;
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
        done
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

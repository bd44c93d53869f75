//! Going back to a checkpoint, and undoing.

use core::mem;

use super::TrackError;
use super::history::{History, Start};
use super::member::Each;
use super::member::Internal;
use super::observer::Observer;
use super::recorded::Recorded;
use super::reversible::Reversible;
use super::subscribers::Subscribers;
use super::table::Table;
use super::trackable::{BatchOf, RecordOf, Revert, Track};
use crate::error::TryReserveError;
use crate::key::sealed::Compose;
use crate::past::{Journal, Passed, Past, Refused, Way};
use crate::raw::rewind::{Batch, Saved};

/// A container goes back with the records of its slots, all of a step at once.
impl<A: Revert> Journal for Recorded<A> {
    type Change = RecordOf<A>;
    type State = Start<A>;
    type Kept = ();

    fn past(&mut self) -> &mut Past<RecordOf<A>, Start<A>> {
        &mut self.history.past
    }

    fn prepare(&mut self) -> Result<(), TryReserveError> {
        // (If a `Drop` panicked, something is left.)
        if self.has_left() {
            Journal::settle(self);
        }
        self.history.pause(self.container.slots())
    }

    fn forgot(&mut self) {
        self.history.stop();
    }

    fn has_gone_on(&mut self) -> bool {
        !self.history.kept.is_paused()
    }

    fn present(&mut self) -> Result<Start<A>, TryReserveError> {
        self.history.begin(&self.container)
    }

    fn reverse_step(
        &mut self,
        step: Passed<'_, RecordOf<A>, Start<A>, ()>,
        way: Way,
    ) -> Result<Option<Start<A>>, Refused> {
        let Passed { changes: step, state: start, .. } = step;
        let logged = start.logged.clone();
        match way {
            Way::Back => self.go_back(step, start)?,
            _ if start.is_nothing(step.len()) => return Ok(None),
            Way::Undo | Way::Redo => {
                start.record(start.begun.clone())?;
                start.begun = 0..0;
                self.step_over(step, start)?;
            }
        }
        self.history.kept.exchange(&logged);
        self.history.paused(self.container.slots());
        if way == Way::Back {
            mem::swap(&mut start.records, &mut self.history.spare);
        }
        Ok(None)
    }

    fn has_left(&self) -> bool {
        !(self.history.spare.is_empty() && self.history.left.is_nothing())
    }

    fn settle(&mut self) {
        self.history.spare.clear();
        self.history.left.clear();
    }
}

/// A table goes back with its observers.
impl<C: Revert, O: Observer<C> + Reversible> Reversible for Table<C, O> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut self.objects)?;
        self.lend_observers().members(each)
    }
}

impl<A: Track> Recorded<A> {
    /// Puts the container back to what it was when a step began.
    fn go_back(
        &mut self,
        step: &mut [RecordOf<A>],
        start: &mut Start<A>,
    ) -> Result<(), TryReserveError> {
        let Self { container, subscribers, history, .. } = self;
        let mut order = history.take_order(start)?;
        let History { spent, free, spare, left, .. } = &mut *history;
        if start.records.is_empty() && start.records.capacity() < spare.capacity() {
            mem::swap(&mut start.records, spare);
        }
        let known = start.records.len();
        let mut records = Batch { step, more: &mut start.records };
        cover_return::<A>(subscribers, &records)?;
        spent.hold(container, &mut order, &mut records)?;
        let exchanged = free.reserve(order.free.len()).and_then(|()| {
            note_return(subscribers, container, &records);
            note_end(subscribers, container, order.slots as usize);
            container.exchange(&mut records, Some(&order), left, Internal(()))
        });
        match exchanged {
            Ok(_) => history.put_order(order, start),
            Err(_) => start.records.truncate(known),
        }
        exchanged.map(drop)
    }

    /// Exchanges what the container is with what a step says, but for generations, which count on.
    fn step_over(
        &mut self,
        step: &mut [RecordOf<A>],
        start: &mut Start<A>,
    ) -> Result<(), TryReserveError> {
        let Self { container, subscribers, history, .. } = self;
        let History { spent, counted, left, .. } = history;
        let mut records = Batch { step, more: &mut start.records };
        cover_return::<A>(subscribers, &records)?;
        spent.count_on(container, start.mark, &mut records, counted)?;
        note_return(subscribers, container, &records);
        let exchanged = container.exchange(&mut records, None, left, Internal(()));
        if exchanged.is_err() {
            spent.take_back::<A>(counted, &mut records);
        }
        exchanged.map(drop)
    }
}

/// Makes room to tell subscribers of the slots of records: those of side data may be any.
fn cover_return<A: Track>(
    subscribers: &mut Subscribers<A::Key>,
    records: &BatchOf<'_, A>,
) -> Result<(), TryReserveError> {
    let last = if A::ISSUES { None } else { records.iter().map(|record| record.slot).max() };
    last.map_or(Ok(()), |last| subscribers.cover_slot(last as usize))
}

/// Tells subscribers what putting slots back changes.
fn note_return<A: Track>(
    subscribers: &mut Subscribers<A::Key>,
    container: &A,
    records: &BatchOf<'_, A>,
) {
    if subscribers.is_empty() {
        return;
    }
    for record in records.iter() {
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

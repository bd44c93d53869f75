//! What slots were at each checkpoint: of each slot that changed since, the first time that it did.
//!
//! **Invariant.** `kept` has the slots that the last step has a record of, and those of its last word that
//! were not in use when it began. A step's records are of slots in use when it began, each once.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::mem;

use super::error::TrackError;
use super::spent::Spent;
use super::trackable::{Records, Revert, Track};
use crate::error::TryReserveError;
use crate::raw::marks::Marks;
use crate::raw::occupancy::WORD;
use crate::raw::rewind::{Order, reserve};
use crate::raw::walk::bits;

/// So many lists of records are kept to be used again.
const SPARE: usize = 16;

/// A moment that a [`Tracked`](super::Tracked) container can be put back to. Made by
/// [`checkpoint`](super::Tracked::checkpoint); a number, which costs nothing to keep.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Checkpoint, Tracked}};
///
/// let mut score = Tracked::new(Arena::from_iter([0]));
/// let frames: Vec<Checkpoint> = (0..8)
///     .map(|_| {
///         let frame = score.checkpoint();
///         score.iter_mut().for_each(|(_, points)| *points += 1);
///         frame
///     })
///     .collect();
/// score.rollback(frames[3])?;
/// assert!(score.values().eq(&[3]));
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub(super) owner: usize,
    pub(super) number: u64,
}

/// A checkpoint, and what slots were then that have changed until the next.
pub(super) struct Step<A: Track> {
    number: u64,
    pub(super) order: Order<A::Key>,
    pub(super) records: Records<A>,
}

pub(super) struct History<A: Track> {
    pub(super) steps: VecDeque<Step<A>>,
    kept: Marks,
    /// How many slots were in use when the last step began.
    bound: usize,
    /// How a slot is recorded: known where values can be cloned, which is where checkpoints are made.
    record: Option<fn(&A, usize, &mut Records<A>)>,
    made: u64,
    /// Checkpoints before this number were given up because memory was refused.
    lost: u64,
    /// Lists to be used again. There is room for those of all steps, undone ones too.
    spare: Vec<Records<A>>,
    /// Steps that were undone, with what slots were then.
    pub(super) undone: Vec<Step<A>>,
    /// What undoing leaves behind: see there.
    pub(super) spent: Spent<A::Key>,
}

impl<A: Track> History<A> {
    pub(super) const fn new() -> Self {
        Self {
            steps: VecDeque::new(),
            kept: Marks::new(),
            bound: 0,
            record: None,
            made: 0,
            lost: 0,
            spare: Vec::new(),
            undone: Vec::new(),
            spent: Spent::new(),
        }
    }

    /// Whether nothing has to be kept.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.undone.is_empty() && self.spent.is_empty()
    }

    /// Slots of a word are about to change.
    #[inline]
    pub(super) fn keep(&mut self, container: &A, word: usize, slots: u64) {
        if !self.undone.is_empty() {
            self.forget_undone();
        }
        if !self.steps.is_empty() && word * WORD < self.bound {
            let fresh = slots & !self.kept.word(word);
            if fresh != 0 {
                self.keep_slots(container, word, fresh);
            }
        }
    }

    #[inline(never)]
    fn keep_slots(&mut self, container: &A, word: usize, slots: u64) {
        let (Some(step), Some(record)) = (self.steps.back_mut(), self.record) else { return };
        if reserve(&mut step.records, slots.count_ones() as usize).is_err() {
            self.give_up();
            return;
        }
        for bit in bits(slots) {
            // (A value's `Clone` may panic: so one at a time.)
            record(container, word * WORD + bit, &mut step.records);
            self.kept.insert_all(word, 1 << bit);
        }
    }

    /// Gives up every checkpoint, since a change could not be recorded.
    fn give_up(&mut self) {
        self.lost = self.made;
        self.steps.clear();
    }

    /// Begins a step.
    pub(super) fn begin(&mut self, container: &A) -> Result<u64, TryReserveError>
    where
        A: Revert,
    {
        self.forget_undone();
        let order = container.order()?;
        let bytes = size_of::<Step<A>>();
        self.steps.try_reserve(1).map_err(|_| TryReserveError::AllocRefused { bytes })?;
        reserve(&mut self.spare, self.steps.len() + self.undone.len() + 1)?;
        let mut records = self.spare.pop().unwrap_or_default();
        records.clear();
        self.cover(order.slots as usize)?;
        self.record = Some(A::record);
        let number = self.made;
        self.made += 1;
        self.steps.push_back(Step { number, order, records });
        Ok(number)
    }

    /// No slot is kept yet of so many in use. On an error nothing has changed.
    fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        if slots > self.kept.covered() {
            let mut kept = Marks::new();
            kept.resize(slots)?;
            self.kept = kept;
        } else {
            self.kept.clear();
        }
        self.bound = slots;
        if slots % WORD != 0 {
            self.kept.insert_all(slots / WORD, !0 << (slots % WORD));
        }
        Ok(())
    }

    /// Where the step of a checkpoint is.
    pub(super) fn find(&self, number: u64) -> Result<usize, TrackError> {
        let found = self.steps.binary_search_by_key(&number, |step| step.number);
        found.map_err(|_| if number < self.lost { TrackError::Lost } else { TrackError::Gone })
    }

    /// Makes sure that going back to a step needs no memory, with so many slots in use.
    pub(super) fn prepare(&mut self, step: usize, slots: usize) -> Result<(), TryReserveError> {
        let mut slots = slots;
        for step in self.steps.range_mut(step..).rev() {
            let before = step.order.slots as usize;
            reserve(&mut step.records, slots.saturating_sub(before))?;
            slots = before;
        }
        Ok(())
    }

    /// The container was put back to a step: what was recorded from then on is given up. (User code
    /// runs last.)
    pub(super) fn went_back(&mut self, step: usize) {
        self.spare.extend(self.undone.drain(..).map(|dead| dead.records));
        while self.steps.len() > step + 1 {
            self.spare.extend(self.steps.pop_back().map(|dead| dead.records));
        }
        if let Some(Step { records, order, .. }) = self.steps.back_mut() {
            self.spare.push(mem::take(records));
            let slots = order.slots as usize;
            // (So many were covered before: this needs no memory.)
            let _ = self.cover(slots);
        }
        self.clear_spare();
    }

    /// Forgets the steps before one.
    pub(super) fn forget(&mut self, before: usize) {
        self.spare.extend(self.steps.drain(..before).map(|dead| dead.records));
        self.clear_spare();
    }

    /// What was undone cannot be done again: something else was done.
    #[cold]
    pub(super) fn forget_undone(&mut self) {
        self.spare.extend(self.undone.drain(..).map(|dead| dead.records));
        self.clear_spare();
    }

    /// Another step is the last: what it has records of is kept already.
    pub(super) fn resume(&mut self) {
        let Some(slots) = self.steps.back().map(|step| step.order.slots as usize) else { return };
        // (So many were covered before: this needs no memory.)
        let _ = self.cover(slots);
        for record in self.steps.back().into_iter().flat_map(|step| &step.records) {
            let slot = record.slot as usize;
            if slot < slots {
                self.kept.insert_all(slot / WORD, 1 << (slot % WORD));
            }
        }
    }

    /// Drops what given up records hold, and keeps their memory. (If a `Drop` panics, what is left is
    /// dropped the next time.)
    fn clear_spare(&mut self) {
        self.spare.iter_mut().for_each(Vec::clear);
        self.spare.truncate(SPARE);
    }
}

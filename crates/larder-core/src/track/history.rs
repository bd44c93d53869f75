//! The states of slots at each checkpoint: a slot is recorded before its first change since then.
//!
//! **Invariant.** `kept` has the slots that the last step has a record of, and those that it has `begun`. No slot of a
//! step has two of these, but for records of free slots. Slots that are `watched` and not kept are as they were when
//! the last step began.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::kept::{Kept, Log};
use super::spent::Spent;
use super::subscribers::room_for;
use super::trackable::{Records, Revert, Track, record_hole, record_value};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::memory::bits::WORD;
use crate::memory::bits::bits;
use crate::past::{Checkpoint, OTHER_MEMBERS};
use crate::raw::rewind::Order;
use crate::room::reserve;

/// The number of steps whose memory is kept to be used again.
const SPARE: usize = 16;

/// A checkpoint, and the states that slots had then which have changed before the next one.
pub(super) struct Step<A: Track> {
    at: Checkpoint,
    pub(super) order: Order<A::Key>,
    pub(super) notes: Notes<A>,
}

/// The changes of a step.
pub(super) struct Notes<A: Track> {
    pub(super) records: Records<A>,
    /// Slots that were begun, and have no record.
    pub(super) begun: Vec<Range<u32>>,
    log: Log,
}

impl<A: Track> Notes<A> {
    const fn new() -> Self {
        Self { records: Vec::new(), begun: Vec::new(), log: Vec::new() }
    }

    /// Returns whether there is neither a note nor memory for one.
    fn is_nothing(&self) -> bool {
        self.records.capacity() == 0 && self.begun.is_empty() && self.log.is_empty()
    }

    fn clear(&mut self) {
        self.log.clear();
        self.begun.clear();
        // (User code runs last.)
        self.records.clear();
    }
}

pub(super) struct History<A: Track> {
    pub(super) steps: VecDeque<Step<A>>,
    kept: Kept,
    /// The notes of the last step, unless something is undone.
    notes: Notes<A>,
    /// The number of slots in use when the last step began, or was resumed after another was undone.
    in_use: usize,
    /// Slots below this one are recorded before they change: those `in_use`; all, and none is kept, while there is
    /// something undone, which is forgotten then.
    watched: usize,
    /// [`keep_fresh`](Self::keep_fresh), known where values can be cloned, which is where checkpoints are made.
    keep_fresh: fn(&mut Self, A::Key, &A::Source),
    /// The largest number of a checkpoint so far.
    made: u64,
    /// Checkpoints up to this number were given up because allocation failed.
    lost: u64,
    /// Memory to be used again. There is room for the notes of all steps, undone ones too.
    spare: Vec<Notes<A>>,
    /// Empty lists of free slots, to be used again, with room as there.
    free: Vec<Vec<u32>>,
    /// Steps that were undone, with what slots were then.
    pub(super) undone: Vec<Step<A>>,
    /// The generations that undone keys have used up.
    pub(super) spent: Spent<A::Key>,
}

impl<A: Track> History<A> {
    pub(super) const fn new() -> Self {
        Self {
            steps: VecDeque::new(),
            kept: Kept::new(),
            notes: Notes::new(),
            in_use: 0,
            watched: 0,
            keep_fresh: |_, _, _| {},
            made: 0,
            lost: 0,
            spare: Vec::new(),
            free: Vec::new(),
            undone: Vec::new(),
            spent: Spent::new(),
        }
    }

    /// Slots of a word are about to change.
    #[inline]
    pub(super) fn keep(&mut self, container: &A, word: usize, slots: u64) {
        if word * WORD < self.watched {
            let fresh = slots & !self.kept.word(word);
            if fresh != 0 {
                // (A value's `Clone` may panic: so one at a time.)
                bits(fresh).for_each(|bit| self.keep_slot(container, word * WORD + bit));
            }
        }
    }

    /// A slot is about to change.
    #[inline]
    pub(super) fn keep_slot(&mut self, container: &A, slot: usize) {
        if self.watches(slot) {
            match container.key_at(slot) {
                Some(key) => self.keep_value(container, key),
                None => self.keep_hole(container, slot),
            }
        }
    }

    /// The value of a key is about to change, if it has one.
    #[inline]
    pub(super) fn keep_value(&mut self, container: &A, key: A::Key) {
        if let Some(source) = container.source(key) {
            self.keep_source(key, source);
        }
    }

    /// The value of a key is about to change, which is cloned from this.
    #[inline]
    pub(super) fn keep_source(&mut self, key: A::Key, source: &A::Source) {
        if self.watches(key.slot() as usize) {
            (self.keep_fresh)(self, key, source);
        }
    }

    /// Returns whether a slot has to be recorded before it changes.
    #[inline]
    fn watches(&self, slot: usize) -> bool {
        slot < self.watched && !self.kept.contains(slot)
    }

    fn keep_fresh(&mut self, key: A::Key, source: &A::Source)
    where
        A: Revert,
    {
        let slot = key.slot() as usize;
        if !self.has_room(slot) {
            return self.keep_slowly(key, source);
        }
        if record_value::<A>(key, source, &mut self.notes.records) {
            self.kept.insert(slot, &mut self.notes.log);
        }
    }

    #[cold]
    fn keep_slowly(&mut self, key: A::Key, source: &A::Source) {
        self.make_room(key.slot() as usize);
        self.keep_source(key, source);
    }

    #[cold]
    fn keep_hole(&mut self, container: &A, slot: usize) {
        if !self.has_room(slot) {
            self.make_room(slot);
            return self.keep_slot(container, slot);
        }
        record_hole(container, slot, &mut self.notes.records);
        self.kept.insert(slot, &mut self.notes.log);
    }

    /// Returns whether a slot can be recorded without allocating.
    #[inline]
    fn has_room(&self, slot: usize) -> bool {
        let Notes { records, log, .. } = &self.notes;
        records.len() < records.capacity() && log.len() < log.capacity() && self.kept.covers(slot)
    }

    /// Makes room to record a slot, or gives up what is undone, if anything, or else every checkpoint.
    fn make_room(&mut self, slot: usize) {
        if !self.undone.is_empty() {
            self.forget_undone();
        } else if self.try_make_room(slot).is_err() {
            // (User code runs last.)
            self.abandon();
            self.clear_spare();
        }
    }

    fn try_make_room(&mut self, slot: usize) -> Result<(), TryReserveError> {
        // (A program that keeps many steps makes small ones. Frames use the memory of others before, and should find enough.)
        let records = if self.steps.len() > SPARE { 1 } else { WORD };
        reserve(&mut self.notes.records, records)?;
        reserve(&mut self.notes.log, 1)?;
        // (The slots of a map of side data may be any.)
        if self.kept.covers(slot) { Ok(()) } else { self.kept.cover(room_for(slot)) }
    }

    /// Gives up every checkpoint. Their records are dropped the next time: while a panic unwinds nothing else
    /// may panic.
    pub(super) fn abandon(&mut self) {
        self.lost = self.made;
        self.put_aside();
    }

    /// Moves the records of all steps, undone ones too, to where they are dropped later.
    fn put_aside(&mut self) {
        self.watched = 0;
        self.kept.go_on_with(0);
        // (While steps are changed, the last one has its notes already.)
        if !self.notes.is_nothing() {
            self.put_down_notes();
        }
        let steps = self.steps.drain(..).chain(self.undone.drain(..));
        self.spare.extend(steps.map(|step| step.notes));
    }

    /// Slots that the last step has begun since it was gone on with.
    fn begun(&self, slots: usize) -> Option<Range<u32>> {
        let is_written = self.undone.is_empty() && !self.steps.is_empty();
        (is_written && slots > self.in_use).then_some(self.in_use as u32..slots as u32)
    }

    /// Makes sure that [`pause`](Self::pause) needs no memory, with so many slots in use.
    pub(super) fn prepare_pause(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let Some(begun) = self.begun(slots) else { return Ok(()) };
        reserve(&mut self.notes.begun, 1)?;
        self.kept.make_room(&begun, &mut self.notes.log)
    }

    /// Puts the notes of the last step into it while steps are changed, with so many slots in use, until
    /// [`resume`](Self::resume) is called.
    pub(super) fn pause(&mut self, slots: usize) {
        if let Some(begun) = self.begun(slots) {
            self.kept.insert_range(&begun, &mut self.notes.log);
            self.notes.begun.push(begun);
            self.in_use = slots;
        }
        self.put_down_notes();
    }

    fn put_down_notes(&mut self) {
        if let (true, Some(step)) = (self.undone.is_empty(), self.steps.back_mut()) {
            step.notes = mem::replace(&mut self.notes, Notes::new());
        }
    }

    /// Begins the step of a checkpoint. Panics if its number is not larger than those of earlier ones.
    pub(super) fn begin(&mut self, container: &A, at: Checkpoint) -> Result<(), TryReserveError>
    where
        A: Revert,
    {
        assert!(at.number > self.made, "{OTHER_MEMBERS}");
        let order = container.order(self.free.pop().unwrap_or_default())?;
        let bytes = size_of::<Step<A>>();
        self.steps.try_reserve(1).map_err(|_| TryReserveError::AllocRefused { bytes })?;
        reserve(&mut self.spare, self.steps.len() + self.undone.len() + 1)?;
        let lists = (self.steps.len() + 1).min(SPARE).saturating_sub(self.free.len());
        reserve(&mut self.free, lists)?;
        self.kept.cover((order.slots as usize).min(container.slot_capacity()))?;
        self.prepare_pause(container.slots())?;
        self.forget_undone();
        let mut notes = self.spare.pop().unwrap_or(Notes::new());
        notes.clear();
        self.pause(container.slots());
        self.keep_fresh = Self::keep_fresh;
        // (None has the number 0: see `Kept`.)
        self.made = at.number;
        self.steps.push_back(Step { at, order, notes });
        self.resume(container.slots());
        Ok(())
    }

    /// Cancels the step of a checkpoint that was just begun.
    pub(super) fn cancel(&mut self, at: Checkpoint, slots: usize) {
        if self.latest() == Some(at) {
            let notes = mem::replace(&mut self.notes, Notes::new());
            self.spare.extend(self.steps.pop_back().map(|_| notes));
            self.resume(slots);
        }
    }

    /// Resumes the last step, with so many slots in use: the slots that it has records of, or has begun, are kept already.
    pub(super) fn resume(&mut self, slots: usize) {
        self.in_use = slots;
        self.go_on();
    }

    fn go_on(&mut self) {
        let last = self.steps.back_mut().filter(|_| self.undone.is_empty());
        if let Some(step) = last {
            if self.notes.is_nothing() {
                self.notes = mem::replace(&mut step.notes, Notes::new());
            }
            self.in_use = self.in_use.max(step.order.slots as usize);
            self.watched = self.in_use;
            self.kept.go_on_with(step.at.number);
        } else {
            // (A change finds no room for its record, and then that something is undone.)
            self.watched = if self.undone.is_empty() { 0 } else { usize::MAX };
            self.kept.go_on_with(0);
        }
    }

    /// The position of the step of a checkpoint, if there is one.
    pub(super) fn find(&self, at: Checkpoint) -> Option<usize> {
        let found = self.steps.binary_search_by_key(&at.number, |step| step.at.number).ok()?;
        (self.steps[found].at == at).then_some(found)
    }

    /// The least number of the next checkpoint.
    pub(super) const fn next(&self) -> u64 {
        self.made + 1
    }

    /// Returns whether a checkpoint of that number, if there was one, was given up.
    pub(super) const fn has_lost(&self, number: u64) -> bool {
        number <= self.lost
    }

    /// The last checkpoint.
    pub(super) fn latest(&self) -> Option<Checkpoint> {
        self.steps.back().map(|step| step.at)
    }

    /// The checkpoint that was undone last, if it can be done again.
    pub(super) fn latest_undone(&self) -> Option<Checkpoint> {
        self.undone.last().map(|step| step.at)
    }

    /// The checkpoint with this many others behind it.
    pub(super) fn before_latest(&self, count: usize) -> Option<Checkpoint> {
        let at = self.steps.len().checked_sub(count + 1)?;
        Some(self.steps[at].at)
    }

    /// Returns whether no slot is recorded before it changes.
    #[inline]
    pub(super) const fn is_idle(&self) -> bool {
        self.watched == 0
    }

    /// Makes sure that going back to a step needs no memory, with so many slots in use.
    pub(super) fn prepare(&mut self, step: usize, slots: usize) -> Result<(), TryReserveError> {
        let mut slots = slots;
        for step in self.steps.range_mut(step..).rev() {
            let before = step.order.slots as usize;
            reserve(&mut step.notes.records, slots.saturating_sub(before))?;
            slots = before;
        }
        Ok(())
    }

    /// Takes the last step, which was undone, to those that can be redone, and restores the marks of the step before.
    pub(super) fn undid(&mut self) {
        if let Some(mut step) = self.steps.pop_back() {
            step.notes.begun.clear();
            self.kept.exchange(&mut step.notes.log);
            self.undone.push(step);
        }
    }

    /// Takes the step that was undone last, and was redone, back to those that are done.
    pub(super) fn redid(&mut self) {
        if let Some(mut step) = self.undone.pop() {
            self.kept.exchange(&mut step.notes.log);
            self.steps.push_back(step);
        }
    }

    /// Gives up the notes of a step that the container was put back to; those behind it were passed before.
    pub(super) fn passed(&mut self, step: usize) {
        self.spare.extend(self.undone.drain(..).map(|dead| dead.notes));
        // (Those between have none: they were passed before.)
        self.steps.truncate(step + 1);
        if let Some(step) = self.steps.back_mut() {
            self.kept.exchange(&mut step.notes.log);
            self.spare.push(mem::replace(&mut step.notes, Notes::new()));
        }
    }

    /// Resumes recording where the container was put back to, with so many slots in use. (User code runs last.)
    pub(super) fn went_back(&mut self, slots: usize) {
        self.resume(slots);
        self.clear_spare();
        if self.undone.is_empty() && self.notes.is_nothing() {
            self.notes = self.spare.pop().unwrap_or(Notes::new());
        }
    }

    /// Forgets the steps before one, which is not past the last.
    pub(super) fn forget(&mut self, before: usize) {
        for step in self.steps.range_mut(..before) {
            if self.free.len() < self.free.capacity().min(SPARE) {
                step.order.free.clear();
                self.free.push(mem::take(&mut step.order.free));
            }
        }
        self.spare.extend(self.steps.drain(..before).map(|dead| dead.notes));
        self.clear_spare();
    }

    /// Forgets all steps, undone ones too. (User code runs last.)
    pub(super) fn forget_all(&mut self) {
        self.put_aside();
        self.clear_spare();
    }

    /// Forgets the steps that were undone, since something else was done.
    #[cold]
    pub(super) fn forget_undone(&mut self) {
        if !self.undone.is_empty() {
            self.spare.extend(self.undone.drain(..).map(|dead| dead.notes));
            self.go_on();
            self.clear_spare();
        }
    }

    /// Drops the contents of records that were given up, and keeps their memory. (If a `Drop` panics, the rest is
    /// dropped the next time.)
    fn clear_spare(&mut self) {
        self.spare.iter_mut().for_each(Notes::clear);
        self.spare.truncate(SPARE);
    }
}

//! The history of a container: a slot is recorded before its first change since the latest checkpoint.
//!
//! **Invariant.** While the history is not [paused](KeptSlots::is_paused), it records the last step, and nothing is
//! undone: `kept` has the slots that the step has a record of, and those that it has `begun`; no slot of a step has two
//! of these, but for records of free slots. Slots that are `watched` and not kept are as they were when the step began.
//! While it is paused, it may have to go on with the last step: the next change of a slot decides.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::kept::KeptSlots;
use super::spent::{Counted, Spent};
use super::subscribers::room_for;
use super::trackable::{RecordOf, Records, Revert, Track, record_of, record_of_hole};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::memory::bits::WORD;
use crate::memory::bits::bits;
use crate::memory::queue::Queue;
use crate::past::Past;
use crate::raw::rewind::{LeftOver, Order, Record, Saved};
use crate::raw::slots::MarkOf;
use crate::room::reserve;

/// The state of a step: all that it has beside the records of slots.
pub(crate) struct Start<A: Track> {
    slots: u32,
    cursor: u32,
    pub(super) mark: MarkOf<A::Key>,
    /// Its part of the lists of free slots that come first.
    free: Range<usize>,
    /// Its part of the log of marks, as long as it was when the history was paused.
    pub(super) logged: Range<usize>,
    /// Slots that it has begun, and has no record of.
    pub(super) begun: Range<u32>,
    /// Records of other slots that it has begun, which need one once it is undone.
    pub(super) records: Records<A>,
}

pub(super) struct History<A: Track> {
    pub(super) past: Past<RecordOf<A>, Start<A>>,
    pub(super) kept: KeptSlots,
    /// The number of slots in use when the last step began, or when the history was paused.
    in_use: usize,
    /// Slots below this one are recorded before they change: those `in_use`, or all while the history is paused.
    watched: usize,
    /// [`keep_fresh`](Self::keep_fresh), known where values can be cloned, which is where checkpoints are made.
    keep_fresh: fn(&mut Self, A::Key, &A::Source),
    /// The free slots that come first at each checkpoint, in their order.
    pub(super) free: Queue<u32>,
    /// Such a list that is put together; empty between calls.
    list: Vec<u32>,
    /// Room for records of a step that is gone back to, without contents once these are dropped.
    pub(super) spare: Records<A>,
    /// The values of holes that were filled on the way, until they are dropped.
    pub(super) left: LeftOver<A::Spare>,
    /// The generations that undone keys have used up.
    pub(super) spent: Spent<A::Key>,
    pub(super) counted: Counted<A::Key>,
}

impl<A: Track> History<A> {
    pub(super) const fn new() -> Self {
        Self {
            past: Past::new(),
            kept: KeptSlots::new(),
            in_use: 0,
            watched: 0,
            keep_fresh: |_, _, _| {},
            free: Queue::new(),
            list: Vec::new(),
            spare: Vec::new(),
            left: LeftOver::nothing(),
            spent: Spent::new(),
            counted: Counted::new(),
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
                Some(key) => self.keep_watched(container, key),
                None => self.keep_hole(container, slot),
            }
        }
    }

    /// The value of a key is about to change, if it has one.
    #[inline]
    pub(super) fn keep_value(&mut self, container: &A, key: A::Key) {
        if self.watches(key.slot() as usize) {
            self.keep_watched(container, key);
        }
    }

    /// Records the value of a key whose slot is watched, if it has one.
    #[inline]
    fn keep_watched(&mut self, container: &A, key: A::Key) {
        if let Some(source) = container.source(key) {
            (self.keep_fresh)(self, key, source);
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

    /// Returns whether no slot is recorded before it changes.
    #[inline]
    pub(super) const fn is_idle(&self) -> bool {
        self.watched == 0
    }

    fn keep_fresh(&mut self, key: A::Key, source: &A::Source)
    where
        A: Revert,
    {
        let slot = key.slot() as usize;
        let Some((records, marks)) = self.room(slot) else {
            return self.keep_slowly(key, source);
        };
        if let Some(record) = record_of::<A>(key, source) {
            records.push(record);
            *marks |= 1 << (slot % WORD);
        }
    }

    #[cold]
    fn keep_slowly(&mut self, key: A::Key, source: &A::Source) {
        self.make_room(key.slot() as usize);
        self.keep_source(key, source);
    }

    #[cold]
    fn keep_hole(&mut self, container: &A, slot: usize) {
        let Some((records, marks)) = self.room(slot) else {
            self.make_room(slot);
            return self.keep_slot(container, slot);
        };
        records.push(record_of_hole(container, slot));
        *marks |= 1 << (slot % WORD);
    }

    /// The records, and the marks of a slot's word, if it can be recorded there at once.
    #[inline]
    fn room(&mut self, slot: usize) -> Option<(&mut Queue<RecordOf<A>>, &mut u64)> {
        self.past.room().zip(self.kept.marks(slot))
    }

    /// Has a paused history go on with the last step, if there is one; or makes room to record a slot, or gives up every
    /// checkpoint.
    fn make_room(&mut self, slot: usize) {
        if self.kept.is_paused() || !self.past.is_on() {
            // (What was undone is forgotten, since something else is done.)
            self.past.forget_undone();
            let Some((step, start)) = self.past.last_step() else { return self.stop() };
            self.in_use = self.in_use.max(start.slots as usize);
            self.watched = self.in_use;
            self.kept.go_on_with(step, start.logged.end);
        } else if self.try_make_room(slot).is_err() {
            self.stop();
            // (User code runs last.)
            self.past.lose();
        }
    }

    fn try_make_room(&mut self, slot: usize) -> Result<(), TryReserveError> {
        self.past.reserve(WORD)?;
        self.kept.reserve(1)?;
        // (The slots of a map of side data may be any.)
        if self.kept.covers(slot) { Ok(()) } else { self.kept.cover(room_for(slot)) }
    }

    /// Records no more, since there is no step.
    pub(super) const fn stop(&mut self) {
        self.watched = 0;
        self.kept.pause();
    }

    /// Pauses the history before steps are changed, while `slots` slots are in use. On an error nothing has changed.
    pub(super) fn pause(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let begun = self.in_use.min(slots) as u32..slots as u32;
        if let (false, Some((_, start))) = (self.kept.is_paused(), self.past.last_step()) {
            if !begun.is_empty() {
                self.kept.cover(slots)?;
                self.kept.reserve(begun.len().div_ceil(WORD) + 1)?;
                if start.begun.is_empty() {
                    start.begun = begun.clone();
                } else if start.begun.end == begun.start {
                    start.begun.end = begun.end;
                } else {
                    start.record(begun.clone())?;
                }
                self.kept.insert_range(&begun);
            }
            start.logged.end = self.kept.log().end();
        }
        self.paused(slots);
        Ok(())
    }

    /// Notes that the history is paused, while `slots` slots are in use.
    pub(super) fn paused(&mut self, slots: usize) {
        self.in_use = slots;
        self.watched = usize::MAX;
        self.kept.pause();
    }

    /// Returns what a step begins with, and forgets what was undone. On an error nothing has changed.
    pub(super) fn begin(&mut self, container: &A) -> Result<Start<A>, TryReserveError>
    where
        A: Revert,
    {
        self.keep_fresh = Self::keep_fresh;
        self.pause(container.slots())?;
        let mut order = container.order(mem::take(&mut self.list))?;
        self.kept.cover((order.slots as usize).min(container.slot_capacity()))?;
        self.free.reserve(order.free.len())?;
        self.past.forget_undone();
        let (free, log) = (&mut self.free, self.kept.log());
        let nothing = [free.end()..free.end(), log.end()..log.end()];
        let [its_free, its_log] = self.past.ends().map_or(nothing, |[first, last]| {
            [first.free.start..last.free.end, first.logged.start..last.logged.end]
        });
        free.keep(its_free);
        log.keep(its_log);
        let free = self.free.append(&order.free);
        order.free.clear();
        self.list = order.free;
        let logged = self.kept.log().end();
        Ok(Start {
            slots: order.slots,
            cursor: order.cursor,
            mark: order.mark,
            free,
            logged: logged..logged,
            begun: 0..0,
            records: Vec::new(),
        })
    }

    /// Returns the order that a step began with; [`put_order`](Self::put_order) takes it back.
    pub(super) fn take_order(
        &mut self,
        start: &Start<A>,
    ) -> Result<Order<A::Key>, TryReserveError> {
        let free = self.free.part_mut(&start.free);
        reserve(&mut self.list, free.len())?;
        self.list.extend_from_slice(free);
        let (slots, cursor, mark) = (start.slots, start.cursor, start.mark);
        Ok(Order { slots, cursor, free: mem::take(&mut self.list), mark })
    }

    /// The last step, which was gone back to, begins with an order, for which there is [room](Queue::reserve).
    pub(super) fn put_order(&mut self, mut order: Order<A::Key>, start: &mut Start<A>) {
        self.free.truncate(start.free.start);
        start.free = self.free.append(&order.free);
        (start.slots, start.mark) = (order.slots, order.mark);
        (start.begun, start.logged.end) = (0..0, start.logged.start);
        order.free.clear();
        self.list = order.free;
    }
}

impl<A: Track> Start<A> {
    /// Returns whether a step with this number of changes has changed nothing.
    pub(super) fn is_nothing(&self, changes: usize) -> bool {
        let is_unmarked = self.logged.start == self.logged.end && self.begun.is_empty();
        is_unmarked && changes == 0 && self.records.is_empty()
    }

    /// Records slots that the step has begun, which were not in use: those of a step that is undone need a record. On an
    /// error nothing has changed.
    pub(super) fn record(&mut self, begun: Range<u32>) -> Result<(), TryReserveError> {
        reserve(&mut self.records, begun.len())?;
        let record = |slot| Record { slot, saved: Saved::Free(Generation::fresh(self.mark)) };
        self.records.extend(begun.map(record));
        Ok(())
    }
}

//! Going back to checkpoints. A list that changes is cloned, once in a step, before it does; one that is freed goes into the
//! record as it is.
//!
//! Slots are a stack, and changes are reversed from the latest on: so what was begun or freed last is always on top, and
//! taking one back is the exact inverse of the other. After an [undo](crate::track::Reversible::undo), however, slots have
//! reached later generations; where that brings an older list back, the recorder keeps what its slot has reached.

use alloc::vec::Vec;
use core::mem;

use super::{ListHandle, ListPool};
use crate::error::TryReserveError;
use crate::pools::pool_numbers::GENERATIONS;
use crate::raw::lists::{ListKey, Origin};
use crate::raw::past::{Past, Reverse, Way};
use crate::scratch::{cover, reserve_exact};

/// What was the case before a change.
#[derive(Clone, Copy)]
enum Was {
    /// The list had other values.
    Other,
    /// There was no such list.
    Missing(Origin),
    /// The list was there.
    There(Origin),
}

/// What a list was, and the values that it had.
#[expect(unnameable_types, missing_debug_implementations, reason = "it seals a public trait")]
pub struct Change<T> {
    list: ListKey,
    was: Was,
    values: Vec<T>,
}

/// What is kept of a slot.
#[derive(Clone, Copy, Default)]
struct Noted {
    /// The number after that of the step which says what the list was; or 0.
    step: u64,
    /// The generation that the slot has reached, if that of its list is an older one; or 0. It is 0 without a list.
    reached: u32,
}

/// The past of a pool.
pub(super) struct Recorder<T> {
    past: Past<Change<T>, ()>,
    /// Clones values: known from the first checkpoint on.
    clone: fn(&[T]) -> Result<Vec<T>, TryReserveError>,
    slots: Vec<Noted>,
    /// How many slots have reached later generations.
    raised: u32,
    /// A generation that none exceeds which a list had that was taken back.
    most: u32,
    /// Whether freeing a list may be more than that.
    is_watchful: bool,
}

impl<T> Recorder<T> {
    pub(super) const fn new() -> Self {
        Self {
            past: Past::new(),
            clone: |_| Ok(Vec::new()),
            slots: Vec::new(),
            raised: 0,
            most: 0,
            is_watchful: false,
        }
    }

    /// Whether changes have to be recorded.
    #[inline(always)]
    pub(super) const fn is_on(&self) -> bool {
        self.past.is_on()
    }

    /// Whether changes may have to be recorded, or slots have reached later generations than their lists.
    #[inline(always)]
    pub(super) const fn is_watchful(&self) -> bool {
        self.is_watchful
    }

    /// Generations begin anew, in a pool without lists.
    #[cold]
    pub(super) fn renew(&mut self) {
        (self.slots, self.most) = (Vec::new(), 0);
    }

    /// The step that a change belongs to, for which there is room to note it. What was undone is gone. `None` if nothing is
    /// recorded, or not any more.
    fn step(&mut self, slot: u32) -> Option<u64> {
        self.past.forget_undone();
        let (step, slots) = (self.past.latest()? + 1, slot as usize + 1);
        if cover(&mut self.slots, slots).is_err() {
            self.past.lose();
            return None;
        }
        if self.slots.len() < slots {
            self.slots.resize(slots, Noted::default());
        }
        Some(step)
    }

    /// Notes a change in a step.
    fn note(&mut self, step: u64, list: ListKey, was: Was, values: Vec<T>) {
        self.slots[list.slot() as usize].step = step;
        self.past.note(Change { list, was, values });
    }

    /// Sets what a slot has reached, and returns what it had.
    fn set_reached(&mut self, slot: u32, reached: u32) -> u32 {
        let Some(noted) = self.slots.get_mut(slot as usize) else { return 0 };
        let before = mem::replace(&mut noted.reached, reached);
        self.raised = self.raised + u32::from(reached != 0) - u32::from(before != 0);
        before
    }
}

/// A clone has no past, but its slots have reached as much.
impl<T> Clone for Recorder<T> {
    fn clone(&self) -> Self {
        let slots = if self.raised == 0 { Vec::new() } else { self.slots.clone() };
        let (past, is_watchful) = (Past::new(), self.raised != 0);
        Self { past, slots, is_watchful, ..*self }
    }
}

impl<T> ListPool<T> {
    /// A list is about to change.
    #[inline(always)]
    pub(super) fn touch(&mut self, list: ListHandle<T>) {
        if self.recorder.is_on() {
            self.record(list.key);
        }
    }

    /// Records the values of a list, unless that was done since the last checkpoint. If a `Clone` panics, it is not recorded.
    #[cold]
    #[inline(never)]
    fn record(&mut self, list: ListKey) {
        let (Some(values), recorder) = (self.lists.get(list), &mut self.recorder) else { return };
        let Some(step) = recorder.step(list.slot()) else { return };
        if recorder.slots[list.slot() as usize].step != step {
            match (recorder.clone)(values) {
                Ok(values) => recorder.note(step, list, Was::Other, values),
                Err(_) => recorder.past.lose(),
            }
        }
    }

    /// Makes `EMPTY` a list, and records that.
    #[cold]
    #[inline(never)]
    pub(super) fn make_recorded(
        &mut self,
        list: &mut ListHandle<T>,
        room: usize,
    ) -> Result<(), TryReserveError> {
        let slots = self.lists.slots();
        let made = self.lists.make(room)?;
        *list = ListHandle::of(made);
        if let Some(step) = self.recorder.step(made.slot()) {
            let origin = if made.slot() == slots { Origin::NewSlot } else { Origin::FreeSlot };
            self.recorder.note(step, made, Was::Missing(origin), Vec::new());
        }
        Ok(())
    }

    /// Frees a list, whose values go into the record; if there is none, its slot goes on after what it has reached.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn free_watched(&mut self, list: ListHandle<T>) {
        if !self.lists.contains(list.key) {
            if !list.is_empty() {
                self.refuse(list);
            }
            return;
        }
        let (list, slot) = (list.key, list.key.slot());
        let step = self.recorder.step(slot);
        let recorded = step.and_then(|step| Some((step, self.lists.take_values(list).ok()?)));
        if step.is_some() && recorded.is_none() {
            self.recorder.past.lose();
        }
        let reached = self.recorder.set_reached(slot, 0);
        self.recorder.is_watchful = self.recorder.is_on() || self.recorder.raised != 0;
        self.lists.free_beyond(list, reached);
        if let Some((step, values)) = recorded {
            self.recorder.note(step, list, Was::There(Origin::Earlier), values);
        }
        self.renew_slots();
    }

    /// As [`retain`](Self::retain), list by list, since `keep` may change each.
    #[cold]
    pub(super) fn retain_watched(&mut self, mut keep: impl FnMut(ListHandle<T>, &mut [T]) -> bool) {
        for slot in 0..self.lists.slots() {
            let Some(list) = self.lists.list_in(slot) else { continue };
            self.touch(ListHandle::of(list));
            if !keep(ListHandle::of(list), self.lists.get_mut(list).unwrap_or_default()) {
                self.free(ListHandle::of(list));
            }
        }
    }

    /// Frees all lists one by one, while that is recorded. If it is not, they can be freed together then.
    #[cold]
    pub(super) fn free_all_watched(&mut self) {
        for slot in 0..self.lists.slots() {
            let Some(list) = self.lists.list_in(slot) else { continue };
            if self.recorder.is_on() {
                self.free(ListHandle::of(list));
            } else {
                let reached = self.recorder.set_reached(slot, 0);
                self.lists.raised(list, reached);
            }
        }
    }

    /// The greatest generation that a list had, or one that is not much greater; `None` if it was the last. O(slots).
    pub(super) fn reached(&self) -> Option<u32> {
        let reached = self.lists.reached()?.max(self.recorder.most);
        Some(reached).filter(|&reached| reached < GENERATIONS)
    }
}

impl<T: Clone> Reverse for ListPool<T> {
    type Change = Change<T>;
    type State = ();

    fn past(&mut self) -> &mut Past<Change<T>, ()> {
        &mut self.recorder.past
    }

    fn state(&mut self) {
        self.recorder.clone = |values| {
            let mut cloned = Vec::new();
            reserve_exact(&mut cloned, values.len())?;
            cloned.extend(values.iter().cloned());
            Ok(cloned)
        };
        self.recorder.is_watchful = true;
    }

    fn exchange(&mut self, (): &mut ()) {}

    fn reverse(&mut self, change: &mut Change<T>, way: Way) -> Result<(), TryReserveError> {
        let (list, recorder) = (change.list, &mut self.recorder);
        let slot = list.slot();
        change.was = match change.was {
            Was::Other => {
                self.lists.exchange(list, &mut change.values)?;
                Was::Other
            }
            Was::Missing(origin) => {
                change.values = self.lists.take_values(list)?;
                let reached = recorder.set_reached(slot, 0);
                recorder.most = recorder.most.max(reached).max(list.generation() + 1);
                let is_exact = way == Way::Back && reached == 0;
                if !is_exact || !self.lists.take_back(list, origin) {
                    self.lists.free_beyond(list, reached);
                }
                Was::There(origin)
            }
            Was::There(origin) => {
                let reached = self.lists.put_back(list, &mut change.values)?;
                recorder.set_reached(slot, reached);
                Was::Missing(origin)
            }
        };
        // What is recorded of the list from now on has not been recorded.
        self.recorder.slots[slot as usize].step = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::Reversible;

    /// So that no later pool with the number makes the same lists.
    #[test]
    fn a_number_is_returned_with_what_was_taken_back() {
        let mut lists = ListPool::new();
        let old = lists.make([1]);
        let then = lists.checkpoint();
        lists.free(old);
        for _ in 0..9 {
            let list = lists.make([2]);
            lists.free(list);
        }
        let reached = lists.reached();
        assert!(reached > Some(old.key.generation() + 1));
        assert_eq!((lists.rollback(then), &lists[old]), (Ok(()), &[1][..]));
        assert_eq!((lists.reached(), lists.clone().reached()), (reached, reached));
    }
}

//! Going back to checkpoints. A list that changes is cloned, once in a step, before it does; one that is freed goes
//! into the record as it is.

use alloc::vec::Vec;

use super::{ListHandle, ListPool, UNBRANDED};
use crate::list_handle::ListKey;
use crate::raw::lists::Lists;
use crate::scratch::cover;
use larder_core::TryReserveError;
use larder_core::past::{Kept, Past};
#[cfg(feature = "track")]
use larder_core::past::{Reverse, Way};
#[cfg(feature = "track")]
use larder_core::track::{Each, Reversible, TrackError};

/// The state of a list before a change.
#[derive(Clone, Copy)]
enum Was {
    /// The list had other values.
    Other,
    /// There was no such list; perhaps the first of its slot was made.
    Missing { is_first: bool },
    /// The list was there.
    There { is_first: bool },
}

/// A list as it was before a change, with its values: a list of those that were.
pub(crate) struct ListChange {
    list: ListKey,
    was: Was,
    values: ListKey,
}

/// The values that lists had before the changes of a step.
pub(crate) struct Were<T>(Lists<T>);

impl<T> Were<T> {
    /// Exchanges the values of a list with those that it had, or with none. On an error nothing has changed.
    fn exchange(
        &mut self,
        were: &mut ListKey,
        lists: &mut Lists<T>,
        list: ListKey,
    ) -> Result<(), TryReserveError> {
        if *were == ListKey::NONE {
            *were = self.0.make(0)?;
        }
        lists.exchange(list, &mut self.0, *were)
    }

    /// Exchanges the values of a list with those that it had, or with none, and takes its piece back. On an error
    /// nothing has changed.
    fn take(
        &mut self,
        were: &mut ListKey,
        lists: &mut Lists<T>,
        list: ListKey,
    ) -> Result<(), TryReserveError> {
        self.exchange(were, lists, list)?;
        lists.clear(list);
        Ok(())
    }
}

impl<T> Default for Were<T> {
    fn default() -> Self {
        Self(Lists::new(UNBRANDED))
    }
}

impl<T> Kept for Were<T> {
    fn clear(&mut self) {
        self.0.free_all();
        self.0.renew_if_worn();
    }
}

/// Clones the values of a list. If a `Clone` panics, there is a list of some.
type CloneInto<T> = fn(&[T], &mut Lists<T>) -> Result<ListKey, TryReserveError>;

/// The past of a pool. A clone has none.
pub(super) struct Recorder<T> {
    past: Past<ListChange, (), Were<T>>,
    /// Clones values: known from the first checkpoint on.
    clone: CloneInto<T>,
    /// By slot, the number after that of the step which says what its list was; or 0.
    steps: Vec<u64>,
    /// True if freeing a list may take more than that: the list may have to be recorded, or its slot has reached later
    /// generations. (One flag for both, so that the common path of `free` tests only one.)
    is_watchful: bool,
}

impl<T> Recorder<T> {
    pub(super) const fn new(is_watchful: bool) -> Self {
        Self { past: Past::new(), clone: |_, _| Ok(ListKey::NONE), steps: Vec::new(), is_watchful }
    }

    /// Returns whether changes have to be recorded.
    #[inline(always)]
    pub(super) const fn is_on(&self) -> bool {
        self.past.is_on()
    }

    /// Returns whether freeing a list may take more than that.
    #[inline(always)]
    pub(super) const fn is_watchful(&self) -> bool {
        self.is_watchful
    }

    /// Returns the step that a change belongs to, with room reserved to note it, and forgets the steps that were
    /// undone. `None` if nothing is recorded, or recording was lost.
    fn step(&mut self, slot: u32) -> Option<u64> {
        self.past.forget_undone();
        let (step, slots) = (self.past.step()?, slot as usize + 1);
        if cover(&mut self.steps, slots).is_err() {
            self.past.lose();
            return None;
        }
        if self.steps.len() < slots {
            self.steps.resize(slots, 0);
        }
        Some(step)
    }

    /// Notes a change in a step.
    fn note(&mut self, step: u64, list: ListKey, was: Was, values: ListKey) {
        self.steps[list.slot() as usize] = step;
        self.past.note(ListChange { list, was, values });
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

    /// Records the values of a list, unless that was done since the last checkpoint. If a `Clone` panics, it is not
    /// recorded.
    #[cold]
    #[inline(never)]
    fn record(&mut self, list: ListKey) {
        let (Some(values), recorder) = (self.lists.get(list), &mut self.recorder) else { return };
        let Some(step) = recorder.step(list.slot()) else { return };
        if recorder.steps[list.slot() as usize] != step {
            let Some(were) = recorder.past.kept() else { return };
            match (recorder.clone)(values, &mut were.0) {
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
        // (Before anything is changed: its values are dropped.)
        self.recorder.past.forget_undone();
        let slots = self.lists.slots();
        let made = self.lists.make(room)?;
        *list = ListHandle::of(made);
        if let Some(step) = self.recorder.step(made.slot()) {
            let is_first = made.slot() == slots;
            self.recorder.note(step, made, Was::Missing { is_first }, ListKey::NONE);
        }
        Ok(())
    }

    #[inline(always)]
    #[track_caller]
    pub(super) fn free_unwatched(&mut self, list: ListHandle<T>) {
        if self.lists.free(list.key) {
            self.renew_slots();
        } else if !list.is_empty() {
            Self::refuse(list, self.lists.brand());
        }
    }

    /// Frees a list, whose values go into the record; its slot goes on after what it has reached.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn free_watched(&mut self, list: ListHandle<T>) {
        let (mut key, mut recorded) = (list.key, None);
        if self.lists.contains(key) {
            let step = self.recorder.step(key.slot());
            if let (Some(step), Some(were)) = (step, self.recorder.past.kept()) {
                let mut values = ListKey::NONE;
                match were.take(&mut values, &mut self.lists, key) {
                    Ok(()) => recorded = Some((step, values)),
                    Err(_) => self.recorder.past.lose(),
                }
            }
            key = self.lists.catch_up(key);
            self.recorder.is_watchful = self.recorder.is_on() || self.lists.are_raised();
        }
        self.free_unwatched(ListHandle::of(key));
        // (Last, since a record that is lost drops values.)
        if let Some((step, values)) = recorded {
            self.recorder.note(step, list.key, Was::There { is_first: false }, values);
        }
    }

    /// Does [`retain`](Self::retain) while changes are recorded: each list is noted before `keep` may change it.
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
                self.lists.catch_up(list);
            }
        }
    }
}

/// A pool as it goes back: its past can be reached by the group that goes back, and from nowhere else.
#[cfg(feature = "track")]
struct ReturningLists<'a, T>(&'a mut ListPool<T>);

#[cfg(feature = "track")]
impl<T: Clone> Reverse for ReturningLists<'_, T> {
    type Change = ListChange;
    type State = ();
    type Kept = Were<T>;

    fn past(&mut self) -> &mut Past<ListChange, (), Were<T>> {
        &mut self.0.recorder.past
    }

    fn state(&mut self) {
        self.0.recorder.clone = |values, were| {
            let list = were.make(values.len())?;
            were.fill(list, &mut values.iter().cloned());
            Ok(list)
        };
        self.0.recorder.is_watchful = true;
    }

    fn exchange(&mut self, (): &mut ()) {}

    fn reverse(
        &mut self,
        change: &mut ListChange,
        were: &mut Were<T>,
        way: Way,
    ) -> Result<(), TryReserveError> {
        let (list, lists) = (change.list, &mut self.0.lists);
        change.was = match change.was {
            Was::Other => {
                were.exchange(&mut change.values, lists, list)?;
                Was::Other
            }
            Was::Missing { is_first } => {
                were.take(&mut change.values, lists, list)?;
                lists.take_back(list, is_first, way);
                Was::There { is_first }
            }
            Was::There { is_first } => {
                let room = were.0.get(change.values).map_or(0, <[T]>::len);
                lists.put_back(list, room)?;
                were.exchange(&mut change.values, lists, list)?;
                Was::Missing { is_first }
            }
        };
        // The record of the list has been used, so its next change has to be recorded again.
        self.0.recorder.steps[list.slot() as usize] = 0;
        Ok(())
    }
}

#[cfg(feature = "track")]
impl<T: Clone> Reversible for ListPool<T> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut ReturningLists(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use larder_core::track::Reversible;

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
        let reached = lists.lists.reached();
        assert!(reached > Some(old.key.generation() + 1));
        assert_eq!((lists.rollback(then), &lists[old]), (Ok(()), &[1][..]));
        assert_eq!((lists.lists.reached(), lists.clone().lists.reached()), (reached, reached));
    }
}

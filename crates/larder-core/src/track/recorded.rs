//! A container with the records of its changes: what a table has beside its observers.

use super::TrackError;
use super::history::History;
use super::subscribers::Subscribers;
use super::trackable::{Insert, Track};
use crate::error::TryReserveError;
use crate::key::Key;
use crate::past::next_owner;

/// A container with the records of its changes: what observers see of a table.
pub(crate) struct Recorded<C: Track> {
    pub(super) container: C,
    pub(super) number: usize,
    pub(super) subscribers: Subscribers<C::Key>,
    pub(super) history: History<C>,
}

impl<C: Track> Recorded<C> {
    pub(super) fn new(container: C) -> Self {
        Self {
            container,
            number: next_owner(),
            subscribers: Subscribers::new(),
            history: History::new(),
        }
    }

    /// Returns whether no change of a slot has to be recorded.
    #[inline]
    pub(super) const fn is_idle(&self) -> bool {
        self.history.is_idle() && self.subscribers.is_empty()
    }

    /// The value of a slot is about to change.
    #[inline]
    pub(super) fn touch(&mut self, slot: usize) {
        self.history.keep_slot(&self.container, slot);
        self.subscribers.note_slot(slot);
    }

    /// The occupant of a slot is about to change.
    #[inline]
    pub(super) fn touch_moved(&mut self, slot: usize, now: Option<C::Key>) {
        self.history.keep_slot(&self.container, slot);
        self.subscribers.note_moved(slot, now);
    }

    /// A value is about to be taken out.
    #[inline]
    pub(super) fn prepare_take(&mut self, key: C::Key) {
        if self.is_idle() {
            return;
        }
        let (slot, count) = (key.slot() as usize, self.container.placed_count());
        // (The last value moves into the gap, where values are packed.)
        let last = count.checked_sub(1).and_then(|last| self.container.placed(last));
        if let Some(last) = last.map(|last| last.slot() as usize).filter(|&last| last != slot) {
            self.touch(last);
        }
        self.touch_moved(slot, Some(key));
    }

    /// Takes out a value, which was [prepared](Self::prepare_take).
    #[inline]
    pub(super) fn take(&mut self, key: C::Key, spare: C::Spare) -> Option<C::Value> {
        let value = self.container.take(key, spare);
        self.pass_over_spent(key);
        value
    }

    /// A slot that was just freed does not issue keys again that were undone.
    #[inline]
    pub(super) fn pass_over_spent(&mut self, key: C::Key) {
        if !self.history.spent.is_empty() {
            self.history.spent.pass_over(&mut self.container, key.slot() as usize);
        }
    }

    /// Lends a value, which counts as changed.
    #[inline]
    pub(super) fn lend(&mut self, key: C::Key) -> Option<C::RefMut<'_>> {
        let keep = |source: &C::Source| self.history.keep_source(key, source);
        let value = self.container.lend_kept(key, keep)?;
        self.subscribers.note_slot(key.slot() as usize);
        Some(value)
    }

    /// All values are about to change.
    pub(super) fn touch_all(&mut self) {
        if self.is_idle() {
            return;
        }
        for (word, live) in self.container.live_words() {
            // (Side data may have room for more slots than subscribers have heard of.)
            if live != 0 {
                self.history.keep(&self.container, word, live);
                self.subscribers.note(word, live);
            }
        }
    }

    /// Makes room to tell subscribers of any slot that there is room for.
    pub(super) fn cover(&mut self) -> Result<(), TryReserveError> {
        if self.subscribers.is_empty() {
            return Ok(());
        }
        self.subscribers.cover(self.container.slot_capacity())
    }

    pub(super) fn check_owner(&self, owner: usize) -> Result<(), TrackError> {
        if owner == self.number { Ok(()) } else { Err(TrackError::Foreign) }
    }
}

impl<C: Insert> Recorded<C> {
    /// Records that the slot of the next key is about to be occupied.
    pub(super) fn prepare_insert(&mut self, key: C::Key) -> Result<(), TryReserveError> {
        if self.is_idle() {
            return Ok(());
        }
        self.cover()?;
        self.touch_moved(key.slot() as usize, None);
        Ok(())
    }
}

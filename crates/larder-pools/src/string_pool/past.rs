//! The changes of a pool, so that they can be reversed: texts that came and went, and their references.

use core::ops::Range;

use super::{KEPT, StringPool, Symbol, wide};
use crate::raw::texts::{Absent, Copies};
use larder_core::TryReserveError;
#[cfg(feature = "track")]
use larder_core::past::{Past, Reverse, Way};
#[cfg(feature = "track")]
use larder_core::track::{Each, Reversible, TrackError};

/// A change of a slot, as needed to reverse it.
pub(crate) struct TextChange(What);

enum What {
    /// A text was put into it, perhaps the first, of which there may be a copy.
    Put { slot: u32, is_first: bool, copy: Option<Range<usize>> },
    /// Its text was removed.
    Removed { slot: u32, text: Absent, hash: u32, references: u32 },
    /// Its text had this many references.
    Referred { slot: u32, references: u32 },
}

/// Recording changes while there are checkpoints.
impl<S> StringPool<S> {
    /// Records that a text was put into a slot, when there were `slots` slots.
    #[cold]
    #[inline(never)]
    pub(super) fn note_put(&mut self, slot: u32, slots: usize) {
        self.past.note(TextChange(What::Put {
            slot,
            is_first: slot as usize == slots,
            copy: None,
        }));
    }

    /// Adds references to the text of a slot.
    #[cold]
    #[inline(never)]
    pub(super) fn refer_and_note(&mut self, slot: u32, references: u32) -> Symbol {
        let before = self.references[slot as usize];
        self.references[slot as usize] = before.saturating_add(references);
        self.note_references(slot, before);
        self.symbol(slot)
    }

    /// Records that a text is about to be removed. If allocation fails, every checkpoint is lost.
    #[cold]
    #[inline(never)]
    pub(super) fn note_removal(&mut self, slot: u32) {
        self.past.forget_undone();
        if !self.past.is_on() {
            return;
        }
        let Some(copies) = self.past.kept() else { return };
        match self.texts.absent(slot, false, None, copies) {
            Ok(text) => {
                let removed = self.removed(slot, text);
                self.past.note(removed);
            }
            Err(_) => self.past.lose(),
        }
    }

    /// A text has other references than before.
    #[cold]
    #[inline(never)]
    pub(super) fn note_references(&mut self, slot: u32, before: u32) {
        if self.references[slot as usize] == before {
            return;
        }
        // (The first of two that follow each other says it, and so does a text that was not there.)
        let says_it = |last: &TextChange| match last.0 {
            What::Put { slot: last, .. } | What::Referred { slot: last, .. } => last == slot,
            What::Removed { .. } => false,
        };
        let change = TextChange(What::Referred { slot, references: before });
        self.past.note_unless(says_it, change);
    }

    /// Removes all texts one by one, so that each is noted, and the first slot is the first that is used again.
    #[cold]
    #[inline(never)]
    pub(super) fn remove_all(&mut self) {
        for slot in (0..self.texts.slots() as u32).rev() {
            if self.texts.life(slot) % 2 == 1 {
                self.remove(slot);
            }
        }
    }

    /// Returns the change by which a text is removed.
    fn removed(&self, slot: u32, text: Absent) -> TextChange {
        let references = self.references.get(slot as usize).copied().unwrap_or(KEPT);
        let hash = self.hashes[slot as usize];
        TextChange(What::Removed { slot, text, hash, references })
    }
}

/// A pool as it goes back: its past can be reached by the group that goes back, and from nowhere else.
#[cfg(feature = "track")]
struct ReturningTexts<'a, S>(&'a mut StringPool<S>);

#[cfg(feature = "track")]
impl<S> Reverse for ReturningTexts<'_, S> {
    type Change = TextChange;
    type State = ();
    type Kept = Copies;

    fn past(&mut self) -> &mut Past<TextChange, (), Copies> {
        &mut self.0.past
    }

    fn state(&mut self) {}

    fn exchange(&mut self, (): &mut ()) {}

    fn reverse(
        &mut self,
        change: &mut TextChange,
        copies: &mut Copies,
        way: Way,
    ) -> Result<(), TryReserveError> {
        let pool = &mut *self.0;
        match change.0 {
            What::Put { slot, is_first, ref copy } => {
                let text = pool.texts.take_back(slot, is_first, copy.clone(), copies, way)?;
                pool.forget(slot);
                *change = pool.removed(slot, text);
            }
            What::Removed { slot, ref text, hash, references } => {
                pool.reserve_table(1)?;
                let is_first = pool.texts.put_back(text, copies)?;
                let copy = Some(text.text.clone());
                pool.hashes[slot as usize] = hash;
                if let Some(of_text) = pool.references.get_mut(slot as usize) {
                    *of_text = references;
                }
                pool.table.insert_unique(wide(hash), slot, |_| unreachable!("there is room"));
                change.0 = What::Put { slot, is_first, copy };
            }
            What::Referred { slot, ref mut references } => {
                core::mem::swap(&mut pool.references[slot as usize], references);
            }
        }
        Ok(())
    }
}

#[cfg(feature = "track")]
impl<S> Reversible for StringPool<S> {
    fn members(&mut self, each: &mut Each<'_>) -> Result<(), TrackError> {
        each(&mut ReturningTexts(self))
    }
}

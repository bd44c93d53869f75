//! Texts that go and come back as changes are reversed.

use alloc::string::String;
use core::ops::Range;

use super::{Kind, LONG, Place, Texts};
use larder_core::TryReserveError;
use larder_core::past::{Kept, Way};

/// The texts that were removed, or put, by the changes of a step.
#[derive(Default)]
pub(crate) struct Copies(String);

impl Kept for Copies {
    #[inline]
    fn clear(&mut self) {
        self.0.clear();
    }
}

/// A text that is not in its slot, and all that puts it back.
#[derive(Debug)]
pub(crate) struct Absent {
    slot: u32,
    life: u32,
    /// The place of its copy.
    pub(crate) text: Range<usize>,
    is_counted: bool,
    /// True if it was the first text of its slot.
    is_first: bool,
}

impl Texts {
    /// Copies a text that is about to be removed, unless there is a copy.
    pub(crate) fn absent(
        &self,
        slot: u32,
        is_first: bool,
        copy: Option<Range<usize>>,
        copies: &mut Copies,
    ) -> Result<Absent, TryReserveError> {
        let life = self.life(slot);
        let text = match copy {
            Some(text) => text,
            None => {
                let text = self.short(slot, life).or_else(|| self.long(slot, life));
                let (text, start) = (text.unwrap_or_default(), copies.0.len());
                let refused = TryReserveError::AllocRefused { bytes: text.len() };
                copies.0.try_reserve(text.len()).map_err(|_| refused)?;
                copies.0.push_str(text);
                start..copies.0.len()
            }
        };
        let block = self.places[slot as usize].block();
        let is_counted = self.records[block].kind != Kind::Kept;
        Ok(Absent { slot, life, text, is_counted, is_first })
    }

    /// Takes back that a text was put into its slot, as [lives](crate::lives) are taken back; answers with what
    /// puts it back. On an error nothing has changed.
    #[inline]
    pub(crate) fn take_back(
        &mut self,
        slot: u32,
        is_first: bool,
        copy: Option<Range<usize>>,
        copies: &mut Copies,
        way: Way,
    ) -> Result<Absent, TryReserveError> {
        let absent = self.absent(slot, is_first, copy, copies)?;
        if let Some(place) = self.places.take_back(slot, is_first, way) {
            self.give(slot, place);
        }
        Ok(absent)
    }

    /// Puts a text back under its slot, in the life that it was in; returns whether it was the first of its slot. On an
    /// error nothing has changed.
    #[inline]
    pub(crate) fn put_back(
        &mut self,
        absent: &Absent,
        copies: &Copies,
    ) -> Result<bool, TryReserveError> {
        let Absent { slot, life, ref text, is_counted, is_first } = *absent;
        let text = copies.0.get(text.clone()).unwrap_or_default();
        self.places.make_way(slot, life)?;
        let (at, len) = (self.room_for(text.len(), is_counted)?, text.len().min(LONG as usize));
        let place = Place { at, word: Place::word(life, slot, len as u32) };
        self.places.put_back(slot, place);
        self.fill(slot, place, text, is_counted);
        Ok(is_first)
    }

    /// A text leaves a block of kept ones, and its bytes too if they are the last.
    pub(super) fn discount_kept(&mut self, block: usize, at: usize, cost: usize) {
        let record = &mut self.records[block];
        if record.filled as usize == at + cost {
            record.filled = at as u32;
        }
        self.discount(block, cost);
    }
}

//! Texts that go and come back as changes are reversed.
//!
//! Changes are reversed from the latest on. So a slot that gets a text back is the free one that is taken next, or was
//! retired since, or was given up as the last of all.

use alloc::string::String;

use super::{Kind, Texts};
use crate::error::TryReserveError;
use crate::raw::past::Way;
use crate::scratch::reserve;

/// A text that is not in its slot, and all that puts it back.
#[derive(Debug)]
pub(crate) struct Absent {
    slot: u32,
    life: u32,
    text: String,
    is_counted: bool,
    /// Whether it was the first of its slot.
    is_first: bool,
    /// What `spent` was when the text was there.
    spent: u8,
}

impl Texts {
    /// A copy of a text that is about to be removed.
    pub(crate) fn absent(&self, slot: u32, is_first: bool) -> Result<Absent, TryReserveError> {
        let life = self.life(slot);
        let of_slot = self.short(slot, life).or_else(|| self.long(slot, life)).unwrap_or_default();
        let mut text = String::new();
        let refused = TryReserveError::AllocRefused { bytes: of_slot.len() };
        text.try_reserve_exact(of_slot.len()).map_err(|_| refused)?;
        text.push_str(of_slot);
        let block = self.places[slot as usize].block();
        let is_counted = self.records[block].kind != Kind::Kept;
        Ok(Absent { slot, life, text, is_counted, is_first, spent: self.spent(slot) })
    }

    /// Takes back that a text was put into its slot, or removes it again; answers with what puts it back. On an error
    /// nothing has changed.
    pub(crate) fn take_back(
        &mut self,
        slot: u32,
        is_first: bool,
        way: Way,
    ) -> Result<Absent, TryReserveError> {
        let absent = self.absent(slot, is_first)?;
        match way {
            // (So that the slot is free in the life that was there before this one.)
            Way::Back if !is_first => self.set_life(slot, absent.life - 2),
            Way::Undo => self.spend(slot, absent.life)?,
            Way::Back | Way::Redo => {}
        }
        self.remove(slot);
        if is_first {
            self.places.drop_last(slot);
        }
        Ok(absent)
    }

    /// Puts a text back under its slot, in the life that it was in; says whether it was the first of its slot. On an error
    /// nothing has changed.
    pub(crate) fn put_back(&mut self, absent: &Absent, way: Way) -> Result<bool, TryReserveError> {
        let Absent { slot, life, is_counted, is_first, .. } = *absent;
        self.cover(slot as usize + 1)?;
        self.put_in(Some((slot, life)), &absent.text, is_counted)?;
        if let (Way::Redo, Some(spent)) = (way, self.spent.get_mut(slot as usize)) {
            *spent = absent.spent;
        }
        Ok(is_first)
    }

    /// Of how many texts a slot was undone, and those before them.
    fn spent(&self, slot: u32) -> u8 {
        self.spent.get(slot as usize).copied().unwrap_or(0)
    }

    /// Notes that a life of a slot is undone: neither it nor one before comes again.
    fn spend(&mut self, slot: u32, life: u32) -> Result<(), TryReserveError> {
        let (slots, texts) = (slot as usize + 1, life.div_ceil(2) as u8);
        let more = slots.saturating_sub(self.spent.len());
        reserve(&mut self.spent, more)?;
        self.spent.resize(self.spent.len() + more, 0);
        self.spent[slot as usize] = texts.max(self.spent(slot));
        Ok(())
    }

    /// Has the life of a slot, which is about to end, be the last that it had, if some were undone.
    #[cold]
    #[inline(never)]
    pub(super) fn count_on(&mut self, slot: u32) {
        let (life, spent) = (self.life(slot), u32::from(self.spent(slot)));
        if life % 2 == 1 && life < 2 * spent {
            self.set_life(slot, 2 * spent - 1);
        }
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

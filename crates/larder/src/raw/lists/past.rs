//! What lists need to become what they were: values are exchanged, and the lives of heads begin or end again.

use alloc::vec::Vec;

use super::pieces::{GENERATION, Head, ListKey};
use super::{Lists, Slot};
use crate::error::TryReserveError;
use crate::scratch::reserve;

/// The generation of a head that is retired, after the last that a list can have.
const RETIRED: u32 = 1 << ListKey::GENERATION_BITS;

/// How a list came to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It was begun in a new slot.
    NewSlot,
    /// It was begun in a slot that was free.
    FreeSlot,
    /// Before anything was recorded of it.
    Earlier,
}

impl<T> Lists<T> {
    pub(crate) fn slots(&self) -> u32 {
        self.heads.len() as u32
    }

    /// The list in a slot, if there is one.
    pub(crate) fn list_in(&self, slot: u32) -> Option<ListKey> {
        let head = self.heads.get(slot as usize).filter(|head| head.is_live())?;
        Some(ListKey::of(head.tag, slot, self.brand))
    }

    /// Exchanges the values of a list with others. On an error nothing has changed.
    pub(crate) fn exchange(
        &mut self,
        list: ListKey,
        values: &mut Vec<T>,
    ) -> Result<(), TryReserveError> {
        let Some(len) = self.get(list).map(<[T]>::len) else { return Ok(()) };
        let both = len.min(values.len());
        reserve(values, len - both)?;
        self.reserve(list, values.len() - both).unwrap_or(Ok(()))?;
        let there = self.get_mut(list).unwrap_or_default();
        there[..both].swap_with_slice(&mut values[..both]);
        // (Of one of them no more are left.)
        self.fill(list, &mut values.drain(both..));
        for _ in both..len {
            values.extend(self.pop(list));
        }
        values[both..].reverse();
        Ok(())
    }

    /// Takes all values out of a list, and its piece back. On an error nothing has changed.
    pub(crate) fn take_values(&mut self, list: ListKey) -> Result<Vec<T>, TryReserveError> {
        let mut values = Vec::new();
        self.exchange(list, &mut values)?;
        self.clear(list);
        Ok(values)
    }

    /// Frees a list, in whose slot generations up to `reached` have been; none where that is 0.
    pub(crate) fn free_beyond(&mut self, list: ListKey, reached: u32) {
        let list = self.raised(list, reached);
        self.free(list);
    }

    /// Gives a list, which is freed next, the generation before `reached`.
    pub(crate) fn raised(&mut self, list: ListKey, reached: u32) -> ListKey {
        let (slot, brand) = (list.slot(), self.brand);
        match self.head_mut(list) {
            Some(head) if reached != 0 => {
                head.tag = ListKey::tag_of(reached - 1, brand);
                ListKey::of(head.tag, slot, brand)
            }
            _ => list,
        }
    }

    /// Takes back that a list without values was begun, the last that was; `false` if its slot was new and there are others
    /// after it now.
    pub(crate) fn take_back(&mut self, list: ListKey, origin: Origin) -> bool {
        let is_last = list.slot() + 1 == self.slots();
        match origin {
            Origin::NewSlot if is_last => self.heads.take_back(list.slot(), None),
            Origin::FreeSlot => {
                let free = Head { tag: list.tag() - GENERATION, start: 0, fill: 0 };
                self.heads.take_back(list.slot(), Some(free));
            }
            _ => return false,
        }
        true
    }

    /// Puts a list back that was freed or taken back, the last that was, and its values into it; returns the generation that
    /// its slot has reached since, or 0 if that is the next one. On an error nothing has changed.
    pub(crate) fn put_back(
        &mut self,
        list: ListKey,
        values: &mut Vec<T>,
    ) -> Result<u32, TryReserveError> {
        let slot = list.slot() as usize;
        self.heads.cover(slot + 1)?;
        let fill = Self::class_of(values.len())?;
        let start = self.take(fill)?;
        let reached = self.heads.get(slot).map_or(0, |free| match free.generation() {
            0 => RETIRED,
            generation => generation,
        });
        self.heads.put_back(list.slot(), Head { tag: list.tag(), start, fill });
        self.fill(list, &mut values.drain(..));
        Ok(if reached > list.generation() + 1 { reached } else { 0 })
    }
}

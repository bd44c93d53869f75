//! Slots that are used again, each in a later life, and retired after the last: heads of lists, places of texts.
//!
//! **Invariant.** A slot is live if its life is odd; there are `count` of them. Each other one is linked from
//! `vacant`, or is one of the `retired` ones: its life is 0.

use alloc::vec::Vec;
use core::mem;
use core::ops::{Deref, DerefMut};

use crate::error::TryReserveError;
use crate::scratch::{cover, reserve_exact};

/// No slot.
pub(crate) const NONE: u32 = u32::MAX;

/// What lies in a slot.
pub(crate) trait Slot: Copy {
    fn life(self) -> u32;

    /// Begins the next life, in this slot; after the last it is 0.
    fn end(&mut self, slot: u32);

    /// Of a slot that is free: which one is linked behind it.
    fn link(&mut self) -> &mut u32;

    #[inline(always)]
    fn is_live(self) -> bool {
        self.life() % 2 == 1
    }

    #[inline(always)]
    fn is_retired(self) -> bool {
        self.life() == 0
    }
}

/// Slots in one piece, which is what they are seen as.
#[derive(Clone, Debug)]
pub(crate) struct Lives<S> {
    slots: Vec<S>,
    /// The first free slot.
    vacant: u32,
    /// How many are live.
    count: u32,
    /// How many had their last life.
    retired: u32,
}

impl<S> Deref for Lives<S> {
    type Target = [S];

    #[inline(always)]
    fn deref(&self) -> &[S] {
        &self.slots
    }
}

impl<S> DerefMut for Lives<S> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [S] {
        &mut self.slots
    }
}

impl<S> Lives<S> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), vacant: NONE, count: 0, retired: 0 }
    }

    pub(crate) const fn live(&self) -> usize {
        self.count as usize
    }

    pub(crate) const fn retired(&self) -> usize {
        self.retired as usize
    }

    pub(crate) fn room(&self) -> usize {
        self.slots.capacity()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.room() * size_of::<S>()
    }

    /// Whether another life needs another slot, for which there is no room.
    #[inline(always)]
    pub(crate) fn are_full(&self) -> bool {
        self.vacant == NONE && self.slots.len() == self.slots.capacity()
    }

    /// Makes room for so many slots in all, and some more.
    pub(crate) fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        cover(&mut self.slots, slots)
    }

    /// The memory of the slots.
    #[cfg(feature = "hashbrown")]
    pub(crate) const fn memory(&mut self) -> &mut Vec<S> {
        &mut self.slots
    }
}

impl<S: Slot> Lives<S> {
    /// Fills a slot with what `begun` makes of its number, and of what is free there, or of nothing; for that there is
    /// room.
    #[inline(always)]
    pub(crate) fn begin(&mut self, begun: impl FnOnce(u32, Option<S>) -> S) -> (u32, S) {
        self.count += 1;
        let slot = self.vacant;
        if let Some(free) = self.slots.get_mut(slot as usize) {
            self.vacant = *free.link();
            *free = begun(slot, Some(*free));
            return (slot, *free);
        }
        let slot = self.slots.len() as u32;
        let first = begun(slot, None);
        self.slots.push(first);
        (slot, first)
    }

    /// Ends the life of a slot, if it is one that `is` accepts, which is live; answers with what it was.
    #[inline(always)]
    pub(crate) fn leave(&mut self, slot: u32, is: impl FnOnce(S) -> bool) -> Option<S> {
        let there = self.slots.get_mut(slot as usize)?;
        let old = *there;
        if !is(old) {
            return None;
        }
        there.end(slot);
        self.count -= 1;
        if there.is_retired() {
            self.retired += 1;
        } else {
            *there.link() = mem::replace(&mut self.vacant, slot);
        }
        Some(old)
    }

    /// Links the free slots anew, the first of them first: so that few wear out.
    pub(crate) fn link(&mut self) {
        self.vacant = NONE;
        for (slot, there) in (0..self.slots.len() as u32).zip(&mut self.slots).rev() {
            if !there.is_live() && !there.is_retired() {
                *there.link() = mem::replace(&mut self.vacant, slot);
            }
        }
    }

    /// Where no slot is live, and half of them or more are retired: begins with fresh ones, and says how many it left.
    #[inline]
    pub(crate) fn renew_if_worn(&mut self) -> Option<usize> {
        let (slots, retired) = (self.slots.len(), self.retired());
        if self.count != 0 || retired == 0 || retired < slots - retired {
            return None;
        }
        self.slots.clear();
        (self.vacant, self.retired) = (NONE, 0);
        Some(slots)
    }

    /// A copy of the first slots, beyond which all are free. What is linked has to be linked anew where there
    /// are others.
    pub(crate) fn try_copy(&self, count: usize) -> Result<Self, TryReserveError> {
        let mut slots = Vec::new();
        reserve_exact(&mut slots, count)?;
        slots.extend_from_slice(&self.slots[..count]);
        Ok(Self { slots, ..*self })
    }

    /// The life of each slot, and the free slots, the one first that is taken next.
    #[cfg(feature = "snapshot")]
    pub(crate) fn saved(
        &self,
    ) -> (impl Iterator<Item = u32> + Clone, impl Iterator<Item = u32> + Clone) {
        let next = |slot: u32| self.get(slot as usize).map(|there| *there.clone().link());
        let first = Some(self.vacant).filter(|&slot| slot != NONE);
        let free =
            core::iter::successors(first, move |&slot| next(slot).filter(|&slot| slot != NONE));
        (self.iter().map(|slot| slot.life()), free)
    }

    /// Checks the invariant.
    pub(crate) fn validate(&self) {
        let count = |is: fn(S) -> bool| self.iter().filter(|slot| is(**slot)).count();
        assert_eq!(count(S::is_live), self.live(), "slots in use are miscounted");
        assert_eq!(count(S::is_retired), self.retired(), "retired slots are miscounted");
        let next = |slot: u32| self.get(slot as usize).copied();
        let free = core::iter::successors(next(self.vacant), |slot| next(*slot.clone().link()));
        let left = self.len() - self.live() - self.retired();
        let free = free.take(left + 1).filter(|slot| !slot.is_live() && !slot.is_retired());
        assert_eq!(free.count(), left, "a free slot is not linked");
    }

    /// Has a retired slot be the one that is taken next, for a life that it had.
    #[cfg(feature = "hashbrown")]
    pub(crate) fn revive(&mut self, slot: u32) {
        let there = self.slots.get_mut(slot as usize).filter(|there| there.is_retired());
        let Some(there) = there else { return };
        *there.link() = mem::replace(&mut self.vacant, slot);
        self.retired -= 1;
    }

    /// Gives up the last slot, if it is this one, and is taken next.
    #[cfg(feature = "hashbrown")]
    pub(crate) fn drop_last(&mut self, slot: u32) {
        if self.vacant == slot && slot as usize + 1 == self.slots.len() {
            self.vacant = self.slots.pop().map_or(NONE, |mut last| *last.link());
        }
    }

    /// Puts back what was in a slot until it was left or taken back, the last that was: it is the first free one or retired,
    /// or comes after the last, and there is room.
    pub(crate) fn put_back(&mut self, slot: u32, was: S) {
        self.count += 1;
        let Some(there) = self.slots.get_mut(slot as usize) else { return self.slots.push(was) };
        if there.is_retired() {
            self.retired -= 1;
        } else {
            debug_assert_eq!(self.vacant, slot, "others were left after it");
            self.vacant = *there.link();
        }
        *there = was;
    }

    /// Takes back that a slot was filled, the last that was: what was free there is so again, or, if there is none, the
    /// slot, the last one, was new.
    pub(crate) fn take_back(&mut self, slot: u32, free: Option<S>) {
        self.count -= 1;
        if let Some(mut free) = free {
            *free.link() = mem::replace(&mut self.vacant, slot);
            self.slots[slot as usize] = free;
        } else {
            self.slots.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slot's life, and its link. There are two lives, 1 and 3.
    #[derive(Clone, Copy)]
    struct Short(u32, u32);

    impl Slot for Short {
        fn life(self) -> u32 {
            self.0
        }

        fn end(&mut self, _: u32) {
            self.0 = (self.0 + 1) % 4;
        }

        fn link(&mut self) -> &mut u32 {
            &mut self.1
        }
    }

    /// Slots of which so many are live, so many free, and so many retired.
    fn slots(live: u32, free: u32, retired: u32) -> Lives<Short> {
        let mut lives = Lives::new();
        let last = |slot| if slot < retired { 3 } else { 1 };
        let all = 0..live + free + retired;
        all.for_each(|slot| _ = lives.begin(|_, _| Short(last(slot), NONE)));
        (0..free + retired).for_each(|slot| assert!(lives.leave(slot, |_| true).is_some()));
        lives.validate();
        assert_eq!((lives.live(), lives.retired()), (live as usize, retired as usize));
        lives
    }

    #[test]
    fn slots_are_renewed_where_none_is_live_and_half_of_them_or_more_are_retired() {
        for live in 0..3 {
            for free in 0..7 {
                for retired in 0..7 {
                    let mut lives = slots(live, free, retired);
                    let all = (live + free + retired) as usize;
                    let worn = live == 0 && retired > 0 && retired >= free;
                    assert_eq!(
                        lives.renew_if_worn(),
                        worn.then_some(all),
                        "{live}, {free}, {retired}"
                    );
                    lives.validate();
                    assert_eq!(lives.len(), if worn { 0 } else { all });
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "a free slot is not linked")]
    fn free_slots_that_are_linked_in_a_circle_are_noticed() {
        let mut lives = slots(1, 3, 2);
        let (first, last) = (lives.vacant as usize, 2);
        lives[last].1 = first as u32;
        lives.validate();
    }

    #[test]
    #[should_panic(expected = "a free slot is not linked")]
    fn a_retired_slot_that_is_linked_in_place_of_a_free_one_is_noticed() {
        let mut lives = slots(1, 3, 2);
        lives[3].1 = 0;
        lives.validate();
    }

    #[test]
    #[should_panic(expected = "retired slots are miscounted")]
    fn a_slot_that_is_retired_in_secret_is_noticed() {
        let mut lives = slots(1, 3, 2);
        lives[3].0 = 0;
        lives.validate();
    }

    #[test]
    #[cfg(feature = "hashbrown")]
    fn a_slot_that_is_retired_is_the_next_again_and_the_last_one_goes() {
        let mut lives = slots(0, 2, 1);
        lives.revive(2);
        assert_eq!((lives.retired(), lives.vacant), (1, 2), "it was not retired");
        lives.revive(0);
        assert_eq!((lives.retired(), lives.vacant), (0, 0));
        assert_eq!(lives.begin(|_, free| Short(1, free.map_or(9, |free| free.0))).1.1, 0);
        lives.validate();
        for (slot, left) in [(1, 3), (2, 2), (2, 2), (1, 1), (0, 1)] {
            lives.drop_last(slot);
            lives.validate();
            assert_eq!(lives.len(), left, "the first is live, the last is the next");
        }
    }
}

//! Slots that are used again, each in a later life, and retired after the last: heads of lists, places of texts.
//!
//! **Invariant.** A slot is live if its life is odd; there are `count` of them. Each other one is linked from
//! `vacant`, or is one of the `retired` ones: its life is 0.
//!
//! Changes are reversed from the latest on, so the slot that was begun or left last is always on top of the free slots,
//! and putting it back needs no record of them. If an older life is put back, `reached` keeps the last that the slot
//! has had: after it the slot goes on from there. `raised` slots have one noted, all of them live.

use alloc::vec::Vec;
use core::mem;
use core::ops::{Deref, DerefMut};

use crate::scratch::cover;
use larder_core::TryReserveError;
use larder_core::past::Way;
use larder_core::room::copy;

/// No slot.
pub(crate) const NONE: u32 = u32::MAX;

/// The contents of a slot.
pub(crate) trait Slot: Copy {
    /// The last life: all bits of one.
    const LAST: u32;

    fn life(self) -> u32;

    fn set_life(&mut self, life: u32);

    /// Begins the next life, in this slot; after the last it is 0.
    fn end(&mut self, slot: u32);

    /// Returns the link of a free slot, to the next free slot.
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
#[derive(Debug)]
pub(crate) struct Lives<S> {
    slots: Vec<S>,
    /// The first free slot.
    vacant: u32,
    /// The number of live slots.
    count: u32,
    /// The number of slots that have had their last life.
    retired: u32,
    /// The number of slots that have reached later lives than the one that they are in.
    raised: u32,
    /// By slot, as many as needed: the last life that it has reached, if it is in an older one; else 0.
    reached: Vec<u32>,
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
        Self {
            slots: Vec::new(),
            vacant: NONE,
            count: 0,
            retired: 0,
            raised: 0,
            reached: Vec::new(),
        }
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
        self.room() * size_of::<S>() + self.reached.capacity() * size_of::<u32>()
    }

    /// Returns whether another life would need another slot, for which there is no room.
    #[inline(always)]
    pub(crate) fn are_full(&self) -> bool {
        self.vacant == NONE && self.slots.len() == self.slots.capacity()
    }

    /// Returns whether slots have reached later lives than the ones that they are in.
    pub(crate) const fn are_raised(&self) -> bool {
        self.raised != 0
    }

    /// Makes room for `slots` slots in all, and some more.
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

    /// Has the life of a slot, which ends next, be the last that the slot has reached, if that is noted; says whether
    /// it is.
    #[inline(always)]
    pub(crate) fn catch_up(&mut self, slot: u32) -> bool {
        self.raised != 0 && self.catch_up_as_noted(slot)
    }

    #[cold]
    #[inline(never)]
    fn catch_up_as_noted(&mut self, slot: u32) -> bool {
        let (Some(there), Some(reached)) =
            (self.slots.get_mut(slot as usize), self.reached.get_mut(slot as usize))
        else {
            return false;
        };
        let last = mem::take(reached);
        if last != 0 {
            there.set_life(last);
            self.raised -= 1;
        }
        last != 0
    }

    /// Ends the life of a slot, if it is one that `is` accepts, which is live, and [caught up](Self::catch_up); answers
    /// with what it was.
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

    /// Begins with fresh slots if none is live, and half of them or more are retired. Returns the number of slots that
    /// it left.
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

    /// Returns a copy of the first slots, beyond which all are free. If there are others, the free slots of the copy
    /// have to be linked anew.
    pub(crate) fn try_copy(&self, count: usize) -> Result<Self, TryReserveError> {
        let (slots, reached) = (copy(&self.slots[..count])?, copy(&self.reached)?);
        Ok(Self { slots, reached, ..*self })
    }

    /// The life of each slot, and the free slots, the one first that is taken next.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
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
    #[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
    pub(crate) fn validate(&self) {
        let count = |is: fn(S) -> bool| self.iter().filter(|slot| is(**slot)).count();
        assert_eq!(count(S::is_live), self.live(), "slots in use are miscounted");
        assert_eq!(count(S::is_retired), self.retired(), "retired slots are miscounted");
        let next = |slot: u32| self.get(slot as usize).copied();
        let free = core::iter::successors(next(self.vacant), |slot| next(*slot.clone().link()));
        let left = self.len() - self.live() - self.retired();
        let free = free.take(left + 1).filter(|slot| !slot.is_live() && !slot.is_retired());
        assert_eq!(free.count(), left, "a free slot is not linked");
        let noted = || (0..).zip(&self.reached).filter(|(_, last)| **last != 0);
        assert_eq!(noted().count(), self.raised as usize, "slots in older lives are miscounted");
        let is_older = |(slot, last): (usize, &u32)| {
            self.get(slot).is_some_and(|there: &S| there.is_live() && there.life() < *last)
        };
        assert!(noted().all(is_older), "a life would come again");
    }

    /// The last life that a slot has had which is not live.
    fn last_life(&self, slot: u32) -> u32 {
        self.get(slot as usize).map_or(0, |there| there.life().wrapping_sub(1) & S::LAST)
    }

    /// Makes room to note what a slot has reached, if this life of it is an older one and is put back.
    pub(crate) fn make_way(&mut self, slot: u32, life: u32) -> Result<(), TryReserveError> {
        let slots = slot as usize + 1;
        if self.last_life(slot) > life && slots > self.reached.len() {
            cover(&mut self.reached, slots)?;
            self.reached.resize(slots, 0);
        }
        Ok(())
    }

    /// Puts back what was in a slot until it was left or taken back, the last that was: it is the first free one or
    /// retired, or came after the last; [way was made](Self::make_way).
    pub(crate) fn put_back(&mut self, slot: u32, was: S) {
        let last = self.last_life(slot);
        if last > was.life() {
            self.reached[slot as usize] = last;
            self.raised += 1;
        }
        self.count += 1;
        let Some(there) = self.slots.get_mut(slot as usize) else {
            assert_eq!(self.slots.len(), slot as usize, "others came before it");
            return self.slots.push(was);
        };
        if there.is_retired() {
            self.retired -= 1;
        } else {
            debug_assert_eq!(self.vacant, slot, "others were left after it");
            self.vacant = *there.link();
        }
        *there = was;
    }

    /// Takes back that a live slot was filled, the last that was, and perhaps for the first time; answers with what was
    /// there. On the way [back](Way::Back) its life begins again next, unless the slot, or one after it, has reached
    /// later ones.
    pub(crate) fn take_back(&mut self, slot: u32, is_first: bool, way: Way) -> Option<S> {
        let is_exact = !self.catch_up(slot) && way == Way::Back;
        if is_exact && is_first && slot as usize + 1 == self.slots.len() {
            // (Its first life may be the last, after which it would be retired.)
            let was = self.slots.pop();
            debug_assert!(was.is_some_and(S::is_live), "it was filled");
            self.count -= 1;
            return was;
        }
        if is_exact && !is_first {
            let there = self.slots.get_mut(slot as usize)?;
            there.set_life(there.life() - 2);
        }
        self.leave(slot, S::is_live)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slot's life, and its link. There are two lives, 1 and 3.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Short(u32, u32);

    impl Slot for Short {
        const LAST: u32 = 3;

        fn life(self) -> u32 {
            self.0
        }

        fn set_life(&mut self, life: u32) {
            self.0 = life;
        }

        fn end(&mut self, _: u32) {
            self.0 = (self.0 + 1) % 4;
        }

        fn link(&mut self) -> &mut u32 {
            &mut self.1
        }
    }

    /// Makes slots, of which as many are live, free and retired as is said.
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
    fn what_is_taken_back_is_the_next_again_and_a_new_slot_goes() {
        let mut lives = slots(1, 1, 0);
        for (slot, is_first) in [(0, false), (2, true)] {
            let begun = lives.begin(|_, free| Short(free.map_or(1, |free| free.0 + 1), NONE));
            for way in [Way::Back, Way::Redo] {
                assert_eq!((begun.0, lives[slot as usize]), (slot, begun.1));
                assert!(lives.take_back(slot, is_first, way).is_some());
                lives.validate();
                let free = lives.get(slot as usize).map(|free| free.0);
                let after = if way == Way::Redo { Some((begun.1.0 + 1) % 4) } else { Some(2) };
                assert_eq!(free, after.filter(|_| way == Way::Redo || !is_first));
                lives.put_back(slot, begun.1);
                lives.validate();
            }
        }
        assert_eq!((lives.live(), lives.len(), lives.raised), (3, 3, 0));
    }

    /// Although it would be retired if its life ended.
    #[test]
    fn a_new_slot_goes_whose_first_life_is_the_last() {
        let mut lives = slots(1, 0, 0);
        let last = lives.begin(|_, _| Short(3, NONE));
        assert_eq!((last.0, lives.take_back(1, true, Way::Back)), (1, Some(last.1)));
        assert_eq!((lives.live(), lives.len(), lives.retired(), lives.vacant), (1, 1, 0, NONE));
        lives.validate();
    }

    #[test]
    fn a_slot_in_an_older_life_goes_on_after_the_last_that_it_has_reached() {
        let mut lives = slots(2, 0, 0);
        let old = lives.leave(1, |_| true).expect("it is live");
        assert_eq!(lives.begin(|_, _| Short(3, NONE)), (1, Short(3, NONE)));
        assert!(lives.take_back(1, false, Way::Undo).is_some());
        assert_eq!(lives.retired(), 1);
        for _ in 0..2 {
            lives.make_way(1, old.0).expect("there is memory");
            lives.put_back(1, old);
            lives.validate();
            assert_eq!((lives[1].0, lives.raised, lives.retired()), (1, 1, 0));
            let mut copy = lives.try_copy(2).expect("there is memory");
            copy.validate();
            assert!(!copy.catch_up(0) && copy.catch_up(1) && !copy.catch_up(1));
            assert!(copy.leave(1, |_| true).is_some() && copy.retired() == 1);
            assert!(lives.take_back(1, false, Way::Back).is_some(), "not to be begun again");
            lives.validate();
            assert_eq!((lives[1].0, lives.raised, lives.retired()), (0, 0, 1));
        }
    }

    #[test]
    #[should_panic(expected = "a life would come again")]
    fn a_life_that_would_come_again_is_noticed() {
        let mut lives = slots(1, 1, 0);
        (lives.reached, lives.raised) = (alloc::vec![3], 1);
        lives.validate();
    }
}

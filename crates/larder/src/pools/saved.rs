//! Slots of pools as they are saved: the lives of each, and which are free.

use alloc::vec::Vec;

use crate::scratch::reserve_exact;
use crate::snapshot::SnapshotErrorKind;
use crate::snapshot::format::Source;

/// The lives of slots that have a text or a list are odd. What had the last is retired, and its life is 0.
pub(super) struct Slots {
    pub(super) lives: Vec<u32>,
    free: Vec<u32>,
    most: u32,
}

impl Slots {
    /// What was saved; lives are at most `most`, an odd number.
    pub(super) fn read(from: &mut Source<'_>, most: u32) -> Result<Self, SnapshotErrorKind> {
        let (lives, free) = (from.slice::<u32>("lives")?, from.slice::<u32>("free")?);
        let mut missing = Vec::new();
        reserve_exact(&mut missing, lives.len())?;
        missing.extend(lives.iter().map(|life| life % 2 == 0 && *life != 0));
        let mut take = |&slot: &u32| {
            missing.get_mut(slot as usize).is_some_and(|free| core::mem::replace(free, false))
        };
        let all = free.iter().all(&mut take);
        if !all || missing.contains(&true) || lives.iter().any(|&life| life > most) {
            return Err(Source::invalid("the free slots are not those whose lives are over"));
        }
        Ok(Self { lives, free, most })
    }

    /// The life that a slot has had until it was freed.
    pub(super) const fn last_life(&self, life: u32) -> u32 {
        match life {
            0 => self.most,
            life if life % 2 == 0 => life - 1,
            life => life,
        }
    }

    /// The slots that are to be freed, in that order: so the free ones are taken as they would have been.
    pub(super) fn to_free(&self) -> impl Iterator<Item = u32> {
        let retired = (0..).zip(&self.lives).filter(|(_, life)| **life == 0).map(|(slot, _)| slot);
        retired.chain(self.free.iter().rev().copied())
    }
}

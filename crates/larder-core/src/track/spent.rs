//! Keys that were undone stay stale: of each slot that had one, the generation that it may have next, whatever step is
//! gone back to.
//!
//! **Invariant.** A slot that is noted is in use, and those behind the last one noted may be given up. If it is free,
//! it has the generation that is noted, or a later one. No key that was undone, and not redone, has a generation that
//! follows the noted one of its slot; nor, where generations count insertions, one that follows `mark`.

use alloc::vec::Vec;

use super::member::Internal;
use super::trackable::{BatchOf, Track};
use crate::Reuse;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::{Generation, Mark};
use crate::maps::BySlot;
use crate::raw::rewind::{Order, Record, Saved};
use crate::raw::slots::{GenerationOf, MarkOf};
use crate::room::reserve;

/// The generation in which a slot is free next; `None` where it has none left.
type Next<K> = Option<GenerationOf<K>>;

/// Slots with the generation that follows all which they had in steps that were undone.
///
/// A hole is simply put back in a later generation than it had. A value that returns needs the generation of its key,
/// though; which one its slot may have after it is noted here.
#[derive(Clone)]
pub(super) struct Spent<K: Key> {
    pub(super) slots: BySlot<Option<Next<K>>>,
    /// The number of slots that are noted.
    pub(super) count: usize,
    /// All of them are below this one.
    pub(super) end: u32,
    /// The latest mark that was in force when a step was undone that had changed it.
    mark: MarkOf<K>,
}

/// The state of a step and of slots before generations were last [counted on](Spent::count_on).
pub(super) struct Counted<K: Key> {
    /// The records that were of free slots, with the generations of these.
    free: Vec<(usize, GenerationOf<K>)>,
    /// Slots that were noted, and what they had before.
    slots: Vec<(u32, Option<Next<K>>)>,
    /// The mark that was noted.
    mark: MarkOf<K>,
}

impl<K: Key> Counted<K> {
    pub(super) const fn new() -> Self {
        Self { free: Vec::new(), slots: Vec::new(), mark: MarkOf::<K>::START }
    }
}

/// Returns the generation in which a slot is free after this state.
fn next<K: Key, V>(state: &Saved<GenerationOf<K>, V>) -> Next<K> {
    match state {
        Saved::Live(generation, _) | Saved::Detached(generation) => {
            (!generation.is_last()).then(|| generation.vacated())
        }
        Saved::Free(generation) => Some(*generation),
        Saved::Retired => None,
    }
}

/// The later of two.
fn later<K: Key>(one: Next<K>, other: Next<K>) -> Next<K> {
    let (one, other) = (one?, other?);
    Some(if one.to_u64() < other.to_u64() { other } else { one })
}

fn later_mark<M: Mark>(one: M, other: M) -> M {
    if one.to_u64() < other.to_u64() { other } else { one }
}

/// A free slot in that generation, or a retired one.
fn free<G, V>(next: Option<G>) -> Saved<G, V> {
    next.map_or(Saved::Retired, Saved::Free)
}

impl<K: Key> Spent<K> {
    pub(super) const fn new() -> Self {
        Self { slots: BySlot::new(), count: 0, end: 0, mark: MarkOf::<K>::START }
    }

    /// Returns whether no slot is noted.
    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the generation in which a slot is free that would be free in this one.
    pub(super) fn after(&self, slot: u32, next: Next<K>) -> Next<K> {
        match self.slots.get(slot) {
            Some(spent) => later::<K>(next, spent),
            None => next,
        }
    }

    /// Makes the records of a step that began with a mark ones that no generation comes back by but those of returning
    /// values, and notes what [`take_back`](Self::take_back) needs. On an error nothing that matters has changed.
    pub(super) fn count_on<A: Track<Key = K>>(
        &mut self,
        container: &A,
        mark: MarkOf<K>,
        records: &mut BatchOf<'_, A>,
        counted: &mut Counted<K>,
    ) -> Result<(), TryReserveError> {
        counted.free.clear();
        counted.slots.clear();
        counted.mark = self.mark;
        if A::ISSUES {
            if let Err(refused) = self.pass(container, records, counted) {
                self.take_back::<A>(counted, records);
                return Err(refused);
            }
            let now = container.mark();
            if now.to_u64() > mark.to_u64() {
                self.mark = later_mark(self.mark, now);
            }
        }
        Ok(())
    }

    /// Does the work of [`count_on`](Self::count_on). On an error some of it is done.
    fn pass<A: Track<Key = K>>(
        &mut self,
        container: &A,
        records: &mut BatchOf<'_, A>,
        counted: &mut Counted<K>,
    ) -> Result<(), TryReserveError> {
        reserve(&mut counted.free, records.len())?;
        reserve(&mut counted.slots, records.len())?;
        for (at, Record { slot, saved }) in records.iter_mut().enumerate() {
            let then = next::<K, _>(saved);
            let now = next::<K, _>(&container.state(*slot as usize));
            // (Most often the value alone is another. A free slot may have had later keys since.)
            if now == then && matches!(saved, Saved::Live(..)) {
                continue;
            }
            let after = self.after(*slot, later::<K>(now, then));
            if after == then {
                continue;
            }
            counted.slots.push((*slot, self.note(*slot, after)?));
            if let Saved::Free(generation) = saved {
                counted.free.push((at, *generation));
                *saved = free(after);
            }
        }
        Ok(())
    }

    /// Notes the generation that a slot has next; returns what it had. On an error nothing has changed.
    pub(super) fn note(
        &mut self,
        slot: u32,
        next: Next<K>,
    ) -> Result<Option<Next<K>>, TryReserveError> {
        let before = self.slots.get(slot);
        if before.is_none() {
            self.slots.make_room(slot, self.count)?;
            self.count += 1;
            self.end = self.end.max(slot + 1);
        }
        self.slots.set(slot, Some(next));
        Ok(before)
    }

    /// The step is not passed after all.
    pub(super) fn take_back<A: Track<Key = K>>(
        &mut self,
        counted: &mut Counted<K>,
        records: &mut BatchOf<'_, A>,
    ) {
        self.mark = counted.mark;
        let mut free = counted.free.drain(..).peekable();
        for (at, record) in records.iter_mut().enumerate() {
            if let Some((_, generation)) = free.next_if(|&(free, _)| free == at) {
                record.saved = Saved::Free(generation);
            }
        }
        for (slot, before) in counted.slots.drain(..) {
            match before {
                Some(_) => self.slots.set(slot, before),
                None => {
                    self.slots.take(slot);
                    self.count -= 1;
                }
            }
        }
    }

    /// Has a step that is gone back to keep the slots that are noted, in the generations that they may have: those that
    /// were begun after it, and those in between, become holes, whose records are added. On an error, or if the step is
    /// not gone back to after all, nothing that matters has changed but for these. (What was free has a generation that
    /// it may have.)
    pub(super) fn hold<A: Track<Key = K>>(
        &self,
        container: &A,
        order: &mut Order<K>,
        records: &mut BatchOf<'_, A>,
    ) -> Result<(), TryReserveError> {
        let (slots, end) = (order.slots, order.slots.max(self.end));
        if !A::ISSUES {
            return Ok(());
        }
        order.mark = later_mark(order.mark, self.mark);
        if self.count == 0 {
            return Ok(());
        }
        let is_listed = container.reuse() != Reuse::Packed;
        reserve(records.more, (end - slots) as usize)?;
        reserve(&mut order.free, if is_listed { (end - slots) as usize } else { 0 })?;
        let fresh = Generation::fresh(order.mark);
        let begun = |slot| free(self.after(slot, Some(fresh)));
        for Record { slot, saved } in records.iter_mut() {
            match saved {
                Saved::Free(_) if *slot >= slots => *saved = begun(*slot),
                Saved::Free(generation) => *saved = free(self.after(*slot, Some(*generation))),
                _ => {}
            }
        }
        records.more.extend((slots..end).map(|slot| Record { slot, saved: begun(slot) }));
        let is_free = |slot: &u32| self.slots.get(*slot) != Some(None);
        order.free.retain(is_free);
        if is_listed {
            order.free.extend((slots..end).filter(is_free));
        }
        order.slots = end;
        Ok(())
    }

    /// A slot has just been vacated: its generation goes past those that are spent.
    pub(super) fn pass_over<A: Track<Key = K>>(&self, container: &mut A, slot: usize) {
        let spent = if self.count == 0 { None } else { self.slots.get(slot as u32) };
        if let (Some(spent), now @ Saved::Free(_)) = (spent, container.state(slot)) {
            container.pass_over(slot, later::<K>(spent, next::<K, _>(&now)), Internal(()));
        }
    }
}

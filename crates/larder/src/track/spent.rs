//! Generations that slots had before they were put back by an undo: so that they count on.
//!
//! A hole is simply put back in a later generation than it had. A value that returns needs the generation
//! of its key, though; which one its slot may have after it is noted here.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::history::Step;
use super::trackable::Track;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::raw::generation::Generation;
use crate::raw::rewind::{Record, Saved};
use crate::raw::slots::GenerationOf;
use crate::scratch::reserve;

/// The generation in which a slot is free next; `None` where it has none left.
type Next<K> = Option<GenerationOf<K>>;

/// Slots with the generation that follows all which they ever had.
pub(super) struct Spent<K: Key> {
    /// In order of slots.
    slots: Vec<(u32, Next<K>)>,
}

/// What a step and the slots were before generations were [counted on](Spent::count_on).
pub(super) struct Counted<K: Key> {
    /// How many records the step had.
    known: usize,
    /// Which of them were of free slots, and in which generations.
    free: Vec<(usize, GenerationOf<K>)>,
    slots: Vec<(u32, Next<K>)>,
}

/// In which generation a slot is free after this state.
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

/// A free slot in that generation, or a retired one.
fn free<G, V>(next: Option<G>) -> Saved<G, V> {
    next.map_or(Saved::Retired, Saved::Free)
}

impl<K: Key> Default for Spent<K> {
    fn default() -> Self {
        Self { slots: Vec::new() }
    }
}

impl<K: Key> Spent<K> {
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    fn of(&self, slot: u32) -> Option<Next<K>> {
        let found = self.slots.binary_search_by_key(&slot, |entry| entry.0).ok()?;
        Some(self.slots[found].1)
    }

    /// Makes a step one that no generation comes back by but those of returning values. Slots that were
    /// begun after it become holes. On an error nothing that matters has changed. Returns what
    /// [`take_back`](Self::take_back) needs.
    pub(super) fn count_on<A: Track<Key = K>>(
        &mut self,
        container: &A,
        step: &mut Step<A>,
    ) -> Result<Counted<K>, TryReserveError> {
        let known = step.records.len();
        let mut counted = Counted { known, free: Vec::new(), slots: Vec::new() };
        if !A::ISSUES {
            return Ok(counted);
        }
        reserve(&mut counted.free, known)?;
        reserve(&mut counted.slots, self.slots.len())?;
        counted.slots.extend_from_slice(&self.slots);
        let begun = step.order.slots as usize..container.slots();
        let has_key = |state| matches!(state, Saved::Live(..) | Saved::Detached(_));
        let live = begun.clone().filter(|&slot| has_key(container.state(slot)));
        reserve(&mut step.records, live.clone().count())?;
        reserve(&mut self.slots, known)?;
        // Those of a step that is redone are recorded already.
        let mut recorded: Vec<u32> = Vec::new();
        reserve(&mut recorded, known)?;
        recorded.extend(step.records.iter().map(|record| record.slot));
        recorded.sort_unstable();
        let fresh = live.filter(|&slot| recorded.binary_search(&(slot as u32)).is_err());
        step.records.extend(fresh.map(|slot| Record { slot: slot as u32, saved: Saved::Retired }));
        let sorted = self.slots.len();
        for (at, Record { slot, saved }) in step.records.iter_mut().enumerate() {
            let mut next_one = next::<K, _>(&container.state(*slot as usize));
            if let Ok(found) = self.slots[..sorted].binary_search_by_key(slot, |entry| entry.0) {
                next_one = later::<K>(next_one, self.slots[found].1);
            }
            if at >= known {
                *saved = free(next_one);
                continue;
            }
            let after = later::<K>(next_one, next::<K, _>(saved));
            match saved {
                Saved::Free(generation) => {
                    counted.free.push((at, *generation));
                    *saved = free(after);
                }
                Saved::Retired => {}
                Saved::Live(..) | Saved::Detached(_) => {
                    if after.map(Generation::to_u64) != next::<K, _>(saved).map(Generation::to_u64)
                    {
                        self.slots.push((*slot, after));
                    }
                }
            }
        }
        // (Of two entries for a slot the later one counts.)
        let number = |next: Next<K>| next.map_or(u64::MAX, Generation::to_u64);
        self.slots.sort_unstable_by_key(|&(slot, next)| (slot, Reverse(number(next))));
        self.slots.dedup_by_key(|entry| entry.0);
        Ok(counted)
    }

    /// The step is not passed after all.
    pub(super) fn take_back<A: Track<Key = K>>(&mut self, counted: Counted<K>, step: &mut Step<A>) {
        step.records.truncate(counted.known);
        for (at, generation) in counted.free {
            step.records[at].saved = Saved::Free(generation);
        }
        if A::ISSUES {
            self.slots = counted.slots;
        }
    }

    /// A slot has just been vacated: its generation goes past those that are spent.
    pub(super) fn pass_over<A: Track<Key = K>>(&self, container: &mut A, slot: usize) {
        let spent = if self.slots.is_empty() { None } else { self.of(slot as u32) };
        if let (Some(spent), now @ Saved::Free(_)) = (spent, container.state(slot)) {
            container.pass_over(slot, later::<K>(spent, next::<K, _>(&now)));
        }
    }
}

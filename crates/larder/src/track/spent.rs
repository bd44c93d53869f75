//! Generations that slots had before they were put back by an undo: so that they count on.
//!
//! A hole is simply put back in a later generation than it had. A value that returns needs the generation
//! of its key, though; which one its slot may have after it is noted here.

use alloc::vec::Vec;

use super::history::Step;
use super::trackable::Track;
use crate::by_slot::BySlot;
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
    slots: BySlot<Option<Next<K>>>,
    /// How many slots there are.
    count: usize,
}

/// What a step and the slots were before generations were [counted on](Spent::count_on).
pub(super) struct Counted<K: Key> {
    /// How many records the step had.
    known: usize,
    /// Which of them were of free slots, and in which generations.
    free: Vec<(usize, GenerationOf<K>)>,
    /// Slots that were noted, and what they had before.
    slots: Vec<(u32, Option<Next<K>>)>,
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

impl<K: Key> Spent<K> {
    pub(super) const fn new() -> Self {
        Self { slots: BySlot::new(), count: 0 }
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
        if A::ISSUES {
            if let Err(refused) = self.pass(container, step, &mut counted) {
                self.take_back(counted, step);
                return Err(refused);
            }
        }
        Ok(counted)
    }

    /// As [`count_on`](Self::count_on). On an error some of it is done.
    fn pass<A: Track<Key = K>>(
        &mut self,
        container: &A,
        step: &mut Step<A>,
        counted: &mut Counted<K>,
    ) -> Result<(), TryReserveError> {
        let known = counted.known;
        reserve(&mut counted.free, known)?;
        reserve(&mut counted.slots, known)?;
        let begun = step.order.slots as usize..container.slots();
        let has_key = |state| matches!(state, Saved::Live(..) | Saved::Detached(_));
        let live = begun.clone().filter(|&slot| has_key(container.state(slot)));
        reserve(&mut step.records, live.clone().count())?;
        // Those of a step that is redone are recorded already.
        let mut recorded: Vec<u32> = Vec::new();
        reserve(&mut recorded, known)?;
        let slots = step.records.iter().map(|record| record.slot);
        recorded.extend(slots.filter(|&slot| begun.contains(&(slot as usize))));
        recorded.sort_unstable();
        let fresh = live.filter(|&slot| recorded.binary_search(&(slot as u32)).is_err());
        step.records.extend(fresh.map(|slot| Record { slot: slot as u32, saved: Saved::Retired }));
        for (at, Record { slot, saved }) in step.records.iter_mut().enumerate() {
            let mut next_one = next::<K, _>(&container.state(*slot as usize));
            if let Some(spent) = self.slots.get(*slot) {
                next_one = later::<K>(next_one, spent);
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
                    if after != next::<K, _>(saved) {
                        counted.slots.push((*slot, self.note(*slot, after)?));
                    }
                }
            }
        }
        Ok(())
    }

    /// Notes the generation that a slot has next; returns what it had. On an error nothing has changed.
    fn note(&mut self, slot: u32, next: Next<K>) -> Result<Option<Next<K>>, TryReserveError> {
        let before = self.slots.get(slot);
        if before.is_none() {
            self.slots.make_room(slot, self.count)?;
            self.count += 1;
        }
        self.slots.set(slot, Some(next));
        Ok(before)
    }

    /// The step is not passed after all.
    pub(super) fn take_back<A: Track<Key = K>>(&mut self, counted: Counted<K>, step: &mut Step<A>) {
        step.records.truncate(counted.known);
        for (at, generation) in counted.free {
            step.records[at].saved = Saved::Free(generation);
        }
        for (slot, before) in counted.slots {
            match before {
                Some(_) => self.slots.set(slot, before),
                None => {
                    self.slots.take(slot);
                    self.count -= 1;
                }
            }
        }
    }

    /// A slot has just been vacated: its generation goes past those that are spent.
    pub(super) fn pass_over<A: Track<Key = K>>(&self, container: &mut A, slot: usize) {
        let spent = if self.count == 0 { None } else { self.slots.get(slot as u32) };
        if let (Some(spent), now @ Saved::Free(_)) = (spent, container.state(slot)) {
            container.pass_over(slot, later::<K>(spent, next::<K, _>(&now)));
        }
    }
}

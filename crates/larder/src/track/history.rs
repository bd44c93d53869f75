//! What slots were at each checkpoint: of each slot that changed since, the first time that it did; and the generations
//! that slots had before they were put back by an undo, so that they count on.
//!
//! **Invariant.** `kept` has the slots that `records` has a record of, and those of the last word that
//! were not in use when the last step began. A step's records are of slots in use when it began, each once.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::mem;

use super::TrackError;
use super::subscribers::room_for;
use super::trackable::{Records, Revert, Track, record_hole, record_value};
use crate::by_slot::BySlot;
use crate::error::TryReserveError;
use crate::key::Key;
use crate::key::generation::Generation;
use crate::raw::Internal;
use crate::raw::marks::Marks;
use crate::raw::occupancy::WORD;
use crate::raw::rewind::{Order, Record, Saved};
use crate::raw::slots::GenerationOf;
use crate::raw::walk::bits;
use crate::scratch::reserve;

/// So many lists of records are kept to be used again.
const SPARE: usize = 16;

/// A state that a [`Tracked`](super::Tracked) container can return to. Made by
/// [`checkpoint`](super::Tracked::checkpoint). It is only a number, which costs nothing to keep.
///
/// # Examples
/// ```
/// use larder::{Arena, track::{Checkpoint, Tracked}};
///
/// let mut score = Tracked::new(Arena::from_iter([0]));
/// let frames: Vec<Checkpoint> = (0..8)
///     .map(|_| {
///         let frame = score.checkpoint();
///         score.iter_mut().for_each(|(_, points)| *points += 1);
///         frame
///     })
///     .collect();
/// score.rollback(frames[3])?;
/// assert!(score.values().eq(&[3]));
/// # Ok::<(), larder::track::TrackError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub(super) owner: usize,
    pub(super) number: u64,
}

/// A checkpoint, and what slots were then that have changed until the next.
pub(super) struct Step<A: Track> {
    number: u64,
    pub(super) order: Order<A::Key>,
    pub(super) records: Records<A>,
}

pub(super) struct History<A: Track> {
    pub(super) steps: VecDeque<Step<A>>,
    kept: Marks,
    /// The records of the last step.
    records: Records<A>,
    /// Slots below this word are recorded before they change: those that were in use when the last step
    /// began; all, and `kept` is empty, while there is something undone, which is forgotten then.
    watched: usize,
    /// [`keep_fresh`](Self::keep_fresh), known where values can be cloned, which is where checkpoints are made.
    keep_fresh: fn(&mut Self, A::Key, &A::Source),
    made: u64,
    /// Checkpoints before this number were given up because memory was refused.
    lost: u64,
    /// Lists to be used again. There is room for those of all steps, undone ones too.
    spare: Vec<Records<A>>,
    /// Steps that were undone, with what slots were then.
    pub(super) undone: Vec<Step<A>>,
    /// What undoing leaves behind: see there.
    pub(super) spent: Spent<A::Key>,
}

impl<A: Track> History<A> {
    pub(super) const fn new() -> Self {
        Self {
            steps: VecDeque::new(),
            kept: Marks::new(),
            records: Vec::new(),
            watched: 0,
            keep_fresh: |_, _, _| {},
            made: 0,
            lost: 0,
            spare: Vec::new(),
            undone: Vec::new(),
            spent: Spent::new(),
        }
    }

    /// Slots of a word are about to change.
    #[inline]
    pub(super) fn keep(&mut self, container: &A, word: usize, slots: u64) {
        if word < self.watched {
            let fresh = slots & !self.kept.word(word);
            if fresh != 0 {
                // (A value's `Clone` may panic: so one at a time.)
                bits(fresh).for_each(|bit| self.keep_slot(container, word * WORD + bit));
            }
        }
    }

    /// A slot is about to change.
    #[inline]
    pub(super) fn keep_slot(&mut self, container: &A, slot: usize) {
        if self.watches(slot) {
            match container.key_at(slot) {
                Some(key) => self.keep_value(container, key),
                None => self.keep_hole(container, slot),
            }
        }
    }

    /// The value of a key is about to change, if it has one.
    #[inline]
    pub(super) fn keep_value(&mut self, container: &A, key: A::Key) {
        if let Some(source) = container.source(key) {
            self.keep_source(key, source);
        }
    }

    /// The value of a key is about to change, which is cloned from this.
    #[inline]
    pub(super) fn keep_source(&mut self, key: A::Key, source: &A::Source) {
        if self.watches(key.slot() as usize) {
            (self.keep_fresh)(self, key, source);
        }
    }

    /// Whether a slot has to be recorded before it changes.
    #[inline]
    fn watches(&self, slot: usize) -> bool {
        slot / WORD < self.watched && !self.kept.contains(slot)
    }

    fn keep_fresh(&mut self, key: A::Key, source: &A::Source)
    where
        A: Revert,
    {
        let slot = key.slot() as usize;
        if !self.has_room(slot) {
            return self.keep_slowly(key, source);
        }
        if record_value::<A>(key, source, &mut self.records) {
            self.kept.insert(slot);
        }
    }

    #[cold]
    fn keep_slowly(&mut self, key: A::Key, source: &A::Source) {
        self.make_room(key.slot() as usize);
        self.keep_source(key, source);
    }

    #[cold]
    fn keep_hole(&mut self, container: &A, slot: usize) {
        if !self.has_room(slot) {
            self.make_room(slot);
            return self.keep_slot(container, slot);
        }
        record_hole(container, slot, &mut self.records);
        self.kept.insert(slot);
    }

    /// Whether a slot can be recorded at once.
    #[inline]
    fn has_room(&self, slot: usize) -> bool {
        self.records.len() < self.records.capacity() && self.kept.covers(slot)
    }

    /// Makes room to record a slot, or gives up what is undone, if anything, or else every checkpoint.
    fn make_room(&mut self, slot: usize) {
        if !self.undone.is_empty() {
            self.forget_undone();
        } else if reserve(&mut self.records, WORD).and_then(|()| self.cover(slot)).is_err() {
            // (User code runs last.)
            self.abandon();
            self.clear_spare();
        }
    }

    /// Makes room to note that a slot is kept. (Those of a map of side data may be any.)
    fn cover(&mut self, slot: usize) -> Result<(), TryReserveError> {
        if slot < self.kept.covered() { Ok(()) } else { self.kept.resize(room_for(slot)) }
    }

    /// Gives up every checkpoint. What they hold is dropped the next time: while a panic unwinds nothing else
    /// may panic.
    pub(super) fn abandon(&mut self) {
        self.lost = self.made;
        self.put_aside();
    }

    /// Has no checkpoint, and nothing that was undone; what these hold is yet to be dropped.
    fn put_aside(&mut self) {
        self.watched = 0;
        // (While steps are changed, the last one has its records already.)
        if !self.records.is_empty() {
            self.pause();
        }
        let steps = self.steps.drain(..).chain(self.undone.drain(..));
        self.spare.extend(steps.map(|step| step.records));
    }

    /// The records of the last step are put into it, for as long as steps are changed:
    /// [`resume`](Self::resume) ends it.
    pub(super) fn pause(&mut self) {
        if let (true, Some(step)) = (self.undone.is_empty(), self.steps.back_mut()) {
            step.records = mem::take(&mut self.records);
        }
    }

    /// Begins a step.
    pub(super) fn begin(&mut self, container: &A) -> Result<u64, TryReserveError>
    where
        A: Revert,
    {
        let order = container.order()?;
        let bytes = size_of::<Step<A>>();
        self.steps.try_reserve(1).map_err(|_| TryReserveError::AllocRefused { bytes })?;
        reserve(&mut self.spare, self.steps.len() + self.undone.len() + 1)?;
        let slots = (order.slots as usize).min(container.slot_capacity());
        let mut kept = Marks::new();
        if slots > self.kept.covered() {
            kept.resize(slots)?;
        }
        self.forget_undone();
        let mut records = self.spare.pop().unwrap_or_default();
        records.clear();
        if slots > self.kept.covered() {
            self.kept = kept;
        }
        self.pause();
        self.keep_fresh = Self::keep_fresh;
        let number = self.made;
        self.made += 1;
        self.steps.push_back(Step { number, order, records });
        self.resume();
        Ok(number)
    }

    /// Goes on with the last step: what it has records of is kept already. (All that it had in use was covered
    /// when it began.)
    pub(super) fn resume(&mut self) {
        self.kept.clear();
        self.watched = if self.undone.is_empty() { 0 } else { usize::MAX };
        let Some(step) = self.steps.back_mut() else { return };
        if self.records.is_empty() {
            self.records = mem::take(&mut step.records);
        }
        if !self.undone.is_empty() {
            // (What has no room to record into finds out what is undone.)
            step.records = mem::take(&mut self.records);
            return;
        }
        let slots = step.order.slots as usize;
        self.watched = slots.div_ceil(WORD);
        if slots % WORD != 0 && slots < self.kept.covered() {
            self.kept.insert_all(slots / WORD, !0 << (slots % WORD));
        }
        for slot in self.records.iter().map(|record| record.slot as usize) {
            if slot < slots {
                self.kept.insert_all(slot / WORD, 1 << (slot % WORD));
            }
        }
    }

    /// Where the step of a checkpoint is.
    pub(super) fn find(&self, number: u64) -> Result<usize, TrackError> {
        let found = self.steps.binary_search_by_key(&number, |step| step.number);
        found.map_err(|_| if number < self.lost { TrackError::Lost } else { TrackError::Gone })
    }

    /// Makes sure that going back to a step needs no memory, with so many slots in use.
    pub(super) fn prepare(&mut self, step: usize, slots: usize) -> Result<(), TryReserveError> {
        let mut slots = slots;
        for step in self.steps.range_mut(step..).rev() {
            let before = step.order.slots as usize;
            reserve(&mut step.records, slots.saturating_sub(before))?;
            slots = before;
        }
        Ok(())
    }

    /// The container was put back to a step: what was recorded from then on is given up.
    pub(super) fn passed(&mut self, step: usize) {
        self.spare.extend(self.undone.drain(..).map(|dead| dead.records));
        // (Those between have none: they were passed before.)
        let given_up = self.steps.drain(step + 1..).map(|dead| dead.records);
        self.spare.extend(given_up.filter(|records| records.capacity() > 0));
        self.spare.extend(self.steps.back_mut().map(|step| mem::take(&mut step.records)));
    }

    /// Goes on where the container was put back to. (User code runs last.)
    pub(super) fn went_back(&mut self) {
        self.resume();
        self.clear_spare();
        if self.undone.is_empty() && self.records.capacity() == 0 {
            self.records = self.spare.pop().unwrap_or_default();
        }
    }

    /// Forgets the steps before one, which is not past the last.
    pub(super) fn forget(&mut self, before: usize) {
        self.spare.extend(self.steps.drain(..before).map(|dead| dead.records));
        self.clear_spare();
    }

    /// Forgets all steps, undone ones too. (User code runs last.)
    pub(super) fn forget_all(&mut self) {
        self.put_aside();
        self.clear_spare();
    }

    /// What was undone cannot be done again: something else was done.
    #[cold]
    pub(super) fn forget_undone(&mut self) {
        if !self.undone.is_empty() {
            self.spare.extend(self.undone.drain(..).map(|dead| dead.records));
            self.resume();
            self.clear_spare();
        }
    }

    /// Drops what given up records hold, and keeps their memory. (If a `Drop` panics, what is left is
    /// dropped the next time.)
    fn clear_spare(&mut self) {
        self.spare.iter_mut().for_each(Vec::clear);
        self.spare.truncate(SPARE);
    }
}

/// The generation in which a slot is free next; `None` where it has none left.
type Next<K> = Option<GenerationOf<K>>;

/// Slots with the generation that follows all which they ever had.
///
/// A hole is simply put back in a later generation than it had. A value that returns needs the generation of its key,
/// though; which one its slot may have after it is noted here.
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
    const fn new() -> Self {
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
            container.pass_over(slot, later::<K>(spent, next::<K, _>(&now)), Internal(()));
        }
    }
}

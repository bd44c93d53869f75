//! The contents of books, written to a snapshot and read from one.
//!
//! **Invariant.** None of its own: a book learns of slots when everything about them was read.

use alloc::vec::Vec;
use core::ptr::NonNull;
use std::io;

use super::Column;
use crate::key::Key;
use crate::key::generation::{Generation, Mark};
use crate::memory::bits::bits;
use crate::memory::bits::{WORD, low};
use crate::memory::source::Memory;
use crate::raw::book::{Book, RewindBook};
use crate::raw::slots::{
    GenerationOf, Growth, InMemory, MarkOf, SlotStore, check_slots, most_slots,
};
use crate::snapshot::error::Kind;
use crate::snapshot::format::{Element, Mode, Sink, Source, refused};
use crate::stats::Reuse;

/// The contents of a book in a file: the state of each slot below `slots`, and of no other.
pub(super) struct SavedSlots<K: Key> {
    pub(super) slots: usize,
    pub(super) live: Vec<u64>,
    /// A word of taken slots for each word of live ones, or none at all.
    taken: Vec<u64>,
    free: Vec<u32>,
    cursor: usize,
    mark: MarkOf<K>,
    pub(super) reuse: Reuse,
}

/// The names of the numbers that say how the keys of a type are laid out.
pub(crate) const KEY_LAYOUT: [&str; 3] = ["bytes", "slots at most", "bytes of a generation"];

/// These numbers.
fn key_layout<K: Key>() -> [(&'static str, u64); 3] {
    let [bytes, slots, generation] = KEY_LAYOUT;
    [
        (bytes, size_of::<K>() as u64),
        (slots, K::MAX_SLOTS.into()),
        (generation, size_of::<GenerationOf<K>>() as u64),
    ]
}

pub(crate) fn write_keys<K: Key>(to: &mut Sink<'_>) -> io::Result<()> {
    key_layout::<K>().into_iter().try_for_each(|(what, number)| to.number(what, number))
}

pub(crate) fn check_keys<K: Key>(from: &Source<'_>) -> Result<(), Kind> {
    for (what, expected) in key_layout::<K>() {
        let found = from.number(what)?;
        if found != expected {
            return Err(Kind::Keys { what, expected, found });
        }
    }
    Ok(())
}

/// All but values and generations.
pub(super) fn write_slots<K: Key, C: SlotStore<K, Book: RewindBook>>(
    container: &C,
    to: &mut Sink<'_>,
) -> io::Result<()> {
    let (book, mark) = (&container.ledger().book, container.ledger().mark);
    let (words, mut free) = (book.slots().div_ceil(WORD), Vec::new());
    let cursor = book.save_order(&mut free).map_err(refused)?;
    write_keys::<K>(to)?;
    to.number("slots", book.slots() as u64)?;
    to.number("reuse", book.reuse() as u64)?;
    to.number("mark", mark.to_u64())?;
    to.number("cursor", cursor as u64)?;
    let taken_of = |word: usize| {
        let is_taken = |&bit: &usize| book.is_taken(word * WORD + bit);
        bits(!book.live_word(word)).filter(is_taken).fold(0_u64, |taken, bit| taken | 1 << bit)
    };
    let any = book.detached() + book.retired() > 0;
    to.each("live", (0..words).map(|word| book.live_word(word)))?;
    to.each("taken", (0..if any { words } else { 0 }).map(taken_of))?;
    to.slice("free", &free)
}

impl<K: Key> SavedSlots<K> {
    pub(super) fn read(from: &mut Source<'_>) -> Result<Self, Kind> {
        check_keys::<K>(from)?;
        let slots = from.size("slots")?;
        let reuse = match from.number("reuse")? {
            0 => Reuse::Packed,
            1 => Reuse::Lifo,
            2 => Reuse::Fifo,
            _ => return Err(Source::invalid("the order of reuse is unknown")),
        };
        let mark = MarkOf::<K>::from_u64(from.number("mark")?);
        let mark = mark.ok_or(Source::invalid("no container has that mark"))?;
        let cursor = from.size("cursor")?;
        let (live, taken, free) = (from.slice("live")?, from.slice("taken")?, from.slice("free")?);
        let words = slots.div_ceil(WORD);
        if slots > most_slots::<K>() || live.len() != words || ![0, words].contains(&taken.len()) {
            return Err(Source::invalid("there are more or fewer bits than slots"));
        }
        let saved = Self { slots, live, taken, free, cursor, mark, reuse };
        let is_one = |(word, &live): (usize, &u64)| {
            let taken = saved.taken_word(word);
            (live | taken) & !saved.slots_of(word) == 0 && live & taken == 0
        };
        if saved.live.iter().enumerate().all(is_one) {
            Ok(saved)
        } else {
            Err(Source::invalid("a slot has no state, or several"))
        }
    }

    /// The slots of a word, as bits.
    fn slots_of(&self, word: usize) -> u64 {
        low((self.slots - word * WORD).min(WORD))
    }

    fn taken_word(&self, word: usize) -> u64 {
        self.taken.get(word).copied().unwrap_or(0)
    }

    pub(super) fn is_live(&self, slot: usize) -> bool {
        self.live[slot / WORD] >> (slot % WORD) & 1 == 1
    }

    /// Returns whether a slot, which is in use, can have this generation.
    #[inline]
    pub(super) fn allows(&self, slot: usize, generation: GenerationOf<K>) -> bool {
        let is_live = |generation: GenerationOf<K>| {
            let number = generation.to_u64();
            self.mark.covers(number) && GenerationOf::<K>::live_from_u64(number).is_some()
        };
        if self.is_live(slot) {
            return is_live(generation);
        }
        if self.taken_word(slot / WORD) >> (slot % WORD) & 1 == 0 {
            return GenerationOf::<K>::free_from_u64(generation.to_u64()).is_some();
        }
        if !GenerationOf::<K>::VERSIONED || generation == GenerationOf::<K>::RETIRED {
            return true;
        }
        let awaited = generation.awaited();
        is_live(awaited) && awaited.parked() == generation
    }

    /// Returns the number of bytes that the file has for slots, with their generations.
    pub(super) fn bytes(&self) -> usize {
        let book = size_of_val(&self.live[..]) + size_of_val(&self.taken[..]);
        book + size_of_val(&self.free[..]) + self.slots * size_of::<GenerationOf<K>>()
    }

    /// Returns the number of values for which packed values need room, of which `live` are there: a detached key may
    /// get its value back, and slots at hand are filled without looking for room. (No slots are at hand in another
    /// order.)
    pub(super) fn positions(&self, live: usize) -> usize {
        let taken: usize = self.taken.iter().map(|word| word.count_ones() as usize).sum();
        let at_hand = if self.reuse == Reuse::Packed { self.free.len() } else { 0 };
        self.slots.min(live + taken + at_hand)
    }

    /// Makes an empty container with room for `slots` slots.
    pub(super) fn make<C: InMemory<K>>(&self, slots: usize, mode: Mode<'_>) -> Result<C, Kind> {
        check_slots(slots, most_slots::<K>())?;
        let (memory, growth) = match mode {
            Mode::Read => (Memory::Heap { huge: true }, Growth::Moves),
            Mode::Map { max, writable, .. } => {
                let max = max.max(self.slots).max(slots);
                check_slots(max, most_slots::<K>())?;
                let growth = if writable { Growth::Reserved } else { Growth::Mapped };
                (Memory::Reserved { max, huge: false, ahead: false }, growth)
            }
        };
        Ok(C::within(self.reuse, memory)?.furnish(slots, growth)?)
    }

    /// Tells the book of an empty container what its slots are.
    ///
    /// # Safety
    /// 1. The container has room for all slots.
    /// 2. Each has its generation initialised, and its value where a live slot of such a container has one.
    pub(super) unsafe fn settle<C: SlotStore<K, Book: RewindBook>>(
        &self,
        container: &mut C,
    ) -> Result<(), Kind> {
        container.ledger_mut().mark = self.mark;
        let book = &mut container.ledger_mut().book;
        // (A slot in its last generation needs a place there.)
        book.prepare_taken()?;
        // SAFETY: the book covers as many slots as there is room for, and had none. All of a word are live until
        // now, and so is each that is taken.
        unsafe {
            book.append_many(self.slots);
            for (word, &live) in self.live.iter().enumerate() {
                let taken = self.taken_word(word);
                book.vacate_word(word, self.slots_of(word) & !live & !taken);
                bits(taken).for_each(|bit| book.park(word * WORD + bit));
            }
        }
        let taken = self.taken.iter().enumerate();
        let taken = taken.flat_map(|(word, &taken)| bits(taken).map(move |bit| word * WORD + bit));
        let retired = taken.filter(|&slot| !container.erased().is_detached(slot)).count();
        let book = &mut container.ledger_mut().book;
        (0..retired).for_each(|_| book.retire());
        if book.restore_order(&self.free, self.cursor) {
            Ok(())
        } else {
            Err(Source::invalid("the order of free slots does not fit the free slots"))
        }
    }

    /// Reads the generations of all slots to where they lie, side by side.
    ///
    /// # Safety
    /// 1. There is room for them.
    /// 2. Nothing else is in the pages that they lie in, if they are reserved.
    pub(super) unsafe fn read_generations(
        &self,
        from: &mut Source<'_>,
        start: NonNull<GenerationOf<K>>,
    ) -> Result<(), Kind> {
        // SAFETY: 1. by (1); 2. by (2). The generations that were just read are initialised, since a generation is a
        // number.
        unsafe {
            generations::<K>(start).read(self.slots, from, |mut range| {
                let allowed = range.all(|slot| self.allows(slot, start.add(slot).read()));
                if allowed { Ok(()) } else { Err(WRONG_GENERATION) }
            })
        }
    }
}

pub(super) const WRONG_GENERATION: Kind =
    Kind::Invalid { what: "a slot cannot have that generation" };

/// Generations as a column: numbers, whatever their type is called.
pub(super) fn generations<K: Key>(start: NonNull<GenerationOf<K>>) -> Column {
    let (size, align) = (size_of::<GenerationOf<K>>(), align_of::<GenerationOf<K>>());
    let element = Element { name: "generation".into(), size, align };
    Column::of_numbers("generations".into(), element, start.cast())
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::key::generation::{Counter, Number};
    use crate::key::{BareHandle, Serial};
    use crate::{Handle32, key::generation::Generation};

    /// Returns the generations among these that a live slot may have, that a free one may have, and that a taken one
    /// may have.
    fn allowed<K: Key>(mark: u64, all: &[GenerationOf<K>]) -> [Vec<u64>; 3] {
        let saved = SavedSlots::<K> {
            slots: 67,
            live: vec![u64::MAX, 0b001],
            taken: vec![0, 0b100],
            free: Vec::new(),
            cursor: 0,
            mark: MarkOf::<K>::from_u64(mark).unwrap(),
            reuse: Reuse::Packed,
        };
        [64, 65, 66].map(|slot| {
            let allowed = all.iter().filter(|&&generation| saved.allows(slot, generation));
            allowed.map(|generation| generation.to_u64()).collect()
        })
    }

    /// Lives are odd, deaths are even. A slot that is taken waits for a live key, or was retired.
    #[test]
    fn slots_have_generations_that_they_can_have() {
        let all: Vec<_> = (0..=255).map(Counter::<28>::of).collect();
        let [live, free, taken] = allowed::<Handle32<u8, 28>>(4, &all);
        assert_eq!(live, [1, 3, 5, 7, 9, 11, 13, 15]);
        assert_eq!(free, [0, 2, 4, 6, 8, 10, 12, 14]);
        assert_eq!(taken, [0, 2, 4, 6, 8, 10, 12, 14, 16]);

        let parked = |number| Number::PARKED | number;
        let all = [0, 1, 5, 6, parked(0), parked(1), parked(5), parked(6)].map(Number);
        let [live, free, taken] = allowed::<Serial<u8>>(5, &all);
        assert_eq!((live, free), (vec![1, 5], vec![0]), "after five insertions");
        assert_eq!(taken, [0, parked(1), parked(5)]);

        let only = [<GenerationOf<BareHandle<u8>> as Generation>::RETIRED];
        assert_eq!(allowed::<BareHandle<u8>>(0, &only), [[0]; 3]);
    }
}

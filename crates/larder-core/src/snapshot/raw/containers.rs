//! Containers, written to a snapshot and read from one. The invariant is that of [`snapshot`](super): memory is
//! made for a container, then read to, and only then does its book learn of the slots.

use alloc::vec::Vec;
use core::mem::offset_of;
use core::ptr::NonNull;
use std::io;

use bytemuck::NoUninit;

use super::slots::{SavedSlots, WRONG_GENERATION, generations, write_slots};
use super::{Column, Columnar, NO_VALUE, are_values, is_void, map};
use crate::key::Key;
use crate::key::generation::Generation;
use crate::memory::bits::WORD;
use crate::memory::storage::Room;
use crate::raw::book::{Book, RewindBook};
use crate::raw::inline::Inline;
use crate::raw::packed::Packed;
use crate::raw::rows::{Contiguous, Paged, Rooms, Row, Rows, Whole};
use crate::raw::slots::{ErasedSlots, GenerationOf, Growth, InMemory, SlotStore, stored_at};
use crate::raw::split::{Apart, Recycling, SplitStore};
use crate::raw::store::{Layout, Store};
use crate::room::{copy, reserve_exact};
use crate::snapshot::Plain;
use crate::snapshot::error::Kind;
use crate::snapshot::format::{Element, Mode, Sink, Source, StoredArray, refused};

/// Rows as elements: the value, its generation, and zeros where there is padding.
fn rows<T: Plain, K: Key>() -> Element {
    let name = Element::of::<T>().name;
    Element { name, size: size_of::<Row<T, K>>(), align: align_of::<Row<T, K>>() }
}

impl<T: Plain, K: Key, S: Rooms<T, K>, B: RewindBook> Rows<T, K, S, B> {
    pub(crate) fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        write_slots(self, to)?;
        let (size, slots) = (size_of::<Row<T, K>>(), self.book().slots());
        to.array("rows", rows::<T, K>(), slots, 0, &mut |range, bytes| {
            for word in range.start / WORD..range.end.div_ceil(WORD) {
                let live = self.book().live_word(word);
                let slots = word * WORD..range.end.min((word + 1) * WORD);
                let rows =
                    bytes[(slots.start - range.start) * size..].chunks_exact_mut(size.max(1));
                for (slot, bytes) in slots.zip(rows) {
                    let is_live = live >> (slot % WORD) & 1 == 1;
                    // SAFETY: (1) the slot is in use; (2) the bytes are a row's.
                    unsafe {
                        write_row(
                            self.layout().room().at(slot),
                            is_live,
                            NonNull::from(bytes).cast(),
                        )
                    };
                }
            }
        })
    }

    /// Reads the rows of a container that has room for them, and lets the book know of them.
    fn read_rows(&mut self, saved: &SavedSlots<K>, from: &mut Source<'_>) -> Result<(), Kind> {
        let (size, found) = (size_of::<Row<T, K>>(), Self::find_rows(saved, from)?);
        if is_void::<T>() && saved.live.iter().any(|&word| word != 0) {
            return Err(NO_VALUE);
        }
        assert!(self.layout().capacity() >= saved.slots, "there is room for all rows");
        // SAFETY: rows are only written, and the room stays as large. What is written is initialised before the book
        // learns of any slot, below.
        let room = unsafe { self.layout_mut().room_mut() };
        // SAFETY: (1) there is room for the rows; (2) if memory is reserved, they have theirs to themselves. (No
        // address is asked for if there are no rows.)
        let mapped = saved.slots > 0 && unsafe { map(from.mode, found, room.at_mut(0).cast()) };
        if !mapped {
            from.read(found, |range, bytes| {
                for (slot, bytes) in range.zip(bytes.chunks_exact(size)) {
                    // SAFETY: there is room for the slot, and the bytes are those of a row; they are then
                    // initialised, and so is the generation, which is a number.
                    let (is_value, generation) = unsafe {
                        let row = room.at_mut(slot);
                        row.cast()
                            .copy_from_nonoverlapping(NonNull::from(bytes).cast::<u8>(), size);
                        (are_values::<T>(row.cast(), 1), (*row.as_ptr()).generation)
                    };
                    if !saved.allows(slot, generation) {
                        return Err(WRONG_GENERATION);
                    }
                    if !is_value && saved.is_live(slot) {
                        return Err(NO_VALUE);
                    }
                }
                Ok(())
            })?;
        }
        // SAFETY: (1) there is room; (2) all rows were read; of those that were mapped instead, any bytes are one.
        unsafe { saved.settle(self) }
    }

    /// The array of rows, before memory is asked for.
    fn find_rows<'a>(saved: &SavedSlots<K>, from: &Source<'a>) -> Result<&'a StoredArray, Kind> {
        from.find_all("rows", &rows::<T, K>(), saved.slots)
    }
}

/// Writes a row: zeros where nothing is initialised.
///
/// # Safety
/// 1. The row has its generation, and its value if it is live.
/// 2. There is room for one.
#[inline(always)]
unsafe fn write_row<T: NoUninit, K: Key>(row: NonNull<Row<T, K>>, is_live: bool, to: NonNull<u8>) {
    let (value, at) = (size_of::<T>(), offset_of!(Row<T, K>, generation));
    let end = at + size_of::<GenerationOf<K>>();
    // SAFETY: no byte of a value or of a generation, which is a number, is uninitialised; they lie in the
    // row, with nothing but padding between and behind them.
    unsafe {
        if is_live {
            to.copy_from_nonoverlapping(row.cast(), value);
        } else {
            to.write_bytes(0, value);
        }
        to.add(value).write_bytes(0, at - value);
        to.add(at).copy_from_nonoverlapping(row.cast::<u8>().add(at), size_of::<GenerationOf<K>>());
        to.add(end).write_bytes(0, size_of::<Row<T, K>>() - end);
    }
}

impl<T: Plain, K: Key> Rows<T, K, Contiguous<T, K>> {
    pub(crate) fn read_block(from: &mut Source<'_>) -> Result<Self, Kind> {
        let saved = SavedSlots::<K>::read(from)?;
        Self::find_rows(&saved, from)?;
        let mut rows: Self = saved.make(saved.slots, from.mode)?;
        rows.read_rows(&saved, from)?;
        Ok(rows)
    }
}

impl<T: Plain, K: Key> Rows<T, K, Paged<T, K>> {
    /// In blocks of the usual size, of the allocator.
    pub(crate) fn read_paged(from: &mut Source<'_>) -> Result<Self, Kind> {
        from.mode = Mode::Read;
        let saved = SavedSlots::<K>::read(from)?;
        Self::find_rows(&saved, from)?;
        let mut rows = Self::new(saved.reuse).furnish(saved.slots, Growth::Moves)?;
        rows.read_rows(&saved, from)?;
        Ok(rows)
    }
}

impl<T: Plain, K: Key, const N: usize> Inline<T, K, N> {
    /// Inside their owner: nothing is mapped to there.
    pub(crate) fn read_inside(from: &mut Source<'_>) -> Result<Self, Kind> {
        from.mode = Mode::Read;
        let saved = SavedSlots::<K>::read(from)?;
        let mut rows = Self::inside();
        rows.layout().check(saved.slots)?;
        rows.read_rows(&saved, from)?;
        Ok(rows)
    }
}

impl<T, K: Key, L: Layout<T, K>> Store<T, K, L> {
    /// Writes values that lie apart from generations: those of `split`, which are this store's.
    ///
    /// # Safety
    /// `split` is the layout, or in it.
    unsafe fn write_apart<S: Columnar<T>>(
        &self,
        split: &Apart<T, K, S>,
        to: &mut Sink<'_>,
    ) -> io::Result<()> {
        write_slots(self, to)?;
        let slots = self.book().slots();
        let made = if S::SPARE { split.made() } else { slots };
        to.number("made", made as u64)?;
        // SAFETY: at least that many values are initialised; and so are the generations of slots in use.
        unsafe {
            for column in split.values().columns().map_err(refused)? {
                column.write(made, to)?;
            }
            generations::<K>(split.generations().start()).write(slots, to)
        }
    }
}

impl<T: Plain, K: Key> Store<T, K, Whole<Recycling<T, K>>> {
    pub(crate) fn write_pool(&self, to: &mut Sink<'_>) -> io::Result<()> {
        // SAFETY: they are in the layout.
        unsafe { self.write_apart(self.layout().room().split(), to) }
    }
}

impl<T, K: Key, S: Columnar<T>> SplitStore<T, K, S> {
    pub(crate) fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        // SAFETY: it is the layout.
        unsafe { self.write_apart(self.layout(), to) }
    }

    pub(crate) fn read_split(from: &mut Source<'_>) -> Result<Self, Kind>
    where
        Self: InMemory<K>,
    {
        let saved = SavedSlots::<K>::read(from)?;
        // (Values without a size are not counted by the length of the file.)
        let made = if S::VALUE == 0 { saved.slots } else { from.size("made")? };
        if made < saved.slots {
            return Err(Source::invalid("there are fewer values than slots"));
        }
        // (Before memory is asked for, the file has to have that many.)
        let described = S::EMPTY.columns()?;
        for Column { name, element, .. } in &described {
            from.find_all(name, element, made)?;
        }
        let mut stock: Self = saved.make(made, from.mode)?;
        // SAFETY: to begin: (1) there is room for these values, (2) none of which is there. To read: (1) so there is, and
        // for as many generations, (2) in blocks of their own. To settle: (1) so there is room for the slots; (2) all
        // values and generations were read.
        unsafe {
            let layout = stock.layout_mut();
            layout.values_mut().begin(made);
            for column in layout.values().columns()? {
                column.read(made, from, |_| Ok(()))?;
            }
            layout.set_made(made);
            saved.read_generations(from, layout.generations().start())?;
            saved.settle(&mut stock)?;
        }
        Ok(stock)
    }
}

impl<T, K: Key, S: Columnar<T>> Packed<T, K, S> {
    pub(crate) fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        write_slots(self, to)?;
        let book = &self.ledger().book;
        let stored = |slot| match book.is_live(slot) {
            true => Generation::RETIRED,
            false => stored_at(self, slot),
        };
        let mut all: Vec<GenerationOf<K>> = Vec::new();
        reserve_exact(&mut all, book.slots()).map_err(refused)?;
        all.extend((0..book.slots()).map(stored));
        for key in self.keys() {
            all[key.slot() as usize] = key.generation();
        }
        // SAFETY: as many values are initialised as there are keys, and the generations of all slots.
        unsafe {
            for column in self.storage().columns().map_err(refused)? {
                column.write(self.len(), to)?;
            }
            to.each("order", self.keys().iter().map(|key| key.slot()))?;
            generations::<K>(NonNull::from(&mut all[..]).cast()).write(all.len(), to)
        }
    }

    pub(crate) fn read(from: &mut Source<'_>) -> Result<Self, Kind>
    where
        Self: InMemory<K>,
    {
        let (saved, order) = (SavedSlots::<K>::read(from)?, from.slice::<u32>("order")?);
        for Column { name, element, .. } in S::EMPTY.columns()? {
            from.find_all(&name, &element, order.len())?;
        }
        // (The file has the values of live slots, but there is room for those of detached ones and of
        // those at hand, too.)
        let row = S::VALUE + size_of::<K>();
        let length = saved.bytes() + order.len() * row;
        let positions = saved.positions(order.len());
        Kind::check_room(saved.slots, positions.saturating_mul(row), order.len(), length)?;
        // (These are not mapped: keys are checked, whatever is done with the values.)
        let mode = core::mem::replace(&mut from.mode, Mode::Read);
        let mut generations = Vec::new();
        reserve_exact(&mut generations, saved.slots)?;
        generations.resize(saved.slots, GenerationOf::<K>::RETIRED);
        // SAFETY: (1) there is room for them; (2) nothing is mapped there.
        unsafe { saved.read_generations(from, NonNull::from(&mut generations[..]).cast()) }?;
        from.mode = mode;
        let mut missing = copy(&saved.live)?;
        for &slot in &order {
            let slot = slot as usize;
            let word = missing.get_mut(slot / WORD).filter(|word| **word >> (slot % WORD) & 1 == 1);
            *word.ok_or(WRONG_ORDER)? &= !(1 << (slot % WORD));
        }
        if missing.iter().any(|&word| word != 0) {
            return Err(WRONG_ORDER);
        }
        let mut packed: Self = saved.make(0, from.mode)?;
        packed.furnish_with(saved.slots, positions)?;
        // SAFETY: to begin: (1) there is room for these values, (2) none of which is there. To read: (1) so there is, (2)
        // in blocks of their own. Every slot has a cell. To set a key: (1) as to begin, (2) its slot is about to be in
        // use. To set the length: (1) as many values were read, and keys set, (2) with their cells. To settle: (1) there
        // is room for the slots; (2) the cells of those that are live lead to their key, and others have a generation.
        unsafe {
            packed.storage_mut().begin(order.len());
            for column in packed.storage().columns()? {
                column.read(order.len(), from, |_| Ok(()))?;
            }
            for (slot, generation) in generations.iter().enumerate() {
                packed.store(slot, *generation);
            }
            for (position, &slot) in order.iter().enumerate() {
                packed.set_key(position, K::compose(slot, generations[slot as usize]));
            }
            packed.set_len(order.len());
            saved.settle(&mut packed)?;
        }
        Ok(packed)
    }
}

const WRONG_ORDER: Kind = Kind::Invalid { what: "the order of values does not fit the live slots" };

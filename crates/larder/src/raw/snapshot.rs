//! What containers consist of, written to a snapshot and read from one; and containers whose values are a file's.
//!
//! A container is read into memory of its own, which was made for it as for any other; only then does its book learn of
//! the slots. So a container that is not whole is never seen, and whatever goes wrong, its memory is returned. Values are
//! plain data, so nothing has to be dropped.
//!
//! **Invariant** of a [`Column`]: where it was made for elements, each of them has a place of its own in memory that the
//! container owns, and which is borrowed as long as the column is used.

#![expect(unnameable_types, reason = "what bounds of containers are made of")]

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem::offset_of;
use core::ops::Range;
use core::ptr::NonNull;
use std::io;

use bytemuck::{AnyBitPattern, CheckedBitPattern, NoUninit};

use crate::key::Key;
use crate::raw::buffer::Buffer;
use crate::raw::columns::Columns;
use crate::raw::columns::arrange::{Arrange, Arrangement};
use crate::raw::columns::shape::{Leaf, Nest, Pair, Shape};
use crate::raw::generation::{Generation, Mark};
use crate::raw::memory::Memory;
use crate::raw::occupancy::{Occupancy, WORD};
use crate::raw::packed::Packed;
use crate::raw::pool::{Split, Stock};
use crate::raw::rows::{Contiguous, Paged, Rooms, Row, RowOf, Rows};
use crate::raw::slots::{
    ErasedSlots, GenerationOf, Growth, InMemory, MarkOf, Slots, check_slots, most_slots,
};
use crate::raw::storage::Storage;
use crate::raw::sys;
use crate::snapshot::error::Kind;
use crate::snapshot::format::{Element, LARGE, Mode, PAGE, Sink, Source};
use crate::snapshot::{Map, Mapped, Plain, Snapshot, SnapshotError};
use crate::soa::Soa;
use crate::stats::Reuse;

/// Where the elements of an array lie: side by side in groups, or all in one.
pub(crate) struct Column {
    name: String,
    element: Element,
    start: NonNull<u8>,
    /// How many elements a group has.
    lanes: usize,
    /// From one group to the next.
    stride: usize,
    /// Where it begins in reserved memory, counted from a page.
    phase: usize,
    are_values: unsafe fn(NonNull<u8>, usize) -> bool,
}

/// Whether the bytes of so many elements are values.
///
/// # Safety
/// They are initialised, side by side, and aligned.
unsafe fn are_values<T: CheckedBitPattern>(first: NonNull<u8>, count: usize) -> bool {
    // SAFETY: bits are what has the layout of a value, whatever the bytes.
    let bits = unsafe { core::slice::from_raw_parts(first.cast::<T::Bits>().as_ptr(), count) };
    bits.iter().all(T::is_valid_bit_pattern)
}

impl Column {
    fn of<T: Plain>(name: String, start: NonNull<u8>) -> Self {
        Self {
            name,
            element: Element::of::<T>(),
            start,
            lanes: usize::MAX,
            stride: 0,
            phase: 0,
            are_values: are_values::<T>,
        }
    }

    /// The elements of a range, piece by piece: where they lie, and how many are side by side.
    ///
    /// # Safety
    /// The column was made for them.
    unsafe fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = (NonNull<u8>, usize)> {
        let mut at = range.start;
        core::iter::from_fn(move || {
            let inside = at % self.lanes;
            let count = (range.end - at).min(self.lanes - inside);
            // SAFETY: the group is there, and the element in it.
            let first = unsafe {
                self.start.add(at / self.lanes * self.stride + inside * self.element.size)
            };
            at += count;
            (count > 0).then_some((first, count))
        })
    }

    /// # Safety
    /// The column was made for `count` elements, all initialised.
    unsafe fn write(&self, count: usize, to: &mut Sink<'_>) -> io::Result<()> {
        let size = self.element.size;
        to.array(&self.name, self.element.clone(), count, self.phase, |range, bytes| {
            let mut at = NonNull::from(bytes).cast::<u8>();
            // SAFETY: the bytes have room for the range, whose elements have no bytes that are not
            // initialised.
            unsafe {
                for (first, count) in self.pieces(range) {
                    at.copy_from_nonoverlapping(first, count * size);
                    at = at.add(count * size);
                }
            }
        })
    }

    /// # Safety
    /// The column was made for `count` elements, and nothing else is in the pages of memory that it lies in, if they are
    /// reserved.
    unsafe fn read(&self, count: usize, from: &mut Source<'_>) -> Result<(), Kind> {
        let found = from.find(&self.name, &self.element)?;
        if found.count != count {
            return Err(Source::invalid("there are more or fewer values than there should be"));
        }
        if self.lanes == usize::MAX {
            // SAFETY: by the contract; without groups all elements are in one piece.
            let is_mapped = unsafe { map(from.mode, found.offset, self.start, found.bytes()) };
            if is_mapped {
                return Ok(());
            }
        }
        let size = self.element.size;
        from.read(found, |range, bytes| {
            let mut at = NonNull::from(bytes).cast::<u8>();
            // SAFETY: there is room for the elements, and that many bytes; once they are there, they are
            // initialised and aligned.
            unsafe {
                for (first, count) in self.pieces(range) {
                    first.copy_from_nonoverlapping(at, count * size);
                    at = at.add(count * size);
                    if !(self.are_values)(first, count) {
                        return Err(Source::invalid("a value is none of its type"));
                    }
                }
            }
            Ok(())
        })
    }
}

/// Has the system map bytes of a file to where they are to be, where it can. Says whether it did.
///
/// # Safety
/// If memory is reserved for a mapped container: so many bytes from `first` on are committed, and nothing else is in
/// their pages.
unsafe fn map(mode: Mode<'_>, offset: u64, first: NonNull<u8>, bytes: usize) -> bool {
    let Mode::Map { file, writable, .. } = mode else { return false };
    let before = first.addr().get() % PAGE;
    if bytes < LARGE || offset % PAGE as u64 != before as u64 {
        return false;
    }
    let length = (before + bytes).next_multiple_of(PAGE);
    // SAFETY: these are the pages of the array, which is committed in multiples of them.
    unsafe { sys::map_file(file, offset - before as u64, first.sub(before), length, writable) }
}

/// Room for values that can be saved.
///
/// # Safety
/// A column was made for every value that there is room for, and what it is written and read as is the value's.
pub(crate) unsafe trait Columnar<T>: Storage<T> {
    /// What is done before values are read.
    ///
    /// # Safety
    /// There is room for so many values, and none yet.
    unsafe fn begin(&mut self, count: usize);

    fn columns(&self) -> Vec<Column>;
}

// SAFETY: values lie side by side.
unsafe impl<T: Plain> Columnar<T> for Buffer<T> {
    unsafe fn begin(&mut self, _count: usize) {}

    fn columns(&self) -> Vec<Column> {
        alloc::vec![Column::of::<T>("values".to_string(), self.start().cast())]
    }
}

/// A shape whose fields are plain data. Sealed.
///
/// # Safety
/// A column is described for each address of `starts`, in their order, as the type that lies there.
#[doc(hidden)]
pub unsafe trait PlainShape: Shape {
    fn describe(starts: Self::Starts, names: &mut Names<'_>);
}

/// The columns of a shape, of which some have been described.
pub struct Names<'a> {
    columns: &'a mut Vec<Column>,
    prefix: String,
    /// The names of the fields of the type that is described.
    fields: &'static [&'static str],
    next: usize,
}

impl core::fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Names").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl Names<'_> {
    /// The name of the next field: that of its type, or its number.
    fn next(&mut self) -> String {
        let (prefix, number) = (&self.prefix, self.next);
        self.next += 1;
        match self.fields.get(number) {
            Some(name) => alloc::format!("{prefix}{name}"),
            None => alloc::format!("{prefix}{number}"),
        }
    }
}

// SAFETY: one column, which holds `T`.
unsafe impl<T: Plain, const ALIGN: usize> PlainShape for Leaf<T, ALIGN> {
    fn describe(starts: NonNull<u8>, names: &mut Names<'_>) {
        let name = names.next();
        names.columns.push(Column::of::<T>(name, starts));
    }
}

// SAFETY: the columns of both, in their order.
unsafe impl<X: PlainShape, Y: PlainShape> PlainShape for Pair<X, Y> {
    fn describe(starts: Self::Starts, names: &mut Names<'_>) {
        X::describe(starts.0, names);
        Y::describe(starts.1, names);
    }
}

// SAFETY: the columns are those of the other type.
unsafe impl<S: Soa<Shape: PlainShape>> PlainShape for Nest<S> {
    fn describe(starts: Self::Starts, names: &mut Names<'_>) {
        let prefix = alloc::format!("{}.", names.next());
        let columns = &mut *names.columns;
        S::Shape::describe(starts, &mut Names { columns, prefix, fields: S::NAMES, next: 0 });
    }
}

/// A shape whose fields are any bytes. Sealed.
#[doc(hidden)]
pub trait AnyShape: PlainShape {}

impl<T: Plain + AnyBitPattern, const ALIGN: usize> AnyShape for Leaf<T, ALIGN> {}
impl<X: AnyShape, Y: AnyShape> AnyShape for Pair<X, Y> {}
impl<S: Soa<Shape: AnyShape>> AnyShape for Nest<S> {}

// SAFETY: what the shape describes lies where the columns begin, in one piece each or in groups.
unsafe impl<T: Soa<Shape: PlainShape>> Columnar<T> for Columns<T> {
    unsafe fn begin(&mut self, count: usize) {
        let lanes = <T::Arrangement as Arrangement<T>>::Arrange::LANES;
        for first in (0..if lanes > 0 { count } else { 0 }).step_by(lanes.max(1)) {
            // SAFETY: there is room for a group with one of the values; it has none.
            unsafe { T::Arrangement::begin(self.starts(), first) };
        }
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns = Vec::new();
        let (prefix, fields) = (String::new(), T::NAMES);
        T::Shape::describe(
            self.starts(),
            &mut Names { columns: &mut columns, prefix, fields, next: 0 },
        );
        let lanes = <T::Arrangement as Arrangement<T>>::Arrange::LANES;
        for (column, phase) in columns.iter_mut().zip(T::Shape::TREE.phases()) {
            column.phase = phase;
            if lanes > 0 {
                (column.lanes, column.stride) = (lanes, T::Shape::TREE.group(lanes).1);
            }
        }
        columns
    }
}

/// What a book says, in a file.
struct Saved<K: Key> {
    slots: usize,
    live: Vec<u64>,
    /// A word for each of the others, or none at all.
    taken: Vec<u64>,
    free: Vec<u32>,
    cursor: usize,
    mark: MarkOf<K>,
    reuse: Reuse,
}

/// The numbers that say how the keys of a type are laid out.
fn key_layout<K: Key>() -> [(&'static str, u64); 3] {
    [
        ("bytes", size_of::<K>() as u64),
        ("slots at most", K::MAX_SLOTS.into()),
        ("bytes of a generation", size_of::<GenerationOf<K>>() as u64),
    ]
}

pub(crate) fn write_keys<K: Key>(to: &mut Sink<'_>) {
    key_layout::<K>().into_iter().for_each(|(what, number)| to.number(what, number));
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
fn write_slots<K: Key, C: Slots<K, Book = Occupancy>>(
    container: &C,
    to: &mut Sink<'_>,
) -> io::Result<()> {
    let (ledger, words) = (container.ledger(), container.ledger().book.slots().div_ceil(WORD));
    let book = &ledger.book;
    write_keys::<K>(to);
    to.number("slots", book.slots() as u64);
    to.number("reuse", book.reuse() as u64);
    to.number("mark", ledger.mark.to_u64());
    to.number("cursor", book.cursor() as u64);
    // SAFETY: these words begin below `slots`.
    let live: Vec<u64> = (0..words).map(|word| unsafe { book.live_word(word) }).collect();
    to.slice("live", &live)?;
    let any = book.detached() + book.retired() > 0;
    let taken: Vec<u64> =
        (0..if any { words } else { 0 }).map(|word| book.taken_word(word)).collect();
    to.slice("taken", &taken)?;
    to.slice("free", &book.free_order().collect::<Vec<_>>())
}

impl<K: Key> Saved<K> {
    fn read(from: &mut Source<'_>) -> Result<Self, Kind> {
        check_keys::<K>(from)?;
        let slots = from.size("slots")?;
        let reuse = match from.number("reuse")? {
            0 => Reuse::Packed,
            1 => Reuse::Lifo,
            2 => Reuse::Fifo,
            _ => return Err(Source::invalid("there is no such order of reuse")),
        };
        let mark = MarkOf::<K>::from_u64(from.number("mark")?);
        let mark = mark.ok_or(Source::invalid("no container has that mark"))?;
        let cursor = from.size("cursor")?;
        let (live, taken, free) = (from.slice("live")?, from.slice("taken")?, from.slice("free")?);
        let words = slots.div_ceil(WORD);
        if slots > most_slots::<K>() || live.len() != words || ![0, words].contains(&taken.len()) {
            return Err(Source::invalid("there are more or fewer bits than slots"));
        }
        Ok(Self { slots, live, taken, free, cursor, mark, reuse })
    }

    fn is_live(&self, slot: usize) -> bool {
        self.live[slot / WORD] >> (slot % WORD) & 1 == 1
    }

    /// Whether a slot, which is in use, can have this generation.
    #[inline]
    fn allows(&self, slot: usize, generation: GenerationOf<K>) -> bool {
        let is_live = |generation: GenerationOf<K>| {
            let number = generation.to_u64();
            self.mark.covers(number) && GenerationOf::<K>::live_from_u64(number).is_some()
        };
        if self.is_live(slot) {
            return is_live(generation);
        }
        let word = self.taken.get(slot / WORD).copied().unwrap_or(0);
        if word >> (slot % WORD) & 1 == 0 {
            return GenerationOf::<K>::free_from_u64(generation.to_u64()).is_some();
        }
        if !GenerationOf::<K>::VERSIONED || generation == GenerationOf::<K>::RETIRED {
            return true;
        }
        let awaited = generation.awaited();
        is_live(awaited) && awaited.parked() == generation
    }

    /// An empty container with room for so many slots.
    fn make<C: InMemory<K>>(&self, slots: usize, mode: Mode<'_>) -> Result<C, Kind> {
        check_slots(slots, most_slots::<K>())?;
        let (memory, growth) = match mode {
            Mode::Read => (Memory::Heap { huge: true }, Growth::Moves),
            Mode::Map { max, writable, .. } => {
                let max = max.max(slots);
                check_slots(max, most_slots::<K>())?;
                let growth =
                    if writable { Growth::Reserved { max: max as u32 } } else { Growth::Mapped };
                (Memory::Reserved { max, huge: false, ahead: false }, growth)
            }
        };
        Ok(C::within(self.reuse, memory)?.furnish(slots, growth)?)
    }

    /// Tells the book of an empty container what its slots are.
    ///
    /// # Safety
    /// The container has room for all slots. Each has its generation initialised, and its value where a live slot of
    /// such a container has one.
    unsafe fn settle<C: Slots<K, Book = Occupancy>>(&self, container: &mut C) -> Result<(), Kind> {
        container.ledger_mut().mark = self.mark;
        let book = &mut container.ledger_mut().book;
        // (A slot in its last generation needs a place there.)
        book.prepare_taken()?;
        // SAFETY: the book covers as many slots as there is room for, and had none; they are what it
        // learns before anything can look.
        let right = unsafe {
            book.append_many(self.slots);
            book.restore_bits(&self.live, &self.taken)
        };
        if !right {
            return Err(Source::invalid("a slot is two things at once, or none"));
        }
        let retired = |&slot: &usize| !container.erased().is_detached(slot);
        let retired = container.ledger().book.taken_slots().filter(retired).count();
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
    /// There is room for them, and nothing else in the pages that they lie in, if they are reserved.
    unsafe fn read_generations(
        &self,
        from: &mut Source<'_>,
        start: NonNull<GenerationOf<K>>,
    ) -> Result<(), Kind> {
        let size = size_of::<GenerationOf<K>>();
        let found = from.find("generations", &generations::<K>())?;
        if found.count != self.slots {
            return Err(Source::invalid("there are more or fewer generations than slots"));
        }
        // SAFETY: by the contract.
        if unsafe { map(from.mode, found.offset, start.cast(), found.bytes()) } {
            return Ok(());
        }
        from.read(found, |range, bytes| {
            for (slot, bytes) in range.zip(bytes.chunks_exact(size)) {
                // SAFETY: a generation is a number, so it is that of any bytes; there is room for it.
                let generation = unsafe {
                    let to = start.add(slot);
                    to.cast::<u8>().copy_from_nonoverlapping(NonNull::from(bytes).cast(), size);
                    to.read()
                };
                if !self.allows(slot, generation) {
                    return Err(WRONG_GENERATION);
                }
            }
            Ok(())
        })
    }
}

const WRONG_GENERATION: Kind = Kind::Invalid { what: "a slot cannot have that generation" };

/// Generations as elements: numbers, whatever their type is called.
fn generations<K: Key>() -> Element {
    let (size, align) = (size_of::<GenerationOf<K>>(), align_of::<GenerationOf<K>>());
    Element { name: "generation".to_string(), size, align }
}

/// Rows as elements: the value, its generation, and zeros where there is padding.
fn rows<T: Plain, K: Key>() -> Element {
    let name = Element::of::<T>().name;
    Element { name, size: size_of::<RowOf<T, K>>(), align: align_of::<RowOf<T, K>>() }
}

impl<T: Plain, K: Key, S: Rooms<RowOf<T, K>>> Rows<T, K, S> {
    pub(crate) fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        write_slots(self, to)?;
        let (size, slots) = (size_of::<RowOf<T, K>>(), self.book().slots());
        to.array("rows", rows::<T, K>(), slots, 0, |range, bytes| {
            for word in range.start / WORD..range.end.div_ceil(WORD) {
                // SAFETY: the word begins below `slots`.
                let live = unsafe { self.book().live_word(word) };
                let slots = word * WORD..range.end.min((word + 1) * WORD);
                let rows =
                    bytes[(slots.start - range.start) * size..].chunks_exact_mut(size.max(1));
                for (slot, bytes) in slots.zip(rows) {
                    let is_live = live >> (slot % WORD) & 1 == 1;
                    // SAFETY: the slot is in use; and the bytes are a row's.
                    unsafe {
                        write_row(self.layout.at(slot), is_live, NonNull::from(bytes).cast())
                    };
                }
            }
        })
    }

    /// Reads the rows of a container that has room for them, and lets the book know of them.
    fn read_rows(&mut self, saved: &Saved<K>, from: &mut Source<'_>) -> Result<(), Kind> {
        let (size, found) = (size_of::<RowOf<T, K>>(), from.find("rows", &rows::<T, K>())?);
        if found.count != saved.slots {
            return Err(Source::invalid("there are more or fewer rows than slots"));
        }
        debug_assert!(self.layout.capacity() >= saved.slots);
        // SAFETY: there is room for the rows. If memory is reserved, they have theirs to themselves. (Of
        // none, no address is asked for.)
        let mapped = saved.slots > 0
            && unsafe { map(from.mode, found.offset, self.layout.at(0).cast(), found.bytes()) };
        if !mapped {
            from.read(found, |range, bytes| {
                for (slot, bytes) in range.zip(bytes.chunks_exact(size)) {
                    // SAFETY: there is room for the slot, and the bytes are those of a row.
                    let row = unsafe {
                        let row = self.layout.at(slot);
                        row.copy_from_nonoverlapping(NonNull::from(bytes).cast(), 1);
                        row
                    };
                    // SAFETY: its bytes are initialised; so is its generation, which is a number.
                    let (is_value, generation) =
                        unsafe { (are_values::<T>(row.cast(), 1), (*row.as_ptr()).generation) };
                    if !saved.allows(slot, generation) {
                        return Err(WRONG_GENERATION);
                    }
                    if !is_value && saved.is_live(slot) {
                        return Err(Source::invalid("a value is none of its type"));
                    }
                }
                Ok(())
            })?;
        }
        // SAFETY: all rows were read; of those that were mapped instead, any bytes are one.
        unsafe { saved.settle(self) }
    }
}

/// Writes a row: zeros where nothing is initialised.
///
/// # Safety
/// The row has its generation, and its value if it is live; there is room for one.
#[inline(always)]
unsafe fn write_row<T: NoUninit, G>(row: NonNull<Row<T, G>>, is_live: bool, to: NonNull<u8>) {
    let (value, at) = (size_of::<T>(), offset_of!(Row<T, G>, generation));
    let end = at + size_of::<G>();
    // SAFETY: no byte of a value or of a generation, which is a number, is uninitialised; they lie in the
    // row, with nothing but padding between and behind them.
    unsafe {
        if is_live {
            to.copy_from_nonoverlapping(row.cast(), value);
        } else {
            to.write_bytes(0, value);
        }
        to.add(value).write_bytes(0, at - value);
        to.add(at).copy_from_nonoverlapping(row.cast::<u8>().add(at), size_of::<G>());
        to.add(end).write_bytes(0, size_of::<Row<T, G>>() - end);
    }
}

impl<T: Plain, K: Key> Rows<T, K, Contiguous<T, K>> {
    pub(crate) fn read_block(from: &mut Source<'_>) -> Result<Self, Kind> {
        let saved = Saved::<K>::read(from)?;
        from.find("rows", &rows::<T, K>())?;
        let mut rows: Self = saved.make(saved.slots, from.mode)?;
        rows.read_rows(&saved, from)?;
        Ok(rows)
    }
}

impl<T: Plain, K: Key> Rows<T, K, Paged<T, K>> {
    /// In blocks of the usual size, of the allocator.
    pub(crate) fn read_paged(from: &mut Source<'_>) -> Result<Self, Kind> {
        from.mode = Mode::Read;
        let saved = Saved::<K>::read(from)?;
        from.find("rows", &rows::<T, K>())?;
        let mut rows = Self::new(saved.reuse).furnish(saved.slots, Growth::Moves)?;
        rows.read_rows(&saved, from)?;
        Ok(rows)
    }
}

impl<T, K: Key, S: Columnar<T>> Stock<T, K, S> {
    pub(crate) fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        write_slots(self, to)?;
        let (slots, Split { values, generations: of, made, .. }) =
            (self.book().slots(), &self.layout);
        to.number("made", *made as u64);
        // SAFETY: so many values are initialised; and so are the generations of slots in use.
        unsafe {
            for column in values.columns() {
                column.write(*made, to)?;
            }
            write_generations::<K>(core::slice::from_raw_parts(of.start().as_ptr(), slots), to)
        }
    }

    pub(crate) fn read_split(from: &mut Source<'_>) -> Result<Self, Kind>
    where
        Self: InMemory<K>,
    {
        let saved = Saved::<K>::read(from)?;
        // (Values without a size are not counted by the length of the file.)
        let made = if S::VALUE == 0 { saved.slots } else { from.size("made")? };
        if made < saved.slots {
            return Err(Source::invalid("there are fewer values than slots"));
        }
        // (Before memory is asked for, the file has to have that many.)
        let described = S::EMPTY.columns();
        for Column { name, element, .. } in &described {
            if from.find(name, element)?.count != made {
                return Err(Source::invalid("there are more or fewer values than slots"));
            }
        }
        let mut stock: Self = saved.make(made, from.mode)?;
        // SAFETY: there is room for so many values, and for as many generations, in blocks of their own.
        unsafe {
            stock.layout.values.begin(made);
            for column in stock.layout.values.columns() {
                column.read(made, from)?;
            }
            stock.layout.made = made;
            saved.read_generations(from, stock.layout.generations.start())?;
            saved.settle(&mut stock)?;
        }
        Ok(stock)
    }
}

fn write_generations<K: Key>(all: &[GenerationOf<K>], to: &mut Sink<'_>) -> io::Result<()> {
    let bytes = core::ptr::from_ref(all).cast::<u8>();
    // SAFETY: generations are numbers, which have no padding.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, size_of_val(all)) };
    let size = size_of::<GenerationOf<K>>();
    to.array("generations", generations::<K>(), all.len(), 0, |range, chunk| {
        chunk.copy_from_slice(&bytes[range.start * size..range.end * size]);
    })
}

impl<T, K: Key, S: Columnar<T>> Packed<T, K, S> {
    pub(crate) fn write(&self, to: &mut Sink<'_>) -> io::Result<()> {
        write_slots(self, to)?;
        for column in self.values.columns() {
            // SAFETY: so many values are initialised.
            unsafe { column.write(self.len(), to) }?;
        }
        let book = &self.ledger().book;
        let stored = |slot| match book.is_live(slot) {
            true => Generation::RETIRED,
            // SAFETY: slots below `slots` are in use.
            false => unsafe { self.stored(slot) },
        };
        let mut generations: Vec<GenerationOf<K>> = (0..book.slots()).map(stored).collect();
        for key in self.keys() {
            generations[key.slot() as usize] = key.generation();
        }
        to.slice("order", &self.keys().iter().map(|key| key.slot()).collect::<Vec<_>>())?;
        write_generations::<K>(&generations, to)
    }

    pub(crate) fn read(from: &mut Source<'_>) -> Result<Self, Kind>
    where
        Self: InMemory<K>,
    {
        let (saved, order) = (Saved::<K>::read(from)?, from.slice::<u32>("order")?);
        for Column { name, element, .. } in S::EMPTY.columns() {
            if from.find(&name, &element)?.count != order.len() {
                return Err(Source::invalid("there are more or fewer values than keys"));
            }
        }
        // (These are not mapped: keys are checked, whatever is done with the values.)
        let mode = core::mem::replace(&mut from.mode, Mode::Read);
        let mut generations = Vec::new();
        let bytes = saved.slots.saturating_mul(size_of::<GenerationOf<K>>());
        let refused = |_| crate::TryReserveError::AllocRefused { bytes };
        generations.try_reserve_exact(saved.slots).map_err(refused)?;
        generations.resize(saved.slots, GenerationOf::<K>::RETIRED);
        // SAFETY: there is room for them.
        unsafe { saved.read_generations(from, NonNull::from(&mut generations[..]).cast()) }?;
        from.mode = mode;
        let mut missing = saved.live.clone();
        for &slot in &order {
            let slot = slot as usize;
            let word = missing.get_mut(slot / WORD).filter(|word| **word >> (slot % WORD) & 1 == 1);
            *word.ok_or(WRONG_ORDER)? &= !(1 << (slot % WORD));
        }
        if missing.iter().any(|&word| word != 0) || order.len() > saved.slots {
            return Err(WRONG_ORDER);
        }
        let mut packed: Self = saved.make(saved.slots, from.mode)?;
        // SAFETY: there is room for a value for every slot, and values have a block of their own. Every slot that
        // is live has one key, and the others have their generation.
        unsafe {
            packed.values.begin(order.len());
            for column in packed.values.columns() {
                column.read(order.len(), from)?;
            }
            for (slot, generation) in generations.iter().enumerate() {
                packed.set_cell(slot, generation.to_cell());
            }
            for (position, &slot) in order.iter().enumerate() {
                packed.set_key(position, K::compose(slot, generations[slot as usize]));
            }
            packed.len = order.len();
            saved.settle(&mut packed)?;
        }
        Ok(packed)
    }
}

const WRONG_ORDER: Kind = Kind::Invalid { what: "the order of values does not fit the live slots" };

/// Mapping.
impl Snapshot {
    /// Maps a section, to be read: `get`, walks and joins, without reading it whole (see [the module](crate::snapshot)).
    /// O(slots / 64).
    ///
    /// Whatever its bytes are, the container is safe to use; only [`verify`](Self::verify) says whether they are those
    /// that were saved. A clone of it is checked as if it were loaded, is of a fixed size, and panics if it is not
    /// whole.
    ///
    /// # Errors
    /// As [`load`](Self::load); but checksums are not verified.
    ///
    /// # Safety
    /// No program changes or truncates the file while it is mapped: what is borrowed would change. (Where it was
    /// truncated, the system ends the program with `SIGBUS` when a page beyond its end is touched.)
    /// [`Saver::save`](crate::snapshot::Saver::save) does neither: it replaces the file by another one, and what is
    /// mapped stays.
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    /// use larder::Arena;
    ///
    /// let path = std::env::temp_dir().join(format!("larder-map-{}", std::process::id()));
    /// let arena = Arena::from_iter(0..100_000_u64);
    /// Saver::new().section("numbers", &arena).save(&path)?;
    ///
    /// // SAFETY: no other program knows the file.
    /// let mapped = unsafe { Snapshot::open(&path)?.map::<Arena<u64>>("numbers")? };
    /// assert_eq!(mapped.get(arena.keys().next_back().unwrap()), Some(&99_999));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn map<C: Map>(&mut self, name: &str) -> Result<Mapped<C>, SnapshotError> {
        self.map_section(name, 0, false).map(Mapped)
    }

    /// Maps a section, to be read and changed: the container with all its methods. The file stays as it is: a page that
    /// is written to is copied. There is room for `max` values, or for all that were saved; it grows in place, as with
    /// [`reserved`](crate::Arena::reserved). O(slots / 64).
    ///
    /// # Errors
    /// As [`load`](Self::load); but checksums are not verified.
    ///
    /// # Safety
    /// 1. No program changes or truncates the file while it is mapped, as for [`map`](Self::map).
    /// 2. The file was written by a [`Saver`](crate::snapshot::Saver) and is undamaged. ([`verify`](Self::verify) finds
    ///    damage. A file of unknown origin is to be [loaded](Self::load).)
    ///
    /// # Examples
    /// ```
    /// use larder::snapshot::{Saver, Snapshot};
    /// use larder::Arena;
    ///
    /// let path = std::env::temp_dir().join(format!("larder-map-private-{}", std::process::id()));
    /// let arena = Arena::from_iter(0..100_000_u64);
    /// Saver::new().section("numbers", &arena).save(&path)?;
    ///
    /// // SAFETY: no other program knows the file, which was just saved.
    /// let mut mapped: Arena<u64> = unsafe { Snapshot::open(&path)?.map_private("numbers", 200_000)? };
    /// mapped.remove(arena.first_key().unwrap());
    /// mapped.insert(7);
    /// assert_eq!(Snapshot::open(&path)?.load::<Arena<u64>>("numbers")?.values().next(), Some(&0)); // as it was
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn map_private<C: Map>(
        &mut self,
        name: &str,
        max: usize,
    ) -> Result<C, SnapshotError> {
        self.map_section(name, max, true)
    }
}

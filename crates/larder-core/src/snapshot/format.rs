//! The bytes of a snapshot file: header, arrays, table. Their meaning is described in `docs/snapshot-format.md`.
//!
//! Everything that is read is bounded by what was read before it and by the length of the file; an array is
//! looked at only after its place was found to lie within the file.

#![expect(unnameable_types, reason = "what the traits of sections are written with")]

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::{fmt, mem};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::Plain;
use super::error::{Kind, SnapshotError};
use crate::error::TryReserveError;
use crate::memory::sys;
use crate::room::{reserve, reserve_exact};
use crate::scratch::{text, widen};

pub(super) const MAGIC: [u8; 8] = *b"larder\x1a\n";

/// The version that is written, and the only one that is read.
pub(super) const VERSION: u16 = 1;

/// The order of the bytes of a number in an array: that of the machine that wrote it.
pub(crate) const ORDER: u8 = if cfg!(target_endian = "little") { 1 } else { 2 };

const HEADER: usize = 64;

/// A page: large arrays begin at a multiple of this, so that they can be mapped.
pub(crate) const PAGE: usize = 4096;

/// Arrays of this many bytes and more are large.
pub(crate) const LARGE: usize = 64 << 10;

/// The alignment in the file of all other arrays.
const LINE: u64 = 64;

/// The number of bytes that are copied and checked at once: few enough to stay in a cache meanwhile.
const CHUNK: usize = 64 << 10;

/// The number of bytes that are written at once, from one multiple of this to the next, because the system has a cache
/// of pieces of that size for writes that begin at a multiple of it.
const PIECE: usize = 256 << 10;

/// The type of the elements of an array.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// The name of their type. (Modules do not count.)
    pub(crate) name: Cow<'static, str>,
    pub(crate) size: usize,
    pub(crate) align: usize,
}

impl Element {
    pub(crate) fn of<T>() -> Self {
        let name = core::any::type_name::<T>().into();
        Self { name, size: size_of::<T>(), align: align_of::<T>() }
    }

    /// The pieces of the name, without modules.
    #[inline]
    fn name(&self) -> impl Iterator<Item = &str> + Clone {
        let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_' && letter != ':';
        let pieces = self.name.split_inclusive(is_end);
        pieces.map(|path| path.rsplit("::").next().unwrap_or(path))
    }
}

impl PartialEq for Element {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (self.size, self.align) == (other.size, other.align)
            && self.name().flat_map(str::bytes).eq(other.name().flat_map(str::bytes))
    }
}

impl fmt::Display for Element {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        self.name().try_for_each(|piece| f.write_str(piece))?;
        write!(f, "` of {} bytes, aligned to {}", self.size, self.align)
    }
}

/// An array in the file.
#[derive(Clone, Debug)]
pub(crate) struct StoredArray {
    pub(crate) name: String,
    pub(crate) element: Element,
    pub(crate) count: usize,
    pub(crate) offset: u64,
    sum: u32,
}

impl StoredArray {
    /// Returns the number of its bytes; the table was refused if no file is so long.
    #[inline]
    pub(crate) const fn bytes(&self) -> usize {
        self.count * self.element.size
    }
}

/// A container in the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) kind: String,
    numbers: Vec<(String, u64)>,
    pub(crate) arrays: Vec<StoredArray>,
}

/// An output to which a snapshot is written.
pub(super) trait Medium: Write + Seek {}
impl<W: Write + Seek> Medium for W {}

/// Entries of a table, encoded, and how many they are.
#[derive(Default)]
struct Entries {
    count: u64,
    bytes: Vec<u8>,
}

impl Entries {
    #[inline]
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.try_reserve(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn number(&mut self, number: u64) -> io::Result<()> {
        self.append(&number.to_le_bytes())
    }

    fn text<'a>(
        &mut self,
        pieces: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
    ) -> io::Result<()> {
        let mut pieces = pieces.into_iter();
        let length: usize = pieces.clone().map(str::len).sum();
        self.append(&(length as u32).to_le_bytes())?;
        pieces.try_for_each(|piece| self.append(piece.as_bytes()))
    }

    /// Appends a list, which is empty then.
    #[inline]
    fn list(&mut self, list: &mut Self) -> io::Result<()> {
        self.number(mem::take(&mut list.count))?;
        self.append(&list.bytes)?;
        list.bytes.clear();
        Ok(())
    }
}

/// No memory for what is to be written.
#[inline]
pub(crate) fn refused(_: TryReserveError) -> io::Error {
    io::ErrorKind::OutOfMemory.into()
}

/// Takes what a container consists of.
pub struct Sink<'a> {
    to: &'a mut dyn Medium,
    /// The output, if it is a file, which is then given room for large arrays.
    file: Option<&'a File>,
    at: u64,
    /// The sections that have ended, and what comes first of the last one.
    sections: Entries,
    /// The numbers and the arrays of the last section.
    numbers: Entries,
    arrays: Entries,
    buffer: Vec<u8>,
}

impl fmt::Debug for Sink<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("at", &self.at).finish_non_exhaustive()
    }
}

impl<'a> Sink<'a> {
    /// Room for the header, which is written last: a file without one is no snapshot.
    #[inline]
    pub(super) fn new(to: &'a mut dyn Medium, file: Option<&'a File>) -> io::Result<Self> {
        to.write_all(&[0; HEADER])?;
        let [sections, numbers, arrays] = [(); 3].map(|()| Entries::default());
        Ok(Self { to, file, at: HEADER as u64, sections, numbers, arrays, buffer: Vec::new() })
    }

    #[inline]
    pub(super) fn begin(&mut self, name: &str, kind: &str) -> io::Result<()> {
        self.end()?;
        self.sections.count += 1;
        self.sections.text([name])?;
        self.sections.text([kind])
    }

    /// Ends the last section, if there is one.
    #[inline]
    fn end(&mut self) -> io::Result<()> {
        if self.sections.count > 0 {
            self.sections.list(&mut self.numbers)?;
            self.sections.list(&mut self.arrays)?;
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn number(&mut self, name: &str, value: u64) -> io::Result<()> {
        self.numbers.count += 1;
        self.numbers.text([name])?;
        self.numbers.number(value)
    }

    /// An array of numbers.
    pub(crate) fn slice<T: bytemuck::NoUninit>(&mut self, name: &str, of: &[T]) -> io::Result<()> {
        self.bytes(name, Element::of::<T>(), of.len(), 0, bytemuck::cast_slice(of))
    }

    /// An array of what an iterator yields, which is as many values as its clone counts.
    pub(crate) fn each<T: bytemuck::NoUninit>(
        &mut self,
        name: &str,
        values: impl Iterator<Item = T> + Clone,
    ) -> io::Result<()> {
        let (count, mut values, mut taken) = (values.clone().count(), values.fuse(), 0);
        self.array(name, Element::of::<T>(), count, 0, &mut |_, bytes| {
            for (bytes, value) in bytes.chunks_exact_mut(size_of::<T>()).zip(values.by_ref()) {
                bytes.copy_from_slice(bytemuck::bytes_of(&value));
                taken += 1;
            }
        })?;
        // (Values without bytes were not taken yet.)
        let left = count - taken;
        if values.take(left.saturating_add(1)).count() == left && (left == 0 || size_of::<T>() == 0)
        {
            return Ok(());
        }
        let what = text(format_args!(
            "`{name}` has more or fewer elements than a clone of its iterator counts"
        ));
        Err(io::Error::new(io::ErrorKind::InvalidData, what.map_err(refused)?))
    }

    /// An array that lies in one piece. If it is large it begins `phase` bytes after a multiple of a page.
    #[inline]
    pub(crate) fn bytes(
        &mut self,
        name: &str,
        element: Element,
        count: usize,
        phase: usize,
        of: &[u8],
    ) -> io::Result<()> {
        self.place(of.len(), phase)?;
        let mut sum = crc32fast::Hasher::new();
        let (first, rest) = of.split_at(of.len().min(PIECE - self.at as usize % PIECE));
        for piece in core::iter::once(first).chain(rest.chunks(PIECE)) {
            sum.update(piece);
            self.to.write_all(piece)?;
        }
        self.note(name, &element, count, sum)
    }

    /// Writes an array whose bytes `write` makes, range by range; it must fill each chunk. Otherwise like
    /// [`bytes`](Self::bytes). (It is compiled once for all types: a range is many elements.)
    #[inline]
    pub(crate) fn array(
        &mut self,
        name: &str,
        element: Element,
        count: usize,
        phase: usize,
        write: &mut dyn FnMut(core::ops::Range<usize>, &mut [u8]),
    ) -> io::Result<()> {
        let size = element.size;
        self.place(count * size, phase)?;
        let (mut sum, step) = (crc32fast::Hasher::new(), step(size));
        let most = (PIECE + step.min(count) * size).min(count * size);
        widen(&mut self.buffer, most).map_err(refused)?;
        let (mut at, mut held) = (self.at as usize % PIECE, 0);
        for first in (0..if size == 0 { 0 } else { count }).step_by(step) {
            let end = count.min(first + step);
            let chunk = &mut self.buffer[held..][..(end - first) * size];
            write(first..end, chunk);
            sum.update(chunk);
            held += chunk.len();
            let left = (at + held) % PIECE;
            if left < held {
                self.to.write_all(&self.buffer[..held - left])?;
                self.buffer.copy_within(held - left..held, 0);
                (at, held) = (0, left);
            }
        }
        self.to.write_all(&self.buffer[..held])?;
        self.note(name, &element, count, sum)
    }

    /// Goes on to the position at which an array of `bytes` bytes begins.
    #[inline]
    fn place(&mut self, bytes: usize, phase: usize) -> io::Result<()> {
        let begin = if bytes >= LARGE {
            (self.at.saturating_sub(phase as u64)).next_multiple_of(PAGE as u64) + phase as u64
        } else {
            self.at.next_multiple_of(LINE)
        };
        let gap = [0; 2 * PAGE];
        self.to.write_all(&gap[..(begin - self.at) as usize])?;
        self.at = begin;
        match self.file {
            Some(file) if bytes >= PIECE => sys::make_room(file, begin, bytes as u64),
            _ => Ok(()),
        }
    }

    #[inline]
    fn note(
        &mut self,
        name: &str,
        element: &Element,
        count: usize,
        sum: crc32fast::Hasher,
    ) -> io::Result<()> {
        let numbers = [element.size, element.align, count].map(|number| number as u64);
        let place = [self.at, sum.finalize().into()];
        self.at += (count * element.size) as u64;
        self.arrays.count += 1;
        self.arrays.text([name])?;
        self.arrays.text(element.name())?;
        numbers.into_iter().chain(place).try_for_each(|number| self.arrays.number(number))
    }

    /// Writes the table, and the header.
    #[inline]
    pub(super) fn finish(mut self, tag: u64) -> io::Result<()> {
        self.end()?;
        let mut table = Entries::default();
        table.list(&mut self.sections)?;
        let table = table.bytes;
        self.to.write_all(&table)?;
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..10].copy_from_slice(&VERSION.to_le_bytes());
        header[10] = ORDER;
        let numbers = [self.at + table.len() as u64, self.at, table.len() as u64, tag];
        header[16..48].copy_from_slice(numbers.map(u64::to_le_bytes).as_flattened());
        header[48..52].copy_from_slice(&crc32fast::hash(&table).to_le_bytes());
        let sum = crc32fast::hash(&header[..HEADER - 4]);
        header[HEADER - 4..].copy_from_slice(&sum.to_le_bytes());
        self.to.seek(SeekFrom::Start(0))?;
        self.to.write_all(&header)?;
        self.to.flush()
    }
}

/// Returns the number of elements of this size that are written and read at once: a multiple of 64, so whole words of
/// the book.
#[inline]
const fn step(size: usize) -> usize {
    match CHUNK.checked_div(size) {
        Some(fit) if fit >= 64 => fit / 64 * 64,
        _ => 64,
    }
}

/// Takes a table apart.
struct Decoder<'a> {
    rest: &'a [u8],
    /// Arrays end here at the latest.
    limit: u64,
    /// The number of bytes that the next arrays may have together. Arrays of a hostile file may overlap; this bound
    /// keeps the sum of their lengths below that of the file, so that reading them takes no longer than reading it.
    left: u64,
}

/// The table contradicts itself.
const TABLE: Kind = Kind::Damaged { what: "the table of sections" };

impl Decoder<'_> {
    #[inline]
    fn number(&mut self) -> Result<u64, Kind> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(TABLE)?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    #[inline]
    fn size(&mut self) -> Result<usize, Kind> {
        usize::try_from(self.number()?).map_err(|_| Kind::TooLarge)
    }

    #[inline]
    fn text(&mut self) -> Result<String, Kind> {
        let (length, rest) = self.rest.split_first_chunk().ok_or(TABLE)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (text, rest) = rest.split_at_checked(length).ok_or(TABLE)?;
        self.rest = rest;
        Ok(self::text(core::str::from_utf8(text).map_err(|_| TABLE)?)?)
    }

    /// Reads as many items as are announced, or returns an error before the bytes end.
    fn list<T>(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<T, Kind>,
    ) -> Result<Vec<T>, Kind> {
        let mut list = Vec::new();
        for _ in 0..self.number()? {
            let one = each(self)?;
            reserve(&mut list, 1)?;
            list.push(one);
        }
        Ok(list)
    }

    #[inline]
    fn array(&mut self) -> Result<StoredArray, Kind> {
        let (name, of) = (self.text()?, self.text()?);
        let (size, align, count) = (self.size()?, self.size()?, self.size()?);
        let (offset, sum) = (self.number()?, u32::try_from(self.number()?).map_err(|_| TABLE)?);
        let bytes = count.checked_mul(size).filter(|&bytes| isize::try_from(bytes).is_ok());
        let bytes = bytes.ok_or(Kind::TooLarge)?;
        let end = offset.checked_add(bytes as u64);
        if end.is_none_or(|end| end > self.limit) || offset < HEADER as u64 {
            return Err(TABLE);
        }
        self.left = self.left.checked_sub(bytes as u64).ok_or(TABLE)?;
        Ok(StoredArray {
            name,
            element: Element { name: of.into(), size, align },
            count,
            offset,
            sum,
        })
    }

    #[inline]
    fn section(&mut self) -> Result<Section, Kind> {
        Ok(Section {
            name: self.text()?,
            kind: self.text()?,
            numbers: self.list(|this| Ok((this.text()?, this.number()?)))?,
            arrays: self.list(Self::array)?,
        })
    }
}

/// Returns the contents of the header and the table. Nothing else is read.
pub(super) fn contents(from: &mut (impl Read + Seek)) -> Result<(u64, Vec<Section>), Kind> {
    let length = from.seek(SeekFrom::End(0))?;
    let mut header = [0; HEADER];
    from.seek(SeekFrom::Start(0))?;
    let held = length.min(HEADER as u64) as usize;
    from.read_exact(&mut header[..held])?;
    if header[..MAGIC.len()] != MAGIC {
        return Err(Kind::NotASnapshot);
    }
    let at = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().unwrap_or_default());
    if held < HEADER {
        return Err(Kind::Truncated { bytes: HEADER as u64, found: length });
    }
    let version = at(8) as u16;
    if version != VERSION {
        return Err(Kind::Version { found: version });
    }
    if u64::from(crc32fast::hash(&header[..HEADER - 4])) != at(HEADER - 8) >> 32 {
        return Err(Kind::Damaged { what: "the header" });
    }
    if header[10] != ORDER {
        return Err(Kind::ByteOrder);
    }
    let (bytes, begin, size, tag) = (at(16), at(24), at(32), at(40));
    if length < bytes {
        return Err(Kind::Truncated { bytes, found: length });
    }
    if begin < HEADER as u64 || begin.checked_add(size) != Some(bytes) {
        return Err(Kind::Damaged { what: "the header" });
    }
    let mut table = Vec::new();
    widen(&mut table, usize::try_from(size).map_err(|_| Kind::TooLarge)?)?;
    from.seek(SeekFrom::Start(begin))?;
    from.read_exact(&mut table)?;
    if u64::from(crc32fast::hash(&table)) != at(48) & 0xFFFF_FFFF {
        return Err(TABLE);
    }
    let mut decoder = Decoder { rest: &table, limit: begin, left: begin - HEADER as u64 };
    let sections = decoder.list(Decoder::section)?;
    if decoder.rest.is_empty() { Ok((tag, sections)) } else { Err(TABLE) }
}

/// The way in which large arrays come into memory.
#[derive(Clone, Copy)]
pub(crate) enum Mode<'a> {
    /// It is read and checked.
    Read,
    /// It is the file's, until it is written to, if that is allowed.
    Map { file: &'a File, max: usize, writable: bool },
}

/// An input from which a snapshot is read.
trait ReadSeek: Read + Seek {}
impl<R: Read + Seek> ReadSeek for R {}

/// Gives what a container consists of.
pub struct Source<'a> {
    from: &'a mut dyn ReadSeek,
    section: &'a Section,
    pub(crate) mode: Mode<'a>,
    buffer: Vec<u8>,
}

impl fmt::Debug for Source<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("section", &self.section.name).finish_non_exhaustive()
    }
}

impl<'a> Source<'a> {
    pub(super) fn new<R: Read + Seek>(
        from: &'a mut R,
        section: &'a Section,
        mode: Mode<'a>,
    ) -> Self {
        Self { from, section, mode, buffer: Vec::new() }
    }

    #[inline]
    pub(crate) fn invalid(what: &'static str) -> Kind {
        Kind::Invalid { what }
    }

    #[inline]
    pub(crate) fn number(&self, name: &'static str) -> Result<u64, Kind> {
        let found = self.section.numbers.iter().find(|(of, _)| of == name);
        found.map(|&(_, value)| value).ok_or_else(|| Kind::missing(name))
    }

    /// A number of elements.
    #[inline]
    pub(crate) fn size(&self, name: &'static str) -> Result<usize, Kind> {
        usize::try_from(self.number(name)?).map_err(|_| Kind::TooLarge)
    }

    /// The array of this name, whose elements are these.
    #[inline]
    pub(crate) fn find(&self, name: &str, element: &Element) -> Result<&'a StoredArray, Kind> {
        let found = self.section.arrays.iter().find(|array| array.name == name);
        let found = found.ok_or_else(|| Kind::missing(name))?;
        if found.element == *element {
            return Ok(found);
        }
        let (expected, found) = (text(element)?, text(&found.element)?);
        Err(Kind::Element { name: text(name)?, expected, found })
    }

    /// Finds an array with this number of elements. Otherwise like [`find`](Self::find).
    #[inline]
    pub(crate) fn find_all(
        &self,
        name: &str,
        element: &Element,
        count: usize,
    ) -> Result<&'a StoredArray, Kind> {
        let found = self.find(name, element)?;
        if found.count == count {
            return Ok(found);
        }
        Err(Self::invalid("there are more or fewer values than there should be"))
    }

    /// Has `take` take the bytes of an array, range by range; says at the end whether they were those that
    /// were saved.
    pub(crate) fn read(
        &mut self,
        array: &StoredArray,
        mut take: impl FnMut(core::ops::Range<usize>, &[u8]) -> Result<(), Kind>,
    ) -> Result<(), Kind> {
        let size = array.element.size;
        let (mut sum, step) = (crc32fast::Hasher::new(), step(size));
        widen(&mut self.buffer, step.min(array.count) * size)?;
        self.from.seek(SeekFrom::Start(array.offset))?;
        for first in (0..if size == 0 { 0 } else { array.count }).step_by(step) {
            let end = array.count.min(first + step);
            let chunk = &mut self.buffer[..(end - first) * size];
            self.from.read_exact(chunk)?;
            sum.update(chunk);
            take(first..end, chunk)?;
        }
        if sum.finalize() == array.sum {
            Ok(())
        } else {
            Err(Kind::Checksum { name: text(&array.name)? })
        }
    }

    /// Returns the number of elements of an array.
    #[inline]
    pub(crate) fn count(&self, name: &str) -> Result<usize, Kind> {
        let found = self.section.arrays.iter().find(|array| array.name == name);
        found.map(|array| array.count).ok_or_else(|| Kind::missing(name))
    }

    /// The whole of an array of numbers.
    pub(crate) fn slice<T: bytemuck::Pod>(&mut self, name: &str) -> Result<Vec<T>, Kind> {
        let count = self.find(name, &Element::of::<T>())?.count;
        self.values(name, count)
    }

    /// Reads the whole of an array of `count` values.
    pub(crate) fn values<T: Plain>(&mut self, name: &str, count: usize) -> Result<Vec<T>, Kind> {
        let array = self.find_all(name, &Element::of::<T>(), count)?;
        let mut values: Vec<T> = Vec::new();
        reserve_exact(&mut values, count)?;
        let value = |bytes: &[u8]| {
            let value = bytemuck::checked::try_pod_read_unaligned(bytes);
            value.map_err(|_| Self::invalid("a value has an invalid bit pattern"))
        };
        if size_of::<T>() == 0 {
            // (Not one by one: the file does not have to be long to say that there are 2⁶⁴.)
            let one = if count > 0 { Some(value(&[])?) } else { None };
            return Ok(one.as_slice().repeat(count));
        }
        self.read(array, |_, bytes| {
            for bytes in bytes.chunks_exact(size_of::<T>()) {
                values.push(value(bytes)?);
            }
            Ok(())
        })?;
        Ok(values)
    }
}

/// Reads an array, for its checksum.
pub(super) fn verify(
    from: &mut (impl Read + Seek),
    section: &Section,
) -> Result<(), SnapshotError> {
    let mut source = Source::new(from, section, Mode::Read);
    let result = section.arrays.iter().try_for_each(|array| source.read(array, |_, _| Ok(())));
    result.map_err(|kind| SnapshotError::of(&section.name, kind))
}

//! The parts of containers, written to a snapshot and read from one; and containers whose values are a file's.
//!
//! A container is read into memory of its own, which was made for it as for any other; only then does its book learn of
//! the slots. So a container that is not whole is never seen, and whatever goes wrong, its memory is
//! returned. Values are plain data, so nothing has to be dropped.
//!
//! **Invariant** of a [`Column`]: where it was made for elements, each of them has a place of its own in
//! memory that the container owns, and which is borrowed as long as the column is used.

#![allow(missing_debug_implementations, reason = "no user names them")]
#![expect(unnameable_types, reason = "what bounds of containers are made of")]

mod containers;
mod slots;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use core::ptr::NonNull;
use std::io;

use bytemuck::checked::try_pod_read_unaligned;
use bytemuck::{AnyBitPattern, CheckedBitPattern};

use crate::error::TryReserveError;
use crate::memory::buffer::Buffer;
use crate::memory::storage::Storage;
use crate::memory::sys;
use crate::room::{reserve, reserve_exact};
use crate::scratch::text;
use crate::snapshot::error::Kind;
use crate::snapshot::format::{Element, LARGE, Mode, PAGE, Sink, Source, StoredArray};
use crate::snapshot::{Map, Mapped, Plain, Snapshot, SnapshotError};
use crate::soa::Soa;
use crate::soa::raw::Columns;
use crate::soa::raw::arrange::Arrangement;
use crate::soa::raw::shape::{Arrange, Leaf, Nest, Pair, Shape};
pub(crate) use slots::{KEY_LAYOUT, check_keys, write_keys};

/// An array, whose elements lie side by side in groups, or all in one.
pub struct Column {
    name: Cow<'static, str>,
    element: Element,
    start: NonNull<u8>,
    /// The number of elements in a group.
    lanes: usize,
    /// The distance from one group to the next, in bytes.
    stride: usize,
    /// The position at which it begins in reserved memory, counted from a page.
    phase: usize,
    are_values: unsafe fn(NonNull<u8>, usize) -> bool,
    is_void: bool,
}

/// Returns whether a type without a size has no valid bit pattern. A file has no bytes of its values that could be
/// checked.
fn is_void<T: Plain>() -> bool {
    size_of::<T>() == 0 && try_pod_read_unaligned::<T>(&[]).is_err()
}

/// Returns whether the bytes of this many elements are values.
///
/// # Safety
/// They are initialised, aligned and side by side.
unsafe fn are_values<T: CheckedBitPattern>(first: NonNull<u8>, count: usize) -> bool {
    // SAFETY: bits are what has the layout of a value, whatever the bytes.
    let bits = unsafe { core::slice::from_raw_parts(first.cast::<T::Bits>().as_ptr(), count) };
    bits.iter().all(T::is_valid_bit_pattern)
}

impl Column {
    fn of<T: Plain>(name: Cow<'static, str>, start: NonNull<u8>) -> Self {
        let column = Self::of_numbers(name, Element::of::<T>(), start);
        Self { are_values: are_values::<T>, is_void: is_void::<T>(), ..column }
    }

    /// Elements of any bytes, in one piece.
    #[inline]
    fn of_numbers(name: Cow<'static, str>, element: Element, start: NonNull<u8>) -> Self {
        let (lanes, stride, phase, is_void) = (usize::MAX, 0, 0, false);
        Self { name, element, start, lanes, stride, phase, are_values: |_, _| true, is_void }
    }

    /// Returns the pieces of a range, each by its offset and the number of elements that lie side by side in it.
    #[inline]
    fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
        let mut at = range.start;
        core::iter::from_fn(move || {
            let inside = at % self.lanes;
            let count = (range.end - at).min(self.lanes - inside);
            let offset = at / self.lanes * self.stride + inside * self.element.size;
            at += count;
            (count > 0).then_some((offset, count))
        })
    }

    /// # Safety
    /// The column was made for `count` elements, all initialised.
    #[inline]
    unsafe fn write(&self, count: usize, to: &mut Sink<'_>) -> io::Result<()> {
        let (size, element) = (self.element.size, self.element.clone());
        if self.lanes == usize::MAX {
            // SAFETY: without groups all elements are in one piece, and none has a byte that is not
            // initialised.
            let bytes = unsafe { core::slice::from_raw_parts(self.start.as_ptr(), count * size) };
            return to.bytes(&self.name, element, count, self.phase, bytes);
        }
        to.array(&self.name, element, count, self.phase, &mut |range, bytes| {
            let mut at = NonNull::from(bytes).cast::<u8>();
            for (offset, count) in self.pieces(range) {
                // SAFETY: the bytes have room for the range, whose elements are there, and have no byte that is
                // not initialised.
                unsafe {
                    at.copy_from_nonoverlapping(self.start.add(offset), count * size);
                    at = at.add(count * size);
                }
            }
        })
    }

    /// Has `check` look at each range when it was read; what is mapped is not looked at.
    ///
    /// # Safety
    /// 1. The column was made for `count` elements.
    /// 2. Nothing else is in the pages of memory that it lies in, if they are reserved.
    unsafe fn read(
        &self,
        count: usize,
        from: &mut Source<'_>,
        mut check: impl FnMut(Range<usize>) -> Result<(), Kind>,
    ) -> Result<(), Kind> {
        let found = from.find_all(&self.name, &self.element, count)?;
        // SAFETY: (1) by (1) the column is committed, which is one piece without groups; (2) by (2).
        if self.lanes == usize::MAX && unsafe { map(from.mode, found, self.start) } {
            return Ok(());
        }
        let size = self.element.size;
        if self.is_void && count > 0 {
            return Err(NO_VALUE);
        }
        from.read(found, |range, bytes| {
            let mut at = NonNull::from(bytes).cast::<u8>();
            for (offset, count) in self.pieces(range.clone()) {
                // SAFETY: there is room for the elements, and that many bytes; once they are there, they are
                // initialised and aligned.
                let are_values = unsafe {
                    let first = self.start.add(offset);
                    first.copy_from_nonoverlapping(at, count * size);
                    at = at.add(count * size);
                    (self.are_values)(first, count)
                };
                if !are_values {
                    return Err(NO_VALUE);
                }
            }
            check(range)
        })
    }
}

const NO_VALUE: Kind = Kind::Invalid { what: "a value has an invalid bit pattern" };

/// Has the system map an array of a file to where it is to be, where it can. Says whether it did.
///
/// # Safety
/// If memory is reserved for a mapped container,
/// 1. as many bytes from `first` on are committed;
/// 2. nothing else is in their pages.
#[inline]
unsafe fn map(mode: Mode<'_>, array: &StoredArray, first: NonNull<u8>) -> bool {
    let Mode::Map { file, writable, .. } = mode else { return false };
    let (before, bytes, offset) = (first.addr().get() % PAGE, array.bytes(), array.offset);
    // (It may have been cut since it was opened: reading says so, where touching a page would end the program.)
    let is_whole = || file.metadata().is_ok_and(|now| now.len() >= offset + bytes as u64);
    if bytes < LARGE || offset % PAGE as u64 != before as u64 || !is_whole() {
        return false;
    }
    let length = (before + bytes).next_multiple_of(PAGE);
    // SAFETY: by (1) these are the pages of the array, which is committed in multiples of them; by (2) none of their
    // bytes is used.
    unsafe { sys::map_file(file, offset - before as u64, first.sub(before), length, writable) }
}

/// Room for values that can be saved.
///
/// # Safety
/// A column was made for every value that there is room for, and what it is written and read as is the value's.
pub unsafe trait Columnar<T>: Storage<T> {
    /// True if values past the slots in use, which may be there after a rollback, mean anything.
    const SPARE: bool;

    /// Prepares the storage before values are read.
    ///
    /// # Safety
    /// 1. There is room for `count` values.
    /// 2. There is none yet.
    unsafe fn begin(&mut self, count: usize);

    fn columns(&self) -> Result<Vec<Column>, TryReserveError>;
}

// SAFETY: values lie side by side.
unsafe impl<T: Plain> Columnar<T> for Buffer<T> {
    const SPARE: bool = true;

    unsafe fn begin(&mut self, _count: usize) {}

    fn columns(&self) -> Result<Vec<Column>, TryReserveError> {
        let mut columns = Vec::new();
        reserve_exact(&mut columns, 1)?;
        columns.push(Column::of::<T>("values".into(), self.start().cast()));
        Ok(columns)
    }
}

/// A shape whose fields are plain data. Sealed.
///
/// # Safety
/// A column is described for each address of `starts`, in their order, as the type that lies there.
#[doc(hidden)]
pub unsafe trait PlainShape: Shape {
    fn describe(starts: Self::Starts, names: &mut Names<'_>) -> Result<(), TryReserveError>;
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
    #[inline]
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Names").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// The arrays that containers have beside their columns.
const BESIDE: [&str; 5] = ["live", "taken", "free", "order", "generations"];

impl Names<'_> {
    /// The name of the next field: that of its type, or its number; as a raw identifier if an array of containers has
    /// it.
    #[inline]
    fn next(&mut self) -> Result<String, TryReserveError> {
        let (prefix, number) = (&self.prefix, self.next);
        self.next += 1;
        match self.fields.get(number) {
            Some(name) if prefix.is_empty() && BESIDE.contains(name) => {
                text(format_args!("r#{name}"))
            }
            Some(name) => text(format_args!("{prefix}{name}")),
            None => text(format_args!("{prefix}{number}")),
        }
    }
}

// SAFETY: one column, which holds `T`.
unsafe impl<T: Plain, const ALIGN: usize> PlainShape for Leaf<T, ALIGN> {
    fn describe(starts: NonNull<u8>, names: &mut Names<'_>) -> Result<(), TryReserveError> {
        let name = names.next()?.into();
        reserve(names.columns, 1)?;
        names.columns.push(Column::of::<T>(name, starts));
        Ok(())
    }
}

// SAFETY: the columns of both, in their order.
unsafe impl<X: PlainShape, Y: PlainShape> PlainShape for Pair<X, Y> {
    fn describe(starts: Self::Starts, names: &mut Names<'_>) -> Result<(), TryReserveError> {
        X::describe(starts.0, names)?;
        Y::describe(starts.1, names)
    }
}

// SAFETY: the columns are those of the other type.
unsafe impl<S: Soa<Shape: PlainShape>> PlainShape for Nest<S> {
    fn describe(starts: Self::Starts, names: &mut Names<'_>) -> Result<(), TryReserveError> {
        let prefix = text(format_args!("{}.", names.next()?))?;
        let columns = &mut *names.columns;
        S::Shape::describe(starts, &mut Names { columns, prefix, fields: S::NAMES, next: 0 })
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
    const SPARE: bool = false;

    unsafe fn begin(&mut self, count: usize) {
        let lanes = <T::Arrangement as Arrangement<T>>::Arrange::LANES;
        for first in (0..if lanes > 0 { count } else { 0 }).step_by(lanes.max(1)) {
            // SAFETY: (1) there is room for a group with one of the values; (2) it has none.
            unsafe { T::Arrangement::begin(self.starts(), first) };
        }
    }

    fn columns(&self) -> Result<Vec<Column>, TryReserveError> {
        let mut columns = Vec::new();
        let (prefix, fields) = (String::new(), T::NAMES);
        T::Shape::describe(
            self.starts(),
            &mut Names { columns: &mut columns, prefix, fields, next: 0 },
        )?;
        let lanes = <T::Arrangement as Arrangement<T>>::Arrange::LANES;
        for (column, phase) in columns.iter_mut().zip(T::Shape::TREE.phases(PAGE)) {
            column.phase = phase;
            if lanes > 0 {
                (column.lanes, column.stride) = (lanes, T::Shape::TREE.group(lanes).1);
            }
        }
        Ok(columns)
    }
}

/// Mapping.
impl Snapshot {
    /// Maps a section, to be read: `get`, walks and joins, without reading it whole (see
    /// [the module](crate::snapshot)). O(slots / 64).
    ///
    /// Whatever its bytes are, the container is safe to use; only [`verify`](Self::verify) says whether they are those
    /// that were saved. A clone of it is checked as if it were loaded, is of a fixed size, and panics if it is not
    /// whole.
    ///
    /// [`Saver::save`](crate::snapshot::Saver::save) replaces the file by another one, and what is mapped stays.
    ///
    /// # Errors
    /// Fails as [`load`](Self::load) does, but checksums are not verified.
    ///
    /// # Safety
    /// No program changes or truncates the file while it is mapped: borrowed values would change. (If it was truncated,
    /// the system ends the program with `SIGBUS` when a page beyond its end is touched.)
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
    /// Fails as [`load`](Self::load) does, but checksums are not verified.
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
    /// mapped.remove(arena.keys().next().unwrap());
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

#[cfg(test)]
mod tests {
    //! The places of elements in groups.

    use super::Column;
    use crate::snapshot::format::Element;
    use alloc::vec::Vec;
    use core::ptr::NonNull;

    #[test]
    fn a_range_of_groups_is_in_pieces_that_begin_where_its_elements_lie() {
        let column = Column::of_numbers("x".into(), Element::of::<u32>(), NonNull::dangling());
        let column = Column { lanes: 8, stride: 100, ..column };
        for (range, pieces) in [
            (0..8, &[(0, 8)][..]),
            (3..6, &[(12, 3)]),
            (13..15, &[(120, 2)]),
            (5..20, &[(20, 3), (100, 8), (200, 4)]),
            (16..16, &[]),
        ] {
            assert_eq!(column.pieces(range).collect::<Vec<_>>(), pieces);
        }
    }
}

//! Memory for lists of keys: pieces of 4 to 512 keys, cut from chunks that never move, and blocks of the
//! allocator for longer lists.
//!
//! **Invariant.** Each chunk is divided into pieces of a power of two of keys, and `rest`, the uncut end of the
//! last one, of `left` keys. Each piece is either
//! - *in use*: exactly one [`List`] names it, and its first `len` keys are initialised; or
//! - *free*: it is linked from `free` of its size, and begins with the address of the next free piece of that
//!   size.
//!
//! A list with more room than [`LARGEST`] names a block of the allocator, which it alone has; one with no room
//! names nothing.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;

use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::heap;
use crate::scratch::reserve;

/// How many keys the smallest and the largest piece have. (Four keys of 4 bytes have room for an address.)
const SMALLEST: u32 = 4;
const LARGEST: u32 = 512;

const SIZES: usize = size_class(LARGEST) + 1;

/// How many keys the first chunk has; each later one has a quarter of all before it.
const FIRST_CHUNK: usize = 64;

/// A list of keys: the first `len` of a piece of `room`.
pub(super) struct List<K> {
    keys: NonNull<K>,
    len: u32,
    room: u32,
}

pub(super) struct Pieces<K> {
    chunks: Vec<Buffer<K>>,
    rest: NonNull<K>,
    left: usize,
    free: [Option<NonNull<K>>; SIZES],
}

/// Which free list has the pieces of this size.
const fn size_class(room: u32) -> usize {
    (room / SMALLEST).trailing_zeros() as usize
}

fn too_long(room: usize) -> TryReserveError {
    TryReserveError::CapacityOverflow { requested: room, max: 1 << 31 }
}

fn layout<K>(room: u32) -> Result<Layout, TryReserveError> {
    Layout::array::<K>(room as usize).map_err(|_| too_long(room as usize))
}

impl<K: Copy> List<K> {
    pub(super) const EMPTY: Self = Self { keys: NonNull::dangling(), len: 0, room: 0 };

    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) const fn room(&self) -> usize {
        self.room as usize
    }

    pub(super) const fn is_large(&self) -> bool {
        self.room > LARGEST
    }

    #[inline]
    pub(super) const fn is_full(&self) -> bool {
        self.len == self.room
    }

    /// # Safety
    /// The pieces that the list is of exist as long as `'a`, and the list is neither changed nor given back.
    #[inline]
    pub(super) const unsafe fn keys<'a>(&self) -> &'a [K] {
        // SAFETY: by the invariant the first `len` keys are initialised; the caller keeps them so.
        unsafe { NonNull::slice_from_raw_parts(self.keys, self.len as usize).as_ref() }
    }

    /// # Safety
    /// 1. The pieces that the list is of exist.
    /// 2. The list is borrowed as long as the keys.
    #[inline]
    pub(super) const unsafe fn keys_mut<'a>(&mut self) -> &'a mut [K] {
        // SAFETY: as for `keys`; no other list names this piece.
        unsafe { NonNull::slice_from_raw_parts(self.keys, self.len as usize).as_mut() }
    }

    /// Appends a key and returns its position.
    ///
    /// # Safety
    /// 1. The pieces that the list is of exist.
    /// 2. The list is not full.
    #[inline]
    pub(super) const unsafe fn push(&mut self, key: K) -> u32 {
        let position = self.len;
        // SAFETY: `position < room`, so it lies within the piece, which only this list names.
        unsafe { self.keys.add(position as usize).write(key) };
        self.len = position + 1;
        position
    }

    /// Removes the key at a position, which exists. The last key, if that is another one, takes its place and is
    /// returned.
    ///
    /// # Safety
    /// The pieces that the list is of exist.
    #[inline]
    pub(super) unsafe fn swap_remove(&mut self, position: u32) -> Option<K> {
        // SAFETY: (1) the caller says so. (2) `keys` is last used before the list.
        let keys = unsafe { self.keys_mut() };
        let last = keys.len() - 1;
        let moved = keys[last];
        keys[position as usize] = moved;
        self.len -= 1;
        ((position as usize) < last).then_some(moved)
    }
}

impl<K: Copy> Pieces<K> {
    const CAN_BE_LINKED: () =
        assert!(SMALLEST as usize * size_of::<K>() >= size_of::<Option<NonNull<K>>>());

    pub(super) const fn new() -> Self {
        const { Self::CAN_BE_LINKED };
        Self { chunks: Vec::new(), rest: NonNull::dangling(), left: 0, free: [None; SIZES] }
    }

    /// Makes room for a first key in a list; so [`first`](Self::first) needs no memory.
    #[inline]
    pub(super) fn make_room_for_list(&mut self) -> Result<(), TryReserveError> {
        if self.free[0].is_some() || self.left >= SMALLEST as usize {
            return Ok(());
        }
        self.refill(SMALLEST)
    }

    /// A list of one key, for which there is room.
    #[inline]
    pub(super) fn first(&mut self, key: K) -> List<K> {
        let Some(keys) = self.take_piece(SMALLEST) else { unreachable!("room was made") };
        // SAFETY: the piece has room for keys, and no list names it.
        unsafe { keys.write(key) };
        List { keys, len: 1, room: SMALLEST }
    }

    /// Makes room for one more key in a full list: its keys move to a piece of twice the size. On an error nothing
    /// has changed.
    ///
    /// # Safety
    /// The list is one of these.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn grow(&mut self, list: &mut List<K>) -> Result<(), TryReserveError> {
        let twice = list.room.checked_mul(2).ok_or(too_long(list.room as usize + 1))?;
        let room = twice.max(SMALLEST);
        let keys = if list.is_large() {
            let (old, new) = (layout::<K>(list.room)?, layout::<K>(room)?);
            // SAFETY: by the invariant the block is of that layout; the new size is not zero, and that of a layout.
            unsafe { heap::reallocate(list.keys.cast(), old, new.size()) }?.cast()
        } else {
            let keys = self.take(room)?;
            // SAFETY: both pieces have room for the list's keys, and are not the same one. The old one is the list's,
            // which gets another.
            unsafe {
                list.keys.copy_to_nonoverlapping(keys, list.len());
                self.give(list.keys, list.room);
            }
            keys
        };
        (list.keys, list.room) = (keys, room);
        Ok(())
    }

    /// A copy of a list, which may be of other pieces.
    ///
    /// # Safety
    /// The pieces that the list is of exist.
    pub(super) unsafe fn copy(&mut self, list: &List<K>) -> Result<List<K>, TryReserveError> {
        let keys = self.take(list.room)?;
        // SAFETY: both pieces have room for the list's keys, and are not the same one.
        unsafe { list.keys.copy_to_nonoverlapping(keys, list.len()) };
        Ok(List { keys, ..*list })
    }

    /// Takes the piece of a list back.
    ///
    /// # Safety
    /// The list is one of these.
    #[inline]
    pub(super) unsafe fn free(&mut self, list: List<K>) {
        // SAFETY: by the invariant no other list names this piece.
        unsafe { self.give(list.keys, list.room) };
    }

    /// A piece or a block for so many keys, a power of two.
    fn take(&mut self, room: u32) -> Result<NonNull<K>, TryReserveError> {
        if room > LARGEST {
            let layout = layout::<K>(room)?;
            // SAFETY: the size of so many keys is not zero.
            return Ok(unsafe { heap::allocate(layout) }?.cast());
        }
        loop {
            if let Some(piece) = self.take_piece(room) {
                return Ok(piece);
            }
            self.refill(room)?;
        }
    }

    /// A piece, if there is one without asking for memory or cutting larger ones.
    #[inline]
    fn take_piece(&mut self, room: u32) -> Option<NonNull<K>> {
        if let Some(piece) = self.free[size_class(room)] {
            // SAFETY: by the invariant a free piece begins with the address of the next one.
            self.free[size_class(room)] = unsafe { piece.cast().read_unaligned() };
            return Some(piece);
        }
        self.left = self.left.checked_sub(room as usize)?;
        let piece = self.rest;
        // SAFETY: the rest had room for the piece, so this is within the chunk, or its end.
        self.rest = unsafe { piece.add(room as usize) };
        Some(piece)
    }

    /// Where there is no piece of this size: halves larger ones until there is, or asks for a chunk.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, room: u32) -> Result<(), TryReserveError> {
        let larger = (size_class(room)..SIZES).find(|&class| self.free[class].is_some());
        let Some(class) = larger else { return self.add_chunk(room as usize) };
        let mut size = SMALLEST << class;
        let Some(piece) = self.take_piece(size) else { return Ok(()) };
        while size > room {
            size /= 2;
            // SAFETY: the upper half of a piece that nothing names.
            unsafe { self.give(piece.add(size as usize), size) };
        }
        // SAFETY: what is left of it is of this size.
        unsafe { self.give(piece, room) };
        Ok(())
    }

    /// Adds a chunk of at least so many keys. What is left of the last one becomes free pieces.
    fn add_chunk(&mut self, least: usize) -> Result<(), TryReserveError> {
        let quarter = (self.keys() / 4).next_multiple_of(SMALLEST as usize);
        let mut chunk = Buffer::new();
        reserve(&mut self.chunks, 1)?;
        chunk.resize(quarter.max(least).max(FIRST_CHUNK))?;
        let (rest, left) = (self.rest, self.left);
        (self.rest, self.left) = (chunk.start(), chunk.capacity());
        self.chunks.push(chunk);
        // SAFETY: it was the end of a chunk, and is not now.
        unsafe { self.cut_up(rest, left) };
        Ok(())
    }

    /// Makes free pieces of the uncut end of a chunk, as large as they can be.
    ///
    /// # Safety
    /// So many keys from there on are part of a chunk, and of no piece.
    unsafe fn cut_up(&mut self, mut rest: NonNull<K>, mut left: usize) {
        while left >= SMALLEST as usize {
            let room = 1 << left.min(LARGEST as usize).ilog2();
            // SAFETY: the piece ends within what is left.
            unsafe {
                self.give(rest, room);
                rest = rest.add(room as usize);
            }
            left -= room as usize;
        }
    }

    /// Takes a piece back.
    ///
    /// # Safety
    /// It is a piece or block of that size, and no list will name it; or the size is 0.
    #[inline]
    unsafe fn give(&mut self, piece: NonNull<K>, room: u32) {
        if room > LARGEST {
            if let Ok(layout) = layout::<K>(room) {
                // SAFETY: by the invariant it is a block of that layout; the caller gives it up.
                unsafe { heap::deallocate(piece.cast(), layout) };
            }
        } else if room > 0 {
            let next = self.free[size_class(room)].replace(piece);
            // SAFETY: the piece has room for an address, and nothing names it.
            unsafe { piece.cast().write_unaligned(next) };
        }
    }

    /// Makes room for so many keys, in pieces of any sizes.
    pub(super) fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        let keys = keys.checked_next_multiple_of(SMALLEST as usize).ok_or(too_long(keys))?;
        if keys > self.left { self.add_chunk(keys) } else { Ok(()) }
    }

    /// Makes all pieces free ones.
    ///
    /// # Safety
    /// There is no list of these, but ones without room.
    pub(super) unsafe fn reset(&mut self) {
        (self.free, self.left) = ([None; SIZES], 0);
        for at in 0..self.chunks.len() {
            let (start, keys) = (self.chunks[at].start(), self.chunks[at].capacity());
            // SAFETY: nothing names a part of the chunk, nor is any free.
            unsafe { self.cut_up(start, keys) };
        }
    }

    /// How many keys the chunks have room for.
    pub(super) fn keys(&self) -> usize {
        self.chunks.iter().map(Buffer::capacity).sum()
    }

    /// How many of them were never part of a piece.
    pub(super) const fn uncut(&self) -> usize {
        self.left
    }

    /// The memory of the list of chunks.
    pub(super) fn bytes_beside(&self) -> usize {
        self.chunks.capacity() * size_of::<Buffer<K>>()
    }

    /// Panics unless these lists and the free pieces are all there is of the chunks. O(pieces log pieces).
    pub(super) fn validate<'a>(&self, lists: impl Iterator<Item = &'a List<K>>)
    where
        K: 'a,
    {
        let mut pieces = Vec::new();
        for (class, &first) in self.free.iter().enumerate() {
            let mut next = first;
            while let Some(piece) = next {
                pieces.push((piece, (SMALLEST as usize) << class));
                // SAFETY: by the invariant a free piece begins with the address of the next one.
                next = unsafe { piece.cast().read_unaligned() };
            }
        }
        for list in lists {
            assert!(list.len <= list.room, "a list is longer than its piece");
            if !list.is_large() && list.room > 0 {
                pieces.push((list.keys, list.room()));
            }
        }
        pieces.extend((self.left > 0).then_some((self.rest, self.left)));
        pieces.sort_unstable();
        let mut pieces = pieces.into_iter();
        let mut chunks: Vec<_> = self.chunks.iter().collect();
        chunks.sort_unstable_by_key(|chunk| chunk.start());
        for chunk in chunks {
            let (mut at, mut keys) = (chunk.start().addr().get(), chunk.capacity());
            while keys > 0 {
                let (piece, room) = pieces.next().expect("a piece was lost");
                assert_eq!(piece.addr().get(), at, "pieces overlap, or one was lost");
                at += room * size_of::<K>();
                keys -= room;
            }
        }
        assert!(pieces.next().is_none(), "a piece is of no chunk");
    }
}

//! Memory for lists of keys: pieces of 4 to 512 keys, cut from chunks that never move, and blocks of the allocator for
//! longer lists. Longer lists have pieces, too, if room was reserved.
//!
//! **Invariant.** Each chunk is divided into pieces of a power of two of keys, and `rest`, the uncut end of the
//! last one, of `left` keys. Each piece is either
//! - *in use*: exactly one [`List`] names it, and its first `len` keys are initialised; or
//! - *free*: it is linked from `free` of its size, and begins with the address of the next free piece of that
//!   size.
//!
//! A list with more room than [`LARGEST`] that does not lie in a chunk names a block of the allocator, which it alone
//! has ([`is_block`](Pieces::is_block)); one with no room names nothing.
//!
//! A list can be used without `unsafe`, since its piece is its own as long as there is a list:
//! 1. *No other names it.* Lists with room are made here only, each of a piece that was cut, taken off its free list or
//!    allocated for it. A list is neither `Copy` nor `Clone`; what takes a piece back takes the list itself.
//! 2. *Its pieces are those it is used with, and exist.* Only [`groups`](super) can name `List` and [`Pieces`], and it
//!    keeps both promises (see there): a list lies in the table beside the pieces that made it, goes back to these or
//!    nowhere, and is gone before they are.
//! 3. `len <= room`, and the first `len` keys are initialised. Only the methods of `List` and [`Pieces::grow`] change
//!    these, and keys are `Copy`: no user code runs in between.

use alloc::alloc::{alloc, dealloc, realloc};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::mem;
use core::ptr::NonNull;

use larder_core::TryReserveError;
use larder_core::containers::layout::OneBlock;
use larder_core::room::reserve;

/// The number of keys in the smallest piece, and in the largest if none were reserved. (Four keys of 4 bytes have room
/// for an address.)
const SMALLEST: u32 = 4;
const LARGEST: u32 = 512;

/// The greatest number of keys for which a list has room.
const MOST: u32 = 1 << 31;

const SIZES: usize = size_class(MOST) + 1;

/// The number of keys in the first chunk; each later one has a quarter of all before it.
const FIRST_CHUNK: usize = 64;

/// A list of keys: the first `len` of a piece of `room`.
pub(super) struct List<K> {
    keys: NonNull<K>,
    len: u32,
    room: u32,
}

/// Room for `left` keys in a chunk, of which no piece was made yet.
struct Uncut<K> {
    start: NonNull<K>,
    left: usize,
}

pub(super) struct Pieces<K> {
    chunks: Vec<OneBlock<K>>,
    rest: Uncut<K>,
    free: [Option<NonNull<K>>; SIZES],
    /// True if there are pieces for long lists.
    is_reserved: bool,
}

/// Returns the number of the free list that has the pieces of this size.
const fn size_class(room: u32) -> usize {
    (room / SMALLEST).trailing_zeros() as usize
}

fn too_long(room: usize) -> TryReserveError {
    TryReserveError::CapacityOverflow { requested: room, max: MOST as usize }
}

fn refused(layout: Layout) -> TryReserveError {
    TryReserveError::AllocRefused { bytes: layout.size() }
}

/// Returns the address `count` keys further. (No memory is touched there.)
#[inline]
fn after<K>(first: NonNull<K>, count: usize) -> NonNull<K> {
    first.map_addr(|address| address.saturating_add(count * size_of::<K>()))
}

/// Returns the layout of a block for that number of keys.
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

    #[inline]
    pub(super) const fn keys(&self) -> &[K] {
        // SAFETY: the first `len` keys are initialised (3) in a piece that exists (2), and that only this
        // list names (1), which is borrowed as they are.
        unsafe { NonNull::slice_from_raw_parts(self.keys, self.len as usize).as_ref() }
    }

    #[inline]
    pub(super) const fn keys_mut(&mut self) -> &mut [K] {
        // SAFETY: the first `len` keys are initialised (3) in a piece that exists (2), and that only this
        // list names (1), which is borrowed exclusively as they are.
        unsafe { NonNull::slice_from_raw_parts(self.keys, self.len as usize).as_mut() }
    }

    /// Appends a key to a list that is not full, and returns its position.
    #[inline]
    pub(super) const fn push(&mut self, key: K) -> u32 {
        assert!(!self.is_full(), "room was made");
        let position = self.len;
        // SAFETY: `len` is less than `room`, for it is not more (3) and not equal. So the key lies within the
        // piece, which exists (2), and which only this list names (1).
        unsafe { self.keys.add(position as usize).write(key) };
        self.len = position + 1;
        position
    }

    /// Removes the key at a position, which exists. The last key, if that is another one, takes its place and is
    /// returned.
    #[inline]
    pub(super) const fn swap_remove(&mut self, position: u32) -> Option<K> {
        let keys = self.keys_mut();
        let last = keys.len() - 1;
        let moved = keys[last];
        keys[position as usize] = moved;
        self.len -= 1;
        if (position as usize) < last { Some(moved) } else { None }
    }

    /// Cuts a list without keys, of a piece of 8 keys or more, in two: the upper half of the piece is that of another.
    fn halve(&mut self) -> Self {
        assert!(self.len == 0 && self.room > SMALLEST, "a piece to be cut");
        self.room /= 2;
        Self { keys: after(self.keys, self.room as usize), len: 0, room: self.room }
    }
}

impl<K> Uncut<K> {
    const NONE: Self = Self { start: NonNull::dangling(), left: 0 };

    /// The whole of a chunk, of which there is no piece.
    const fn whole(chunk: &OneBlock<K>) -> Self {
        Self { start: chunk.start(), left: chunk.capacity() }
    }

    /// Makes a piece of its beginning, if there is room.
    #[inline]
    fn cut(&mut self, room: u32) -> Option<List<K>> {
        self.left = self.left.checked_sub(room as usize)?;
        let keys = self.start;
        self.start = after(keys, room as usize);
        Some(List { keys, len: 0, room })
    }
}

impl<K: Copy> Pieces<K> {
    const CAN_BE_LINKED: () =
        assert!(SMALLEST as usize * size_of::<K>() >= size_of::<Option<NonNull<K>>>());

    pub(super) const fn new() -> Self {
        const { Self::CAN_BE_LINKED };
        Self { chunks: Vec::new(), rest: Uncut::NONE, free: [None; SIZES], is_reserved: false }
    }

    /// Returns whether a list has a block of the allocator. O(chunks) for a long list.
    pub(super) fn is_block(&self, list: &List<K>) -> bool {
        let is_in = |chunk: &OneBlock<K>| {
            let start = chunk.start();
            (start..after(start, chunk.capacity())).contains(&list.keys)
        };
        list.is_large() && !self.chunks.iter().any(is_in)
    }

    /// Makes room for a first key in a list; so [`first`](Self::first) needs no memory.
    #[inline]
    pub(super) fn make_room_for_list(&mut self) -> Result<(), TryReserveError> {
        if self.free[0].is_some() || self.rest.left >= SMALLEST as usize {
            return Ok(());
        }
        self.refill(SMALLEST)
    }

    /// A list of one key, for which there is room.
    #[inline]
    pub(super) fn first(&mut self, key: K) -> List<K> {
        let Some(mut list) = self.take_piece(SMALLEST) else { unreachable!("room was made") };
        list.push(key);
        list
    }

    /// Makes room for one more key in a full list: its keys move to a piece of twice the size. On an error nothing
    /// has changed.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, list: &mut List<K>) -> Result<(), TryReserveError> {
        let more = list.room.max(SMALLEST);
        if self.is_block(list) {
            let room = Self::room_after(list, more)?;
            let (old, new) = (layout::<K>(list.room)?, layout::<K>(room)?);
            // SAFETY: by the invariant such a list has a block of that layout, and only this one
            // has it (1); the new size is not zero, and that of a layout.
            let keys = unsafe { realloc(list.keys.cast().as_ptr(), old, new.size()) };
            list.keys = NonNull::new(keys).ok_or_else(|| refused(new))?.cast();
            list.room = room;
        } else {
            let larger = self.copy_with(list, more)?;
            let old = mem::replace(list, larger);
            if old.room > 0 {
                self.link(old);
            }
        }
        Ok(())
    }

    /// A copy of a list, which may be of other pieces.
    pub(super) fn copy(&mut self, list: &List<K>) -> Result<List<K>, TryReserveError> {
        self.copy_with(list, 0)
    }

    /// A copy of a list that has keys, with no more room than these need. (They are no more than there is room for, a
    /// power of two.)
    pub(super) fn copy_fitting(&mut self, list: &List<K>) -> Result<List<K>, TryReserveError> {
        self.copy_into(list, (list.len() as u32).next_power_of_two().max(SMALLEST))
    }

    /// Copies a list, with room for `more` more keys, which make a power of two.
    #[inline]
    fn copy_with(&mut self, list: &List<K>, more: u32) -> Result<List<K>, TryReserveError> {
        self.copy_into(list, Self::room_after(list, more)?)
    }

    /// Copies a list, with room for `room` keys, a power of two.
    #[inline]
    fn copy_into(&mut self, list: &List<K>, room: u32) -> Result<List<K>, TryReserveError> {
        let copy = self.take(room)?;
        assert!(list.len <= copy.room, "there is room for the keys");
        // SAFETY: both pieces exist (2). The list's keys are initialised, and the other piece has room for
        // them, as was just checked (3). It is not the list's piece (1).
        unsafe { list.keys.copy_to_nonoverlapping(copy.keys, list.len()) };
        Ok(List { len: list.len, ..copy })
    }

    /// Returns the room of a list after it grew by `more` keys, or an error if no list can have so much.
    #[inline]
    fn room_after(list: &List<K>, more: u32) -> Result<u32, TryReserveError> {
        list.room.checked_add(more).ok_or(too_long(list.room as usize + 1))
    }

    /// Takes the piece of a list back.
    #[inline]
    pub(super) fn free(&mut self, list: List<K>) {
        if self.is_block(&list) {
            if let Ok(layout) = layout::<K>(list.room) {
                // SAFETY: by the invariant such a list has a block of that layout; only this one
                // has it (1), and ends here.
                unsafe { dealloc(list.keys.cast().as_ptr(), layout) };
            }
        } else if list.room > 0 {
            self.link(list);
        }
    }

    /// Takes the piece of a list back, which has no block of its own.
    #[inline]
    fn link(&mut self, list: List<K>) {
        let next = self.free[size_class(list.room)].replace(list.keys);
        // SAFETY: a list without a block has a piece, which exists (2) and has room for an address; only this
        // list names it (1), and ends here.
        unsafe { list.keys.cast().write_unaligned(next) };
    }

    /// Returns a list without keys that has a piece or a block for `room` keys, a power of two.
    fn take(&mut self, room: u32) -> Result<List<K>, TryReserveError> {
        if room > LARGEST {
            if let Some(list) =
                Some(room).filter(|_| self.is_reserved).and_then(|room| self.take_piece(room))
            {
                return Ok(list);
            }
            let layout = layout::<K>(room)?;
            assert!(layout.size() != 0, "keys have a size");
            // SAFETY: just checked.
            let keys = NonNull::new(unsafe { alloc(layout) });
            let keys = keys.ok_or_else(|| refused(layout))?.cast();
            return Ok(List { keys, len: 0, room });
        }
        loop {
            if let Some(list) = self.take_piece(room) {
                return Ok(list);
            }
            self.refill(room)?;
        }
    }

    /// A list without keys that has a piece, if there is one without asking for memory or cutting larger ones.
    #[inline]
    fn take_piece(&mut self, room: u32) -> Option<List<K>> {
        if let Some(keys) = self.free[size_class(room)] {
            self.free[size_class(room)] = Self::linked_behind(keys);
            return Some(List { keys, len: 0, room });
        }
        self.rest.cut(room)
    }

    /// The next free piece of the same size; `piece` is one that is linked from `free`.
    #[inline]
    fn linked_behind(piece: NonNull<K>) -> Option<NonNull<K>> {
        // SAFETY: by the invariant a free piece begins with the address of the next one.
        unsafe { piece.cast().read_unaligned() }
    }

    /// Refills an empty free list: halves a larger piece until there is one of this size, or asks for a chunk.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, room: u32) -> Result<(), TryReserveError> {
        let larger = (size_class(room)..SIZES).find(|&class| self.free[class].is_some());
        let Some(class) = larger else { return self.add_chunk(room as usize) };
        let Some(mut piece) = self.take_piece(SMALLEST << class) else { return Ok(()) };
        while piece.room > room {
            let upper = piece.halve();
            self.link(upper);
        }
        self.link(piece);
        Ok(())
    }

    /// Adds a chunk of at least `least` keys. The uncut end of the last one becomes free pieces.
    fn add_chunk(&mut self, least: usize) -> Result<(), TryReserveError> {
        let quarter = (self.keys() / 4).next_multiple_of(SMALLEST as usize);
        let mut chunk = OneBlock::new();
        reserve(&mut self.chunks, 1)?;
        chunk.resize(quarter.max(least).max(FIRST_CHUNK))?;
        let rest = mem::replace(&mut self.rest, Uncut::whole(&chunk));
        self.chunks.push(chunk);
        self.cut_up(rest);
        Ok(())
    }

    /// Makes free pieces of the uncut end of a chunk, as large as they can be.
    fn cut_up(&mut self, mut rest: Uncut<K>) {
        while rest.left >= SMALLEST as usize {
            let room = 1 << rest.left.min(MOST as usize).ilog2();
            if let Some(piece) = rest.cut(room) {
                self.link(piece);
            }
        }
    }

    /// Makes room for `keys` keys, in pieces of any sizes.
    pub(super) fn try_reserve(&mut self, keys: usize) -> Result<(), TryReserveError> {
        let keys = keys.checked_next_multiple_of(SMALLEST as usize).ok_or(too_long(keys))?;
        if keys > self.rest.left { self.add_chunk(keys) } else { Ok(()) }
    }

    /// Makes room for lists, whatever their lengths, whose pieces have `keys` keys together.
    pub(super) fn try_reserve_for_lists(&mut self, keys: usize) -> Result<(), TryReserveError> {
        self.try_reserve(keys)?;
        self.is_reserved = true;
        Ok(())
    }

    /// Makes all pieces free ones, but for the largest chunk, which is uncut then. There is no list of these, but ones
    /// without room.
    pub(super) fn reset(&mut self) {
        (self.free, self.rest) = ([None; SIZES], Uncut::NONE);
        for at in 0..self.chunks.len() {
            let mut chunk = Uncut::whole(&self.chunks[at]);
            if chunk.left > self.rest.left {
                mem::swap(&mut self.rest, &mut chunk);
            }
            self.cut_up(chunk);
        }
    }

    /// Returns the number of keys for which the chunks have room.
    pub(super) fn keys(&self) -> usize {
        self.chunks.iter().map(OneBlock::capacity).sum()
    }

    /// Returns the number of these that were never part of a piece.
    pub(super) const fn uncut(&self) -> usize {
        self.rest.left
    }

    /// The memory of the list of chunks.
    pub(super) fn bytes_beside(&self) -> usize {
        self.chunks.capacity() * size_of::<OneBlock<K>>()
    }

    /// Panics unless these lists and the free pieces are all there is of the chunks. O(pieces log pieces).
    #[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
    pub(super) fn validate<'a>(&self, lists: impl Iterator<Item = &'a List<K>>)
    where
        K: 'a,
    {
        let mut pieces = Vec::new();
        for (class, &first) in self.free.iter().enumerate() {
            let mut next = first;
            while let Some(piece) = next {
                pieces.push((piece, (SMALLEST as usize) << class));
                next = Self::linked_behind(piece);
            }
        }
        for list in lists {
            assert!(list.len <= list.room, "a list is longer than its piece");
            if list.room > 0 && !self.is_block(list) {
                pieces.push((list.keys, list.room()));
            }
        }
        pieces.extend((self.rest.left > 0).then_some((self.rest.start, self.rest.left)));
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

#[cfg(test)]
mod tests {
    //! Memory for lists of keys.

    use alloc::vec::Vec;

    use super::{LARGEST, List, Pieces, SMALLEST};
    use larder_core::TryReserveError;

    /// Makes a list of `keys` keys.
    fn list(pieces: &mut Pieces<u32>, keys: u32) -> List<u32> {
        pieces.make_room_for_list().unwrap();
        let mut list = pieces.first(0);
        for key in 1..keys {
            if list.is_full() {
                pieces.grow(&mut list).unwrap();
            }
            list.push(key);
        }
        list
    }

    #[test]
    fn a_piece_that_was_given_back_is_used_before_memory_is_asked_for() {
        let mut pieces = Pieces::new();
        let mut lists: Vec<_> = (0..16).map(|_| list(&mut pieces, 1)).collect();
        assert_eq!((pieces.keys(), pieces.uncut()), (64, 0));
        pieces.free(lists.swap_remove(3));
        lists.push(list(&mut pieces, 4));
        assert_eq!(pieces.keys(), 64);
        pieces.validate(lists.iter());
    }

    #[test]
    fn each_chunk_has_a_quarter_of_all_before_it() {
        let mut pieces = Pieces::new();
        let (mut lists, mut chunks) = (Vec::new(), 0);
        while chunks < 8 {
            let before = pieces.keys();
            lists.push(list(&mut pieces, 1));
            let added = pieces.keys() - before;
            if added > 0 {
                assert_eq!(added, (before / 4).next_multiple_of(4).max(64), "after {before}");
                chunks += 1;
            }
        }
        assert!(pieces.keys() > 512, "some chunks had more than the first");
        pieces.validate(lists.iter());
    }

    #[test]
    fn what_is_reserved_already_needs_no_memory() {
        let mut pieces = Pieces::new();
        assert_eq!((pieces.uncut(), pieces.bytes_beside()), (0, 0));
        for _ in 0..2 {
            pieces.try_reserve(63).unwrap();
            assert_eq!((pieces.keys(), pieces.uncut()), (64, 64), "keys of whole pieces");
        }
        let chunks = pieces.chunks.capacity() * size_of_val(&pieces.chunks[0]);
        assert_eq!(pieces.bytes_beside(), chunks);
        let list = list(&mut pieces, 1);
        assert_eq!((pieces.keys(), pieces.uncut()), (64, 64 - SMALLEST as usize));
        // (A list without room is of no piece.)
        pieces.validate([&list, &List::EMPTY].into_iter());
        let error = TryReserveError::CapacityOverflow { requested: usize::MAX, max: 2_147_483_648 };
        assert_eq!(pieces.try_reserve(usize::MAX), Err(error));
    }

    #[test]
    fn pieces_of_all_sizes_are_cut_and_taken_back() {
        let mut pieces = Pieces::new();
        let mut lists: Vec<_> = (2..=9).map(|log| list(&mut pieces, 1 << log)).collect();
        assert_eq!(lists.iter().map(List::room).max(), Some(LARGEST as usize));
        pieces.validate(lists.iter());
        let keys = pieces.keys();
        lists.drain(4..).for_each(|list| pieces.free(list));
        lists.extend((0..200).map(|_| list(&mut pieces, 4)));
        assert_eq!(pieces.keys(), keys, "larger pieces were cut");
        pieces.validate(lists.iter());
    }

    #[test]
    #[should_panic(expected = "a piece was lost")]
    fn a_lost_piece_is_noticed() {
        let mut pieces = Pieces::new();
        let list = list(&mut pieces, 1);
        pieces.rest.left = 0;
        pieces.validate([&list].into_iter());
    }
}

//! Memory of lists: pieces of the block, handed out, taken back and cut; and room for heads.
//!
//! **Invariant.** That of [`lists`](super).

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use super::{CLASSES, Head, ListKey, Lists, class_for, room_of};
use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::lives::{Lives, NONE, Slot};
use crate::scratch::grown;

/// What became of the block, in elements; and the bytes of the heads.
pub(crate) struct Account {
    pub(crate) values: usize,
    pub(crate) in_lists: usize,
    pub(crate) in_free_pieces: usize,
    pub(crate) mark: usize,
    pub(crate) capacity: usize,
    pub(crate) head_bytes: usize,
}

/// Copies elements. Few bytes are copied by two words that overlap, without a call.
///
/// # Safety
/// 1. So many elements can be read from the one address, and written to the other.
/// 2. They do not overlap.
#[inline(always)]
pub(super) unsafe fn copy_few<T>(from: NonNull<T>, to: NonNull<T>, count: usize) {
    #[inline(always)]
    unsafe fn both_ends<W>(from: NonNull<u8>, to: NonNull<u8>, bytes: usize) {
        let last = bytes - size_of::<W>();
        // SAFETY: there are `bytes` bytes, at least those of a word (1).
        unsafe {
            let words = [0, last].map(|at| from.add(at).cast::<MaybeUninit<W>>().read_unaligned());
            let [first, second] = words;
            to.cast().write_unaligned(first);
            to.add(last).cast().write_unaligned(second);
        }
    }

    let bytes = count * size_of::<T>();
    let (from, to) = (from.cast::<u8>(), to.cast::<u8>());
    // SAFETY: by 1 so many bytes can be read and written; by 2 none is written before it is read.
    unsafe {
        match bytes {
            4..8 => both_ends::<u32>(from, to, bytes),
            8..=16 => both_ends::<u64>(from, to, bytes),
            17..=32 => both_ends::<[u64; 2]>(from, to, bytes),
            _ => from.copy_to_nonoverlapping(to, bytes),
        }
    }
}

impl<T> Lists<T> {
    /// How many values a list can have.
    pub(crate) const LONGEST: usize = if size_of::<T>() == 0 {
        u32::MAX as usize
    } else if Buffer::<T>::MAX < 1 << 26 {
        Buffer::<T>::MAX
    } else {
        1 << 26
    };

    /// How much room a list has at least that grows by one value.
    pub(crate) const FIRST_ROOM: usize = if size_of::<T>() <= 1024 { 4 } else { 1 };

    /// Makes room for one more head at least.
    #[cold]
    #[inline(never)]
    pub(super) fn grow_heads(&mut self) -> Result<(), TryReserveError> {
        let (len, max) = (self.heads.len(), ListKey::MAX_SLOTS as usize);
        if len == max {
            return Err(TryReserveError::CapacityOverflow { requested: len + 1, max });
        }
        self.heads.cover(len + 1)
    }

    /// The heads without the free ones at the end, and the generation that those which are begun instead must be above.
    pub(super) fn heads_in_use(&self) -> Result<(Lives<Head>, u32), TryReserveError> {
        let in_use = |head: &Head| head.is_live() || head.is_retired();
        let count = self.heads.iter().rposition(in_use).map_or(0, |last| last + 1);
        let left = self.heads[count..].iter().map(|head| head.generation());
        Ok((self.heads.try_copy(count)?, left.fold(self.above, u32::max)))
    }

    /// Makes the block one of at least `end` elements.
    fn cover(&mut self, end: Option<u32>) -> Result<u32, TryReserveError> {
        let max = Buffer::<T>::MAX.min(NONE as usize);
        let overflow = TryReserveError::CapacityOverflow { requested: max.saturating_add(1), max };
        let end = end.filter(|&end| end as usize <= max).ok_or(overflow)?;
        if end as usize > self.block.capacity() {
            let capacity = grown(self.block.capacity(), end as usize, 4);
            self.block.resize(capacity.min(max))?;
        }
        Ok(end)
    }

    /// Makes room in the block for `rooms` elements more behind the last piece.
    pub(crate) fn reserve_rooms(&mut self, rooms: usize) -> Result<(), TryReserveError> {
        if size_of::<T>() == 0 {
            return Ok(());
        }
        let end = u32::try_from(rooms).ok().and_then(|rooms| self.mark.checked_add(rooms));
        self.cover(end).map(drop)
    }

    /// Makes the piece of a list one of a larger class, in place, if it is the last piece and there is memory.
    pub(super) fn extend_last(&mut self, head: Head, class: u32) -> bool {
        if head.class() == 0 || head.start + head.room::<T>() != self.mark {
            return false;
        }
        let covered = self.cover(head.start.checked_add(room_of::<T>(class)));
        self.mark = *covered.as_ref().unwrap_or(&self.mark);
        covered.is_ok()
    }

    /// A piece of this class: a free one, a new one, or part of a larger free one where the block would have to grow. Of
    /// class 0 there is none to take.
    #[inline]
    pub(super) fn take(&mut self, class: u32) -> Result<u32, TryReserveError> {
        if class == 0 {
            return Ok(0);
        }
        if let Some(start) = self.take_free(class) {
            return Ok(start);
        }
        let (start, end) = (self.mark, self.mark.checked_add(room_of::<T>(class)));
        match end {
            Some(end) if end as usize <= self.block.capacity() => self.mark = end,
            _ => return self.take_growing(class, end),
        }
        Ok(start)
    }

    #[cold]
    #[inline(never)]
    fn take_growing(&mut self, class: u32, end: Option<u32>) -> Result<u32, TryReserveError> {
        if let Some(start) = self.cut(class) {
            return Ok(start);
        }
        let start = self.mark;
        self.mark = self.cover(end)?;
        Ok(start)
    }

    /// Cuts the smallest larger free piece in halves until one of this class is left.
    fn cut(&mut self, class: u32) -> Option<u32> {
        let (larger, start) = (class + 1..CLASSES as u32)
            .find_map(|larger| self.take_free(larger).map(|start| (larger, start)))?;
        for half in (class..larger).rev() {
            self.link(start + room_of::<T>(half), half);
        }
        Some(start)
    }

    /// Takes back a piece without values; of class 0 there is none.
    #[inline]
    pub(super) fn give(&mut self, start: u32, class: u32) {
        if class == 0 {
            return;
        }
        if start + room_of::<T>(class) == self.mark {
            self.mark = start;
        } else {
            self.link(start, class);
        }
    }

    /// Notes a piece as free.
    #[inline]
    fn link(&mut self, start: u32, class: u32) {
        let next = self.free[class as usize];
        // SAFETY: the piece lies within the block (1), has four bytes, and no element of it is initialised.
        unsafe { self.link_at(start).write_unaligned(next) };
        self.free[class as usize] = start;
    }

    #[inline]
    fn take_free(&mut self, class: u32) -> Option<u32> {
        let start = self.free[class as usize];
        if start == NONE {
            return None;
        }
        self.free[class as usize] = self.next_free(start);
        Some(start)
    }

    /// The piece that is linked after a free one.
    #[inline]
    fn next_free(&self, start: u32) -> u32 {
        debug_assert!(start < self.mark);
        // SAFETY: the piece lies within the block (1), and a free one begins with its link.
        unsafe { self.link_at(start).read_unaligned() }
    }

    /// Where a free piece is linked.
    ///
    /// # Safety
    /// 1. The piece lies within the block.
    #[inline]
    unsafe fn link_at(&self, start: u32) -> NonNull<u32> {
        // SAFETY: the caller's piece does (1).
        unsafe { self.block.at(start as usize) }.cast()
    }

    /// The free pieces, each with its class.
    fn free_pieces(&self) -> impl Iterator<Item = (u32, u32)> {
        (1..CLASSES as u32).flat_map(move |class| {
            let linked = |start| (start != NONE).then_some(start);
            let first = linked(self.free[class as usize]);
            core::iter::successors(first, move |&start| linked(self.next_free(start)))
                .map(move |start| (start, class))
        })
    }

    pub(crate) fn account(&self) -> Account {
        let pieces = |class| if class == 0 { 0 } else { room_of::<T>(class) as usize };
        let live = || self.heads.iter().filter(|head| head.is_live());
        Account {
            values: live().map(|head| head.len::<T>() as usize).sum(),
            in_lists: live().map(|head| pieces(head.class())).sum(),
            in_free_pieces: self.free_pieces().map(|(_, class)| pieces(class)).sum(),
            mark: self.mark as usize,
            capacity: self.block.capacity(),
            head_bytes: self.heads.bytes(),
        }
    }

    /// Checks the invariant. O(lists · log lists).
    pub(crate) fn validate(&self) {
        assert!(self.mark as usize <= self.block.capacity(), "the block ends before its pieces");
        let mut pieces: Vec<_> = self.free_pieces().collect();
        for head in self.heads.iter().filter(|head| head.is_live()) {
            assert!(head.len::<T>() <= head.room::<T>(), "a list is longer than its piece");
            let fits = class_for::<T>(head.len::<T>()) <= head.class();
            assert!(fits, "a class has no room for the list");
            if head.class() != 0 {
                pieces.push((head.start, head.class()));
            }
        }
        pieces.sort_unstable();
        let end = pieces.iter().fold(0, |end, &(start, class)| {
            assert_eq!(start, end, "pieces overlap, or one was lost");
            start + room_of::<T>(class)
        });
        assert_eq!(end, self.mark, "the last piece was lost");
        self.validate_heads();
    }

    fn validate_heads(&self) {
        self.heads.validate();
        let all_ours = self
            .heads
            .iter()
            .all(|head| head.tag % (1 << ListKey::GENERATION_AT) == ListKey::tag_of(0, self.brand));
        assert!(all_ours, "a head is another pool's");
    }
}

//! Pieces of the block: handing them out, taking them back, cutting large ones.
//!
//! **Invariant.** That of [`lists`](super).

use alloc::vec::Vec;
use core::ptr::NonNull;

use super::{CLASSES, Head, Lists, NONE, least, room_of};
use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::rows::Slots;
use crate::raw::slots::doubled;

/// What became of the block, in elements; and the bytes of the heads.
pub(crate) struct Account {
    pub(crate) values: usize,
    pub(crate) in_lists: usize,
    pub(crate) in_free_pieces: usize,
    pub(crate) mark: usize,
    pub(crate) capacity: usize,
    pub(crate) head_bytes: usize,
}

impl<T> Lists<T> {
    /// How many values a list can have.
    pub(crate) const LONGEST: usize = if size_of::<T>() == 0 {
        u32::MAX as usize
    } else if Buffer::<T>::MAX < 1 << 31 {
        Buffer::<T>::MAX
    } else {
        1 << 31
    };

    /// Makes the block one of at least `end` elements.
    fn cover(&mut self, end: Option<u32>) -> Result<u32, TryReserveError> {
        let max = Buffer::<T>::MAX.min(NONE as usize);
        let overflow = TryReserveError::CapacityOverflow { requested: max.saturating_add(1), max };
        let end = end.filter(|&end| end as usize <= max).ok_or(overflow)?;
        if end as usize > self.block.capacity() {
            let least = least::<T>() as usize;
            let capacity = doubled(self.block.capacity(), end as usize, least).min(max);
            self.block.resize(capacity)?;
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

    /// Makes the piece of a list one of a larger class, in place, if it is the last piece
    /// and there is memory.
    pub(super) fn extend_last(&mut self, head: Head, class: u32) -> bool {
        if head.class == 0 || head.start + room_of::<T>(head.class) != self.mark {
            return false;
        }
        let covered = self.cover(head.start.checked_add(room_of::<T>(class)));
        self.mark = *covered.as_ref().unwrap_or(&self.mark);
        covered.is_ok()
    }

    /// A piece of this class, which is not 0: a free one, a new one, or part of a larger free one
    /// where the block would have to grow.
    pub(super) fn take(&mut self, class: u32) -> Result<u32, TryReserveError> {
        if let Some(start) = self.take_free(class) {
            return Ok(start);
        }
        let (start, end) = (self.mark, self.mark.checked_add(room_of::<T>(class)));
        let fits = end.is_some_and(|end| end as usize <= self.block.capacity());
        if !fits {
            if let Some(start) = self.cut(class) {
                return Ok(start);
            }
        }
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
    fn link(&mut self, start: u32, class: u32) {
        let next = self.free[class as usize];
        // SAFETY: the piece lies within the block, has four bytes, and no element of it is initialised.
        unsafe { self.link_at(start).write_unaligned(next) };
        self.free[class as usize] = start;
    }

    fn take_free(&mut self, class: u32) -> Option<u32> {
        let start = self.free[class as usize];
        if start == NONE {
            return None;
        }
        self.free[class as usize] = self.next_free(start);
        Some(start)
    }

    /// The piece that is linked after a free one.
    fn next_free(&self, start: u32) -> u32 {
        debug_assert!(start < self.mark);
        // SAFETY: the piece lies within the block, and a free one begins with its link.
        unsafe { self.link_at(start).read_unaligned() }
    }

    /// Where a free piece is linked.
    ///
    /// # Safety
    /// The piece lies within the block.
    unsafe fn link_at(&self, start: u32) -> NonNull<u32> {
        // SAFETY: the caller's piece does.
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
        Account {
            values: self.heads.iter().map(|(_, head)| head.len as usize).sum(),
            in_lists: self.heads.iter().map(|(_, head)| pieces(head.class)).sum(),
            in_free_pieces: self.free_pieces().map(|(_, class)| pieces(class)).sum(),
            mark: self.mark as usize,
            capacity: self.block.capacity(),
            head_bytes: self.heads.memory_usage().committed,
        }
    }

    /// Checks the invariant. O(lists · log lists).
    pub(crate) fn validate(&self) {
        self.heads.validate();
        assert!(self.mark as usize <= self.block.capacity(), "the block ends before its pieces");
        let mut pieces: Vec<_> = self.free_pieces().collect();
        for (list, head) in self.heads.iter() {
            assert!(head.len <= room_of::<T>(head.class), "{list:?} is longer than its piece");
            if head.class != 0 {
                pieces.push((head.start, head.class));
            }
        }
        pieces.sort_unstable();
        let end = pieces.iter().fold(0, |end, &(start, class)| {
            assert_eq!(start, end, "pieces overlap, or one was lost");
            start + room_of::<T>(class)
        });
        assert_eq!(end, self.mark, "the last piece was lost");
    }
}

//! Lists of any length in one growing block: what [`ListPool`](crate::pools::ListPool) is made of.
//!
//! **Invariant.** The block below `mark` is divided into pieces, each of [`room_of`] its class
//! elements; none overlap, nothing lies between them, and `mark` is at most the block's capacity. Each
//! piece is either
//! - *in use*: exactly one head names it, and its first `len` elements are initialised; or
//! - *free*: it is linked from `free` of its class, its first four bytes hold the start of the next
//!   free piece of that class or [`NONE`], and no element of it is initialised.
//!
//! A head of class 0 names no piece; then `len` is 0, unless `T` has no size: such values lie
//! nowhere, and all heads are of class 0.
//!
//! A head lies in a slot of its own, under the rule of generations that every container has, and
//! keeps its slot while the list moves from piece to piece. So the handle of a list never changes,
//! and a stale one is found out before the block is touched.

mod key;
mod pieces;
#[cfg(test)]
mod tests;

use core::mem;
use core::ptr::NonNull;

pub(crate) use key::ListKey;
pub(crate) use pieces::Account;

use crate::error::{InsertError, TryReserveError};
use crate::raw::buffer::Buffer;
use crate::raw::rows::{Rows, Slots};
use crate::stats::Reuse;

/// No piece.
const NONE: u32 = u32::MAX;

/// How many classes there can be; class 0 is that of no piece.
const CLASSES: usize = 33;

/// Where a list lies.
#[derive(Clone, Copy)]
struct Head {
    start: u32,
    len: u32,
    class: u32,
}

impl Head {
    const EMPTY: Self = Self { start: 0, len: 0, class: 0 };
}

/// Lists, their heads, and the block that their values lie in.
pub(crate) struct Lists<T> {
    heads: Rows<Head, ListKey>,
    block: Buffer<T>,
    mark: u32,
    free: [u32; CLASSES],
}

/// How many elements the smallest piece has: room for a link, and not much less than the smallest
/// block that an allocator gives out.
const fn least<T>() -> u32 {
    match size_of::<T>() {
        0 | 1 => 8,
        2..=1024 => 4,
        _ => 1,
    }
}

/// How many elements fit into a piece of this class.
const fn room_of<T>(class: u32) -> u32 {
    match (size_of::<T>(), class) {
        (0, _) => u32::MAX,
        (_, 0) => 0,
        _ => least::<T>() << (class - 1),
    }
}

/// The smallest class with room for so many elements; `None` where no piece is so large.
fn class_for<T>(len: u32) -> Option<u32> {
    if size_of::<T>() == 0 || len == 0 {
        return Some(0);
    }
    let pieces = len.div_ceil(least::<T>()).checked_next_power_of_two()?;
    let class = pieces.trailing_zeros() + 1;
    least::<T>().checked_mul(pieces).map(|_| class)
}

/// The address of an element of a piece, or one past its end.
///
/// # Safety
/// The head is that of a piece in the block, which has at least `index` elements; or `T` has no size.
#[inline(always)]
unsafe fn place<T>(block: &Buffer<T>, head: Head, index: u32) -> NonNull<T> {
    // SAFETY: the element lies within the block, or one past it; or is nowhere.
    unsafe { block.start().add(head.start as usize + index as usize) }
}

impl<T> Lists<T> {
    pub(crate) const fn new() -> Self {
        Self {
            heads: Rows::new(Reuse::Packed),
            block: Buffer::new(),
            mark: 0,
            free: [NONE; CLASSES],
        }
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(crate) fn contains(&self, list: ListKey) -> bool {
        self.heads.get(list).is_some()
    }

    /// A new list without values.
    pub(crate) fn make(&mut self) -> Result<ListKey, TryReserveError> {
        self.heads.insert(Head::EMPTY)
    }

    #[inline]
    pub(crate) fn get(&self, list: ListKey) -> Option<&[T]> {
        self.heads.get(list).map(|head| self.values_of(*head))
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, list: ListKey) -> Option<&mut [T]> {
        let head = *self.heads.get(list)?;
        // SAFETY: the values are initialised, and the lists are borrowed exclusively.
        Some(unsafe { self.initialised(head, 0).as_mut() })
    }

    /// Each list and its values, in the order of slots.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (ListKey, &[T])> {
        self.heads.iter().map(|(list, head)| (list, self.values_of(*head)))
    }

    /// `head` is that of a list of ours.
    fn values_of(&self, head: Head) -> &[T] {
        // SAFETY: the values are initialised, and the lists are borrowed.
        unsafe { self.initialised(head, 0).as_ref() }
    }

    /// The values of a list from `from` on, which is at most their number.
    #[inline]
    fn initialised(&self, head: Head, from: u32) -> NonNull<[T]> {
        debug_assert!(from <= head.len && head.len <= room_of::<T>(head.class));
        // SAFETY: `from` lies within the piece.
        let first = unsafe { place(&self.block, head, from) };
        NonNull::slice_from_raw_parts(first, (head.len - from) as usize)
    }

    /// Appends a value; `None` if there is no such list.
    #[inline]
    pub(crate) fn push(&mut self, list: ListKey, value: T) -> Option<Result<(), InsertError<T>>> {
        let head = self.heads.get_mut(list)?;
        if head.len == room_of::<T>(head.class) {
            let head = *head;
            return self.push_growing(list, head, value);
        }
        // SAFETY: the piece has room for one more, which has no value.
        unsafe { place(&self.block, *head, head.len).write(value) };
        head.len += 1;
        Some(Ok(()))
    }

    /// Appends a value to a list whose piece is full.
    #[cold]
    #[inline(never)]
    fn push_growing(
        &mut self,
        list: ListKey,
        head: Head,
        value: T,
    ) -> Option<Result<(), InsertError<T>>> {
        match self.grow(list, head, 1) {
            Ok(()) => self.push(list, value),
            Err(reason) => Some(Err(InsertError { value, reason })),
        }
    }

    /// Makes room for one value more, and answers where in the list it goes; `None` if there is no such
    /// list.
    #[inline]
    pub(crate) fn make_room(&mut self, list: ListKey) -> Option<Result<usize, TryReserveError>> {
        let head = *self.heads.get(list)?;
        if head.len == room_of::<T>(head.class) {
            if let Err(reason) = self.grow(list, head, 1) {
                return Some(Err(reason));
            }
        }
        Some(Ok(head.len as usize))
    }

    /// Appends values until there are no more, or no room where the list lies. If the iterator panics,
    /// the values so far are in the list.
    #[inline]
    pub(crate) fn fill(&mut self, list: ListKey, values: &mut impl Iterator<Item = T>) {
        /// Says how many values there are, also while a panic unwinds.
        struct Count<'a> {
            head: &'a mut Head,
            len: u32,
        }

        impl Drop for Count<'_> {
            fn drop(&mut self) {
                self.head.len = self.len;
            }
        }

        let Some(head) = self.heads.get_mut(list) else { return };
        let (room, piece) = (room_of::<T>(head.class), *head);
        let mut count = Count { len: head.len, head };
        while count.len < room {
            let Some(value) = values.next() else { return };
            // SAFETY: the piece has room for one more, which has no value.
            unsafe { place(&self.block, piece, count.len).write(value) };
            count.len += 1;
        }
    }

    /// Takes the last value out.
    #[inline]
    pub(crate) fn pop(&mut self, list: ListKey) -> Option<T> {
        let head = self.heads.get_mut(list)?;
        head.len = head.len.checked_sub(1)?;
        // SAFETY: the value was counted, so it is initialised; it is not counted any more.
        Some(unsafe { place(&self.block, *head, head.len).read() })
    }

    /// Drops the values from `len` on. The piece stays.
    pub(crate) fn truncate(&mut self, list: ListKey, len: usize) {
        if let Some(&head) = self.heads.get(list) {
            if len < head.len as usize {
                let dead = self.initialised(head, len as u32);
                self.set_head(list, Head { len: len as u32, ..head });
                // SAFETY: the values are initialised, and are not counted any more.
                unsafe { dead.drop_in_place() };
            }
        }
    }

    /// Drops all values of a list and gives its piece back.
    pub(crate) fn clear(&mut self, list: ListKey) {
        if let Some(&head) = self.heads.get(list) {
            self.set_head(list, Head::EMPTY);
            self.release(head);
        }
    }

    /// Drops a list with its values; `false` if there is no such list.
    pub(crate) fn free(&mut self, list: ListKey) -> bool {
        let Some(head) = self.heads.remove(list) else { return false };
        self.release(head);
        true
    }

    /// Drops the lists that `keep` refuses. If it or a value's `Drop` panics, what came before is
    /// done, and the rest stays.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(ListKey, &mut [T]) -> bool) {
        for slot in 0..self.heads.book().slots() {
            let Some(list) = self.heads.key_at(slot) else { continue };
            if self.get_mut(list).is_some_and(|values| !keep(list, values)) {
                self.free(list);
            }
        }
    }

    /// Drops all lists and forgets all pieces. If a value's `Drop` panics, the others are dropped
    /// all the same.
    pub(crate) fn free_all(&mut self) {
        struct Rest<'a, T>(&'a mut Lists<T>);

        impl<T> Drop for Rest<'_, T> {
            fn drop(&mut self) {
                if self.0.len() != 0 {
                    self.0.retain(|_, _| false);
                }
                self.0.forget_pieces();
            }
        }

        let rest = Rest(self);
        if mem::needs_drop::<T>() {
            rest.0.retain(|_, _| false);
        } else {
            rest.0.heads.clear();
        }
        drop(rest);
    }

    /// Where there is no list, and half of the slots or more are retired: begins with fresh slots. Says
    /// whether it did; later keys may equal those of before.
    pub(crate) fn renew_if_worn(&mut self) -> bool {
        self.heads.renew_if_worn().is_some()
    }

    /// Of a pool that never had a list: all that are made have greater generations than this one, an even
    /// one that is not near the last.
    pub(crate) fn begin_above(&mut self, generation: u32) {
        self.heads.begin_above(generation.into());
    }

    /// The greatest generation that a list had; `None` where slots are retired, which had the last.
    pub(crate) fn reached(&self) -> Option<u32> {
        self.heads.reached().and_then(|reached| u32::try_from(reached).ok())
    }

    /// Of a pool without lists.
    fn forget_pieces(&mut self) {
        debug_assert_eq!(self.heads.len(), 0, "a list would lose its piece");
        self.mark = 0;
        self.free = [NONE; CLASSES];
    }

    /// Makes room for `additional` values more; `None` if there is no such list.
    pub(crate) fn reserve(
        &mut self,
        list: ListKey,
        additional: usize,
    ) -> Option<Result<(), TryReserveError>> {
        let head = *self.heads.get(list)?;
        if additional <= (room_of::<T>(head.class) - head.len) as usize {
            return Some(Ok(()));
        }
        Some(self.grow(list, head, additional))
    }

    /// How many values a list has room for, where it lies.
    pub(crate) fn room(&self, list: ListKey) -> usize {
        self.heads.get(list).map_or(0, |head| room_of::<T>(head.class) as usize)
    }

    fn set_head(&mut self, list: ListKey, head: Head) {
        if let Some(place) = self.heads.get_mut(list) {
            *place = head;
        }
    }

    /// Drops the values of a head that no list has any more, and gives its piece back.
    fn release(&mut self, head: Head) {
        /// Gives the piece back, also while a value's panic unwinds.
        struct GiveBack<'a, T>(&'a mut Lists<T>, Head);

        impl<T> Drop for GiveBack<'_, T> {
            fn drop(&mut self) {
                self.0.give(self.1.start, self.1.class);
            }
        }

        let dead = self.initialised(head, 0);
        let _piece = GiveBack(self, head);
        // SAFETY: the values are initialised, and no list counts them.
        unsafe { dead.drop_in_place() };
    }

    /// Moves a list to a larger piece, or makes its piece larger. On an error nothing has changed.
    #[cold]
    #[inline(never)]
    fn grow(
        &mut self,
        list: ListKey,
        head: Head,
        additional: usize,
    ) -> Result<(), TryReserveError> {
        let (len, max) = (head.len as usize, Self::LONGEST);
        let needed = len.checked_add(additional).filter(|&needed| needed <= max);
        let Some(class) = needed.and_then(|needed| class_for::<T>(needed as u32)) else {
            let requested = len.saturating_add(additional);
            return Err(TryReserveError::CapacityOverflow { requested, max });
        };
        let start = match self.extend_last(head, class) {
            true => head.start,
            false => self.take(class)?,
        };
        if start != head.start || head.class == 0 {
            self.move_values(head, start);
            self.give(head.start, head.class);
        }
        self.set_head(list, Head { start, class, ..head });
        Ok(())
    }

    /// Copies a list's values to the piece at `to`, which is another one.
    fn move_values(&mut self, head: Head, to: u32) {
        // SAFETY: both pieces lie within the block, have room for as many, and do not overlap.
        unsafe {
            let to = place(&self.block, Head { start: to, ..head }, 0);
            place(&self.block, head, 0).copy_to_nonoverlapping(to, head.len as usize);
        }
    }

    /// Moves all lists together, each into the smallest piece that it fits into, in the order of
    /// slots, and gives up the rest of the memory. On an error nothing has changed.
    pub(crate) fn compact(&mut self) -> Result<(), TryReserveError> {
        let fitting = |head: &Head| class_for::<T>(head.len).unwrap_or(head.class);
        let room = |head: &Head| match fitting(head) {
            0 => 0,
            class => room_of::<T>(class),
        };
        let rooms = self.heads.iter().map(|(_, head)| room(head) as usize).sum();
        let mut block = self.block.alike()?;
        block.resize(rooms)?;
        let mut mark = 0;
        for (_, head) in self.heads.iter_mut() {
            let moved = Head { start: mark, class: fitting(head), len: head.len };
            // SAFETY: both pieces have room for the list's values; the new block, which is not the old
            // one, was made for all pieces, of which these are the first.
            unsafe {
                let to = place(&block, moved, 0);
                place(&self.block, *head, 0).copy_to_nonoverlapping(to, head.len as usize);
            }
            mark += room(head);
            *head = moved;
        }
        self.block = block;
        self.mark = mark;
        self.free = [NONE; CLASSES];
        self.heads.shrink_to(0);
        Ok(())
    }

    /// A copy in which the same keys work.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        T: Clone,
    {
        let mut copy = Self::new();
        copy.heads = self.heads.try_clone()?;
        copy.heads.iter_mut().for_each(|(_, head)| *head = Head::EMPTY);
        for (list, values) in self.iter() {
            if let Some(reserved) = copy.reserve(list, values.len()) {
                reserved?;
            }
            for value in values {
                if let Some(pushed) = copy.push(list, value.clone()) {
                    pushed.map_err(|refused| refused.reason)?;
                }
            }
        }
        Ok(copy)
    }
}

impl<T> Drop for Lists<T> {
    fn drop(&mut self) {
        self.free_all();
    }
}

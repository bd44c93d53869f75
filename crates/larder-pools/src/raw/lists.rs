//! Lists of any length in one growing block: what [`ListPool`](crate::ListPool) is made of.
//!
//! ```text
//! heads    tag, start, length and class │ …    12 bytes a list, by slot
//! block    list 0 · · │ list 1 │ (free) │ …    pieces of 2, 4, 8, … elements
//! ```
//!
//! **Invariant.** The block below `mark` is divided into pieces, each of [`room_of`] its class elements; none overlap,
//! nothing lies between them, and `mark` is at most the block's capacity. Each piece is either
//! - *in use*: exactly one live head names it, and its first elements, as many as the head counts, are initialised; or
//! - *free*: it is linked from `free` of its class, its first four bytes hold the start of the next free piece of that
//!   class or [`NONE`], and no element of it is initialised.
//!
//! A head of class 0 names no piece and counts nothing, unless `T` has no size: such values lie nowhere, all
//! heads are of class 0, and `start` counts them.
//!
//! Heads are slots as [`lives`](crate::lives) has them: their life is the generation, and free ones are
//! linked through `start`.

mod pieces;

#[cfg(any(feature = "serde", feature = "snapshot"))]
use alloc::vec::Vec;
use core::mem;
use core::ptr::NonNull;

pub(crate) use pieces::Account;
use pieces::{CLASSES, GENERATION, Head, class_for, copy_few, room_of};

use crate::list_handle::ListKey;
use crate::lives::{Lives, NONE, Slot};
use larder_core::TryReserveError;
use larder_core::containers::layout::OneBlock;
use larder_core::past::Way;

/// The head of a list, if it is this pool's and was not freed: one comparison beside that of the slot.
#[inline(always)]
fn found(heads: &mut [Head], twist: u32, list: ListKey) -> Option<&mut Head> {
    let head = heads.get_mut((list.low() ^ twist) as usize)?;
    (head.tag == list.tag()).then_some(head)
}

/// The address of an element of a piece, or one past its end.
///
/// # Safety
/// 1. The head is that of a piece in the block; or `T` has no size.
/// 2. The piece has at least `index` elements.
#[inline(always)]
unsafe fn place<T>(block: &OneBlock<T>, head: Head, index: u32) -> NonNull<T> {
    // SAFETY: by 1 and 2 the element lies within the block, or one past it; or is nowhere.
    unsafe { block.start().add(head.start as usize + index as usize) }
}

/// A value that was not appended: the list is full, or there is none.
#[derive(Debug)]
pub(crate) enum Refused<T> {
    Full(T),
    NoList(T),
}

/// Lists, their heads, and the block that their values lie in.
pub(crate) struct Lists<T> {
    heads: Lives<Head>,
    /// Makes the lower half of a key of this pool its slot.
    twist: u32,
    /// The first free piece of each class.
    free: [u32; CLASSES],
    block: OneBlock<T>,
    mark: u32,
    /// Heads that are begun have later generations than this one, which is even.
    above: u32,
    /// None of a list that was taken back is later than this one.
    most: u32,
    /// Tells the keys of this pool from others.
    brand: u16,
}

impl<T> Lists<T> {
    pub(crate) const fn new(brand: u16) -> Self {
        Self {
            heads: Lives::new(),
            twist: ListKey::twist(brand),
            free: [NONE; CLASSES],
            block: OneBlock::new(),
            mark: 0,
            above: 0,
            most: 0,
            brand,
        }
    }

    pub(crate) const fn brand(&self) -> u16 {
        self.brand
    }

    /// Sets the number of a pool without heads. Its keys get this number, and later generations than `generation`,
    /// which is even and not near the last.
    pub(crate) fn set_brand(&mut self, brand: u16, generation: u32) {
        debug_assert!(self.heads.is_empty(), "there are keys of another number");
        self.brand = brand;
        self.twist = ListKey::twist(brand);
        self.above = generation;
    }

    pub(crate) const fn len(&self) -> usize {
        self.heads.live()
    }

    #[inline(always)]
    fn head(&self, list: ListKey) -> Option<Head> {
        let head = self.heads.get((list.low() ^ self.twist) as usize)?;
        (head.tag == list.tag()).then_some(*head)
    }

    #[inline(always)]
    fn head_mut(&mut self, list: ListKey) -> Option<&mut Head> {
        found(&mut self.heads, self.twist, list)
    }

    #[inline]
    pub(crate) fn contains(&self, list: ListKey) -> bool {
        self.head(list).is_some()
    }

    #[inline]
    pub(crate) fn get(&self, list: ListKey) -> Option<&[T]> {
        Some(self.values_of(self.head(list)?))
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, list: ListKey) -> Option<&mut [T]> {
        let head = self.head(list)?;
        // SAFETY: the values are initialised, and the lists are borrowed exclusively.
        Some(unsafe { self.initialised(head, 0).as_mut() })
    }

    /// Each list and its values, in the order of slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ListKey, &[T])> + Clone {
        let live = (0..).zip(self.heads.iter()).filter(|(_, head)| head.is_live());
        live.map(|(slot, &head)| (ListKey::of(head.tag, slot, self.brand), self.values_of(head)))
    }

    /// `head` is that of a list of ours.
    #[inline(always)]
    fn values_of(&self, head: Head) -> &[T] {
        // SAFETY: the values are initialised, and the lists are borrowed.
        unsafe { self.initialised(head, 0).as_ref() }
    }

    /// The values of a list from `from` on, which is at most their number.
    #[inline(always)]
    fn initialised(&self, head: Head, from: u32) -> NonNull<[T]> {
        debug_assert!(from <= head.len::<T>() && head.len::<T>() <= head.room::<T>());
        // SAFETY: the head is that of a piece (1), and `from` lies within it (2).
        let first = unsafe { place(&self.block, head, from) };
        NonNull::slice_from_raw_parts(first, (head.len::<T>() - from) as usize)
    }

    /// Appends a value, where the list has room.
    #[inline(always)]
    pub(crate) fn push(&mut self, list: ListKey, value: T) -> Result<(), Refused<T>> {
        let Some(head) = found(&mut self.heads, self.twist, list) else {
            return Err(Refused::NoList(value));
        };
        let (piece, len) = (*head, head.len::<T>());
        if len == head.room::<T>() {
            return Err(Refused::Full(value));
        }
        // (Before the value is written, after which the head would be read again.)
        head.set_len::<T>(len + 1);
        // SAFETY: the piece (1) has room for one more (2), which has no value.
        unsafe { place(&self.block, piece, len).write(value) };
        Ok(())
    }

    /// Appends copies, where the list has room for them all.
    #[inline(always)]
    pub(crate) fn push_copies(&mut self, list: ListKey, values: &[T]) -> bool
    where
        T: Copy,
    {
        let Some(head) = found(&mut self.heads, self.twist, list) else { return false };
        let len = head.len::<T>();
        if values.len() > (head.room::<T>() - len) as usize {
            return false;
        }
        let piece = *head;
        head.set_len::<T>(len + values.len() as u32);
        // SAFETY: the piece (1) has room for these values (2), where it has none yet; no other slice lies in it.
        unsafe {
            copy_few(NonNull::from(values).cast(), place(&self.block, piece, len), values.len());
        }
        true
    }

    /// Appends values until there are no more, or no room where the list lies. If the iterator panics, the
    /// values so far are in the list.
    #[inline]
    pub(crate) fn fill(&mut self, list: ListKey, values: &mut impl Iterator<Item = T>) {
        /// Says how many values there are, also while a panic unwinds.
        struct Count<'a, T> {
            head: &'a mut Head,
            len: u32,
            of: core::marker::PhantomData<T>,
        }

        impl<T> Drop for Count<'_, T> {
            fn drop(&mut self) {
                self.head.set_len::<T>(self.len);
            }
        }

        let Some(head) = found(&mut self.heads, self.twist, list) else { return };
        let (room, piece) = (head.room::<T>(), *head);
        let mut count = Count { len: piece.len::<T>(), head, of: core::marker::PhantomData::<T> };
        while count.len < room {
            let Some(value) = values.next() else { return };
            // SAFETY: the piece (1) has room for one more (2), which has no value.
            unsafe { place(&self.block, piece, count.len).write(value) };
            count.len += 1;
        }
    }

    /// Takes the last value out.
    #[inline(always)]
    pub(crate) fn pop(&mut self, list: ListKey) -> Option<T> {
        let head = found(&mut self.heads, self.twist, list)?;
        let len = head.len::<T>().checked_sub(1)?;
        head.set_len::<T>(len);
        // SAFETY: the value was counted, so it lies in the piece (1, 2) and is initialised; it is not counted any more.
        Some(unsafe { place(&self.block, *head, len).read() })
    }

    /// Takes the value at `index` out, whose place the last one takes; `None` if there is no such value.
    #[inline(always)]
    pub(crate) fn swap_remove(&mut self, list: ListKey, index: usize) -> Option<T> {
        let head = found(&mut self.heads, self.twist, list)?;
        let len = head.len::<T>();
        if index >= len as usize {
            return None;
        }
        let piece = *head;
        head.set_len::<T>(len - 1);
        // SAFETY: both values lie in the piece (1, 2) and are initialised; the one that is read is not
        // counted any more, or is overwritten by the other, which is not counted any more.
        unsafe {
            let hole = place(&self.block, piece, index as u32);
            let value = hole.read();
            hole.copy_from(place(&self.block, piece, len - 1), 1);
            Some(value)
        }
    }

    /// Drops the values from `len` on. The piece stays.
    pub(crate) fn truncate(&mut self, list: ListKey, len: usize) {
        let Some(head) = self.head(list) else { return };
        if len < head.len::<T>() as usize {
            if let Some(head) = self.head_mut(list) {
                head.set_len::<T>(len as u32);
            }
            self.drop_from(head, len as u32);
        }
    }

    /// Drops all values of a list and gives its piece back.
    pub(crate) fn clear(&mut self, list: ListKey) {
        if let Some(head) = self.head_mut(list) {
            let emptied = head.emptied();
            let old = mem::replace(head, emptied);
            self.release(old);
        }
    }

    /// Makes a list with room for `room` values. On an error nothing has changed.
    #[inline]
    pub(crate) fn make(&mut self, room: usize) -> Result<ListKey, TryReserveError> {
        let fill = Self::class_of(room)?;
        let start = self.take_room(fill)?;
        Ok(self.begin(start, fill))
    }

    /// A new list with room for `room` values, of values until there are no more, or no room; and whether there is
    /// none. Without values it is [`ListKey::NONE`]. On an error, or if the iterator panics, nothing has changed.
    #[inline]
    pub(crate) fn make_of(
        &mut self,
        room: usize,
        values: &mut impl Iterator<Item = T>,
    ) -> Result<(ListKey, bool), TryReserveError> {
        /// Releases a piece that no list has, and drops the values in it.
        struct Unfinished<'a, T> {
            lists: &'a mut Lists<T>,
            piece: Head,
            len: u32,
        }

        impl<T> Unfinished<'_, T> {
            /// The head of a list of the values.
            #[inline(always)]
            fn head(&self) -> Head {
                let mut head = self.piece;
                head.set_len::<T>(self.len);
                head
            }
        }

        impl<T> Drop for Unfinished<'_, T> {
            fn drop(&mut self) {
                self.lists.release(self.head());
            }
        }

        let class = Self::class_of(room)?;
        let piece = Head { tag: 0, start: self.take_room(class)?, fill: class };
        // SAFETY: the piece was taken (1).
        let first = unsafe { place(&self.block, piece, 0) };
        let room = piece.room::<T>();
        let mut unfinished = Unfinished { lists: self, piece, len: 0 };
        while unfinished.len < room {
            let Some(value) = values.next() else {
                if unfinished.len == 0 {
                    return Ok((ListKey::NONE, false));
                }
                break;
            };
            // SAFETY: the piece was taken, and has room for one more, which has no value.
            unsafe { first.add(unfinished.len as usize).write(value) };
            unfinished.len += 1;
        }
        let is_full = unfinished.len == room;
        let head = unfinished.head();
        let made = unfinished.lists.begin(head.start, head.fill);
        mem::forget(unfinished);
        Ok((made, is_full))
    }

    /// A new list of copies. On an error nothing has changed.
    #[inline]
    pub(crate) fn make_copies(&mut self, values: &[T]) -> Result<ListKey, TryReserveError>
    where
        T: Copy,
    {
        let class = Self::class_of(values.len())?;
        let mut head = Head { tag: 0, start: self.take_room(class)?, fill: class };
        // SAFETY: the piece was taken (1), and has room for all (2); no other slice lies in it.
        unsafe {
            copy_few(NonNull::from(values).cast(), place(&self.block, head, 0), values.len())
        };
        head.set_len::<T>(values.len() as u32);
        Ok(self.begin(head.start, head.fill))
    }

    /// A piece of this class, and room for the head of a list in it. On an error nothing has changed.
    #[inline(always)]
    fn take_room(&mut self, class: u32) -> Result<u32, TryReserveError> {
        if self.heads.are_full() {
            self.grow_heads()?;
        }
        self.take(class)
    }

    /// A list in a piece that was taken, with room for a head.
    #[inline(always)]
    fn begin(&mut self, start: u32, fill: u32) -> ListKey {
        let (above, brand) = (self.above, self.brand);
        let (slot, head) = self.heads.begin(|_, free| {
            let tag = free.map_or(ListKey::tag_of(above + 1, brand), |free| free.tag + GENERATION);
            Head { tag, start, fill }
        });
        ListKey::of(head.tag, slot, brand)
    }

    /// Drops a list with its values; `false` if there is no such list.
    #[inline]
    pub(crate) fn free(&mut self, list: ListKey) -> bool {
        let slot = list.low() ^ self.twist;
        let Some(old) = self.heads.leave(slot, |head| head.tag == list.tag()) else { return false };
        self.release(old);
        true
    }

    /// Drops the lists that `keep` refuses. If it or a value's `Drop` panics, what came before is done, and
    /// the rest stays.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(ListKey, &mut [T]) -> bool) {
        for slot in 0..self.slots() {
            let Some(list) = self.list_in(slot) else { continue };
            if self.get_mut(list).is_some_and(|values| !keep(list, values)) {
                self.free(list);
            }
        }
    }

    /// Drops all lists and forgets all pieces. If a value's `Drop` panics, the others are dropped all the same.
    pub(crate) fn free_all(&mut self) {
        struct Rest<'a, T>(&'a mut Lists<T>);

        impl<T> Drop for Rest<'_, T> {
            fn drop(&mut self) {
                if self.0.len() != 0 {
                    self.0.retain(|_, _| false);
                }
                self.0.mark = 0;
                self.0.free = [NONE; CLASSES];
                self.0.heads.link();
            }
        }

        Rest(self).0.retain(|_, _| false);
    }

    /// Begins with fresh heads if there is no list, and half of the heads or more are retired. Returns whether it did;
    /// later keys may equal earlier ones then.
    #[inline]
    pub(crate) fn renew_if_worn(&mut self) -> bool {
        let renewed = self.heads.renew_if_worn().is_some();
        if renewed {
            (self.above, self.most) = (0, 0);
        }
        renewed
    }

    /// The generation of each head and the free heads, the one first that is taken next; and the even
    /// generation below all that are begun.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) fn saved_heads(
        &self,
    ) -> (impl Iterator<Item = u32> + Clone, impl Iterator<Item = u32> + Clone, u32) {
        let (lives, free) = self.heads.saved();
        (lives, free, self.above)
    }

    /// Appends a list with room for `room` values in a generation, an odd one, to a pool in which none is free.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) fn append(
        &mut self,
        room: usize,
        generation: u32,
    ) -> Result<ListKey, TryReserveError> {
        debug_assert!(generation % 2 == 1, "of a list that is there");
        let slot = self.make(room)?.slot();
        let head = &mut self.heads[slot as usize];
        head.set_life(generation);
        Ok(ListKey::of(head.tag, slot, self.brand))
    }

    /// Moves the last `count` values of a vector into a list that has none, and room for them.
    ///
    /// # Panics
    /// If it has some, or no such room, or there are fewer values.
    #[cfg(any(feature = "serde", feature = "snapshot"))]
    pub(crate) fn fill_from_last(&mut self, list: ListKey, from: &mut Vec<T>, count: usize) {
        let Some(head) = found(&mut self.heads, self.twist, list) else { return };
        let has_room = head.len::<T>() == 0 && count <= head.room::<T>() as usize;
        assert!(has_room && count <= from.len(), "the values do not fit");
        let left = from.len() - count;
        let first = NonNull::from(&mut from[left..]).cast::<T>();
        let piece = *head;
        head.set_len::<T>(count as u32);
        // SAFETY: fewer values stay the vector's than it had; the others are moved, each once. The piece (1) has room
        // for them (2), and they are in another block.
        unsafe {
            from.set_len(left);
            copy_few(first, place(&self.block, piece, 0), count);
        }
    }

    /// The greatest generation that a list had, or one that is not much greater; `None` if it was the last. O(slots).
    pub(crate) fn reached(&self) -> Option<u32> {
        let generations = self.heads.iter().map(|head| head.life());
        let reached = generations.fold(self.above.max(self.most), u32::max);
        (self.heads.retired() == 0 && reached <= Head::LAST).then_some(reached)
    }

    /// Makes room for `additional` more values; `None` if there is no such list. On an error nothing has changed.
    pub(crate) fn reserve(
        &mut self,
        list: ListKey,
        additional: usize,
    ) -> Option<Result<(), TryReserveError>> {
        let head = self.head(list)?;
        let (len, room) = (head.len::<T>() as usize, head.room::<T>() as usize);
        if additional <= room - len {
            return Some(Ok(()));
        }
        Some(self.grow(list, head, len.saturating_add(additional)))
    }

    /// Makes room for a value, and some more, in a list that is full. On an error nothing has changed.
    #[inline]
    pub(crate) fn grow_by_one(&mut self, list: ListKey) -> Result<(), TryReserveError> {
        let Some(head) = self.head(list) else { return Ok(()) };
        let needed = (head.room::<T>() as usize).saturating_add(1).max(Self::FIRST_ROOM);
        self.grow(list, head, needed)
    }

    /// Makes room for `needed` values in a list that has room for fewer: moves it to a larger piece, or makes its piece
    /// larger. On an error nothing has changed.
    fn grow(&mut self, list: ListKey, head: Head, needed: usize) -> Result<(), TryReserveError> {
        if needed <= head.room::<T>() as usize {
            // The sum of lengths saturates on targets with 32-bit addresses, at the greatest length of a list.
            return Err(TryReserveError::CapacityOverflow {
                requested: needed,
                max: Self::LONGEST,
            });
        }
        let class = Self::class_of(needed)?;
        let mut grown = Head { fill: head.fill - head.class() + class, ..head };
        if !self.extend_last(head, class) {
            grown.start = self.take(class)?;
            // SAFETY: the head is that of a piece, and so is the other (1), which is larger (2); they do not overlap.
            unsafe {
                let to = place(&self.block, grown, 0);
                copy_few(place(&self.block, head, 0), to, head.len::<T>() as usize);
            }
            self.give(head.start, head.class());
        }
        if let Some(head) = self.heads.get_mut((list.low() ^ self.twist) as usize) {
            *head = grown;
        }
        Ok(())
    }

    /// Returns the class of a list that needs room for `needed` values.
    #[inline]
    pub(super) fn class_of(needed: usize) -> Result<u32, TryReserveError> {
        let (requested, max) = (needed, Self::LONGEST);
        if needed > max {
            return Err(TryReserveError::CapacityOverflow { requested, max });
        }
        Ok(class_for::<T>(needed as u32))
    }

    /// Drops the values of a head that no list has any more, and gives its piece back.
    #[inline]
    fn release(&mut self, head: Head) {
        /// Gives the piece back, also while a value's panic unwinds.
        struct GiveBack<'a, T>(&'a mut Lists<T>, Head);

        impl<T> Drop for GiveBack<'_, T> {
            fn drop(&mut self) {
                self.0.give(self.1.start, self.1.class());
            }
        }

        GiveBack(self, head).0.drop_from(head, 0);
    }

    /// Drops the values from `from` on that a head counted, and none counts any more.
    #[inline]
    fn drop_from(&mut self, head: Head, from: u32) {
        // SAFETY: the values are initialised, and no list counts them.
        unsafe { self.initialised(head, from).drop_in_place() };
    }

    /// Moves all lists together, each into the smallest piece that it fits into, in the order of slots, and
    /// gives up the rest of the memory, except for free slots if these are kept in their order. On an error nothing has
    /// changed.
    pub(crate) fn compact(&mut self, keeps_slots: bool) -> Result<(), TryReserveError> {
        let live = || self.heads.iter().filter(|head| head.is_live());
        let fitting = |head: &Head| class_for::<T>(head.len::<T>());
        let room = |head: &Head| if fitting(head) == 0 { 0 } else { room_of::<T>(fitting(head)) };
        let mut block = self.block.alike()?;
        block.resize(live().map(|head| room(head) as usize).sum())?;
        let (mut heads, above) = self.heads_in_use(keeps_slots)?;
        let mut mark = 0;
        for head in heads.iter_mut().filter(|head| head.is_live()) {
            let mut moved = Head { start: mark, fill: fitting(head), ..*head };
            moved.set_len::<T>(head.len::<T>());
            // SAFETY: both pieces (1) have room for the list's values (2); the new block, which is not the old one, was
            // made for all pieces, of which these are the first.
            unsafe {
                let to = place(&block, moved, 0);
                place(&self.block, *head, 0).copy_to_nonoverlapping(to, head.len::<T>() as usize);
            }
            mark += room(head);
            *head = moved;
        }
        (self.block, self.heads, self.mark, self.above) = (block, heads, mark, above);
        self.free = [NONE; CLASSES];
        Ok(())
    }

    pub(crate) fn slots(&self) -> u32 {
        self.heads.len() as u32
    }

    /// The list in a slot, if there is one.
    pub(crate) fn list_in(&self, slot: u32) -> Option<ListKey> {
        let head = self.heads.get(slot as usize).filter(|head| head.is_live())?;
        Some(ListKey::of(head.tag, slot, self.brand))
    }

    /// Returns whether lists have to be [caught up](Self::catch_up) before they are freed.
    pub(crate) const fn are_raised(&self) -> bool {
        self.heads.are_raised()
    }

    /// A list, which is freed next, in the last generation that its slot has reached.
    pub(crate) fn catch_up(&mut self, list: ListKey) -> ListKey {
        self.heads.catch_up(list.slot());
        self.list_in(list.slot()).unwrap_or(list)
    }

    /// Takes back a list without values or a piece, as [`Lives::take_back`] does its slot.
    pub(crate) fn take_back(&mut self, list: ListKey, is_first: bool, way: Way) {
        debug_assert!(self.head(list).is_some_and(|head| head.class() == 0));
        self.most = self.most.max(list.generation() + 1);
        self.heads.take_back(list.slot(), is_first, way);
    }

    /// Puts a list back, as [`Lives::put_back`] does its slot, without values, but with `room` for some. On an error
    /// nothing has changed.
    pub(crate) fn put_back(&mut self, list: ListKey, room: usize) -> Result<(), TryReserveError> {
        self.heads.make_way(list.slot(), list.generation())?;
        let fill = Self::class_of(room)?;
        let start = self.take(fill)?;
        self.heads.put_back(list.slot(), Head { tag: list.tag(), start, fill });
        Ok(())
    }

    /// Exchanges the values of a list with those of one of other lists. On an error nothing has changed.
    pub(crate) fn exchange(
        &mut self,
        list: ListKey,
        others: &mut Self,
        other: ListKey,
    ) -> Result<(), TryReserveError> {
        let len = |lists: &Self, list| lists.get(list).map_or(0, <[T]>::len);
        let (here, there) = (len(self, list), len(others, other));
        let both = here.min(there);
        self.reserve(list, there - both).unwrap_or(Ok(()))?;
        others.reserve(other, here - both).unwrap_or(Ok(()))?;
        let values = self.get_mut(list).unwrap_or_default();
        let other_values = others.get_mut(other).unwrap_or_default();
        values[..both].swap_with_slice(&mut other_values[..both]);
        // (One of them has no more.)
        self.move_last(here - both, list, others, other);
        others.move_last(there - both, other, self, list);
        Ok(())
    }

    /// Moves the last values of a list behind those of one of other lists, which has room for them.
    fn move_last(&mut self, count: usize, from: ListKey, others: &mut Self, to: ListKey) {
        others.fill(to, &mut (0..count).map_while(|_| self.pop(from)));
        let values = others.get_mut(to).unwrap_or_default();
        let at = values.len() - count;
        values[at..].reverse();
    }

    /// A copy in which the same keys work.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError>
    where
        T: Clone,
    {
        let mut copy = Self::new(self.brand);
        (copy.above, copy.most) = (self.above, self.most);
        copy.heads = self.heads.try_copy(self.heads.len())?;
        let live = copy.heads.iter_mut().filter(|head| head.is_live());
        live.for_each(|head| *head = head.emptied());
        for (list, values) in self.iter() {
            copy.reserve(list, values.len()).unwrap_or(Ok(()))?;
            copy.fill(list, &mut values.iter().cloned());
        }
        Ok(copy)
    }
}

impl<T> Drop for Lists<T> {
    fn drop(&mut self) {
        if mem::needs_drop::<T>() {
            self.free_all();
        }
    }
}

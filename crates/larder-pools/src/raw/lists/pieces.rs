//! The head of a list; the memory of lists: pieces of the block, handed out, taken back and cut; and room
//! for heads.
//!
//! **Invariant.** That of [`lists`](super).

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use super::Lists;
use crate::list_handle::ListKey;
use crate::lives::{Lives, NONE, Slot};
use crate::scratch::grown;
use larder_core::TryReserveError;
use larder_core::containers::layout::OneBlock;

/// The number of classes; class 0 is that of no piece.
pub(super) const CLASSES: usize = 1 << CLASS_BITS;
const CLASS_BITS: u32 = 5;

/// Returns the number of elements in the smallest piece: room for a link, and not much less than the smallest block
/// that an allocator gives out.
pub(super) const fn least<T>() -> u32 {
    match size_of::<T>() {
        0 | 1 => 8,
        2..=1024 => 2,
        _ => 1,
    }
}

/// Returns the number of elements that fit into a piece of this class.
#[inline(always)]
pub(super) const fn room_of<T>(class: u32) -> u32 {
    match size_of::<T>() {
        0 => u32::MAX,
        // 0 for class 0, without asking.
        _ => ((least::<T>() << class) >> 1) & !(least::<T>() - 1),
    }
}

/// Returns the smallest class with room for `len` elements, at most as many as a list can have.
#[inline]
pub(super) const fn class_for<T>(len: u32) -> u32 {
    if size_of::<T>() == 0 || len == 0 {
        return 0;
    }
    u32::BITS + 1 - ((len - 1) / least::<T>()).leading_zeros()
}

/// The head of a list, which names its piece.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// The upper half of the list's key: 20 bits of generation, and the upper bits of the pool's number.
    pub(super) tag: u32,
    pub(super) start: u32,
    /// From above: length, class.
    pub(super) fill: u32,
}

/// One generation, in a tag.
pub(super) const GENERATION: u32 = 1 << ListKey::GENERATION_AT;

impl Head {
    #[inline(always)]
    pub(super) const fn class(self) -> u32 {
        self.fill % CLASSES as u32
    }

    #[inline(always)]
    pub(super) const fn room<T>(self) -> u32 {
        room_of::<T>(self.class())
    }

    #[inline(always)]
    pub(super) const fn len<T>(self) -> u32 {
        if size_of::<T>() == 0 { self.start } else { self.fill >> CLASS_BITS }
    }

    #[inline(always)]
    pub(super) const fn set_len<T>(&mut self, len: u32) {
        if size_of::<T>() == 0 {
            self.start = len;
        } else {
            let more = len.wrapping_sub(self.len::<T>());
            self.fill = self.fill.wrapping_add(more << CLASS_BITS);
        }
    }

    /// Without values or a piece.
    pub(super) const fn emptied(self) -> Self {
        Self { start: 0, fill: 0, ..self }
    }
}

impl Slot for Head {
    const LAST: u32 = (1 << ListKey::GENERATION_BITS) - 1;

    #[inline(always)]
    fn life(self) -> u32 {
        self.tag / GENERATION
    }

    fn set_life(&mut self, life: u32) {
        self.tag = self.tag % GENERATION + life * GENERATION;
    }

    #[inline(always)]
    fn end(&mut self, _: u32) {
        self.tag = self.tag.wrapping_add(GENERATION);
    }

    #[inline(always)]
    fn link(&mut self) -> &mut u32 {
        &mut self.start
    }
}

/// The use of the block, in elements; and the bytes of the heads.
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
/// 1. `count` elements can be read from the one address, and written to the other.
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
    // SAFETY: by 1 the `bytes` can be read and written; by 2 none is written before it is read.
    unsafe {
        match bytes {
            4..8 => both_ends::<u32>(from, to, bytes),
            8..=16 => both_ends::<u64>(from, to, bytes),
            17..=32 => both_ends::<[u64; 2]>(from, to, bytes),
            _ => from.copy_to_nonoverlapping(to, bytes),
        }
    }
}

/// Checks that a pool can have this many heads.
#[inline]
fn check_heads(heads: usize) -> Result<(), TryReserveError> {
    let max = ListKey::MAX_SLOTS as usize;
    if heads > max {
        return Err(TryReserveError::CapacityOverflow { requested: heads, max });
    }
    Ok(())
}

impl<T> Lists<T> {
    /// The greatest number of values in a list.
    pub(crate) const LONGEST: usize = if size_of::<T>() == 0 {
        u32::MAX as usize
    } else if OneBlock::<T>::MAX < 1 << 26 {
        OneBlock::<T>::MAX
    } else {
        1 << 26
    };

    /// The least room of a list that grows by one value.
    pub(crate) const FIRST_ROOM: usize = if size_of::<T>() <= 1024 { 4 } else { 1 };

    /// Makes room for one more head at least.
    #[cold]
    #[inline(never)]
    pub(super) fn grow_heads(&mut self) -> Result<(), TryReserveError> {
        let needed = self.heads.len() + 1;
        check_heads(needed)?;
        self.heads.cover(needed)
    }

    /// The heads without the free ones at the end, linked anew, and the generation that those begun instead must be
    /// above, which is not near the last; or all, as they are. (A call of its own: so the loop has the registers that
    /// it needs.)
    #[inline(never)]
    pub(super) fn heads_in_use(&self, or_all: bool) -> Result<(Lives<Head>, u32), TryReserveError> {
        if or_all {
            return Ok((self.heads.try_copy(self.heads.len())?, self.above));
        }
        // (Retired ones have life 0.)
        let is_kept = |head: &Head| head.is_live() || !(1..=Head::LAST / 2).contains(&head.life());
        let count = self.heads.iter().rposition(is_kept).map_or(0, |last| last + 1);
        let left = self.heads[count..].iter().map(|head| head.life());
        let mut heads = self.heads.try_copy(count)?;
        heads.link();
        Ok((heads, left.fold(self.above, u32::max)))
    }

    /// Makes the block one of at least `end` elements.
    fn cover(&mut self, end: Option<u32>) -> Result<u32, TryReserveError> {
        let max = OneBlock::<T>::MAX.min(NONE as usize);
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

    /// Makes room for `lists` lists more of up to `len` values each, which then need no memory, whatever becomes of
    /// them.
    ///
    /// A piece of a class is made only where none of it is free, so there are never more of it than lists.
    pub(crate) fn reserve_lists(
        &mut self,
        lists: usize,
        len: usize,
    ) -> Result<(), TryReserveError> {
        if lists == 0 {
            return Ok(());
        }
        let all = self.len().saturating_add(lists);
        let heads = all.saturating_add(self.heads.retired());
        check_heads(heads)?;
        let largest = Self::class_of(len.max(Self::FIRST_ROOM))?;
        let mut pieces = [0; CLASSES];
        let live = self.heads.iter().filter(|head| head.is_live());
        let of_lists = live.map(|head| head.class());
        let free = self.free_pieces().map(|(_, class)| class);
        of_lists.chain(free).for_each(|class| pieces[class as usize] += 1);
        let end = (1..=largest).try_fold(self.mark, |end, class| {
            let more = all.saturating_sub(pieces[class as usize]);
            end.checked_add(room_of::<T>(class).checked_mul(u32::try_from(more).ok()?)?)
        });
        self.heads.cover(heads)?;
        self.cover(end).map(drop)
    }

    /// Makes the piece of a list one of a larger class, in place, if it is the last piece and there is memory, but none
    /// of that class is free.
    pub(super) fn extend_last(&mut self, head: Head, class: u32) -> bool {
        let is_last = head.class() != 0 && head.start + head.room::<T>() == self.mark;
        if !is_last || self.free[class as usize] != NONE {
            return false;
        }
        let covered = self.cover(head.start.checked_add(room_of::<T>(class)));
        self.mark = *covered.as_ref().unwrap_or(&self.mark);
        covered.is_ok()
    }

    /// Takes a piece of this class: a free one, a new one, or part of a larger free one where the block would have to
    /// grow. Class 0 needs no piece.
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
        let (larger, start) = (class..CLASSES as u32)
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
        unsafe { self.block.at(start as usize).cast::<u32>().write_unaligned(next) };
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
        unsafe { self.block.at(start as usize).cast::<u32>().read_unaligned() }
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

    /// The number of values for which the block has room.
    pub(crate) const fn capacity(&self) -> usize {
        if size_of::<T>() == 0 { u32::MAX as usize } else { self.block.capacity() }
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
    #[cfg_attr(not(feature = "__test"), allow(dead_code, reason = "tests call it"))]
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
        let brand = ListKey::tag_of(0, self.brand);
        let is_ours = |head: &Head| head.tag % (1 << ListKey::GENERATION_AT) == brand;
        let all_ours = self.heads.iter().all(is_ours);
        assert!(all_ours, "a head is another pool's");
    }
}

#[cfg(test)]
mod tests {
    //! Keys, classes of pieces, which piece is taken, and generations of heads.

    use super::{CLASSES, Head, ListKey, Slot, class_for, least, room_of};
    use crate::raw::lists::Lists;
    use larder_core::containers::layout::OneBlock;

    fn classes_are_the_smallest<T>() {
        let longest = Lists::<T>::LONGEST as u32;
        for len in (0..2_000).chain([4_096, 4_097, 1 << 20, longest - 1, longest]) {
            let class = class_for::<T>(len);
            assert!(room_of::<T>(class) >= len, "{len} in class {class}");
            assert!(class == 0 || room_of::<T>(class - 1) < len, "{len} in class {class}");
            assert!((class as usize) < CLASSES);
        }
        assert_eq!((class_for::<T>(0), room_of::<T>(0)), (0, 0));
        assert!(Lists::<T>::class_of(longest as usize + 1).is_err(), "no piece is so large");
        assert!(least::<T>() as usize * size_of::<T>() >= size_of::<u32>(), "room for a link");
        assert_eq!(least::<T>().count_ones(), 1);
    }

    #[test]
    fn classes_are_the_smallest_with_room() {
        classes_are_the_smallest::<u8>();
        classes_are_the_smallest::<u16>();
        classes_are_the_smallest::<[u64; 3]>();
        classes_are_the_smallest::<[u8; 2_000]>();
        assert_eq!((class_for::<()>(9), room_of::<()>(0)), (0, u32::MAX), "they lie nowhere");
    }

    /// A head that has had its last list is gone for good, unless all begin anew.
    #[test]
    fn heads_begin_anew_where_half_of_them_are_used_up() {
        const LAST: u32 = (1 << ListKey::GENERATION_BITS) - 1;
        let mut lists = Lists::<u32>::new(7);
        lists.set_brand(7, 10);
        assert_eq!(lists.reached(), Some(10), "where the number began");
        let [one, other] = [(); 2].map(|()| lists.make(1).unwrap());
        assert_eq!((one.generation(), lists.reached()), (11, Some(11)));
        assert!(lists.free(one));
        assert_eq!(lists.reached(), Some(12), "of which none is left");
        let one = lists.make(0).unwrap();
        assert_eq!((one.generation(), lists.reached()), (13, Some(13)));
        let last = ListKey::tag_of(LAST, 7);
        lists.heads[one.slot() as usize].tag = last;
        let one = ListKey::of(last, one.slot(), 7);
        assert_eq!((lists.contains(one), lists.reached()), (true, Some(LAST)));
        assert!(lists.free(one) && !lists.contains(one));
        assert_eq!(
            (lists.reached(), lists.renew_if_worn()),
            (None, false),
            "there is the other list"
        );
        assert!(lists.free(other));
        assert!(lists.renew_if_worn(), "one of two is used up");
        lists.validate();
        assert_eq!((lists.reached(), lists.make(0).unwrap().generation()), (Some(0), 1));
        assert!(!lists.renew_if_worn());
    }

    /// All values for which room was made fit.
    #[test]
    fn copies_fill_a_piece_to_its_end() {
        let mut lists = Lists::new(0);
        let list = lists.make(8).unwrap();
        assert!(lists.push_copies(list, &[1; 5]) && !lists.push_copies(list, &[2; 4]));
        assert!(lists.push_copies(list, &[3; 3]));
        assert_eq!(lists.get(list), Some(&[1, 1, 1, 1, 1, 3, 3, 3][..]));
        assert!(lists.push_copies(list, &[]) && !lists.push_copies(list, &[4]));
    }

    #[test]
    fn a_key_has_all_bits_of_its_parts() {
        assert_eq!((ListKey::GENERATION_BITS, ListKey::MAX_SLOTS), (20, 0xFFF_FFFF));
        for generation in [0, 1, 0xA_BCDE, 0xF_FFFF] {
            for brand in [0, 1, 0xABCD, 0xFFFF] {
                for slot in [0, 1, 0xABC_DEF9, 0xFFF_FFFE] {
                    let tag = ListKey::tag_of(generation, brand);
                    let key = ListKey::of(tag, slot, brand);
                    let parts = (key.generation(), key.brand(), key.slot(), key.tag());
                    assert_eq!(parts, (generation, brand, slot, tag));
                    assert_eq!(key.low() ^ ListKey::twist(brand), slot);
                    assert_eq!(Head { tag, start: 0, fill: 0 }.life(), generation);
                }
            }
        }
    }

    /// A type of which a block has room for fewer values than a list may have otherwise.
    type Huge = [u8; usize::MAX >> 24];

    #[test]
    fn lists_are_as_long_as_is_counted_and_as_there_can_be_memory() {
        assert_eq!(Lists::<()>::LONGEST, 0xFFFF_FFFF);
        assert_eq!((Lists::<u8>::LONGEST, Lists::<[u8; 9]>::LONGEST), (67_108_864, 67_108_864));
        assert_eq!(Lists::<Huge>::LONGEST, OneBlock::<Huge>::MAX);
        const { assert!(OneBlock::<Huge>::MAX < 67_108_864) };
        let first = (Lists::<u8>::FIRST_ROOM, Lists::<[u8; 1_024]>::FIRST_ROOM);
        assert_eq!((first, Lists::<[u8; 1_025]>::FIRST_ROOM), ((4, 4), 1));
    }

    #[test]
    fn the_last_list_grows_in_place() {
        let mut lists = Lists::<u32>::new(7);
        let list = lists.make(2).unwrap();
        for number in 0..100 {
            if lists.push(list, number).is_err() {
                lists.grow_by_one(list).unwrap();
                lists.push(list, number).unwrap();
            }
        }
        let account = lists.account();
        assert_eq!((account.in_lists, account.in_free_pieces, account.mark), (128, 0, 128));
        assert!(lists.get(list).unwrap().iter().copied().eq(0..100));
        lists.validate();
    }

    #[test]
    fn a_larger_piece_is_cut_only_where_the_block_would_have_to_grow() {
        let mut lists = Lists::<u32>::new(7);
        lists.reserve_rooms(100).unwrap();
        let large = lists.make(16).unwrap();
        lists.make(2).unwrap();
        lists.free(large);
        let mut made = |room| {
            lists.make(room).unwrap();
            lists.validate();
            let account = lists.account();
            (account.mark, account.in_free_pieces, account.capacity)
        };
        assert_eq!(made(2), (20, 16, 100));
        assert_eq!(made(64), (84, 16, 100));
        assert_eq!(made(8), (92, 16, 100));
        assert_eq!(made(8), (100, 16, 100));
        assert_eq!(made(2), (100, 14, 100), "the block was full");
    }

    #[test]
    fn what_is_reserved_already_needs_no_memory() {
        let mut lists = Lists::<u32>::new(7);
        for rooms in [0, 100, 100, 99] {
            lists.reserve_rooms(rooms).unwrap();
            assert_eq!(lists.account().capacity, rooms.next_multiple_of(100));
        }
    }

    #[test]
    #[should_panic(expected = "the last piece was lost")]
    fn a_lost_piece_is_noticed() {
        let mut lists = Lists::<u32>::new(7);
        lists.make(2).unwrap();
        lists.reserve_rooms(2).unwrap();
        lists.mark += 2;
        lists.validate();
    }

    #[test]
    #[should_panic(expected = "a head is another pool's")]
    fn a_head_of_another_pool_is_noticed() {
        let mut lists = Lists::<u32>::new(0x10);
        lists.make(2).unwrap();
        lists.brand = 0x20;
        lists.validate();
    }
}

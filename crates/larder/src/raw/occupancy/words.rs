//! The words of the book and their summaries: where they lie.

use core::ptr::NonNull;

use super::WORD;
use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::filled::Filled;
use crate::raw::memory::Memory;

/// On the heap one block: the words; then `room` and `present` of each group in turn; then
/// `groups_with_room`. It is laid out anew when the book grows.
///
/// In reserved and lent memory two blocks, so that nothing ever has to move: the words in `block`, and in
/// `tops` as many `groups_with_room` as there can ever be, then the summaries of groups.
///
/// **Invariant.** There are `count` words, `2 * count.div_ceil(64)` summaries of groups begin at
/// `summaries`, and `groups_with_room`, from there on, have a bit for each group. All are
/// initialised.
#[repr(C)]
pub(super) struct Words {
    block: Filled<u64>,
    /// Kept, since every removal needs it.
    summaries: NonNull<u64>,
    groups_with_room: NonNull<u64>,
    count: usize,
    /// How many `groups_with_room` there can be in reserved or lent memory; on the heap zero.
    head: usize,
    tops: Filled<u64>,
}

// SAFETY: the pointers lead into the blocks, which are owned.
unsafe impl Send for Words {}
// SAFETY: through a shared reference the words are only read.
unsafe impl Sync for Words {}

impl Words {
    pub(super) const fn new() -> Self {
        Self {
            block: Filled::new(),
            tops: Filled::new(),
            head: 0,
            count: 0,
            summaries: NonNull::dangling(),
            groups_with_room: NonNull::dangling(),
        }
    }

    /// No words yet; `memory` is that of a container's slots.
    pub(super) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let block = Filled::within(memory.scaled(|slots| slots.div_ceil(WORD)))?;
        let Some(max) = memory.max() else { return Ok(Self { block, ..Self::new() }) };
        let (head, tops) = Self::tops_for(max);
        let tops = Filled::within(memory.scaled(|_| tops))?;
        let mut words = Self { block, tops, head, ..Self::new() };
        words.find_tops();
        Ok(words)
    }

    /// How many `groups_with_room` a book of so many slots has where it grows in place, and how many
    /// elements `tops` then has.
    const fn tops_for(slots: usize) -> (usize, usize) {
        let groups = slots.div_ceil(WORD).div_ceil(WORD);
        let head = groups.div_ceil(WORD);
        (head, head + 2 * groups)
    }

    /// Where the blocks of a book end that grows in place and begins after the address `at`.
    pub(super) const fn end(at: usize, slots: usize) -> Option<usize> {
        let Some(at) = Buffer::<u64>::end(at, slots.div_ceil(WORD)) else { return None };
        Buffer::<u64>::end(at, Self::tops_for(slots).1)
    }

    /// No words yet; their memory comes from where that of these does.
    fn alike(&self) -> Result<Self, TryReserveError> {
        let (block, tops) = (self.block.alike()?, self.tops.alike()?);
        let head = if tops.grows_in_place() { self.head } else { 0 };
        let mut words = Self { block, tops, head, ..Self::new() };
        words.find_tops();
        Ok(words)
    }

    /// Says where the summaries lie.
    fn find_tops(&mut self) {
        if self.head == 0 {
            let summaries = 2 * self.count.div_ceil(WORD);
            // SAFETY: the block begins with the words.
            self.summaries = unsafe { self.block.start().add(self.count) };
            // SAFETY: the summaries follow them.
            self.groups_with_room = unsafe { self.summaries.add(summaries) };
        } else {
            self.groups_with_room = self.tops.start();
            // SAFETY: address space was reserved for them and more.
            self.summaries = unsafe { self.groups_with_room.add(self.head) };
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) fn space(&self) -> usize {
        self.block.space() + self.tops.space()
    }

    pub(super) fn bytes(&self) -> usize {
        self.block.bytes() + self.tops.bytes()
    }

    pub(super) const fn start(&self) -> NonNull<u64> {
        self.block.start()
    }

    pub(super) const fn summaries(&self) -> NonNull<u64> {
        self.summaries
    }

    /// The words, the summaries of groups, and which groups have room, for whoever need not be quick.
    pub(super) fn parts(&self) -> [&[u64]; 3] {
        let groups = self.count.div_ceil(WORD);
        let (words, rest) = self.block.split_at(self.count);
        let (summaries, groups_with_room) = if self.head == 0 {
            rest.split_at(2 * groups)
        } else {
            let (head, summaries) = self.tops.split_at(self.head.min(self.tops.len()));
            (summaries, head)
        };
        [words, &summaries[..2 * groups], &groups_with_room[..groups.div_ceil(WORD)]]
    }

    fn parts_mut(&mut self) -> [&mut [u64]; 3] {
        let groups = self.count.div_ceil(WORD);
        let (words, rest) = self.block.split_at_mut(self.count);
        let (summaries, groups_with_room) = if self.head == 0 {
            rest.split_at_mut(2 * groups)
        } else {
            let head = self.head.min(self.tops.len());
            let (head, summaries) = self.tops.split_at_mut(head);
            (summaries, head)
        };
        [words, &mut summaries[..2 * groups], &mut groups_with_room[..groups.div_ceil(WORD)]]
    }

    /// Keeps what fits; new words are all ones, new summaries are empty. On an error nothing has
    /// changed.
    pub(super) fn resize(&mut self, count: usize) -> Result<(), TryReserveError> {
        if self.head == 0 { self.lay_out(count) } else { self.resize_in_place(count) }
    }

    /// On the heap: moves everything to a block of another layout.
    fn lay_out(&mut self, count: usize) -> Result<(), TryReserveError> {
        let groups = count.div_ceil(WORD);
        let mut resized = self.alike()?;
        resized.block.resize(count + 2 * groups + groups.div_ceil(WORD), 0)?;
        resized.count = count;
        resized.find_tops();
        for (part, (old, new)) in self.parts().into_iter().zip(resized.parts_mut()).enumerate() {
            let kept = old.len().min(new.len());
            new[..kept].copy_from_slice(&old[..kept]);
            new[kept..].fill(if part == 0 { !0 } else { 0 });
        }
        resized.forget_groups_from(groups);
        *self = resized;
        Ok(())
    }

    /// In reserved or lent memory: what is new is written, what was there stays where it is.
    fn resize_in_place(&mut self, count: usize) -> Result<(), TryReserveError> {
        let groups = count.div_ceil(WORD);
        // (Where the second is refused, words past `count` are all ones already.)
        self.block.resize(count, !0)?;
        self.tops.resize(self.head + 2 * groups, 0)?;
        self.forget_groups_from(groups);
        self.count = count;
        Ok(())
    }

    /// Groups that are no more may still have had their bit.
    fn forget_groups_from(&mut self, groups: usize) {
        let (word, kept) = (groups / WORD, groups % WORD);
        let groups_with_room = if self.head == 0 {
            let [_, _, groups_with_room] = self.parts_mut();
            groups_with_room
        } else {
            &mut self.tops[..self.head]
        };
        if let Some((first, rest)) =
            groups_with_room.get_mut(word..).and_then(<[u64]>::split_first_mut)
        {
            *first &= (1 << kept) - 1;
            rest.fill(0);
        }
    }

    pub(super) fn try_clone(&self) -> Result<Self, TryReserveError> {
        let mut copy = self.alike()?;
        copy.resize(self.count)?;
        for (old, new) in self.parts().into_iter().zip(copy.parts_mut()) {
            new.copy_from_slice(old);
        }
        Ok(copy)
    }

    /// Where a word lies.
    ///
    /// # Safety
    /// `word < len()`.
    #[inline(always)]
    pub(super) unsafe fn word_at(&self, word: usize) -> NonNull<u64> {
        // SAFETY: the block begins with the words.
        unsafe { self.block.start().add(word) }
    }

    /// Where the `room` summary of a group of words lies.
    ///
    /// # Safety
    /// `group * WORD < len()`.
    #[inline(always)]
    pub(super) unsafe fn room_at(&self, group: usize) -> NonNull<u64> {
        // SAFETY: there are two summaries for each group.
        unsafe { self.summaries.add(2 * group) }
    }

    /// # Safety
    /// `word < len()`.
    #[inline(always)]
    pub(super) unsafe fn word(&self, word: usize) -> u64 {
        // SAFETY: by the contract.
        let word = unsafe { self.word_at(word) };
        // SAFETY: the words are initialised.
        unsafe { word.read() }
    }

    /// # Safety
    /// `word < len()`.
    #[inline(always)]
    pub(super) unsafe fn word_mut(&mut self, word: usize) -> &mut u64 {
        // SAFETY: by the contract.
        let mut word = unsafe { self.word_at(word) };
        // SAFETY: the words are initialised, and borrowed as `self` is.
        unsafe { word.as_mut() }
    }

    /// The `room` summary of a group of words.
    ///
    /// # Safety
    /// `group * WORD < len()`.
    #[inline(always)]
    pub(super) unsafe fn room_mut(&mut self, group: usize) -> &mut u64 {
        // SAFETY: by the contract.
        let mut room = unsafe { self.room_at(group) };
        // SAFETY: the summaries are initialised, and borrowed as `self` is.
        unsafe { room.as_mut() }
    }

    /// The `present` summary of a group of words.
    ///
    /// # Safety
    /// `group * WORD < len()`.
    #[inline(always)]
    pub(super) unsafe fn present_mut(&mut self, group: usize) -> &mut u64 {
        // SAFETY: there are two summaries for each group.
        let mut present = unsafe { self.summaries.add(2 * group + 1) };
        // SAFETY: the summaries are initialised, and borrowed as `self` is.
        unsafe { present.as_mut() }
    }

    /// Which of 64 groups have room.
    ///
    /// # Safety
    /// `index * WORD` is less than the number of groups.
    #[inline(always)]
    pub(super) unsafe fn groups_mut(&mut self, index: usize) -> &mut u64 {
        // SAFETY: there is one element for each 64 groups.
        let mut groups = unsafe { self.groups_with_room.add(index) };
        // SAFETY: they are initialised, and borrowed as `self` is.
        unsafe { groups.as_mut() }
    }
}

//! The words of the book and their summaries: where they lie.

use core::ptr::NonNull;

use super::WORD;
use crate::error::TryReserveError;
use crate::raw::filled::Filled;

/// One block: the words; then `room` and `present` of each group in turn; then `groups_with_room`.
///
/// **Invariant.** There are `count` words, and `2 * count.div_ceil(64)` summaries of groups begin at
/// `summaries`; `groups_with_room` follow them and have a bit for each group. All are initialised.
pub(super) struct Words {
    block: Filled<u64>,
    count: usize,
    /// Kept, since every removal needs it.
    summaries: NonNull<u64>,
}

// SAFETY: the pointer leads into the block, which is owned.
unsafe impl Send for Words {}
// SAFETY: through a shared reference the words are only read.
unsafe impl Sync for Words {}

impl Words {
    pub(super) const fn new() -> Self {
        Self { block: Filled::new(), count: 0, summaries: NonNull::dangling() }
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) const fn bytes(&self) -> usize {
        self.block.bytes()
    }

    pub(super) const fn start(&self) -> NonNull<u64> {
        self.block.start()
    }

    pub(super) const fn summaries(&self) -> NonNull<u64> {
        self.summaries
    }

    /// The parts of the block, for whoever need not be quick.
    pub(super) fn parts(&self) -> [&[u64]; 3] {
        let (words, rest) = self.block.split_at(self.count);
        let (summaries, groups_with_room) = rest.split_at(2 * self.count.div_ceil(WORD));
        [words, summaries, groups_with_room]
    }

    fn parts_mut(&mut self) -> [&mut [u64]; 3] {
        let (words, rest) = self.block.split_at_mut(self.count);
        let (summaries, groups_with_room) = rest.split_at_mut(2 * self.count.div_ceil(WORD));
        [words, summaries, groups_with_room]
    }

    fn with_len(count: usize) -> Result<Self, TryReserveError> {
        let groups = count.div_ceil(WORD);
        let mut block = Filled::new();
        block.resize(count + 2 * groups + groups.div_ceil(WORD), 0)?;
        // SAFETY: the block has at least so many elements.
        let summaries = unsafe { block.start().add(count) };
        Ok(Self { block, count, summaries })
    }

    /// Keeps what fits; new words are all ones, new summaries are empty. On an error nothing has
    /// changed.
    pub(super) fn resize(&mut self, count: usize) -> Result<(), TryReserveError> {
        let mut resized = Self::with_len(count)?;
        for (part, (old, new)) in self.parts().into_iter().zip(resized.parts_mut()).enumerate() {
            let kept = old.len().min(new.len());
            new[..kept].copy_from_slice(&old[..kept]);
            new[kept..].fill(if part == 0 { !0 } else { 0 });
        }
        let groups = count.div_ceil(WORD);
        let [_, _, groups_with_room] = resized.parts_mut();
        if let Some(last) = groups_with_room.last_mut().filter(|_| groups % WORD != 0) {
            // Groups that are no more may still have had their bit.
            *last &= (1 << (groups % WORD)) - 1;
        }
        *self = resized;
        Ok(())
    }

    pub(super) fn try_clone(&self) -> Result<Self, TryReserveError> {
        let mut copy = Self::with_len(self.count)?;
        copy.block.copy_from_slice(&self.block);
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
        // SAFETY: the summaries of groups are followed by one element for each 64 groups.
        let mut groups = unsafe { self.summaries.add(2 * self.count.div_ceil(WORD) + index) };
        // SAFETY: they are initialised, and borrowed as `self` is.
        unsafe { groups.as_mut() }
    }
}

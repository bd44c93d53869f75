//! Which words have room, and which have live slots: one bit for each word, and for each 64 of
//! those one more. The invariant is that of [`occupancy`](super).

use super::{Occupancy, WORD};

impl Occupancy {
    /// Makes another word current. The one that was loses its `room` bit if it is full.
    pub(crate) fn make_current(&mut self, word: usize) {
        // SAFETY: just checked.
        if self.current < self.words.len() && unsafe { self.words.word(self.current) } == !0 {
            // SAFETY: as above.
            unsafe { self.forget_room(self.current) };
        }
        self.current = word;
    }

    /// Leaves the current word for the next of its group if it is `full`: without a branch, since
    /// where holes are few, nothing tells beforehand after how many of them a word is full.
    ///
    /// # Safety
    /// `current < words.len()`.
    #[inline(always)]
    pub(super) unsafe fn advance(&mut self, full: bool) {
        let word = self.current;
        // SAFETY: by the contract.
        let room = unsafe { self.words.room_mut(word / WORD) };
        let left = *room & !(u64::from(full) << (word % WORD));
        *room = left;
        // (A group without room is not left: `hole` finds its first word full, and goes on.)
        let next = word / WORD * WORD + left.trailing_zeros() as usize % WORD;
        self.current = word ^ ((word ^ next) & usize::from(full).wrapping_neg());
    }

    /// Leaves the current word for the lowest of its group that has its `room` bit, or the lowest of
    /// all if none there has. Returns it. (Rarely it has no room any more, as it was filled while it
    /// was not current; then it is left in the same way: so what comes next depends on the holes and
    /// the current word alone.)
    ///
    /// # Safety
    /// `holes() > 0`, none of them in the current word, and none is lone.
    #[inline(always)]
    pub(super) unsafe fn next_word(&mut self) -> u64 {
        // SAFETY: `current` is a word of the book, as there are holes at all.
        unsafe { self.forget_room(self.current) };
        let group = self.current / WORD;
        // SAFETY: as above.
        let words = *unsafe { self.words.room_mut(group) };
        if words != 0 {
            // SAFETY: just checked.
            return unsafe { self.enter(group, words) };
        }
        loop {
            // SAFETY: there is a hole, so its group has its bit, from `lowest` on.
            let groups = *unsafe { self.words.groups_mut(self.lowest) };
            if groups == 0 {
                self.lowest += 1;
                continue;
            }
            let group = self.lowest * WORD + groups.trailing_zeros() as usize;
            // SAFETY: only groups of the book have their bit.
            let words = *unsafe { self.words.room_mut(group) };
            if words == 0 {
                // SAFETY: as above.
                *unsafe { self.words.groups_mut(self.lowest) } = groups & (groups - 1);
                continue;
            }
            // SAFETY: just checked.
            return unsafe { self.enter(group, words) };
        }
    }

    /// Makes the lowest of some words of a group current. Returns it.
    ///
    /// # Safety
    /// `words`, which is not zero, is the `room` summary of the group.
    #[inline(always)]
    unsafe fn enter(&mut self, group: usize, words: u64) -> u64 {
        self.current = group * WORD + words.trailing_zeros() as usize;
        // SAFETY: only words of the book have their bit.
        unsafe { self.words.word(self.current) }
    }

    /// Notes that a word has no live slot any more, or its group has room again.
    ///
    /// # Safety
    /// `word < words.len()`, and the word has room.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn note_extremes(&mut self, word: usize) {
        let group = word / WORD;
        // SAFETY: by the contract.
        if unsafe { self.words.word(word) } == 0 {
            // SAFETY: as above.
            unsafe { *self.words.present_mut(group) &= !(1 << (word % WORD)) };
        }
        // SAFETY: as above.
        unsafe { self.note_group(group) };
    }

    /// Notes in the summaries that a word has room.
    ///
    /// # Safety
    /// `word < words.len()`.
    #[inline(always)]
    pub(super) unsafe fn note_room(&mut self, word: usize) {
        let group = word / WORD;
        // SAFETY: a covered word has a group.
        let room = unsafe { self.words.room_mut(group) };
        let before = *room;
        *room = before | 1 << (word % WORD);
        if before == 0 {
            // SAFETY: as above.
            unsafe { self.note_group(group) };
        }
    }

    /// Notes that a group has room.
    ///
    /// # Safety
    /// `group * WORD < words.len()`.
    #[inline(always)]
    unsafe fn note_group(&mut self, group: usize) {
        self.lowest = self.lowest.min(group / WORD);
        // SAFETY: a group has its bit.
        unsafe { *self.words.groups_mut(group / WORD) |= 1 << (group % WORD) };
    }

    /// Notes that a word has no room. (Its group keeps its bit, until [`next_word`](Self::next_word)
    /// finds no room in it.)
    ///
    /// # Safety
    /// `word < words.len()`, and no slot of it is free.
    #[inline(always)]
    pub(super) unsafe fn forget_room(&mut self, word: usize) {
        // SAFETY: a covered word has a group.
        unsafe { *self.words.room_mut(word / WORD) &= !(1 << (word % WORD)) };
    }

    /// Whether no slot of a group of words is live.
    pub(super) fn is_group_empty(&self, group: usize) -> bool {
        let [_, summaries, _] = self.words.parts();
        summaries[2 * group + 1] == 0
    }
}

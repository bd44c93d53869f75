//! The slots at hand: those that were freed last, and are taken first. The invariant is that of
//! [`Words`].

use core::mem::{self, MaybeUninit};
use core::ptr::NonNull;

use super::WORD;
use super::words::{HAND, Parts, Words};
use crate::raw::cold_path;

impl Words {
    /// How many slots are at hand.
    #[inline(always)]
    pub(super) const fn held(&self) -> usize {
        (self.top - self.floor) as usize
    }

    /// How many slots can be at hand without more room.
    pub(super) const fn hand(&self) -> usize {
        (-1 - self.floor) as usize
    }

    /// The slot at hand that is taken next.
    #[inline(always)]
    pub(super) fn last_at_hand(&self) -> Option<usize> {
        if self.top == self.floor {
            return None;
        }
        // SAFETY: before `top` lies a slot at hand.
        Some(unsafe { self.start.cast::<u32>().offset(self.top - 1).read() } as usize)
    }

    /// A slot at hand is taken: it is live.
    ///
    /// # Safety
    /// It is the [last](Self::last_at_hand), and the book covers it.
    #[inline(always)]
    pub(super) unsafe fn pop(&mut self, slot: usize) {
        self.top -= 1;
        // SAFETY: the word is covered.
        unsafe { *self.start.add(slot / WORD).as_mut() |= 1 << (slot % WORD) };
    }

    /// A live slot becomes one at hand. Says whether there is no room left for another: then some has
    /// to be made before anything else.
    ///
    /// # Safety
    /// The book covers the slot.
    #[inline(always)]
    #[must_use]
    pub(super) unsafe fn push(&mut self, slot: usize) -> bool {
        // (Kept, since the compiler believes that what is written may be where `start` lies.)
        let start = self.start;
        // SAFETY: the word is covered; and since `top` is negative, there is room for a slot more.
        unsafe {
            let word = start.add(slot / WORD).as_mut();
            *word &= !(1 << (slot % WORD));
            if *word == 0 {
                cold_path();
                self.emptied = true;
            }
            start.cast::<u32>().offset(self.top).write(slot as u32);
        }
        self.top += 1;
        self.top == 0
    }

    /// Where the slots at hand begin.
    pub(super) fn first_at_hand(&self) -> NonNull<u32> {
        if self.count == 0 {
            return NonNull::dangling();
        }
        // SAFETY: the block has room for the hand.
        unsafe { self.start.cast().offset(self.floor) }
    }

    /// Nothing is at hand any more, and no more can be than at first.
    pub(super) fn begin_hand(&mut self) {
        self.set_hand(self.hand().min(HAND));
    }

    /// Nothing is at hand any more, but so much could be, at most [`largest_hand`](super::words::largest_hand) of the words.
    fn set_hand(&mut self, hand: usize) {
        self.floor = -(hand as isize) - 1;
        self.top = self.floor;
    }

    /// Nothing is at hand any more: words that are zero are not present.
    pub(super) fn empty_hand(&mut self) {
        if mem::take(&mut self.emptied) {
            let mut parts = self.parts_mut();
            let (mut last, mut emptied) = (usize::MAX, 0);
            for word in parts.hand.iter().map(|&slot| slot as usize / WORD) {
                if word != last && parts.words[word] == 0 {
                    emptied += u32::from(parts.note_present(word, false));
                }
                last = word;
            }
            self.empty += emptied;
        }
        self.top = self.floor;
    }

    /// Nothing is at hand any more, but so many slots are about to be, at most [`largest_hand`](super::words::largest_hand) of the
    /// words: all the parts, and where they go.
    pub(super) fn room_at_hand(
        &mut self,
        held: usize,
    ) -> Parts<&mut [u64], &mut [u8], &mut [MaybeUninit<u32>]> {
        if held > self.hand() {
            self.set_hand(held.next_power_of_two());
        }
        // SAFETY: the block has room for a hand of that size, borrowed as `self` is, and the other parts
        // lie apart.
        let hand =
            unsafe { NonNull::slice_from_raw_parts(self.first_at_hand().cast(), held).as_mut() };
        let Parts { words, present, crowds, room, .. } = self.parts_mut();
        Parts { words, present, crowds, room, hand }
    }

    /// So many slots are at hand, of whose words so many were not present, and are now.
    ///
    /// # Safety
    /// None was, and that many were written where there is [room](Self::room_at_hand).
    pub(super) unsafe fn set_held(&mut self, held: usize, filled: u32) {
        self.top += held as isize;
        self.empty -= filled;
        self.emptied |= filled > 0;
    }

    /// These slots are at hand, the last of which is taken next; none was before.
    pub(super) fn put_at_hand(&mut self, slots: impl ExactSizeIterator<Item = u32>) {
        let held = slots.len();
        let Parts { hand, .. } = self.room_at_hand(held);
        let written = hand.iter_mut().zip(slots).map(|(to, slot)| _ = to.write(slot)).count();
        assert_eq!(written, held, "as many as were announced");
        // SAFETY: so many were just written.
        unsafe { self.set_held(held, 0) };
        self.emptied |= held > 0;
    }

    /// Makes room for twice as many slots at hand. It is full.
    pub(super) fn enlarge_hand(&mut self) {
        let hand = self.hand();
        // SAFETY: the block has room for a hand of twice the size.
        unsafe {
            let first = self.first_at_hand();
            first.copy_to(first.sub(hand), hand + 1);
        }
        self.top -= hand as isize;
        self.floor -= hand as isize;
    }
}

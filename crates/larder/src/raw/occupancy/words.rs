//! The words of the book, their summaries, and the slots at hand: where they lie.

use core::mem::MaybeUninit;
use core::ptr::NonNull;

use super::{SPAN, WORD, low};
use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::cold_path;
use crate::raw::memory::Memory;

/// How many slots can be at hand at first.
pub(super) const HAND: usize = 16;

/// One block: the *head*, which is `room`, `crowds`, `present` and the slots at hand; then the words.
///
/// On the heap it is laid out anew when the book grows, in reserved and lent memory the head is one for
/// as many words as there can ever be, so that nothing has to move.
///
/// **Invariant.** There are `count` words from `start` on, and so much of each summary as [`Head`] says
/// of that many, all initialised. Where `max` is not zero, the head has room for that many words, else
/// for `count`.
///
/// The slots at hand lie right before `start`, as `u32`, one after the other, those numbered `floor` to
/// `top` as seen from there; `top` is negative, since there is room for one more.
#[repr(C)]
pub(super) struct Words {
    top: i32,
    floor: i32,
    start: NonNull<u64>,
    /// Kept, since a walk begins with it.
    present: NonNull<u64>,
    block: Buffer<u64>,
    count: u32,
    max: u32,
    /// How many words are not present.
    empty: u32,
    /// Whether a word of slots at hand may be zero, so present for their sake alone.
    emptied: bool,
}

// SAFETY: the pointers lead into the block, which is owned.
unsafe impl Send for Words {}
// SAFETY: through a shared reference all is only read.
unsafe impl Sync for Words {}

/// How many numbers each part of the head has.
struct Head {
    room: usize,
    crowds: usize,
    present: usize,
    stack: usize,
}

impl Head {
    const fn of(words: usize) -> Self {
        let present = words.div_ceil(WORD);
        Self {
            room: spans_of(words).div_ceil(size_of::<u64>()),
            crowds: present.div_ceil(WORD),
            present,
            stack: stack_for(words),
        }
    }

    const fn all(&self) -> usize {
        self.room + self.crowds + self.present + self.stack
    }
}

/// How many slots can be at hand at most in a book of so many words: 16 to 1,024, a power of two.
pub(super) const fn largest_hand(words: usize) -> usize {
    match words {
        0..4 => HAND,
        4..8 => 2 * HAND,
        8..256 => 4 * HAND,
        256..4096 => 1 << (words / 2).ilog2(),
        _ => 1024,
    }
}

/// How many numbers the slots at hand have room in, and one slot more.
const fn stack_for(words: usize) -> usize {
    largest_hand(words) / 2 + 1
}

/// How many spans so many words are.
const fn spans_of(words: usize) -> usize {
    words.div_ceil(SPAN)
}

/// The words and what says where to look in them.
pub(super) struct Parts<W, B, H> {
    pub(super) words: W,
    /// A bit for each word: whether it may have a set bit.
    pub(super) present: W,
    /// A bit for each element of `present`: whether it has a set bit.
    pub(super) crowds: W,
    /// For each span: whether it may have a hole. (A byte, since a bit would have to be read.)
    pub(super) room: B,
    /// The slots at hand; the last is taken next.
    pub(super) hand: H,
}

impl Words {
    /// No words yet, and so many slots can be at hand at first: [`HAND`] or none.
    pub(super) const fn new(hand: usize) -> Self {
        Self::of(Buffer::new(), 0, hand)
    }

    const fn of(block: Buffer<u64>, max: u32, hand: usize) -> Self {
        let (floor, nowhere) = (-(hand as i32) - 1, NonNull::dangling());
        let (start, present, count, empty, emptied) = (nowhere, nowhere, 0, 0, false);
        Self { top: floor, floor, start, present, block, count, max, empty, emptied }
    }

    /// No words yet; `memory` is that of a container's slots.
    pub(super) fn within(hand: usize, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let numbers = |slots: usize| Head::of(slots.div_ceil(WORD)).all() + slots.div_ceil(WORD);
        let block = Buffer::within(memory.scaled(numbers))?;
        let max = memory.max().map_or(0, |slots| slots.div_ceil(WORD));
        Ok(Self::of(block, max as u32, hand))
    }

    /// Where a book's block ends that grows in place and begins after the address `at`.
    pub(super) const fn end(at: usize, slots: usize) -> Option<usize> {
        let words = slots.div_ceil(WORD);
        Buffer::<u64>::end(at, Head::of(words).all() + words)
    }

    pub(super) const fn len(&self) -> usize {
        self.count as usize
    }

    pub(super) fn space(&self) -> usize {
        self.block.space()
    }

    pub(super) fn bytes(&self) -> usize {
        self.block.bytes()
    }

    pub(super) const fn start(&self) -> NonNull<u64> {
        self.start
    }

    pub(super) const fn present(&self) -> NonNull<u64> {
        self.present
    }

    fn raw_parts(&self) -> Parts<NonNull<[u64]>, NonNull<[u8]>, NonNull<[u32]>> {
        let counts = Head::of(self.len());
        let laid_out = Head::of(if self.max > 0 { self.max as usize } else { self.len() });
        let (hand, room) = (self.first_at_hand(), self.block.start());
        let crowds = if self.count > 0 {
            // SAFETY: it lies behind `room` in the block.
            unsafe { room.add(laid_out.room) }
        } else {
            room
        };
        Parts {
            words: NonNull::slice_from_raw_parts(self.start, self.len()),
            present: NonNull::slice_from_raw_parts(self.present, counts.present),
            crowds: NonNull::slice_from_raw_parts(crowds, counts.crowds),
            room: NonNull::slice_from_raw_parts(room.cast(), spans_of(self.len())),
            hand: NonNull::slice_from_raw_parts(hand, self.held()),
        }
    }

    #[inline]
    pub(super) fn parts(&self) -> Parts<&[u64], &[u8], &[u32]> {
        let Parts { words, present, crowds, room, hand } = self.raw_parts();
        // SAFETY: by the invariant; borrowed as `self` is.
        unsafe {
            Parts {
                words: words.as_ref(),
                present: present.as_ref(),
                crowds: crowds.as_ref(),
                room: room.as_ref(),
                hand: hand.as_ref(),
            }
        }
    }

    #[inline]
    pub(super) fn parts_mut(&mut self) -> Parts<&mut [u64], &mut [u8], &[u32]> {
        let Parts { mut words, mut present, mut crowds, mut room, hand } = self.raw_parts();
        // SAFETY: by the invariant; the parts lie apart, and are borrowed as `self` is.
        unsafe {
            Parts {
                words: words.as_mut(),
                present: present.as_mut(),
                crowds: crowds.as_mut(),
                room: room.as_mut(),
                hand: hand.as_ref(),
            }
        }
    }

    /// Makes the block one for so many words, and says where they lie.
    fn set_count(&mut self, count: usize) -> Result<(), TryReserveError> {
        let laid_out = if self.max > 0 { self.max as usize } else { count };
        let numbers = if count > 0 { Head::of(laid_out).all() + count } else { 0 };
        self.block.resize(numbers)?;
        self.locate(count, laid_out);
        Ok(())
    }

    /// Says where so many words lie, behind a head for as many as are said.
    fn locate(&mut self, count: usize, laid_out: usize) {
        let Self { start, present, .. } = Self::new(0);
        (self.start, self.present, self.count) = (start, present, count as u32);
        if count > 0 {
            let head = Head::of(laid_out);
            // SAFETY: both lie in the block, in that order.
            (self.start, self.present) = unsafe {
                let start = self.block.start().add(head.all());
                (start, start.sub(head.stack + head.present))
            };
        }
    }

    /// A copy with so many words: those that fit are the same; new ones are all ones, and are noted as
    /// present. No slot at hand is beyond them.
    pub(super) fn copied(&self, count: usize) -> Result<Self, TryReserveError> {
        let block = self.block.alike()?;
        let max = if block.grows_in_place() { self.max } else { 0 };
        let mut copy = Self::of(block, max, self.hand().min(HAND));
        copy.set_count(count)?;
        let kept = self.len().min(count);
        let (head, old, new) = (Head::of(kept), self.raw_parts(), copy.raw_parts());
        // SAFETY: both have so much, and lie apart.
        unsafe {
            old.words.cast::<u64>().copy_to_nonoverlapping(new.words.cast(), kept);
            old.present.cast::<u64>().copy_to_nonoverlapping(new.present.cast(), head.present);
            old.crowds.cast::<u64>().copy_to_nonoverlapping(new.crowds.cast(), head.crowds);
            old.room.cast::<u8>().copy_to_nonoverlapping(new.room.cast(), spans_of(kept));
        }
        copy.settle(kept);
        // What is cut off has no live slots, so its words are not zero.
        copy.empty = self.empty;
        copy.put_at_hand(self.parts().hand);
        Ok(copy)
    }

    /// Keeps what fits; new words are all ones, and are noted as present. No slot at hand is cut off. On
    /// an error nothing has changed.
    pub(super) fn resize(&mut self, count: usize) -> Result<(), TryReserveError> {
        if self.max == 0 {
            *self = self.copied(count)?;
            return Ok(());
        }
        let kept = self.len().min(count);
        self.set_count(count)?;
        self.settle(kept);
        Ok(())
    }

    /// Makes the words from `kept` on fresh, and the summaries say so. Up to there all is initialised.
    fn settle(&mut self, kept: usize) {
        let (count, head, new) = (self.len(), Head::of(kept), self.raw_parts());
        // SAFETY: what is new lies behind what there was, within the block.
        let Parts { present, crowds, .. } = unsafe {
            let rest = |part: NonNull<[u64]>, old| (part.cast::<u64>().add(old), part.len() - old);
            for (part, old, fresh) in [
                (new.words, kept, 0xFF),
                (new.present, head.present, 0),
                (new.crowds, head.crowds, 0),
            ] {
                let (first, count) = rest(part, old);
                first.write_bytes(fresh, count);
            }
            let spans = spans_of(kept);
            new.room.cast::<u8>().add(spans).write_bytes(0, new.room.len() - spans);
            self.parts_mut()
        };
        clear_from(present, kept);
        (kept..count).for_each(|word| set(present, word, true));
        clear_from(crowds, kept / WORD);
        (kept / WORD..present.len()).for_each(|group| set(crowds, group, present[group] != 0));
    }

    /// Whether the words lie in memory of another owner, or nowhere yet, so that they can be
    /// [moved](Self::move_to) to such memory.
    pub(super) const fn can_be_moved(&self) -> bool {
        self.max == 0 && (self.count == 0 || self.block.grows_in_place())
    }

    /// As [`resize`](Self::resize), into memory that `place` makes for so many numbers, which may be the
    /// end of the words' memory until now.
    ///
    /// # Safety
    /// [`can_be_moved`](Self::can_be_moved), and `count` is from 1 to [`SPAN`]. What `place` answers is
    /// the words' alone until they are moved or resized again, or not used any more.
    pub(super) unsafe fn move_to(
        &mut self,
        count: usize,
        place: impl FnOnce(usize) -> Result<NonNull<u64>, TryReserveError>,
    ) -> Result<(), TryReserveError> {
        // Before the hand of so few words lies one number of each summary.
        const BESIDE: usize = 3;
        const { assert!(Head::of(SPAN).all() - Head::of(SPAN).stack == BESIDE) };
        // Most often there is no hole yet, and all of it is as where it is made.
        // SAFETY: there are so many words.
        let has_holes = (0..self.len()).any(|word| unsafe { self.word(word) } != !0);
        let kept = has_holes.then(|| Kept::of(self, count));
        let head = BESIDE + stack_for(count);
        let block = place(head + count)?;
        // SAFETY: so many numbers are ours.
        unsafe {
            block.cast().write([0, 1, low(count)]);
            self.block = Buffer::borrowed(block, head + count);
            (self.present, self.start) = (block.add(BESIDE - 1), block.add(head));
            self.start.write_bytes(0xFF, count);
        }
        self.count = count as u32;
        self.begin_hand();
        if let Some(kept) = kept {
            kept.put_into(self);
        }
        Ok(())
    }

    /// # Safety
    /// `word < len()`.
    #[inline(always)]
    pub(super) unsafe fn word(&self, word: usize) -> u64 {
        // SAFETY: by the contract; the words are initialised.
        unsafe { self.start.add(word).read() }
    }

    /// # Safety
    /// `word < len()`.
    #[inline(always)]
    pub(super) unsafe fn word_mut(&mut self, word: usize) -> &mut u64 {
        // SAFETY: by the contract; the words are initialised, and borrowed as `self` is.
        unsafe { self.start.add(word).as_mut() }
    }

    /// How many words are not present.
    pub(super) const fn empty(&self) -> usize {
        self.empty as usize
    }

    /// Whether a word may be zero.
    #[inline]
    pub(super) const fn has_empty(&self) -> bool {
        self.empty > 0 || self.emptied
    }

    /// Notes that a word has set bits or slots at hand, or has neither.
    #[cold]
    #[inline(never)]
    pub(super) fn note_present(&mut self, word: usize, is_present: bool) {
        let was_present = self.parts_mut().note_present(word, is_present);
        self.empty = self.empty + u32::from(was_present) - u32::from(is_present);
    }
}

impl<B, H> Parts<&mut [u64], B, H> {
    /// Notes in the summaries that a word has set bits or slots at hand, or has neither, and says what
    /// they said before.
    #[inline]
    pub(super) fn note_present(&mut self, word: usize, is_present: bool) -> bool {
        let (group, was_present) = (word / WORD, bit(self.present, word));
        set(self.present, word, is_present);
        set(self.crowds, group, self.present[group] != 0);
        was_present
    }
}

/// What a book of at most [`SPAN`] words says while it is moved.
struct Kept {
    words: [u64; SPAN],
    count: usize,
    present: u64,
    room: u8,
    hand: [u32; largest_hand(SPAN)],
    held: usize,
}

impl Kept {
    /// Of the first words of a book, so many at most.
    #[cold]
    fn of(book: &Words, count: usize) -> Self {
        let Parts { words: all, present, room, hand: at_hand, .. } = book.parts();
        let (count, held) = (all.len().min(count), at_hand.len());
        let (mut words, mut hand) = ([!0; SPAN], [0; largest_hand(SPAN)]);
        words[..count].copy_from_slice(&all[..count]);
        hand[..held].copy_from_slice(at_hand);
        Self { words, count, present: present[0] & low(count), room: room[0], hand, held }
    }

    /// Into a book of no fewer words that are all ones.
    #[cold]
    fn put_into(&self, book: &mut Words) {
        let Parts { words, present, crowds, room, .. } = book.parts_mut();
        words[..self.count].copy_from_slice(&self.words[..self.count]);
        present[0] = present[0] & !low(self.count) | self.present;
        crowds[0] = u64::from(present[0] != 0);
        room[0] = self.room;
        book.put_at_hand(&self.hand[..self.held]);
    }
}

/// The slots at hand.
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
        Some(unsafe { self.start.cast::<u32>().offset(self.top as isize - 1).read() } as usize)
    }

    /// A slot at hand is taken: it is live.
    ///
    /// # Safety
    /// It is the [last](Self::last_at_hand), and the book covers it.
    #[inline(always)]
    pub(super) unsafe fn pop(&mut self, slot: usize) {
        self.top -= 1;
        // SAFETY: the word is covered.
        unsafe { *self.word_mut(slot / WORD) |= 1 << (slot % WORD) };
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
            start.cast::<u32>().offset(self.top as isize).write(slot as u32);
        }
        self.top += 1;
        self.top == 0
    }

    /// Where the slots at hand begin.
    fn first_at_hand(&self) -> NonNull<u32> {
        if self.count == 0 {
            return NonNull::dangling();
        }
        // SAFETY: the head has room for the hand.
        unsafe { self.start.cast().offset(self.floor as isize) }
    }

    /// Nothing is at hand any more, and no more can be than at first.
    pub(super) fn begin_hand(&mut self) {
        self.set_hand(self.hand().min(HAND));
    }

    /// Nothing is at hand any more, but so much could be, at most [`largest_hand`] of the words.
    fn set_hand(&mut self, hand: usize) {
        self.floor = -(hand as i32) - 1;
        self.top = self.floor;
    }

    /// Nothing is at hand any more: words that are zero are not present.
    pub(super) fn empty_hand(&mut self) {
        if core::mem::take(&mut self.emptied) {
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

    /// Nothing is at hand any more, but so many slots are about to be, at most [`largest_hand`] of the
    /// words: all the parts, and where they go.
    pub(super) fn room_at_hand(
        &mut self,
        held: usize,
    ) -> Parts<&mut [u64], &mut [u8], &mut [MaybeUninit<u32>]> {
        if held > self.hand() {
            self.set_hand(held.next_power_of_two());
        }
        // SAFETY: the head has room for a hand of that size, borrowed as `self` is, and the other parts
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
        self.top += held as i32;
        self.empty -= filled;
        self.emptied |= filled > 0;
    }

    pub(super) fn put_at_hand(&mut self, slots: &[u32]) {
        let Parts { hand, .. } = self.room_at_hand(slots.len());
        hand.iter_mut().zip(slots).for_each(|(to, &slot)| _ = to.write(slot));
        // SAFETY: so many were just written.
        unsafe { self.set_held(slots.len(), 0) };
        self.emptied = true;
    }

    /// Makes room for twice as many slots at hand. It is full.
    pub(super) fn enlarge_hand(&mut self) {
        let hand = self.hand();
        // SAFETY: the head has room for a hand of twice the size.
        unsafe {
            let first = self.first_at_hand();
            first.copy_to(first.sub(hand), hand + 1);
        }
        self.top -= hand as i32;
        self.floor -= hand as i32;
    }
}

/// Whether a bit of a summary is set.
pub(super) fn bit(summary: &[u64], bit: usize) -> bool {
    summary[bit / WORD] >> (bit % WORD) & 1 == 1
}

/// Makes a bit of a summary what is said.
fn set(summary: &mut [u64], bit: usize, value: bool) {
    let word = &mut summary[bit / WORD];
    *word = *word & !(1 << (bit % WORD)) | u64::from(value) << (bit % WORD);
}

/// Clears the bits from `first` on.
fn clear_from(summary: &mut [u64], first: usize) {
    if let Some((word, rest)) = summary.get_mut(first / WORD..).and_then(<[u64]>::split_first_mut) {
        *word &= (1 << (first % WORD)) - 1;
        rest.fill(0);
    }
}

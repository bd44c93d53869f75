//! The words of the book, their summaries, and the slots at hand: where they lie.
//!
//! **Invariant.** That of [`Words`]: each piece lies in the block where [`Layout`] says, apart from the
//! others; words and summaries are initialised as far as `count` says, and of the slots at hand those
//! from `floor` to `top`. Where there are no words, nothing is read.

use core::mem;
use core::ptr::NonNull;

use super::{SPAN, WORD, low};
use crate::error::TryReserveError;
use crate::raw::after;
use crate::raw::buffer::Buffer;
use crate::raw::memory::Memory;
#[cfg(any(feature = "reserved", test))]
use crate::raw::sys;

/// How many slots can be at hand at first.
pub(super) const HAND: usize = 16;

/// One block: the slots at hand, the words, and the summaries.
///
/// On the heap it is laid out anew when the book grows. In reserved and lent memory it is laid out for as
/// many words as there can ever be, so that nothing has to move: there the words, with what comes before
/// them, `present`, with `crowds`, and `room` are parts that grow in place.
///
/// **Invariant.** The block is laid out as [`Layout`] says, for `max` words where that is not zero, else
/// for `count`. There are `count` words from `start` on, and summaries of that many, all initialised.
///
/// The slots at hand lie right before `start`, as `u32`, one after the other, those numbered `floor` to
/// `top` as seen from there; `top` is negative, since there is room for one more.
#[repr(C)]
pub(super) struct Words {
    pub(super) top: isize,
    pub(super) floor: isize,
    pub(super) start: NonNull<u64>,
    /// Kept, since a walk begins with it.
    present: NonNull<u64>,
    block: Buffer<u64>,
    pub(super) count: u32,
    max: u32,
    /// How many words are not present.
    pub(super) empty: u32,
    /// Whether a word of slots at hand may be zero, so present for their sake alone.
    pub(super) emptied: bool,
    /// Whether a large block of the heap is advised to use huge pages. (One that was borrowed does not
    /// know.)
    pub(super) wants_huge: bool,
}

// SAFETY: the pointers lead into the block, which is owned.
unsafe impl Send for Words {}
// SAFETY: through a shared reference all is only read.
unsafe impl Sync for Words {}

/// Where each piece begins, in numbers.
#[derive(Clone, Copy)]
struct Layout {
    words: usize,
    crowds: usize,
    present: usize,
    room: usize,
    /// How many numbers there are.
    all: usize,
}

impl Layout {
    /// For so many words; each part begins at a multiple of `grain`, a power of two. (A division would take
    /// as long as finding a few holes.)
    const fn of(words: usize, grain: usize) -> Self {
        if words == 0 {
            return Self { words: 0, crowds: 0, present: 0, room: 0, all: 0 };
        }
        let (stack, groups) = (largest_hand(words) / 2 + 1, words.div_ceil(WORD));
        let crowds = (stack + words + grain - 1) & !(grain - 1);
        let present = crowds + groups.div_ceil(WORD);
        let room = (present + groups + grain - 1) & !(grain - 1);
        let all = room + spans_of(words).div_ceil(size_of::<u64>());
        Self { words: stack, crowds, present, room, all }
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

/// The same, not borrowed.
type RawParts = Parts<NonNull<[u64]>, NonNull<[u8]>, NonNull<[u32]>>;

impl Words {
    /// No words yet, and so many slots can be at hand at first: [`HAND`] or none.
    pub(super) const fn new(hand: usize) -> Self {
        Self::of(Buffer::new(), 0, hand)
    }

    const fn of(block: Buffer<u64>, max: u32, hand: usize) -> Self {
        let (floor, nowhere) = (-(hand as isize) - 1, NonNull::dangling());
        let (start, present, count, empty) = (nowhere, nowhere, 0, 0);
        let (emptied, wants_huge) = (false, true);
        Self { top: floor, floor, start, present, block, count, max, empty, emptied, wants_huge }
    }

    /// No words, as at first.
    pub(super) fn forget(&mut self, hand: usize) {
        *self = Self { wants_huge: self.wants_huge, ..Self::new(hand) };
    }

    /// No words yet; `memory` is that of a container's slots.
    pub(super) fn within(hand: usize, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let grain = match memory {
            #[cfg(feature = "reserved")]
            Memory::Reserved { huge: true, .. } => sys::HUGE_PAGE,
            #[cfg(feature = "reserved")]
            Memory::Reserved { huge: false, .. } => sys::GRAIN,
            _ => size_of::<u64>(),
        };
        let grain = grain / size_of::<u64>();
        let numbers = |slots: usize| Layout::of(slots.div_ceil(WORD), grain).all;
        let max = memory.max().map_or(0, |slots| slots.div_ceil(WORD));
        let wants_huge = matches!(memory, Memory::Heap { huge: true });
        let block = Buffer::within(memory.scaled(numbers))?;
        Ok(Self { wants_huge, ..Self::of(block, max as u32, hand) })
    }

    /// Where a book's block ends that grows in place and begins after the address `at`.
    pub(super) const fn end(at: usize, slots: usize) -> Option<usize> {
        Buffer::<u64>::end(at, Layout::of(slots.div_ceil(WORD), 1).all)
    }

    fn layout(&self) -> Layout {
        Layout::of(self.most(), self.grain())
    }

    /// For how many words the block is laid out.
    const fn most(&self) -> usize {
        (if self.max > 0 { self.max } else { self.count }) as usize
    }

    /// What its parts begin at a multiple of, in numbers: a power of two.
    fn grain(&self) -> usize {
        (self.block.grain() / size_of::<u64>()).max(1)
    }

    pub(super) const fn len(&self) -> usize {
        self.count as usize
    }

    pub(super) fn space(&self) -> usize {
        self.block.space()
    }

    pub(super) fn bytes(&self) -> usize {
        let parts = if self.max > 0 { self.parts_for(self.len()) } else { [0; 2] };
        let committed = |bytes: usize| bytes.next_multiple_of(self.block.grain());
        self.block.bytes() + parts.into_iter().map(committed).sum::<usize>()
    }

    pub(super) const fn start(&self) -> NonNull<u64> {
        self.start
    }

    #[inline]
    pub(super) const fn words(&self) -> &[u64] {
        // SAFETY: by the invariant so many words are initialised there; they are
        // borrowed as `self` is.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.len()).as_ref() }
    }

    pub(super) const fn present(&self) -> NonNull<u64> {
        self.present
    }

    /// (Found from `present`, which is quicker than to lay all out anew.)
    #[inline]
    fn raw_parts(&self) -> RawParts {
        let (groups, most) = (self.len().div_ceil(WORD), self.most().div_ceil(WORD));
        let (grain, mut crowds, mut room) = (self.grain(), self.present, self.present);
        if self.count > 0 {
            // SAFETY: they lie in the block, `crowds` right before `present`, and `room` behind it.
            unsafe {
                let behind = self.present.offset_from(self.block.start()) as usize + most;
                room = self.block.start().add((behind + grain - 1) & !(grain - 1));
                crowds = self.present.sub(most.div_ceil(WORD));
            }
        }
        Parts {
            words: NonNull::slice_from_raw_parts(self.start, self.len()),
            present: NonNull::slice_from_raw_parts(self.present, groups),
            crowds: NonNull::slice_from_raw_parts(crowds, groups.div_ceil(WORD)),
            room: NonNull::slice_from_raw_parts(room.cast(), spans_of(self.len())),
            hand: NonNull::slice_from_raw_parts(self.first_at_hand(), self.held()),
        }
    }

    #[inline]
    pub(super) fn parts(&self) -> Parts<&[u64], &[u8], &[u32]> {
        let Parts { words, present, crowds, room, hand } = self.raw_parts();
        // SAFETY: by the invariant the parts lie in the block, initialised; they are
        // borrowed as `self` is.
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
        // SAFETY: by the invariant the parts lie in the block, initialised and apart; they are
        // borrowed as `self` is.
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

    /// How many bytes of the parts behind the words a block that grows in place needs.
    fn parts_for(&self, words: usize) -> [usize; 2] {
        let (layout, groups) = (self.layout(), words.div_ceil(WORD));
        let present = if words > 0 { layout.present - layout.crowds + groups } else { 0 };
        [present * size_of::<u64>(), spans_of(words)]
    }

    /// Makes the block one for so many words, and says where they lie.
    fn set_count(&mut self, count: usize) -> Result<(), TryReserveError> {
        if self.max == 0 {
            self.block.resize(Layout::of(count, 1).all)?;
        } else {
            let layout = self.layout();
            self.block.resize(if count > 0 { layout.words + count } else { 0 })?;
            let parts = self.parts_for(self.len()).into_iter().zip(self.parts_for(count));
            for (at, (old, new)) in [layout.crowds, layout.room].into_iter().zip(parts) {
                // SAFETY: (1) words that have a maximum grow in place; (2) the part is one of the
                // layout, (3) of so many bytes, in grains of its own.
                unsafe { self.block.block_mut().0.resize_part(at * size_of::<u64>(), old, new) }?;
            }
        }
        self.count = count as u32;
        (self.start, self.present) = (NonNull::dangling(), NonNull::dangling());
        if count > 0 {
            let (layout, first) = (self.layout(), self.block.start());
            (self.start, self.present) = (after(first, layout.words), after(first, layout.present));
        }
        Ok(())
    }

    /// A copy with so many words: those that fit are the same; new ones are all ones, and are noted as
    /// present. No slot at hand is beyond them.
    pub(super) fn copied(&self, count: usize) -> Result<Self, TryReserveError> {
        let wants_huge = self.wants_huge;
        let block = match self.max {
            0 => Buffer::within(Memory::Heap { huge: wants_huge })?,
            _ => self.block.alike()?,
        };
        let max = if block.grows_in_place() { self.max } else { 0 };
        let mut copy = Self { wants_huge, ..Self::of(block, max, self.hand().min(HAND)) };
        copy.set_count(count)?;
        let kept = self.len().min(count);
        let (groups, old, new) = (kept.div_ceil(WORD), self.raw_parts(), copy.raw_parts());
        // SAFETY: both have so much, and lie apart.
        unsafe {
            old.words.cast::<u64>().copy_to_nonoverlapping(new.words.cast(), kept);
            old.present.cast::<u64>().copy_to_nonoverlapping(new.present.cast(), groups);
            let crowds = groups.div_ceil(WORD);
            old.crowds.cast::<u64>().copy_to_nonoverlapping(new.crowds.cast(), crowds);
            old.room.cast::<u8>().copy_to_nonoverlapping(new.room.cast(), spans_of(kept));
        }
        copy.settle(kept);
        // What is cut off has no live slots, so its words are not zero.
        copy.empty = self.empty;
        copy.put_at_hand(self.parts().hand.iter().copied());
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
        let (count, groups, new) = (self.len(), kept.div_ceil(WORD), self.raw_parts());
        // SAFETY: what is new lies behind what there was, within the block.
        let Parts { present, crowds, .. } = unsafe {
            let fill = |part: NonNull<[u64]>, old, fresh| {
                part.cast::<u64>().add(old).write_bytes(fresh, part.len() - old);
            };
            fill(new.words, kept, 0xFF);
            fill(new.present, groups, 0);
            fill(new.crowds, groups.div_ceil(WORD), 0);
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
    /// 1. [`can_be_moved`](Self::can_be_moved), and `count` is from 1 to [`SPAN`].
    /// 2. What `place` answers is the words' alone until they are moved or resized again, or not used any more.
    #[inline]
    pub(super) unsafe fn move_to(
        &mut self,
        count: usize,
        place: impl FnOnce(usize) -> Result<NonNull<u64>, TryReserveError>,
    ) -> Result<(), TryReserveError> {
        // Behind so few words lies one number of each summary.
        const { assert!(Layout::of(SPAN, 1).all - Layout::of(SPAN, 1).crowds == 3) };
        // Most often there is no hole yet, and all of it is as where it is made.
        let has_holes = self.words().iter().any(|&word| word != !0);
        let kept = has_holes.then(|| Kept::of(self, count));
        let stack = largest_hand(count) / 2 + 1;
        let block = place(stack + count + 3)?;
        // SAFETY: by (2) so many numbers are the words' alone.
        unsafe {
            let borrowed = Buffer::borrowed(block, stack + count + 3);
            // (There is nothing to be given back.)
            mem::forget(mem::replace(&mut self.block, borrowed));
            (self.start, self.present) = (block.add(stack), block.add(stack + count + 1));
            // (A single one, as a small container has, needs no call that fills memory.)
            self.start.write(!0);
            if count > 1 {
                self.start.add(1).write_bytes(0xFF, count - 1);
            }
            self.present.sub(1).cast().write([1, low(count), 0]);
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
        // SAFETY: there are `count` words, all initialised, of which this is one.
        unsafe { self.start.add(word).read() }
    }

    #[inline]
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        self.parts_mut().words
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
        book.put_at_hand(self.hand[..self.held].iter().copied());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_the_block_lie_one_after_the_other() {
        let mut before = (0, 0);
        for words in (1..300).chain([4_095, 4_096, 4_097, 1 << 24]) {
            for grain in [1, 8_192] {
                let layout = Layout::of(words, grain);
                let groups = words.div_ceil(WORD);
                assert!(layout.words * 2 > largest_hand(words), "one more than the hand fits");
                assert!(layout.crowds >= layout.words + words);
                assert!(layout.present >= layout.crowds + groups.div_ceil(WORD));
                assert!(layout.room >= layout.present + groups);
                assert!((layout.all - layout.room) * 8 >= spans_of(words));
                assert_eq!((layout.crowds % grain, layout.room % grain), (0, 0));
            }
            let larger = (largest_hand(words), Layout::of(words, 1).all);
            assert!(larger.0 >= before.0 && larger.0.is_power_of_two(), "of {words} words");
            assert!(larger.1 > before.1, "what fits is found by halving");
            let most = (words / 2).clamp(4 * HAND, 1_024);
            assert!(
                (HAND..=most).contains(&larger.0),
                "the hand is a quarter of the words at most"
            );
            before = larger;
        }
        assert_eq!(Layout::of(0, 1).all, 0, "nothing needs no memory");
    }

    #[test]
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    fn a_book_that_began_in_memory_of_another_owner_has_huge_pages_where_they_are_wanted() {
        for huge in [true, false] {
            let mut tail = [0_u64; 64];
            let mut book =
                Words::within(HAND, Memory::Heap { huge }).expect("nothing is asked for");
            // SAFETY: (1) it has no words yet; (2) the array is not used until the book has moved.
            unsafe { book.move_to(1, |_| Ok(NonNull::from(&mut tail).cast())) }.expect("it fits");
            book.resize(SPAN).expect("there is memory");
            book.resize(sys::HUGE_FROM / size_of::<u64>()).expect("there is memory");
            assert_eq!(book.block.is_huge(), huge);
        }
    }

    #[test]
    #[cfg(all(feature = "reserved", not(miri)))]
    fn parts_that_grow_in_place_reach_to_the_end_of_what_lies_in_them() {
        let memory = Memory::Reserved { max: 1 << 24, huge: false, ahead: false };
        let mut book = Words::within(HAND, memory).expect("there are addresses");
        for words in [1, 64, 65, 5_000, 40_000, 0, 700] {
            book.resize(words).expect("there is memory");
            let Parts { present, crowds, room, .. } = book.raw_parts();
            let end = present.cast::<u64>().as_ptr().addr() + present.len() * size_of::<u64>();
            let summaries = if words > 0 { end - crowds.cast::<u64>().as_ptr().addr() } else { 0 };
            assert_eq!(book.parts_for(words), [summaries, room.len()], "of {words} words");
            let parts = [summaries, room.len()].map(|bytes| bytes.next_multiple_of(sys::GRAIN));
            let first = book.layout().words + words;
            let first = if words > 0 { first * size_of::<u64>() } else { 0 };
            let pages = first.next_multiple_of(sys::GRAIN) + parts[0] + parts[1];
            assert_eq!(book.bytes(), pages, "of {words} words");
        }
    }

    #[test]
    fn summaries_are_set_and_cleared_bit_by_bit() {
        let mut summary = [0; 3];
        set(&mut summary, 70, true);
        set(&mut summary, 191, true);
        assert_eq!(summary, [0, 1 << 6, 1 << 63]);
        assert!(bit(&summary, 70) && !bit(&summary, 71));
        clear_from(&mut summary, 71);
        assert_eq!(summary, [0, 1 << 6, 0]);
        set(&mut summary, 70, false);
        clear_from(&mut summary, 192);
        assert_eq!(summary, [0; 3]);
    }
}

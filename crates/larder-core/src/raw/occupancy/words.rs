//! The words of the book, their summaries, and the slots at hand: where they lie.
//!
//! **Invariant.** That of [`Words`]: each piece lies in the block where [`BookLayout`] says, apart from the
//! others; words and summaries are initialised as far as `count` says, and of the slots at hand those
//! from `floor` to `top`. Where there are no words, nothing is read.

use core::ptr::NonNull;

use super::{SPAN, WORD, low};
use crate::error::TryReserveError;
use crate::memory::Extent;
use crate::memory::after;
use crate::memory::buffer::Buffer;
use crate::memory::source::Memory;
#[cfg(any(feature = "reserved", test))]
use crate::memory::sys;
use crate::stats::Reuse;

/// The number of slots that can be at hand at first.
pub(super) const HAND: usize = 16;

/// The length of a [`Head`], in numbers.
const HEAD: usize = size_of::<Head>() / size_of::<u64>();

/// The number of slots at hand that would fit between them and the words.
pub(super) const BETWEEN: isize = (size_of::<Head>() / size_of::<u32>()) as isize;

/// One block: the slots at hand, a head, the words, and the summaries.
///
/// On the heap it is laid out anew when the book grows, and a small one may be the end of another owner's
/// block. In reserved and lent memory it is a [`WordsInPlace`].
///
/// **Invariant.** The block is laid out as [`BookLayout`] says, for `most` words of the head, which is `count` if
/// it does not grow in place. There are `count` words from `start` on, and summaries of that many, all initialised.
/// Without words there is no block.
///
/// The head lies right before `start`, and the slots at hand right before the head, as `u32`, one after the other,
/// those numbered `floor` to `top` as seen from there; `top` is negative, since there is room for one more.
#[repr(C)]
pub(super) struct Words {
    // (It is as wide as an address, since each pair of a removal and an insertion waits for it: a load that widens a
    // number does not take it directly from the store before.)
    pub(super) top: isize,
    pub(super) start: NonNull<u64>,
    pub(super) count: u32,
    pub(super) floor: i16,
    /// [`Words::AT_HAND`], [`Words::ABSENT`], [`Words::HUGE`], [`Words::LIFO`], [`Words::FIFO`].
    pub(super) flags: u8,
    pub(super) place: WordsPlace,
}

/// The seldom needed part of a book that has words.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct Head {
    /// The word that a search begins with.
    pub(super) cursor: u32,
    /// No span below this is noted in `room`.
    pub(super) lowest: u32,
    /// The number of words that are not present.
    pub(super) empty: u32,
    /// The number of words for which the block is laid out.
    most: u32,
}

/// The place of the block.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum WordsPlace {
    /// On the heap; it is the words' own, if there are any.
    Own,
    /// In memory of another owner.
    Borrowed,
    /// In a [`WordsInPlace`] whose parts begin anywhere, at pages, or at huge pages.
    Lent,
    #[cfg(feature = "reserved")]
    Pages,
    #[cfg(feature = "reserved")]
    HugePages,
}

impl WordsPlace {
    /// Returns the number of numbers of which the start of each part is a multiple: a power of two.
    const fn grain(self) -> usize {
        match self {
            Self::Own | Self::Borrowed | Self::Lent => 1,
            #[cfg(feature = "reserved")]
            Self::Pages => sys::GRAIN / size_of::<u64>(),
            #[cfg(feature = "reserved")]
            Self::HugePages => sys::HUGE_PAGE / size_of::<u64>(),
        }
    }

    const fn grows_in_place(self) -> bool {
        !matches!(self, Self::Own | Self::Borrowed)
    }
}

// SAFETY: the pointer leads into the block, which is owned.
unsafe impl Send for Words {}
// SAFETY: through a shared reference all is only read.
unsafe impl Sync for Words {}

/// The start of each piece, in numbers.
#[derive(Clone, Copy)]
struct BookLayout {
    words: usize,
    crowds: usize,
    present: usize,
    room: usize,
    /// The length in numbers.
    all: usize,
}

impl BookLayout {
    /// Returns the layout for that number of words; each part begins at a multiple of `grain`, a power of two. (A
    /// division would take as long as finding a few holes.)
    const fn of(words: usize, grain: usize, reuse: Reuse) -> Self {
        if words == 0 {
            return Self { words: 0, crowds: 0, present: 0, room: 0, all: 0 };
        }
        let (before, groups) = (stack_for(words, reuse) + HEAD, words.div_ceil(WORD));
        let crowds = (before + words + grain - 1) & !(grain - 1);
        let present = crowds + groups.div_ceil(WORD);
        let room = (present + groups + grain - 1) & !(grain - 1);
        let all = room + spans_of(words).div_ceil(size_of::<u64>());
        Self { words: before, crowds, present, room, all }
    }

    /// Returns the lengths of the parts behind `words` words.
    const fn parts_for(self, words: usize) -> [usize; 2] {
        let present = self.present - self.crowds + words.div_ceil(WORD);
        [if words > 0 { present * size_of::<u64>() } else { 0 }, spans_of(words)]
    }
}

/// Returns the greatest number of slots that can be at hand in a book of `words` words: 16 to 1,024, a power of two.
pub(super) const fn largest_hand(words: usize) -> usize {
    match words {
        0..4 => HAND,
        4..8 => 2 * HAND,
        8..15 => 4 * HAND,
        15..256 => 8 * HAND,
        256..4096 => 1 << (words / 2).ilog2(),
        _ => 1024,
    }
}

/// The number of slots that can be at hand at first.
/// (What is freed last is not taken first from a queue, whose hand holds nothing.)
pub(super) const fn hand_for(reuse: Reuse) -> usize {
    if matches!(reuse, Reuse::Fifo) { 0 } else { HAND }
}

/// The [`floor`](Words::floor) of a hand with room for `hand` slots, at most 1,024.
pub(super) const fn floor_of(hand: usize) -> i16 {
    -1 - hand as i16
}

/// Returns the length of the hand in a book of `words` words, in numbers, and one more.
const fn stack_for(words: usize, reuse: Reuse) -> usize {
    if matches!(reuse, Reuse::Fifo) { 1 } else { largest_hand(words) / 2 + 1 }
}

/// Returns the number of spans of `words` words.
const fn spans_of(words: usize) -> usize {
    words.div_ceil(SPAN)
}

/// The words and what says where to look in them.
pub(super) struct WordParts<W, B, H> {
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
type RawWordParts = WordParts<NonNull<[u64]>, NonNull<[u8]>, NonNull<[u32]>>;

/// The block of words in reserved or lent memory. It is laid out for as many words as there can ever be, so that
/// nothing has to move: the words, with what comes before them, `present`, with `crowds`, and `room` are parts that
/// grow in place.
pub(super) struct WordsInPlace {
    block: Buffer<u64>,
    max: u32,
    reuse: Reuse,
}

impl WordsInPlace {
    /// There is none: words are on the heap.
    pub(super) const fn none() -> Self {
        Self { block: Buffer::new(), max: 0, reuse: Reuse::Packed }
    }

    /// No words yet; `memory` is that of a container's slots.
    #[inline]
    pub(super) fn within(reuse: Reuse, memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let grain = match memory {
            #[cfg(feature = "reserved")]
            Memory::Reserved { huge: true, .. } => WordsPlace::HugePages,
            #[cfg(feature = "reserved")]
            Memory::Reserved { huge: false, .. } => WordsPlace::Pages,
            _ => WordsPlace::Lent,
        };
        let numbers = |slots: usize| BookLayout::of(slots.div_ceil(WORD), grain.grain(), reuse).all;
        let max = memory.max().map_or(0, |slots| slots.div_ceil(WORD));
        Ok(Self { block: Buffer::within(memory.scaled(numbers))?, max: max as u32, reuse })
    }

    /// Like [`within`](Self::within), in memory from where that of this one comes; none if that was lent.
    #[inline]
    pub(super) fn alike(&self) -> Result<Self, TryReserveError> {
        let block = self.block.alike()?;
        let max = if block.grows_in_place() { self.max } else { 0 };
        Ok(Self { block, max, reuse: self.reuse })
    }

    const fn place(&self) -> WordsPlace {
        if !self.block.grows_in_place() {
            return WordsPlace::Own;
        }
        match self.block.grain() {
            #[cfg(feature = "reserved")]
            sys::GRAIN => WordsPlace::Pages,
            #[cfg(feature = "reserved")]
            sys::HUGE_PAGE => WordsPlace::HugePages,
            _ => WordsPlace::Lent,
        }
    }

    fn layout(&self) -> BookLayout {
        BookLayout::of(self.max as usize, self.place().grain(), self.reuse)
    }

    /// Returns the memory that it has if there are that many words.
    pub(super) fn memory(&self, words: usize) -> Extent {
        let (layout, grain) = (self.layout(), self.block.grain());
        let [present, room] = if self.max > 0 { layout.parts_for(words) } else { [0; 2] };
        let bytes = present.next_multiple_of(grain) + room.next_multiple_of(grain);
        self.block.memory() + Extent { bytes, space: 0 }
    }

    /// Makes it one for `count` words, and not for `old`. On an error what there was is there.
    fn resize(&mut self, old: usize, count: usize) -> Result<(), TryReserveError> {
        let layout = self.layout();
        self.block.resize(if count > 0 { layout.words + count } else { 0 })?;
        let ([old_present, old_room], [present, room]) =
            (layout.parts_for(old), layout.parts_for(count));
        // SAFETY: (1) it grows in place; (2) the parts are those of the layout, (3) of as many bytes, in
        // grains of their own. Of the block: (1) it is not resized, so that (2) nothing is cut off.
        unsafe {
            let block = self.block.block_mut().0;
            block.resize_part(layout.crowds * size_of::<u64>(), old_present, present)?;
            block.resize_part(layout.room * size_of::<u64>(), old_room, room)
        }
    }
}

impl Words {
    /// A word of slots at hand may be zero, so that it is present for their sake alone.
    pub(super) const AT_HAND: u8 = 1;

    /// A word is not present, or, where there are few and all are, may be zero.
    pub(super) const ABSENT: u8 = 1 << 1;

    /// A large block of the heap is advised to use huge pages. (One that was borrowed does not know.)
    const HUGE: u8 = 1 << 2;

    /// The order in which free slots are taken, unless the order is the packed one.
    const LIFO: u8 = 1 << 3;
    const FIFO: u8 = 1 << 4;

    /// The flags that stay the same whatever words there are.
    const KEPT: u8 = Self::HUGE | Self::LIFO | Self::FIFO;

    /// No words yet; they will be on the heap.
    pub(super) const fn new(reuse: Reuse) -> Self {
        Self::at(WordsPlace::Own, Self::flags_for(true, reuse))
    }

    const fn at(place: WordsPlace, flags: u8) -> Self {
        let floor = floor_of(hand_for(Self::reuse_by(flags)));
        Self { top: floor as isize, start: NonNull::dangling(), count: 0, floor, flags, place }
    }

    const fn flags_for(wants_huge: bool, reuse: Reuse) -> u8 {
        let order = match reuse {
            Reuse::Packed => 0,
            Reuse::Lifo => Self::LIFO,
            Reuse::Fifo => Self::FIFO,
        };
        order | if wants_huge { Self::HUGE } else { 0 }
    }

    const fn reuse_by(flags: u8) -> Reuse {
        match flags & (Self::LIFO | Self::FIFO) {
            0 => Reuse::Packed,
            Self::LIFO => Reuse::Lifo,
            _ => Reuse::Fifo,
        }
    }

    /// Returns the order in which free slots are taken; where it is that of a queue, none is at hand.
    #[inline(always)]
    pub(super) const fn reuse(&self) -> Reuse {
        Self::reuse_by(self.flags)
    }

    pub(super) const fn wants_huge(&self) -> bool {
        self.flags & Self::HUGE != 0
    }

    /// No words, as at first.
    pub(super) fn forget(&mut self) {
        *self = Self::at(WordsPlace::Own, self.flags & Self::KEPT);
    }

    /// No words yet; they will lie there. `memory` is that of a container's slots.
    #[inline]
    pub(super) fn within(reuse: Reuse, memory: Memory<'_>, in_place: &WordsInPlace) -> Self {
        let wants_huge = matches!(memory, Memory::Heap { huge: true });
        Self::at(in_place.place(), Self::flags_for(wants_huge, reuse))
    }

    /// Returns the length of a book of `words` words in lent memory, in numbers.
    pub(super) const fn numbers_for(words: usize, reuse: Reuse) -> usize {
        BookLayout::of(words, 1, reuse).all
    }

    pub(super) const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns the bytes that they take, those of a [`WordsInPlace`] aside.
    pub(super) fn bytes(&self) -> usize {
        let numbers = match self.place {
            WordsPlace::Own => BookLayout::of(self.len(), 1, self.reuse()).all,
            WordsPlace::Borrowed => self.numbers_in_tail(self.len(), self.hand()),
            _ => 0,
        };
        numbers * size_of::<u64>()
    }

    pub(super) const fn start(&self) -> NonNull<u64> {
        self.start
    }

    #[inline]
    pub(super) const fn words(&self) -> &[u64] {
        // SAFETY: by the invariant `len` words are initialised there; they are
        // borrowed as `self` is.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.len()).as_ref() }
    }

    /// Returns the seldom needed part. (As good as none if there are no words.)
    #[inline]
    pub(super) fn head(&self) -> Head {
        // SAFETY: before the words lies a head, initialised.
        if self.count == 0 { Head::default() } else { unsafe { self.start.cast().sub(1).read() } }
    }

    /// The same, to be changed; `None` where there are no words.
    #[inline]
    pub(super) fn head_mut(&mut self) -> Option<&mut Head> {
        if self.count == 0 {
            return None;
        }
        // SAFETY: before the words lies a head, initialised; it is borrowed as `self` is.
        Some(unsafe { self.start.cast().sub(1).as_mut() })
    }

    /// Returns the starts of `crowds` and `room`, seen from the words, if they begin at multiples of `grain`.
    #[cold]
    #[inline(never)]
    fn parts_by(&self, most: usize, grain: usize) -> (usize, usize) {
        let layout = BookLayout::of(most, grain, self.reuse());
        (layout.crowds - layout.words, layout.room - layout.words)
    }

    #[inline]
    fn raw_parts(&self) -> RawWordParts {
        let groups = self.len().div_ceil(WORD);
        let (mut crowds, mut present, mut room) = (self.start, self.start, self.start);
        if self.count > 0 {
            let most = self.head().most as usize;
            let groups = most.div_ceil(WORD);
            let summaries = groups.div_ceil(WORD);
            let (to_crowds, to_room) = match self.place.grain() {
                1 => (most, most + summaries + groups),
                grain => self.parts_by(most, grain),
            };
            // SAFETY: they lie in the block, as the layout says, and `present` right behind `crowds`.
            unsafe {
                crowds = self.start.add(to_crowds);
                present = crowds.add(summaries);
                room = self.start.add(to_room);
            }
        }
        WordParts {
            words: NonNull::slice_from_raw_parts(self.start, self.len()),
            present: NonNull::slice_from_raw_parts(present, groups),
            crowds: NonNull::slice_from_raw_parts(crowds, groups.div_ceil(WORD)),
            room: NonNull::slice_from_raw_parts(room.cast(), spans_of(self.len())),
            hand: NonNull::slice_from_raw_parts(self.first_at_hand(), self.held()),
        }
    }

    #[inline]
    pub(super) fn parts(&self) -> WordParts<&[u64], &[u8], &[u32]> {
        let WordParts { words, present, crowds, room, hand } = self.raw_parts();
        // SAFETY: by the invariant the parts lie in the block, initialised; they are
        // borrowed as `self` is.
        unsafe {
            WordParts {
                words: words.as_ref(),
                present: present.as_ref(),
                crowds: crowds.as_ref(),
                room: room.as_ref(),
                hand: hand.as_ref(),
            }
        }
    }

    #[inline]
    pub(super) fn parts_mut(&mut self) -> WordParts<&mut [u64], &mut [u8], &[u32]> {
        let WordParts { mut words, mut present, mut crowds, mut room, hand } = self.raw_parts();
        // SAFETY: by the invariant the parts lie in the block, initialised and apart; they are
        // borrowed as `self` is.
        unsafe {
            WordParts {
                words: words.as_mut(),
                present: present.as_mut(),
                crowds: crowds.as_mut(),
                room: room.as_mut(),
                hand: hand.as_ref(),
            }
        }
    }

    /// Makes the block one for `count` words, and says where they lie. Those that there were stay where it grows in
    /// place; else there were none.
    fn set_count(
        &mut self,
        count: usize,
        in_place: &mut WordsInPlace,
    ) -> Result<(), TryReserveError> {
        let (block, layout) = if self.place.grows_in_place() {
            in_place.resize(self.len(), count)?;
            (in_place.block.start(), in_place.layout())
        } else {
            let layout = BookLayout::of(count, 1, self.reuse());
            (self.new_block(layout.all)?.into_start(), layout)
        };
        let is_new = self.count == 0;
        (self.count, self.start) = (count as u32, NonNull::dangling());
        if count > 0 {
            self.start = after(block, layout.words);
            let most = if self.place.grows_in_place() { in_place.max } else { self.count };
            if is_new {
                // SAFETY: the block has room for a head before the words.
                unsafe { self.start.cast().sub(1).write(Head { most, ..Head::default() }) };
            }
        }
        Ok(())
    }

    /// A block of the heap, of `numbers` numbers.
    fn new_block(&self, numbers: usize) -> Result<Buffer<u64>, TryReserveError> {
        let mut block = Buffer::within(Memory::Heap { huge: self.wants_huge() })?;
        block.resize(numbers)?;
        Ok(block)
    }

    /// A copy with `count` words, there or on the heap: those that fit are the same; new ones are all ones, and are
    /// noted as present. No slot at hand is beyond them.
    #[inline]
    pub(super) fn copied(
        &self,
        count: usize,
        in_place: &mut WordsInPlace,
    ) -> Result<Self, TryReserveError> {
        let mut copy = Self::at(in_place.place(), self.flags & Self::KEPT);
        copy.set_count(count, in_place)?;
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
        let Head { cursor, lowest, empty, .. } = self.head();
        if let Some(head) = copy.head_mut() {
            // The part that is cut off has no live slots, so its words are not zero.
            *head = Head { cursor, lowest, empty, most: head.most };
            copy.flags |= self.flags & Self::ABSENT;
        }
        copy.put_at_hand(self.parts().hand);
        copy.note_again(self.are_few());
        Ok(copy)
    }

    /// Keeps what fits; new words are all ones, and are noted as present. No slot at hand is cut off. On
    /// an error nothing has changed.
    pub(super) fn resize(
        &mut self,
        count: usize,
        in_place: &mut WordsInPlace,
    ) -> Result<(), TryReserveError> {
        if !self.place.grows_in_place() {
            *self = self.copied(count, in_place)?;
            return Ok(());
        }
        let (kept, were_few) = (self.len().min(count), self.are_few());
        self.set_count(count, in_place)?;
        self.settle(kept);
        self.note_again(were_few);
        Ok(())
    }

    /// Returns whether there are so few words that a walk asks each of them. All are noted as present then, so that
    /// nothing has to be kept up to date.
    #[inline]
    pub(super) const fn are_few(&self) -> bool {
        self.count <= WORD as u32
    }

    /// Has `present` say anew which words are present, if the book had few words and has more now, or had more and has
    /// few, all of which are.
    fn note_again(&mut self, were_few: bool) {
        let are_few = self.are_few();
        if were_few == are_few || self.count == 0 {
            return;
        }
        let words = self.len().min(WORD);
        let zeros = self.words()[..words].iter().rev();
        let zeros = zeros.fold(0, |zeros, &word| zeros << 1 | u64::from(word == 0));
        let absent = if are_few { 0 } else { zeros };
        let WordParts { present, crowds, .. } = self.parts_mut();
        present[0] = low(words) & !absent;
        set(crowds, 0, present[0] != 0);
        if let Some(head) = self.head_mut() {
            head.empty = absent.count_ones();
        }
        // (A zero word whose slots are at hand is present.)
        let at_hand = if !are_few && self.held() > 0 { Self::AT_HAND } else { 0 };
        let absent = if zeros != 0 { Self::ABSENT } else { 0 };
        self.flags = self.flags & !Self::ABSENT | absent | at_hand;
        self.note_hand();
    }

    /// Makes the words from `kept` on fresh, and the summaries say so. Up to there all is initialised.
    fn settle(&mut self, kept: usize) {
        let (count, groups, new) = (self.len(), kept.div_ceil(WORD), self.raw_parts());
        // SAFETY: what is new lies behind what there was, within the block.
        let WordParts { present, crowds, .. } = unsafe {
            fill(new.words, kept, 0xFF);
            fill(new.present, groups, 0);
            fill(new.crowds, groups.div_ceil(WORD), 0);
            let spans = spans_of(kept);
            new.room.cast::<u8>().add(spans).write_bytes(0, new.room.len() - spans);
            self.parts_mut()
        };
        clear_from(present, kept);
        for word in kept..count {
            set(present, word, true);
        }
        clear_from(crowds, kept / WORD);
        let mut group = kept / WORD;
        while let Some(&bits) = present.get(group) {
            set(crowds, group, bits != 0);
            group += 1;
        }
    }

    /// Returns whether the words lie in memory of another owner, or nowhere yet, so that they can be
    /// [moved](Self::move_to) to such memory.
    pub(super) const fn can_be_moved(&self) -> bool {
        match self.place {
            WordsPlace::Own => self.count == 0,
            place => matches!(place, WordsPlace::Borrowed),
        }
    }

    /// Returns the length of a book of `count` words in memory of another owner, in numbers. No more
    /// slots of a single word are at hand than there are.
    const fn numbers_in_tail(&self, count: usize, hand: usize) -> usize {
        // Behind so few words lies one number of each summary.
        const LARGEST: BookLayout = BookLayout::of(SPAN, 1, Reuse::Packed);
        const { assert!(LARGEST.all - LARGEST.crowds == 3) };
        let stack = if count == 1 { hand / 2 + 1 } else { stack_for(count, self.reuse()) };
        stack + HEAD + count + 3
    }

    /// Like [`resize`](Self::resize), for `slots` slots, into memory that `place` makes for as many numbers, which may
    /// be the end of the words' memory until now.
    ///
    /// # Safety
    /// 1. [`can_be_moved`](Self::can_be_moved), and `slots` is not zero, and no more than [`SPAN`] words describe.
    /// 2. What `place` answers is the words' alone until they are moved or resized again, or not used any more.
    #[inline]
    pub(super) unsafe fn move_to(
        &mut self,
        slots: usize,
        place: impl FnOnce(usize) -> Result<NonNull<u64>, TryReserveError>,
    ) -> Result<(), TryReserveError> {
        let count = slots.div_ceil(WORD);
        let hand = hand_for(self.reuse()).min(slots.next_power_of_two());
        let numbers = self.numbers_in_tail(count, hand);
        let head = Head { most: count as u32, ..self.head() };
        // Most often there is no hole yet, and all of it is as where it is made.
        let kept = self.has_holes().then(|| KeptWords::of(self, count));
        let block = place(numbers)?;
        // SAFETY: by (2) these numbers are the words' alone.
        unsafe {
            self.start = block.add(numbers - count - 3);
            self.start.cast().sub(1).write(head);
            // (A single one, as a small container has, needs no call that fills memory.)
            self.start.write(!0);
            if count > 1 {
                self.start.add(1).write_bytes(0xFF, count - 1);
            }
            self.start.add(count).cast().write([1, low(count), 0]);
        }
        (self.place, self.count) = (WordsPlace::Borrowed, count as u32);
        self.set_hand(hand);
        if let Some(kept) = kept {
            kept.put_into(self);
        }
        Ok(())
    }

    /// Returns whether a bit of a slot in use is clear.
    #[inline]
    fn has_holes(&self) -> bool {
        let mut all = !0;
        for &word in self.words() {
            all &= word;
        }
        all != !0
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
        // SAFETY: by the invariant `len` words are initialised there; they are
        // borrowed as `self` is.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.len()).as_mut() }
    }

    /// Returns whether a word may be zero.
    #[inline]
    pub(super) const fn has_zeros(&self) -> bool {
        self.flags & (Self::AT_HAND | Self::ABSENT) != 0
    }

    /// Notes that a word has set bits or slots at hand, or has neither.
    /// (Of few words it is only noted that there is one with neither.)
    #[cold]
    #[inline(never)]
    pub(super) fn note_present(&mut self, word: usize, is_present: bool) {
        if self.are_few() {
            self.flags |= if is_present { 0 } else { Self::ABSENT };
            return;
        }
        let was_present = self.parts_mut().note_present(word, is_present);
        self.count_empty(u32::from(was_present), u32::from(is_present));
    }

    /// Notes that `more` words more are not present, and `less` less.
    pub(super) fn count_empty(&mut self, more: u32, less: u32) {
        let Some(head) = self.head_mut() else { return };
        head.empty = head.empty + more - less;
        let is_absent = if head.empty > 0 { Self::ABSENT } else { 0 };
        self.flags = self.flags & !Self::ABSENT | is_absent;
    }
}

impl Drop for Words {
    #[inline]
    fn drop(&mut self) {
        if self.place == WordsPlace::Own && self.count > 0 {
            self.free();
        }
    }
}

impl Words {
    /// Gives back a block of their own.
    #[inline(never)]
    fn free(&mut self) {
        let layout = BookLayout::of(self.len(), 1, self.reuse());
        // SAFETY: (1) the block was made so, of as many numbers; (2) it is not used again.
        unsafe {
            drop(Buffer::from_start(self.start.sub(layout.words), layout.all));
        }
        (self.count, self.start) = (0, NonNull::dangling());
    }
}

/// Makes the bytes of a part from one of its numbers on what is said.
///
/// # Safety
/// 1. The part is memory of as many numbers as it says, at least `first`.
/// 2. It is not borrowed.
unsafe fn fill(part: NonNull<[u64]>, first: usize, byte: u8) {
    // SAFETY: by (1) and (2) these are the numbers of the part behind the first.
    unsafe { part.cast::<u64>().add(first).write_bytes(byte, part.len() - first) };
}

impl<B, H> WordParts<&mut [u64], B, H> {
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

/// The content of a book of at most [`SPAN`] words while it is moved.
struct KeptWords {
    words: [u64; SPAN],
    count: usize,
    room: u8,
    hand: [u32; largest_hand(SPAN)],
    held: usize,
}

impl KeptWords {
    /// Keeps the first words of a book, at most `count`.
    #[cold]
    fn of(book: &Words, count: usize) -> Self {
        let WordParts { words: all, room, hand: at_hand, .. } = book.parts();
        let (count, held) = (all.len().min(count), at_hand.len());
        let (mut words, mut hand) = ([!0; SPAN], [0; largest_hand(SPAN)]);
        words[..count].copy_from_slice(&all[..count]);
        hand[..held].copy_from_slice(at_hand);
        Self { words, count, room: room[0], hand, held }
    }

    /// Into a book of no fewer words that are all ones.
    #[cold]
    fn put_into(&self, book: &mut Words) {
        let WordParts { words, room, .. } = book.parts_mut();
        words[..self.count].copy_from_slice(&self.words[..self.count]);
        room[0] = self.room;
        book.put_at_hand(&self.hand[..self.held]);
    }
}

/// Returns whether a bit of a summary is set.
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
                let layout = BookLayout::of(words, grain, Reuse::Packed);
                let groups = words.div_ceil(WORD);
                let stack = layout.words - HEAD;
                assert!(stack * 2 > largest_hand(words), "one more than the hand fits");
                assert!(layout.crowds >= layout.words + words);
                assert!(layout.present >= layout.crowds + groups.div_ceil(WORD));
                assert!(layout.room >= layout.present + groups);
                assert!((layout.all - layout.room) * 8 >= spans_of(words));
                assert_eq!((layout.crowds % grain, layout.room % grain), (0, 0));
            }
            let larger = (largest_hand(words), BookLayout::of(words, 1, Reuse::Packed).all);
            assert!(larger.0 >= before.0 && larger.0.is_power_of_two(), "of {words} words");
            assert!(larger.1 > before.1, "what fits is found by halving");
            let most = (9 * words).clamp(HAND, 1_024);
            assert!(
                (HAND..=most).contains(&larger.0),
                "the hand is a seventh of the slots at most"
            );
            let bytes = size_of::<u64>() * larger.1;
            assert!(words < 8 || bytes * 4 <= words * WORD * 3, "0.75 bytes a slot at most");
            before = larger;
        }
        assert_eq!(BookLayout::of(0, 1, Reuse::Packed).all, 0, "nothing needs no memory");
    }

    #[test]
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    fn a_book_that_began_in_memory_of_another_owner_has_huge_pages_where_they_are_wanted() {
        for huge in [true, false] {
            let mut tail = [0_u64; 64];
            let mut on_heap = WordsInPlace::none();
            let mut book = Words::within(Reuse::Packed, Memory::Heap { huge }, &on_heap);
            // SAFETY: (1) it has no words yet; (2) the array is not used until the book has moved.
            unsafe { book.move_to(1, |_| Ok(NonNull::from(&mut tail).cast())) }.expect("it fits");
            for words in [SPAN, 2 * SPAN] {
                book.resize(words, &mut on_heap).expect("there is memory");
                let large = book.new_block(sys::HUGE_FROM / size_of::<u64>());
                assert_eq!(large.expect("there is memory").is_huge(), huge);
            }
        }
    }

    /// No more slots of a single word can be at hand than there are, so the end of a small block is small.
    #[test]
    fn a_small_book_takes_a_few_numbers() {
        let mut tail = [0_u64; 96];
        for (slots, numbers) in
            [(1_usize, 7), (4, 9), (5, 11), (16, 15), (64, 15), (65, 16), (960, 85), (1_024, 86)]
        {
            for reuse in [Reuse::Packed, Reuse::Lifo, Reuse::Fifo] {
                let mut book = Words::new(reuse);
                let place = |asked| {
                    let others = 1 + HEAD + slots.div_ceil(WORD) + 3;
                    let stack = if reuse == Reuse::Fifo { others } else { numbers };
                    assert_eq!(asked, stack, "{reuse:?}, of {slots} slots");
                    Ok(NonNull::from(&mut tail).cast())
                };
                // SAFETY: (1) it has no words yet; (2) the array is not used until the book is gone.
                unsafe { book.move_to(slots, place) }.expect("it fits");
                assert_eq!(book.bytes() % size_of::<u64>(), 0);
                assert!(book.hand() < 2 * slots && book.parts().hand.is_empty());
            }
        }
    }

    #[test]
    #[cfg(all(feature = "reserved", not(miri)))]
    fn parts_that_grow_in_place_reach_to_the_end_of_what_lies_in_them() {
        let memory = Memory::Reserved { max: 1 << 24, huge: false, ahead: false };
        let mut place = WordsInPlace::within(Reuse::Packed, memory).expect("there are addresses");
        let mut book = Words::within(Reuse::Packed, memory, &place);
        for words in [1, 64, 65, 5_000, 40_000, 0, 700] {
            book.resize(words, &mut place).expect("there is memory");
            let WordParts { present, crowds, room, .. } = book.raw_parts();
            let end = present.cast::<u64>().as_ptr().addr() + present.len() * size_of::<u64>();
            let summaries = if words > 0 { end - crowds.cast::<u64>().as_ptr().addr() } else { 0 };
            let layout = place.layout();
            assert_eq!(layout.parts_for(words), [summaries, room.len()], "of {words} words");
            let parts = [summaries, room.len()].map(|bytes| bytes.next_multiple_of(sys::GRAIN));
            let first = if words > 0 { (layout.words + words) * size_of::<u64>() } else { 0 };
            let pages = first.next_multiple_of(sys::GRAIN) + parts[0] + parts[1];
            assert_eq!((place.memory(words).bytes, book.bytes()), (pages, 0), "of {words} words");
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

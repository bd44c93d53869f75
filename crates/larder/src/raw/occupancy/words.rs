//! The words of the book and their summaries: where they lie.

use core::ptr::NonNull;

use super::{Hand, SPAN, WORD, low};
use crate::error::TryReserveError;
use crate::raw::buffer::Buffer;
use crate::raw::filled::Filled;
use crate::raw::memory::Memory;

/// On the heap one block: the words, then `present`, `crowds`, the stack and `room`. It is laid out anew
/// when the book grows.
///
/// In reserved and lent memory three blocks, so that nothing ever has to move: the words in `block`,
/// `room` in `spans`, and in `tops` as much of `crowds` and the stack as there can ever be, then
/// `present`.
///
/// **Invariant.** There are `count` words, and so much of each summary as [`Extents`] says. All are
/// initialised. On the heap `max` is zero.
#[repr(C)]
pub(super) struct Words {
    block: Filled<u64>,
    /// Kept, since a walk begins with it.
    present: NonNull<u64>,
    /// Kept, since slots are often put back.
    room: NonNull<u8>,
    count: usize,
    /// How many of them are zero.
    empty: usize,
    /// How many words there can be in reserved or lent memory; on the heap zero.
    max: usize,
    tops: Filled<u64>,
    spans: Filled<u64>,
}

// SAFETY: the pointers lead into the blocks, which are owned.
unsafe impl Send for Words {}
// SAFETY: through a shared reference the words are only read.
unsafe impl Sync for Words {}

/// How many elements there are beside so many words.
struct Extents {
    present: usize,
    crowds: usize,
    room: usize,
    stack: usize,
}

impl Extents {
    const fn of(words: usize) -> Self {
        let present = words.div_ceil(WORD);
        Self {
            present,
            crowds: present.div_ceil(WORD),
            room: spans_of(words).div_ceil(size_of::<u64>()),
            stack: hands_for(words) * size_of::<Hand>() / size_of::<u64>(),
        }
    }

    /// What comes before `present` where a book grows in place.
    const fn head(&self) -> usize {
        self.crowds + self.stack
    }

    const fn all(&self) -> usize {
        self.head() + self.room + self.present
    }
}

/// How many full hands the stack of so many words has room for: 4 bytes for 128 slots, 4 KiB at most.
pub(super) const fn hands_for(words: usize) -> usize {
    let hands = words / 32;
    if hands < 64 { hands } else { 64 }
}

/// How many spans so many words are.
const fn spans_of(words: usize) -> usize {
    words.div_ceil(SPAN)
}

/// All that words have, as slices.
pub(super) struct Parts<W, B, H> {
    pub(super) words: W,
    /// A bit for each word: whether it has a set bit.
    pub(super) present: W,
    /// A bit for each element of `present`: whether it has a set bit.
    pub(super) crowds: W,
    /// For each span: whether it may have a hole. (A byte, since a bit would have to be read.)
    pub(super) room: B,
    /// Room for full hands.
    pub(super) stack: H,
}

impl Words {
    pub(super) const fn new() -> Self {
        Self {
            block: Filled::new(),
            present: NonNull::dangling(),
            room: NonNull::<u64>::dangling().cast(),
            count: 0,
            empty: 0,
            max: 0,
            tops: Filled::new(),
            spans: Filled::new(),
        }
    }

    /// No words yet; `memory` is that of a container's slots.
    pub(super) fn within(memory: Memory<'_>) -> Result<Self, TryReserveError> {
        let block = Filled::within(memory.scaled(|slots| slots.div_ceil(WORD)))?;
        let Some(slots) = memory.max() else { return Ok(Self { block, ..Self::new() }) };
        let max = slots.div_ceil(WORD);
        let Extents { present, room, .. } = Extents::of(max);
        let tops = Filled::within(memory.scaled(|_| Extents::of(max).head() + present))?;
        let spans = Filled::within(memory.scaled(|_| room))?;
        let mut words = Self { block, tops, spans, max, ..Self::new() };
        words.find_summaries();
        Ok(words)
    }

    /// Where the blocks of a book end that grows in place and begins after the address `at`.
    pub(super) const fn end(at: usize, slots: usize) -> Option<usize> {
        let extents = Extents::of(slots.div_ceil(WORD));
        let Some(at) = Buffer::<u64>::end(at, slots.div_ceil(WORD)) else { return None };
        let Some(at) = Buffer::<u64>::end(at, extents.head() + extents.present) else {
            return None;
        };
        Buffer::<u64>::end(at, extents.room)
    }

    /// No words yet; their memory comes from where that of these does.
    fn alike(&self) -> Result<Self, TryReserveError> {
        let (block, tops, spans) = (self.block.alike()?, self.tops.alike()?, self.spans.alike()?);
        let max = if tops.grows_in_place() { self.max } else { 0 };
        let mut words = Self { block, tops, spans, max, ..Self::new() };
        words.find_summaries();
        Ok(words)
    }

    /// Says where the summaries lie.
    fn find_summaries(&mut self) {
        if self.max > 0 {
            // SAFETY: there is space for all that lies before it, and more.
            self.present = unsafe { self.tops.start().add(Extents::of(self.max).head()) };
            self.room = self.spans.start().cast();
            return;
        }
        let Extents { present, crowds, stack, .. } = Extents::of(self.count);
        // SAFETY: on the heap they follow the words.
        self.present = unsafe { self.block.start().add(self.count) };
        // SAFETY: all lie in the block, one after the other.
        self.room = unsafe { self.present.add(present + crowds + stack) }.cast();
    }

    /// Where the summary of `present` lies, and after it the stack.
    const fn crowds(&self) -> NonNull<u64> {
        if self.max > 0 {
            return self.tops.start();
        }
        // SAFETY: on the heap it follows `present`.
        unsafe { self.present.add(Extents::of(self.count).present) }
    }

    /// Where the stack lies.
    #[inline]
    const fn stack(&self) -> NonNull<Hand> {
        let words = if self.max > 0 { self.max } else { self.count };
        // SAFETY: one follows the other.
        unsafe { self.crowds().add(Extents::of(words).crowds) }.cast()
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) fn space(&self) -> usize {
        self.block.space() + self.tops.space() + self.spans.space()
    }

    pub(super) fn bytes(&self) -> usize {
        self.block.bytes() + self.tops.bytes() + self.spans.bytes()
    }

    pub(super) const fn start(&self) -> NonNull<u64> {
        self.block.start()
    }

    pub(super) const fn present(&self) -> NonNull<u64> {
        self.present
    }

    /// All of it.
    #[inline]
    pub(super) fn parts(&self) -> Parts<&[u64], &[u8], &[Hand]> {
        let Extents { present, crowds, .. } = Extents::of(self.count);
        let (spans, hands) = (spans_of(self.count), hands_for(self.count));
        // SAFETY: by the invariant; borrowed as `self` is.
        let slice =
            |first: NonNull<u64>, len| unsafe { core::slice::from_raw_parts(first.as_ptr(), len) };
        Parts {
            words: slice(self.start(), self.count),
            present: slice(self.present, present),
            crowds: slice(self.crowds(), crowds),
            // SAFETY: as above.
            room: unsafe { core::slice::from_raw_parts(self.room.as_ptr(), spans) },
            // SAFETY: as above.
            stack: unsafe { core::slice::from_raw_parts(self.stack().as_ptr(), hands) },
        }
    }

    /// As [`parts`](Self::parts), to change them.
    #[inline]
    pub(super) fn parts_mut(&mut self) -> Parts<&mut [u64], &mut [u8], &mut [Hand]> {
        let Extents { present, crowds, .. } = Extents::of(self.count);
        let (spans, hands) = (spans_of(self.count), hands_for(self.count));
        // SAFETY: by the invariant; the parts lie apart, and are borrowed as `self` is.
        let slice = |first: NonNull<u64>, len| unsafe {
            core::slice::from_raw_parts_mut(first.as_ptr(), len)
        };
        Parts {
            words: slice(self.start(), self.count),
            present: slice(self.present, present),
            crowds: slice(self.crowds(), crowds),
            // SAFETY: as above.
            room: unsafe { core::slice::from_raw_parts_mut(self.room.as_ptr(), spans) },
            // SAFETY: as above.
            stack: unsafe { core::slice::from_raw_parts_mut(self.stack().as_ptr(), hands) },
        }
    }

    /// Keeps what fits; new words are all ones, and are noted as present. On an error nothing has
    /// changed.
    pub(super) fn resize(&mut self, count: usize) -> Result<(), TryReserveError> {
        if self.max == 0 { self.lay_out(count) } else { self.resize_in_place(count) }
    }

    /// On the heap: moves everything to a block of another layout.
    fn lay_out(&mut self, count: usize) -> Result<(), TryReserveError> {
        let mut resized = self.alike()?;
        resized.block.resize(count + Extents::of(count).all(), 0)?;
        resized.count = count;
        resized.find_summaries();
        let kept = self.count.min(count);
        if kept > 0 {
            resized.copy_from(self, kept);
        }
        resized.settle(kept);
        // What is cut off has no live slots, so its words are not zero.
        resized.empty = self.empty;
        *self = resized;
        Ok(())
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
        // Behind so few words lie one number of `present`, of `crowds` and of `room`.
        const BESIDE: usize = 3;
        const { assert!(Extents::of(1).all() == BESIDE && Extents::of(SPAN).all() == BESIDE) };
        let mut numbers = [!0; SPAN + BESIDE];
        let (kept, length, old) = (self.count.min(count), count + BESIDE, &self.block[..]);
        let [present, _, room] = *old.last_chunk().unwrap_or(&[0; BESIDE]);
        let present = present & low(kept) | low(count) & !low(kept);
        let beside = [present, u64::from(present != 0), room];
        // The smallest are made often, and one number is copied sooner than a number of them.
        let first = old.first().copied().unwrap_or(!0);
        if count > 1 {
            numbers[..kept].copy_from_slice(&old[..kept]);
            numbers[count..length].copy_from_slice(&beside);
        }
        let start = place(length)?;
        if count == 1 {
            let [present, crowds, room] = beside;
            // SAFETY: so many numbers are ours.
            unsafe { start.cast().write([first, present, crowds, room]) };
        } else {
            // SAFETY: so many numbers are ours, and the array is not among them.
            unsafe { start.copy_from_nonoverlapping(NonNull::from(&numbers).cast(), length) };
        }
        // SAFETY: they are ours, and now initialised.
        self.block = unsafe { Filled::borrowed(start, length) };
        self.count = count;
        self.find_summaries();
        Ok(())
    }

    /// Copies so many words, and what there is beside them.
    fn copy_from(&mut self, source: &Self, words: usize) {
        let Extents { present, crowds, .. } = Extents::of(words);
        let (spans, hands) = (spans_of(words), hands_for(words));
        let (old, new) = (source.parts(), self.parts_mut());
        new.words[..words].copy_from_slice(&old.words[..words]);
        new.present[..present].copy_from_slice(&old.present[..present]);
        new.crowds[..crowds].copy_from_slice(&old.crowds[..crowds]);
        new.room[..spans].copy_from_slice(&old.room[..spans]);
        new.stack[..hands].copy_from_slice(&old.stack[..hands]);
    }

    /// In reserved or lent memory: what is new is written, what was there stays where it is.
    fn resize_in_place(&mut self, count: usize) -> Result<(), TryReserveError> {
        let Extents { present, room, .. } = Extents::of(count);
        // (Where another is refused, words past `count` are all ones already.)
        self.block.resize(count, !0)?;
        self.spans.resize(room, 0)?;
        self.tops.resize(Extents::of(self.max).head() + present, 0)?;
        let kept = self.count.min(count);
        self.count = count;
        self.settle(kept);
        Ok(())
    }

    /// Makes the words from `kept` on fresh, and the summaries say so.
    fn settle(&mut self, kept: usize) {
        let count = self.count;
        let Parts { words, present, crowds, room, .. } = self.parts_mut();
        words[kept..].fill(!0);
        clear_from(present, kept);
        (kept..count).for_each(|word| set(present, word, true));
        clear_from(crowds, kept / WORD);
        (kept / WORD..present.len()).for_each(|group| set(crowds, group, present[group] != 0));
        // A span that is no more may still have been noted.
        room[spans_of(kept)..].fill(0);
    }

    pub(super) fn try_clone(&self) -> Result<Self, TryReserveError> {
        let mut copy = self.alike()?;
        copy.resize(self.count)?;
        copy.copy_from(self, self.count);
        copy.empty = self.empty;
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

    /// Notes that the span of a slot has a hole.
    ///
    /// # Safety
    /// A word covers the slot.
    #[inline(always)]
    pub(super) unsafe fn note_room(&mut self, slot: usize) {
        // SAFETY: every span of the words has a byte.
        let room = unsafe { self.room.add(slot / (SPAN * WORD)) };
        // SAFETY: it is ours.
        unsafe { room.write(1) };
    }

    /// How many words are zero.
    #[inline]
    pub(super) const fn empty(&self) -> usize {
        self.empty
    }

    /// Notes that a word has set bits, or has none.
    #[cold]
    #[inline(never)]
    pub(super) fn note_present(&mut self, word: usize, is_present: bool) {
        let Parts { present, crowds, .. } = self.parts_mut();
        let (group, bit) = (word / WORD, 1 << (word % WORD));
        let was_present = present[group] & bit != 0;
        set(present, word, is_present);
        set(crowds, group, present[group] != 0);
        self.empty = self.empty + usize::from(was_present) - usize::from(is_present);
    }
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

//! Texts by slot, of which a [`StringPool`](crate::StringPool) consists.
//!
//! ```text
//! places   block 21 bits, offset 11; life 8, length ^ slot 24 │ …   8 bytes a text, by slot
//! blocks   text text text · · │ 3: text 8: text · │ text     kept; counted, each behind its slot; one long text
//! ```
//!
//! Kept texts go only as changes are recorded or reversed, so their blocks are not emptied. A block of counted texts is
//! *sparse* if less than half of it is in use: each removal moves a few texts out of the first such block, so that none
//! takes long. Where blocks were reserved, an insertion that needs one empties sparse blocks first, instead of
//! allocating.
//!
//! **Invariant.** The place of a live slot names the whole of one text, in a block. Its bytes are written before the
//! place, and again only after the text was removed. Places are slots as [`lives`](crate::lives) has them; the
//! length of one that is not live is [`NO_TEXT`].
//!
//! A block of counted texts is a chain of entries up to `filled`: four bytes, and the text, at least one
//! byte. They are the slot of the text whose place is behind them, or [`DEAD`] and the length.

mod blocks;
mod past;
mod whole;

use alloc::vec::Vec;
use core::mem;

use blocks::{Blocks, Bytes};
pub(crate) use past::{Absent, Copies};
pub(crate) use whole::TextBytes;

use crate::lives::{Lives, NONE, Slot};
use crate::symbol::LIFE_AT;
use larder_core::TryReserveError;
use larder_core::room::{reserve, reserve_exact};

/// The number of bytes of text in a block.
pub(crate) const BLOCK: usize = 1 << OFFSET_BITS;
const OFFSET_BITS: u32 = 11;

/// The greatest number of blocks.
const MAX_BLOCKS: usize = 1 << (32 - OFFSET_BITS);

/// The greatest number of slots.
pub(crate) const MAX_SLOTS: usize = (1 << LIFE_AT) - 1;

/// The length, in a place, of a slot without a text.
const NO_TEXT: u32 = (1 << LIFE_AT) - 1;

/// The length, in a place, of a text so long that its block alone tells.
const LONG: u32 = NO_TEXT - 1;

/// The number of bytes of an entry before its text.
const HEAD: usize = 4;

/// The bit that marks the head of a removed text, above its length.
const DEAD: u32 = 1 << 31;

/// The steps that a removal may take to empty sparse blocks, beside one for each byte that it removed: so those who
/// made a block sparse pay for emptying it. Passing a removed text is a step, and moving one is as many as [`MOVE`].
const STEPS: usize = 4 * MOVE;
const MOVE: usize = 16;

/// The number of empty blocks that removals leave to insertions, where blocks were reserved.
///
/// So emptying never lacks a block. The first that an insertion empties was perhaps begun by removals, and may need one
/// of these, where it and the next have room; and after two are emptied, there is one more than before.
const LEFT: usize = 2;

/// The place of a text.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The block and, below it, the offset; for a free slot, the next free one.
    at: u32,
    /// The life and, below it, the length xor the slot: so xor with a symbol's life and slot leaves the length.
    word: u32,
}

impl Place {
    #[inline(always)]
    const fn word(life: u32, slot: u32, len: u32) -> u32 {
        life << LIFE_AT | slot ^ len
    }

    /// The length, in this slot.
    #[inline(always)]
    const fn len(self, slot: u32) -> u32 {
        (self.word ^ slot) & NO_TEXT
    }

    const fn block(self) -> usize {
        (self.at >> OFFSET_BITS) as usize
    }

    const fn offset(self) -> usize {
        self.at as usize % BLOCK
    }
}

impl Slot for Place {
    const LAST: u32 = u32::MAX >> LIFE_AT;

    #[inline(always)]
    fn life(self) -> u32 {
        self.word >> LIFE_AT
    }

    fn set_life(&mut self, life: u32) {
        self.word = self.word & NO_TEXT | life << LIFE_AT;
    }

    #[inline(always)]
    fn end(&mut self, slot: u32) {
        self.word = Self::word(self.life() + 1, slot, NO_TEXT);
    }

    #[inline(always)]
    fn link(&mut self) -> &mut u32 {
        &mut self.at
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// No block: the number is linked from `unused`.
    None,
    Kept,
    Counted,
    /// A block with one long text.
    Alone,
}

impl Kind {
    /// True of a block that has room for several texts.
    const fn is_of_several(self) -> bool {
        matches!(self, Self::Kept | Self::Counted)
    }
}

#[derive(Clone, Copy, Debug)]
struct Record {
    kind: Kind,
    /// True if the block is linked from `sparse`, to be emptied.
    is_sparse: bool,
    /// Bytes of entries that are in use.
    live: u32,
    /// Bytes of all entries.
    filled: u32,
    /// The entries before were moved.
    moved: u32,
    /// The next in the same chain.
    next: u32,
}

impl Record {
    /// Adds the entry of a short text, and says where the text is; `None` if there is no room.
    #[inline(always)]
    fn enter(&mut self, cost: usize, is_counted: bool) -> Option<u32> {
        let head = if is_counted { HEAD as u32 } else { 0 };
        let (at, bytes) = (self.filled + head, head + cost as u32);
        if self.filled + bytes > BLOCK as u32 {
            return None;
        }
        self.filled += bytes;
        self.live += bytes;
        Some(at)
    }
}

/// Returns the room that a text is counted as: at least one byte, so that empty texts cannot come and go in a block
/// without end.
#[inline(always)]
const fn cost(len: usize) -> usize {
    if len == 0 { 1 } else { len }
}

/// Texts, their slots, and the blocks that they lie in.
pub(crate) struct Texts {
    places: Lives<Place>,
    blocks: Blocks,
    records: Vec<Record>,
    /// The blocks that texts are put into: kept ones, counted ones.
    open: [u32; 2],
    /// The first and the last block that is to be emptied.
    sparse: [u32; 2],
    /// The first number without a block.
    unused: u32,
    /// Bytes of all texts.
    used: usize,
    /// The memory of emptied blocks, for the next: as many as there is room for.
    spare: Vec<Bytes>,
    /// The number of them that removals leave to insertions: [`LEFT`] if blocks were reserved, else none.
    left: usize,
}

impl Texts {
    pub(crate) fn new() -> Self {
        Self {
            places: Lives::new(),
            blocks: Blocks::new(),
            records: Vec::new(),
            open: [NONE; 2],
            sparse: [NONE; 2],
            unused: NONE,
            used: 0,
            spare: Vec::new(),
            left: 0,
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.places.live()
    }

    /// Returns the number of slots, including those that are free or retired.
    pub(crate) fn slots(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of slots that have been in use and are free.
    pub(crate) fn free(&self) -> usize {
        self.slots() - self.len() - self.places.retired()
    }

    /// The text of a slot in a life, if it is not a [long](Self::long) one.
    #[inline(always)]
    pub(crate) fn short(&self, slot: u32, life: u32) -> Option<&str> {
        let place = *self.places.get(slot as usize)?;
        // If the life is the same, only the length is left of the word.
        let len = place.word ^ Place::word(life, slot, 0);
        // SAFETY: a whole text of that length is in the place (1): those that are not live are longer.
        let text =
            || unsafe { core::str::from_utf8_unchecked(self.blocks.get(place.at, len as usize)) };
        (len < LONG).then(text)
    }

    /// The text of a slot in a life.
    #[inline]
    pub(crate) fn long(&self, slot: u32, life: u32) -> Option<&str> {
        let place = *self.places.get(slot as usize)?;
        // SAFETY: the slot is live (1).
        self.is_live(slot, life).then(|| unsafe { self.text(slot, place) })
    }

    #[inline(always)]
    pub(crate) fn is_live(&self, slot: u32, life: u32) -> bool {
        let Some(place) = self.places.get(slot as usize) else { return false };
        place.word ^ Place::word(life, slot, 0) <= LONG
    }

    /// Returns whether a slot has this text.
    #[inline(always)]
    pub(crate) fn is(&self, slot: u32, text: &str) -> bool {
        let Some(&place) = self.places.get(slot as usize) else { return false };
        let (len, bytes) = (text.len(), text.as_bytes());
        // (The length of a slot that is not live is greater.)
        let has_len = place.len(slot) == len as u32;
        // SAFETY: the slot is live (1), and its text (1) has as many bytes, up to 16.
        unsafe {
            match len {
                // Names are short: two words that overlap, without a call.
                8..=16 => has_len && ends_are_same::<8>(self.blocks.get(place.at, len), bytes),
                4..8 => has_len && ends_are_same::<4>(self.blocks.get(place.at, len), bytes),
                _ => self.is_any(slot, text),
            }
        }
    }

    /// Compares texts of any length. Otherwise like [`is`](Self::is). (It is not inlined, so that the rest is, into the
    /// search.)
    #[inline(never)]
    fn is_any(&self, slot: u32, text: &str) -> bool {
        let place = self.places[slot as usize];
        // SAFETY: the slot is live (1).
        place.is_live() && unsafe { self.text(slot, place) } == text
    }

    /// The life of a slot, odd if it has a text.
    #[inline(always)]
    pub(crate) fn life(&self, slot: u32) -> u32 {
        self.places.get(slot as usize).map_or(0, |place| place.life())
    }

    /// The slot of each, in order.
    pub(crate) fn live(&self) -> impl Iterator<Item = u32> {
        (0..).zip(self.places.iter()).filter_map(|(slot, place)| place.is_live().then_some(slot))
    }

    /// The slot, the life and the text of each, in the order of slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32, &str)> + Clone {
        (0..).zip(self.places.iter()).filter_map(|(slot, place)| {
            let life = place.life();
            Some((slot, life, self.short(slot, life).or_else(|| self.long(slot, life))?))
        })
    }

    /// The text of a slot.
    ///
    /// # Safety
    /// 1. The slot is live, and this is its place.
    #[inline(always)]
    unsafe fn text(&self, slot: u32, place: Place) -> &str {
        // SAFETY: by 1 the place names one whole text (1), written as such and not changed.
        unsafe {
            let len = self.len_in(slot, place);
            core::str::from_utf8_unchecked(self.blocks.get(place.at, len))
        }
    }

    /// Returns the length of a place's text. (It cannot panic, so that the compiler knows that the search for the text
    /// of a symbol writes nothing.)
    #[inline(always)]
    fn len_in(&self, slot: u32, place: Place) -> usize {
        match place.len(slot) {
            LONG => self.blocks.len_of(place.block()),
            len => len as usize,
        }
    }

    /// Returns the number of slots for which there is room.
    pub(crate) fn room(&self) -> usize {
        self.places.room()
    }

    /// Returns whether another text would need another slot, for which there is no room.
    #[inline(always)]
    pub(crate) fn are_full(&self) -> bool {
        self.places.are_full()
    }

    /// Makes room for `slots` slots in all.
    pub(crate) fn cover(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let additional = slots.saturating_sub(self.slots());
        reserve_exact(self.places.memory(), additional)
    }

    /// Stores a text under a slot of its own, for which there is room, in a new life. An error changes nothing visible.
    #[inline(always)]
    pub(crate) fn put(
        &mut self,
        text: &str,
        is_counted: bool,
    ) -> Result<(u32, u32), TryReserveError> {
        let at = self.room_for(text.len(), is_counted)?;
        let len = text.len().min(LONG as usize) as u32;
        let (slot, place) = self.places.begin(|slot, free| {
            let life = free.map_or(0, Slot::life) + 1;
            Place { at, word: Place::word(life, slot, len) }
        });
        self.fill(slot, place, text, is_counted);
        Ok((slot, place.life()))
    }

    /// Writes a text to where its slot has its place now.
    #[inline(always)]
    fn fill(&mut self, slot: u32, place: Place, text: &str, is_counted: bool) {
        self.used += cost(text.len());
        let is_behind_slot = is_counted && cost(text.len()) <= BLOCK / 2;
        self.write(place, is_behind_slot.then_some(slot), text.as_bytes());
    }

    /// Writes a text to its place, for which room was made, and its slot before it, if it is counted.
    #[inline(always)]
    fn write(&mut self, place: Place, slot: Option<u32>, text: &[u8]) {
        let (block, at) = (&mut self.blocks[place.block()], place.offset());
        copy_short(&mut block[at..at + text.len()], text);
        if let Some(slot) = slot {
            block[at - HEAD..at].copy_from_slice(&slot.to_le_bytes());
        }
    }

    /// Makes room for a text, and says where. An error changes nothing visible.
    #[inline(always)]
    fn room_for(&mut self, len: usize, is_counted: bool) -> Result<u32, TryReserveError> {
        match self.make_room(len, is_counted) {
            Some(at) => Ok(at),
            None => self.make_room_with_records(len, is_counted),
        }
    }

    /// Makes room for a text in the open block, and says where; `None` if it has none.
    #[inline(always)]
    fn make_room(&mut self, len: usize, is_counted: bool) -> Option<u32> {
        let open = self.open[usize::from(is_counted)];
        let record = self.records.get_mut(open as usize).filter(|_| cost(len) <= BLOCK / 2)?;
        Some(open << OFFSET_BITS | record.enter(cost(len), is_counted)?)
    }

    /// Makes room for what emptying needs, two records and a spare block, and then for the text, as
    /// [`make_room_elsewhere`](Self::make_room_elsewhere) does.
    #[cold]
    #[inline(never)]
    fn make_room_with_records(
        &mut self,
        len: usize,
        is_counted: bool,
    ) -> Result<u32, TryReserveError> {
        self.blocks.reserve(2)?;
        reserve(&mut self.records, 2)?;
        let is_short = cost(len) <= BLOCK / 2;
        if is_short && self.left != 0 {
            let left = mem::take(&mut self.left);
            while self.spare.len() <= left && self.sparse[0] != NONE && self.move_some(MOVE) {}
            self.left = left;
            if let Some(at) = self.make_room(len, is_counted) {
                return Ok(at);
            }
        }
        let is_emptied = is_counted || self.open[1] != NONE;
        self.spare_blocks(if is_short { 1 + usize::from(is_emptied) } else { 0 })?;
        self.make_room_elsewhere(len, is_counted)
    }

    /// Has at least `blocks` empty ones at hand, and room for one in any case.
    fn spare_blocks(&mut self, blocks: usize) -> Result<(), TryReserveError> {
        let more = blocks.max(1).saturating_sub(self.spare.len());
        reserve_exact(&mut self.spare, more)?;
        while self.spare.len() < blocks {
            self.spare.push(allocate(BLOCK)?);
        }
        Ok(())
    }

    /// Makes room for a text in a new block. On an error nothing has changed.
    #[cold]
    #[inline(never)]
    fn make_room_elsewhere(
        &mut self,
        len: usize,
        is_counted: bool,
    ) -> Result<u32, TryReserveError> {
        if cost(len) > BLOCK / 2 {
            return Ok(self.begin(Kind::Alone, len)? << OFFSET_BITS);
        }
        let block = self.begin(if is_counted { Kind::Counted } else { Kind::Kept }, BLOCK)?;
        let full = mem::replace(&mut self.open[usize::from(is_counted)], block);
        self.note_if_sparse(full);
        let at = self.records[block as usize].enter(cost(len), is_counted);
        Ok(block << OFFSET_BITS | at.unwrap_or(0))
    }

    /// A new block, in the room that insertions have made: a removal asks for none.
    fn begin(&mut self, kind: Kind, len: usize) -> Result<u32, TryReserveError> {
        let number = if self.unused == NONE { self.blocks.len() } else { self.unused as usize };
        if number == self.blocks.capacity().min(MAX_BLOCKS) {
            let requested = number + 1;
            return Err(TryReserveError::CapacityOverflow { requested, max: MAX_BLOCKS });
        }
        let spare = if len == BLOCK { self.spare.pop() } else { None };
        let bytes = match spare {
            Some(bytes) => bytes,
            None => allocate(len)?,
        };
        let record = Record { kind, is_sparse: false, live: 0, filled: 0, moved: 0, next: NONE };
        match self.records.get_mut(number) {
            Some(unused) => {
                self.unused = unused.next;
                *unused = record;
                self.blocks.replace(number, bytes);
            }
            None => {
                self.records.push(record);
                self.blocks.push(bytes);
            }
        }
        Ok(number as u32)
    }

    /// Removes the text of a slot, and moves a few out of sparse blocks.
    pub(crate) fn remove(&mut self, slot: u32) {
        self.places.catch_up(slot);
        if let Some(place) = self.places.leave(slot, Place::is_live) {
            self.give(slot, place);
        }
    }

    /// Takes back the bytes of a slot that is left, and moves a few texts out of sparse blocks.
    #[inline(always)]
    fn give(&mut self, slot: u32, place: Place) {
        let cost = cost(self.len_in(slot, place));
        self.used -= cost;
        let (block, at) = (place.block(), place.offset());
        match self.records[block].kind {
            Kind::Counted => {
                let head = (DEAD | cost as u32).to_le_bytes();
                self.blocks[block][at - HEAD..at].copy_from_slice(&head);
                self.discount(block, HEAD + cost);
            }
            Kind::Kept => self.discount_kept(block, at, cost),
            Kind::Alone | Kind::None => self.drop_block(block),
        }
        self.move_some(STEPS + cost.min(BLOCK / 2));
    }

    /// Records that `bytes` bytes of entries in a block are not in use any more.
    fn discount(&mut self, block: usize, bytes: usize) {
        let record = &mut self.records[block];
        record.live -= bytes as u32;
        if record.live != 0 {
            self.note_if_sparse(block as u32);
        } else if self.open.contains(&(block as u32)) {
            record.filled = 0;
        } else {
            self.drop_block(block);
        }
    }

    /// Links a block that is to be emptied from now on.
    fn note_if_sparse(&mut self, block: u32) {
        if self.open[1] == block {
            return;
        }
        let Some(record) = self.records.get_mut(block as usize) else { return };
        let is_sparse = record.kind == Kind::Counted && (record.live as usize) < BLOCK / 2;
        if !is_sparse || record.is_sparse {
            return;
        }
        record.is_sparse = true;
        record.next = NONE;
        match self.sparse {
            [NONE, _] => self.sparse = [block; 2],
            [_, last] => {
                self.records[last as usize].next = block;
                self.sparse[1] = block;
            }
        }
    }

    /// Gives up a block without texts: its memory at once, its number when it is not linked as sparse.
    fn drop_block(&mut self, block: usize) {
        let bytes = self.blocks.replace(block, Bytes::new());
        if bytes.len() == BLOCK && self.spare.len() < self.spare.capacity() {
            self.spare.push(bytes);
        }
        let record = &mut self.records[block];
        (record.kind, record.live, record.filled) = (Kind::None, 0, 0);
        if !record.is_sparse {
            record.next = mem::replace(&mut self.unused, block as u32);
        }
    }

    /// Moves texts out of sparse blocks in `steps` steps. If there is no block to move them to, the rest stays, and
    /// it returns false.
    fn move_some(&mut self, mut steps: usize) -> bool {
        while steps >= MOVE && self.sparse[0] != NONE {
            let block = self.sparse[0] as usize;
            let record = self.records[block];
            if record.kind == Kind::None {
                self.sparse[0] = record.next;
                self.records[block].is_sparse = false;
                self.records[block].next = mem::replace(&mut self.unused, block as u32);
                steps -= 1;
                continue;
            }
            let from = record.moved as usize + HEAD;
            let mut head = [0; HEAD];
            head.copy_from_slice(&self.blocks[block][from - HEAD..from]);
            let head = u32::from_le_bytes(head);
            if head >= DEAD {
                self.records[block].moved += HEAD as u32 + (head - DEAD);
                steps -= 1;
                continue;
            }
            let Some(len) = self.move_text(head, block) else { return false };
            self.records[block].moved += (HEAD + cost(len)) as u32;
            self.discount(block, HEAD + cost(len));
            steps -= MOVE;
        }
        true
    }

    /// Moves the text of a slot to the open block, and answers with its length; `None` if there is none with room.
    fn move_text(&mut self, slot: u32, block: usize) -> Option<usize> {
        let place = self.places[slot as usize];
        let len = place.len(slot) as usize;
        debug_assert!(place.block() == block && place.is_live());
        let at = match self.make_room(len, true) {
            Some(at) => at,
            None if self.left != 0 && self.spare.len() <= self.left => return None,
            None => self.make_room_elsewhere(len, true).ok()?,
        };
        let moved = Place { at, ..place };
        let mut bytes = Bytes::new();
        self.blocks.lend(block, &mut bytes);
        self.write(moved, Some(slot), &bytes[place.offset()..place.offset() + len]);
        self.blocks.lend(block, &mut bytes);
        self.places[slot as usize] = moved;
        Some(len)
    }
}

/// Memory for a block.
fn allocate(bytes: usize) -> Result<Bytes, TryReserveError> {
    let mut block = Bytes::new();
    reserve_exact(&mut block, bytes)?;
    block.resize(bytes, 0);
    Ok(block)
}

/// Copies a text, a short one by two words that overlap, without a call.
#[inline(always)]
fn copy_short(to: &mut [u8], text: &[u8]) {
    match text.len() {
        8..=16 => copy_ends::<8>(to, text),
        4..8 => copy_ends::<4>(to, text),
        _ => to.copy_from_slice(text),
    }
}

/// Copies as many bytes, at least `N` and at most twice that.
#[inline(always)]
fn copy_ends<const N: usize>(to: &mut [u8], from: &[u8]) {
    if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk()) {
        *to = *from;
    }
    if let (Some(to), Some(from)) = (to.last_chunk_mut::<N>(), from.last_chunk()) {
        *to = *from;
    }
}

/// Compares texts of the same length, which is at least `N` and at most twice that, by two words that may overlap.
#[inline(always)]
fn ends_are_same<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<N>() == b.first_chunk() && a.last_chunk::<N>() == b.last_chunk()
}

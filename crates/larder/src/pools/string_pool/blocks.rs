//! Text, in blocks of 4 KiB, which are emptied when less than half of one is in use.
//!
//! **Invariant.** A name lies in its block at a character boundary, and the block lists it. A block that is neither open
//! nor of one long text is at least half in use, unless memory for emptying it was refused.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use super::{Name, NameKey, Names};
use crate::containers::arena::Arena;
use crate::error::TryReserveError;
use crate::key::BareHandle;

/// How much text a block has room for.
pub(super) const BLOCK: usize = 4096;

/// Which block.
pub(super) type BlockKey = BareHandle<Block>;

/// Text, and the names that it belongs to.
#[derive(Debug)]
pub(super) struct Block {
    text: String,
    /// Every name that was put here, also if it was removed or moved since.
    names: Vec<NameKey>,
    /// Bytes of the names that are still here.
    live: usize,
    /// Bytes of all names that were put here.
    filled: usize,
}

impl Block {
    /// Makes room for one more text.
    fn reserve(&mut self, len: usize) -> Result<(), TryReserveError> {
        self.names.try_reserve(1).map_err(|_| refused(size_of::<NameKey>()))?;
        self.text.try_reserve(len).map_err(|_| refused(len))
    }
}

/// With as much room: a block of 4 KiB stays one.
impl Clone for Block {
    fn clone(&self) -> Self {
        let mut text = String::with_capacity(self.text.capacity());
        text.push_str(&self.text);
        Self { text, names: self.names.clone(), live: self.live, filled: self.filled }
    }
}

/// What a text counts for: so that empty ones do not come and go in a block for ever, one at least.
fn cost(text: &str) -> usize {
    text.len().max(1)
}

/// All text of a pool.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    blocks: Arena<Block, BlockKey>,
    /// The block that texts are put into.
    open: Option<BlockKey>,
    /// An emptied block's memory, for the next.
    spare: String,
}

/// An allocation that the standard library was refused.
fn refused(bytes: usize) -> TryReserveError {
    TryReserveError::AllocRefused { bytes }
}

impl Blocks {
    pub(super) fn new() -> Self {
        Self { blocks: Arena::with_key(), open: None, spare: String::new() }
    }

    #[inline]
    pub(super) fn text(&self, name: &Name) -> &str {
        let start = name.start as usize;
        &self.blocks[name.block].text[start..start + name.len as usize]
    }

    /// Makes room for a text, and says where. After that `put` needs no memory.
    pub(super) fn prepare(
        &mut self,
        text: &str,
        names: &mut Names,
    ) -> Result<BlockKey, TryReserveError> {
        let key = match self.open {
            _ if cost(text) > BLOCK / 2 => self.begin(text.len())?,
            Some(open) if self.blocks[open].filled + cost(text) <= BLOCK => open,
            Some(open) if self.blocks[open].live < BLOCK / 2 => {
                // What is left of it leaves room for the text, in a new block.
                self.open = Some(self.begin(BLOCK)?);
                self.empty(open, names)?;
                self.open.unwrap_or(open)
            }
            _ => {
                let fresh = self.begin(BLOCK)?;
                self.open = Some(fresh);
                fresh
            }
        };
        let reserved = self.blocks[key].reserve(text.len());
        if reserved.is_err() && self.open != Some(key) {
            self.blocks.remove(key);
        }
        reserved.map(|()| key)
    }

    /// A new block.
    fn begin(&mut self, room: usize) -> Result<BlockKey, TryReserveError> {
        self.blocks.try_reserve(1)?;
        let mut text = if room == BLOCK { mem::take(&mut self.spare) } else { String::new() };
        text.try_reserve_exact(room).map_err(|_| refused(room))?;
        Ok(self.blocks.insert(Block { text, names: Vec::new(), live: 0, filled: 0 }))
    }

    /// Puts a name's text where `prepare` made room for it.
    pub(super) fn put(&mut self, at: BlockKey, text: &str, key: NameKey, name: &mut Name) {
        let block = &mut self.blocks[at];
        name.block = at;
        name.start = block.text.len() as u32;
        name.len = text.len() as u32;
        block.text.push_str(text);
        block.names.push(key);
        block.live += cost(text);
        block.filled += cost(text);
    }

    /// Forgets the text of a name that is none any more.
    pub(super) fn forget(&mut self, name: &Name, names: &mut Names) {
        let cost = cost(self.text(name));
        let block = &mut self.blocks[name.block];
        block.live -= cost;
        if block.live == 0 || (self.open != Some(name.block) && block.live < BLOCK / 2) {
            // A long text's block was all its own. If memory is refused, the block stays as it is.
            let _ = self.empty(name.block, names);
        }
    }

    /// Moves what is alive in a block elsewhere, and gives up the block.
    fn empty(&mut self, from: BlockKey, names: &mut Names) -> Result<(), TryReserveError> {
        if self.open == Some(from) {
            self.open = None;
        }
        let listed = mem::take(&mut self.blocks[from].names);
        let text = mem::take(&mut self.blocks[from].text);
        for (index, &key) in listed.iter().enumerate() {
            let Some(name) = names.get(key).filter(|name| name.block == from) else { continue };
            let start = name.start as usize;
            let moved = &text[start..start + name.len as usize];
            match self.prepare(moved, names) {
                Ok(to) => self.put(to, moved, key, &mut names[key]),
                Err(reason) => {
                    let block = &mut self.blocks[from];
                    block.names = listed;
                    block.names.drain(..index);
                    block.text = text;
                    return Err(reason);
                }
            }
            self.blocks[from].live -= cost(moved);
        }
        self.blocks.remove(from);
        self.keep(text);
        Ok(())
    }

    /// Keeps an emptied block's memory for the next.
    fn keep(&mut self, mut text: String) {
        if text.capacity() == BLOCK {
            text.clear();
            self.spare = text;
        }
    }

    /// Forgets all text.
    pub(super) fn clear(&mut self) {
        self.open = None;
        for block in self.blocks.drain().map(|(_, block)| block) {
            if block.text.capacity() == BLOCK {
                self.spare = block.text;
            }
        }
        self.spare.clear();
    }

    /// How many bytes of text are in use, and how many are not.
    pub(super) fn account(&self) -> (usize, usize) {
        let used = self.blocks.values().map(|block| block.live).sum();
        let room: usize = self.blocks.values().map(|block| block.text.capacity()).sum();
        (used, (room + self.spare.capacity()).saturating_sub(used))
    }

    /// What the blocks themselves take, and their lists of names.
    pub(super) fn bytes_beside(&self) -> usize {
        let names = |block: &Block| block.names.capacity() * size_of::<NameKey>();
        self.blocks.stats().memory.committed + self.blocks.values().map(names).sum::<usize>()
    }

    /// Whether every block is at least half in use, the open one aside.
    pub(super) fn are_half_full(&self) -> bool {
        self.blocks.iter().all(|(key, block)| block.live >= BLOCK / 2 || self.open == Some(key))
    }

    /// Checks the invariant, but for what refused memory excuses.
    pub(super) fn validate(&self, names: &Names) {
        for (key, block) in &self.blocks {
            let here = |name: &&Name| name.block == key;
            let live = block.names.iter().filter_map(|&name| names.get(name)).filter(here);
            let live: usize = live.map(|name| cost(self.text(name))).sum();
            assert_eq!(live, block.live, "a block's count is wrong");
            assert!(block.filled <= BLOCK || block.names.len() == 1, "a block is too full");
        }
        for (key, name) in names {
            assert!(self.blocks[name.block].names.contains(&key), "a block does not list a name");
        }
    }
}
